"""Random texts that are made once and kept in files that only their owner can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept(path: Path) -> str:
    """Return the text of a file, made at random if it is not there yet. Two processes at once get the same."""
    try:
        return path.read_text()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.{os.getpid()}")
        new.touch(mode=0o600)
        new.write_text(secrets.token_urlsafe(50))
        try:
            os.link(new, path)  # fails where another was quicker
        except FileExistsError:
            pass
        finally:
            new.unlink()
        return path.read_text()
