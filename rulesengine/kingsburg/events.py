"""What players decide and dice show: the recorded events of Kingsburg. Their names stand in the log for ever.

A key that may be left out is None then; ``null`` itself is a breach of form, as is any key that is not named here. The log
format's own events are here as far as this game's page says more exactly what they hold.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from rulesengine import shared
from rulesengine.game import Payload

ABSENT: Any = None
"""Stands for a key that was left out."""
MOST_CHOSEN = 1_000
"""So many goods at most may a card's victory leave to choice. The page knows no bound, but each is a decision of its own that every
state spells out."""

type Good = Literal["gold", "wood", "stone"]
type DieKind = Literal["coloured", "white"]
type EnemyKind = Literal["goblins", "orcs", "zombies", "demons", "barbarians", "dragons"]
type Count = Annotated[int, Meta(ge=0)]
type BuildingKey = Literal[
    "statue", "chapel", "church", "cathedral",
    "inn", "market", "farms", "merchants_guild",
    "guard_tower", "blacksmith", "barracks", "wizards_guild",
    "palisade", "stable", "stone_wall", "fortress",
    "barricade", "crane", "town_hall", "embassy",
]  # fmt: skip


class KingsburgPayload(Payload, frozen=True, kw_only=True):
    """The `data` of an event of this game."""

    observed: dict[str, Any] = ABSENT


class Goods(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """So many goods of each kind."""

    gold: Count = 0
    wood: Count = 0
    stone: Count = 0

    @property
    def total(self) -> int:
        """Return how many goods these are."""
        return self.gold + self.wood + self.stone


NO_GOODS = Goods()


class Die(Struct, frozen=True, forbid_unknown_fields=True):
    """One die as it lies."""

    kind: DieKind
    value: int


class Victory(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card gives the victorious, as printed; what is not printed is left out."""

    gold: Count = ABSENT
    wood: Count = ABSENT
    stone: Count = ABSENT
    vp: Count = ABSENT
    any: Annotated[int, Meta(ge=0, le=MOST_CHOSEN)] = ABSENT


class Defeat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card takes from the defeated, as printed; what is not printed is left out."""

    gold: Count = ABSENT
    wood: Count = ABSENT
    stone: Count = ABSENT
    vp: Count = ABSENT
    any: Count = ABSENT
    building: Count = ABSENT


class CustomEnemy(Struct, frozen=True, forbid_unknown_fields=True):
    """The printed values of a card that is not in the table."""

    kind: EnemyKind
    strength: Count
    victory: Victory
    defeat: Defeat

    def card(self) -> dict[str, Any]:
        """Return the card with exactly the keys that were recorded."""
        return {
            "kind": self.kind,
            "strength": self.strength,
            "victory": {key: value for key, value in asdict(self.victory).items() if value is not None},
            "defeat": {key: value for key, value in asdict(self.defeat).items() if value is not None},
        }


# Set-up and king's aid --------------------------------------------------------------------------------------------


class MatchStarted(KingsburgPayload, frozen=True):
    """Play begins, in this turn order if one is given."""

    TYPE: ClassVar[str] = "match_started"
    SEATED: ClassVar[bool] = False
    turn_order: tuple[str, ...] = ABSENT


class EnemyDeckPrepared(KingsburgPayload, frozen=True):
    """The deck of five unseen enemies lies ready."""

    TYPE: ClassVar[str] = "enemy_deck_prepared"
    SEATED: ClassVar[bool] = False


class AidGoodTaken(KingsburgPayload, frozen=True):
    """A player who was tied for the king's aid took a good."""

    TYPE: ClassVar[str] = "aid_good_taken"
    good: Good


# A productive season ----------------------------------------------------------------------------------------------


class AdvisorsBlocked(KingsburgPayload, frozen=True):
    """With two players: which advisors are blocked this season, and the dice that showed it."""

    TYPE: ClassVar[str] = "advisors_blocked"
    SEATED: ClassVar[bool] = False
    advisors: tuple[int, ...]
    dice: tuple[int, ...]


