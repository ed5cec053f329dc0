"""The WSGI application that the server calls. Refuses to start with a role that could change the log."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config import roles  # noqa: E402 - after the apps are ready

roles.refuse_powerful_role("web")
