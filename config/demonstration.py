"""The demonstration season: invented people, their league, and the logs of their matches over three years.

Only logs are made here. They go in through the same service that the upload page uses; whatever is shown of them is derived.
Everything has a fixed identity, so that a loading that was cut short goes on where it stopped.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from msgspec.structs import replace

from career.learning import services as lessons
from career.learning.lessons import BY_ID
from config import demonstration_tournament
from league import campaigns, records
from league import services as leagues
from league.models import League, Member
from matches import checkpoints, services
from matches.models import Match, Upload
from people import services as people
from people.models import Account, Grant, Person
from people.selectors import person_by_handle
from rulesengine import notation
from rulesengine.log import Header, Line, Log, Official
from rulesengine.play import play

SPACE = UUID("5b0a1f0e-3d0c-5d0f-9a63-8f1f6f1b6f10")
SLUG = "harbour"
ZONE = "Europe/Lisbon"
GOLDEN = settings.BASE_DIR / "tests" / "golden"


class Who(NamedTuple):
    """An invented person, and what they do in the league."""

    handle: str
    name: str
    roles: tuple[str, ...] = ()


CAST = (
    Who("mirela", "Mirela Osei", ("owner", "organizer")),
    Who("gia", "Gia Romano", ("referee",)),
    Who("noor", "Noor Haddad", ("mapmaster",)),
    Who("hal", "Hal Iversen", ("scribe",)),
    Who("ada", "Ada Moreau"),
    Who("bo", "Bo Lindqvist"),
    Who("cy", "Cy Okafor"),
    Who("dee", "Dee Castell"),
    Who("emre", "Emre Yıldız"),
    Who("fen", "Fen Zhao"),
    Who("ines", "Inês Marques"),
)
PLAYERS = [who.handle for who in CAST if not who.roles]
# Evenings: day, seed, how the machine plays, how many sit.
EVENINGS: tuple[tuple[str, int, str, int], ...] = (
    ("2024-02-09", 1, "greedy", 3), ("2024-03-08", 2, "greedy", 4), ("2024-04-12", 3, "greedy", 2), ("2024-05-17", 4, "random", 3),
    ("2024-06-14", 5, "greedy", 4), ("2024-09-13", 6, "greedy", 2), ("2024-10-11", 7, "greedy", 3), ("2024-11-15", 8, "random", 4),
    ("2025-01-17", 9, "greedy", 2), ("2025-02-14", 10, "greedy", 3), ("2025-03-14", 11, "greedy", 4), ("2025-04-11", 12, "random", 2),
    ("2025-05-16", 13, "greedy", 3), ("2025-06-13", 14, "greedy", 4), ("2025-09-12", 15, "greedy", 2), ("2025-10-10", 16, "random", 3),
    ("2025-11-14", 17, "greedy", 4), ("2026-01-16", 18, "greedy", 2), ("2026-02-13", 19, "random", 3), ("2026-03-13", 20, "greedy", 4),
    ("2026-04-17", 21, "greedy", 2), ("2026-06-12", 22, "greedy", 3), ("2026-09-11", 23, "greedy", 4), ("2026-10-16", 24, "greedy", 2),
)  # fmt: skip
# Matches written by hand, from the golden ones: name, day; of other games also who sits, and whether a referee wrote in it.
WRITTEN = (
    ("two_shores_four_rounds", "2025-07-04"),
    ("legal_three_capes", "2025-08-08"),
    ("four_winds_rich_start", "2026-07-10"),
)
OTHER_GAMES = (
    ("kingsquare", "chips_of_ten", "2026-07-08", ("emre", "fen"), False),
    ("kingsquare", "three_crowns_one_ford", "2026-08-21", ("ada", "bo", "cy"), False),
    ("kingsquare", "corrected_forward", "2026-09-25", ("ines", "emre"), True),
    ("kingsquare", "two_generals", "2026-10-09", ("ada", "bo"), True),
    ("robberknights", "corrected_by_referee", "2026-06-26", ("ada", "emre", "ines"), True),
)
# Evenings of the other games: game, day, seed, who sits; the machine plays greedily.
PLAYED = (
    ("kingsburg", "2025-12-12", 1, ("dee", "ines", "bo")),
    ("kingsburg", "2026-05-29", 2, ("cy", "fen")),
    ("robberknights", "2025-09-26", 3, ("fen", "dee")),
    ("robberknights", "2026-08-07", 4, ("bo", "cy", "ines", "fen")),
)


def load(say: Callable[[str], None], accounts: Path) -> None:
    """Load the season. What is there already is left alone.

    :param accounts: where the passwords of the invented people are kept; made at the first call, readable by its owner only
    """
    persons = _people(_passwords(accounts))
    league = _league(persons)
    by = {who.roles[0]: persons[who.handle] for who in CAST if who.roles}
    logs = list(_season())
    for number, (log, referee_wrote) in enumerate(logs, 1):
        uploader = by["referee"] if referee_wrote else by["scribe"]
        match = _recorded(log, uploader)
        if match.status == Match.Status.ENDED and number < len(logs):
            services.match_confirm(match=match, by=by["owner"])
        if number % 5 == 0 or number == len(logs):
            say(f"{number} of {len(logs)} matches")
    _friendly(persons)
    _held(league, by["scribe"])
    _chronicle(league, persons)
    demonstration_tournament.load(league, persons, at=timezone.now())
    if checkpoints.due(at=timezone.now()):
        checkpoints.make()


def _chronicle(league: League, persons: dict[str, Person]) -> None:
    """Write what the league keeps beside its matches: seasons, a campaign, services, a commendation, mentoring, lessons."""
    if league.seasons.exists():
        return
    owner, at = persons["mirela"], timezone.now()
    told: dict[str, Any] = {"league": league, "by": owner, "at": at}
    for year in (2024, 2025):
        season = records.season_open(
            key=str(year), title=f"Harbour {year}", first_day=date(year, 1, 1), best_n=8, **told
        )
        records.season_close(season=season, last_day=date(year, 12, 31), by=owner, at=at)
    records.season_open(key="2026", title="Harbour 2026", first_day=date(2026, 1, 1), points=[10, 6, 4, 3], **told)
    campaign = records.campaign_open(key="northern-war", title="The Northern War", game="hexwar", **told)
    played = Match.objects.filter(league=league.pk, game="hexwar", status=Match.Status.CONFIRMED).order_by(
        "-played_on", "pk"
    )
    ids = list(played.values_list("pk", flat=True)[:4])
    if len(ids) >= campaigns.LEAST:
        records.campaign_close(campaign=campaign, match_ids=ids, by=owner, at=at)
    for number in range(6):
        records.service_record(
            person=persons["hal"], kind="setting_up", minutes=320, day=date(2026, 3 + number, 6), **told
        )
    records.service_record(person=persons["ada"], kind="teaching", minutes=120, day=date(2026, 9, 4), **told)
    records.conduct_note(
        person=persons["bo"],
        kind="commendation",
        note="Lent his own board when one was short.",
        day=date(2026, 9, 11),
        **told,
    )
    first = played.filter(seats__person=persons["ines"]).order_by("played_on", "pk").first()
    if first is not None:
        records.mentor_assign(mentor=persons["ada"], newcomer=persons["ines"], match=first, **told)
    for lesson in ("LSN-HX-1", "LSN-HX-3", "LSN-KS-1", "LSN-RULINGS"):
        lessons.lesson_examine(person=persons["ada"], lesson=BY_ID[lesson], **told)


def _passwords(path: Path) -> dict[str, str]:
    """Return the passwords by handle, made and kept at the first call."""
    if path.exists():
        return {row["handle"]: row["password"] for row in json.loads(path.read_text())}
    rows = [
        {
            "role": who.roles[0] if who.roles else "player",
            "handle": who.handle,
            "email": _email(who),
            "password": secrets.token_urlsafe(9),
        }
        for who in CAST
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(rows, indent=1))
    new.replace(path)
    return {str(row["handle"]): str(row["password"]) for row in rows}


def _email(who: Who) -> str:
    return f"{who.handle}@demo.example.org"


def _people(passwords: dict[str, str]) -> dict[str, Person]:
    persons = {}
    for who in CAST:
        person = person_by_handle(who.handle)
        if person is None:
            account: Account = people.account_create(_email(who), passwords[who.handle], who.handle, who.name)
            person = account.person
            person.is_demo = True
            person.save(update_fields=["is_demo"])
        if "owner" in who.roles:
            people.grant_give(person=person, role=Grant.Role.OWNER, scope="site", by=None)
        persons[who.handle] = person
    return persons


def _league(persons: dict[str, Person]) -> League:
    owner = persons["mirela"]
    at = timezone.now()
    league = League.objects.filter(slug=SLUG).first() or leagues.league_open(
        name="Harbour League", slug=SLUG, by=owner, at=at, timezone=ZONE, is_demo=True
    )
    for who in CAST:
        person = persons[who.handle]
        if not Member.objects.filter(league=league, person=person, until=None).exists():
            leagues.member_add(league=league, person=person, by=owner, at=at, since=date(2024, 2, 1))
        for role in who.roles:
            if not Grant.objects.filter(person=person, role=role, scope=league.scope).exists():
                leagues.role_give(league=league, person=person, role=role, by=owner, at=at)
    return league


def _season() -> Iterator[tuple[Log, bool]]:
    """Yield the logs of the season in order of play, each with whether a referee's corrections are in it."""
    made: list[tuple[str, Log, bool]] = []
    for number, (day, seed, player, count) in enumerate(EVENINGS):
        log = play("hexwar", seed=seed, player=player, seats=count)  # type: ignore[arg-type]
        made.append((day, _at_table(log, day, _sitting(number, count), number + 1), False))
    for number, (name, day) in enumerate(WRITTEN, len(EVENINGS)):
        log = _golden("hexwar", name)
        made.append((day, _at_table(log, day, _sitting(number, len(log.header.seats)), number + 1), False))
    corrected = _golden("hexwar", "corrected_by_referee")
    made.append(("2026-05-15", _at_table(corrected, "2026-05-15", ["ines", "cy"], 30), True))
    for number, (game, name, day, handles, refereed) in enumerate(OTHER_GAMES, 31):
        made.append((day, _at_table(_golden(game, name), day, handles, number), refereed))
    for number, (game, day, seed, handles) in enumerate(PLAYED, 41):
        log = play(game, seed=seed, player="greedy", seats=len(handles))
        made.append((day, _at_table(log, day, handles, number), False))
    yield from ((log, refereed) for _day, log, refereed in sorted(made, key=lambda one: one[0]))


