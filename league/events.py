"""What can happen in a league: the payloads of its stream.

A payload holds ids and short keys. The league's name is free text: it lies beside the log, the payload has its hash.
"""

from __future__ import annotations

import msgspec


class Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The payload of an event of a league's stream."""


class LeagueOpened(Payload, frozen=True, tag="league_opened"):
    """A league was opened."""

    slug: str
    name: str
    timezone: str
    appeal_hours: int


class LeagueChanged(Payload, frozen=True, tag="league_changed"):
    """A league's settings were changed; what is left out stays as it was."""

    name: str | None = None
    timezone: str | None = None
    appeal_hours: int | None = None


class LeagueClosed(Payload, frozen=True, tag="league_closed"):
    """A league was closed: nobody joins it and no role is given in it any more."""


class LeagueReopened(Payload, frozen=True, tag="league_reopened"):
    """A closed league goes on."""


class MemberJoined(Payload, frozen=True, tag="member_joined"):
    """A person became a member."""

    person: str
    date: str


class MemberLeft(Payload, frozen=True, tag="member_left"):
    """A person is a member no longer."""

    person: str
    date: str


class RoleGranted(Payload, frozen=True, tag="role_granted"):
    """A person was given a role in a scope."""

    person: str
    role: str
    scope: str


class RoleRevoked(Payload, frozen=True, tag="role_revoked"):
    """A role was taken from a person."""

    person: str
    role: str
    scope: str


Event = (
    LeagueOpened | LeagueChanged | LeagueClosed | LeagueReopened | MemberJoined | MemberLeft | RoleGranted | RoleRevoked
)
PAYLOADS: dict[str, type[Payload]] = {str(one.__struct_config__.tag): one for one in Event.__args__}
