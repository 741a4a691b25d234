"""Torques of the user's own: compiled, with derivatives, and what they say they depend on."""

from __future__ import annotations

import ctypes
import subprocess
import threading
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from scipy import LowLevelCallable

import polhode
from polhode import torques

BODY = polhode.Body([1, 5, 6], omega=[1, 2, 3])

SOURCE = """
/* The Lagrange top of strength 1; user data are its strength. */
static void top(double strength, const double *q, double *torque) {
    torque[0] = strength * 2 * (q[2] * q[3] + q[0] * q[1]);
    torque[1] = -strength * 2 * (q[1] * q[3] - q[0] * q[2]);
    torque[2] = 0;
}
void plain(double t, double *m, double *q, double *torque) { top(1, q, torque); }
int status(double t, double *m, double *q, double *torque) { top(1, q, torque); return t > 0.5 ? 7 : 0; }
void with_data(double t, double *m, double *q, double *torque, void *data) { top(*(double *)data, q, torque); }
int with_both(double t, double *m, double *q, double *torque, void *data) {
    top(data ? *(double *)data : 1, q, torque);
    return 0;
}
void braking(double t, double *m, double *q, double *torque) {
    for (int i = 0; i < 3; i++) torque[i] = -m[i];
}
void singular(double t, double *m, double *q, double *torque) { top(t > 0.5 ? 0.0 / 0.0 : 1, q, torque); }
"""

