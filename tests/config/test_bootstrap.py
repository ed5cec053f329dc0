"""`make setup` on a machine that has nothing but python3."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

OLD = "import sys, runpy; sys.version_info = {version}; sys.argv = ['bootstrap.py']; runpy.run_path('bootstrap.py', run_name='__main__')"


def old_python(folder: Path, version: str, *before: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """Return what setting up says in a folder where nothing is set up, on a Python that says it is old; and how long it took."""
    for name in ("bootstrap.py", "requirements-dev.lock", "requirements.lock"):
        shutil.copy(ROOT / name, folder)
    begun = time.monotonic()
    said = subprocess.run(
        [sys.executable, "-c", ";".join([*before, OLD.format(version=version)])],
        cwd=folder,
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return said, time.monotonic() - begun


def test_it_can_be_read_by_python_3_8() -> None:
    ast.parse((ROOT / "bootstrap.py").read_text(), feature_version=(3, 8))


def test_a_python_that_is_too_old_is_refused_in_the_first_second(tmp_path: Path) -> None:
    said, took = old_python(tmp_path, "(3, 7, 3, 'final', 0)")
    assert said.returncode == 1
    assert "Annals needs Python 3.12 or later, or uv" in said.stderr
    assert took < 1
    assert not (tmp_path / ".venv").exists()


def test_without_uv_and_without_a_way_to_get_it_the_refusal_is_clear_and_quick(tmp_path: Path) -> None:
    said, took = old_python(
        tmp_path, "(3, 11, 2, 'final', 0)", "import sys", f"sys.executable = {str(tmp_path / 'none')!r}"
    )
    assert said.returncode == 1
    assert "apt-get install python3-venv" in said.stderr
    assert "Annals needs Python 3.12 or later, or uv" in said.stderr
    assert took < 1
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("what", [[], ["run"]], ids=["everything", "the site alone"])
def test_a_second_set_up_says_nothing_and_takes_no_time(what: list[str]) -> None:
    begun = time.monotonic()
    said = subprocess.run([sys.executable, "bootstrap.py", *what], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == said.stderr == ""
    assert time.monotonic() - begun < 2
