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
    rating_system: str | None = None


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


class SeasonOpened(Payload, frozen=True, tag="season_opened"):
    """A season began. `points` are the points by place, first place first; without them n of n players give n points."""

    season: str
    title: str
    date: str
    points: list[int] | None = None
    best_n: int | None = None
    drop_n: int | None = None


class DivisionSet(Payload, frozen=True, tag="division_set"):
    """The divisions of a season, best first, with their members, and how many move across each border when it closes."""

    season: str
    divisions: list[dict[str, str | list[str]]]
    moving: int


class SeasonClosed(Payload, frozen=True, tag="season_closed"):
    """A season ended, with its final table: each person, points, place and matches played."""

    season: str
    date: str
    table: list[dict[str, str | int]]
    champion: str | None = None
    moves: list[dict[str, str]] | None = None


class SeasonReopened(Payload, frozen=True, tag="season_reopened"):
    """A closed season goes on."""

    season: str


class CampaignOpened(Payload, frozen=True, tag="campaign_opened"):
    """A campaign began: a named series of matches of one game (ROD-60)."""

    campaign: str
    title: str
    game: str
    date: str


class CampaignClosed(Payload, frozen=True, tag="campaign_closed"):
    """A campaign ended: its matches in order of play, and its final table of persons, points and places."""

    campaign: str
    date: str
    matches: list[str]
    placements: list[dict[str, str | int]]


class LessonCompleted(Payload, frozen=True, tag="lesson_completed"):
    """A person passed a lesson: before an examiner, or by a self-test with this score in percent."""

    person: str
    lesson: str
    date: str
    examiner: str | None = None
    score: int | None = None


class MentorAssigned(Payload, frozen=True, tag="mentor_assigned"):
    """A member accompanied a newcomer through a match."""

    mentor: str
    newcomer: str
    match: str


class EventOrganized(Payload, frozen=True, tag="event_organized"):
    """A person organized an event of the league: its matches, and who else was on its staff."""

    organizer: str
    event: str
    title: str
    date: str
    matches: list[str]
    staff: list[str] | None = None


class ServiceRecorded(Payload, frozen=True, tag="service_recorded"):
    """A person served the league for so many minutes; somebody else confirmed it."""

    person: str
    kind: str
    minutes: int
    date: str
    confirmed_by: str


class ConductNoted(Payload, frozen=True, tag="conduct_noted"):
    """Something was noted of a person: `warning`, `unexcused_absence`, `commendation` or `self_report`."""

    person: str
    kind: str
    date: str
    match: str | None = None
    note: str | None = None


class ConductStruck(Payload, frozen=True, tag="conduct_struck"):
    """A note of this stream, by its number, was a mistake: it counts no more."""

    target_seq: int
    reason: str


class SportsmanshipVoteCast(Payload, frozen=True, tag="sportsmanship_vote_cast"):
    """Somebody voted for another participant of a match. The voter is a code of the season that nobody can trace back (ROD-44)."""

    match: str
    voter: str
    nominee: str
    season: str


class RankSuspended(Payload, frozen=True, tag="rank_suspended"):
    """A person's rank is hidden up to and with a day, after a disqualification for conduct (ROD-19)."""

    person: str
    until: str
    reason: str


class RankRestored(Payload, frozen=True, tag="rank_restored"):
    """A suspended rank is shown again before its time."""

    person: str
    reason: str


class HonorNominated(Payload, frozen=True, tag="honor_nominated"):
    """A person was nominated for an honor. `automatic` where the computed eligibility nominates by itself: it then has no nominator."""

    nomination: str
    honor: str
    nominee: str
    reason: str
    nominator: str | None = None
    automatic: bool | None = None


class HonorSeconded(Payload, frozen=True, tag="honor_seconded"):
    """A member seconded a nomination."""

    nomination: str
    seconder: str


class HonorVoteOpened(Payload, frozen=True, tag="honor_vote_opened"):
    """The peers vote on a nomination from now on, up to a moment."""

    nomination: str
    until: str


class HonorVoteCast(Payload, frozen=True, tag="honor_vote_cast"):
    """A peer voted. The voter is a code of the vote that nobody can trace back once it is closed (ROD-43)."""

    nomination: str
    voter: str
    yes: bool


class HonorVoteClosed(Payload, frozen=True, tag="honor_vote_closed"):
    """The vote is counted."""

    nomination: str
    yes: int
    no: int
    carried: bool


class HonorLapsed(Payload, frozen=True, tag="honor_lapsed"):
    """A nomination came to nothing: `not_seconded`, `not_carried`, `not_eligible`, `refused` or `withdrawn`."""

    nomination: str
    why: str
    reason: str | None = None


class HonorApproved(Payload, frozen=True, tag="honor_approved"):
    """An organizer decided for a nomination. With enough of them the honor is bestowed."""

    nomination: str
    organizer: str


class RelationDeclared(Payload, frozen=True, tag="relation_declared"):
    """An organizer declared a close relative or member of the same household; on that person they do not decide (ROD-45)."""

    organizer: str
    person: str
    ended: bool | None = None


class HonorBestowed(Payload, frozen=True, tag="honor_bestowed"):
    """An honor was bestowed, by these organizers, with a citation. `step` counts how often the person has had it."""

    honor: str
    person: str
    by: list[str]
    citation: str
    step: int
    nomination: str | None = None
    figures: dict[str, int] | None = None


class HonorDeclined(Payload, frozen=True, tag="honor_declined"):
    """The person did not take an honor. It is not shown."""

    honor: str
    person: str
    step: int


class HonorReviewOpened(Payload, frozen=True, tag="honor_review_opened"):
    """An honor is in review: somebody proposed to revoke it, or a penalty put it there by itself (ROD-48)."""

    honor: str
    person: str
    step: int
    review: str
    until: str
    why: str
    reason: str | None = None
    proposer: str | None = None
    match: str | None = None
    match_seq: int | None = None


class HonorHeard(Payload, frozen=True, tag="honor_heard"):
    """The person has been heard on a review."""

    review: str
    text: str


class HonorReviewVoted(Payload, frozen=True, tag="honor_review_voted"):
    """An organizer decided on a review."""

    review: str
    organizer: str
    revoke: bool


class HonorReviewClosed(Payload, frozen=True, tag="honor_review_closed"):
    """A review ended and the honor stays."""

    review: str


class HonorRevoked(Payload, frozen=True, tag="honor_revoked"):
    """An honor was revoked by these organizers."""

    honor: str
    person: str
    step: int
    by: list[str]
    reason: str
    review: str | None = None


class HonorRestored(Payload, frozen=True, tag="honor_restored"):
    """A revoked honor was given back by these organizers."""

    honor: str
    person: str
    step: int
    by: list[str]
    reason: str


PAYLOADS: dict[str, type[Payload]] = {str(one.__struct_config__.tag): one for one in Payload.__subclasses__()}
