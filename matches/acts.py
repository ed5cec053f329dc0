"""Which right each act needs, whoever's hand it comes from: a line of a file, the page of a match, the API."""

from __future__ import annotations

from collections.abc import Mapping

from people import rights
from people.models import Person
from rulesengine import registry
from rulesengine.log import Line

ACTIONS: Mapping[str, str] = {
    "event_voided": "correct",
    "event_amended": "correct",
    "state_adjusted": "correct",
    "result_overridden": "correct",
    "illegal_state_accepted": "accept_irregular",
    "ruling_given": "rule",
    "penalty_given": "penalize",
    "placements_confirmed": "confirm",
    "result_signed": "sign",
    "result_disputed": "sign",
    "match_annulled": "pair",
    "match_abandoned": "pair",
}
# What a line claims with `as`, where its type does not say more.
CLAIMS: Mapping[str, str] = {"referee": "correct", "mapmaster": "penalize", "organizer": "pair"}
# The same as (action, role) where a game's page gives an act to one more role.
ALSO: Mapping[tuple[str, str], str] = {("kingsquare", "match_abandoned"): "penalize"}
CORRECTIONS = frozenset(
    {"event_voided", "event_amended", "state_adjusted", "result_overridden", "illegal_state_accepted"}
)


def action_of(line: Line, game: str = "") -> str:
    """Return the action of :data:`people.rights.MATRIX` that a line is."""
    return ALSO.get((game, line.type)) or ACTIONS.get(line.type) or CLAIMS.get(line.acting_as or "", "record")


class Standing:
    """What somebody may do at one match: asked once, answered for many lines."""

    def __init__(
        self,
        person: Person | None,
        scopes: tuple[str, ...],
        *,
        seats: frozenset[str],
        friendly: bool,
        opened: bool,
        agreed: bool = False,
    ) -> None:
        self.person, self.scopes, self.seats, self.friendly = person, scopes, seats, friendly
        self.opened, self.agreed = opened, agreed
        self._known: dict[tuple[str, bool], str | None] = {}

    @property
    def sits(self) -> bool:
        """Return whether the person sits in the match."""
        return bool(self.seats)

    def role(self, action: str, *, all_signed: bool = False) -> str | None:
        """Return the role in which the person may do this here, None where they may not."""
        key = (action, all_signed)
        if key not in self._known:
            self._known[key] = rights.acting_role(
                self.person, action, self.scopes, sits=self.sits, friendly=self.friendly, opened=self.opened,
                agreed=self.agreed, all_signed=all_signed,
            )  # fmt: skip
        return self._known[key]

    def may(self, action: str) -> bool:
        """Return whether the person may do this here."""
        return self.role(action) is not None

    def may_write(self, line: Line, game: str) -> bool:
        """Return whether the person may write this line: the act itself, and what it claims with `as`."""
        action = action_of(line, game)
        if action == "sign":
            return self.may("sign") and line.seat in self.seats
        claim = CLAIMS.get(line.acting_as or "")
        return self.may(action) and (claim is None or action != "record" or self.may(claim))


def acting_as(role: str | None, type_: str, game: str) -> str | None:
    """Return what stands in the log for the role in which somebody recorded an event.

    Where the game judges roles and this one is not among those of the event, nothing stands there: the role is then the event's
    own, as an organizer is the referee of a match without one (KSH-90).
    """
    said = {"owner": "organizer", "player": None, "stranger": None}.get(role or "", role)
    who = registry.roles(game, type_)
    return said if who is None or said in who else None
