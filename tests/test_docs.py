"""The docs say what the code holds: docs/events.md is the list of all events, made from their payloads."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from league import events as league
from league.tournament import events as tournament
from matches import persons
from rulesengine import registry, shared

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "events.md"
INTRODUCTION = """# Events

Every entry of the log has a type and a payload (`data`). This page lists all of them; it is made from the code by
`pytest tests/test_docs.py --regenerate`, and a test holds it against the code. A key with `?` may be left out.

A type keeps its name and its meaning for ever: a new key gets a default, a new meaning gets a new type.
"""


def keys(payload: type[msgspec.Struct], *, without: frozenset[str] = frozenset()) -> str:
    """Return the keys of a payload as the page shows them."""
    fields = [field for field in msgspec.structs.fields(payload) if field.name not in without]
    return ", ".join(f"`{field.encode_name}{'' if field.required else '?'}`" for field in fields) or "–"


def table(rows: list[tuple[str, type[msgspec.Struct]]]) -> str:
    """Return the table of some events."""
    lines = ["| type | data | meaning |", "| --- | --- | --- |"]
    for name, payload in rows:
        meaning = " ".join((payload.__doc__ or "").strip().split("\n\n")[0].split())
        lines.append(f"| `{name}` | {keys(payload, without=frozenset({'observed'}))} | {meaning} |")
    return "\n".join(lines)


def tagged(module: ModuleType) -> list[tuple[str, type[msgspec.Struct]]]:
    """Return the payloads of a stream by the type that each is tagged with, in the order of the code."""
    found = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    return [(str(one.__struct_config__.tag), one) for one in found if one.__struct_config__.tag is not None]


def page() -> str:
    """Return docs/events.md as the code has it."""
    parts = [INTRODUCTION, "## Matches: events that every game shares\n", table(sorted(shared.PAYLOADS.items()))]
    for game in registry.GAMES:
        parts += [f"\n## Matches: {game.ruleset.name}\n", table(sorted(game.ruleset.payloads.items()))]
    parts += ["\n## Tournaments\n", table(tagged(tournament))]
    parts += ["\n## Leagues\n", table(tagged(league)), "\n## Persons\n", table(tagged(persons))]
    return "\n".join(parts) + "\n"


def test_the_page_of_events_lists_them_all(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--regenerate"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_payload_says_what_it_is() -> None:
    own = [payload for game in registry.GAMES for payload in game.ruleset.payloads.values()]
    for payload in (
        *shared.PAYLOADS.values(),
        *own,
        *(one for _, one in (*tagged(league), *tagged(tournament), *tagged(persons))),
    ):
        assert "__doc__" in vars(payload), payload
        assert payload.__doc__, payload


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_what_a_page_of_the_docs_links_to_is_there(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (ROOT / "docs" / target).exists(), f"{name} links to {target}"
