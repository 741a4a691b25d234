"""Types and documentation agree with the built module."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PACKAGE

import polhode


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=PACKAGE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_those_of_the_module() -> None:
    run("mypy.stubtest", "--ignore-missing-stub", "polhode._polhode", "--mypy-config-file", "pyproject.toml")


def test_the_package_is_typed() -> None:
    folder = Path(polhode.__file__).parent
    assert (folder / "py.typed").exists()
    run("mypy", "--strict", "--config-file", "pyproject.toml", "-p", "polhode")


def test_users_are_helped_by_the_types(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        "import polhode\n"
        "motion = polhode.FreeMotion([1, 2, 3], omega=[1, 2, 3])\n"
        "period: float | None = motion.period\n"
        "run = polhode.simulate(motion, polhode.torques.HeavyTop(), 'rk4', 0.1, 1.0)\n"
        "steps: int | None = run.steps\n"
    )
    run("mypy", "--strict", str(tmp_path / "user.py"))


MODULES = [
    name
    for _, name, _ in pkgutil.iter_modules(polhode.__path__, "polhode.")
    if name not in ("polhode._polhode",)
]


@pytest.mark.parametrize("name", ["polhode", *MODULES])
def test_examples_of_the_documentation(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert failed == 0
    public = [item for item in getattr(module, "__all__", ()) if callable(getattr(module, item))]
    assert all(getattr(module, item).__doc__ for item in public)


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [t for name in ["polhode", *MODULES] for t in finder.find(importlib.import_module(name)) if t.examples]
    assert len(tests) > 15
