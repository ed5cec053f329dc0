"""Whatever is asked of the API, the answer is one: never a crash, and what is read is of the form that was promised."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import response_schema_conformance


def operations() -> Iterator[schemathesis.schemas.APIOperation]:
    """Return what the API offers, as its own description says."""
    described = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    for found in described.get_all_operations():
        yield found.ok()


@pytest.fixture
def one_connection(db: None) -> Iterator[None]:
    """Have requests leave this test's connection open, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("one_connection")
def test_no_question_breaks_the_api() -> None:
    asked = 0
    for operation in operations():

        @given(case=operation.as_strategy())
        @settings(
            max_examples=15, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
        )
        def ask(case: schemathesis.Case) -> None:
            answer = case.call()
            assert answer.status_code < 500, case.as_curl_command()
            if case.method == "GET" and answer.status_code == 200 and "json" in answer.headers["content-type"][0]:
                case.validate_response(answer, checks=[response_schema_conformance])

        ask()
        asked += 1
    assert asked > 15
