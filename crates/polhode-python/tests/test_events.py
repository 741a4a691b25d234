"""What happens at events: impulses and changes of the torque."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polhode
from polhode import torques

BODY = polhode.Body([1, 2, 2.5], momentum=[0.3, -1.2, 2.0], attitude=[0.8, 0.2, -0.4, 0.4])


def off(got: polhode.States, want: polhode.States) -> float:
    """The larger difference of momentum and attitude."""
    turned = min(np.abs(got.attitude - s * want.attitude).max() for s in (1, -1))
    return float(max(np.abs(got.momentum - want.momentum).max(), turned))


def free(state: polhode.States, t: float) -> polhode.States:
    """The exact motion from a state on."""
    return polhode.FreeMotion([1, 2, 2.5], momentum=state.momentum, attitude=state.attitude).at(t)


@pytest.mark.parametrize("torque", [None, lambda t, m, q: np.zeros(3)])
@pytest.mark.parametrize("when", ["time", "state"])
def test_a_hit_is_free_motion_before_and_after_it(torque: Any, when: str) -> None:
    hit = np.array([0.5, 0.25, -1.0])
    functions = {"time": lambda t, state: t - 1.25, "state": lambda t, state: float(state.momentum[1])}
    seen = []

    def act(t: float, state: polhode.States) -> polhode.Change | None:
        assert type(t) is float and state.t == t
        seen.append(t)
        return polhode.Change(momentum=state.momentum + hit) if len(seen) == 1 else None

    event = polhode.Event(functions[when], action=act)
    found = polhode.solve(BODY, torque, 4.0, 1e-11, events=event, dense_output=True)
    assert found.t_events is not None and found.y_events is not None and found.sol is not None
    at = found.t_events[0][0]
    if when == "time":
        assert at == pytest.approx(1.25, abs=1e-12)
    before = free(BODY, at)  # type: ignore[arg-type]
    assert off(found.y_events[0][0], before) < 1e-9
    struck = replace(before, momentum=before.momentum + hit)
    assert off(found.sol(at), struck) < 1e-9
    assert off(found[-1], free(struck, 4.0 - at)) < 1e-9
    assert off(found.sol(0.5 * at), free(BODY, 0.5 * at)) < 1e-9  # type: ignore[arg-type]
    assert seen == found.t_events[0].tolist()
    # Without the hit it is somewhere else.
    assert off(found[-1], free(BODY, 4.0)) > 0.1  # type: ignore[arg-type]


def test_an_array_of_one_number_is_a_number() -> None:
    number = polhode.solve(BODY, None, 4.0, events=lambda t, state: float(state.momentum[1]))
    array = polhode.solve(BODY, None, 4.0, events=lambda t, state: state.momentum[1:2])
    assert number.t_events is not None and array.t_events is not None
    assert number.t_events[0].tolist() == array.t_events[0].tolist() != []


def test_velocity_and_attitude_can_be_set() -> None:
    def act(t: float, state: polhode.States) -> polhode.Change:
        return polhode.Change(omega=[1, 0.5, 0], attitude=[0, 0, 3, 0])

    found = polhode.solve(BODY, None, 2.0, events=polhode.Event(lambda t, state: t - 1, action=act))
    there = polhode.FreeMotion([1, 2, 2.5], omega=[1, 0.5, 0], attitude=[0, 0, 1, 0]).at(1.0)
    assert off(found[-1], there) < 1e-9


def test_what_acts_can_change() -> None:
    """A constant torque about a principal axis, switched off at an event: the speed stays."""
    body = polhode.Body([1, 2, 3], momentum=[0, 0, 0])
    push = torques.Constant(torque=(0, 0, 0.5), frame="body")
    for begin, later, momentum in (
        (push, None, 0.5),
        (None, push, 1.0),
        (push, lambda t, m, q: (0, 0, -1.0), -1.5),
        (push, torques.Function(lambda t, m, q: -np.ones((len(t), 3)) * [0, 0, 1], vectorized=True), -1.5),
        (lambda t, m, q: (0, 0, 0.5), [push, push], 2.5),
    ):
        event = polhode.Event(lambda t, state: t - 1, action=lambda t, state: polhode.Change(torque=later))
        found = polhode.solve(body, begin, 3.0, events=event, dense_output=True)
        assert found[-1].momentum == pytest.approx([0, 0, momentum], abs=1e-9)
        assert found.sol is not None
        middle = found.sol(2.0).momentum[2]
        first = 0.5 if begin is not None else 0.0
        assert middle == pytest.approx((first + momentum) / 2, abs=1e-9)


def test_a_terminal_event_ends_with_what_it_set() -> None:
    event = polhode.Event(
        lambda t, state: t - 1, terminal=True, action=lambda t, state: polhode.Change(momentum=[0, 0, 1])
    )
    found = polhode.solve(BODY, None, 2.0, events=event)
    assert found.status == 1 and found.t[-1] == pytest.approx(1.0)
    assert found[-1].momentum.tolist() == [0, 0, 1]


def test_attributes_of_a_function_are_as_good() -> None:
    def level(t: float, state: polhode.States) -> float:
        return float(state.momentum[1])

    class Function:
        direction = 1.0

        @staticmethod
        def action(t: float, state: polhode.States) -> polhode.Change:
            return polhode.Change(momentum=-state.momentum)

        def __call__(self, t: float, state: polhode.States) -> float:
            return level(t, state)

    event = polhode.Event(level, direction=1, action=Function.action)
    a, b = (polhode.solve(BODY, None, 5.0, events=[one]) for one in (Function(), event))
    assert a[-1].momentum.tobytes() == b[-1].momentum.tobytes()
    assert a.t_events is not None and len(a.t_events[0]) >= 1


class Broken(Exception):
    pass


def test_what_an_action_raises_comes_out() -> None:
    def act(t: float, state: polhode.States) -> None:
        raise Broken("hit too hard")

    with pytest.raises(Broken, match="hit too hard"):
        polhode.solve(BODY, None, 2.0, events=polhode.Event(lambda t, state: t - 1, action=act))

    def later(t: float, momentum: np.ndarray, attitude: np.ndarray) -> Any:
        raise Broken("from then on")

    with pytest.raises(Broken, match="from then on"):
        change = polhode.Change(torque=later)
        polhode.solve(BODY, None, 2.0, events=polhode.Event(lambda t, s: t - 1, action=lambda t, s: change))


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("momentum", lambda: polhode.Change(momentum=[1, 2])),
        ("momentum", lambda: polhode.Change(momentum=[1, 2, float("nan")])),
        ("omega", lambda: polhode.Change(omega=[1])),
        ("attitude", lambda: polhode.Change(attitude=[1, 0, 0])),
        ("attitude", lambda: polhode.Change(attitude=[0, 0, 0, 0])),
        ("torque", lambda: polhode.Change(torque={"kind": "nonsense"})),
    ],
)
def test_what_a_change_must_be_is_named(argument: str, change: Any) -> None:
    event = polhode.Event(lambda t, state: t - 1, action=lambda t, state: change())
    with pytest.raises(polhode.InvalidInput) as refused:
        polhode.solve(BODY, None, 2.0, events=event)
    assert refused.value.argument == argument


@pytest.mark.parametrize(
    "call",
    [
        lambda: polhode.Event(3),  # type: ignore[arg-type]
        lambda: polhode.Change(momentum=[1, 2, 3], omega=[1, 2, 3]),
        lambda: polhode.solve(BODY, None, 2.0, events=polhode.Event(lambda t, s: t, action=3)),  # type: ignore[arg-type]
        lambda: polhode.solve(
            BODY, None, 2.0, events=polhode.Event(lambda t, s: t - 1, action=lambda t, s: 3)  # type: ignore[arg-type, return-value]
        ),
        lambda: polhode.solve(
            BODY, None, 2.0, events=polhode.Event(lambda t, s: t - 1, action=lambda t, s: polhode.Change(torque=3))  # type: ignore[arg-type]
        ),
    ],
)
def test_what_is_of_the_wrong_type_is_refused(call: Any) -> None:
    with pytest.raises(TypeError):
        call()
