"""A process that helps to derive everything again. It is started from here, where nothing of Django is read yet."""

from __future__ import annotations

import os
import signal
from typing import Any


def work(stage: str, database: dict[str, Any], parent: int) -> None:
    """Do parts of a stage of a rebuild until none is left or the parent has ended.

    :param database: the settings of the database connection that differ from those of the environment
    :param parent: the number of the process that started this one
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, who ends us
    import django

    django.setup()
    from django.db import connection

    from career import rebuilding

    connection.settings_dict.update(database)
    while os.getppid() == parent and rebuilding.do_part(stage):
        pass