def _golden(game: str, name: str) -> Log:
    return notation.parse((GOLDEN / game / f"{name}.log.txt").read_bytes(), name=f"{name}.log.txt")


def _sitting(number: int, count: int) -> list[str]:
    """Return who sits at a table: everybody meets everybody in time."""
    start, step = number * 3, 1 + number % 3
    seats: list[str] = []
    while len(seats) < count:
        handle = PLAYERS[(start + len(seats) * step) % len(PLAYERS)]
        while handle in seats:
            handle = PLAYERS[(PLAYERS.index(handle) + 1) % len(PLAYERS)]
        seats.append(handle)
    return seats


def _serving(number: int, sitting: Sequence[str]) -> list[tuple[str, str]]:
    """Return who serves at a table: those who hold the office, or now and then somebody who sits this one out."""
    resting = [handle for handle in PLAYERS if handle not in sitting]
    scribe = resting[number % len(resting)] if number % 2 else "hal"
    mapmaster = resting[(number + 1) % len(resting)] if number % 3 == 0 and scribe == "hal" else "noor"
    return [("scribe", scribe), ("referee", "gia"), ("mapmaster", mapmaster)]


def _at_table(log: Log, day: str, handles: Sequence[str], number: int, *, league: bool = True) -> Log:
    """Return a log as it would come from a table of the league: its people, its evening, times of its entries."""
    names = {who.handle: who.name for who in CAST}
    seats = tuple(
        replace(seat, name=names[handle], player=handle) for seat, handle in zip(log.header.seats, handles, strict=True)
    )
    officials = tuple(Official(role, names[handle], handle) for role, handle in _serving(number, handles))
    header = Header(
        log=log.header.log,
        game=log.header.game,
        rules=log.header.rules,
        played_on=day,
        seats=seats,
        id=str(uuid5(SPACE, f"match {number}")),
        timezone=ZONE,
        title=f"Harbour evening {number}" if league else "At Emre's kitchen table",
        officials=officials if league else (),
        options=log.header.options,
        context={"league": SLUG, "season": day[:4], "table": 1} if league else {},
    )
    start = datetime.combine(date.fromisoformat(day), time(19, 30), ZoneInfo(ZONE)).astimezone(UTC)
    pace = timedelta(seconds=min(60, 9000 // max(1, len(log.lines))))
    lines = tuple(replace(line, at=_moment(start + pace * line.seq), number=None) for line in log.lines)
    return Log(header, lines)


def _moment(at: datetime) -> str:
    return at.astimezone(ZoneInfo(ZONE)).isoformat(timespec="seconds")


def _recorded(log: Log, by: Person) -> Match:
    """Return the match of a log, recorded as the upload page does it, if it is not there yet."""
    there = Match.objects.filter(pk=UUID(log.header.id or "")).first()
    if there is not None:
        return there
    name = f"evening-{log.header.played_on}.jsonl"
    upload = services.upload_check(by=by, name=name, raw=notation.write(log, "jsonl"))
    return services.upload_record(upload=upload, by=by, is_demo=True)


def _friendly(persons: dict[str, Person]) -> None:
    """A friendly match that both players signed: the last signature confirms it."""
    log = _at_table(play("hexwar", seed=25, player="greedy", seats=2), "2026-11-07", ["emre", "fen"], 40, league=False)
    match = _recorded(log, persons["emre"])
    signed = {seat.person_id for seat in match.seats.all() if seat.signed_at is not None}
    for handle in ("emre", "fen"):
        if persons[handle].pk not in signed:
            services.result_sign(match=Match.objects.get(pk=match.pk), by=persons[handle])


def _held(league: League, scribe: Person) -> None:
    """A file with lines that a rule forbids, on the desk of the league's referees."""
    log = _golden("hexwar", "with_findings")
    # Without the lines that are impossible, or would make later ones so if a referee accepted them.
    kept = [line for line in log.lines if line.seq not in (4, 10, 22, 28)]
    lines: list[Line] = [replace(line, seq=number) for number, line in enumerate(kept, 1)]
    log = _at_table(Log(log.header, tuple(lines)), "2026-11-20", ["ada", "bo"], 50)
    match_id = UUID(log.header.id or "")
    if Upload.objects.filter(match_id=match_id).exists() or Match.objects.filter(pk=match_id).exists():
        return
    raw = notation.write(log, "text")
    upload = services.upload_check(by=scribe, name="evening-2026-11-20.log.txt", raw=raw)
    services.upload_hold(upload=upload, by=scribe, reason="The table played these before anybody looked them up.")
