"""Every URL, every way of the API and every command against every role.

One table says who may do what. It is compared with what the site answers, and with what the site has: a URL, a method or a
command that the table does not name fails here, so nothing comes in without somebody having said who may use it.

A new page: one more `Route`. A new command: one more line in `COMMANDS`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command, get_commands
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from msgspec.structs import replace

from career.models import Honor, Nomination, Poisoned, Review
from league import records
from league import services as leagues
from league.directing import services as tournaments
from league.models import League, Tournament, TournamentTable
from league.tournament import events as tournament_events
from matches import checkpoints, persons
from matches import services as matches
from matches.models import Match, Upload
from people.models import Account, OutboxMail, Person
from people.services import account_create, grant_give, operator
from rulesengine import notation
from rulesengine.play import play

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PASSWORD = "a long enough word"

# Who asks. All but the last three hold their role in the league of the match; `elsewhere` owns another league, `landlord` the site.
ROLES = (
    "stranger",
    "player",
    "scribe",
    "mapmaster",
    "referee",
    "organizer",
    "owner",
    "elsewhere",
    "landlord",
    "nobody",
)
EVERYBODY = frozenset(ROLES)
SIGNED_IN = EVERYBODY - {"stranger"}
SITE = frozenset({"landlord"})
OWNERS = SITE | {"owner"}
ORGANIZERS = OWNERS | {"organizer"}
NONE: frozenset[str] = frozenset()
# Whoever decides on honors is an organizer or owner of that very league, not of the site.
DECIDING = frozenset({"organizer", "owner"})
# A league with a referee: its organizers and owners correct nothing.
RECORDING = ORGANIZERS | {"scribe", "mapmaster", "referee"}
CONFIRMING = ORGANIZERS | {"mapmaster", "referee"}
CORRECTING = frozenset({"referee"})
RULING = frozenset({"referee", "mapmaster"})


@dataclass
class World:
    """What there is to do something with."""

    persons: dict[str, Person | None] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    league: League = field(default_factory=League)
    guest: Person = field(default_factory=Person)
    match: Match = field(default_factory=Match)
    held: Upload = field(default_factory=Upload)
    raw: bytes = b""
    more: dict[str, Any] = field(default_factory=dict)


type Made = Callable[[World], Mapping[str, Any]]


def nothing(_world: World) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Route:
    """A URL with a method, and who may use it. Whoever may not is refused (401, 403, 404) or asked to sign in."""

    name: str
    method: str
    allowed: frozenset[str]
    args: Made = nothing
    data: Made = nothing
    as_json: bool = False
    what: str = ""

    def __str__(self) -> str:
        return f"{self.method} {self.name} {self.what}".strip()


def pages(*names: str, allowed: frozenset[str], args: Made = nothing) -> list[Route]:
    return [Route(name, "get", allowed, args) for name in names]


def by_league(world: World) -> Mapping[str, Any]:
    return {"slug": world.league.slug}


def by_handle_of_player(world: World) -> Mapping[str, Any]:
    return {"handle": world.persons["player"].handle}  # type: ignore[union-attr]


def by_season(world: World) -> Mapping[str, Any]:
    return {"slug": world.league.slug, "key": "2026"}


def by_campaign(world: World) -> Mapping[str, Any]:
    return {"slug": world.league.slug, "key": "march"}


def by_guest(world: World) -> Mapping[str, Any]:
    return {"slug": world.league.slug, "person_id": world.guest.pk}


def by_match(world: World) -> Mapping[str, Any]:
    return {"match_id": world.match.pk}


def by_held(world: World) -> Mapping[str, Any]:
    return {"upload_id": world.held.pk}


def handle_of(role: str) -> Made:
    return lambda world: {"handle": world.persons[role].handle}  # type: ignore[union-attr]


def act(name: str, allowed: frozenset[str], **data: Any) -> Route:
    """An act at the match, on its page."""
    return Route(
        "match-act", "post", allowed,
        args=lambda world: {"match_id": world.match.pk, "act": name},
        data=lambda world: {"expected_seq": world.match.seq, "step": "store", "reason": "So it was.", **data},
        what=name,
    )  # fmt: skip


def entry(kind: str, allowed: frozenset[str], **line: Any) -> Route:
    """An entry of the match, by the API."""
    return Route(
        "api-match-events", "post", allowed, by_match,
        lambda world: {"expected_seq": world.match.seq, "type": kind, **line}, as_json=True, what=kind,
    )  # fmt: skip


def by_tournament(world: World) -> Mapping[str, Any]:
    return {"slug": "open"}


def by_table(world: World) -> Mapping[str, Any]:
    return {"slug": "open", "match_id": world.more["table"]}


def desk(name: str, allowed: frozenset[str], data: Made = nothing, **more: Any) -> Route:
    """An act of the desk of the tournament."""
    return Route(
        "tournament-act", "post", allowed, lambda world: {"slug": "open", "act": name}, what=name,
        data=lambda world: {"stage": 0, "round": 1, "reason": "So it was.", **more, **data(world)},
    )  # fmt: skip


def of_player(world: World) -> Mapping[str, Any]:
    return {"person": world.persons["player"].pk}  # type: ignore[union-attr]


def file_of(world: World) -> Mapping[str, Any]:
    return {"files": SimpleUploadedFile("evening.jsonl", world.raw)}


ROUTES: list[Route] = [
    # What is public.
    *pages("home", "codex-index", "match-list", "league-list", "badge-list", "health", "health-ready", allowed=EVERYBODY),
    *pages("log-verify-doc", "log-verify-program", "log-keys", "log-checkpoint-list", allowed=EVERYBODY),
    *pages("log-checkpoint", "log-checkpoint-json", allowed=EVERYBODY, args=lambda world: {"number": 1}),
    *pages("log-proof", allowed=EVERYBODY, args=lambda world: {"number": 1, "stream": world.match.pk}),
    *pages("log-prove", allowed=EVERYBODY, args=lambda world: {"stream": world.match.pk, "seq": 1}),
    *pages("codex-game", allowed=EVERYBODY, args=lambda world: {"game": "hexwar"}),
    *pages("codex-compare", "codex-open", allowed=EVERYBODY, args=lambda world: {"game": "kingsquare"}),
    *pages("codex", allowed=EVERYBODY, args=lambda world: {"game": "hexwar", "edition": "hexwar-1"}),
    *pages(
        "codex-rule",
        allowed=EVERYBODY,
        args=lambda world: {"game": "kingsquare", "edition": "KS-V5", "rule": "KS-40"},
    ),
    *pages("badge", allowed=EVERYBODY, args=lambda world: {"badge_id": "BDG-X-01"}),
    # Lessons: everybody reads, who is signed in takes the tests, organizers examine.
    # Notices, and who is who.
    *pages("inbox", "settings-forget", "settings-download", allowed=SIGNED_IN),
    Route("inbox-read", "post", SIGNED_IN),
    Route("settings-notices", "post", SIGNED_IN),
    Route("settings-forget", "post", SIGNED_IN, data=lambda world: {"handle": "not-my-handle"}, what="by a wrong handle"),
    Route("person-link", "post", ORGANIZERS, args=lambda world: {"person_id": world.guest.pk}),
    *pages("person-join", "person-records", allowed=ORGANIZERS, args=lambda world: {"person_id": world.guest.pk}),
    Route("person-join", "post", ORGANIZERS, args=lambda world: {"person_id": world.guest.pk}, data=by_handle_of_player),
    Route(
        "person-split", "post", ORGANIZERS,
        args=lambda world: {"person_id": world.guest.pk, "other_id": world.persons["player"].pk},  # type: ignore[union-attr]
    ),
    *pages("person-forget", allowed=SITE, args=lambda world: {"person_id": world.guest.pk}),
    Route("person-forget", "post", SITE, args=lambda world: {"person_id": world.guest.pk}, what="by a wrong name"),
    # Whoever has the link may read it; claiming takes an account.
    *pages("claim", allowed=EVERYBODY, args=lambda world: {"token": world.more["claim"]}),
    Route("claim", "post", SIGNED_IN, args=lambda world: {"token": world.more["claim"]}),
    *pages("head-to-head", allowed=EVERYBODY, args=lambda world: {"handle": "player", "other": "scribe"}),
    *pages("career-history", allowed=EVERYBODY, args=lambda world: {"handle": "player"}),
    Route("career-hide", "post", SIGNED_IN, data=lambda world: {"kind": "rank", "key": "", "hidden": "0"}),
    # Honors: everybody sees what they are, members and organizers see what is open.
    *pages("honor-list", allowed=EVERYBODY),
    *pages("honor", allowed=EVERYBODY, args=lambda world: {"honor_id": "HON-09"}),
    *pages("league-honors", allowed=EVERYBODY, args=by_league),
    Route(
        "league-honors", "post", SIGNED_IN, args=by_league, what="who may nominate is asked by the procedure",
        data=lambda world: {"handle": "nobody-of-that-name", "honor": "HON-09", "reason": "x"},
    ),
    *pages("league-relations", allowed=DECIDING, args=by_league),
    Route("league-relations", "post", DECIDING, args=by_league, data=by_handle_of_player),
    *pages("nomination", allowed=DECIDING | {"player"}, args=lambda world: {"nomination_id": world.more["nomination"]}),
    Route(
        "nomination", "post", DECIDING, args=lambda world: {"nomination_id": world.more["nomination"]},
        data=lambda world: {"step": "refuse", "text": "Not yet."},
    ),
    *pages("honor-review", allowed=DECIDING, args=lambda world: {"review_id": world.more["review"]}),
    Route(
        "honor-review", "post", DECIDING, args=lambda world: {"review_id": world.more["review"]}, data=lambda world: {"step": "agree"}
    ),
    Route(
        "honor-act", "post", DECIDING, args=lambda world: {"held_id": world.more["honor"], "act": "review"},
        data=lambda world: {"reason": "It was not so."},
    ),
    *pages("lesson-list", "leaderboard-list", allowed=EVERYBODY),
    *pages("leaderboard", "api-leaderboard", allowed=EVERYBODY, args=lambda world: {"game": "hexwar"}),
    *pages("lesson", allowed=EVERYBODY, args=lambda world: {"lesson_id": "LSN-HX-1"}),
    *pages("lesson-test", allowed=SIGNED_IN, args=lambda world: {"lesson_id": "LSN-HX-1"}),
    Route("lesson-start", "post", SIGNED_IN, args=lambda world: {"lesson_id": "LSN-HX-1"}),
    Route("lesson-test", "post", SIGNED_IN, args=lambda world: {"lesson_id": "LSN-HX-2"}, data=lambda world: {"number": "1"}),
    *pages("lesson-examine", allowed=ORGANIZERS, args=by_league),
    # What a league keeps beside its matches.
    *pages("league-log", "league-seasons", "league-campaigns", allowed=EVERYBODY, args=by_league),
    *pages("league-season", allowed=EVERYBODY, args=by_season),
    *pages("league-campaign", allowed=EVERYBODY, args=by_campaign),
    Route(
        "league-seasons", "post", ORGANIZERS, args=by_league,
        data=lambda world: {"title": "Next", "key": "next", "first_day": "2027-01-01"},
    ),
    Route(
        "league-campaigns", "post", ORGANIZERS, args=by_league,
        data=lambda world: {"title": "War", "key": "war", "game": "hexwar"},
    ),
    Route("league-campaign", "post", ORGANIZERS, args=by_campaign, data=lambda world: {"matches": []}),
    Route(
        "league-season-close", "post", ORGANIZERS, args=by_season,
        data=lambda world: {"last_day": "2026-11-30", "step": "preview"},
    ),
    Route("league-season-reopen", "post", OWNERS, args=by_season),
    *pages("league-champions", allowed=EVERYBODY, args=by_league),
    *pages("league-divisions", allowed=ORGANIZERS, args=by_season),
    Route("league-divisions", "post", ORGANIZERS, args=by_season, data=lambda world: {"names": "one two", "moving": "1"}),
    *pages("league-record", allowed=ORGANIZERS, args=lambda world: {**by_league(world), "kind": "service"}),
    Route(
        "league-record", "post", ORGANIZERS, args=lambda world: {**by_league(world), "kind": "service"},
        data=lambda world: {"person": world.persons["player"].handle, "kind": "other", "minutes": "5", "day": "2026-11-30"},  # type: ignore[union-attr]
    ),
    Route(
        "league-strike", "post", ORGANIZERS, args=lambda world: {**by_league(world), "seq": 1}, data=lambda world: {"reason": "No."}
    ),
    *pages("match-sportsmanship", allowed=SIGNED_IN, args=by_match),
    # Only who took part votes: the one who sits in the match, and its officials.
    Route(
        "match-sportsmanship", "post", frozenset({"player"}), args=by_match,
        data=lambda world: {"nominee": str(world.guest.pk)},
    ),
    Route(
        "lesson-examine", "post", ORGANIZERS, args=by_league,
        data=lambda world: {"handle": world.persons["player"].handle, "lesson": "LSN-HX-1"},  # type: ignore[union-attr]
    ),
    *pages("profile", allowed=EVERYBODY, args=handle_of("player")),
    *pages("league-detail", allowed=EVERYBODY, args=by_league),
    *pages("match-detail", allowed=EVERYBODY, args=by_match),
    *pages("match-download", allowed=EVERYBODY, args=lambda world: {**by_match(world), "form": "jsonl"}),
    *pages("set_language", allowed=EVERYBODY),
    Route("set_language", "post", EVERYBODY, data=lambda world: {"language": "en"}),
    # One's own account.
    *pages("settings", allowed=SIGNED_IN),
    Route("settings", "post", SIGNED_IN, data=lambda world: {"display_name": "Somebody", "privacy": "public"}),
    Route("settings-handle", "post", SIGNED_IN, data=lambda world: {"handle": "another"}),
    Route("settings-token", "post", SIGNED_IN),
    Route("settings-token-revoke", "post", SIGNED_IN),
    # The site has an owner: there is no such page.
    *pages("welcome", allowed=NONE),
    Route("welcome", "post", NONE, data=lambda world: {"display_name": "X", "handle": "xx", "email": "x@example.org", "password": PASSWORD}),
    *pages("account-page", allowed=EVERYBODY, args=lambda world: {"rest": "password/reset"}),
    *pages("roles", allowed=ORGANIZERS | {"elsewhere"}),
    # Leagues.
    *pages("league-new", allowed=SITE),
    Route("league-new", "post", SITE, data=lambda world: {"name": "Third", "slug": "third", "timezone": "UTC", "appeal_hours": 72}),
    *pages("league-settings", allowed=OWNERS, args=by_league),
    Route("league-settings", "post", OWNERS, by_league, lambda world: {"name": "Frost", "timezone": "UTC", "appeal_hours": 1}),
    Route("league-close", "post", OWNERS, by_league),
    Route("league-reopen", "post", OWNERS, by_league),
    Route("league-member-add", "post", ORGANIZERS, by_league, lambda world: {"member-handle": "nobody"}),
    Route("league-guest-add", "post", ORGANIZERS, by_league, lambda world: {"guest-display_name": "Kim"}),
    Route("league-member-remove", "post", ORGANIZERS, by_guest),
    Route("league-member-privacy", "post", ORGANIZERS, by_guest, lambda world: {"privacy": "hidden"}),
    Route("league-role-give", "post", OWNERS, by_league, lambda world: {"role-handle": "nobody", "role-role": "referee"}),
    Route(
        "league-role-revoke", "post", OWNERS,
        lambda world: {"slug": world.league.slug, "person_id": world.persons["referee"].pk, "role": "referee"},  # type: ignore[union-attr]
    ),
    # The way in. Anybody may have a file checked; it is stored only for those who may record it.
    *pages("upload", allowed=SIGNED_IN),
    Route("upload", "post", SIGNED_IN, data=file_of),
    *pages("upload-detail", allowed=CORRECTING | {"scribe"}, args=by_held),  # sent by the scribe
    Route("upload-act", "post", CORRECTING, by_held, lambda world: {"act": "record", "reason": "So it was."}, what="accept"),
    Route("upload-act", "post", frozenset({"scribe"}), by_held, lambda world: {"act": "hold"}, what="hold"),
    Route("upload-act", "post", CORRECTING | {"scribe"}, by_held, lambda world: {"act": "drop"}, what="drop"),
    *pages("desk", allowed=SIGNED_IN),
    # At a match of the league.
    act("void", CORRECTING, target_seq=1),
    act("amend", CORRECTING, target_seq=1, data="{}"),
    act("adjust", CORRECTING, path="round", old="1", new="2"),
    act("ruling", RULING, about_seq=1, question="May he?", decision="He may."),
    act("penalty", CONFIRMING, seat="A", kind="warning"),
    act("confirm", CONFIRMING),
    act("sign", frozenset({"player"})),
    act("dispute", frozenset({"player"})),
    act("abandon", ORGANIZERS),
    act("annul", ORGANIZERS),
    # Tournaments: a public part, the desk, and what everybody does for themselves.
    *pages(
        "tournament-detail", "tournament-standings", "tournament-entrants", "tournament-log", "tournament-about",
        allowed=EVERYBODY, args=by_tournament,
    ),
    *pages("tournament-list", "api-tournaments", allowed=EVERYBODY),
    *pages("tournament-hall", "tournament-trf", "tournament-pairings-file", allowed=EVERYBODY, args=by_tournament),
    *pages("tournament-print", allowed=EVERYBODY, args=lambda world: {**by_tournament(world), "kind": "surname"}),
    *pages("tournament-standings-file", allowed=EVERYBODY, args=lambda world: {**by_tournament(world), "form": "csv"}),
    *pages(
        "api-tournament", "api-tournament-rounds", "api-tournament-standings", "api-tournament-director-log",
        allowed=EVERYBODY, args=lambda world: {"key": "open"},
    ),
    *pages("tournament-player", allowed=EVERYBODY, args=lambda world: {**by_tournament(world), "person_id": world.guest.pk}),
    *pages("tournament-match", allowed=EVERYBODY, args=by_table),
    *pages("tournament-check-in", allowed=EVERYBODY, args=lambda world: {**by_tournament(world), "code": world.more["code"]}),
    *pages("tournament-me", allowed=SIGNED_IN, args=by_tournament),
    *pages("tournament-desk", allowed=RECORDING, args=by_tournament),
    *pages("tournament-undo", allowed=ORGANIZERS, args=lambda world: {**by_tournament(world), "seq": 3}),
    Route(
        "tournament-undo", "post", ORGANIZERS, lambda world: {**by_tournament(world), "seq": 3}, lambda world: {"reason": "So it was."}
    ),
    *pages("tournament-new", allowed=ORGANIZERS | {"elsewhere"}),
    Route(
        "tournament-new", "post", ORGANIZERS | {"elsewhere"},
        data=lambda world: {
            "title": "Second", "slug": "second", "league": world.league.pk, "game": "hexwar", "stage1-format": "swiss", "stage1-rounds": 3,
        },
    ),
    Route("tournament-result", "post", RECORDING | {"player"}, by_table, lambda world: {"winner": "A"}),
    *[
        Route("tournament-own-act", "post", SIGNED_IN, lambda world, act=act: {"slug": "open", "act": act}, what=act)
        for act in ("register", "withdraw", "checkin", "drop", "bye", "sign")
    ],
    Route("tournament-own-act", "post", frozenset({"player"}), lambda world: {"slug": "open", "act": "judge"}, what="judge"),
    *[
        desk(act, ORGANIZERS, of_player)
        for act in ("withdraw", "drop", "return", "disqualify", "change", "bye")
    ],
    *[desk(act, ORGANIZERS) for act in ("registration", "enter", "pair", "publish", "unpair", "stage", "close", "clock")],
    desk("swap", ORGANIZERS, first="x", second="y"),
    desk("move", ORGANIZERS, table=1, to=2),
    desk("rule", ORGANIZERS, lambda world: {"match": world.more["table"], "what": "draw"}),
    desk("penalty", CONFIRMING, of_player, points="1"),
    desk("result", RECORDING, lambda world: {"match": world.more["table"], "winner": "A"}),
    desk("confirm", CONFIRMING, lambda world: {"match": world.match.pk}),
    desk("settle", RECORDING, lambda world: {"match": world.more["table"]}),
    desk("checkin", RECORDING, of_player),
    desk("extend", RECORDING, table=1, minutes=5),
    desk("answer", RECORDING, table=1),
    desk("role", OWNERS, handle="nobody", role="scribe"),
    *[desk(act, OWNERS) for act in ("reopen", "cancel")],
    # How the site runs.
    *pages("operations", allowed=SITE),
    Route("operations-job-retry", "post", SITE, lambda world: {"job_id": world.guest.pk}),
    Route("operations-job-stop", "post", SITE, lambda world: {"job_id": world.guest.pk}),
    Route("operations-match-retry", "post", SITE, lambda world: {"match_id": world.more["poisoned"]}),
    Route("operations-mail-retry", "post", SITE, lambda world: {"mail_id": world.more["mail"]}),
    # The API.
    *pages("api-root", "api-schema", "api-docs", "api-leagues", "api-people", allowed=EVERYBODY),
    *pages("api-league", "api-league-members", allowed=EVERYBODY, args=by_league),
    *pages("api-person", allowed=EVERYBODY, args=handle_of("player")),
    *pages("api-me", allowed=SIGNED_IN),
    Route("api-leagues", "post", SITE, data=lambda world: {"name": "Third", "slug": "third", "timezone": "UTC", "appeal_hours": 72}, as_json=True),
    Route("api-league-members", "post", ORGANIZERS, by_league, lambda world: {"handle": "nobody"}, as_json=True),
    *pages("api-matches", allowed=EVERYBODY),
    *pages(
        "api-match", "api-match-events", "api-match-state", "api-match-report", "api-match-log", "api-match-chain",
        allowed=EVERYBODY, args=by_match,
    ),
    entry("turn_ended", RECORDING, seat="A"),
    entry("event_voided", CORRECTING, data={"target_seq": 1, "reason": "So it was."}),
    entry("ruling_given", RULING, data={"about_seq": 1, "question": "May he?", "decision": "He may."}),
    entry("placements_confirmed", CONFIRMING),
    entry("result_signed", frozenset({"player"}), seat="A"),
    entry("match_annulled", ORGANIZERS, data={"reason": "So it was."}),
    *pages("api-uploads", allowed=SIGNED_IN),
    Route("api-uploads", "post", SIGNED_IN, data=lambda world: {"file": file_of(world)["files"]}),
    *pages("api-upload", allowed=CORRECTING | {"scribe"}, args=by_held),
    Route("api-upload", "delete", CORRECTING | {"scribe"}, by_held),
    Route("api-upload-hold", "post", frozenset({"scribe"}), by_held, as_json=True),
    Route(
        "api-upload-record", "post", CORRECTING, by_held,
        lambda world: {"accept_irregular": True, "reason": "So it was."}, as_json=True,
    ),
]  # fmt: skip

# allauth's pages are about nobody but whoever asks: those who are signed in, or anybody who wants to be.
ALLAUTH = {
    "account_login": EVERYBODY,
    "account_logout": EVERYBODY,
    "account_inactive": EVERYBODY,
    "account_signup": EVERYBODY,
    "account_reset_password": EVERYBODY,
    "account_reset_password_done": EVERYBODY,
    "account_reset_password_from_key": EVERYBODY,
    "account_reset_password_from_key_done": EVERYBODY,
    "account_confirm_email": EVERYBODY,
    "account_email_verification_sent": EVERYBODY,
    "account_confirm_login_code": NONE,
    "account_request_reauthentication_code": NONE,
    "account_confirm_reauthentication_code": NONE,
    "account_reauthenticate": SIGNED_IN,
    "account_email": SIGNED_IN,
    "account_change_password": SIGNED_IN,
    "account_set_password": SIGNED_IN,
    "mfa_index": SIGNED_IN,
    "mfa_authenticate": NONE,
    "mfa_reauthenticate": SIGNED_IN,
    "mfa_activate_totp": SIGNED_IN,
    "mfa_deactivate_totp": SIGNED_IN,
    "mfa_view_recovery_codes": SIGNED_IN,
    "mfa_generate_recovery_codes": SIGNED_IN,
    "mfa_download_recovery_codes": SIGNED_IN,
}


# The world


def person(role: str) -> Person:
    return account_create(f"{role}@example.org", PASSWORD, role, f"{role.title()} Moreau").person


def log_of(world: World, seed: int, *, irregular: bool = False) -> bytes:
    """Return the log of a whole match of the league in which the player sits."""
    log = play("hexwar", seed=seed)
    if irregular:  # the first move is made twice
        lines = (log.lines[0], *log.lines)
        log = replace(log, lines=tuple(replace(line, seq=number) for number, line in enumerate(lines, 1)))
    first, second = log.header.seats
    seats = (replace(first, player="player"), replace(second, name="Bo Lindqvist"))
    return notation.write(
        replace(log, header=replace(log.header, seats=seats, context={"league": world.league.slug})), "jsonl"
    )


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A league with a referee, an ended match in it, a held upload and one of everything else; undone after the module."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = _world()
        made.more["file"] = tmp_path_factory.mktemp("roles") / "evening.jsonl"
        made.more["file"].write_bytes(made.raw)
        yield made
        transaction.set_rollback(True)


def _world() -> World:
    made = World()
    made.persons = {role: None if role == "stranger" else person(role) for role in ROLES}
    for role, who in made.persons.items():
        if who is not None:
            browser = Client()
            browser.force_login(Account.objects.get(person=who), backend="django.contrib.auth.backends.ModelBackend")
            made.sessions[role] = browser.cookies["sessionid"].value
    made.league = leagues.league_open(name="Winter", slug="winter", by=operator(), at=NOW)
    other = leagues.league_open(name="Summer", slug="summer", by=operator(), at=NOW)
    scopes = {"elsewhere": other.scope, "landlord": "site"}
    for role in ("scribe", "mapmaster", "referee", "organizer", "owner", "elsewhere", "landlord"):
        held = "owner" if role in scopes else role
        grant_give(person=made.persons[role], role=held, scope=scopes.get(role, made.league.scope), by=None)  # type: ignore[arg-type]
    made.guest = leagues.member_guest_add(
        league=made.league, display_name="Bo Lindqvist", is_minor=False, by=operator(), at=NOW
    ).person
    leagues.member_add(league=made.league, person=made.persons["player"], by=operator(), at=NOW)  # type: ignore[arg-type]
    links = {"B": str(made.guest.pk)}
    sent = matches.upload_check(by=operator(), name="one.jsonl", raw=log_of(made, 7))
    made.match = matches.upload_record(upload=sent, by=operator(), links=links)
    scribe = made.persons["scribe"]
    assert scribe is not None
    made.raw = log_of(made, 9)
    sent = matches.upload_check(by=scribe, name="two.jsonl", raw=log_of(made, 8, irregular=True))
    made.held = matches.upload_hold(upload=sent, by=scribe, reason="The table let it stand.")
    records.season_open(league=made.league, key="2026", title="2026", first_day=NOW.date(), by=operator(), at=NOW)
    records.campaign_open(league=made.league, key="march", title="March", game="hexwar", by=operator(), at=NOW)
    checkpoints.make()
    held = Honor.objects.create(
        league_id=made.league.pk, honor="HON-09", person_id=made.guest.pk, step=1, on=NOW.date(), seq=0
    )
    review = Review.objects.create(pk=uuid4(), held=held, why="basis", seq=0, until=NOW)
    nomination = Nomination.objects.create(
        pk=uuid4(),
        league_id=made.league.pk,
        honor="HON-09",
        person_id=made.guest.pk,
        status="deciding",
        seq=0,
        opened_at=NOW,
    )
    held_open = tournaments.tournament_open(
        league=made.league, title="Open", slug="open", game="hexwar", by=operator(), at=NOW,
        stages=[tournament_events.Stage(format="swiss", rounds=1)],
    )  # fmt: skip
    for one in (made.persons["player"], made.guest):
        tournaments.register(tournament=held_open, person=one, by=operator(), at=NOW)  # type: ignore[arg-type]
    tournaments.entrant_change(
        tournament=held_open, person=made.guest, seed_rating=9, group="", table=None, by=operator(), at=NOW
    )
    tournaments.round_pair(tournament=held_open, by=operator(), at=NOW)
    tournaments.round_publish(tournament=held_open, stage=0, round_=1, by=operator(), at=NOW)
    made.more = {
        "table": TournamentTable.objects.get().pk,
        "code": Tournament.objects.get().check_in_code,
        "claim": persons.claim_link(guest=made.guest, by=operator()),
        "honor": held.pk,
        "review": review.pk,
        "nomination": nomination.pk,
        "poisoned": Poisoned.objects.create(match_id=made.guest.pk, error="broken").pk,
        "mail": OutboxMail.objects.create(to="a@example.org", subject="S", body="B").pk,
    }
    return made


# What the site has


def _patterns(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name, pattern) of every URL; one without a name goes by its pattern."""
    for pattern in patterns:
        whole = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, whole)
        elif isinstance(pattern, URLPattern):
            yield pattern.name or whole, whole