class DiceRolled(KingsburgPayload, frozen=True):
    """A player rolled."""

    TYPE: ClassVar[str] = "dice_rolled"
    coloured: tuple[int, ...]
    white: tuple[int, ...] = ()


class StatueRerolled(KingsburgPayload, frozen=True):
    """A player rolled one die again by the Statue: it shows `result` now."""

    TYPE: ClassVar[str] = "statue_rerolled"
    die: Die
    result: int


class ChapelRerolled(KingsburgPayload, frozen=True):
    """A player rolled all dice again by the Chapel."""

    TYPE: ClassVar[str] = "chapel_rerolled"
    coloured: tuple[int, ...]
    white: tuple[int, ...] = ()


class RollsClosed(KingsburgPayload, frozen=True):
    """All have rolled and are done with rolling again; a recorded turn order is compared with the computed one."""

    TYPE: ClassVar[str] = "rolls_closed"
    SEATED: ClassVar[bool] = False
    turn_order: tuple[str, ...] = ABSENT


class AdvisorInfluenced(KingsburgPayload, frozen=True):
    """A player committed dice to an advisor, perhaps with a +2 token, the Market's one more or less, or the envoy."""

    TYPE: ClassVar[str] = "advisor_influenced"
    advisor: int
    coloured: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    plus_two: bool = False
    market: int = 0
    envoy: bool = False


class InfluencePassed(KingsburgPayload, frozen=True):
    """A player influences nobody any more this season."""

    TYPE: ClassVar[str] = "influence_passed"


class HelpTaken(KingsburgPayload, frozen=True):
    """A player took an advisor's help where there is a choice, or declined it."""

    TYPE: ClassVar[str] = "help_taken"
    advisor: int
    alternative: int = ABSENT
    any: Goods = NO_GOODS
    declined: bool = False


class EnemyPeeked(KingsburgPayload, frozen=True):
    """A player looked at the enemy card of the year; what it showed is not recorded."""

    TYPE: ClassVar[str] = "enemy_peeked"


class BuildingBuilt(KingsburgPayload, frozen=True):
    """A player constructed a building, as the second of the season by the envoy."""

    TYPE: ClassVar[str] = "building_built"
    building: BuildingKey
    envoy: bool = False


class BuildPassed(KingsburgPayload, frozen=True):
    """A player constructs nothing (more) this season."""

    TYPE: ClassVar[str] = "build_passed"


class TownHallUsed(KingsburgPayload, frozen=True):
    """A player paid a good or a +2 token into the Town Hall."""

    TYPE: ClassVar[str] = "town_hall_used"
    pay: Literal["gold", "wood", "stone", "plus_two"]


class SeasonClosed(KingsburgPayload, frozen=True):
    """The season is over."""

    TYPE: ClassVar[str] = "season_closed"
    SEATED: ClassVar[bool] = False


# Recruiting and winter --------------------------------------------------------------------------------------------


class SoldiersRecruited(KingsburgPayload, frozen=True):
    """A player recruited soldiers for goods."""

    TYPE: ClassVar[str] = "soldiers_recruited"
    soldiers: int
    pay: Goods


class RecruitPassed(KingsburgPayload, frozen=True):
    """A player recruits nobody this year."""

    TYPE: ClassVar[str] = "recruit_passed"


class ReinforcementsRolled(KingsburgPayload, frozen=True):
    """The king's die: so many soldiers for everybody."""

    TYPE: ClassVar[str] = "reinforcements_rolled"
    SEATED: ClassVar[bool] = False
    value: int


