"""Motions as JAX functions: values, derivatives in both modes, batches, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import polhode
import polhode.jax as pj

jax.config.update("jax_enable_x64", True)

MOMENTS = jnp.array([1.0, 1.5, 2.0])
TENSOR = jnp.array([[1.0, 0.1, -0.05], [0.1, 1.5, 0.2], [-0.05, 0.2, 2.0]])
MOMENTUM = jnp.array([1.0, 2.0, 0.3])
#: Not of unit length.
ATTITUDE = jnp.array([0.5, -0.5, 0.1, 0.9])
TOP = polhode.torques.HeavyTop(centre=(0, 0, 2))


def solved(inertia: Any, momentum: Any, attitude: Any, until: Any) -> Any:
    return pj.solve(inertia, momentum, attitude, until, TOP, tolerance=1e-12)


FUNCTIONS: dict[str, Any] = {"free_motion": pj.free_motion, "step": pj.step, "solve": solved}


BODIES = {"moments": MOMENTS, "tensor": TENSOR, "symmetric": jnp.array([1.0, 1.5, 1.5])}


def symmetric(inertia: Any) -> Any:
    """The inertia that differences vary: of a tensor its symmetric part, for no other is one."""
    return inertia if inertia.ndim == 1 else (inertia + inertia.T) / 2


@pytest.mark.parametrize("inertia", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_both_modes_are_the_derivatives_of_the_values(name: str, inertia: Any) -> None:
    given = (inertia, MOMENTUM, ATTITUDE, 0.7)

    def function(inertia: Any, *start: Any) -> Any:
        return FUNCTIONS[name](symmetric(inertia), *start)

    check_grads(function, given, order=1, modes=["fwd", "rev"], eps=1e-5, rtol=1e-6, atol=1e-6)
    every = (0, 1, 2, 3)
    forward, backward = (jax.tree.leaves(mode(function, every)(*given)) for mode in (jax.jacfwd, jax.jacrev))
    for a, b in zip(forward, backward, strict=True):
        assert np.isfinite(a).all() and np.abs(a - b).max() <= 1e-14 * max(1, np.abs(a).max())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_jit_and_vmap_give_what_a_loop_gives(name: str) -> None:
    function = FUNCTIONS[name]
    compiled = jax.jit(function)
    for a, b in zip(function(TENSOR, MOMENTUM, ATTITUDE, 0.7), compiled(TENSOR, MOMENTUM, ATTITUDE, 0.7), strict=True):
        assert (a == b).all()
    momenta = jnp.array(np.random.default_rng(1).normal(size=(3, 3)))
    times = jnp.array([0.1, 0.5])

    def one(momentum: Any, t: Any) -> Any:
        return function(TENSOR, momentum, ATTITUDE, t)

    many = jax.jit(jax.vmap(jax.vmap(one, (None, 0)), (0, None)))(momenta, times)
    slopes = jax.vmap(jax.vmap(jax.jacrev(one, (0, 1)), (None, 0)), (0, None))(momenta, times)
    for i, momentum in enumerate(momenta):
        for j, t in enumerate(times):
            for found, want in zip(many, one(momentum, t), strict=True):
                assert np.abs(found[i, j] - want).max() < 1e-15
            wants = jax.tree.leaves(jax.jacfwd(one, (0, 1))(momentum, t))
            for found, want in zip(jax.tree.leaves(slopes), wants, strict=True):
                assert np.abs(found[i, j] - want).max() < 1e-13
    # Bodies one by one, each with its own inertia.
    bodies = jnp.stack([MOMENTS, MOMENTS * 1.1, MOMENTS[::-1]])
    moved, _ = jax.vmap(function, (0, 0, None, None))(bodies, momenta, ATTITUDE, 0.3)
    assert np.abs(moved[2] - function(bodies[2], momenta[2], ATTITUDE, 0.3)[0]).max() < 1e-15


def test_values_are_those_of_the_package() -> None:
    times = jnp.linspace(-3, 1e4, 6).reshape(2, 3)
    momentum, attitude = pj.free_motion(TENSOR, MOMENTUM, ATTITUDE, times)
    there = polhode.FreeMotion(np.array(TENSOR), momentum=np.array(MOMENTUM), attitude=np.array(ATTITUDE)).at(times)
    assert (momentum == there.momentum).all() and (attitude == there.attitude).all()
    unit = np.array(ATTITUDE / jnp.linalg.norm(ATTITUDE))
    want = polhode.step(np.array(TENSOR), np.array(MOMENTUM), unit, 0.1)
    for a, b in zip(pj.step(TENSOR, MOMENTUM, unit, 0.1), want, strict=True):
        assert (a == b).all()
    body = polhode.Body(np.array(TENSOR), momentum=np.array(MOMENTUM), attitude=np.array(ATTITUDE))
    end = polhode.solve(body, TOP, 0.7, 1e-12)[-1]
    found = solved(TENSOR, MOMENTUM, ATTITUDE, 0.7)
    assert np.abs(found[0] - end.momentum).max() < 1e-11 and np.abs(found[1] - end.attitude).max() < 1e-11
    # Of a Jacobian that JAX asks for with the values, both are the same.
    value, _ = jax.value_and_grad(lambda t: pj.free_motion(TENSOR, MOMENTUM, ATTITUDE, t)[0][0])(2.0)
    assert value == pytest.approx(float(pj.free_motion(TENSOR, MOMENTUM, ATTITUDE, 2.0)[0][0]), rel=1e-14)


def test_an_attitude_has_three_degrees_of_freedom() -> None:
    def end(attitude: Any) -> Any:
        return pj.free_motion(MOMENTS, MOMENTUM, attitude, 2.0)[1]

    slopes = jax.jacfwd(end)(ATTITUDE)
    assert np.abs(slopes @ ATTITUDE).max() < 1e-15
    assert np.abs(end(ATTITUDE) @ slopes).max() < 1e-15


def test_the_gradient_by_a_tensor_is_symmetric() -> None:
    def height(tensor: Any) -> Any:
        return pj.free_motion(tensor, MOMENTUM, ATTITUDE, 2.0)[0][2]

    slopes = np.array(jax.grad(height)(TENSOR))
    assert (slopes == slopes.T).all()
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        change = np.zeros((3, 3))
        change[i, j] = change[j, i] = 1e-6
        difference = (height(TENSOR + change) - height(TENSOR - change)) / 2e-6
        assert (slopes * change).sum() / 1e-6 == pytest.approx(float(difference), abs=1e-8)
    # An angular velocity is held by giving the momentum that belongs to it.
    omega = np.array([0.3, 1.5, 0.2])
    held = jax.jacfwd(lambda moments: pj.free_motion(moments, moments * omega, [1, 0, 0, 0], 2.0)[0])(MOMENTS)
    want = polhode.FreeMotion(np.array(MOMENTS), omega=omega).tangent(2.0)
    assert want.held == "angular velocity" and want.inertia is not None
    assert np.abs(held - want.inertia[:3]).max() < 1e-14


def test_a_tensor_must_be_symmetric() -> None:
    lopsided = TENSOR.at[0, 1].set(0.2)
    said = r"inertia: the tensor is not symmetric: entry \(1,2\) = 0.2 but \(2,1\) = 0.1"
    for function in FUNCTIONS.values():
        with pytest.raises(polhode.InvalidInput, match=said) as caught:
            function(lopsided, MOMENTUM, ATTITUDE, 0.7)
        assert caught.value.argument == "inertia"
        for traced in (jax.jit(function), jax.jacfwd(function)):
            with pytest.raises(Exception, match=said):
                jax.block_until_ready(traced(lopsided, MOMENTUM, ATTITUDE, 0.7))


PULL, DRAG = 0.7, 0.2
AXIS = np.array([0.0, 0.0, 1.0])


def up(attitude: Any) -> Any:
    """The vertical, seen from the body."""
    w, x, y, z = attitude
    return np.array([2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z])


class Pendulum:
    """A damped pendulum as a user writes it, which counts its calls."""

    def __init__(self, factor: float = 1.0) -> None:
        #: One, or the derivatives are wrong by it.
        self.factor = factor
        self.calls = self.jacobians = 0

    def torque(self, t: float, momentum: Any, attitude: Any) -> Any:
        self.calls += 1
        return np.cross(AXIS, -PULL * up(attitude)) - DRAG * np.asarray(momentum)

    def jacobian(self, t: float, momentum: Any, attitude: Any) -> Any:
        self.jacobians += 1
        # A turn by del changes a vector of space, seen from the body, by v x del.
        columns = [np.cross(AXIS, -PULL * np.cross(up(attitude), axis)) for axis in np.eye(3)]
        return self.factor * np.array(columns).T, -DRAG * np.eye(3)

    def end(self, known: bool) -> Any:
        """A JAX function of inertia, momentum, attitude and time; ``known`` with the derivatives."""
        torque = polhode.torques.Function(self.torque, jacobian=self.jacobian if known else None)
        return lambda *given: pj.solve(*given, torque=torque, tolerance=1e-11)


@pytest.mark.parametrize("known", [True, False], ids=["jacobian", "differences"])
def test_a_function_of_the_users_is_differentiated(known: bool) -> None:
    given = (MOMENTS, MOMENTUM, ATTITUDE, 0.7)
    pendulum = Pendulum()
    function = pendulum.end(known)
    check_grads(function, given, order=1, modes=["fwd", "rev"], eps=1e-4, rtol=1e-6, atol=1e-6)
    every = (0, 1, 2, 3)
    wanted = jax.jacfwd(function, every)(*given)
    # Compiled code may run on threads of JAX, which take subnormal numbers for zero.
    for mode in (jax.jacfwd, jax.jacrev):
        for a, b in zip(*map(jax.tree.leaves, (jax.jit(mode(function, every))(*given), wanted)), strict=True):
            assert np.abs(a - b).max() <= 1e-13 * max(1, np.abs(b).max())
    momenta = jnp.stack([MOMENTUM, MOMENTUM[::-1], 2 * MOMENTUM])
    slope = jax.grad(lambda momentum: function(MOMENTS, momentum, ATTITUDE, 0.7)[0][2])
    many = jax.jit(jax.vmap(slope))(momenta)
    for found, momentum in zip(many, momenta, strict=True):
        assert np.abs(found - slope(momentum)).max() <= 1e-13
    assert (pendulum.jacobians > 0) == known
    # The same torque of the library's.
    drag = polhode.torques.Formula(torque=[f"-{DRAG}*m{i}" for i in "123"])
    top = [polhode.torques.HeavyTop(centre=(0, 0, PULL)), drag]
    own = jax.jacfwd(lambda momentum: pj.solve(MOMENTS, momentum, ATTITUDE, 0.7, top, tolerance=1e-11))(MOMENTUM)
    for a, b in zip(own, jax.tree.leaves(jax.jacfwd(function, 1)(*given)), strict=True):
        assert np.abs(a - b).max() < 1e-8


def test_it_is_the_users_jacobian_that_counts() -> None:
    def slopes(pendulum: Pendulum, known: bool) -> Any:
        return jax.jacfwd(pendulum.end(known), 2)(MOMENTS, MOMENTUM, ATTITUDE, 0.7)[0]

    differences, right, wrong = Pendulum(), Pendulum(), Pendulum(0.9)
    want = slopes(differences, False)
    assert np.abs(slopes(right, True) - want).max() < 1e-8
    assert np.abs(slopes(wrong, True) - want).max() > 1e-3
    assert differences.jacobians == 0 and right.jacobians > 0 and 4 * right.calls < differences.calls


def test_parameters_of_a_torque_are_differentiated_by() -> None:
    drag = ["-k*w1", "-k*w2", "-k*w3"]
    torque = [TOP, polhode.torques.Formula(torque=drag, constants={"k": 0.1}), TOP]

    def end(centre: Any, k: Any) -> Any:
        numbers = {"heavy-top#2.centre": centre, "formula.k": k}
        return pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 0.7, torque, numbers, 1e-12)

    given = (jnp.array([0.1, 0.2, 1.0]), 0.3)
    check_grads(end, given, order=1, modes=["fwd", "rev"], eps=1e-5, rtol=1e-6, atol=1e-6)
    other = polhode.torques.HeavyTop(centre=(0.1, 0.2, 1.0))
    changed = [TOP, polhode.torques.Formula(torque=drag, constants={"k": 0.3}), other]
    want = pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 0.7, changed, tolerance=1e-12)
    assert np.abs(end(*given)[0] - want[0]).max() < 1e-14
    # A vector by its components.
    def parts(x: Any, z: Any) -> Any:
        numbers = {"heavy-top#2.centre.z": z, "heavy-top#2.centre.x": x}
        return pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 0.7, torque, numbers, 1e-12)

    whole = jax.jacfwd(end)(jnp.array([0.1, 0.0, 1.0]), 0.1)[0]
    for place, column in enumerate(jax.jacfwd(parts, (0, 1))(0.1, 1.0)[0]):
        assert np.abs(column - whole[:, 2 * place]).max() < 1e-13
    rate = {"damping.coefficient": 0.2}
    damped = pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 0.7, polhode.torques.Damping(coefficient=1.0), rate)
    alone = pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 0.7, polhode.torques.Damping(coefficient=0.2))
    assert np.abs(damped[0] - alone[0]).max() < 1e-14


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(polhode.InvalidInput, match=r"momentum: must have shape \(3,\), not \(2, 3\); jax.vmap"):
        pj.free_motion(MOMENTS, jnp.ones((2, 3)), ATTITUDE, 1.0)
    with pytest.raises(polhode.InvalidInput, match="h: must be one number"):
        pj.step(MOMENTS, MOMENTUM, ATTITUDE, jnp.ones(2))
    with pytest.raises(polhode.InvalidInput, match="until: must be one number"):
        pj.solve(MOMENTS, MOMENTUM, ATTITUDE, jnp.ones(2))
    with pytest.raises(TypeError, match="momentum: must be real numbers, not complex"):
        pj.step(MOMENTS, MOMENTUM * 1j, ATTITUDE, 0.1)
    for numbers, text in (
        ({"heavy-top.center": 1.0}, "the torque has no 'heavy-top.center'; it has heavy-top.centre, heavy-top.up"),
        ({"heavy-top.centre": jnp.ones(2)}, r"parameters\['heavy-top.centre'\]: must have shape \(3,\), not \(2,\)"),
    ):
        with pytest.raises(polhode.InvalidInput, match=text) as caught:
            pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, TOP, numbers)
        assert caught.value.argument == "parameters"
    with pytest.raises(polhode.InvalidInput, match="'centre' cannot be given as an array"):
        pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, polhode.torques.LagrangeTop(), {"lagrange-top.centre": jnp.ones(3)})
    twice = {"heavy-top.centre": jnp.ones(3), "heavy-top.centre.z": 1.0}
    with pytest.raises(polhode.InvalidInput, match="parameters: 'heavy-top.centre.z' is given twice"):
        pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, TOP, twice)
    with pytest.raises(TypeError, match="parameters: must be a dict of names and arrays, not list"):
        pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, TOP, [1.0])  # type: ignore[arg-type]
    with pytest.raises(polhode.InvalidInput, match=r"coefficient = \[-1.0, -1.0, -1.0\] is not allowed"):
        damping = polhode.torques.Damping(coefficient=1.0)
        pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, damping, {"damping.coefficient": -1.0})
    with pytest.raises(polhode.InvalidInput, match="tolerance = 1.0: allowed are 1e-14 to 0.1"):
        pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, TOP, tolerance=1.0)
    with pytest.raises(TypeError, match="tolerance: must be a plain number"):
        jax.grad(lambda small: pj.solve(MOMENTS, MOMENTUM, ATTITUDE, 1.0, TOP, tolerance=small)[0][0])(1e-9)
    unphysical = jnp.array([1.0, 1.0, 9.0])
    wrong = (
        ({"t": jnp.array([0.0, jnp.nan])}, "t = nan: a time must be finite"),
        ({"inertia": unphysical}, "allow_unphysical"),
        ({"momentum": MOMENTUM * jnp.inf}, "momentum = .*: every component must be finite"),
        ({"attitude": jnp.zeros(4)}, "attitude = .*: a quaternion .* of length zero"),
    )
    for change, text in wrong:
        given = {"inertia": MOMENTS, "momentum": MOMENTUM, "attitude": ATTITUDE, "t": 0.1, **change}
        with pytest.raises(polhode.InvalidInput, match=text) as caught:
            pj.free_motion(**given)
        assert caught.value.argument in change
        # Traced, it is said on the host: JAX makes an exception of its own.
        with pytest.raises(Exception, match=text.partition("nan")[2] or text):
            jax.block_until_ready(jax.jit(pj.free_motion)(*given.values()))
    moved, _ = pj.step(jnp.array([1.0, 1.0, 9.0]), MOMENTUM, ATTITUDE, 0.1, allow_unphysical=True)
    assert np.isfinite(moved).all()
    with pytest.raises(NotImplementedError, match="first derivatives, not second"):
        jax.hessian(lambda t: pj.free_motion(MOMENTS, MOMENTUM, ATTITUDE, t)[0][0])(1.0)


def test_single_precision_is_refused() -> None:
    code = (
        "import polhode.jax\n"
        "try:\n"
        "    polhode.jax.step([1.0, 2.0, 2.5], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], 0.1)\n"
        "except polhode.PolhodeError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert 'jax.config.update("jax_enable_x64", True)' in done.stdout
