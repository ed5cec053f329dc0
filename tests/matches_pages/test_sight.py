"""While a match runs, no way out of the site shows what the rules hide: every type of event, every viewer, every way out."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from datetime import date
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command, get_commands
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from msgspec.structs import replace

from matches import checkpoints, selectors, services, sight
from matches.models import Match, Upload
from people.models import Person
from rulesengine import notation, registry
from rulesengine.log import Line
from rulesengine.notation import envelope
from rulesengine.sight import BECAUSE, HIDDEN, hides
from tests.conftest import ROOT
from tests.matches_pages import secrets
from tests.matches_pages.conftest import SignIn, league_header
from tests.matches_pages.secrets import SECRET, Case, Row

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_game")]

CASES = {
    "sealed": secrets.sealed,
    "kingsquare": secrets.kingsquare,
    "kingsburg": secrets.kingsburg,
    "robberknights": secrets.robberknights,
}
VIEWERS = ("official", "A", "B", "member", "anonymous")


class Viewer:
    """Somebody who looks at a match: as whom they see it, and a browser in which they are signed in."""

    def __init__(self, key: str, person: Person | None, client: Client) -> None:
        self.key, self.person, self.client = key, person, client
        self.eyes = key if key in ("official", "A", "B") else "-"
        self.handle = person.handle if person else None

    def secrets(self, case: Case) -> tuple[str, ...]:
        """Return the secrets of the match that are theirs."""
        return case.known.get(self.eyes, ())

    def leak(self, case: Case, said: bytes) -> str | None:
        """Return what an answer gives away, None if nothing."""
        if self.eyes == "official":
            return None
        text = said.decode()
        for known in sorted(self.secrets(case), key=len, reverse=True):
            text = text.replace(known, "")
        at = text.find(SECRET)
        return None if at < 0 else text[max(0, at - 80) : at + 60]


@pytest.fixture
def viewers(
    browser: SignIn, referee: Person, ada: Person, bo: Person, stranger: Person, organizer: Person
) -> dict[str, Viewer]:
    people = dict(zip(VIEWERS, (referee, ada, bo, stranger, None), strict=True))
    return {key: Viewer(key, one, browser(one) if one else Client()) for key, one in people.items()}


# The ways out --------------------------------------------------------------------------------------------------------

type Way = Callable[[Viewer, Match], Iterator[bytes]]


def _get(viewer: Viewer, url: str, **how: Any) -> bytes:
    answer = viewer.client.get(url, **how)
    assert answer.status_code < 500, url
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def _post(viewer: Viewer, url: str, body: Any, **how: Any) -> bytes:
    answer = viewer.client.post(url, body, **how)
    assert answer.status_code < 500, url
    return answer.content


def page(viewer: Viewer, match: Match) -> Iterator[bytes]:
    url = reverse("match-detail", args=[match.pk])
    yield _get(viewer, url)
    yield _get(viewer, f"{url}?from=0&correct=2")
    yield _get(viewer, f"{url}?correct=4")


def moments(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """What the browser swaps in as the replay is stepped through."""
    for at in range(match.seq + 1):
        url = f"{reverse('match-detail', args=[match.pk])}?at={at}"
        yield _get(viewer, url, headers={"HX-Request": "true"})


def downloads(viewer: Viewer, match: Match) -> Iterator[bytes]:
    for form in ("jsonl", "text", "csv", "full"):
        yield _get(viewer, reverse("match-download", args=[match.pk, form]))


def acts(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """Previews of corrections and refusals on the page; nothing of it is stored."""
    for act, body in (
        ("void", {"target_seq": 2, "reason": "x"}),
        ("amend", {"target_seq": 2, "data": "{}", "reason": "x"}),
        ("adjust", {"path": "things", "old": "1", "new": "2", "reason": "x"}),
        ("ruling", {"about_seq": 2, "question": "x", "decision": "x"}),
        ("dispute", {"reason": "x"}),
        ("sign", {}),
        ("confirm", {}),
    ):
        for seq in (match.seq, 1):
            url = reverse("match-act", args=[match.pk, act])
            if act in ("void", "amend", "adjust", "ruling") or seq == 1:
                yield _post(viewer, url, {**body, "expected_seq": seq, "step": "preview"})


def lists(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """Where matches are named among others."""
    for name in ("home", "match-list", "desk", "upload", "api-matches", "api-uploads", "league-list", "badge-list"):
        yield _get(viewer, reverse(name))
    yield _get(viewer, f"{reverse('match-list')}?text={SECRET}")
    yield _get(viewer, reverse("league-detail", args=["winter"]))
    yield _get(viewer, reverse("profile", args=["ada"]))
    yield _get(viewer, reverse("api-person", args=["ada"]))
    for rule in registry.get(match.edition).rules:
        yield _get(viewer, reverse("codex-rule", args=[match.game, match.edition, rule.id]))
    yield _get(viewer, reverse("codex-game", args=[match.game]))


def api(viewer: Viewer, match: Match) -> Iterator[bytes]:
    for name in ("api-match", "api-match-events", "api-match-report", "api-match-log", "api-match-chain"):
        yield _get(viewer, reverse(name, args=[match.pk]))
    for form in ("jsonl", "text", "csv", "full"):
        yield _get(viewer, f"{reverse('api-match-log', args=[match.pk])}?to={form}")


def api_states(viewer: Viewer, match: Match) -> Iterator[bytes]:
    for at in range(match.seq + 1):
        yield _get(viewer, f"{reverse('api-match-state', args=[match.pk])}?at={at}")


def api_answers(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """How an entry is declined: stale, refused, or with an id that another entry has."""
    url = reverse("api-match-events", args=[match.pk])
    taken = str(Match.objects.get(pk=match.pk).pk)
    for body in (
        {"expected_seq": 1, "type": "match_paused"},
        {"expected_seq": match.seq, "type": "thing_hit", "seat": "A", "data": {"thing": "h1"}},
        {"expected_seq": 1, "type": "thing_placed", "data": {}, "id": taken},
    ):
        yield _post(viewer, url, json.dumps(body), content_type="application/json")


def uploads(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """A file of the match in another version: what is said to differ, and the report."""
    header, *rows = sight.match_export(match, "jsonl", viewer.person).decode().splitlines()
    rows[0] = rows[0].replace("open-", "other-")
    raw = "\n".join((header, *rows)).encode()
    yield _post(viewer, reverse("api-uploads"), {"file": SimpleUploadedFile("m.jsonl", raw)})
    for upload in Upload.objects.filter(by=viewer.person) if viewer.person else ():
        yield _get(viewer, reverse("upload-detail", args=[upload.pk]))
        yield _get(viewer, reverse("api-upload", args=[upload.pk]))
        yield _post(viewer, reverse("upload-act", args=[upload.pk]), {"act": "record"})
        yield _post(viewer, reverse("api-upload-record", args=[upload.pk]), {}, content_type="application/json")
        yield _post(viewer, reverse("api-upload-hold", args=[upload.pk]), {}, content_type="application/json")


def commands(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """Commands are an operator's; with --by they answer as the site answers that person."""
    if viewer.handle is None:
        return
    for more in (["--to", "jsonl"], ["--to", "text"], ["--to", "csv"], ["--full"]):
        out = StringIO()
        try:
            call_command("export_log", str(match.pk), *more, "--by", viewer.handle, stdout=out)
        except CommandError as error:
            out.write(str(error))
        yield out.getvalue().encode()
    out = StringIO()
    call_command("verify_log", str(match.pk), stdout=out)
    call_command("career", viewer.handle, "--json", stdout=out)
    yield out.getvalue().encode()


