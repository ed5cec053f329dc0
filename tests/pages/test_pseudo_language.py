"""Every page in a language in which each translated text stands in brackets: whatever stands outside went past gettext."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from career.learning import questions
from career.learning.lessons import BY_ID
from career.models import Honor, LessonAttempt, Nomination, Poisoned, Review
from league import records
from league import services as leagues
from league.directing import services as tournaments
from league.models import Tournament, TournamentTable
from league.tournament import events as tournament_events
from league.tournament.tiebreaks import CODES
from matches import checkpoints, persons, services
from matches.models import Job, Match
from people import notices
from people.models import OutboxMail, Person
from people.services import operator
from rulesengine import notation, registry
from rulesengine.play import play
from tests.pages.bare import bare_texts, pseudo_language

pytestmark = pytest.mark.django_db

# A log with a line of a type that the game does not know, and what follows from it.
FAULTY = notation.write(play("hexwar", seed=3), "jsonl").replace(b'"unit_moved"', b'"unit_teleported"', 1)

# Three kingdoms with beasts, alliances and a siege.
CROWNS = settings.BASE_DIR / "tests" / "golden" / "kingsquare" / "three_crowns_one_ford.log.txt"

SAMPLES = settings.BASE_DIR / "tests" / "rulesengine"
SIGNED = (b'"result_signed"', b'"placements_confirmed"')


def unsigned(game: str, name: str) -> bytes:
    """Return a sample log without what a file that is recorded may not hold."""
    lines = (SAMPLES / game / "samples" / name).read_bytes().splitlines()
    return b"\n".join(line for line in lines if not any(type_ in line for type_ in SIGNED))


# What is data, not words: names and handles of the fixtures, keys and ids, and the site's own name.
DATA = frozenset(
    {
        "ap.base: a short evening",  # an organizer's reason
        "Operator",  # who acted at the terminal
        *(
            "Mirela Osei",
            "Osei, Mirela",
            "Tomás Ferreira",
            "mirela",
            "tomas",
            "Harbour League",
            "harbour",
            settings.SITE_NAME,
        ),
        *(f"Player {seat}" for seat in "ABCD"),
        *("west", "east", "north", "south", "centre", "UTC"),  # regions of the map, the zone of the match
        *("Ada Moreau", "Bo Lindqvist", "Cy Okafor", "Noor Haddad", "Hal Iversen", "Gia Romano", "Europe/Lisbon"),
        *(
            "Highgate",
            "Nordholm",
            "Delta",
            "ford",
            "lake",
            "old mine",
            "west hill",
            "east road",
            "worm",
        ),  # on that table
        *(f"{kind}{seat}" for kind in "befghmqwx" for seat in "ABC"),  # and the ids of its buildings
        *("Kingsburg table 44", "Three players, entries put right", "Europe/Berlin", "Europe/Vienna"),
        "CSV",
        "JSON",
        "TRF",  # formats of files
        *("II", "III", "IV", "each_advisor"),  # the years of Kingsburg as printed, and the value of an option
        *CODES,
        "DE",  # tie-breaks by their codes
        *registry.games(),
        *(edition.key for edition in registry.editions()),
    }
)


class Site:
    """One of everything that a page may show."""

    def __init__(self, owner: Person, match: Match) -> None:
        self.owner, self.match = owner, match
        at = timezone.now()
        self.league = leagues.league_open(slug="harbour", name="Harbour League", by=operator(), at=at)
        leagues.member_add(league=self.league, person=owner, by=operator(), at=at)
        first = records.season_open(
            league=self.league,
            key="y0",
            title="Highgate",
            first_day=date(2026, 1, 1),
            by=operator(),
            at=at,
            points=[5, 3],
            best_n=3,
            drop_n=1,
        )
        records.season_close(season=first, last_day=date(2026, 6, 30), by=operator(), at=at)
        records.season_open(
            league=self.league, key="y1", title="Highgate", first_day=date(2026, 7, 1), by=operator(), at=at
        )
        records.campaign_open(league=self.league, key="war", title="Delta", game="hexwar", by=operator(), at=at)
        told = {"league": self.league, "person": owner, "by": operator(), "at": at}
        records.service_record(kind="hosting", minutes=9, day=date(2026, 1, 1), **told)
        records.conduct_note(kind="warning", note="ford", day=date(2026, 1, 1), **told)
        records.rank_suspend(until=date(2099, 1, 1), reason="ford", **told)
        records.rank_restore(reason="ford", **told)
        leagues.role_give(league=self.league, person=owner, role="organizer", by=operator(), at=at)
        self.guest = leagues.member_guest_add(
            league=self.league, display_name="Highgate", is_minor=False, by=operator(), at=at
        ).person
        self.tournament = self.held_tournament()
        notices.notify(owner, "honor_step", "vote HON-02", url="/x", league="Highgate")
        held = Honor.objects.create(
            league_id=self.league.pk, honor="HON-04", person_id=owner.pk, step=2, on=date(2026, 1, 1), seq=0
        )
        self.review = Review.objects.create(pk=uuid4(), held=held, why="basis", seq=0, until=at)
        self.nomination = Nomination.objects.create(
            pk=uuid4(),
            league_id=self.league.pk,
            honor="HON-10",
            person_id=owner.pk,
            status="seconding",
            seq=0,
            opened_at=at,
            until=at,
        )
        self.upload = services.upload_check(by=owner, name="evening.jsonl", raw=FAULTY)
        crowns = services.upload_check(by=owner, name="crowns.log.txt", raw=CROWNS.read_bytes())
        self.crowns = services.upload_record(upload=crowns, by=owner, accept_irregular=False, reason="", confirm=False)
        self.burg = self.recorded(unsigned("kingsburg", "corrected.jsonl"))
        self.knights = self.recorded(unsigned("robberknights", "referee-correction.jsonl"))
        checkpoints.make()
        Poisoned.objects.create(match_id=uuid4(), error="KeyError")
        for state in Job.State.values:
            Job.objects.create(kind="upload_check", state=state, total=9, error="no disk")
        OutboxMail.objects.create(to="ben@example.org", subject="⟦Sign⟧", body="", state="failed", error="no route")

    def held_tournament(self) -> Tournament:
        """A tournament in its second round, with a table of each state, and one that has not begun."""
        by, at = operator(), timezone.now()
        stages = [
            tournament_events.Stage(format="swiss", rounds=3, cut=2),
            tournament_events.Stage(format="single_elimination"),
        ]
        for slug in ("delta", "ford"):
            held = tournaments.tournament_open(
                league=self.league, title="Delta", slug=slug, game="hexwar", stages=stages, by=by, at=at, seed="centre"
            )
            tournaments.registration_open(tournament=held, cap=9, by=by, at=at)
            for _guest in range(4):
                tournaments.guest_register(tournament=held, display_name="Highgate", by=by, at=at)
            tournaments.register(tournament=held, person=self.owner, by=by, at=at)
            if slug == "delta":
                tournaments.round_pair(tournament=held, by=by, at=at)
                tournaments.round_publish(tournament=held, stage=0, round_=1, by=by, at=at)
                tournaments.clock_set(tournament=held, stage=0, round_=1, minutes=50, by=by, at=at)
                first = TournamentTable.objects.get(tournament=held, number=1)
                tournaments.result_rule(
                    tournament=held,
                    match_id=first.pk,
                    finished=dict.fromkeys(first.seats),
                    reason="ford",
                    both_lose=True,
                    by=by,
                    at=at,
                )
                tournaments.penalty_give(
                    tournament=held, person=self.owner, points=Fraction(1), kind="points", reason="ford", by=by, at=at
                )
        return Tournament.objects.get(slug="delta")

    def recorded(self, raw: bytes) -> Match:
        upload = services.upload_check(by=self.owner, name="m.jsonl", raw=raw)
        return services.upload_record(upload=upload, by=self.owner)


@pytest.fixture
def site(owner: Person, match: Match) -> Site:
    return Site(owner, match)


def asked(site: Site, lesson: str, number: int) -> str:
    """Return the address of a question after those before it were answered; behind the last one is the result."""
    drawn = questions.draw(BY_ID[lesson], number)
    answers = {str(at): one.answer for at, one in enumerate(drawn, 1) if at < number}
    finished = timezone.now() if len(answers) == len(drawn) else None
    LessonAttempt.objects.create(
        person=site.owner, lesson=lesson, started_at=timezone.now(), finished_at=finished, questions=questions.encode(drawn),
        answers=answers, score=100 if finished else None,
    )  # fmt: skip
    return reverse("lesson-test", args=[lesson])


# The table of pages. A new page is one more line: who looks at it, its address, the status it answers with.
PAGES: dict[str, tuple[str, Callable[[Site], str], int]] = {
    "home": ("stranger", lambda site: "/", 200),
    "home, signed in": ("owner", lambda site: "/", 200),
    "codex": ("stranger", lambda site: "/codex/", 200),
    "codex, an edition": ("stranger", lambda site: "/codex/hexwar/hexwar-1", 200),
    "codex, nothing found": ("stranger", lambda site: "/codex/hexwar/?q=zzzz", 200),
    "operations": ("owner", lambda site: "/operations/", 200),
    "403": ("player", lambda site: "/operations/", 403),
    "404": ("stranger", lambda site: "/no-such-page", 404),
    "404 of the codex": ("stranger", lambda site: "/codex/chess/", 404),
    "sign in": ("stranger", lambda site: reverse("account_login"), 200),
    "sign up": ("stranger", lambda site: reverse("account_signup"), 200),
    "sign out": ("player", lambda site: reverse("account_logout"), 200),
    "password forgotten": ("stranger", lambda site: reverse("account_reset_password"), 200),
    "second factor": ("player", lambda site: reverse("mfa_index"), 200),
    "settings": ("player", lambda site: reverse("settings"), 200),
    "who may do what": ("owner", lambda site: reverse("roles"), 200),
    "tournaments": ("owner", lambda site: reverse("tournament-list"), 200),
    "new tournament": ("owner", lambda site: reverse("tournament-new") + "?stages=2", 200),
    **{
        f"{name}, {slug}": ("owner", lambda site, name=name, slug=slug: reverse(name, args=[slug]), 200)
        for name in (
            "tournament-detail",
            "tournament-standings",
            "tournament-entrants",
            "tournament-log",
            "tournament-about",
            "tournament-me",
            "tournament-desk",
        )
        for slug in ("delta", "ford")
    },
    "tournament, the hall": ("owner", lambda site: reverse("tournament-hall", args=["delta"]), 200),
    **{
        f"tournament, print {kind}": (
            "owner",
            lambda site, kind=kind: reverse("tournament-print", args=["delta", kind]),
            200,
        )
        for kind in ("surname", "tables", "slips", "standings", "crosstable")
    },
    "tournament by table": ("stranger", lambda site: reverse("tournament-detail", args=["delta"]) + "?by=table", 200),
    "tournament, an entrant": (
        "owner",
        lambda site: reverse("tournament-player", args=["delta", site.owner.pk]),
        200,
    ),
    "tournament, a table": (
        "owner",
        lambda site: reverse("tournament-match", args=["delta", TournamentTable.objects.get(number=2).pk]),
        200,
    ),
    "tournament, taking back": (
        "owner",
        lambda site: reverse("tournament-undo", args=["delta", site.tournament.seq]),
        200,
    ),
    "tournament, check-in": (
        "stranger",
        lambda site: reverse("tournament-check-in", args=["ford", Tournament.objects.get(slug="ford").check_in_code]),
        200,
    ),
    "leagues": ("stranger", lambda site: reverse("league-list"), 200),
    "leagues, as owner": ("owner", lambda site: reverse("league-list"), 200),
    "new league": ("owner", lambda site: reverse("league-new"), 200),
    "league": ("stranger", lambda site: reverse("league-detail", args=["harbour"]), 200),
    "league, as owner": ("owner", lambda site: reverse("league-detail", args=["harbour"]), 200),
    "league settings": ("owner", lambda site: reverse("league-settings", args=["harbour"]), 200),
    "upload": ("owner", lambda site: reverse("upload"), 200),
    "upload, checked": ("owner", lambda site: reverse("upload-detail", args=[site.upload.pk]), 200),
    "held uploads": ("owner", lambda site: reverse("desk"), 200),
    "matches": ("stranger", lambda site: reverse("match-list"), 200),
    "match": ("stranger", lambda site: reverse("match-detail", args=[site.match.pk]), 200),
    "match, a moment": ("stranger", lambda site: reverse("match-detail", args=[site.match.pk]) + "?at=20", 200),
    "match of kingsquare": ("stranger", lambda site: reverse("match-detail", args=[site.crowns.pk]) + "?at=60", 200),
    "match of kingsquare, as owner": ("owner", lambda site: reverse("match-detail", args=[site.crowns.pk]), 200),
    "match of kingsburg": ("stranger", lambda site: reverse("match-detail", args=[site.burg.pk]) + "?at=60", 200),
    "match of kingsburg, its end": ("stranger", lambda site: reverse("match-detail", args=[site.burg.pk]), 200),
    "match of kingsburg, as owner": (
        "owner",
        lambda site: reverse("match-detail", args=[site.burg.pk]) + "?at=160",
        200,
    ),
    "match of robberknights": ("stranger", lambda site: reverse("match-detail", args=[site.knights.pk]) + "?at=9", 200),
    "match of robberknights, its end": ("stranger", lambda site: reverse("match-detail", args=[site.knights.pk]), 200),
    "match of robberknights, as owner": (
        "owner",
        lambda site: reverse("match-detail", args=[site.knights.pk]) + "?at=90",
        200,
    ),
    "match, as owner": ("owner", lambda site: reverse("match-detail", args=[site.match.pk]), 200),
    "verify": ("stranger", lambda site: reverse("log-verify-doc"), 200),
    "checkpoints": ("stranger", lambda site: reverse("log-checkpoint-list"), 200),
    "checkpoint": ("stranger", lambda site: reverse("log-checkpoint", args=[1]), 200),
    "proof of an entry": ("stranger", lambda site: reverse("log-prove", args=[site.match.pk, 1]), 200),
    "seasons": ("owner", lambda site: reverse("league-seasons", args=["harbour"]), 200),
    "season": ("owner", lambda site: reverse("league-season", args=["harbour", "y1"]), 200),
    "season, closed": ("owner", lambda site: reverse("league-season", args=["harbour", "y0"]), 200),
    "hall of champions": ("stranger", lambda site: reverse("league-champions", args=["harbour"]), 200),
    "divisions": ("owner", lambda site: reverse("league-divisions", args=["harbour", "y1"]), 200),
    "campaigns": ("owner", lambda site: reverse("league-campaigns", args=["harbour"]), 200),
    "campaign": ("owner", lambda site: reverse("league-campaign", args=["harbour", "war"]), 200),
    "log of a league": ("owner", lambda site: reverse("league-log", args=["harbour"]), 200),
    **{
        f"record {kind}": ("owner", lambda site, kind=kind: reverse("league-record", args=["harbour", kind]), 200)
        for kind in ("service", "conduct", "mentoring", "event", "suspension", "restoration")
    },
    "inbox": ("owner", lambda site: reverse("inbox"), 200),
    "be forgotten": ("player", lambda site: reverse("settings-forget"), 200),
    "records joined": (
        "player",
        lambda site: reverse("person-records", args=[Person.objects.get(handle="tomas").pk]),
        200,
    ),
    "forget a person": ("owner", lambda site: reverse("person-forget", args=[site.guest.pk]), 200),
    "join a record": ("owner", lambda site: reverse("person-join", args=[site.guest.pk]), 200),
    "claim": (
        "stranger",
        lambda site: reverse("claim", args=[persons.claim_link(guest=site.guest, by=site.owner)]),
        200,
    ),
    "claim, damaged": ("stranger", lambda site: reverse("claim", args=["x" * 40]), 404),
    "head to head": ("stranger", lambda site: reverse("head-to-head", args=["mirela", "tomas"]), 200),
    "career, line by line": ("stranger", lambda site: reverse("career-history", args=["mirela"]), 200),
    "profile, own": ("owner", lambda site: reverse("profile", args=["mirela"]), 200),
    "honors": ("stranger", lambda site: reverse("honor-list"), 200),
    "honor": ("owner", lambda site: reverse("honor", args=["HON-04"]), 200),
    "honors of a league": ("owner", lambda site: reverse("league-honors", args=["harbour"]), 200),
    "nomination": ("owner", lambda site: reverse("nomination", args=[site.nomination.pk]), 200),
    "review of an honor": ("owner", lambda site: reverse("honor-review", args=[site.review.pk]), 200),
    "relations": ("owner", lambda site: reverse("league-relations", args=["harbour"]), 200),
    "leaderboards": ("stranger", lambda site: reverse("leaderboard-list"), 200),
    "leaderboard": ("stranger", lambda site: reverse("leaderboard", args=["hexwar"]), 200),
    "leaderboard by renown": ("stranger", lambda site: reverse("leaderboard", args=["hexwar"]) + "?by=renown", 200),
    "leaderboard by badges": ("stranger", lambda site: reverse("leaderboard", args=["hexwar"]) + "?by=badges", 200),
    "lessons": ("stranger", lambda site: reverse("lesson-list"), 200),
    "lesson": ("owner", lambda site: reverse("lesson", args=["LSN-KB-2"]), 200),
    "lesson on rulings": ("stranger", lambda site: reverse("lesson", args=["LSN-RULINGS"]), 200),
    **{
        f"question {number} of {lesson}": (
            "owner",
            lambda site, lesson=lesson, number=number: asked(site, lesson, number),
            200,
        )
        for lesson, number in (("LSN-KB-3", 1), ("LSN-KB-3", 2), ("LSN-RULINGS", 1), ("LSN-HX-3", 10), ("LSN-HX-3", 11))
    },
    "record a lesson": ("owner", lambda site: reverse("lesson-examine", args=["harbour"]), 200),
    "badges": ("stranger", lambda site: reverse("badge-list"), 200),
    "badge": ("stranger", lambda site: reverse("badge", args=["BDG-HX-01"]), 200),
    "profile": ("stranger", lambda site: reverse("profile", args=["mirela"]), 200),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_nothing_that_cannot_be_translated(
    name: str, site: Site, client: Client, owner_browser: Client, player_browser: Client
) -> None:
    who, address, status = PAGES[name]
    browser = {"stranger": client, "owner": owner_browser, "player": player_browser}[who]
    with pseudo_language():
        response = browser.get(address(site))
        page = response.content.decode()
    assert response.status_code == status, page[:400]
    assert "⟦" in page
    assert bare_texts(page, DATA) == []


@pytest.mark.parametrize("name", ["home", "welcome", "league-list", "match-list", "badge-list"])
def test_an_empty_page_says_nothing_that_cannot_be_translated(name: str, client: Client, db: None) -> None:
    with pseudo_language():
        page = client.get(reverse(name)).content.decode()
    assert bare_texts(page, DATA) == []


def test_a_bare_text_is_found_wherever_it_stands() -> None:
    page = (
        '<html lang="xx"><p>⟦Good ⟦5⟧ day⟧ <b>Oops</b></p><img alt="Picture"><p lang="en">A rule.</p>'
        "<code>word</code><p title='⟦fine⟧'>12 – Ada</p><input type=submit value=Send><script>let it</script></html>"
    )
    assert bare_texts(page, frozenset({"Ada"})) == ["Oops", "Picture", "Send"]
