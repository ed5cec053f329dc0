"""The ten honors as data: class, criteria in words, who nominates, who decides. One more honor is one more entry and its figures."""

from __future__ import annotations

from typing import Literal

from django.utils.translation import gettext_noop as _
from msgspec import Struct

Class = Literal["leadership", "integrity", "service", "life"]
CLASS_NAMES = {
    "leadership": _("Leadership"), "integrity": _("Integrity"), "service": _("Service"), "life": _("For a life's work"),
}  # fmt: skip
SECONDING_DAYS = 30
VOTE_DAYS = 14
HEARING_DAYS = 14
QUORUM = 7
REASON = 40
"""Characters that a reason has at least (ROD-40)."""
SEASONS_BETWEEN = 2
AGAIN_DAYS = 90
"""Days before an honor that nominates by figures does so again after it came to nothing."""
REVOKING = 2
"""Organizers who revoke an honor, or give it back, beside the one who proposes it (ROD-48, ROD-49)."""


class HonorKind(Struct, frozen=True):
    """One honor. `organizers` is how many decide (None: all of the league); `seconders` how many members join the nominator."""

    id: str
    name: str
    klass: Class
    criterion: str
    nominated_by: str
    decided_by: str
    organizers: int | None
    seconders: int = 0
    automatic: bool = False
    peers_vote: bool = False


HONORS = (
    HonorKind(
        "HON-01", _("Standard-Bearer"), "leadership",
        _("organized at least three events of the league, with nine in ten of their matches confirmed"),
        _("a member who was not on the staff of those events, seconded by another"), _("two organizers"), 2, seconders=1,
    ),
    HonorKind(
        "HON-02", _("Captain of the Host"), "leadership",
        _("at least ten credited matches as King with a General, at least three different Generals, none of whom resigned over conduct"),
        _("somebody who was their General"), _("the vote of the peers"), 1, peers_vote=True,
    ),
    HonorKind(
        "HON-03", _("Royal Mentor"), "leadership", _("at least three newcomers mentored who have reached Squire"),
        _("somebody whom they mentored"), _("two organizers"), 2,
    ),
    HonorKind(
        "HON-04", _("Clean Ledger"), "integrity",
        _("two years since the first match, twenty credited matches, and in the last two years no penalty, no forfeit and no unexcused absence"),
        _("the figures alone"), _("one organizer"), 1, automatic=True,
    ),
    HonorKind(
        "HON-05", _("Open Hand"), "integrity",
        _("in one season votes for sportsmanship from at least twelve voters in at least eight matches"),
        _("the figures alone"), _("one organizer"), 1, automatic=True,
    ),
    HonorKind(
        "HON-06", _("Truth-Teller"), "integrity", _("at least three errors reported to their own disadvantage"),
        _("a referee"), _("two organizers"), 2,
    ),
    HonorKind(
        "HON-07", _("MapMaster's Compass"), "service",
        _("at least ten credited matches as MapMaster in at least two seasons, with at most one in ten of the own rulings overturned"),
        _("a player of one of those matches"), _("two organizers"), 2,
    ),
    HonorKind(
        "HON-08", _("Quill of the Realm"), "service",
        _("at least 25 matches scribed, with errors of the scribe in at most two of a hundred entries"),
        _("a referee or MapMaster"), _("one organizer"), 1,
    ),
    HonorKind(
        "HON-09", _("Hearth of the League"), "service", _("at least thirty hours of service, each confirmed by somebody else"),
        _("two members"), _("two organizers"), 2, seconders=1,
    ),
    HonorKind(
        "HON-10", _("Founders' Lantern"), "life",
        _("rank Warden or higher, five active years, and an honor of each class"),
        _("five members of rank Castellan or higher"), _("all organizers of the league, unanimously; one a season at most"), None, seconders=4,
    ),
)  # fmt: skip

BY_ID = {one.id: one for one in HONORS}
