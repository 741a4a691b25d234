"""Types and documentation agree with the built module."""

from __future__ import annotations

import doctest
import importlib.metadata
import os
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
    run("mypy.stubtest", "polhode._polhode", "--mypy-config-file", "pyproject.toml")


def test_the_package_is_typed() -> None:
    folder = Path(polhode.__file__).parent
    assert (folder / "py.typed").exists()
    run("mypy", "--strict", "--config-file", "pyproject.toml", "-p", "polhode")


def torque_classes() -> str:
    """The classes of `polhode.torques` as a stub."""
    lines = ['"""The classes of `polhode.torques`: written by a test of the types."""\n']
    lines.append("from collections.abc import Mapping\n\nfrom numpy.typing import ArrayLike\n")
    lines.append("from .torques import Torque\n")
    for kind in polhode.torques.kinds():
        name = "NoTorque" if kind.kind == "none" else "".join(word.capitalize() for word in kind.kind.split("-"))
        parameters = []
        for key in kind.keys:
            given = "ArrayLike" if isinstance(key.default, tuple) or "three" in key.allowed else "float"
            given = "ArrayLike" if "rows" in key.allowed else given
            given = "Mapping[str, float]" if isinstance(key.default, dict) else given
            given = "str" if isinstance(key.default, str) or "one of" in key.allowed else given
            parameters.append(f"{key.name}: {given}" + ("" if key.default is None else " = ..."))
        star = ", *, " if parameters else ""
        lines.append(f"class {name}(Torque):\n    def __init__(self{star}{', '.join(parameters)}) -> None: ...\n")
    return "\n".join(lines)


def test_torque_classes_have_types() -> None:
    stub = PACKAGE / "python" / "polhode" / "_torque_classes.pyi"
    if os.environ.get("POLHODE_UPDATE_DOCS"):
        stub.write_text(torque_classes())
    assert stub.read_text() == torque_classes(), "POLHODE_UPDATE_DOCS=1 with this test writes it anew"


def test_users_are_helped_by_the_types(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        "import polhode\n"
        "motion = polhode.FreeMotion([1, 2, 3], omega=[1, 2, 3])\n"
        "period: float | None = motion.period\n"
        "run = polhode.simulate(motion, polhode.torques.HeavyTop(), 'rk4', 0.1, 1.0)\n"
        "steps: int | None = run.steps\n"
        "fewer: int | None = run[::2].steps\n"
        "import numpy as np\n"
        "import polhode.dask\n"
        "flip: float | None = motion.next_flip(1)\n"
        "later: float = motion.next_flip(np.arange(3.0)).sum() + motion.next_flip([1, 2]).max()\n"
        "many = polhode.ensemble([1, 2, 3], momentum=np.ones((4, 3)), times=[1.0])\n"
        "energies = many[1:].energy.sum() + many[many.failed].energy.sum()\n"
        "one: polhode.States = many[0]\n"
        "own = polhode.Scheme('mine', 2, [('kick', 0.5), ('drift', 1), ('kick', 0.5)])\n"
        "heun = polhode.Tableau([[0, 0], [1, 0]], [0.5, 0.5], [0, 1], order=2)\n"
        "orders = polhode.compare(motion, None, [own, heun, 'rk4'], [0.1], 1.0).orders\n"
        "momentum, attitude = polhode.step([1, 2, 3], np.ones((4, 3)), [1, 0, 0, 0], 0.1)\n"
        "turned = polhode.so3.exp(polhode.so3.log(attitude)).sum() + momentum.sum()\n"
        "there = polhode.dask.ensemble(None, [1, 2, 3], momentum=np.ones((4, 3)), times=[1.0]).compute().energy\n"
        "found = polhode.solve(motion, None, 1.0, dense_output=True, events=lambda t, state: state.matrix[2, 2])\n"
        "moments: list[float] = [t.sum() for t in found.t_events or []]\n"
        "between = found.sol(0.5).momentum.sum() + found[-1].momentum.sum() if found.sol else 0.0\n"
        "phi = motion.tangent(1.0).state_transition.sum() + motion.period_gradient().momentum.sum()\n"
        "rate: float = polhode.lyapunov(motion, None, 'exact', 0.1, 1.0).exponent\n"
        "files = polhode.dask.ensemble(None, [1, 2, 3], momentum=[1, 2, 3], times=[1.0], directory='here').paths[0].name\n"
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


def test_the_wheel_is_one_for_every_python() -> None:
    """Its tag says so, and the module uses nothing that is not in the stable interface of 3.10."""
    wheel = importlib.metadata.distribution("polhode").read_text("WHEEL") or ""
    (tag,) = [line for line in wheel.splitlines() if line.startswith("Tag: ")]
    assert tag.startswith("Tag: cp310-abi3-")
    module = Path(polhode._polhode.__file__ or "")
    assert module.name.endswith((".abi3.so", ".pyd"))
    run("abi3audit", "--strict", "--assume-minimum-abi3", "3.10", str(module))


def test_extras_are_attributes_that_say_what_they_need() -> None:
    code = (
        "import sys, polhode\n"
        "assert not {'matplotlib', 'dask', 'distributed', 'jax'} & set(sys.modules)\n"
        "assert {'plot', 'dask', 'jax'} <= set(dir(polhode))\n"
        "assert polhode.plot.herpolhode and polhode.dask.ensemble and polhode.jax.step\n"
        "assert not hasattr(polhode, 'plots')\n"
        "shown = {name for name in dir(polhode) if not name.startswith('__')}\n"
        "assert shown == {*polhode.__all__, 'plot', 'dask', 'jax'} - {'__version__'}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    dask = "'dask[array]' distributed"
    for extra, needed, get in (
        ("plot", "matplotlib", "matplotlib"),
        ("dask", "dask", dask),
        ("dask", "distributed", dask),
        ("jax", "jax", "jax"),
    ):
        # None among the modules: as if it were not installed.
        code = (
            f"import sys; sys.modules[{needed!r}] = None\n"
            "import polhode\n"
            f"for use in ('polhode.{extra}', 'import polhode.{extra}'):\n"
            "    try:\n"
            "        exec(use)\n"
            "    except ImportError as error:\n"
            "        print(error)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.count(f"polhode.{extra} needs {needed}") == 2, done.stdout
        assert done.stdout.count(f"pip install {get}\n") == 2, done.stdout


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [t for name in ["polhode", *MODULES] for t in finder.find(importlib.import_module(name)) if t.examples]
    assert len(tests) > 15
    with_example = {test.name for test in tests}
    # SciPy's names are other names of the same functions.
    functions = {getattr(polhode.elliptic, name).__name__ for name in polhode.elliptic.__all__}
    assert {f"polhode.elliptic.{name}" for name in functions} <= with_example
    assert {f"polhode.plot.{name}" for name in polhode.plot.__all__} <= with_example
    assert "polhode.dask.ensemble" in with_example
    assert {f"polhode.jax.{name}" for name in polhode.jax.__all__} <= with_example
