"""`make run`: the whole site on one machine. Starts what it needs, watches it, and stops it again.

Order: the embedded PostgreSQL, migrations as the owner, the worker with its clock, the demonstration season (once), the site.
Each is a child of this process and ends with it, however it ends; one that fails is started again.

PORT  port of the site (default 8000)
HOST  address it listens on (default 127.0.0.1; 0.0.0.0 for phones in the hall)
DEMO  0: start empty (default 1; always empty with DATABASE_URL set)
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from types import FrameType

import psutil

from config import embedded
from config.processes import born, die_with_parent, worker_arguments

ROOT = embedded.ROOT
VAR = embedded.var()
# Tries after which a child that does not stay up is given up, unless it lived for a minute in between.
MOST_TRIES = 5


class Child:
    """One process of the site, with a log of its own."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        self.name, self.command, self.environment = name, command, environment
        self.log = VAR / "log" / f"{name}.log"
        self.tries = 0
        self.start()

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > 20_000_000:
            self.log.replace(self.log.with_suffix(".log.1"))
        self.tries += 1
        self.since = time.monotonic()
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )

    def ask_to_stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()

    def stop(self, seconds: float = 10) -> None:
        self.ask_to_stop()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def keep_up(self) -> None:
        """Start it again if it ended by itself."""
        if self.process.poll() is None:
            if time.monotonic() - self.since > 60:
                self.tries = 1
            return
        if self.tries >= MOST_TRIES:
            raise SystemExit(
                f"The {self.name} does not stay up (exit {self.process.returncode}); its last words are in {self.log}."
            )
        say(f"The {self.name} ended (exit {self.process.returncode}) and is started again; see {self.log}.")
        self.start()


def say(text: str) -> None:
    print(text, flush=True)


def main() -> None:
    port, host = int(os.environ.get("PORT") or 8000), os.environ.get("HOST") or "127.0.0.1"
    is_embedded = not os.environ.get("DATABASE_URL")
    signal.signal(signal.SIGINT, _interrupt)  # also where a shell started us in the background, with it ignored
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    VAR.mkdir(parents=True, exist_ok=True)
    with (VAR / "run.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit(
                f"The site of {VAR} already runs. Stop it first, or set ANNALS_VAR to another folder."
            ) from None
        _end_leftovers()
        if not _is_free(host, port):
            raise SystemExit(f"Port {port} of {host} is taken. Try: make run PORT={port + 1}")
        server = None
        children: list[Child] = []
        try:
            if is_embedded:
                server = embedded.start()
            _serve(host, port, server, children)
        except embedded.Refused as refusal:
            raise SystemExit(str(refusal)) from None
        except KeyboardInterrupt:
            say("\nStopping …")
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for child in reversed(children):
                child.ask_to_stop()
            for child in reversed(children):
                child.stop()
            if server:
                server.stop()
            (VAR / "run.json").unlink(missing_ok=True)


def _serve(host: str, port: int, server: embedded.Server | None, children: list[Child]) -> None:
    addresses = _lan_addresses() if host in {"0.0.0.0", "::"} else []  # noqa: S104 - asked for
    shown = addresses[0] if addresses else "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104
    site = os.environ.get("SITE_URL") or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    environment = dict(os.environ, DJANGO_SETTINGS_MODULE="config.settings", SITE_URL=site, PYTHONUNBUFFERED="1")
    names = [
        *addresses,
        host,
        socket.gethostname(),
        f"{socket.gethostname()}.local",
        os.environ.get("ALLOWED_HOSTS", ""),
    ]
    environment["ALLOWED_HOSTS"] = ",".join(name for name in names if name)
    if server:
        environment |= {"DATABASE_URL": server.url(embedded.APP), "ANNALS_EMBEDDED": "1"}
        environment["DATABASE_OWNER_URL"] = server.url(embedded.OWNER)
    if environment.get("DATABASE_OWNER_URL"):
        _manage(environment, "migrate", "--verbosity", "0", "--skip-checks")
    # Web and worker never hear of the owner.
    environment = {name: value for name, value in environment.items() if name != "DATABASE_OWNER_URL"}

    worker = [sys.executable, *worker_arguments()]
    children.append(Child("worker", worker, environment | {"CELERY_CLOCK": "1"}))
    granian = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port), "--no-ws"]
    granian += [
        "--workers",
        "1",
        "--blocking-threads",
        "8",
        "--respawn-failed-workers",
        "--log-level",
        "warning",
        "config.wsgi:application",
    ]
    web_environment = environment | {"DATABASE_POOL_SIZE": "8", "ANNALS_SUPERVISED": "1"}

    is_demo, loaded = server is not None and os.environ.get("DEMO", "1") != "0", VAR / "demo-loaded"
    is_first = is_demo and not loaded.exists()
    if is_first:
        say("Loading the demonstration season …")
        _manage(environment, "load_demo")
        loaded.touch()
    children.append(Child("site", granian, web_environment))
    _note_children(children)
    _wait_for_site(host, port, children)
    if is_first:
        _wait_for_careers(host, port, children)
    _greet(site, addresses, port, is_demo, _needs_owner(host, port))
    while True:
        time.sleep(0.5)
        if server and not _is_up(server):
            say("PostgreSQL ended and is started again.")
            again = embedded.start()
            if again.port != server.port:
                for child in children:
                    child.stop()
                    child.environment["DATABASE_URL"] = again.url(embedded.APP)
            server.process, server.port = again.process, again.port
        for child in children:
            child.keep_up()
        _note_children(children)