@cache
def names() -> frozenset[str]:
    return frozenset(name for name, _pattern in _patterns(importlib.import_module("config.urls").urlpatterns))


# The second of two ways to the same page.
SAME = {"^api$"}
TABLE: dict[str, dict[str, list[Route]]] = {}
for _route in ROUTES:
    TABLE.setdefault(_route.name, {}).setdefault(_route.method, []).append(_route)


def test_every_url_is_in_the_table():
    assert names() - set(TABLE) - set(ALLAUTH) - SAME == set(), "say in ROUTES who may use these"


def test_the_table_names_no_url_that_is_not_there():
    assert (set(TABLE) | set(ALLAUTH) | SAME) - names() == set()


# Asking


REFUSED, ALLOWED = "refused", "allowed"


def answer_to(world: World, route: Route, role: str, method: str = "") -> str | int:
    """Return how the site answers somebody: `refused`, `allowed`, or 405. Nothing of it is kept."""
    browser = Client()
    if world.persons[role] is not None:
        browser.cookies["sessionid"] = world.sessions[role]
    with transaction.atomic():
        url = reverse(route.name, kwargs=dict(route.args(world)))
        sending: dict[str, Any] = {}
        if method in ("", route.method):
            data = dict(route.data(world))
            sending = (
                {"data": json.dumps(data), "content_type": "application/json"} if route.as_json else {"data": data}
            )
        answer = getattr(browser, method or route.method)(url, **sending)
        transaction.set_rollback(True)
    assert answer.status_code < 500 or route.name == "health-ready", f"{role}: {answer.status_code}"
    if answer.status_code in (401, 403, 404):
        return REFUSED
    if answer.status_code == 302 and answer["Location"].startswith("/accounts/login/"):
        return REFUSED
    return 405 if answer.status_code == 405 else ALLOWED


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_url_is_for_those_whom_the_table_names(world: World, route: Route):
    answers = {role: answer_to(world, route, role) for role in ROLES}
    assert answers == {role: ALLOWED if role in route.allowed else REFUSED for role in ROLES}


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_url_takes_no_method_that_the_table_does_not_name(world: World, name: str):
    """What is not named is not taken (405), refused, or, for a page that everybody may read, answered like reading it."""
    for method in ("get", "post", "put", "patch", "delete"):
        if method in TABLE[name]:
            continue
        route = next(iter(TABLE[name].values()))[0]
        for role in ("stranger", "landlord"):
            answer = answer_to(world, route, role, method)
            reading = "get" in TABLE[name] and route.allowed == EVERYBODY
            assert answer in (405, REFUSED) or reading, f"{method} by {role}"


