#!/usr/bin/env python
"""Django's commands. Without DATABASE_URL they use the embedded PostgreSQL of this checkout and start it if need be."""

import os
import sys

# These change tables, so they connect as the owner; everything else connects as the application's role.
OWNER_COMMANDS = {"migrate", "backup", "restore", "flush", "sqlflush"}
# These need no database.
WITHOUT_DATABASE = {
    "help",
    "version",
    "--help",
    "--version",
    "collectstatic",
    "makemessages",
    "compilemessages",
    "spectacular",
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command in OWNER_COMMANDS:
        os.environ.setdefault("DATABASE_AS", "owner")
    if "DATABASE_URL" not in os.environ and command not in WITHOUT_DATABASE:
        from config import embedded

        try:
            embedded.provide()
        except embedded.Refused as refusal:
            sys.exit(f"manage.py: {refusal}")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(f"manage.py: {wrong}")


if __name__ == "__main__":
    main()
