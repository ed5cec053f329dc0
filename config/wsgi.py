"""The WSGI application that the server calls. Refuses to start with a role that could change the log."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config import processes, roles  # noqa: E402 - after the apps are ready

if os.environ.get("ANNALS_SUPERVISED"):
    processes.die_with_parent()  # the server's worker process: `make run` leaves nothing behind

roles.refuse_powerful_role("web")
