"""The tree names no registry, no machine and no secret of one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

# Written apart, so that this file passes its own test.
REGISTRIES = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "deb." + "debian.org",
    "crates" + ".io",
]
PLACES = [r"/wo" + r"rk/\w", r"/ro" + r"ot/", r"/ho" + r"me/\w+/", r"/Us" + r"ers/\w+/", r"file:" + r"///"]
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".in",
    ".lock",
    ".html",
    ".css",
    ".js",
    ".svg",
    ".txt",
    ".json",
    ".jsonl",
    ".csv",
    ".yml",
    ".yaml",
    ".sh",
    ".cfg",
    "",
}


def files() -> list[Path]:
    """Return the files of the tree that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


FILES = files()


@pytest.mark.parametrize("pattern", [re.escape(name) for name in REGISTRIES] + PLACES)
def test_no_file_names_a_registry_or_a_place_on_a_machine(pattern: str) -> None:
    assert len(FILES) > 50
    found = []
    for path in FILES:
        if path.suffix in TEXT:
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if re.search(pattern, line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_package_has_its_version_and_hashes(name: str) -> None:
    packages = re.split(r"^(?=[a-zA-Z0-9])", (ROOT / name).read_text(), flags=re.M)[1:]
    assert len(packages) > 30
    for package in packages:
        assert re.match(r"[\w.-]+==[\w.+!-]+ ", package), package
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", package), package


def test_the_development_lock_holds_the_versions_of_the_other() -> None:
    def versions(name: str) -> set[str]:
        return set(re.findall(r"^[\w.-]+==\S+", (ROOT / name).read_text(), flags=re.M))

    assert versions("requirements.lock") <= versions("requirements-dev.lock")


def test_what_is_made_here_is_ignored() -> None:
    for made in (".venv/bin/python", "var/secret_key", ".venv-uv/bin/uv"):
        assert subprocess.run(["git", "check-ignore", "-q", made], cwd=ROOT, check=False).returncode == 0, made
