"""Makes .venv with everything that the tests need, or (`bootstrap.py run`) only the site. Runs on any Python from 3.8, alone.

The environment has Python 3.12 or later: the one that runs this, or one that uv finds or gets. uv itself is taken from PATH, or
put into .venv-uv by venv and pip. A second run sees by the stamp that nothing changed and ends at once.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCKS = {"dev": ROOT / "requirements-dev.lock", "run": ROOT / "requirements.lock"}
STAMP = VENV / "stamp"
UV_VENV = ROOT / ".venv-uv"
UV_VERSION = "0.13.9"
OLDEST = (3, 12)


def main():
    for name in ("UV_NATIVE_TLS", "UV_SYSTEM_CERTS"):
        os.environ.setdefault(name, "1")  # where the network has certificates of its own, the system knows them
    made = STAMP.read_text() if STAMP.exists() and PYTHON.exists() else ""
    # What has everything has what the site needs, too.
    kind = "run" if sys.argv[1:] == ["run"] and not made.startswith("dev") else "dev"
    wanted = kind + " " + hashlib.sha256(LOCKS[kind].read_bytes() + Path(__file__).read_bytes()).hexdigest()
    if made == wanted:
        return
    uv = find_uv()
    if not is_usable(PYTHON):
        make_venv(uv)
    print("setup: installing the locked packages into .venv …", flush=True)
    run(
        [
            uv,
            "pip",
            "sync",
            "--quiet",
            "--compile-bytecode",
            "--require-hashes",
            "--python",
            str(PYTHON),
            str(LOCKS[kind]),
        ]
    )
    STAMP.write_text(wanted)
    print("setup: done.", flush=True)


def find_uv():
    """Return the path of uv: the one on PATH, else the one in .venv-uv, put there if need be."""
    for found in (shutil.which("uv"), str(UV_VENV / "bin" / "uv")):
        if found and runs([found, "--version"]):
            return found
    if not runs([sys.executable, "-c", "import venv, ensurepip"]):
        refuse("this Python cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)")
    print("setup: putting uv into .venv-uv …", flush=True)
    run([sys.executable, "-m", "venv", "--clear", str(UV_VENV)])
    pip = [str(UV_VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "uv==" + UV_VERSION])
    return str(UV_VENV / "bin" / "uv")


def is_usable(python):
    """Return whether a Python is there, runs, and is new enough."""
    return runs([str(python), "-c", "import sys; sys.exit(sys.version_info < {0})".format(OLDEST)])


def runs(command):
    """Return whether a command is there and succeeds."""
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make_venv(uv):
    """Make .venv with the Python that runs this if it is new enough, else with one that uv finds, else with one it gets."""
    if sys.version_info < OLDEST:
        print("setup: this Python is {0}.{1}; asking uv for a newer one …".format(*sys.version_info), flush=True)
    for version in [sys.executable] if sys.version_info >= OLDEST else ["3.12", ">=3.12"]:
        command = [uv, "venv", "--quiet", "--clear", "--python", version, str(VENV)]
        if runs(command) and is_usable(PYTHON):
            return
    refuse("no Python 3.12 or later was found, and uv could not get one")


def run(command):
    if subprocess.call(command, cwd=str(ROOT)) != 0:
        refuse("this failed: " + " ".join(command))


def refuse(why):
    sys.exit(
        "setup: {0}.\nsetup: Annals needs Python 3.12 or later, or uv (which gets one). This is Python {1}.{2} at {3}.".format(
            why, sys.version_info[0], sys.version_info[1], sys.executable
        )
    )


if __name__ == "__main__":
    if sys.version_info < (3, 8):  # noqa: UP036 - it may well be
        refuse("this Python is too old to set anything up")
    main()