@pytest.mark.parametrize("name", sorted(ALLAUTH))
def test_a_page_about_accounts_is_for_whoever_asks(world: World, name: str):
    args = {
        "account_confirm_email": {"key": "nonsense"},
        "account_reset_password_from_key": {"uidb36": "1", "key": "nonsense"},
    }
    route = Route(name, "get", ALLAUTH[name], lambda world: args.get(name, {}))
    # Those who are signed in may be led on, to enter their password again or because there is nothing to do here.
    assert answer_to(world, route, "stranger") == (ALLOWED if "stranger" in route.allowed else REFUSED)


# Commands

# Commands that write as somebody, and who may do that. Each takes --by, and does only what its person may do.
COMMANDS: dict[str, tuple[frozenset[str], Callable[[World], list[str]]]] = {
    "account_create": (SITE, lambda world: ["eve", "eve@example.org", "Eve"]),
    "grant": (OWNERS, lambda world: ["nobody", "scribe", "league:winter"]),
    "league_open": (SITE, lambda world: ["third", "Third league"]),
    "upload_log": (RECORDING, lambda world: [str(world.more["file"])]),
    "member_add": (ORGANIZERS, lambda world: ["winter", "nobody"]),
}
# Commands that read, or keep the house: whoever reaches the machine and its database may use them.
HOUSE: set[str] = {
    "backup",
    "career",
    "cite",
    "derive",
    "export_log",
    "load_demo",
    "pair",
    "restore",
    "simulate_season",
    "standings",
    "tournament",
    "verify_log",
}
OURS = {"config", "people", "matches", "league", "career"}


def our_commands() -> set[str]:
    return {name for name, app in get_commands().items() if app in OURS}


def test_every_command_is_in_the_table():
    assert our_commands() - set(COMMANDS) - HOUSE == set(), (
        "say in COMMANDS who may use these, or in HOUSE that it is for operators"
    )
    assert (set(COMMANDS) | HOUSE) - our_commands() == set()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_does_for_somebody_what_the_table_says(world: World, command: str):
    allowed, words = COMMANDS[command]
    answers = {}
    for role in sorted(SIGNED_IN):
        with transaction.atomic():
            out = StringIO()
            try:
                call_command(command, *words(world), "--by", role, verbosity=0, stdout=out)
                answers[role] = ALLOWED
            except (CommandError, SystemExit) as error:
                said = f"{error} {out.getvalue()}"
                assert "may not" in said, f"{role}: {said}"
                answers[role] = REFUSED
            transaction.set_rollback(True)
    assert answers == {role: ALLOWED if role in allowed else REFUSED for role in sorted(SIGNED_IN)}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_acts_as_the_operator_unless_told_otherwise(world: World, command: str):
    with transaction.atomic():
        call_command(command, *COMMANDS[command][1](world), verbosity=0)
        transaction.set_rollback(True)
