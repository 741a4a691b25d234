"""Solutions to a given accuracy, and their events."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import polhode
from polhode import torques

BODY = polhode.Body([1, 5, 6], omega=[1, 2, 3], attitude=[0.8, 0.2, -0.4, 0.4])
SLOW = polhode.Body([1, 2, 2.5], momentum=[1, 2, 3])
TOP = torques.HeavyTop(centre=(0.3, 0, 2))


def top(t: float, momentum: np.ndarray, attitude: np.ndarray) -> np.ndarray:
    """The heavy top, written anew: the weight -e3 pulls at the centre."""
    down = Rotation.from_quat(attitude[[1, 2, 3, 0]]).inv().apply([0, 0, -1])
    return np.cross([0.3, 0, 2], down)


def error(got: polhode.States, want: polhode.States) -> float:
    """The largest of momentum, relative, and attitude, in radians."""
    momentum = np.linalg.norm(got.momentum - want.momentum, axis=-1) / np.linalg.norm(want.momentum, axis=-1)
    turned = (got.rotation() * want.rotation().inv()).magnitude()
    return float(max(np.max(momentum), np.max(turned)))


def test_the_error_is_the_one_asked_for_and_scipy_agrees() -> None:
    def slope(t: float, y: np.ndarray) -> np.ndarray:
        m, q = y[:3], y[3:]
        w = m / BODY.moments
        w1, w2, w3 = w / 2
        spin = np.array([[0, -w1, -w2, -w3], [w1, 0, w3, -w2], [w2, -w3, 0, w1], [w3, w2, -w1, 0]])
        return np.concatenate([np.cross(m, w) + top(t, m, q / np.linalg.norm(q)), spin @ q])

    y = np.concatenate([BODY.momentum, BODY.attitude])
    peer = solve_ivp(slope, (0, 5), y, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    end = polhode.solve(BODY, TOP, 5.0, 1e-12)[-1]
    # SciPy's own error, some thousand times its tolerance at most.
    assert np.abs(end.momentum - peer[:3]).max() < 1e-9
    assert min(np.abs(end.attitude - s * peer[3:]).max() for s in (1, -1)) < 1e-9
    for tolerance in (1e-3, 1e-6, 1e-9):
        found = polhode.solve(BODY, TOP, 5.0, tolerance)
        assert 0 < error(found[-1], end) < 10 * tolerance
        assert (found.t[0], found.t[-1], found.method) == (0.0, 5.0, "extrapolation")


def test_a_callable_is_solved_as_the_model_is() -> None:
    model, called = polhode.solve(BODY, TOP, 5.0, 1e-9), polhode.solve(BODY, top, 5.0, 1e-9)
    assert (called.method, model.method) == ("dop853", "extrapolation")
    assert error(called[-1], model[-1]) < 1e-8
    calls = 0

    def counted(t: float, momentum: np.ndarray, attitude: np.ndarray) -> np.ndarray:
        nonlocal calls
        calls += 1
        return top(t, momentum, attitude)

    again = polhode.solve(BODY, counted, 5.0, 1e-9)
    assert again.nfev == calls == again.statistics.evaluations
    assert again.statistics.steps == len(again) - 1
    forced = polhode.solve(BODY, TOP, 5.0, 1e-9, method="DOP853")
    assert forced.method == "dop853"


def test_a_free_body_is_evaluated_in_closed_form() -> None:
    t = np.linspace(0, 100, 7)
    found = polhode.solve(polhode.FreeMotion.of(BODY), None, 100.0, t_eval=t)
    assert found.method == "closed-form"
    assert error(found.states, polhode.FreeMotion.of(BODY).at(t)) < 1e-13


def test_states_at_chosen_times_are_those_of_the_whole_solution() -> None:
    for span in ((1.0, 4.0), (1.0, -2.0)):
        t = np.linspace(*span, 23)
        some = polhode.solve(BODY, TOP, t_span=span, t_eval=t, tolerance=1e-9)
        both = polhode.solve(BODY, TOP, t_span=span, t_eval=t, tolerance=1e-9, dense_output=True)
        steps = polhode.solve(BODY, TOP, t_span=span, tolerance=1e-9)
        assert some.sol is None and steps.sol is None and both.sol is not None
        assert some.t.tolist() == both.t.tolist() == t.tolist()
        assert some.attitude.tobytes() == both.attitude.tobytes() == both.sol(t).attitude.tobytes()
        assert steps[-1].momentum.tobytes() == some[-1].momentum.tobytes()
        assert both.sol(steps.t).momentum.tobytes() == steps.momentum.tobytes()
        assert (both.sol.t_min, both.sol.t_max) == (min(span), max(span))
        assert both.sol(t.reshape(1, 23)).attitude.shape == (1, 23, 4)
        assert both.sol(span[0]).momentum.shape == (3,)
        later = both[::2]
        assert later.sol is both.sol and len(later) == 12
        for outside in (5.0, float("nan")):
            with pytest.raises(polhode.InvalidInput, match="the solution spans") as refused:
                both.sol([1.0, outside])
            assert refused.value.argument == "t"
    # In many threads as in one.
    many = np.linspace(1, -2, 5000)
    assert both.sol is not None
    one_by_one = np.concatenate([both.sol(part).attitude for part in many.reshape(10, 500)])
    assert both.sol(many).attitude.tobytes() == one_by_one.tobytes()


class Level:
    """Zero where the first axis is horizontal."""

    def __init__(self, terminal: Any = False, direction: float = 0) -> None:
        self.terminal, self.direction = terminal, direction

    def __call__(self, t: float, state: polhode.States) -> float:
        assert type(t) is float and state.t == t
        return float(state.matrix[2, 0])


def test_events_are_found_as_scipy_finds_them() -> None:
    axes = {name: polhode.solve(BODY, TOP, 20.0, events=Level(direction=s)) for s, name in enumerate("ars", start=-1)}
    falling, either, rising = (axes[name] for name in "ars")
    assert either.t_events is not None and either.y_events is not None
    assert len(either.t_events[0]) > 4
    assert np.abs(either.y_events[0].matrix[:, 2, 0]).max() < 1e-11
    dense = polhode.solve(BODY, TOP, 20.0, dense_output=True).sol
    assert dense is not None
    height = dense(np.linspace(0, 20, 20001)).matrix[:, 2, 0]
    assert len(either.t_events[0]) == np.count_nonzero(np.diff(np.sign(height)))
    assert falling.t_events is not None and rising.t_events is not None
    assert sorted([*falling.t_events[0], *rising.t_events[0]]) == pytest.approx(either.t_events[0], abs=1e-11)
    before, after = (dense(rising.t_events[0] + d).matrix[:, 2, 0] for d in (-1e-3, 1e-3))
    assert (before < 0).all() and (after > 0).all()
    assert either.status == 0 and either.success and "end" in either.message
    assert polhode.solve(BODY, TOP, 1.0).t_events is None


def test_a_terminal_event_ends_the_run() -> None:
    (first, second, third, *_), *_ = polhode.solve(BODY, TOP, 20.0, events=[Level()]).t_events or []
    t_eval = np.linspace(0, 20, 41)
    for terminal, when in ((True, first), (1, first), (1.0, first), (np.float32(1), first), (3, third), (3.0, third)):
        for dense in (False, True):
            run = polhode.solve(BODY, TOP, 20.0, t_eval=t_eval, events=[Level(terminal), Level()], dense_output=dense)
            # Its steps are those of the span in which the event was found.
            assert run.t[-1] == pytest.approx(when, abs=1e-9)
            assert run.t_events is not None and run.t_events[0][-1] == run.t[-1]
            assert run.t[:-1].tolist() == t_eval[t_eval < when].tolist()
            assert run.status == 1 and run.success and "Event 0" in run.message
    assert second < third
    for terminal in (2**53 + 1, np.int64(2**63 - 1)):
        assert polhode.solve(BODY, TOP, 1.0, events=Level(terminal)).status == 0


class Broken(Exception):
    pass


@pytest.mark.parametrize("torque", [TOP, top, None])
def test_what_an_event_raises_comes_out_and_ends_everything(torque: Any) -> None:
    calls = 0

    def faulty(t: float, state: polhode.States) -> float:
        nonlocal calls
        calls += 1
        if t > 0.5:
            raise Broken("at the bottom")
        return 1.0

    with pytest.raises(Broken, match="at the bottom") as raised:
        polhode.solve(BODY, torque, 5.0, events=[lambda t, state: 1.0, faulty])
    assert "faulty" in [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]
    before = calls
    with pytest.raises(Broken):
        polhode.solve(BODY, torque, 5.0, events=faulty)
    assert calls > before


def test_what_a_torque_raises_comes_out_and_nothing_is_called_again() -> None:
    calls = 0

    def faulty(t: float, momentum: np.ndarray, attitude: np.ndarray) -> Any:
        nonlocal calls
        calls += 1
        if t > 0.5:
            raise Broken
        calls = 0
        return (0, 0, 0)

    for method in ("dop853", "extrapolation"):
        with pytest.raises(Broken):
            polhode.solve(BODY, faulty, 5.0, method=method, events=lambda t, state: 1.0)
        assert calls == 1
    # A solution that asks the torque again, where it then raises.
    angry = False

    def moody(t: float, momentum: np.ndarray, attitude: np.ndarray) -> Any:
        if angry:
            raise Broken
        return top(t, momentum, attitude)

    found = polhode.solve(BODY, moody, 1.0, method="extrapolation", dense_output=True)
    assert found.sol is not None
    angry = True
    with pytest.raises(Broken):
        found.sol(0.123)


def test_an_estimate_of_the_error_is_one() -> None:
    best = polhode.solve(BODY, TOP, 5.0, 1e-12)
    # Not 1e-6, which happens to be met ten times better than a tenth of it.
    for tolerance in (1e-5, 1e-8, 1e-9):
        found = polhode.solve(BODY, TOP, 5.0, tolerance, estimate_error=True)
        assert found.error_estimate is not None
        true = error(found[-1], best[-1])
        # The better solution has an error of its own.
        assert true / 3 < max(found.error_estimate) < 3 * true
    assert polhode.solve(BODY, TOP, 5.0, 1e-6).error_estimate is None


def test_tolerances_steps_and_stops_do_what_they_say() -> None:
    best = polhode.solve(BODY, TOP, 5.0, 1e-12)[-1]
    assert error(polhode.solve(BODY, TOP, 5.0, rtol=1e-6)[-1], best) > 1e-10
    assert polhode.solve(BODY, TOP, 5.0, rtol=1e-6)[-1].momentum.tobytes() == (
        polhode.solve(BODY, TOP, 5.0, 1e-6)[-1].momentum.tobytes()
    )
    # Of the two, each has its own.
    loose, tight = polhode.solve(BODY, TOP, 5.0, 1e-4, rtol=1e-4), polhode.solve(BODY, TOP, 5.0, 1e-4, rtol=1e-10)
    assert loose.statistics.steps < tight.statistics.steps
    assert polhode.solve(BODY, TOP, 5.0, 1e-10, atol=1e-2).statistics.steps <= tight.statistics.steps
    for until in (5.0, 0.011):
        short = polhode.solve(BODY, TOP, until, 1e-4, max_step=0.01)
        assert np.diff(short.t).max() <= 0.01 * (1 + 1e-12)
    assert polhode.solve(BODY, TOP, 5.0, 1e-4, first_step=1e-3).t[1] == pytest.approx(1e-3, rel=0.1)
    assert polhode.solve(BODY, TOP, 0.0, first_step=1e-3).t[-1] == 0.0

    def jumps(t: float, momentum: np.ndarray, attitude: np.ndarray) -> tuple[float, float, float]:
        return (1.0, 0, 0) if t < 1 / 3 else (0, -1.0, 0)

    met = polhode.solve(BODY, jumps, 1.0, 1e-9, stops=[1 / 3])
    assert 1 / 3 in met.t


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("until", lambda: polhode.solve(BODY, TOP, float("inf"))),
        ("tolerance", lambda: polhode.solve(BODY, TOP, 1.0, 1.0)),
        ("tolerance", lambda: polhode.solve(BODY, TOP, 1.0, 1e-17)),
        ("rtol", lambda: polhode.solve(BODY, TOP, 1.0, rtol=0.0)),
        ("atol", lambda: polhode.solve(BODY, TOP, 1.0, atol=-1)),
        ("max_step", lambda: polhode.solve(BODY, TOP, 1.0, max_step=0)),
        ("first_step", lambda: polhode.solve(BODY, TOP, 1.0, first_step=-1)),
        ("t_eval", lambda: polhode.solve(BODY, TOP, 1.0, t_eval=[0.5, 0.4])),
        ("t_eval", lambda: polhode.solve(BODY, TOP, 1.0, t_eval=[0.5, 0.5])),
        ("t_eval", lambda: polhode.solve(BODY, TOP, 1.0, t_eval=[0.5, 1.5])),
        ("t_eval", lambda: polhode.solve(BODY, TOP, -1.0, t_eval=[-0.5, -0.4])),
        ("t_eval", lambda: polhode.solve(BODY, TOP, 1.0, t_eval=[[0.5]])),
        ("t_eval", lambda: polhode.solve(BODY, TOP, 1.0, t_eval=[float("nan")])),
        ("first_step", lambda: polhode.solve(BODY, TOP, 1.0, first_step=1.5)),
        ("first_step", lambda: polhode.solve(BODY, TOP, t_span=(2.0, 1.0), first_step=np.inf)),
        ("first_step", lambda: polhode.solve(BODY, TOP, 1.0, first_step=[0.1, 0.2])),
        ("first_step", lambda: polhode.solve(BODY, TOP, 1.0, first_step=1e-310)),
        ("max_step", lambda: polhode.solve(BODY, TOP, 1.0, max_step=1e-310)),
        ("until", lambda: polhode.solve(BODY, TOP, 1e-310)),
        ("t_span", lambda: polhode.solve(BODY, TOP, t_span=(0.0, -1e-310))),
        ("rtol", lambda: polhode.solve(SLOW, None, 900.0, rtol=1e-10, estimate_error=True, method="extrapolation")),
        ("rtol", lambda: polhode.solve(BODY, TOP, 1.0, rtol=0.5)),
        ("rtol", lambda: polhode.solve(BODY, TOP, 1.0, 1e-9, rtol=np.nan)),
        ("rtol", lambda: polhode.solve(BODY, TOP, 1e7, rtol=1e-14)),
        ("tolerance", lambda: polhode.solve(BODY, TOP, 1.0, 0.5, rtol=1e-9)),
        ("tolerance", lambda: polhode.solve(BODY, TOP, 1.0, 0.5)),
        ("atol", lambda: polhode.solve(BODY, TOP, 1.0, atol=[1e-9] * 7)),
        ("atol", lambda: polhode.solve(BODY, TOP, 1.0, atol=np.nan)),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=Level(terminal=1.5))),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=Level(terminal=np.nan))),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=Level(terminal=2**64))),
        ("stops", lambda: polhode.solve(BODY, TOP, 1.0, stops=[2.0])),
        ("t_span", lambda: polhode.solve(BODY, TOP, t_span=(0, float("nan")))),
        ("t_span", lambda: polhode.solve(BODY, TOP, t_span=(0, 1, 2))),
        ("t0", lambda: polhode.solve(BODY, TOP, 1.0, t0=float("nan"))),
        ("method", lambda: polhode.solve(BODY, TOP, 1.0, method="rk45")),
        ("method", lambda: polhode.solve(BODY, TOP, 1.0, method="closed-form")),
        ("torque", lambda: polhode.solve(BODY, lambda t, m, q: (1, 2), 1.0)),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=lambda t, state: float("nan"))),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=lambda t, state: "high")),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=Level(terminal=-1))),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=Level(terminal="yes"))),
        ("events", lambda: polhode.solve(BODY, TOP, 1.0, events=Level(direction=float("nan")))),
    ],
)
def test_what_is_not_allowed_is_named(argument: str, call: Any) -> None:
    with pytest.raises(polhode.InvalidInput) as refused:
        call()
    assert refused.value.argument == argument
    assert argument in str(refused.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: polhode.solve(BODY, TOP),
        lambda: polhode.solve(BODY, TOP, 1.0, t_span=(0, 1)),
        lambda: polhode.solve(BODY, TOP, t_span=(0, 1), t0=0),
        lambda: polhode.solve("body", TOP, 1.0),  # type: ignore[arg-type]
        lambda: polhode.solve(BODY, TOP, 1.0, events=[3]),  # type: ignore[list-item]
        lambda: polhode.solve(BODY, TOP, 1.0, dense_output=1),  # type: ignore[arg-type]
        lambda: polhode.solve(BODY, TOP, 1.0, method=3),  # type: ignore[arg-type]
    ],
)
def test_what_is_of_the_wrong_type_is_refused(call: Any) -> None:
    with pytest.raises(TypeError):
        call()


def test_a_solution_that_cannot_be_found_says_why() -> None:
    with pytest.raises(polhode.RunFailed, match="shrunk|not finite"):
        polhode.solve(BODY, lambda t, m, q: (1 / (0.7 - t) ** 2, 0, 0), 1.0)


def test_solvers_are_listed_and_solve() -> None:
    infos = {info.id: info for info in polhode.solvers()}
    assert {info.kind for info in infos.values()} == {"solver"}
    assert [cite.key for cite in infos["extrapolation"].cites] == ["Gragg1965", "HairerNorsettWanner1993"]
    assert all(cite.bibtex.startswith("@") for info in infos.values() for cite in info.cites)
    assert (infos["dop853"].order, infos["closed-form"].order) == (8, None)
    for info in infos.values():
        torque = None if info.accepts == "none" else TOP
        assert polhode.solve(BODY, torque, 0.1, method=info.id).method == info.id
