"""Settings, all read from the environment. Nothing needs to be set for `make run`; docs/operators.md tells about production.

DATABASE_URL        address of PostgreSQL as the application's role: the log can be read and added to, never changed.
                    Unset: the embedded server of ANNALS_VAR, which `make run` and manage.py start by themselves.
DATABASE_OWNER_URL  the same database as the owner of its tables: migrate, backup, restore. Not for web and worker.
DATABASE_POOL_SIZE  connections that a process keeps open and shares among its threads; 0 (default): one a request.
CELERY_BROKER_URL   the queue. Default: in the same PostgreSQL (pgmq). Else redis://HOST:PORT/0 (Redis, Valkey) or amqp://…
CELERY_VISIBILITY_TIMEOUT  seconds after which a message of a worker that died is delivered again (default 60).
SECRET_KEY          signs sessions and links. Must be set with DATABASE_URL; else made once and kept in ANNALS_VAR.
SIGNING_KEY_FILE    PEM file with the Ed25519 key that signs the checkpoints of the log (default: ANNALS_VAR/signing.pem).
SITE_NAME           the name in the page titles (default: Annals).
SITE_URL            where people reach the site, such as https://annals.example.org (default: http://127.0.0.1:8000).
ALLOWED_HOSTS       further host names, separated by commas (default: that of SITE_URL, and this machine).
BEHIND_PROXY        1: trust X-Forwarded-Proto and X-Forwarded-For of the reverse proxy in front.
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_USE_TLS, EMAIL_USE_SSL, DEFAULT_FROM_EMAIL
                    how mail leaves the house. Without EMAIL_HOST each mail becomes a file in ANNALS_VAR/mail.
STATIC_ROOT         folder that `manage.py collectstatic` fills. Unset: files are served from where they lie.
ANNALS_VAR          folder of everything that is written outside the database (default: var/ of the checkout).
LOG_LEVEL           INFO by default; each line is one JSON object with the id of its request.
LANGUAGE_CODE       the language of whoever asks for none of those there are (default: en).
DEBUG               1: Django's error pages. Never on a machine that others reach.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from config import embedded, secret

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = embedded.var()


def _flag(name: str) -> bool:
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def _list(name: str) -> list[str]:
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def database(url: str) -> dict[str, object]:
    """Return Django's description of the PostgreSQL at an address."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ImproperlyConfigured(
            f"{url.split('@')[-1]!r} is not the address of a database; expected postgresql://USER:PASSWORD@HOST:PORT/NAME."
        )
    pool = int(os.environ.get("DATABASE_POOL_SIZE", "0"))
    more = dict(pair.split("=", 1) for pair in parts.query.split("&") if "=" in pair)
    options: dict[str, object] = {"options": "-c idle_in_transaction_session_timeout=60000", **more}
    if pool:
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": True,
    }


DEBUG = _flag("DEBUG")
IS_EMBEDDED = not os.environ.get("DATABASE_URL") or _flag("ANNALS_EMBEDDED")
NOWHERE = "postgresql://annals_app@127.0.0.1:1/annals"  # nothing has been started yet: a query says that it is refused
DATABASE_URL = os.environ.get("DATABASE_URL") or embedded.known_url(embedded.APP) or NOWHERE
if os.environ.get("DATABASE_AS") == "owner":
    _owner_url = os.environ.get("DATABASE_OWNER_URL") or (embedded.known_url(embedded.OWNER) if IS_EMBEDDED else None)
    if not _owner_url:
        raise ImproperlyConfigured("This command changes tables: set DATABASE_OWNER_URL to the address as their owner.")
    DATABASES = {"default": database(_owner_url)}
else:
    DATABASES = {"default": database(DATABASE_URL)}
