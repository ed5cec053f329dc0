"""The app of matches."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, their log, and who sits in them."""

    name = "matches"

    def ready(self) -> None:
        from matches import persons, telling
        from people import keeping, services

        telling.register_kinds()
        keeping.MORE.append(telling.kept_of)
        services.PRIVACY_CHANGED.append(persons.privacy_changed)
