from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import asdict

from rulesengine.kingsquare.figures import ABSENT, FIGURES, KS_V1, KS_V5, LADDERS, Rung
from rulesengine.kingsquare.options import FIGURES as KEYS
from rulesengine.kingsquare.options import shown
from rulesengine.kingsquare.rulings import RULINGS

TABLE: dict[str, tuple[Any, ...]] = {
    "actions.repair": ("no", "no", "no", "no", "yes"),
    "ap.base": (2, 2, 2, 2, 2),
    "ap.embassy_cap": (0, 0, 0, 0, 5),
    "ap.embassy_counted": ("highest", "highest", "highest", "highest", "sum"),
    "army.chip_strength": (10, 10, 10, 10, 1),
    "forge.combat_cap": (10, 5, 5, 5, 5),
    "forge.max_per_castle": (1, 1, 1, 2, 2),
    "fabric.enabled": ("no", "no", "yes", "yes", "yes"),
    "order.mode": ("none", "forge_only", "forge_only", "full", "full"),
    "ladder": ("early", "early", "early", "present", "present"),
    "king.start_level": ("recorded", "recorded", "recorded", "recorded", "one"),
    "general.kind": ("piece", "piece", "piece", "piece", "person"),
    "slots.enabled": ("no", "no", "no", "no", "yes"),
    "institutions.single": ("embassy", "embassy", "embassy", "embassy", "castle"),
    "districts.enabled": ("no", "no", "no", "no", "yes"),
    "road.bonus": (0, 0, 0, 0, "1/2"),
    "sortie.cost": (2, 2, 2, 2, 2),
    "defender.return": ("1/2", "1/2", "1/2", "1/2", "1/2"),
}
EDITIONS = list(FIGURES)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("key", TABLE)
def test_each_edition_has_the_figures_of_its_column(edition: str, key: str) -> None:
    assert shown(FIGURES[edition])[key] == TABLE[key][EDITIONS.index(edition)]


def test_every_figure_is_in_the_table() -> None:
    assert set(TABLE) == set(KEYS)
    assert {key.replace(".", "_") for key in TABLE} == set(KS_V1.__struct_fields__)


def test_an_edition_differs_by_what_its_rulings_say() -> None:
    days = {"KS-V2": "2026-07-02", "KS-V3": "2026-07-04", "KS-V4": "2026-07-10", "KS-V5": "2026-07-12"}
    for before, edition in pairwise(EDITIONS):
        old, new = asdict(FIGURES[before]), asdict(FIGURES[edition])
        changed = {key for key in TABLE if old[key.replace(".", "_")] != new[key.replace(".", "_")]}
        said = {key for one in RULINGS if str(one.applied) == days[edition] for key in one.figures}
        assert changed == said, edition


def test_the_early_ladder_has_its_rungs() -> None:
    ladder = LADDERS["early"]
    assert ladder["bridge"] == Rung("quarry", 2)
    assert ladder["hangar"] == Rung("lumber_mill", 5)
    assert ladder["plane"] == Rung("quarry", 5)
    assert ladder["ship"] == Rung("lumber_mill", 2)
    assert ladder["war_forge"] == Rung("quarry", 2)
    assert not {"quarry", "religion", "farm", "lumber_mill", "road"} & set(ladder)
    assert "improved_road" in ABSENT["early"]


def test_the_present_ladder_has_its_rungs() -> None:
    by_branch: dict[str, dict[int, set[str]]] = {"lumber_mill": {}, "quarry": {}}
    for kind, rung in LADDERS["present"].items():
        by_branch[rung.branch].setdefault(rung.level, set()).add(kind)
    assert by_branch["lumber_mill"] == {
        1: {"quarry", "barracks"},
        3: {"harbor"},
        4: {"embassy"},
        5: {"master_craftsmanship"},
    }
    assert by_branch["quarry"] == {
        1: {"wall", "bridge", "improved_road"},
        2: {"war_forge"},
        3: {"religion", "university"},
        4: {"trainyard"},
        5: {"hangar"},
    }


def test_an_edition_names_a_ladder_that_there_is() -> None:
    assert {figures.ladder for figures in FIGURES.values()} == set(LADDERS) == set(ABSENT)
    assert (KS_V1.ladder, KS_V5.ladder) == ("early", "present")