class EnemyRevealed(KingsburgPayload, frozen=True):
    """The enemy card of the year: one of the table by its id, or another by its printed values."""

    TYPE: ClassVar[str] = "enemy_revealed"
    SEATED: ClassVar[bool] = False
    enemy: str = ABSENT
    custom: CustomEnemy = ABSENT

    def __post_init__(self) -> None:
        """See that there is one card.

        :raises ValueError: if there is none, or two
        """
        if (self.enemy is None) == (self.custom is None):
            raise ValueError('enemy_revealed needs exactly one of "enemy" (an id) and "custom" (the printed values)')


class VictoryGoodChosen(KingsburgPayload, frozen=True):
    """A victorious player chose one good of the reward."""

    TYPE: ClassVar[str] = "victory_good_chosen"
    good: Good


class LossChosen(KingsburgPayload, frozen=True):
    """A defeated player chose which goods are lost."""

    TYPE: ClassVar[str] = "loss_chosen"
    goods: Goods


class BuildingLossChosen(KingsburgPayload, frozen=True):
    """A defeated player chose which building is lost."""

    TYPE: ClassVar[str] = "building_loss_chosen"
    building: BuildingKey


# Events of the log format -----------------------------------------------------------------------------------------


class PlayerResigned(KingsburgPayload, frozen=True):
    """A player left the match."""

    TYPE: ClassVar[str] = "player_resigned"


class TimeCalled(KingsburgPayload, frozen=True):
    """The match ends here."""

    TYPE: ClassVar[str] = "time_called"
    SEATED: ClassVar[bool] = False


class DrawAgreed(KingsburgPayload, frozen=True):
    """All who still play share the first place."""

    TYPE: ClassVar[str] = "draw_agreed"
    SEATED: ClassVar[bool] = False
    seats: tuple[str, ...]


class MatchEnded(KingsburgPayload, frozen=True):
    """The match is over; placements, if given, are compared with the computed ones."""

    TYPE: ClassVar[str] = "match_ended"
    SEATED: ClassVar[bool] = False
    placements: tuple[shared.SeatPlace, ...] = ABSENT


class PlacementsConfirmed(KingsburgPayload, frozen=True):
    """The result is final."""

    TYPE: ClassVar[str] = "placements_confirmed"
    SEATED: ClassVar[bool] = False


class MatchAbandoned(KingsburgPayload, frozen=True):
    """The match is given up and counts for nothing."""

    TYPE: ClassVar[str] = "match_abandoned"
    SEATED: ClassVar[bool] = False
    reason: str = ABSENT


class MatchAnnulled(KingsburgPayload, frozen=True):
    """The match counts for nothing. After the confirmation of its placements it says who approved, as every correction does."""

    TYPE: ClassVar[str] = "match_annulled"
    SEATED: ClassVar[bool] = False
    reason: str = ABSENT
    approved_by: str = ABSENT


class StateAdjusted(KingsburgPayload, frozen=True):
    """A referee set one value of the state."""

    TYPE: ClassVar[str] = "state_adjusted"
    SEATED: ClassVar[bool] = False
    path: str
    old: Any
    new: Any
    reason: str = ABSENT
    approved_by: str = ABSENT


OWN: tuple[type[Payload], ...] = (
    MatchStarted,
    EnemyDeckPrepared,
    AidGoodTaken,
    AdvisorsBlocked,
    DiceRolled,
    StatueRerolled,
    ChapelRerolled,
    RollsClosed,
    AdvisorInfluenced,
    InfluencePassed,
    HelpTaken,
    EnemyPeeked,
    BuildingBuilt,
    BuildPassed,
    TownHallUsed,
    SeasonClosed,
    SoldiersRecruited,
    RecruitPassed,
    ReinforcementsRolled,
    EnemyRevealed,
    VictoryGoodChosen,
    LossChosen,
    BuildingLossChosen,
)
"""The game's own events."""

FORMAT: tuple[type[Payload], ...] = (
    PlayerResigned,
    TimeCalled,
    DrawAgreed,
    MatchEnded,
    PlacementsConfirmed,
    MatchAbandoned,
    MatchAnnulled,
    StateAdjusted,
)
"""Events of the log format whose `data` the game's page fixes."""
