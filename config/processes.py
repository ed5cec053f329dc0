"""Processes that do not outlive whoever started them, however that one ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)  # looked up before any fork


def worker_arguments(threads: int = 2) -> list[str]:
    """Return what Python is given to be a Celery worker of the site."""
    return ["-m", "celery", "-A", "config", "worker", "-P", "threads", "-c", str(threads), "--loglevel", "INFO"]


def die_with_parent(how: signal.Signals = signal.SIGKILL) -> None:
    """Have Linux send this process a signal when its parent ends. Elsewhere the next start finds and ends what was left."""
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, how)


def born(pid: int) -> str | None:
    """Return something that tells this life of a process number from any other (Linux: its start time); None if it is dead."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()
        return None if fields[0] == "Z" else fields[19]
    except (FileNotFoundError, ProcessLookupError):
        if sys.platform == "linux":
            return None
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):
        return None
    return "alive"
