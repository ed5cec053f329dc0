"""The app of leagues."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Leagues and their members."""

    name = "league"

    def ready(self) -> None:
        from league.circles import Leagues
        from league.records import vote_link
        from matches import links
        from people import circles

        circles.KEEPERS.append(Leagues())
        links.MAKERS.append(vote_link)