def own_archive(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """All that is kept of somebody: what they wrote themselves, and files that they uploaded."""
    content = _get(viewer, reverse("settings-download"))
    if content[:2] == b"PK":
        archive = ZipFile(BytesIO(content))
        for name in archive.namelist():
            yield archive.read(name)


def proofs(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """That the log is under a signed checkpoint: whoever may not see an entry gets no hash."""
    made = checkpoints.make()
    yield _get(viewer, reverse("log-proof", args=[made.number, match.pk]))
    for seq in range(match.seq + 1):
        yield _get(viewer, reverse("log-prove", args=[match.pk, seq]))
    yield _get(viewer, reverse("log-checkpoint-list"))
    yield _get(viewer, reverse("log-checkpoint", args=[made.number]))
    yield _get(viewer, reverse("log-checkpoint-json", args=[made.number]))


def legal(viewer: Viewer, match: Match) -> Iterator[bytes]:
    """What is proposed to be recorded next."""
    for event in sight.of(match, viewer.person).legal():
        yield repr(event).encode()


WAYS: dict[str, tuple[Way, frozenset[str]]] = {
    "page": (page, frozenset({"match-detail"})),
    "moments": (moments, frozenset({"match-detail"})),
    "downloads": (downloads, frozenset({"match-download"})),
    "acts": (acts, frozenset({"match-act"})),
    "lists": (
        lists,
        frozenset({
            "home", "match-list", "desk", "upload", "api-matches", "api-uploads", "league-list", "league-detail", "profile",
            "badge-list", "codex-game",
            "codex-rule",
            "api-person",
        }),
    ),
    "API": (api, frozenset({"api-match", "api-match-events", "api-match-report", "api-match-log", "api-match-chain"})),
    "API: state": (api_states, frozenset({"api-match-state"})),
    "API: answers": (api_answers, frozenset({"api-match-events"})),
    "uploads": (
        uploads,
        frozenset({"upload-detail", "upload-act", "api-upload", "api-upload-record", "api-upload-hold", "api-uploads"}),
    ),
    "commands": (commands, frozenset()),
    "own archive": (own_archive, frozenset({"settings-download"})),
    "proofs": (
        proofs,
        frozenset({"log-proof", "log-prove", "log-checkpoint-list", "log-checkpoint", "log-checkpoint-json"}),
    ),
    "legal": (legal, frozenset()),
}  # fmt: skip
"""Every way out: what is asked for by it, and the names of the addresses that it covers."""

TELLING = {"page", "moments", "downloads", "acts", "API", "API: state", "API: answers", "commands"}
"""Ways on which an official meets secrets."""
NOTHING_OF_A_MATCH = {
    **dict.fromkeys(
        (
            "tournament-list", "tournament-new", "tournament-detail", "tournament-standings", "tournament-player", "tournament-entrants",
            "tournament-log", "tournament-about", "tournament-me", "tournament-own-act", "tournament-match", "tournament-result",
            "tournament-check-in", "tournament-desk", "tournament-act", "tournament-undo", "tournament-hall", "tournament-print",
            "league-champions", "league-divisions", "tournament-trf", "tournament-pairings-file", "tournament-standings-file", "api-tournaments", "api-tournament",
            "api-tournament-rounds", "api-tournament-standings", "api-tournament-director-log",
        ),
        "pairings, and places in matches that have ended",
    ),
    "badge": "who holds a badge: careers are made of matches that are over",
    "codex-index": "rules alone",
    "leaderboard-list": "ratings: made of matches that are over",
    "leaderboard": "ratings: made of matches that are over",
    "api-leaderboard": "ratings: made of matches that are over",
    "inbox": "notices",
    "inbox-read": "notices",
    "settings-notices": "notices",
    "settings-forget": "one's own account",
    "person-forget": "a name",
    "person-link": "a link",
    "claim": "titles and days of matches",
    "person-join": "titles and days of matches",
    "person-records": "records of a person",
    "person-split": "records of a person",
    "head-to-head": "places in matches that are over",
    "career-history": "places in matches that are over",
    "career-hide": "what somebody hides",
    "honor-list": "what honors there are",
    "honor": "who holds an honor",
    "honor-act": "honors",
    "honor-review": "honors, and penalties in matches that are over",
    "nomination": "honors: figures of matches that are over",
    "league-honors": "honors",
    "league-relations": "members",
    "lesson-list": "rules alone",
    "lesson": "rules alone",
    "lesson-start": "rules alone",
    "lesson-test": "rules, and matches that the machine played",
    "lesson-examine": "members and lessons",
    "league-seasons": "seasons",
    "league-season": "places in matches that are over",
    "league-season-close": "places in matches that are over",
    "league-season-reopen": "seasons",
    "league-campaigns": "campaigns",
    "league-campaign": "places in matches that are over",
    "league-log": "the stream of a league, in which nothing is hidden",
    "league-record": "members, and matches by day and names",
    "league-strike": "notes on conduct",
    "match-sportsmanship": "who took part in a match",
    "codex": "rules alone",
    "codex-compare": "rules alone",
    "codex-open": "rules alone",
    "api-root": "where to read on",
    "api-people": "persons",
    "api-me": "one's own account",
    "api-leagues": "leagues",
    "api-league": "leagues",
    "api-league-members": "members",
    "log-keys": "the public keys of the site",
    "log-verify-doc": "a text",
    "log-verify-program": "a program",
    "operations": "jobs and sizes, for owners",
    "operations-job-retry": "a job", "operations-job-stop": "a job", "operations-match-retry": "a match that is over",
    "operations-mail-retry": "a mail",
    "health": "a word", "health-ready": "figures of the site",
    "api-docs": "the API's shape",
    "settings": "one's own account", "settings-handle": "one's own account", "settings-token": "one's own account",
    "settings-token-revoke": "one's own account", "welcome": "one's own account", "roles": "the table of rights",
    "account-page": "one's own account",
    "league-new": "a form", "league-member-add": "an act on members", "league-guest-add": "an act on members",
    "league-member-remove": "an act on members", "league-member-privacy": "an act on members", "league-role-give": "an act on roles",
    "league-role-revoke": "an act on roles", "league-settings": "a form", "league-close": "an act on the league",
    "league-reopen": "an act on the league",
}  # fmt: skip
COMMANDS = {
    "export_log": "in the table of ways out", "verify_log": "in the table of ways out", "career": "in the table of ways out",
    "upload_log": "answers what upload_check answers its caller, an operator with the file at hand",
    "derive": "careers: of matches that are over", "backup": "the whole database, for who has it anyway", "restore": "into a database",
    "load_demo": "writes", "simulate_season": "writes", "grant": "writes", "league_open": "writes", "member_add": "writes",
    "pair": "files alone", "standings": "files alone", "tournament": "pairings, and places in matches that have ended",
    "account_create": "writes", "cite": "writes; rule pages name matches that are over",
}  # fmt: skip


def _patterns(resolver: Any) -> Iterator[URLPattern]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _patterns(one)
        else:
            yield one


def test_every_address_of_the_site_is_in_the_table_of_ways_out() -> None:
    covered = frozenset().union(*(names for _way, names in WAYS.values()))
    rooms = ("matches.", "league.", "career.", "people.", "config.")
    names = {one.name for one in _patterns(get_resolver()) if one.callback.__module__.startswith(rooms) and one.name}
    assert names - covered - NOTHING_OF_A_MATCH.keys() == set(), (
        "does it show anything of a running match? Say so in WAYS"
    )
    assert not covered & NOTHING_OF_A_MATCH.keys()
    assert (covered | NOTHING_OF_A_MATCH.keys()) - names == set(), "no such address any more"


def test_every_command_is_in_the_table_of_ways_out() -> None:
    own = {name for name, app in get_commands().items() if app in ("matches", "league", "career", "people", "config")}
    assert own == COMMANDS.keys(), "does it show anything of a running match? Say so in WAYS"


READS = frozenset({
    "match_log", "match_replay", "match_verified", "export_log", "chained", "of_stream", "of_entry", "log_rows", "match_log_rows",
})  # fmt: skip
WHO_DECIDES = {
    "matches/selectors.py": "the reads themselves", "matches/sight.py": "the way out itself", "matches/log.py": "the log itself",
    "matches/texts.py": "the texts themselves", "matches/checkpoints.py": "hashes; who may not see an entry gets none",
    "matches/services/checking.py": "compares a file; what it answers goes through sight",
    "matches/services/live.py": "checks entries; what it answers goes through sight",
    "matches/services/opening.py": "corrects a result; shows nothing",
    "matches/services/standing.py": "brings the match's row up to the log", "matches/services/restoring.py": "writes",
    "career/services.py": "careers: of matches that are over",
    "career/selectors.py": "how far behind the careers are",
    "config/operations.py": "how large the log is",
    "league/directing/stream.py": "streams of tournaments, in which nothing is hidden",
    "league/stream.py": "streams of leagues, in which nothing is hidden",
    "league/selectors.py": "who was General, by handle",
    "matches/persons.py": "where a name stands that is to be erased; shows nothing",
    "matches/telling.py": "what somebody wrote themselves, for their own archive",
    "career/honors/figures.py": "penalties; rulings and corrections in matches that are over",
    "career/honors/services.py": "in which matches a severe penalty was recorded",
    "career/honors/selectors.py": "citations and reasons beside the streams of leagues",
    "matches/management/commands/cite.py": "writes; rule pages name matches that are over",
}  # fmt: skip


def _readers() -> set[str]:
    """Return the files of the site that read the log of a match, whole."""
    found = set()
    for room in ("matches", "league", "career", "people", "config"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and node.attr in READS:
                    found.add(str(path.relative_to(ROOT)))
                if (
                    isinstance(node, ast.Constant)
                    and isinstance(node.value, str)
                    and "from matches_event" in node.value
                ):
                    found.add(str(path.relative_to(ROOT)))
    return found


def test_only_what_decides_reads_a_log_past_the_sight_of_the_reader() -> None:
    assert _readers() - WHO_DECIDES.keys() == set(), "what leaves the site goes through matches.sight"


# Every type, every viewer, every way ---------------------------------------------------------------------------------


def test_every_game_that_hides_something_is_among_the_cases() -> None:
    hiding = {game for game in registry.games() if hides(registry.get(registry.in_force(game, date(2026, 11, 28)).key))}
    assert hiding == CASES.keys(), "write a match full of secrets of the game in tests/matches_pages/secrets.py"


@pytest.mark.parametrize("game", CASES)
def test_every_type_of_event_is_among_the_entries(game: str) -> None:
    case = CASES[game]()
    assert {row.type for row in case.rows} == case.types()
    assert any(row.how("A") == "hidden" for row in case.rows)


@pytest.mark.parametrize("who", VIEWERS)
@pytest.mark.parametrize("game", CASES)
def test_no_way_out_shows_a_viewer_what_is_hidden_from_them(
    game: str, who: str, viewers: dict[str, Viewer], organizer: Person
) -> None:
    case, viewer = CASES[game](), viewers[who]
    match = secrets.running(case, organizer)
    leaks = {}
    for name, (way, _addresses) in WAYS.items():
        answers = list(way(viewer, match))
        if who == "official" and name in TELLING and name not in case.silent:
            assert any(SECRET.encode() in said for said in answers), f"{name} shows nothing of what could be hidden"
        for said in answers:
            leak = viewer.leak(case, said)
            if leak is not None:
                leaks[name] = leak
    assert leaks == {}


@pytest.mark.parametrize("who", VIEWERS)
@pytest.mark.parametrize("game", CASES)
def test_every_entry_is_shown_whole_in_part_or_not_at_all(
    game: str, who: str, viewers: dict[str, Viewer], organizer: Person
) -> None:
    """Of each type of event, by each way on which entries are read one by one."""
    case, viewer = CASES[game](), viewers[who]
    match = secrets.running(case, organizer)
    full = notation.parse(sight.match_export(match, "jsonl", organizer), name="m.jsonl")
    events = json.loads(_get(viewer, f"{reverse('api-match-events', args=[match.pk])}?limit=200"))["results"]
    files = [
        notation.parse(_get(viewer, reverse("match-download", args=[match.pk, form])), name=f"m.{ending}")
        for form, ending in (("jsonl", "jsonl"), ("text", "log.txt"), ("csv", "csv"))
    ]
    assert len(events) == len(full.lines) == len(case.rows)
    for seq, (row, line) in enumerate(zip(case.rows, full.lines, strict=True), 1):
        how = row.how(viewer.eyes)
        for shown in (events[seq - 1], *(envelope.event_values(file.lines[seq - 1]) for file in files)):
            shown = {key: value for key, value in shown.items() if key not in ("recorded_at", "at")}
            what = f"entry {seq}, {row.type}, to {who}: {shown}"
            if how == "hidden":
                assert shown.pop("seq", seq) == seq and shown.pop("data", {}) == {}, what
                assert shown == {"type": HIDDEN}, what
                continue
            assert (shown["type"], shown.get("seat")) == (row.type, row.seat), what
            assert (shown.get("data", {}) == line.payload()) == (how == "whole"), what
            assert shown.get("note") == (line.note if how == "whole" else None), what


@pytest.mark.parametrize("game", CASES)
def test_from_the_end_on_everybody_sees_everything(game: str, viewers: dict[str, Viewer], organizer: Person) -> None:
    case = CASES[game]()
    match = secrets.running(case, organizer)
    over = secrets.ended(match, Row("match_abandoned", None, {"reason": "rain"}), organizer)
    full = sight.match_export(over, "full", organizer)
    for viewer in viewers.values():
        assert _get(viewer, reverse("match-download", args=[over.pk, "full"])).count(b'"hash"') == full.count(b'"hash"')
        chain = json.loads(_get(viewer, reverse("api-match-chain", args=[over.pk])))
        assert chain["head"] == bytes(over.head_hash).hex()
        events = json.loads(_get(viewer, f"{reverse('api-match-events', args=[over.pk])}?limit=200"))["results"]
        assert [one["type"] for one in events] == [row.type for row in case.rows] + ["match_abandoned"]


# The chain, and whoever guesses --------------------------------------------------------------------------------------


@pytest.fixture
def hidden(organizer: Person, ada: Person, bo: Person) -> Match:
    return secrets.running(secrets.sealed(), organizer)


def test_no_hash_is_shown_while_an_entry_is_hidden(hidden: Match, viewers: dict[str, Viewer]) -> None:
    """A hash of what has few possible values is as good as the value."""
    head = bytes(hidden.head_hash).hex()
    for key in ("A", "member", "anonymous"):
        chain = json.loads(_get(viewers[key], reverse("api-match-chain", args=[hidden.pk])))
        assert (chain["head"], chain["whole"], chain["entries"]) == (None, True, hidden.seq + 1)
        assert head[:16].encode() not in _get(viewers[key], reverse("match-detail", args=[hidden.pk]))
        for url in (
            reverse("match-download", args=[hidden.pk, "full"]),
            f"{reverse('api-match-log', args=[hidden.pk])}?to=full",
        ):
            answer = viewers[key].client.get(url)
            assert answer.status_code == 403 or (key == "anonymous" and answer.status_code == 401)
            assert b"from the end of the match on" in answer.content
    chain = json.loads(_get(viewers["official"], reverse("api-match-chain", args=[hidden.pk])))
    assert chain["head"] == head


def test_the_chain_is_shown_while_nothing_is_hidden(
    organizer: Person, ada: Person, bo: Person, viewers: dict[str, Viewer]
) -> None:
    case = replace(secrets.sealed(), rows=(secrets.sealed().rows[0], secrets.sealed().rows[5]))
    match = secrets.running(case, organizer)
    chain = json.loads(_get(viewers["anonymous"], reverse("api-match-chain", args=[match.pk])))
    assert chain["head"] == bytes(match.head_hash).hex()


def test_a_file_is_no_guess_at_what_is_hidden(hidden: Match, ada: Person, organizer: Person) -> None:
    """A player's file with a wrong guess in the place of a hidden entry is answered as one with the right guess."""
    log = selectors.match_log(hidden)
    answers = []
    for place in ("sekret-vale", "sekret-elsewhere"):
        lines = list(log.lines)
        lines[1] = replace(lines[1], data=json.dumps({"thing": "h1", "place": place}).encode())
        raw = notation.write(replace(log, lines=tuple(replace(line, recorded_at=None) for line in lines)), "jsonl")
        report = services.upload_check(by=ada, name="m.jsonl", raw=raw).report
        answers.append((report["again"], report["different"]))
    assert answers[0] == answers[1]
    upload = services.upload_check(by=organizer, name="m.jsonl", raw=raw)
    assert [row["where"] for row in upload.report["different"]] == [2], "an official is told"


def test_the_id_of_a_running_match_is_no_guess_either(organizer: Person, ada: Person, bo: Person) -> None:
    """A file without an id is the same match whenever it is sent, yet nobody else can compute which."""
    case = secrets.sealed()
    row = {"type": case.rows[1].type, "data": case.rows[1].data}
    raw = "\n".join(json.dumps(each) for each in (case.header, row)).encode()
    one, other = (services.upload_check(by=who, name="m.jsonl", raw=raw) for who in (organizer, ada))
    assert one.match_id == other.match_id != notation.match_id(notation.parse(raw, name="m.jsonl"))
    match = services.upload_record(upload=one, by=organizer)
    assert services.upload_check(by=organizer, name="m.jsonl", raw=raw).report["again"]
    assert match.pk == one.match_id


def test_the_hashes_of_a_file_are_no_guess_either(hidden: Match, ada: Person, organizer: Person) -> None:
    """A hash in a file is compared with the recorded one only for who sees what it is made of."""
    header, *rows = sight.match_export(hidden, "full", organizer).decode().splitlines()
    wrong = json.loads(rows[-1])
    wrong["hash"] = "0" * 64
    changed = "\n".join((header, *rows[:-1], json.dumps(wrong))).encode()
    answers = []
    for raw in ("\n".join((header, *rows)).encode(), changed):
        report = services.upload_check(by=ada, name="m.jsonl", raw=raw).report
        answers.append([row for row in report["findings"] if "hash" not in row["message"]])
    assert answers[0] == answers[1]


def test_the_id_of_a_hidden_entry_is_no_guess(bo: Person, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a friendly the players record; the id of an entry follows from its number, so anybody can name it."""
    from matches import log as match_log

    match = friendly(ada, bo)
    for place in ("sekret-vale", "sekret-elsewhere"):
        line = Line(
            0,
            "thing_placed",
            data=json.dumps({"thing": "h1", "place": place}).encode(),
            id=str(match_log.derived_id(match.pk, 1)),
        )
        with pytest.raises(services.NotRecordable, match="belongs to an entry that is hidden from you"):
            services.event_record(match_id=match.pk, line=line, expected_seq=0, by=bo)


def friendly(opener: Person, player: Person) -> Match:
    """Return a friendly that its MapMaster opened and in which somebody else plays seat A; one thing is hidden."""
    header = league_header(
        game="sealed", rules="sealed-1", options={}, context={},
        seats=[{"seat": "A", "name": "Bo Lindqvist", "player": player.handle}, {"seat": "B", "name": "Cy"}],
    )  # fmt: skip
    rows = [{"type": "thing_placed", "data": {"thing": "h1", "place": "sekret-vale"}}]
    raw = "\n".join(json.dumps(row) for row in (header, *rows)).encode()
    return services.upload_record(upload=services.upload_check(by=opener, name="m.jsonl", raw=raw), by=opener)


# Refusals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (Line(0, "thing_hit", "A", b'{"thing":"h1"}'), BECAUSE),
        (Line(0, "thing_placed", None, b'{"thing":"h1","place":"yard"}'), BECAUSE),
        (Line(0, "thing_hit", "A", b'{"thing":"nothing"}'), "there is no thing nothing; there are none"),
        (Line(0, "point_scored", "A", b'{"points":10}'), "10 points are more than 9"),
        (Line(0, "point_scored", "A", b'{"points":"x"}'), '"points" is text'),
    ],
)
def test_a_refusal_tells_a_player_nothing_of_what_is_hidden(line: Line, said: str, ada: Person, bo: Person) -> None:
    match = friendly(ada, bo)
    with pytest.raises(services.Refused) as refused:
        services.event_record(match_id=match.pk, line=line, expected_seq=1, by=bo)
    assert said in refused.value.refusal.because
    told = f"{refused.value} {refused.value.refusal}"
    assert SECRET not in told


def test_whoever_hid_it_is_told_why_an_entry_is_refused(ada: Person, bo: Person) -> None:
    match = friendly(ada, bo)
    with pytest.raises(services.Refused, match="the thing h1 at sekret-vale is hidden"):
        services.event_record(
            match_id=match.pk, line=Line(0, "thing_hit", "A", b'{"thing":"h1"}'), expected_seq=1, by=ada
        )


# Who is who ----------------------------------------------------------------------------------------------------------


def test_an_official_who_plays_sees_what_their_seat_sees(hidden: Match, ada: Person, organizer: Person) -> None:
    from people.services import grant_give

    assert sight.eyes(hidden, ada) == "A"
    grant_give(person=ada, role="organizer", scope=f"league:{hidden.league}", by=None)
    assert sight.eyes(Match.objects.get(pk=hidden.pk), Person.objects.get(pk=ada.pk)) == "A"


def test_who_serves_at_the_table_sees_everything(hidden: Match, ada: Person, stranger: Person) -> None:
    for person, role in ((ada, "mapmaster"), (stranger, "referee")):
        hidden.officials.create(role=role, person=person)
        assert sight.eyes(hidden, person) == "official"


def test_a_referee_of_the_table_who_plays_sees_what_their_seat_sees(hidden: Match, ada: Person) -> None:
    hidden.officials.create(role="referee", person=ada)
    assert sight.eyes(hidden, ada) == "A"


def test_whoever_opened_a_friendly_is_its_scribe(ada: Person, bo: Person) -> None:
    match = friendly(ada, bo)
    assert (sight.eyes(match, ada), sight.eyes(match, bo), sight.eyes(match, None)) == ("official", "A", None)


def test_a_judge_who_plays_reads_no_secrets_in_a_held_file(
    ada: Person, bo: Person, scribe: Person, viewers: dict[str, Viewer], browser: SignIn
) -> None:
    """The file lies on the desk of the league's referees, of whom one sits at the table."""
    from people.services import grant_give

    grant_give(person=ada, role="referee", scope="site", by=None)
    case = replace(secrets.sealed(), rows=secrets.sealed().rows[:7])
    rows = [
        {key: value for key, value in (("type", row.type), ("seat", row.seat), ("data", row.data)) if value is not None}
        for row in case.rows
    ]
    raw = "\n".join(json.dumps(row) for row in (case.header, *rows)).encode()
    upload = services.upload_hold(upload=services.upload_check(by=scribe, name="m.jsonl", raw=raw), by=scribe)
    assert any(SECRET in row["message"] for row in upload.report["findings"])
    ada = Person.objects.get(pk=ada.pk)
    judge = Viewer("A", ada, browser(ada))
    for url in (reverse("upload-detail", args=[upload.pk]), reverse("api-upload", args=[upload.pk])):
        said = _get(judge, url)
        assert BECAUSE.encode() in said
        assert judge.leak(case, said) is None
        assert b"sekret-vale" in _get(viewers["official"], url)


def test_a_hidden_entry_is_said_to_be_one(hidden: Match, viewers: dict[str, Viewer]) -> None:
    said = _get(viewers["A"], f"{reverse('match-detail', args=[hidden.pk])}?at=2&from=0").decode()
    assert "A hidden entry: what happened is shown once the match is over." in said
    assert HIDDEN in (ROOT / "docs" / "verify.md").read_text()