DATABASE_APP_ROLE = str(database(DATABASE_URL)["USER"])
# What the application's role may only read and add to. On everything else it has full rights.
APPEND_ONLY_TABLES = ["matches_event"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if IS_EMBEDDED or os.environ.get("SECRET_KEY"):
    SECRET_KEY = os.environ.get("SECRET_KEY") or secret.kept(VAR / "secret_key")
else:
    raise ImproperlyConfigured(
        "With DATABASE_URL set, SECRET_KEY must be set too: a long random text that stays the same."
    )
SIGNING_KEY_FILE = Path(os.environ.get("SIGNING_KEY_FILE") or VAR / "signing.pem")

SITE_NAME = os.environ.get("SITE_NAME", "Annals")
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = [urlsplit(SITE_URL).hostname or "localhost", "localhost", "127.0.0.1", "[::1]", *_list("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
_IS_HTTPS = SITE_URL.startswith("https://")

INSTALLED_APPS = [
    "config",
    "career",
    "league",
    "matches",
    "people",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "rest_framework.authtoken",
]
MIDDLEWARE = [
    "config.logs.RequestIdMiddleware",
    "config.middleware.NoNullMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
APPEND_SLASH = False  # pages answer with and without the last slash
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
        },
    },
]

# Sign-in. MFA (codes, passkeys) is allauth's; the form takes the e-mail address or the handle.
AUTH_USER_MODEL = "people.Account"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_ADAPTER = "people.adapters.AccountAdapter"
ACCOUNT_FORMS = {"login": "people.forms.LoginForm", "signup": "people.forms.SignupForm"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(SITE_URL).scheme
MFA_TOTP_ISSUER = SITE_NAME

# The API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "config.parsers.JsonParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "people.paging.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {
    "ENUM_NAME_OVERRIDES": {
        "MatchStatusEnum": "matches.models.Match.Status",
        "TournamentStatusEnum": "league.models.Tournament.Status",
    },
    "TITLE": "Annals",
    "DESCRIPTION": "Match logs in, reports, replays and careers out.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/",
}

# Uploads: the readers of logs have their own limits; these only bound what a form may hold in memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 70 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

# Safety of the pages
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if _IS_HTTPS else 0
if _flag("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1  # the limits on signing in count by reader, not by proxy

# Languages: a page says everything through gettext; times are kept in UTC.
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = os.environ.get("LANGUAGE_CODE", "en")
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]

# Static files: whitenoise serves them, from where they lie or (production) packed and under names with a fingerprint.
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = os.environ.get("STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Mail
_SMTP: dict[str, object] = {
    "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "OPTIONS": {
        "host": os.environ.get("EMAIL_HOST"),
        "port": int(os.environ.get("EMAIL_PORT", "25")),
        "username": os.environ.get("EMAIL_HOST_USER", ""),
        "password": os.environ.get("EMAIL_HOST_PASSWORD", ""),
        "use_tls": _flag("EMAIL_USE_TLS"),
        "use_ssl": _flag("EMAIL_USE_SSL"),
        "timeout": 20,
    },
}
_FILES: dict[str, object] = {
    "BACKEND": "django.core.mail.backends.filebased.EmailBackend",
    "OPTIONS": {"file_path": str(VAR / "mail")},
}
MAILERS = {"default": _SMTP if os.environ.get("EMAIL_HOST") else _FILES}
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", f"annals@{urlsplit(SITE_URL).hostname}")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# The queue: only config/celery.py knows what it is.
CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL", "")
CELERY_VISIBILITY_TIMEOUT = int(os.environ.get("CELERY_VISIBILITY_TIMEOUT", "60"))
# What is done by the clock even if every message was lost: task and seconds.
CELERY_BEAT = {
    "matches.tasks.jobs_sweep": 10,
    "career.tasks.catch_up": 30,
    "career.tasks.honors_tick": 60,
    "league.tasks.settle_sweep": 30,
    "people.tasks.mail_sweep": 30,
    "matches.tasks.checkpoint": 300,
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.logs.JsonFormatter"}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["lines"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {"django": {"handlers": [], "propagate": True}, "django.server": {"handlers": [], "propagate": True}},
}
