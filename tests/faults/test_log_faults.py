"""The log under kills and races of real processes: whole or not there, one chain, nothing lost by a follower."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from matches import log
from matches.models import Match
from people.services import operator
from tests.conftest import ROOT, Process

LINES = 30_000
HEADER = (
    '{{"log": "annals/1", "id": "{id}", "game": "hexwar", "rules": "hexwar-1", "played_on": "2026-11-28", '
    '"seats": [{{"seat": "A", "name": "Ada"}}, {{"seat": "B", "name": "Bo"}}]}}\n'
)
WRITER = """
import sys, django
django.setup()
from datetime import UTC, datetime
from uuid import UUID, uuid4
from matches import log
stream, entries = UUID(sys.argv[1]), int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for number in range(entries):
    entry = log.Entry("stones_taken", {"stones": number}, event_id=uuid4())
    while True:
        head = log.head(stream)
        try:
            log.append(stream=stream, stream_kind="match", entries=[entry], expected_seq=head.seq if head else -1, by=None, at=datetime.now(UTC))
            break
        except log.Conflict as conflict:
            assert conflict.why == "stale", conflict
"""
FOLLOWER = """
import sys, time, django
django.setup()
from matches import log
wanted, cursor, seen = int(sys.argv[1]), (0, 0), []
end = time.monotonic() + 120
while len(seen) < wanted and time.monotonic() < end:
    rows = log.follow(cursor, 7)
    seen += [(str(row.stream), row.seq) for row in rows]
    if rows:
        cursor = (rows[-1].xid, rows[-1].position)
for stream, seq in seen:
    print(stream, seq)
"""


def long_match(path: Path, match_id: UUID) -> Path:
    """Write a legal log of many entries: a table that pauses and goes on."""
    rows = ('{"type": "match_paused"}\n' if number % 2 else '{"type": "match_resumed"}\n' for number in range(LINES))
    path.write_text(HEADER.format(id=match_id) + "".join(rows))
    return path


@pytest.mark.parametrize("tenths", [0, 2, 4, 6, 9, 13])
def test_a_killed_upload_is_whole_in_the_log_or_not_there_and_goes_in_when_sent_again(
    tenths: int,
    site_environment: dict[str, str],
    process: Callable[..., Process],
    tmp_path: Path,
    as_app: psycopg.Connection,
) -> None:
    match_id = uuid4()
    path = long_match(tmp_path / "long.jsonl", match_id)
    operator()
    upload = process("manage.py", "upload_log", str(path), **site_environment)
    end = time.monotonic() + 60
    # From the moment on at which the checked file is there, recording is under way.
    while as_app.execute("select count(*) from matches_upload").fetchone() == (0,):
        assert time.monotonic() < end, upload.output
        time.sleep(0.01)
    time.sleep(tenths / 10)
    upload.kill()
    wait_until_nobody_writes(as_app)
    there = as_app.execute("select count(*) from matches_event where stream = %s", [match_id]).fetchone()
    assert there in ((0,), (LINES + 1,))
    assert Match.objects.filter(pk=match_id).exists() == (there != (0,))
    again = process("manage.py", "upload_log", str(path), **site_environment)
    assert again.popen.wait(120) == 0, again.output
    assert as_app.execute("select count(*) from matches_event where stream = %s", [match_id]).fetchone() == (LINES + 1,)
    assert log.verify(match_id) is None
    assert Match.objects.get(pk=match_id).seats.count() == 2


def wait_until_nobody_writes(as_app: psycopg.Connection) -> None:
    """Wait until the server has noticed that the killed client is gone."""
    end = time.monotonic() + 30
    busy = "select count(*) from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()"
    while as_app.execute(busy).fetchone() != (0,) and time.monotonic() < end:
        time.sleep(0.05)


def test_the_same_file_from_three_processes_at_once_is_one_match(
    site_environment: dict[str, str], process: Callable[..., Process], tmp_path: Path
) -> None:
    operator()
    match_id = uuid4()
    path = long_match(tmp_path / "long.jsonl", match_id)
    uploads = [process("manage.py", "upload_log", str(path), **site_environment) for _ in range(3)]
    for upload in uploads:
        assert upload.popen.wait(180) == 0, upload.output
        assert f"recorded as match {match_id}" in upload.output
    assert Match.objects.count() == 1
    assert log.verify(match_id) is None
    assert Match.objects.get().seats.count() == 2


def test_many_writers_make_one_chain_and_a_follower_beside_them_reads_every_entry_once(
    site_environment: dict[str, str],
) -> None:

    shared, own = uuid4(), [uuid4() for _ in range(3)]
    each, wanted = 40, 3 * 40 + 3 * 40
    environment = {**os.environ, **site_environment}

    def start(code: str, *arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    writers = [start(WRITER, shared, each) for _ in range(3)] + [start(WRITER, stream, each) for stream in own]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n", writer.stderr and writer.stderr.read()
        follower = start(FOLLOWER, wanted)
        writers.append(follower)
        for writer in writers[:-1]:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        for writer in writers[:-1]:
            _out, errors = writer.communicate(timeout=180)
            assert writer.returncode == 0, errors
        out, errors = follower.communicate(timeout=180)
        assert follower.returncode == 0, errors
    finally:
        for writer in writers:
            if writer.poll() is None:
                writer.kill()
                writer.wait()
    seen = [tuple(line.split()) for line in out.splitlines()]
    assert len(seen) == wanted
    for stream, count in ((shared, 3 * each), *((one, each) for one in own)):
        assert [int(seq) for name, seq in seen if name == str(stream)] == list(range(count))
        assert log.verify(stream) is None
