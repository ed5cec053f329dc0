"""The app of leagues."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Leagues and their members."""

    name = "league"

    def ready(self) -> None:
        from league.circles import Leagues
        from league.records import vote_link
        from league.stream import blanked
        from matches import links, signals
        from people import circles

        circles.KEEPERS.append(Leagues())
        links.MAKERS.append(vote_link)
        signals.texts_blanked.connect(blanked, dispatch_uid="league")
