"""The app of the composition root."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class Config(AppConfig):
    """Gives the application's role its rights after each migration."""

    name = "config"

    def ready(self) -> None:
        from config import roles

        post_migrate.connect(roles.grant, sender=apps.get_app_config("matches"), dispatch_uid="config.roles.grant")
