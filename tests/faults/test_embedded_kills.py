"""The embedded PostgreSQL loses nothing that it said is stored, however it or its launcher is killed."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from config import embedded
from config.processes import born
from tests.conftest import Process


def serve(process: Callable[..., Process], var: Path) -> tuple[Process, str, int]:
    """Start the launcher as a process; return it, the owner's address, and the number of the server."""
    launcher = process("-m", "config.embedded", ANNALS_VAR=str(var))
    said = json.loads(launcher.wait_for("}").splitlines()[-1])
    assert not said["attached"]
    pid = int((var / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[0])
    return launcher, said["owner"], pid


def gone(pid: int, seconds: float = 20) -> bool:
    """Return whether a process ended within some seconds."""
    end = time.monotonic() + seconds
    while born(pid) is not None:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Writer(threading.Thread):
    """Adds rows, one commit each, until the server is no more; knows what was said to be stored."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.stored = url, 0

    def run(self) -> None:
        try:
            with psycopg.connect(self.url, autocommit=True) as connection:
                while True:
                    connection.execute("insert into kept values (%s)", [self.stored])
                    self.stored += 1
        except psycopg.OperationalError:
            return


@pytest.mark.parametrize("victim", ["launcher", "server"])
def test_kill_9_loses_no_row_that_was_stored(process: Callable[..., Process], tmp_path: Path, victim: str) -> None:
    expected = 0
    for round_ in range(3):
        launcher, url, server = serve(process, tmp_path)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("create table if not exists kept (id int)")
            assert connection.execute("select count(*) from kept").fetchone() == (expected,), f"after {round_} kills"
        writer = Writer(url)
        writer.start()
        while writer.stored < 300:
            assert writer.is_alive()
            time.sleep(0.01)
        os.kill(launcher.popen.pid if victim == "launcher" else server, signal.SIGKILL)
        writer.join(30)
        assert gone(server), "the server outlived its launcher"
        launcher.popen.wait(30)
        with embedded.serving(tmp_path / "postgres") as again, psycopg.connect(again.url(embedded.OWNER)) as connection:
            row = connection.execute("select count(*) from kept").fetchone()
            assert row
            # The last insert may have been stored without the answer reaching us.
            assert writer.stored + expected <= row[0] <= writer.stored + expected + 1
            expected = row[0]


def test_a_start_right_after_a_kill_waits_for_what_is_on_its_way_out(
    process: Callable[..., Process], tmp_path: Path
) -> None:
    launcher, url, server = serve(process, tmp_path)
    with psycopg.connect(url, autocommit=True) as busy:
        busy.execute("create table kept as select 1 as one")
        os.kill(server, signal.SIGKILL)
        with embedded.serving(tmp_path / "postgres") as again, psycopg.connect(again.url(embedded.OWNER)) as connection:
            assert connection.execute("select one from kept").fetchone() == (1,)
    launcher.kill()


def test_a_power_cut_leaves_a_pid_file_that_keeps_nothing_down(process: Callable[..., Process], tmp_path: Path) -> None:
    launcher, _, server = serve(process, tmp_path)
    pid_file = tmp_path / "postgres" / "data" / "postmaster.pid"
    before = pid_file.read_text()
    os.kill(server, signal.SIGKILL)
    launcher.kill()
    assert gone(server)
    # After a restart of the machine the number is somebody else's: ours, here.
    pid_file.write_text(before.replace(str(server), str(os.getpid()), 1))
    with embedded.serving(tmp_path / "postgres") as again:
        assert again.answers()
