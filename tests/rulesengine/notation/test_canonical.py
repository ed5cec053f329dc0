"""Canonical JSON after RFC 8785, whole numbers only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from rulesengine.canonical import dumps
from tests.rulesengine.notation import logs


def test_keys_are_sorted_by_utf_16_units() -> None:
    value = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "\u00f6": 7}
    assert dumps(value).decode() == '{"\\r":2,"1":4,"\x80":6,"\u00f6":7,"\u20ac":1,"\U0001f600":5,"\ufb33":3}'


def test_inner_keys_are_sorted_too() -> None:
    assert (
        dumps([{"\ufb33": {"b": 1, "a": 2}, "\U0001f600": ()}]).decode() == '[{"\U0001f600":[],"\ufb33":{"a":2,"b":1}}]'
    )


def test_only_what_must_be_escaped_is_escaped() -> None:
    assert dumps('\x00\x1f\b\t\n\f\r"\\/\x7f\u2028é😀').decode() == (
        '"\\u0000\\u001f\\b\\t\\n\\f\\r\\"\\\\/\x7f\u2028é😀"'
    )


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), 2**53, -(2**53), [1.5], {"a": {"b": 0.1}}, {1: 2}, b"x", {"a": {1}}, "\ud800", ["\ud800"]],
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):
        dumps(value)


@pytest.mark.parametrize("value", [2**53 - 1, -(2**53) + 1, True, None, "", [], {}])
def test_limits_are_included(value: Any) -> None:
    assert json.loads(dumps(value)) == value


@given(value=logs.values)
def test_it_agrees_with_the_standard_library(value: Any) -> None:
    def ordered(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: ordered(item[key]) for key in sorted(item, key=lambda key: key.encode("utf-16-be"))}
        return [ordered(each) for each in item] if isinstance(item, list) else item

    assert dumps(value).decode() == json.dumps(ordered(value), ensure_ascii=False, separators=(",", ":"))
