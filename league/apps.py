"""The app of leagues."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Leagues and their members."""

    name = "league"

    def ready(self) -> None:
        from league.circles import Leagues
        from league.directing import results, scheduled, telling
        from league.directing.stream import blanked as tournament_blanked
        from league.records import vote_link
        from league.stream import blanked
        from matches import links, signals
        from matches import scheduled as matches_scheduled
        from people import circles

        circles.KEEPERS.append(Leagues())
        links.MAKERS.append(vote_link)
        matches_scheduled.KEEPERS.append(scheduled.Tables())
        telling.register_kinds()
        signals.texts_blanked.connect(blanked, dispatch_uid="league")
        signals.texts_blanked.connect(tournament_blanked, dispatch_uid="tournaments")
        signals.result_changed.connect(results.changed, dispatch_uid="tournaments")