POINTER = ctypes.POINTER(ctypes.c_double)
FOUR = [ctypes.c_double, POINTER, POINTER, POINTER]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "torque.c").write_text(SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", "torque.so", "torque.c"], cwd=folder, check=True)
    loaded = ctypes.CDLL(str(Path(folder, "torque.so")))
    for name, result, arguments in (
        ("plain", None, FOUR),
        ("status", ctypes.c_int, FOUR),
        ("with_data", None, [*FOUR, ctypes.c_void_p]),
        ("with_both", ctypes.c_int, [*FOUR, ctypes.c_void_p]),
        ("braking", None, FOUR),
        ("singular", None, FOUR),
    ):
        function = loaded[name]
        function.restype, function.argtypes = result, arguments
        setattr(loaded, name, function)
    return loaded


def test_compiled_functions_of_all_kinds_are_called(library: ctypes.CDLL) -> None:
    model = polhode.solve(BODY, torques.LagrangeTop(strength=1.0), 3.0, 1e-9, method="dop853")[-1]
    strength = ctypes.c_double(1.0)
    data = ctypes.cast(ctypes.pointer(strength), ctypes.c_void_p)
    double = numba.types.double
    arrow = numba.types.CPointer(double)

    @numba.cfunc(numba.types.void(double, arrow, arrow, arrow))  # type: ignore[untyped-decorator,unused-ignore]
    def jitted(t: float, m: Any, q: Any, torque: Any) -> None:
        torque[0] = 2 * (q[2] * q[3] + q[0] * q[1])
        torque[1] = -2 * (q[1] * q[3] - q[0] * q[2])
        torque[2] = 0

    forms = {
        "ctypes": library.plain,
        "ctypes with data": library.with_both,
        "LowLevelCallable": LowLevelCallable(library.plain),
        "LowLevelCallable with data": LowLevelCallable(library.with_data, data),
        "LowLevelCallable with a status": LowLevelCallable(library.with_both, data),
        "const": LowLevelCallable(library.plain, signature="void (double, double *, double *, double *)"),
        "numba": jitted,
        "LowLevelCallable of numba": LowLevelCallable(jitted.ctypes),
        "Function": torques.Function(library.plain, depends_on="attitude", depends_on_time=False),
    }
    for name, form in forms.items():
        found = polhode.solve(BODY, form, 3.0, 1e-9)
        assert found.method == "dop853", name
        assert np.abs(found[-1].momentum - model.momentum).max() < 1e-12, name
    # With user data of another value the motion is another one.
    strength.value = 2.0
    other = polhode.solve(BODY, LowLevelCallable(library.with_data, data), 3.0, 1e-9)
    assert np.abs(other[-1].momentum - model.momentum).max() > 1e-3
    # Wherever a torque goes.
    torque = torques.Function(library.plain, depends_on="attitude")
    run = polhode.simulate(BODY, torque, "rkn6-14+exact", 0.01, 1.0)
    many = polhode.ensemble(
        [1, 5, 6], omega=np.tile([1.0, 2, 3], (40, 1)), torque=torque,
        method="rkn6-14+exact", step=0.01, until=1.0
    )
    assert many.momentum[7, -1].tobytes() == run.momentum[-1].tobytes()
    both = polhode.solve(BODY, [library.plain, torques.Damping(coefficient=0.1)], 1.0)
    assert both.method == "dop853"


def test_a_compiled_function_lets_other_threads_run(library: ctypes.CDLL) -> None:
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(1e-4):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    polhode.solve(BODY, library.plain, 3000.0, 1e-7, t_eval=[])
    done.set()
    thread.join()
    assert ticks > 3


def test_a_compiled_function_that_refuses_ends_the_run(library: ctypes.CDLL) -> None:
    for call in (
        lambda: polhode.solve(BODY, library.status, 1.0),
        lambda: polhode.simulate(BODY, library.status, "rk4", 0.01, 1.0),
        lambda: polhode.ensemble([1, 5, 6], omega=[1, 2, 3], torque=library.status, method="rk4", step=0.01, until=1.0),
    ):
        with pytest.raises(polhode.RunFailed, match=r"returned 7 at t = 0\.[57]"):
            call()
    with pytest.raises(polhode.RunFailed, match="singular"):
        polhode.solve(BODY, library.singular, 1.0)


def signature(result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(lambda *_: None)


@pytest.mark.parametrize(
    "given",
    [
        signature(None, ctypes.c_double, POINTER, POINTER),
        signature(None, ctypes.c_float, POINTER, POINTER, POINTER),
        signature(None, ctypes.c_double, POINTER, POINTER, ctypes.POINTER(ctypes.c_float)),
        signature(ctypes.c_double, *FOUR),
        signature(None, *FOUR, POINTER),
        signature(None, *FOUR, ctypes.c_void_p, ctypes.c_void_p),
        LowLevelCallable(signature(ctypes.c_double, *FOUR)),
        ctypes.PYFUNCTYPE(None, *FOUR)(lambda *_: None),
        ctypes.pythonapi.Py_IsInitialized,
        ctypes.CFUNCTYPE(None, *FOUR)(),
    ],
)
def test_compiled_functions_of_another_signature_are_refused(given: Any) -> None:
    with pytest.raises(polhode.InvalidInput) as refused:
        polhode.solve(BODY, given, 1.0)
    assert refused.value.argument == "torque"


def test_user_data_need_someone_to_take_them(library: ctypes.CDLL) -> None:
    data = ctypes.cast(ctypes.pointer(ctypes.c_double(1.0)), ctypes.c_void_p)
    with pytest.raises(polhode.InvalidInput, match="user data"):
        polhode.solve(BODY, LowLevelCallable(library.plain, data), 1.0)


def test_a_function_pointer_of_python_objects_is_a_callable() -> None:
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_double, ctypes.py_object, ctypes.py_object)
    run = polhode.simulate(BODY, kind(lambda t, m, q: (0, 0, 0)), "rk4", 0.1, 1.0)
    assert run.steps == 10


def spring(t: float, momentum: np.ndarray, attitude: np.ndarray) -> np.ndarray:
    return -attitude[1:]


RUNS = {
    "solve": lambda torque: polhode.solve(BODY, torque, 1.0),
    "simulate": lambda torque: polhode.simulate(BODY, torque, "strang+exact", 0.1, 1.0),
    "compare": lambda torque: polhode.compare(BODY, torque, ["strang+exact"], [0.1], 1.0),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_torque_that_lies_about_the_momentum_is_found(run: str, library: ctypes.CDLL) -> None:
    for liar in (lambda t, m, q: -0.1 * m, lambda t, m, q: (0, 0, max(m[1], 0.0) ** 2), library.braking):
        with pytest.raises(polhode.InvalidInput, match="changes with the momentum") as found:
            RUNS[run](torques.Function(liar, depends_on="attitude"))
        assert found.value.argument == "depends_on"
    with pytest.raises(polhode.InvalidInput, match="changes with the time") as found:
        RUNS[run](torques.Function(lambda t, m, q: (t, 0, 0), depends_on_time=False))
    assert found.value.argument == "depends_on_time"
    RUNS[run]([torques.Function(spring, depends_on="attitude", depends_on_time=False)])


def test_a_lie_that_does_not_show_at_the_start_is_found() -> None:
    def lift(t: float, m: np.ndarray, q: np.ndarray) -> np.ndarray:
        return (q[1] * q[3] - q[0] * q[2]) * (m + t)

    aligned = polhode.Body([1, 2, 2.5], momentum=[0.3, -1.2, 2.0])
    with pytest.raises(polhode.InvalidInput, match="changes with the momentum.* at another attitude"):
        polhode.simulate(aligned, torques.Function(lift, depends_on="attitude"), "strang+exact", 0.1, 1.0)
    with pytest.raises(polhode.InvalidInput, match="changes with the time.* at another attitude"):
        polhode.solve(aligned, torques.Function(lift, depends_on_time=False), 1.0)

    def narrow(t: float, m: np.ndarray, q: np.ndarray) -> tuple[float, float, float]:
        # The body turns about its axis.
        if abs(q[1]) + abs(q[2]) > 0:
            raise ValueError("not known there")
        return (0, 0, -q[3])

    spinning = polhode.Body([1, 2, 2.5], momentum=[0, 0, 1])
    assert polhode.simulate(spinning, torques.Function(narrow, depends_on="attitude"), "strang+exact", 0.1, 1.0).steps


def test_a_torque_at_rest_is_tried_with_some_momentum() -> None:
    still = polhode.Body([1, 2, 2.5], momentum=[0, 0, 0])
    with pytest.raises(polhode.InvalidInput, match="changes with the momentum"):
        polhode.solve(still, torques.Function(lambda t, m, q: -m, depends_on="attitude"), 1.0)


def test_what_is_never_the_same_twice_is_not_called_a_lie() -> None:
    noise = np.random.default_rng(1)
    torque = torques.Function(lambda t, m, q: noise.normal(size=3), depends_on="attitude")
    assert polhode.simulate(BODY, torque, "strang+exact", 0.1, 1.0).steps == 10


def test_derivatives_are_used() -> None:
    calls = {"torque": 0, "jacobian": 0}

    def torque(t: float, m: np.ndarray, q: np.ndarray) -> np.ndarray:
        calls["torque"] += 1
        return np.array(heavy(q))

    def heavy(q: np.ndarray) -> tuple[float, float, float]:
        w, x, y, z = q.tolist()
        return (2 * (y * z + w * x), -2 * (x * z - w * y), 0.0)

    def jacobian(t: float, m: np.ndarray, q: np.ndarray) -> Any:
        calls["jacobian"] += 1
        w, x, y, z = q.tolist()
        # The vertical u in the body changes by u x v as the body turns by v; the torque is (u2, -u1, 0).
        u = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
        return [[u[2], 0, -u[0]], [0, u[2], -u[1]], [0, 0, 0]]

    plain = torques.Function(torque, depends_on="attitude")
    known = torques.Function(torque, depends_on="attitude", jacobian=jacobian)
    both = torques.Function(torque, jacobian=lambda t, m, q: (jacobian(t, m, q), np.zeros((3, 3))))
    model = torques.LagrangeTop(strength=1.0)
    # A gradient scheme needs them.
    with pytest.raises(polhode.InvalidInput):
        polhode.simulate(BODY, plain, "takahashi-imada+exact", 0.05, 1.0)
    want = polhode.simulate(BODY, model, "takahashi-imada+exact", 0.05, 1.0).momentum[-1]
    got = polhode.simulate(BODY, known, "takahashi-imada+exact", 0.05, 1.0).momentum[-1]
    assert np.abs(got - want).max() < 1e-12 and calls["jacobian"] > 0
    calls["torque"] = 0
    without = polhode.simulate(BODY, plain, "rkmk:tableau=gauss2", 0.05, 1.0)
    differences, calls["torque"] = calls["torque"], 0
    with_them = polhode.simulate(BODY, both, "rkmk:tableau=gauss2", 0.05, 1.0)
    assert np.abs(without.momentum[-1] - with_them.momentum[-1]).max() < 1e-10
    assert calls["torque"] <= differences


@pytest.mark.parametrize("value", [None, 3.0, np.zeros((3, 2)), np.zeros(9), np.full((3, 3), np.nan), (1, 2)])
def test_what_a_jacobian_returns_is_checked(value: Any) -> None:
    torque = torques.Function(spring, depends_on="attitude", jacobian=lambda t, m, q: value)
    with pytest.raises(polhode.InvalidInput, match="the jacobian returned") as refused:
        polhode.simulate(BODY, torque, "takahashi-imada+exact", 0.1, 1.0)
    assert refused.value.argument == "jacobian"
    with pytest.raises(TypeError, match="jacobian"):
        torques.Function(spring, jacobian=3)  # type: ignore[arg-type]