def _is_up(server: embedded.Server) -> bool:
    """Return whether the server runs: our child by looking, another's by asking."""
    return server.process.poll() is None if server.process else server.answers()


def _manage(environment: dict[str, str], *command: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, preexec_fn=die_with_parent, check=False
    )
    if done.returncode:
        raise SystemExit(f"manage.py {command[0]} failed (exit {done.returncode}).")


def _url(host: str, port: int, path: str) -> str:
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{local}:{port}{path}"


def _wait_for_site(host: str, port: int, children: list[Child]) -> None:
    while True:
        for child in children:
            child.keep_up()
        with suppress(OSError), urllib.request.urlopen(_url(host, port, "/health/"), timeout=5):  # noqa: S310
            return
        time.sleep(0.1)


def _wait_for_careers(host: str, port: int, children: list[Child], seconds: float = 120) -> None:
    """Wait until the worker has read the whole log into the careers."""
    say("The worker derives the careers …")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for child in children:
            child.keep_up()
        try:
            with urllib.request.urlopen(_url(host, port, "/health/ready/"), timeout=10) as answer:  # noqa: S310
                said = answer.read()
        except urllib.error.HTTPError as error:
            said = error.read()
        if json.loads(said)["checks"].get("follower", {}).get("entries") == 0:
            return
        time.sleep(0.3)
    say(f"The careers are not complete yet; the worker goes on. Its log: {VAR / 'log' / 'worker.log'}")


def _needs_owner(host: str, port: int) -> bool:
    """Return whether the page that makes the first owner is still there."""
    try:
        with urllib.request.urlopen(_url(host, port, "/welcome"), timeout=10):  # noqa: S310
            return True
    except OSError:
        return False


def _greet(site: str, addresses: list[str], port: int, is_demo: bool, needs_owner: bool) -> None:
    say(f"\nAnnals is at {site}/")
    for address in addresses:
        say(f"  for phones in the same network: http://{address}:{port}/")
    accounts = VAR / "demo-accounts.json"
    if is_demo and accounts.exists():
        say("Sign in with one of these (made at the first start, kept in " + str(accounts) + "):")
        for account in json.loads(accounts.read_text()):
            say(f"  {account['role']:<12} {account['email']:<32} {account['password']}")
    elif needs_owner:
        say(f"A new site has no accounts: make its first owner at {site}/welcome")
    if not os.environ.get("EMAIL_HOST"):
        say(f"No mail leaves the house: each becomes a file in {VAR / 'mail'}.")
    say(f"Logs are in {VAR / 'log'}. Ctrl-C stops everything.\n")


def _note_children(children: list[Child]) -> None:
    """Write down which processes are ours, for a start after a crash on a system where they outlive their parent."""
    note = json.dumps([[child.process.pid, born(child.process.pid)] for child in children])
    path = VAR / "run.json"
    if not path.exists() or path.read_text() != note:
        path.write_text(note)


def _end_leftovers() -> None:
    """End what a killed run left behind. Linux ended it already."""
    with suppress(FileNotFoundError, ValueError):
        for pid, birth in json.loads((VAR / "run.json").read_text()):
            if birth and born(pid) == birth:
                with suppress(ProcessLookupError, psutil.NoSuchProcess):
                    if str(ROOT) in (psutil.Process(pid).cwd(), *psutil.Process(pid).cmdline()):
                        os.killpg(pid, signal.SIGKILL)


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _lan_addresses() -> list[str]:
    """Return the IPv4 addresses under which other machines may reach this one."""
    found = [one.address for many in psutil.net_if_addrs().values() for one in many if one.family == socket.AF_INET]
    return sorted({address for address in found if not address.startswith(("127.", "169.254."))})


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
