"""The state of a match, and the set-up it was played under, which never changes.

A state is frozen and its mappings are copied before they change, so a state handed out stays as it was. The view of a
state is the plain form on which reports and tests look: part 3 of the rule page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from rulesengine.kingsburg.scoring import placements
from rulesengine.kingsburg.tables import BUILDING, CARDS, CHOOSING, PEEKING, YEARS

Step = Literal[
    "aid", "block", "roll", "influence", "help", "build", "season_end", "recruit", "battle", "battle_choices", "over"
]
Phase = Literal["kings_aid", "spring", "summer", "autumn", "recruit", "winter"]
MARKS = ("statue", "chapel", "market", "plus_two", "town_hall", "stable", "envoy_build")
"""What `used` can hold: what a player has used this season."""
NOTHING_USED: frozenset[str] = frozenset()


class Options(Struct, frozen=True, gc=False):
    """The set-up parameters with their defaults."""

    plus_two_limit: str = "per_season"
    market_with_plus_two: bool = True
    envoy_on_own_advisor: bool = True
    envoy_overrides_block: bool = True
    two_player_block: str = "recorded"
    help_may_be_declined: bool = True
    stable_limit: str = "once_per_season"
    reward_at_zero_buildings: bool = True
    supply_limited: bool = False
    building_token_limit: int | None = None
    building_loss_rule: str = "rightmost_then_topmost"
    vp_lost_with_building: bool = True
    strongest_bonus_ties: str = "all"
    enemy_table: str = "kb-enemies-a"
    enemy_custom_allowed: bool = True
    cathedral_spends_goods: bool = False
    final_tiebreak: tuple[str, ...] = ("goods", "buildings")


class Setup(Struct, frozen=True, gc=False):
    """What a match is played under: rules, options, the letters in the order of the header."""

    ruleset: str
    options: Options
    seats: tuple[str, ...]


class Peek(Struct, frozen=True, gc=False):
    """A look at the enemy card: when it was taken."""

    year: int
    season: str


class Standing(Struct, frozen=True, gc=False):
    """A seat at an advisor; `order` counts through the season."""

    seat: str
    order: int


class Pending(Struct, frozen=True, gc=False):
    """A decision that is awaited: of `kind` aid_good, help (of `advisor`), victory_good, loss (of `goods` goods), building_loss."""

    seat: str
    kind: str
    advisor: int | None = None
    goods: int | None = None


class Player(Struct, frozen=True, gc=False):
    """What a seat has. Dice are those not yet committed this season, ascending; buildings are in the order of the table."""

    vp: int = 0
    gold: int = 0
    wood: int = 0
    stone: int = 0
    plus_two: int = 0
    soldiers: int = 0
    buildings: tuple[str, ...] = ()
    coloured: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    rolled: bool = False
    passed: bool = False
    built: int = 0
    resigned: bool = False
    used: frozenset[str] = NOTHING_USED
    """Which of :data:`MARKS` are set."""
    peeks: tuple[Peek, ...] = ()
    looks: int = 0
    """Looks at the enemy card that are due (KB-56); not in the view."""

    @property
    def goods(self) -> int:
        """Return how many goods the seat owns: tokens and soldiers are none (KB-24)."""
        return self.gold + self.wood + self.stone


class State(Struct, frozen=True, gc=False):
    """A position. What stands behind `placements` is known to the match and not part of its view."""

    setup: Setup
    players: dict[str, Player]
    """By letter, in the order of the header."""
    turn_order: tuple[str, ...]
    year: int = 1
    phase: Phase = "kings_aid"
    step: Step = "aid"
    turn_index: int | None = None
    envoy_holder: str | None = None
    aid_die_holder: str | None = None
    deck_prepared: bool = False
    blocked: tuple[int, ...] = ()
    influence: dict[int, tuple[Standing, ...]] = {}
    help_pointer: int = 0
    help_index: int = 0
    """Which of those who stand at the advisor is awaited."""
    reinforcement: int | None = None
    enemy: str | dict[str, Any] | None = None
    """The id of a card of the table, or the recorded card."""
    enemies_seen: tuple[str | dict[str, Any], ...] = ()
    pending: tuple[Pending, ...] = ()
    finished: bool = False
    void: bool = False
    """Whether the match counts for nothing (KB-146)."""
    drawn: bool = False
    """Whether all who still played share the first place (KB-141)."""
    resigned: tuple[str, ...] = ()
    """Who resigned, the first one first."""
    cathedral: dict[str, int] = {}
    """What a Cathedral gave at the end (KB-95), where it gave something."""
    begun: bool = False
    """Whether something was played, so that the match can no longer start (KB-09)."""
    dice_seen: bool = False
    """Whether dice were rolled in this match (KB-04)."""

    @property
    def on_turn(self) -> str | None:
        """Return the seat on turn in the steps that have one."""
        return None if self.turn_index is None else self.turn_order[self.turn_index]


def card(enemy: str | dict[str, Any]) -> dict[str, Any]:
    """Return the values of an enemy card, given as a state holds it."""
    return CARDS[enemy] if isinstance(enemy, str) else enemy


def in_table_order(buildings: Any) -> tuple[str, ...]:
    """Return keys of buildings in the order of the table."""
    return tuple(sorted(buildings, key=lambda key: BUILDING[key].order))


# View -----------------------------------------------------------------------------------------------------------------


def view(state: State) -> dict[str, Any]:
    """Return the state as plain JSON values, with exactly the keys of the rule page."""
    options = asdict(state.setup.options)
    options["final_tiebreak"] = list(options["final_tiebreak"])
    placed = placements(state)
    return {
        "ruleset": state.setup.ruleset,
        "options": options,
        "seats": list(state.setup.seats),
        "year": state.year,
        "phase": state.phase,
        "step": state.step,
        "turn_order": list(state.turn_order),
        "turn_index": state.turn_index,
        "envoy_holder": state.envoy_holder,
        "aid_die_holder": state.aid_die_holder,
        "deck_prepared": state.deck_prepared,
        "blocked": list(state.blocked),
        "influence": {
            str(advisor): [{"seat": one.seat, "order": one.order} for one in standing]
            for advisor, standing in state.influence.items()
        },
        "help_pointer": state.help_pointer,
        "reinforcement": state.reinforcement,
        "enemy": state.enemy,
        "enemies_seen": list(state.enemies_seen),
        "pending": [_pending(one) for one in state.pending],
        "players": {seat: _player(player) for seat, player in state.players.items()},
        "finished": state.finished,
        "placements": None if placed is None else [{"seat": seat, "place": place} for seat, place in placed],
    }


def _pending(one: Pending) -> dict[str, Any]:
    shown: dict[str, Any] = {"seat": one.seat, "kind": one.kind}
    if one.advisor is not None:
        shown["advisor"] = one.advisor
    if one.goods is not None:
        shown["goods"] = one.goods
    return shown


def _player(player: Player) -> dict[str, Any]:
    return {
        "vp": player.vp,
        "gold": player.gold,
        "wood": player.wood,
        "stone": player.stone,
        "plus_two": player.plus_two,
        "soldiers": player.soldiers,
        "buildings": list(player.buildings),
        "dice": {"coloured": list(player.coloured), "white": list(player.white)},
        "rolled": player.rolled,
        "passed": player.passed,
        "built": player.built,
        "resigned": player.resigned,
        "used": {mark: mark in player.used for mark in MARKS},
        "peeks": [{"year": one.year, "season": one.season} for one in player.peeks],
    }


# Back from a view -----------------------------------------------------------------------------------------------------


class _Dice(Struct, frozen=True, forbid_unknown_fields=True):
    coloured: tuple[int, ...]
    white: tuple[int, ...]


class _Used(Struct, frozen=True, forbid_unknown_fields=True):
    statue: bool
    chapel: bool
    market: bool
    plus_two: bool
    town_hall: bool
    stable: bool
    envoy_build: bool


class _Player(Struct, frozen=True, forbid_unknown_fields=True):
    vp: int
    gold: int
    wood: int
    stone: int
    plus_two: int
    soldiers: int
    buildings: tuple[str, ...]
    dice: _Dice
    rolled: bool
    passed: bool
    built: int
    resigned: bool
    used: _Used
    peeks: tuple[Peek, ...]


class _Place(Struct, frozen=True, forbid_unknown_fields=True):
    seat: str
    place: int


class _View(Struct, frozen=True, forbid_unknown_fields=True):
    ruleset: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    year: int
    phase: Phase
    step: Step
    turn_order: tuple[str, ...]
    turn_index: int | None
    envoy_holder: str | None
    aid_die_holder: str | None
    deck_prepared: bool
    blocked: tuple[int, ...]
    influence: dict[int, tuple[Standing, ...]]
    help_pointer: int
    reinforcement: int | None
    enemy: str | dict[str, Any] | None
    enemies_seen: tuple[str | dict[str, Any], ...]
    pending: tuple[Pending, ...]
    players: dict[str, _Player]
    finished: bool
    placements: tuple[_Place, ...] | None


def load(setup: Setup, plain: Mapping[str, Any]) -> State:
    """Return the state that a view showed. What a view does not show is worked out as far as it can be.

    Where a seat stands twice at the advisor who is awaited, its first place is taken to be meant: no key of the page tells which.

    :raises ValueError: if the view is none of a state of this match
    """
    try:
        # Keys of objects are text in a view; numbers are read from them here only.
        shown = msgspec.json.decode(msgspec.json.encode(plain), type=_View)
    except (msgspec.MsgspecError, TypeError) as error:
        raise ValueError(f"this is no state of Kingsburg: {error}") from error
    if shown.seats != setup.seats or shown.players.keys() != set(setup.seats):
        raise ValueError(f"the state has the seats {', '.join(shown.seats)}; the match has {', '.join(setup.seats)}")
    unknown = [key for one in shown.players.values() for key in one.buildings if key not in BUILDING]
    if unknown:
        raise ValueError(f"there is no building {unknown[0]!r}")
    if sorted(shown.turn_order) != sorted(setup.seats):
        raise ValueError(f"the turn order {', '.join(shown.turn_order)} does not name each seat once")
    if isinstance(shown.enemy, str) and shown.enemy not in CARDS:
        raise ValueError(f"there is no enemy {shown.enemy!r}")
    players = {seat: _loaded(shown, seat) for seat in setup.seats}
    here = next((one for one in shown.pending if one.kind == "help"), None)
    at = shown.influence.get(shown.help_pointer, ())
    gone = [one for one in setup.seats if players[one].resigned]
    if shown.placements is not None:  # the first to resign is the last
        last = {one.seat: one.place for one in shown.placements}
        gone.sort(key=lambda seat: -last.get(seat, 0))
    state = State(
        setup=setup,
        players=players,
        turn_order=shown.turn_order,
        year=shown.year,
        phase=shown.phase,
        step=shown.step,
        turn_index=shown.turn_index,
        envoy_holder=shown.envoy_holder,
        aid_die_holder=shown.aid_die_holder,
        deck_prepared=shown.deck_prepared,
        blocked=shown.blocked,
        influence=shown.influence,
        help_pointer=shown.help_pointer,
        help_index=next((at.index(one) for one in at if here is not None and one.seat == here.seat), 0),
        reinforcement=shown.reinforcement,
        enemy=shown.enemy,
        enemies_seen=shown.enemies_seen,
        pending=shown.pending,
        finished=shown.finished,
        void=shown.finished and shown.placements is None,
        resigned=tuple(gone),
        cathedral=_cathedrals(setup, shown, players),
        begun=shown.step != "aid" or shown.year > 1 or len(shown.pending) < len(setup.seats),
        dice_seen=shown.year > 1
        or shown.phase not in ("kings_aid", "spring")
        or shown.step not in ("aid", "block", "roll")
        or any(one.rolled for one in players.values()),
    )
    if shown.placements is None or placements(state) == tuple((one.seat, one.place) for one in shown.placements):
        return state
    return replace(state, drawn=True)


def _loaded(shown: _View, seat: str) -> Player:
    one = shown.players[seat]
    used = asdict(one.used)
    looks = 0
    if shown.step in ("help", "build", "season_end") and not one.resigned:
        given = sum(
            1 for advisor in PEEKING for at in shown.influence.get(advisor, ()) if _served(shown, advisor, at, seat)
        )
        looks = max(0, given - one.peeks.count(Peek(shown.year, shown.phase)))
    return Player(
        vp=one.vp,
        gold=one.gold,
        wood=one.wood,
        stone=one.stone,
        plus_two=one.plus_two,
        soldiers=one.soldiers,
        buildings=in_table_order(one.buildings),
        coloured=tuple(sorted(one.dice.coloured)),
        white=tuple(sorted(one.dice.white)),
        rolled=one.rolled,
        passed=one.passed,
        built=one.built,
        resigned=one.resigned,
        used=frozenset(mark for mark in MARKS if used[mark]),
        peeks=one.peeks,
        looks=looks,
    )


def _cathedrals(setup: Setup, shown: _View, players: dict[str, Player]) -> dict[str, int]:
    """Return what the Cathedrals gave at the end after five winters, as far as the goods that are left tell it."""
    if not shown.finished or len(shown.enemies_seen) < YEARS or setup.options.cathedral_spends_goods:
        return {}
    owners = {seat: one for seat, one in players.items() if "cathedral" in one.buildings and not one.resigned}
    return {seat: one.goods // 2 for seat, one in owners.items() if one.goods > 1}


def _served(shown: _View, advisor: int, at: Standing, seat: str) -> bool:
    """Return whether an advisor has helped a seat that stands there."""
    if at.seat != seat:
        return False
    if shown.step != "help" or advisor < shown.help_pointer:
        return True
    if advisor > shown.help_pointer or advisor not in CHOOSING:
        return False
    standing = shown.influence[advisor]
    awaited = next((one.seat for one in shown.pending), None)
    first = next((index for index, one in enumerate(standing) if one.seat == awaited), 0)
    return standing.index(at) < first
