"""The app of accounts, persons and rights."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Accounts, persons and guests, and the roles they hold."""

    name = "people"
