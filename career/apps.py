"""The career app: listens for changed results and brings the projections up to date."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CareerConfig(AppConfig):
    name = "career"
    verbose_name = _("Careers")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Queue a catch-up whenever a result changes."""
        from career import follow

        follow.listen()
