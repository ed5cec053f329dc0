"""The figures that differ between editions: one table of values for each, and the two ladders of unlocks.

Nothing else of the rules depends on the day. An edition says only what it changes against the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace


class Figures(Struct, frozen=True):
    """The values of an edition, which a header may override for one match with a reason; the early page's by default."""

    actions_repair: bool = False
    """Whether Repair is an action; without it only a Ruin is put up again, by Build."""
    ap_base: int = 2
    ap_embassy_cap: int = 0
    """The most Action Points that Embassies bring; 0 is no limit."""
    ap_embassy_counted: Literal["highest", "sum"] = "highest"
    army_chip_strength: int = 10
    """Soldiers for each chip."""
    forge_combat_cap: int = 10
    """The highest level a soldier may be produced with."""
    forge_max_per_castle: int = 1
    fabric_enabled: bool = False
    order_mode: Literal["none", "forge_only", "full"] = "none"
    """What caps levels: nothing below 10, the Castle its War Forges alone, or King ≥ Castle ≥ Farm ≥ all others."""
    ladder: Literal["early", "present"] = "early"
    king_start_level: Literal["recorded", "one"] = "recorded"
    general_kind: Literal["piece", "person"] = "piece"
    slots_enabled: bool = False
    institutions_single: Literal["embassy", "castle"] = "embassy"
    """What is single: the Embassy of a Kingdom, or Farm, University, Embassy and Religion of each Castle."""
    districts_enabled: bool = False
    road_bonus: bool = False
    """Whether a road gives half as far again."""
    sortie_cost: int = 2
    defender_return: Literal["1/2"] = "1/2"
    """The part of the defenders' power that is returned."""


KS_V1 = Figures()
KS_V2 = replace(KS_V1, forge_combat_cap=5, order_mode="forge_only")
KS_V3 = replace(KS_V2, fabric_enabled=True)
KS_V4 = replace(KS_V3, forge_max_per_castle=2, order_mode="full", ladder="present")
KS_V5 = replace(
    KS_V4,
    actions_repair=True,
    ap_embassy_cap=5,
    ap_embassy_counted="sum",
    army_chip_strength=1,
    king_start_level="one",
    general_kind="person",
    slots_enabled=True,
    institutions_single="castle",
    districts_enabled=True,
    road_bonus=True,
)

FIGURES: Mapping[str, Figures] = {"KS-V1": KS_V1, "KS-V2": KS_V2, "KS-V3": KS_V3, "KS-V4": KS_V4, "KS-V5": KS_V5}
"""The figures of each edition by its key, the oldest first."""


BRANCHES: tuple[Literal["lumber_mill", "quarry"], ...] = ("lumber_mill", "quarry")


class Rung(Struct, frozen=True):
    """What opens a kind of building, link, unit or technology: a building of the branch with this level."""

    branch: Literal["lumber_mill", "quarry"]
    level: int


LADDERS: Mapping[str, Mapping[str, Rung]] = {
    "early": {
        "barracks": Rung("lumber_mill", 1),
        "ship": Rung("lumber_mill", 2),
        "harbor": Rung("lumber_mill", 3),
        "embassy": Rung("lumber_mill", 4),
        "hangar": Rung("lumber_mill", 5),
        "wall": Rung("quarry", 1),
        "bridge": Rung("quarry", 2),
        "war_forge": Rung("quarry", 2),
        "university": Rung("quarry", 3),
        "trainyard": Rung("quarry", 4),
        "plane": Rung("quarry", 5),
    },
    "present": {
        "quarry": Rung("lumber_mill", 1),
        "barracks": Rung("lumber_mill", 1),
        "harbor": Rung("lumber_mill", 3),
        "embassy": Rung("lumber_mill", 4),
        "master_craftsmanship": Rung("lumber_mill", 5),
        "wall": Rung("quarry", 1),
        "bridge": Rung("quarry", 1),
        "improved_road": Rung("quarry", 1),
        "war_forge": Rung("quarry", 2),
        "religion": Rung("quarry", 3),
        "university": Rung("quarry", 3),
        "trainyard": Rung("quarry", 4),
        "hangar": Rung("quarry", 5),
    },
}
"""What each kind needs, by ladder and kind; a kind that is not named needs nothing. `university` follows the option
`university.unlock` under the present ladder (KSH-44); War Forge and ship of the early ladder are KSH-86."""


def ladder_table(figures: Figures) -> list[dict[str, object]]:
    """Return the ladder of an edition as the Codex shows it: a row for each level with what either branch opens there."""
    rungs = LADDERS[figures.ladder]
    return [
        {"level": level}
        | {
            branch: [kind.replace("_", " ") for kind, rung in rungs.items() if rung == Rung(branch, level)]
            for branch in BRANCHES
        }
        for level in range(1, 6)
    ]


ABSENT: Mapping[str, frozenset[str]] = {
    "early": frozenset({"improved_road", "master_craftsmanship"}),
    "present": frozenset(),
}
"""Kinds that a ladder does not know at all."""
