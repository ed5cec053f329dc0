"""From the state of a tournament to the engine of its format, and back: a round that is prepared, nothing that is decided here."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from league.directing.results import scoring_of, text_of
from league.tournament import events as e
from league.tournament import reducer
from league.tournament.field import NO_BYE_AFTER, Entrant, Field, Kind
from league.tournament.pairing import dutch, elimination, feasible, pods, round_robin, swiss, tables
from league.tournament.pairing.base import Note, Pairing, digest, lot
from league.tournament.reducer import Round, Stage, State


class Elapsed(Struct, frozen=True):
    """How many rounds a stage has: those said, or those that its format and its entrants make."""

    rounds: int
    is_certain: bool


def rounds_of(stage: Stage, entrants: int | None = None) -> Elapsed:
    """Return how many rounds a stage has; with `entrants` as if so many played."""
    sizes = [len(group) for group in stage.groups] or ([entrants] if entrants else [])
    if stage.settings.rounds:
        return Elapsed(stage.settings.rounds, True)
    if not sizes or max(sizes) < 2:
        return Elapsed(0, False)
    most = max(sizes)
    match stage.settings.format:
        case "round_robin":
            return Elapsed(most - 1 + most % 2, True)
        case "double_round_robin":
            return Elapsed(2 * (most - 1 + most % 2), True)
        case "pod_elimination":
            drawn = elimination.bracket("pods", list(map(str, range(most))), options_of(stage))
            return Elapsed(max(node.round for node in drawn.nodes), False)
        case "double_elimination":
            return Elapsed(2 * (most - 1).bit_length() + 1, False)
    return Elapsed((most - 1).bit_length(), False)


def field_of(
    state: State,
    stage: Stage,
    *,
    group: int | None = None,
    through: int | None = None,
    live: reducer.Live | None = None,
) -> Field:
    """Return a stage as engines and standings read it, with the points of its scoring."""
    scoring = scoring_of(stage)
    return reducer.stage_field(
        state, stage.number, group=group, through=through, live=live,
        win=scoring.win, draw=scoring.draw, loss=scoring.loss,
    )  # fmt: skip


def present_of(stage: Stage, round_: int, group: int) -> list[str]:
    """Return who of a group plays a round: who has not dropped and has asked for no bye."""
    return [
        person
        for person in stage.groups[group]
        if stage.dropped.get(person, round_ + 1) > round_ and (person, round_) not in stage.requests
    ]


def pair(state: State, stage: Stage, round_: int) -> e.RoundPaired:
    """Return a round as its engine pairs it, with everybody who has no table and why.

    A group whose schedule has ended has no tables any more.

    :raises PairingImpossible: if no pairing keeps the rules of the format
    """
    seated: list[e.TablePaired] = []
    byes: list[e.Sitting] = []
    notes: list[dict[str, str | int | list[str]]] = []
    told: list[Pairing] = []
    idle: set[str] = set()
    for group in range(len(stage.groups)):
        if stage.system == "round_robin" and round_ > _scheduled(stage, group):
            idle.update(stage.groups[group])
            continue
        made = _pair_group(state, stage, round_, group)
        told.append(made)
        shift = max((one.table for one in seated), default=0) if len(stage.groups) > 1 else 0
        seated += [e.TablePaired(one.number + shift, str(uuid4()), [*one.seats], group, "") for one in made.tables]
        byes += [sitting(stage, one.entrant, one.kind) for one in made.byes]
        notes += [{"code": one.code, "entrants": [*one.entrants], **one.detail} for one in made.notes]
    placed = {person for one in seated for person in one.seats} | {one.person for one in byes} | idle
    # Who is free by the schedule has a round that counts as nothing, not an absence.
    placed |= {
        person
        for made in told
        for note in made.notes
        if note.code in ("free_round", "waits")
        for person in note.entrants
    }
    byes += [
        sitting(stage, person, Kind(stage.requests.get((person, round_), Kind.ABSENT)))
        for person in stage.entrants
        if person not in placed and stage.system != "elimination"
    ]
    byes = _half_once(stage, byes)
    first = told[0]
    return e.RoundPaired(
        stage.number, round_, sorted(seated, key=lambda one: one.table), byes, first.engine, first.version,
        first.input_digest if len(told) == 1 else _joined(told), notes,
    )  # fmt: skip


OF_THE_PAIRING = frozenset({"rematch", "second_bye", "kept_apart", "table_again", "fixed_table"})
"""Notes that a swap or a move may change: they are made anew from how the round stands."""


def notes_of(state: State, stage: Stage, round_: Round) -> list[dict[str, str | int | list[str]]]:
    """Return what an organizer should see of a round as it stands now, after swaps and moves: nothing of it is forbidden."""
    field = field_of(state, stage, through=round_.number - 1)
    met: dict[frozenset[str], int] = {}
    had: set[tuple[str, int]] = set()
    byes: dict[str, int] = {}
    for row in field.rows:
        if row.facts.encounter:
            for other in row.opponents:
                pair_ = frozenset((row.entrant, other))
                met[pair_] = met.get(pair_, 0) + 1
        if row.table is not None:
            had.add((row.entrant, row.table))
        if row.kind in NO_BYE_AFTER:
            byes[row.entrant] = byes.get(row.entrant, 0) + 1
    group = {one.id: one.group for one in field.entrants}
    fixed = {one.id: one.table for one in field.entrants if one.table is not None}
    made: list[dict[str, str | int | list[str]]] = []
    for table in round_.tables.values():
        for at, one in enumerate(table.seats):
            for other in table.seats[at + 1 :]:
                times = met.get(frozenset((one, other)), 0) // 2
                if times and stage.system in ("swiss", "pods"):
                    made.append({"code": "rematch", "entrants": [one, other], "times": times})
                if group.get(one) and group.get(one) == group.get(other):
                    made.append({"code": "kept_apart", "entrants": [one, other]})
        again = [one for one in table.seats if (one, table.number) in had and one not in fixed]
        if again and stage.settings.repeats and stage.system in ("swiss", "pods"):
            made.append({"code": "table_again", "entrants": again, "table": table.number})
        elsewhere = [one for one in table.seats if fixed.get(one, table.number) != table.number]
        if elsewhere:
            made.append({"code": "fixed_table", "entrants": elsewhere, "table": table.number})
    made += [
        {"code": "second_bye", "entrants": [one]}
        for one, sits in round_.byes.items()
        if Kind(sits.kind) in (Kind.ALLOCATED_BYE, Kind.POD_BYE) and byes.get(one)
    ]
    return made + [one for one in round_.notes if one["code"] not in OF_THE_PAIRING]


def outlook(state: State, stage: Stage) -> list[Note]:
    """Return what the rounds that are left must bring, of formats that choose their pairings; before the start for whoever would play."""
    settings = stage.settings
    if settings.format not in ("swiss", "dutch", "pods"):
        return []
    if not stage.has_begun:
        there = any(one.checked_in for one in state.playing)
        playing = [one for one in state.playing if one.checked_in or not there]
        entrants = tuple(
            Entrant(one.person, at, rating=one.rating, table=one.table) for at, one in enumerate(playing, 1)
        )
        field, present = Field(entrants), [one.person for one in playing]
    else:
        field = field_of(state, stage)
        present = [
            person for group in range(len(stage.groups)) for person in present_of(stage, field.rounds + 1, group)
        ]
    seats = min(settings.pod_size, settings.filler) if settings.format == "pods" else 2
    return feasible.outlook(field, present=present, rounds_left=settings.rounds - field.rounds, seats=seats)


def sitting(stage: Stage, person: str, kind: Kind) -> e.Sitting:
    """Return somebody's round without a table, with what it gives."""
    return e.Sitting(person, kind, text_of(scoring_of(stage).bye(kind)))


