"""What follows by the rules (4.8 of the rule page): computed on every replay, never recorded."""

from __future__ import annotations

from typing import Any

from rulesengine.game import Consequence

ORDER = (
    "ap_granted",
    "technology_unlocked",
    "structure_damaged",
    "structure_ruined",
    "link_cut",
    "building_isolated",
    "building_reconnected",
    "soldiers_lost",
    "army_destroyed",
    "ship_sunk",
    "plane_lost",
    "step_pressed",
    "king_defeated",
    "beast_defeated",
    "buff_gained",
    "capital_moved",
    "kingdom_eliminated",
    "forces_disbanded",
    "round_limit_reached",
    "last_kingdom_standing",
    "king_levels_reset",
)
"""The consequences of one event in the order in which they are told."""
TYPES = frozenset(ORDER)
_RANK = {type_: rank for rank, type_ in enumerate(ORDER)}


class Told:
    """What a step has to tell besides the new state: consequences, and the event's own computed figures."""

    __slots__ = ("computed", "consequences")

    def __init__(self) -> None:
        self.consequences: list[Consequence] = []
        self.computed: dict[str, Any] | None = None

    def add(self, type_: str, id_: str | None, **more: Any) -> None:
        """Tell a consequence of `type_` about the thing named `id_`."""
        self.consequences.append(Consequence(type_, {"id": id_, **more}))

    def in_order(self) -> tuple[Consequence, ...]:
        """Return what was told in the order of the page's table."""
        if len(self.consequences) > 1:
            self.consequences.sort(key=lambda one: _RANK[one.type])
        return tuple(self.consequences)
