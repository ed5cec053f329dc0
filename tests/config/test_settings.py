"""Settings come from the environment; what is missing or wrong is said with what was expected."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import secret
from config.settings import database
from tests.conftest import ROOT

SHOW = """
import json
from config import settings as s
names = ["ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "MAILERS", "DEBUG", "SITE_URL"]
shown = {name: getattr(s, name) for name in names}
shown["USER"] = s.DATABASES["default"]["USER"]
shown["SECRET_KEY"] = s.SECRET_KEY
print(json.dumps(shown))
"""
AWAY = "postgresql://annals_app:secret@db.example.org/annals"


def settings(var: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what a process with nothing but this environment makes of the settings."""
    clean = {"PATH": os.environ["PATH"], "ANNALS_VAR": str(var), **environment}
    return subprocess.run(
        [sys.executable, "-c", SHOW], cwd=ROOT, env=clean, capture_output=True, text=True, check=False
    )


def test_nothing_has_to_be_set_in_a_checkout(tmp_path: Path) -> None:
    shown = json.loads(settings(tmp_path).stdout)
    assert shown["DEBUG"] is False
    assert shown["USER"] == "annals_app"
    assert shown["MAILERS"]["default"]["OPTIONS"] == {"file_path": str(tmp_path / "mail")}
    assert json.loads(settings(tmp_path).stdout)["SECRET_KEY"] == shown["SECRET_KEY"]


def test_an_own_database_wants_an_own_secret(tmp_path: Path) -> None:
    said = settings(tmp_path, DATABASE_URL=AWAY)
    assert said.returncode == 1
    assert "SECRET_KEY must be set too" in said.stderr
    assert settings(tmp_path, DATABASE_URL=AWAY, SECRET_KEY="x" * 50).returncode == 0


def test_a_command_that_changes_tables_wants_the_owners_address(tmp_path: Path) -> None:
    given = {"DATABASE_URL": AWAY, "SECRET_KEY": "x" * 50, "DATABASE_AS": "owner"}
    said = settings(tmp_path, **given)
    assert "set DATABASE_OWNER_URL" in said.stderr
    owner = AWAY.replace("annals_app", "annals_owner")
    assert json.loads(settings(tmp_path, **given, DATABASE_OWNER_URL=owner).stdout)["USER"] == "annals_owner"
    del given["DATABASE_AS"]
    assert json.loads(settings(tmp_path, **given, DATABASE_OWNER_URL=owner).stdout)["USER"] == "annals_app"


def test_an_address_in_https_makes_the_cookies_safe(tmp_path: Path) -> None:
    shown = json.loads(
        settings(tmp_path, SITE_URL="https://annals.example.org/", ALLOWED_HOSTS="one.example, two.example").stdout
    )
    assert shown["SITE_URL"] == "https://annals.example.org"
    assert shown["CSRF_TRUSTED_ORIGINS"] == ["https://annals.example.org"]
    assert {"annals.example.org", "one.example", "two.example"} <= set(shown["ALLOWED_HOSTS"])
    assert shown["SESSION_COOKIE_SECURE"] is True
    assert shown["SECURE_HSTS_SECONDS"] > 0


def test_mail_goes_to_the_server_that_is_named(tmp_path: Path) -> None:
    shown = json.loads(settings(tmp_path, EMAIL_HOST="mail.example.org", EMAIL_PORT="587", EMAIL_USE_TLS="1").stdout)
    assert shown["MAILERS"]["default"]["BACKEND"].endswith("smtp.EmailBackend")
    assert shown["MAILERS"]["default"]["OPTIONS"]["host"] == "mail.example.org"
    assert shown["MAILERS"]["default"]["OPTIONS"]["use_tls"] is True


def test_the_parts_of_an_address_may_hold_any_character() -> None:
    found = database("postgresql://us%40er:p%2Fw%3A@db.example.org:6432/na%20me?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "us@er",
        "p/w:",
        "db.example.org",
        "6432",
        "na me",
    )
    assert found["OPTIONS"]["sslmode"] == "require"  # type: ignore[index]
    assert "idle_in_transaction_session_timeout" in found["OPTIONS"]["options"]  # type: ignore[index]


@pytest.mark.parametrize("url", ["mysql://db.example.org/annals", "postgresql://db.example.org", "annals"])
def test_an_address_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="expected postgresql://USER:PASSWORD@HOST:PORT/NAME"):
        database(url)
    with pytest.raises(ImproperlyConfigured) as refused:
        database("mysql://user:hidden@db.example.org/annals")
    assert "hidden" not in str(refused.value)


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    made = secret.kept(path)
    assert len(made) >= 50
    assert secret.kept(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["key"]
