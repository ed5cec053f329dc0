"""A tournament as data: what the API, the downloads and the command all say, from the one projection that the pages read as well."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from league.directing import engines, tables
from league.directing.shown import Shown, Who
from league.tournament import events as e
from league.tournament.reducer import Round, Stage
from league.tournament.tiebreaks.book import Addend, exact


def person(shown: Shown, entrant: str) -> dict[str, str | None]:
    """Return somebody as the viewer may know them; `person` and `handle` only of those who are known by name."""
    return person_of(shown.people[entrant])


def person_of(who: Who) -> dict[str, str | None]:
    """Return somebody who is shown, as data."""
    known = who.name == who.person.display_name and who.person.forgotten_at is None
    return {"person": str(who.person.pk) if known else None, "handle": who.handle or None, "name": who.name}


def standings(
    shown: Shown, stage: Stage, *, live: bool = False, limit: int | None = None, offset: int = 0
) -> list[dict[str, Any]]:
    """Return the standings of a stage, a table for each group, with the entry that they were computed from and every sum.

    :param live: whether results that are not confirmed count as well
    :param limit: at most so many rows of each table, from `offset` on; the digest and `count` are those of the whole table
    """
    return [_table(shown, stage, one, limit=limit, offset=offset) for one in shown.standings(stage, live=live)]


def _table(shown: Shown, stage: Stage, table: tables.Table, *, limit: int | None, offset: int) -> dict[str, Any]:
    members = stage.entrants if table.group is None else stage.groups[table.group]
    numbers = {entrant: number for number, entrant in enumerate(members, 1)}
    rows = table.standings.rows[offset : None if limit is None else offset + limit]
    return {
        "stage": stage.number + 1,
        "group": None if table.group is None else table.group + 1,
        "at_seq": table.at_seq,
        "view": "live" if table.is_live else "settled",
        "edition": table.standings.ruleset,
        "order": [*table.tiebreaks],
        "digest": table.standings.digest,
        "count": len(table.standings.rows),
        "rows": [
            {
                "rank": row.rank,
                "place": row.place,
                "number": numbers[row.entrant],
                **person(shown, row.entrant),
                "dropped_from": stage.dropped.get(row.entrant),
                "points": row.points_text,
                "addends": _addends(row.addends, numbers),
                "tiebreaks": {
                    code: {"value": value.text, "addends": _addends(value.addends, numbers)}
                    for code, value in row.values.items()
                },
            }
            for row in rows
        ],
        "disqualified": [person(shown, one) for one in members if shown.state.entries[one].disqualified],
    }


def _addends(addends: Iterable[Addend], numbers: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "round": one.round,
            "opponents": [numbers[part] for part in one.opponent.split(", ") if part in numbers],
            "value": exact(one.value),
            "rule": one.rule,
            "cut": one.cut,
        }
        for one in addends
    ]


def places(shown: Shown, stage: Stage) -> list[dict[str, Any]]:
    """Return the places of an elimination that are final so far; of other formats none, as their standings say it all."""
    if stage.system != "elimination" or not stage.has_begun:
        return []
    told = stage.places if stage.is_closed else tables.places(shown.state, stage)
    return [{"rank": int(row["place"]), **person(shown, str(row["person"]))} for row in told]


def rounds(shown: Shown, stage: Stage) -> list[Round]:
    """Return the rounds of a stage that the viewer may see, first round first."""
    return list(reversed(shown.rounds(stage)))


def round_(shown: Shown, stage: Stage, told: Round) -> dict[str, Any]:
    """Return a round: its tables with who sits there and the settled result, and who has no table and why."""
    states = {one.number: one.state for one in shown.lines(stage, told)}
    field = engines.field_of(shown.state, stage, through=told.number - 1)
    before = field.points()
    return {
        "stage": stage.number + 1,
        "round": told.number,
        "at_seq": shown.state.seq,
        "published": told.is_published,
        "engine": told.engine,
        "version": told.version,
        "input_digest": told.digest,
        "ends_at": told.ends_at,
        "seconds_left": told.seconds,
        "tables": [
            {
                "table": table.number,
                "group": table.group + 1 if len(stage.groups) > 1 else None,
                "match": table.match,
                "state": states[table.number],
                "ruled": table.ruled is not None,
                "extension": table.extension,
                "seats": [
                    {
                        "seat": seat,
                        **person(shown, entrant),
                        "points_before": exact(before.get(entrant, Fraction(0))),
                        **_result(next((row for row in table.rows or () if row.person == entrant), None)),
                    }
                    for seat, entrant in enumerate(table.seats, 1)
                ],
            }
            for table in told.tables.values()
        ],
        "byes": [
            {**person_of(one.who), "kind": one.code, "points": exact(Fraction(one.gives))}
            for one in shown.sitting_out(stage, told)
        ],
    }


def _result(row: e.ResultRow | None) -> dict[str, Any]:
    if row is None:
        return {"kind": None, "place": None, "outcome": None, "points": None, "score": None}
    score = exact(Fraction(row.score)) if row.score is not None else None
    return {
        "kind": str(row.kind), "place": row.place, "outcome": row.outcome, "points": exact(Fraction(row.points)),
        "score": score,
    }  # fmt: skip


def outstanding(shown: Shown) -> list[dict[str, Any]]:
    """Return the tables that the next round waits for."""
    stage = shown.state.latest
    if stage is None or stage.last is None:
        return []
    return [
        {
            "stage": stage.number + 1, "round": stage.last.number, "table": one.number, "match": one.match,
            "state": one.state, "players": [person_of(sitter.who) for sitter in one.sitters],
        }
        for one in shown.outstanding()
    ]  # fmt: skip


def tournament(shown: Shown, *, live: bool = False) -> dict[str, Any]:
    """Return a whole tournament: each stage with its rounds and standings, and what is outstanding."""
    return {
        "at_seq": shown.state.seq,
        "id": str(shown.tournament.pk),
        "slug": shown.state.slug,
        "title": shown.state.title,
        "game": shown.state.game,
        "status": shown.state.status,
        "stages": [
            {
                "stage": stage.number + 1,
                "format": stage.settings.format,
                "begun": stage.has_begun,
                "closed": stage.is_closed,
                "rounds": [round_(shown, stage, one) for one in rounds(shown, stage)],
                "standings": standings(shown, stage, live=live) if stage.has_begun else [],
                "places": places(shown, stage),
            }
            for stage in shown.state.stages
        ],
        "outstanding": outstanding(shown),
    }
