"""Positions made by hand for the tests of the picture: rich in everything that can be drawn, with positions recorded or without."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rulesengine.kingsquare.figures import FIGURES
from rulesengine.kingsquare.options import Options
from rulesengine.kingsquare.state import (
    OFFICIAL,
    Alliance,
    Army,
    Beast,
    Building,
    Castle,
    GeneralPiece,
    King,
    Kingdom,
    Link,
    Place,
    Plane,
    Resources,
    Setup,
    Ship,
    Site,
    State,
    Terrain,
    Works,
)

SEATS = "ABCDEFGH"
KINDS = (
    "lumber_mill",
    "quarry",
    "barracks",
    "barracks",
    "university",
    "embassy",
    "religion",
    "war_forge",
    "harbor",
    "hangar",
)


def inside(castle: str) -> Place:
    """Return the place in a Territory."""
    return Place(castle=castle)


def field(label: str, x: int | None = None, y: int | None = None) -> Place:
    """Return a field, with its position in tenths of a foot where it is known."""
    return Place(field=label, x_ft10=x, y_ft10=y)


def setup(seats: int = 2, edition: str = "KS-V5", **options: Any) -> Setup:
    """Return the set-up of a match of so many Kingdoms."""
    letters = tuple(SEATS[:seats])
    return Setup(
        seats=letters,
        edition=edition,
        figures=FIGURES[edition],
        options=replace(Options(), **options),
        king_levels=dict.fromkeys(letters, 1),
        generals=dict.fromkeys(letters),
        kings={seat: f"player {seat}" for seat in letters},
    )


def made(
    one: Setup,
    castles: dict[str, Castle],
    buildings: dict[str, Building],
    links: dict[str, Link] | None = None,
    **more: Any,
) -> State:
    """Return a running match with these works."""
    kingdoms = {
        seat: Kingdom(king=King(at=next((inside(id_) for id_, each in castles.items() if each.kingdom == seat), None)))
        for seat in one.seats
    }
    works = Works(one, castles, buildings, links or {})
    given = {"kingdoms": kingdoms, "status": "running", "phase": "act", "turn_kingdom": "A", "round": 3, **more}
    return State(setup=one, works=works, turn_order=one.seats, **given)


def plain(seats: int, castles: int = 1, buildings: int = 3, scaled: bool = False, **options: Any) -> State:
    """Return a match of so many Kingdoms with so many Castles each."""
    held: dict[str, Castle] = {}
    built: dict[str, Building] = {}
    armies: dict[str, Army] = {}
    for number, seat in enumerate(SEATS[:seats]):
        for at in range(castles):
            id_ = f"C{seat}{at}"
            where = (
                field(f"seat {seat}{at}", 40 + 130 * (number % 3) + 45 * at, 40 + 120 * (number // 3))
                if scaled
                else None
            )
            held[id_] = Castle(seat, seat, level=min(10, 1 + at + number), is_capital=at == 0, at=where)
            built[f"{id_}-farm"] = Building("farm", id_, 1, direct=True)
            for kind in range(buildings - 1):
                built[f"{id_}-b{kind}"] = Building(KINDS[kind % len(KINDS)], id_, 1 + kind % 4, direct=kind % 2 == 0)
        armies[f"a{seat}"] = Army(seat, {0: 3 + number, 2: 4}, inside(f"C{seat}0"))
    return made(setup(seats, **options), held, built, armies=armies)


def rich(scaled: bool = False) -> State:
    """Return a match of three Kingdoms and a fourth that is out, with one of everything that can stand on the table."""
    spots = {"north": (60, 45), "south": (60, 330), "east": (330, 190), "west": (300, 40), "far": (395, 330)}

    def founded(label: str) -> Place | None:
        return field(label, *spots[label]) if scaled else None

    castles = {
        "C1": Castle("A", "A", "Highgate", 10, True, "military", at=founded("north"), damage=35, founded_seq=1),
        "D1": Castle("A", "A", None, 2, parent_castle="C1", district_kind="Harbor", at=inside("C1"), founded_seq=30),
        "D2": Castle("A", "A", "Scholars’ Hill", 1, parent_castle="C1", district_kind="University", at=inside("C1")),
        "C2": Castle("B", "B", None, 5, True, at=founded("south"), founded_seq=2),
        "C3": Castle("C", "C", "Salt Marsh Keep", 4, True, "industrial", at=founded("east"), founded_seq=3),
        "C4": Castle("C", "C", None, 1, damage=10, at=founded("far"), founded_seq=40),
        "C5": Castle(OFFICIAL, "D", "Old Tower", 3, at=founded("west"), founded_seq=4),
    }
    buildings = {
        "C1-farm": Building("farm", "C1", 10, direct=True),
        "m1": Building("lumber_mill", "C1", 5, direct=True),
        "q1": Building("quarry", "C1", 5),
        "b1": Building("barracks", "C1", 4, damage=25),
        "b2": Building("barracks", "C1", 2, damage=20, direct=True),
        "u1": Building("university", "C1", 1, direct=True),
        "e1": Building("embassy", "C1", 3, direct=True),
        "r1": Building("religion", "C1", 2, direct=True),
        "f1": Building("war_forge", "C1", 7, direct=True),
        "h1": Building("hangar", "C1", 2, direct=True),
        "t1": Building("trainyard", "C1", 1, direct=True),
        "w1": Building("wall", "C1", 2, direct=True),
        "D1-farm": Building("farm", "D1", 1, direct=True),
        "p1": Building("harbor", "D1", 1, direct=True),
        "D2-farm": Building("farm", "D2", 1, direct=True),
        "C2-farm": Building("farm", "C2", 3, direct=True),
        "b3": Building("barracks", "C2", 3, direct=True),
        "e2": Building("embassy", "C2", 1),
        "C3-farm": Building("farm", "C3", 3, direct=True),
        "t2": Building("trainyard", "C3", 1, direct=True),
        "C4-farm": Building("farm", "C4", 1, direct=True),
        "C5-farm": Building("farm", "C5", 2, direct=True),
    }
    links = {
        "k1": Link("A", "road", "b1", "fork", 10),
        "k2": Link("A", "road", "fork", "C1", 12),
        "k3": Link("A", "improved_road", "C1", "D1", 60),
        "k4": Link("B", "road", "e2", "C2", 14, cut=True),
        "k5": Link("A", "bridge", "C1", "C2", 280),
        "k6": Link("A", "rail", "t1", "t2", 300, cut=True),
        "k7": Link("A", "rail", "t1", "t2", 310),
    }
    kingdoms = {
        "A": Kingdom(
            general_person="gil", resources=Resources(3, 2, 9), beasts_defeated=("x0",), king=King(12, inside("C1"), moved=True)
        ),
        "B": Kingdom(king=King(5, field("ford", 150, 300) if scaled else field("ford")), general_piece=GeneralPiece(2, inside("C2"))),
        "C": Kingdom(king=King(4, inside("C3"))),
        "D": Kingdom(status="eliminated", eliminated_seq=55, eliminated_cause="king_defeated", king=King(3, None, alive=False)),
    }  # fmt: skip
    return made(
        setup(4),
        castles,
        buildings,
        links,
        kingdoms=kingdoms,
        ap_total=5,
        ap_spent=2,
        produced=frozenset({"b1"}),
        pressed=frozenset({"A/C3/infrastructure", "A/C3/military", "B/C1/infrastructure"}),
        armies={
            "a1": Army("A", {0: 12, 5: 36}, inside("C3"), buffs=("x0",), moved=True),
            "a2": Army("A", {1: 4}, inside("C1")),
            "a3": Army("B", {0: 7, 1: 4, 3: 6}, field("ford")),
            "a4": Army("C", {2: 150}, inside("C3")),
        },
        ships={"s1": Ship("A", "p1", inside("D1"), damage=4, cargo={1: 6}), "s2": Ship("A", "p1", field("bay"))},
        planes={"l1": Plane("A", "h1", inside("C1"), damage=2)},
        beasts={
            "x0": Beast("dangerous", None, 0, 10, 0, 10, field("ford"), status="defeated", defeated_by="A"),
            "x1": Beast("epic", "Basilisk", 42, 30, 10, 20, field("moor", 210, 110) if scaled else field("moor")),
            "x2": Beast("legendary", "The Sleeper", 150, 80, 25, 40, field("cave"), hidden=True),
        },
        sites={
            "y1": Site(field("hill"), "landmark", hidden=False, found_by="A"),
            "y2": Site(field("cave"), "beast"),
        },
        terrain={"g1": Terrain("water", "bay"), "g2": Terrain("impassable", "cliffs")},
        alliances={
            "al1": Alliance(("A", "B"), "active", 20),
            "al2": Alliance(("B", "C"), "proposed"),
            "al3": Alliance(("A", "C"), "ended", 5, 9, "C"),
        },
    )
