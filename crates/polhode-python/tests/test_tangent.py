"""Derivatives: against references, against differences, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY

import polhode

EPS = 2.0**-53
TOP = {"kind": "heavy-top", "centre": (0.1, -0.2, 9.81)}
BODY = polhode.Body([1, 1.5, 2], momentum=[1, 2, 3], attitude=[0.5, -0.5, 0.1, 0.7])


def local(states: polhode.States, base: polhode.States) -> np.ndarray[Any, Any]:
    """By how much states differ from others: (dm, del)."""
    w, v = base.attitude[..., :1], -base.attitude[..., 1:]
    other, u = states.attitude[..., :1], states.attitude[..., 1:]
    turn = np.concatenate([w * other - np.sum(v * u, axis=-1, keepdims=True), w * u + other * v + np.cross(v, u)], -1)
    return np.concatenate([states.momentum - base.momentum, polhode.so3.log(turn)], axis=-1)


def moved(body: polhode.Body, k: int, size: float) -> polhode.Body:
    """A body whose momentum or attitude at the start is changed a little."""
    momentum, turn = body.momentum, np.zeros(3)
    if k < 3:
        momentum[k] += size
    else:
        turn[k - 3] = size
    (a, *u), (b, *v) = body.attitude, polhode.so3.exp(turn)
    attitude = [a * b - np.dot(u, v), *(a * np.array(v) + b * np.array(u) + np.cross(u, v))]
    return polhode.Body(body.inertia, momentum=momentum, attitude=attitude)


def with_entry(body: polhode.Body, k: int, size: float, **start: Any) -> polhode.Body:
    """A body one entry of whose tensor is changed a little: 11, 22, 33, 12, 13, 23."""
    tensor = body.tensor
    i, j = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)][k]
    tensor[i, j] += size
    tensor[j, i] = tensor[i, j]
    return polhode.Body(tensor, **(start or {"momentum": body.momentum}), attitude=body.attitude)


def numbers(value: Any) -> np.ndarray[Any, Any]:
    return np.array(value, dtype=float)


CASES = json.loads((REPOSITORY / "oracle" / "tangent_A.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_free_motions_have_the_derivatives_of_the_reference(case: dict[str, Any]) -> None:
    if "tensor" in case:
        a, b, c, d, e, f = case["tensor"]
        inertia: Any = [[a, d, e], [d, b, f], [e, f, c]]
        sizes = np.array([a, b, c])
    else:
        inertia, sizes = case["inertia"], np.array(case["inertia"])
    motion = polhode.FreeMotion(
        inertia, momentum=case["momentum0"], attitude=case["quaternion0"], allow_unphysical=True
    )
    there = motion.tangent(case["t"])
    assert there.held == "momentum" and there.inertia is not None and there.inertia_off is not None
    length = float(np.linalg.norm(case["momentum0"])) or 1.0
    mixed = np.sqrt([sizes[0] * sizes[1], sizes[0] * sizes[2], sizes[1] * sizes[2]])
    phi, inertia_error, off_error = (
        found - numbers(case[name])
        for found, name in ((there.state_transition, "Phi"), (there.inertia, "dI"), (there.inertia_off, "dI_off"))
    )
    errors = {
        "A": phi[:3, :3],
        "B": phi[3:, :3] * length,
        "R": phi[3:, 3:],
        "dI_m": inertia_error[:3] * sizes / length,
        "dI_del": inertia_error[3:] * sizes,
        "dI_off_m": off_error[:3] * mixed / length,
        "dI_off_del": off_error[3:] * mixed,
    }
    assert (there.state_transition[:3, 3:] == 0).all()
    for block, error in errors.items():
        norm, ulp = float(case["norm"][block]), float(case["ulp"][block])
        assert np.abs(error).max() <= max(40 * EPS * max(1.0, norm), 4 * ulp), block
    state = motion.at(case["t"])
    assert there.states.momentum == pytest.approx(state.momentum, rel=1e-13, abs=1e-14 * length)
    want = np.concatenate([np.cross(state.momentum, state.omega), state.omega])
    assert there.time == pytest.approx(want, rel=1e-12, abs=1e-13 * np.abs(want).max())


TOPS = json.loads((REPOSITORY / "oracle" / "tangent_torqued_A.json").read_text())["cases"]


@pytest.mark.parametrize("case", TOPS, ids=[case["name"] for case in TOPS])
def test_solutions_have_the_derivatives_of_the_reference(case: dict[str, Any]) -> None:
    body = polhode.Body(
        case["inertia"], momentum=case["momentum0"], attitude=case["quaternion0"], allow_unphysical=True
    )
    top, end = polhode.torques.HeavyTop(centre=case["arm"]), case["t"]
    there = polhode.solve(body, top, end, 1e-11, t_eval=[end], tangent=True).tangent
    assert there is not None and there.inertia is not None and there.inertia_off is not None
    blocks = (
        (there.state_transition, "Phi"),
        (there.inertia, "dI"),
        (there.inertia_off, "dI_off"),
        (there.parameters[:, :, :3], "d_arm"),
    )
    # Ten times the tolerance, for errors grow along a sensitive motion, and what an ulp of the start does.
    least = 4 * max(float(ulp) for ulp in case["ulp"].values()) / max(float(norm) for norm in case["norm"].values())
    for found, name in blocks:
        want = numbers(case[name])
        for rows in (slice(0, 3), slice(3, 6)):
            size = np.abs(want[rows]).max()
            assert np.abs(found[0, rows] - want[rows]).max() <= (1e-10 + least) * size, name


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 3)])
def test_the_shape_of_the_times_is_kept(shape: tuple[int, ...]) -> None:
    t = np.arange(float(np.prod(shape))).reshape(shape)
    motion = polhode.FreeMotion.of(BODY)
    there = motion.tangent(t)
    for index in np.ndindex(shape):
        alone, one = motion.tangent(t[index]), there[index]
        for block in ("state_transition", "inertia", "inertia_off", "time"):
            assert getattr(one, block).tobytes() == getattr(alone, block).tobytes(), (block, index)
    assert there.state_transition.shape == (*shape, 6, 6)
    assert there.inertia is not None and there.inertia.shape == (*shape, 6, 3)
    assert there.inertia_off is not None and there.inertia_off.shape == (*shape, 6, 3)
    assert there.time.shape == (*shape, 6) and there.parameters.shape == (*shape, 6, 0)
    assert there.states.attitude.shape == (*shape, 4)
    assert there.parameter_names == ()


def test_an_index_is_one_into_the_times() -> None:
    t = np.linspace(0, 5, 2000).reshape(2, 1000)
    motion = polhode.FreeMotion.of(BODY)
    there = motion.tangent(t)
    assert len(there) == 2
    one = there[1, 7]
    alone = motion.tangent(t[1, 7])
    assert one.state_transition.tobytes() == alone.state_transition.tobytes()
    assert one.states.t == t[1, 7]
    assert there[..., 7].time.shape == (2, 6) and there[:, ::2].state_transition.shape == (2, 500, 6, 6)
    assert "(2, 1000)" in repr(there)


@pytest.mark.parametrize("body", [BODY, polhode.Body([1, 2, 2.5], omega=[0.3, 1.5, 0.2])])
def test_the_derivatives_by_the_inertia_can_be_left_out(body: polhode.Body) -> None:
    motion = polhode.FreeMotion.of(body)
    # Short times, times in lanes, and what is left over of them.
    t = np.concatenate([np.linspace(-0.1, 0.1, 7), np.linspace(1, 1e4, 1100)])
    there, bare = motion.tangent(t), motion.tangent(t, inertia=False)
    assert bare.inertia is None and bare.inertia_off is None and bare[3].inertia is None
    assert bare.held == there.held
    for block in ("state_transition", "time"):
        assert getattr(bare, block).tobytes() == getattr(there, block).tobytes()
    assert bare.states.attitude.tobytes() == there.states.attitude.tobytes()
    assert bare.states.omega.tobytes() == there.states.omega.tobytes()
    assert motion.tangent(2.0, inertia=False).state_transition.shape == (6, 6)
    with pytest.raises(TypeError, match="inertia: must be a bool, not int"):
        motion.tangent(t, inertia=0)  # type: ignore[arg-type]
    with pytest.raises(polhode.InvalidInput, match="t = NaN: a time must be finite"):
        motion.tangent([0.0, np.nan], inertia=False)


@pytest.mark.parametrize("given", ["momentum", "omega"])
def test_the_object_says_what_is_held_and_holds_it(given: str) -> None:
    start = {given: [0.3, 1.5, 0.2]}
    body = polhode.Body([1, 2, 2.5], **start)  # type: ignore[arg-type]
    there = polhode.FreeMotion.of(body).tangent(2.0)
    assert there.held == {"momentum": "momentum", "omega": "angular velocity"}[given]
    assert there.inertia is not None and there.inertia_off is not None
    found = np.concatenate([there.inertia, there.inertia_off], axis=1)
    h = 1e-5
    for k in range(6):
        plus, minus = (polhode.FreeMotion.of(with_entry(body, k, s, **start)).at(2.0) for s in (h, -h))
        assert found[:, k] == pytest.approx(local(plus, minus) / (2 * h), abs=2e-8)


@pytest.mark.parametrize("inertia", [[1, 1.5, 2], [[1, 0.1, -0.05], [0.1, 1.5, 0.2], [-0.05, 0.2, 2]]])
@pytest.mark.parametrize("torque", [None, TOP], ids=["free", "top"])
def test_runs_and_solutions_hold_the_angular_velocity_that_was_given(torque: Any, inertia: Any) -> None:
    start = {"omega": [1.1, 0.8, 1.4]}
    body = polhode.Body(inertia, **start, attitude=BODY.attitude)  # type: ignore[arg-type]

    def simulated(body: polhode.Body, **more: Any) -> Any:
        return polhode.simulate(body, torque, "rkn6-14+exact", 0.1, 2.0, 20, **more)

    def solved(body: polhode.Body, **more: Any) -> Any:
        return polhode.solve(body, torque, 2.0, 1e-12, t_eval=[2.0], **more)

    for run in (simulated, solved):
        there = run(body, tangent=True).tangent[-1]
        assert there.held == "angular velocity"
        found, h = np.concatenate([there.inertia, there.inertia_off], axis=1), 1e-5
        for k in range(6):
            plus, minus = (run(with_entry(body, k, s, **start))[-1] for s in (h, -h))
            assert found[:, k] == pytest.approx(local(plus, minus) / (2 * h), rel=1e-7, abs=2e-7)
        same = polhode.Body(inertia, momentum=body.momentum, attitude=BODY.attitude)
        other = run(same, tangent=True).tangent[-1]
        assert other.held == "momentum" and np.abs(there.inertia - other.inertia).max() > 0.1
        assert np.abs(there.state_transition - other.state_transition).max() < 1e-13
    # What has no derivatives by the inertia has none at a fixed angular velocity either.
    crude = polhode.simulate(body, torque, "strang+dmv", 0.1, 1.0, tangent=True).tangent
    assert crude is not None and crude.inertia is None and crude.held == "angular velocity"


def test_events_hold_the_angular_velocity_that_was_given() -> None:
    def level(t: float, state: polhode.States) -> float:
        return float(state.matrix[2, 2] + 0.1 * state.omega[0])

    start = {"omega": [1.1, 0.8, 1.4]}
    body = polhode.Body([1, 1.5, 2], **start, attitude=BODY.attitude)  # type: ignore[arg-type]
    (found,) = polhode.solve(body, TOP, 3.0, 1e-12, events=level, tangent=True).event_tangents or []
    assert len(found) > 1 and found.there.held == "angular velocity"
    assert found.there.inertia is not None and found.there.inertia_off is not None
    there, h = np.concatenate([found.there.inertia, found.there.inertia_off], axis=2), 1e-5
    for k in range(6):
        plus, minus = (polhode.solve(with_entry(body, k, s, **start), TOP, 3.0, 1e-12, events=level) for s in (h, -h))
        slope = (plus.t_events[0] - minus.t_events[0]) / (2 * h)  # type: ignore[index]
        assert found.time_by_inertia[:, k] == pytest.approx(slope, abs=1e-6)
        moved_there = local(plus.y_events[0], minus.y_events[0]) / (2 * h)  # type: ignore[index]
        assert np.abs(there[:, :, k] - moved_there).max() < 1e-5


def test_a_dense_solution_has_derivatives_at_any_time() -> None:
    times = np.array([[0.3, 1.7], [0.0, 2.0]])
    found = polhode.solve(BODY, TOP, 2.0, dense_output=True, tangent=True)
    assert found.sol is not None
    there = found.sol.tangent(times)
    assert there.state_transition.shape == (2, 2, 6, 6) and there.parameters.shape == (2, 2, 6, 6)
    want = polhode.solve(BODY, TOP, 2.0, t_eval=[0.3, 1.7], tangent=True).tangent
    assert want is not None and (there[0].state_transition == want.state_transition).all()
    assert found.sol.tangent(0.3).state_transition.shape == (6, 6)
    with pytest.raises(polhode.InvalidInput, match="t = 2.5: the solution spans 0.0 to 2.0"):
        found.sol.tangent(2.5)
    plain = polhode.solve(BODY, TOP, 2.0, dense_output=True)
    with pytest.raises(TypeError, match="tangent: the solution has no derivatives"):
        plain.sol.tangent(1.0)  # type: ignore[union-attr]


def test_a_symmetric_body_and_a_sphere_have_derivatives() -> None:
    for inertia in ([1, 2, 2], [2, 2, 2]):
        body = polhode.Body(inertia, momentum=[0.5, 2, 0.1])
        there = polhode.FreeMotion.of(body).tangent([0.0, 1.0, 1e4])
        for block in (there.state_transition, there.inertia, there.inertia_off, there.time):
            assert block is not None and np.isfinite(block).all()
        h = 1e-6
        for k in range(6):
            plus, minus = (polhode.FreeMotion.of(moved(body, k, s)).at(1.0) for s in (h, -h))
            assert there.state_transition[1, :, k] == pytest.approx(local(plus, minus) / (2 * h), abs=2e-8)


def test_numbers_of_a_motion_have_gradients() -> None:
    body = polhode.Body([1, 2, 2.5], momentum=[0.5, 2, 0.3])
    motion, h = polhode.FreeMotion.of(body), 1e-5

    def values(body: polhode.Body) -> np.ndarray[Any, Any]:
        motion = polhode.FreeMotion.of(body)
        return np.array([motion.period, motion.precession_rate, motion.next_flip(3.0)])

    gradients = [motion.period_gradient(), motion.precession_rate_gradient(), motion.next_flip_gradient(3.0)]
    assert [g.value for g in gradients] == values(body).tolist()
    assert {g.held for g in gradients} == {"momentum"}
    for k in range(3):
        slope = (values(moved(body, k, h)) - values(moved(body, k, -h))) / (2 * h)
        assert [g.momentum[k] for g in gradients] == pytest.approx(slope, rel=1e-7, abs=1e-8)
    found = [np.concatenate([g.inertia, g.inertia_off]) for g in gradients]
    for k in range(6):
        slope = (values(with_entry(body, k, h)) - values(with_entry(body, k, -h))) / (2 * h)
        assert [g[k] for g in found] == pytest.approx(slope, rel=1e-6, abs=1e-7)
    spun = polhode.FreeMotion([1, 2, 2.5], omega=[0.5, 1, 0.1])
    assert spun.period_gradient().held == "angular velocity"


def test_what_has_no_derivative_is_said() -> None:
    steady = polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 1])
    for ask in (steady.period_gradient, steady.precession_rate_gradient, steady.next_flip_gradient):
        with pytest.raises(polhode.InvalidInput, match="no derivative") as caught:
            ask()
        assert caught.value.argument == "momentum"
    with pytest.raises(polhode.InvalidInput, match="t = NaN: a time must be finite"):
        polhode.FreeMotion.of(BODY).tangent(np.nan)


def test_the_tangent_of_a_run_is_that_of_its_steps() -> None:
    arguments: Any = ("rkn6-14+exact", 0.05, 2.0, 8)
    run = polhode.simulate(BODY, TOP, *arguments, tangent=True)
    there = run.tangent
    assert there is not None and there.inertia is not None and there.inertia_off is not None
    assert (there.states.t == run.t).all() and there.held == "momentum"
    assert np.abs(there.states.momentum - run.momentum).max() < 1e-13
    assert there.state_transition.shape == (6, 6, 6) and there.parameters.shape == (6, 6, 6)
    names = tuple(f"heavy-top.{key}.{axis}" for key in ("centre", "up") for axis in "xyz")
    assert there.parameter_names == names
    assert run[2:4].tangent is not None and run[2:4].tangent.time.shape == (2, 6)  # type: ignore[union-attr]
    assert polhode.simulate(BODY, TOP, *arguments).tangent is None
    h = 1e-6

    def ends(change: Any) -> np.ndarray[Any, Any]:
        plus, minus = (polhode.simulate(*change(s), *arguments)[-1] for s in (h, -h))
        return local(plus, minus) / (2 * h)

    for k in range(6):
        assert there.state_transition[-1, :, k] == pytest.approx(ends(lambda s: (moved(BODY, k, s), TOP)), abs=1e-7)
        block = there.inertia if k < 3 else there.inertia_off
        assert block[-1, :, k % 3] == pytest.approx(ends(lambda s: (with_entry(BODY, k, s), TOP)), abs=1e-7)
    for k in range(3):
        step = np.eye(3)[k]
        slope = ends(lambda s: (BODY, {**TOP, "centre": np.array(TOP["centre"]) + s * step}))
        assert there.parameters[-1, :, k] == pytest.approx(slope, abs=1e-7)


def test_rotors_without_derivatives_by_the_inertia_have_none() -> None:
    there = polhode.simulate(BODY, TOP, "strang+dmv", 0.1, 1.0, tangent=True).tangent
    assert there is not None and there.inertia is None and there.inertia_off is None
    assert np.isfinite(there[-1].state_transition).all() and there[-1].inertia is None


def test_own_schemes_and_functions_have_derivatives() -> None:
    own = polhode.Scheme("mine", 2, [("kick", 0.5), ("drift", 1), ("kick", 0.5)])
    want = polhode.simulate(BODY, TOP, "strang+exact", 0.1, 1.0, tangent=True).tangent
    found = polhode.simulate(BODY, TOP, own, 0.1, 1.0, tangent=True).tangent
    assert want is not None and found is not None
    assert found.state_transition == pytest.approx(want.state_transition, rel=0, abs=1e-12)
    assert found.parameters == pytest.approx(want.parameters, rel=0, abs=1e-12)

    def pull(t: float, m: Any, q: Any) -> Any:
        return -0.2 * np.asarray(m)

    body = polhode.Body([1, 1.5, 2], momentum=[1, 2, 3])
    damped = polhode.simulate(body, pull, "strang+exact", 0.1, 1.0, tangent=True).tangent
    assert damped is not None and damped.parameter_names == ()
    # Half kicks of exp(-0.2 h) alone: the volume of momenta shrinks by them.
    assert np.linalg.det(damped.state_transition[-1, :3, :3]) == pytest.approx(np.exp(-0.6), rel=1e-3)

    def broken(t: float, m: Any, q: Any) -> Any:
        if t > 0.4:
            raise ZeroDivisionError("here")
        return [0.0, 0.0, 0.0]

    with pytest.raises(ZeroDivisionError, match="here"):
        polhode.simulate(body, broken, "strang+exact", 0.1, 1.0, tangent=True)
    with pytest.raises(ZeroDivisionError, match="here"):
        polhode.solve(body, broken, 1.0, tangent=True)


@pytest.mark.parametrize("vectorized", [False, True])
def test_derivatives_are_taken_by_the_jacobian_that_is_given(vectorized: bool) -> None:
    body = polhode.Body([1, 1.5, 2], momentum=[1, 2, 3])

    def drag(said: float) -> polhode.torques.Function:
        """Of a rate of 0.2, and a jacobian that says another."""
        return polhode.torques.Function(
            lambda t, m, q: -0.2 * np.asarray(m),
            jacobian=lambda t, m, q: (np.zeros((3, 3)), -said * np.eye(3)),
            vectorized=vectorized,
        )

    for said in (0.2, 0.1):
        torque = drag(said)
        solved = polhode.solve(body, torque, 1.0, t_eval=[1.0], tangent=True).tangent
        run = polhode.simulate(body, torque, "strang+exact", 0.1, 1.0, tangent=True).tangent
        spread = polhode.covariance(body, torque, "strang+exact", 0.1, 1.0, start=np.eye(6)).covariance
        assert solved is not None and run is not None
        # By how much the volume of momenta shrinks.
        want = np.exp(-3 * said)
        assert np.linalg.det(solved.state_transition[-1, :3, :3]) == pytest.approx(want, rel=1e-8)
        assert np.linalg.det(run.state_transition[-1, :3, :3]) == pytest.approx(want, rel=1e-3)
        assert np.linalg.det(spread[-1, :3, :3]) == pytest.approx(want**2, rel=2e-3)


def test_what_has_no_tangent_is_refused() -> None:
    heun = polhode.Tableau([[0, 0], [1, 0]], [0.5, 0.5], [0, 1], order=2)
    for method in ("rk4", heun):
        with pytest.raises(polhode.InvalidInput, match="has no derivatives; take a splitting") as caught:
            polhode.simulate(BODY, TOP, method, 0.1, 1.0, tangent=True)
        assert caught.value.argument == "method"
    with pytest.raises(TypeError, match="times, tangent"):
        polhode.simulate(BODY, TOP, "strang+exact", 0.1, times=[0.5], tangent=True)
    with pytest.raises(TypeError, match="tangent: must be a bool"):
        polhode.simulate(BODY, TOP, "strang+exact", 0.1, 1.0, tangent=1)  # type: ignore[arg-type]
    hit = polhode.Event(lambda t, state: t - 0.5, action=lambda t, state: None)
    with pytest.raises(polhode.InvalidInput, match="not carried through the action of an event") as caught:
        polhode.solve(BODY, TOP, 1.0, events=hit, tangent=True)
    assert caught.value.argument == "events"


def test_a_solution_has_derivatives_at_its_times() -> None:
    found = polhode.solve(BODY, TOP, 2.0, t_eval=[0, 0.7, 2.0], tangent=True)
    there = found.tangent
    assert there is not None and there.inertia is not None
    assert there.state_transition.shape == (3, 6, 6) and there.parameters.shape == (3, 6, 6)
    assert np.abs(there.states.momentum - found.momentum).max() < 1e-9
    assert there.state_transition[0] == pytest.approx(np.eye(6), abs=1e-15)
    # The derivatives of a fine run tend to it.
    fine = polhode.simulate(BODY, TOP, "rkn6-14+exact", 0.01, 2.0, 200, tangent=True).tangent
    assert fine is not None and fine.inertia is not None and fine.inertia_off is not None
    for name in ("state_transition", "inertia", "inertia_off", "time", "parameters"):
        want = getattr(fine, name)[-1]
        assert np.abs(getattr(there, name)[-1] - want).max() < 1e-8 * np.abs(want).max(), name
    assert found[1:].tangent is not None and len(found[1:].tangent) == 2  # type: ignore[arg-type]
    plain = polhode.solve(BODY, TOP, 2.0, t_eval=[0, 0.7, 2.0])
    assert plain.tangent is None and plain.event_tangents is None
    assert plain.attitude.tobytes() == found.attitude.tobytes()
    # Without times of its own: at the ends of steps.
    steps = polhode.solve(BODY, TOP, 2.0, tangent=True)
    assert steps.tangent is not None and (steps.tangent.states.t == steps.t).all()
    back = polhode.solve(BODY, None, t_span=(1.0, -1.0), t_eval=[0.0, -1.0], tangent=True).tangent
    free = polhode.FreeMotion.of(BODY).tangent([-1.0, -2.0])
    assert back is not None and np.abs(back.state_transition - free.state_transition).max() < 1e-14


def test_events_move_with_the_start() -> None:
    def level(t: float, state: polhode.States) -> float:
        return float(state.matrix[2, 2])

    def solved(body: polhode.Body, centre: Any = TOP["centre"]) -> polhode.Solution:
        return polhode.solve(body, {**TOP, "centre": centre}, 3.0, 1e-12, events=level)

    found = polhode.solve(BODY, TOP, 3.0, 1e-12, events=[level, lambda t, state: t + 1], tangent=True)
    assert found.t_events is not None and found.event_tangents is not None
    events, none = found.event_tangents
    count = len(found.t_events[0])
    assert count > 1 and len(none) == 0 and none.there.state_transition.shape == (0, 6, 6)
    assert events.time_by_start.shape == (count, 6) and events.time_by_parameters.shape == (count, 6)
    h = 1e-5
    for k in range(6):
        plus, minus = (solved(moved(BODY, k, s)) for s in (h, -h))
        slope = (plus.t_events[0] - minus.t_events[0]) / (2 * h)  # type: ignore[index]
        assert events.time_by_start[:, k] == pytest.approx(slope, abs=1e-6)
        there = local(plus.y_events[0], minus.y_events[0]) / (2 * h)  # type: ignore[index]
        assert np.abs(events.there.state_transition[:, :, k] - there).max() < 1e-5
        plus, minus = (solved(with_entry(BODY, k, s)) for s in (h, -h))
        slope = (plus.t_events[0] - minus.t_events[0]) / (2 * h)  # type: ignore[index]
        assert events.time_by_inertia[:, k] == pytest.approx(slope, abs=1e-6)
    step = np.array([0, 0, h])
    plus, minus = (solved(BODY, TOP["centre"] + s * step) for s in (1, -1))
    slope = (plus.t_events[0] - minus.t_events[0]) / (2 * h)  # type: ignore[index]
    assert events.time_by_parameters[:, 2] == pytest.approx(slope, abs=1e-6)
    # One that ends the run, and one that raises when differentiated.
    ended = polhode.solve(BODY, TOP, 3.0, 1e-12, events=polhode.Event(level, terminal=True), tangent=True)
    assert ended.event_tangents is not None and ended.status == 1
    assert ended.event_tangents[0].time_by_start[0] == pytest.approx(events.time_by_start[0], rel=1e-6)
    assert ended.tangent is not None and ended.tangent.states.t[-1] == ended.t[-1]
