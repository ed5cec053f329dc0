"""The API's description is complete, and so is the page made of it."""

from __future__ import annotations

import json
import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api", "/api/"])
def test_the_root_says_where_to_read_on(client: Client, path: str) -> None:
    assert client.get(path).json() == {"schema": "http://testserver/api/schema", "docs": "http://testserver/api/docs"}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/schema", "/api/schema/"])
def test_the_description_is_openapi(client: Client, path: str) -> None:
    described = client.get(path).json()
    assert described["openapi"].startswith("3.")
    assert described["paths"]


def test_the_description_is_made_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, format="openapi-json")
    assert json.loads(capsys.readouterr().out)["info"]["title"] == "Annals"


@pytest.mark.django_db
def test_every_path_of_the_api_is_described_and_on_the_page(client: Client) -> None:
    def paths(patterns: list[URLPattern | URLResolver], before: str) -> list[tuple[str, str | None]]:
        found: list[tuple[str, str | None]] = []
        for pattern in patterns:
            here = before + str(pattern.pattern)
            found += paths(pattern.url_patterns, here) if isinstance(pattern, URLResolver) else [(here, pattern.name)]
        return found

    served = [(path, name) for path, name in paths(get_resolver().url_patterns, "") if re.match(r"\^?api/", path)]
    apart = {"api-root", "api-schema", "api-docs"}
    described = client.get("/api/schema/").json()["paths"]
    operations = [
        operation for methods in described.values() for operation in methods.values() if "operationId" in operation
    ]
    assert len(described) == len([name for _, name in served if name not in apart])
    page = client.get("/api/docs/").content.decode()
    for operation in operations:
        assert f'id="{operation["operationId"]}"' in page
