"""Who may do what, and where: one table, read by views, API, commands, the page that shows it, and the tests.

A grant is a role in a scope (`site`, `league:ID`, `tournament:ID`, `match:ID`) and holds for everything below it. Two more
roles are not granted: everybody is a `stranger`, and who sits in a match is a `player` of it. Whoever opens a friendly is its
organizer and scribe.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, TypedDict, Unpack

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from people.models import Person

SITE = "site"


class Condition(StrEnum):
    """When a role may do an act."""

    ALWAYS = "always"
    OWN_FRIENDLY = "own_friendly"
    OWN_RESULT = "own_result"
    NO_REFEREE = "no_referee"
    AS_REFEREE = "as_referee"
    ALL_SIGNED = "all_signed"
    PROCEDURE = "procedure"


# Roles in the order in which one of them is taken as the one that somebody acts in: the narrowest first.
ROLES = ("stranger", "player", "scribe", "mapmaster", "referee", "organizer", "owner")
GRANTED = ROLES[2:]

_EVERYBODY = dict.fromkeys(ROLES, Condition.ALWAYS)
_REFEREE_FIRST = {
    "referee": Condition.AS_REFEREE,
    "organizer": Condition.NO_REFEREE,
    "owner": Condition.NO_REFEREE,
}
_TABLE = dict.fromkeys(("organizer", "owner"), Condition.ALWAYS)

MATRIX: dict[str, dict[str, Condition]] = {
    "see": _EVERYBODY,
    "record": {
        "player": Condition.OWN_FRIENDLY,
        "scribe": Condition.ALWAYS,
        "mapmaster": Condition.ALWAYS,
        "referee": Condition.ALWAYS,
        **_TABLE,
    },
    "accept_irregular": _REFEREE_FIRST,
    "correct": _REFEREE_FIRST,
    "rule": {"mapmaster": Condition.AS_REFEREE, **_REFEREE_FIRST},
    "penalize": {"mapmaster": Condition.ALWAYS, "referee": Condition.AS_REFEREE, **_TABLE},
    "sign": {"player": Condition.OWN_RESULT},
    "confirm": {
        "player": Condition.ALL_SIGNED,
        "mapmaster": Condition.ALWAYS,
        "referee": Condition.AS_REFEREE,
        **_TABLE,
    },
    "pair": _TABLE,
    "honors": dict.fromkeys(ROLES[1:], Condition.PROCEDURE),
    "administer": {"owner": Condition.ALWAYS},
}

ACTION_NAMES = {
    "see": _("see what is public"),
    "record": _("record events, upload a log of a match"),
    "accept_irregular": _("accept irregular lines"),
    "correct": _("void, amend, adjust"),
    "rule": _("give a ruling"),
    "penalize": _("give a penalty"),
    "sign": _("sign or dispute the own result"),
    "confirm": _("confirm placements"),
    "pair": _("enter members; pair, publish, move, drop and settle rounds"),
    "honors": _("nominate, vote, bestow honors"),
    "administer": _("give roles, change settings, close a league"),
}
ROLE_NAMES = {
    "stranger": _("Stranger"),
    "player": _("Player of it"),
    "scribe": _("Scribe"),
    "mapmaster": _("MapMaster"),
    "referee": _("Referee"),
    "organizer": _("Organizer"),
    "owner": _("Owner"),
}
CONDITION_NAMES = {
    Condition.ALWAYS: _("yes"),
    Condition.OWN_FRIENDLY: _("own friendly match"),
    Condition.OWN_RESULT: _("yes"),
    Condition.NO_REFEREE: _("where the scope has no referee"),
    Condition.AS_REFEREE: _("yes, not at the own table"),
    Condition.ALL_SIGNED: _("by all signatures"),
    Condition.PROCEDURE: _("as ROD-40 to ROD-50 say"),
}


def grants(person: Person) -> tuple[tuple[str, str], ...]:
    """Return the (role, scope) pairs that a person holds. Asked of the database once for each person object."""
    held = person.__dict__.get("_grants")
    if held is None:
        held = tuple(person.grants.values_list("role", "scope"))
        person.__dict__["_grants"] = held
    return held


def forget_grants(person: Person) -> None:
    """Let the grants of a person object be asked anew: they have just changed."""
    person.__dict__.pop("_grants", None)


def roles(person: Person | None, scopes: Sequence[str]) -> set[str]:
    """Return the granted roles of a person that hold in these scopes; a grant for the site always does."""
    if person is None:
        return set()
    return {role for role, scope in grants(person) if scope == SITE or scope in scopes}


def scopes_with(person: Person | None, *wanted: str) -> set[str]:
    """Return the scopes in which a person holds one of these roles."""
    if person is None:
        return set()
    return {scope for role, scope in grants(person) if role in wanted}


def has_referee(scopes: Sequence[str]) -> bool:
    """Return whether somebody holds the role of referee in one of these scopes or for the site."""
    from people.models import Grant

    return Grant.objects.filter(role=Grant.Role.REFEREE, scope__in={SITE, *scopes}).exists()


class Facts(TypedDict, total=False):
    """What else the answer may hang on; what is not said is not so."""

    sits: bool
    """The person sits in the match."""
    friendly: bool
    """The match belongs to no league."""
    opened: bool
    """The person opened the match; in a friendly that makes them its organizer and scribe."""
    agreed: bool
    """All other accounts seated in the friendly agree that this person acts as its referee."""
    all_signed: bool
    """Everybody seated has signed the result."""
    by_procedure: bool
    """The procedure of the honors allows this step."""
    referee_there: bool
    """Whether the scopes have a referee, where the caller knows; else the database is asked if it matters."""


def acting_role(person: Person | None, action: str, scopes: Sequence[str], **facts: Unpack[Facts]) -> str | None:
    """Return the role in which a person may do something, the narrowest of several, or None where they may not.

    :param scopes: the scopes of the thing, for example :attr:`matches.models.Match.scopes`; `site` need not be named
    :raises KeyError: for an action that the table does not have, with those that it has
    """
    if action not in MATRIX:
        raise KeyError(f"no action {action!r}; the actions are {', '.join(MATRIX)}")
    sits, friendly = facts.get("sits", False), facts.get("friendly", False)
    at_own_table = sits and not (friendly and facts.get("agreed", False))
    held = roles(person, scopes) | {"stranger"}
    if person is not None and sits:
        held.add("player")
    if person is not None and friendly and facts.get("opened", False):
        held |= {"organizer", "scribe"}
    for role in ROLES:
        if role not in held or role not in MATRIX[action]:
            continue
        match MATRIX[action][role]:
            case Condition.ALWAYS:
                met = True
            case Condition.OWN_FRIENDLY:
                met = friendly and sits
            case Condition.OWN_RESULT:
                met = sits
            case Condition.AS_REFEREE:
                met = not at_own_table
            case Condition.NO_REFEREE:
                met = not at_own_table and not (
                    facts["referee_there"] if "referee_there" in facts else has_referee(scopes)
                )
            case Condition.ALL_SIGNED:
                met = facts.get("all_signed", False)
            case Condition.PROCEDURE:
                met = facts.get("by_procedure", False)
        if met:
            return role
    return None


def may(person: Person | None, action: str, scopes: Sequence[str], **facts: Unpack[Facts]) -> bool:
    """Return whether a person may do something in these scopes. Parameters and errors are those of :func:`acting_role`."""
    return acting_role(person, action, scopes, **facts) is not None


def who_may(action: str) -> str:
    """Return in words who may do something: "Referee, Organizer (where the scope has no referee), …"."""
    plain = (Condition.ALWAYS, Condition.OWN_RESULT, Condition.AS_REFEREE)
    return ", ".join(
        str(ROLE_NAMES[role]) if condition in plain else f"{ROLE_NAMES[role]} ({CONDITION_NAMES[condition]})"
        for role, condition in MATRIX[action].items()
    )
