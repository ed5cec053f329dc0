"""Makes .venv with everything the project needs. Runs on any Python from 3.8, with nothing installed.

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
LOCK = ROOT / "requirements-dev.lock"
STAMP = VENV / "stamp"
UV_VENV = ROOT / ".venv-uv"
UV_VERSION = "0.13.9"
OLDEST = (3, 12)


def main():
    wanted = hashlib.sha256(LOCK.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted and PYTHON.exists():
        return
    uv = find_uv()
    if not is_usable(PYTHON):
        make_venv(uv)
    print("setup: installing the locked packages into .venv …", flush=True)
    environment = dict(os.environ, VIRTUAL_ENV=str(VENV))
    # Not from the project's folder: neither .python-version nor a project file has a say in this.
    run([uv, "pip", "sync", "--quiet", "--require-hashes", "--python", str(PYTHON), str(LOCK)], environment)
    STAMP.write_text(wanted)
    print("setup: done.", flush=True)


def find_uv():
    """Return the path of uv: the one on PATH, else the one in .venv-uv, put there if need be."""
    for found in (shutil.which("uv"), str(UV_VENV / "bin" / "uv")):
        if found and subprocess.call([found, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return found
    print("setup: putting uv into .venv-uv …", flush=True)
    made = subprocess.call([sys.executable, "-m", "venv", "--clear", str(UV_VENV)], stdout=subprocess.DEVNULL)
    if made != 0:
        refuse("this Python cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)")
    run([str(UV_VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "uv==" + UV_VERSION], dict(os.environ))
    return str(UV_VENV / "bin" / "uv")


def is_usable(python):
    """Return whether a Python is there, runs, and is new enough."""
    check = "import sys; sys.exit(sys.version_info < {0})".format(OLDEST)
    try:
        return subprocess.call([str(python), "-c", check], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make_venv(uv):
    """Make .venv with the Python that runs this if it is new enough, else with one that uv finds, else with one it gets."""
    wanted = [sys.executable] if sys.version_info >= OLDEST else ["3.12", ">=3.12"]
    for version in wanted:
        command = [uv, "venv", "--quiet", "--clear", "--python", version, str(VENV)]
        if subprocess.call(command, stderr=subprocess.DEVNULL) == 0 and is_usable(PYTHON):
            return
    refuse("no Python 3.12 or later was found, and uv could not get one")


def run(command, environment):
    if subprocess.call(command, env=environment, cwd=str(ROOT)) != 0:
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
