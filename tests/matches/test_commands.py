"""The commands: the upload page's service at the terminal, out again, and the chains."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command

from matches import log, selectors
from matches.models import Match, Upload
from people.models import Person
from rulesengine import notation
from tests.matches.test_uploads import archive, at_league, sample, without_impossible

pytestmark = pytest.mark.django_db


def run(*command: str) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command(*command, stdout=out)
    except SystemExit as exit_:
        return int(str(exit_.code)), out.getvalue()
    return 0, out.getvalue()


def upload(*command: str) -> tuple[int, dict[str, Any]]:
    code, said = run("upload_log", *command, "--json")
    return code, json.loads(said)


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def write(raw: bytes, name: str = "evening.jsonl") -> str:
        path = tmp_path / name
        path.write_bytes(raw)
        return str(path)

    return write


def test_a_log_is_recorded_and_confirmed_as_on_the_upload_page(put: Any) -> None:
    code, told = upload(put(sample("legal_three_capes")), "--confirm")
    assert (code, told["stored"], told["held"], told["findings"], told["status"]) == (0, True, False, [], "ended")
    match = Match.objects.get(pk=told["match"])
    assert match.status == "confirmed"
    assert match.opened_by.handle == "operator"  # type: ignore[union-attr]
    code, told = upload(put(sample("legal_three_capes")))
    assert (code, told["stored"], told["again"]) == (0, True, True)
    assert Match.objects.count() == 1


def test_all_three_forms_and_an_archive_of_them_go_in(put: Any) -> None:
    made = notation.parse(sample("legal_three_capes"))
    for form in notation.FORMS:
        assert upload(put(notation.write(made, form), f"m.{form}"))[0] == 0
    code, said = run("upload_log", put(archive(a=sample("corrected_by_referee"), b=b"x"), "both.zip"))
    assert code == 2
    assert "a: recorded as match" in said
    assert "b: not recorded: this is no match log" in said
    assert Match.objects.count() == 2


def test_a_dry_run_only_tells(put: Any) -> None:
    code, told = upload(put(sample("with_findings")), "--dry-run")
    assert code == 1
    assert [row["kind"] for row in told["findings"]] == [
        "impossible",
        "irregular",
        "irregular",
        "impossible",
        "irregular",
        "irregular",
    ]
    assert (told["stored"], Match.objects.count(), Upload.objects.count()) == (False, 0, 0)
    assert run("upload_log", put(sample("legal_three_capes")), "--dry-run") == (
        0,
        "evening.jsonl: 65 of 65 events accepted\n",
    )


def test_irregular_lines_need_a_reason(put: Any) -> None:
    path = put(without_impossible())
    code, told = upload(path)
    assert (code, told["stored"]) == (1, False)
    assert told["error"].startswith("A rule forbids 2 lines")
    assert told["error"].endswith("To let them stand, say --accept-irregular --reason TEXT.")
    with pytest.raises(CommandError, match="--accept-irregular needs --reason TEXT"):
        run("upload_log", path, "--accept-irregular")
    code, told = upload(path, "--accept-irregular", "--reason", "all agreed")
    assert (code, told["stored"]) == (0, True)
    assert selectors.match_log(Match.objects.get()).lines[-1].type == "illegal_state_accepted"


def test_the_rights_are_those_of_whom_by_names(put: Any, ada: Person) -> None:
    path = put(at_league(without_impossible(), "", A="ada"))
    code, told = upload(path, "--by", "@Ada", "--hold")
    assert (code, told["stored"], told["held"]) == (1, False, True)
    assert Upload.objects.get().by == ada
    with pytest.raises(CommandError, match="--by: nobody here has the handle @zoe"):
        run("upload_log", path, "--by", "zoe")


def test_what_cannot_be_read_ends_with_2(put: Any) -> None:
    assert upload(put(b""))[0] == 2
    assert upload(put(archive(a=b"x")[:40], "x.zip"))[0] == 2
    with pytest.raises(CommandError, match=r"no-such-file: No such file or directory\."):
        run("upload_log", "no-such-file")


def test_a_match_goes_out_in_every_form_and_the_full_export_comes_back(put: Any, tmp_path: Path) -> None:
    _code, told = upload(put(sample("corrected_by_referee")), "--confirm")
    for form in notation.FORMS:
        code, said = run("export_log", told["match"], "--to", form)
        assert (code, str(notation.match_id(notation.parse(said.encode())))) == (0, told["match"])
    out = tmp_path / "full.jsonl"
    run("export_log", told["match"], "--full", "--out", str(out))
    assert upload(str(out))[1]["again"] is True
    code, told = upload(str(out), "--restore")
    assert (code, told["stored"]) == (2, False)
    assert "is recorded here already" in told["error"]
    with pytest.raises(CommandError, match="There is no match 'x' here"):
        run("export_log", "x")


@pytest.mark.django_db(transaction=True)
def test_verify_log_names_the_first_broken_link(put: Any, as_superuser: psycopg.Connection) -> None:
    ids = [upload(put(sample(name)))[1]["match"] for name in ("legal_three_capes", "corrected_by_referee")]
    none = "There is no signed checkpoint yet; the clock makes the first one within five minutes.\n"
    assert run("verify_log", "--all") == (0, f"2 of 2 chains are whole.\n{none}")
    as_superuser.execute("alter table matches_event disable trigger all")
    as_superuser.execute("update matches_event set type = 'unit_loved' where stream = %s and seq = 7", [ids[1]])
    as_superuser.execute("alter table matches_event enable always trigger matches_event_no_change")
    as_superuser.execute("alter table matches_event enable always trigger matches_event_no_truncate")
    code, said = run("verify_log", "--all")
    assert code == 1
    assert f"broken: stream {ids[1]}, seq 7: the hash does not fit what the row says" in said
    assert run("verify_log", ids[0]) == (0, "1 of 1 chains are whole.\n")
    code, said = run("verify_log", ids[1], "--json")
    assert (code, json.loads(said)["broken"][0]["seq"]) == (1, 7)
    assert selectors.chain_state(Match.objects.get(pk=ids[1]))["seq"] == 7
    for wrong in (["verify_log"], ["verify_log", "--all", ids[0]], ["verify_log", "x"], ["verify_log", str(uuid4())]):
        with pytest.raises(CommandError):
            run(*wrong)
    assert log.verify(Match.objects.get(pk=ids[0]).pk) is None