def _half_once(stage: Stage, byes: list[e.Sitting]) -> list[e.Sitting]:
    """Return the byes, the first absence of each as half a win where the stage gives that once."""
    if stage.settings.absence != "half":
        return byes
    had = {
        person
        for round_ in stage.rounds.values()
        for person, one in round_.byes.items()
        if one.kind == Kind.ABSENT and Fraction(one.points) > 0
    }
    half = text_of(scoring_of(stage).bye(Kind.HALF_BYE))
    return [
        replace(one, points=half)
        if one.kind == Kind.ABSENT and one.person not in had and one.person not in stage.dropped
        else one
        for one in byes
    ]


def _joined(told: Iterable[Pairing]) -> str:
    return digest([one.input_digest for one in told])


def _scheduled(stage: Stage, group: int) -> int:
    return len(round_robin.schedule(len(stage.groups[group]), double=stage.settings.format == "double_round_robin"))


def _pair_group(state: State, stage: Stage, round_: int, group: int) -> Pairing:
    settings = stage.settings
    field = field_of(state, stage, group=group, through=round_ - 1)
    present: Collection[str] = present_of(stage, round_, group)
    seed = f"{field.seed}:{group}"
    match settings.format:
        case "swiss":
            return swiss.pair(field, round=round_, present=present, seed=seed, repeats_matter=settings.repeats)
        case "dutch":
            return dutch.pair(field, round=round_, present=present, seed=seed, repeats_matter=settings.repeats)
        case "pods":
            made = pods.pair(
                field, round=round_, present=present, preferred=settings.pod_size, filler=settings.filler, seed=seed
            )
            placed, wishes = tables.assign(
                field, [one.seats for one in made.tables], repeats_matter=settings.repeats and round_ > 1
            )
            return replace(made, tables=tuple(placed), notes=(*made.notes, *wishes))
        case "round_robin" | "double_round_robin":
            return round_robin.pair(
                field, round=round_, present=present, double=settings.format == "double_round_robin", seed=seed
            )
        case "single_elimination" | "double_elimination" | "pod_elimination":
            return elimination.pair(
                field, round=round_, present=present, seed=seed, kind=kind_of(stage), options=options_of(stage)
            )


