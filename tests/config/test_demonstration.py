"""The demonstration season: through the front door, once, and whatever interrupts it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config import demonstration, demonstration_tournament
from league.models import League
from matches import log, selectors, services
from matches.models import Match, Upload
from people.models import Account, Person
from rulesengine import replay

pytestmark = pytest.mark.django_db


def test_the_season_goes_in_and_loading_it_again_changes_nothing(tmp_path: Path) -> None:
    accounts = tmp_path / "demo-accounts.json"
    demonstration.load(lambda _text: None, accounts)
    matches = Match.objects.all()
    assert matches.count() >= 31
    assert {match.is_demo for match in matches} == {True}
    assert {match.played_on.year for match in matches} == {2024, 2025, 2026}
    statuses = [match.status for match in matches]
    assert statuses.count("ended") == 2  # one of the evenings, and one of the tournament
    assert statuses.count("confirmed") == len(statuses) - 2
    (friendly,) = [match for match in matches if match.is_friendly]
    assert all(seat.signed_at and seat.linked for seat in friendly.seats.all())
    league = League.objects.get()
    assert league.is_demo
    assert all(seat.linked for match in matches.filter(league=league.pk) for seat in match.seats.all())
    (held,) = Upload.objects.filter(state="held")
    assert {row["kind"] for row in held.report["findings"]} == {"irregular"}
    assert any("event_voided" in [line.type for line in selectors.match_log(match).lines] for match in matches)
    assert all(log.verify(stream) is None for stream in log.streams())
    assert Person.objects.filter(is_demo=True).count() == len(demonstration.CAST) + len(demonstration_tournament.GUESTS)
    rows = json.loads(accounts.read_text())
    assert accounts.stat().st_mode & 0o777 == 0o600
    assert all(Account.objects.get(email=row["email"]).check_password(row["password"]) for row in rows)

    _shows_kingsquare()
    for game in ("kingsburg", "robberknights"):
        played = [replay.run(selectors.match_log(match)) for match in Match.objects.filter(game=game)]
        assert len(played) >= 2
        assert not any(one.findings or one.status != "confirmed" for one in played)

    entries = log.unread((0, 0), 100_000)
    demonstration.load(lambda _text: None, accounts)
    assert log.unread((0, 0), 100_000) == entries
    assert Upload.objects.filter(state="held").count() == 1
    assert json.loads(accounts.read_text()) == rows


def _shows_kingsquare() -> None:
    """Matches under the rules of their day: a corrected one, three Kingdoms with an elimination and a beast, Generals, places in feet."""
    told = {
        match.edition + str(match.played_on): replay.run(selectors.match_log(match))
        for match in Match.objects.filter(game="kingsquare")
    }
    assert set(told) == {"KS-V32026-07-08", "KS-V52026-08-21", "KS-V52026-09-25", "KS-V52026-10-09"}
    assert not any(one.findings for one in told.values())
    corrected, crowns, generals = told["KS-V52026-09-25"], told["KS-V52026-08-21"], told["KS-V52026-10-09"]
    assert [line.type for line in corrected.log.lines].count("event_voided") == 3
    state = crowns.ruleset.view(crowns.state)
    assert [one["eliminated_cause"] for one in state["kingdoms"].values()] == [None, None, "king_defeated"]
    assert [one["status"] for one in state["beasts"].values()] == ["defeated"]
    assert all("x_ft10" in one["at"] for one in state["castles"].values())
    assert [(one.person, one.until is None) for one in generals.ruleset.offices(generals.carried)] == [
        ("dee", True),
        ("fen", False),
    ]


def test_a_loading_that_was_cut_short_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts, record = tmp_path / "demo-accounts.json", services.upload_record
    left = [9]

    def cut_short(**what: object) -> Match:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return record(**what)  # type: ignore[arg-type]

    monkeypatch.setattr(services, "upload_record", cut_short)
    with pytest.raises(KeyboardInterrupt):
        demonstration.load(lambda _text: None, accounts)
    monkeypatch.undo()
    assert Match.objects.count() == 9
    demonstration.load(lambda _text: None, accounts)
    assert Match.objects.count() >= 31
    assert Match.objects.filter(status="ended").count() == 2


def test_the_season_is_kept_out_of_a_database_that_somebody_named(settings: object) -> None:
    settings.IS_EMBEDDED = False  # type: ignore[attr-defined]
    with pytest.raises(CommandError, match="embedded database only"):
        call_command("load_demo")