def kind_of(stage: Stage) -> elimination.Format:
    """Return which kind of bracket an elimination has."""
    kinds: dict[str, elimination.Format] = {
        "single_elimination": "single", "double_elimination": "double", "pod_elimination": "pods",
    }  # fmt: skip
    return kinds[stage.settings.format]


def options_of(stage: Stage) -> elimination.Options:
    """Return how the bracket of an elimination is played."""
    settings = stage.settings
    return elimination.Options(
        third_place=settings.third_place, final=settings.final, seats=settings.pod_size, draws="replay"
    )


def bracket_of(state: State, stage: Stage, *, live: reducer.Live | None = None) -> elimination.State:
    """Return how far an elimination is played."""
    field = field_of(state, stage, live=live)
    drawn = elimination.bracket(kind_of(stage), elimination.in_seed_order(field.entrants), options_of(stage))
    out = {person for person, first in stage.dropped.items() if first <= field.rounds} | field.disqualified
    return drawn.after(elimination.results(drawn, field), out=out)


def seeded(entries: Collection[reducer.Entry], seeding: str, seed: str) -> list[reducer.Entry]:
    """Return entries in the order of their seeds: by rating (equal ones and those without by lot), as they came, or by lot.

    :raises ValueError: for a seeding that is not known
    """
    lots = {one.person: lot(seed, "seed", one.person) for one in entries}
    match seeding:
        case "rating":
            return sorted(entries, key=lambda one: (-one.rating, lots[one.person]))
        case "registered":
            return sorted(entries, key=lambda one: one.seq)
        case "lot":
            return sorted(entries, key=lambda one: lots[one.person])
    raise ValueError(f"no seeding {seeding!r}; there are rating, registered, lot")
