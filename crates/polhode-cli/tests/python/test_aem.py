"""Attitude ephemerides, read by an astrodynamics library that is not ours.

Brahe reads AEM 2.0 in keyword-value notation and has its own understanding of frames: rotation
matrices it makes of a message take coordinates of REF_FRAME_A to REF_FRAME_B.
"""

import os
import subprocess

import numpy
import pytest
from brahe.ccsds import AEM
from conftest import SCENARIOS


def read(program, name):
    message = AEM.from_file(str(program.folder / name))
    assert message.format_version == 2.0
    (segment,) = message.segments
    return message, segment


@pytest.fixture
def handle(program):
    program.run("handle.toml", "--out", "x.aem", "--out", "x.csv")
    table = program.table("x.csv")
    momentum = numpy.stack([table[m] for m in ("m1", "m2", "m3")], axis=-1)
    return read(program, "x.aem"), table, momentum


def test_metadata_is_that_of_the_scenario(handle):
    (message, segment), table, _ = handle
    assert message.originator == "POLHODE"
    assert segment.object_name == "T HANDLE"
    assert segment.object_id == "1985-099A"
    assert str(segment.ref_frame_a) == "EME2000"
    assert str(segment.ref_frame_b) == "SC_BODY_1"
    assert str(segment.time_system) == "UTC"
    assert segment.attitude_type == "QUATERNION/ANGVEL"
    assert segment.angvel_frame == segment.ref_frame_b
    assert len(segment.states) == len(table["t"])


def test_epochs_are_those_of_the_rows(handle):
    (_, segment), table, _ = handle
    seconds = [state.epoch - segment.start_time for state in segment.states]
    numpy.testing.assert_allclose(seconds, table["t"], atol=1e-9)
    assert segment.stop_time - segment.start_time == pytest.approx(table["t"][-1], abs=1e-9)
    year, month, day, hour, minute, second, _ = segment.start_time.to_datetime()
    assert (year, month, day, hour, minute, second) == (2023, 12, 31, 23, 59, 59.0)


def test_the_message_takes_space_to_body_coordinates(handle):
    (_, segment), table, momentum = handle
    to_body = [state.quaternion.to_rotation_matrix().to_matrix() for state in segment.states]
    # No torque: the momentum is one vector in space, and the body sees it from all sides.
    in_space = numpy.einsum("nji,nj->ni", to_body, momentum)
    size = numpy.linalg.norm(momentum[0])
    assert numpy.ptp(in_space, axis=0).max() < 1e-12 * size
    assert numpy.ptp(momentum, axis=0).max() > 0.5 * size
    # That is also where the table has it.
    w, (x, y, z) = table["q0"][0], (table[q][0] for q in ("q1", "q2", "q3"))
    v = numpy.array([x, y, z])
    by_table = momentum[0] + 2 * numpy.cross(v, numpy.cross(v, momentum[0]) + w * momentum[0])
    numpy.testing.assert_allclose(in_space[0], by_table, atol=1e-12 * size)


def test_rates_are_degrees_per_second_in_the_body(handle):
    (message, segment), table, _ = handle
    omega = numpy.stack([table[w] for w in ("w1", "w2", "w3")], axis=-1)
    # The reader has them in radians.
    rates = numpy.array([state.angular_velocity for state in segment.states])
    numpy.testing.assert_allclose(rates, omega, rtol=1e-12)
    # They are the rates of those attitudes: turned by them, a row becomes the next one.
    trajectory = message.segment_to_attitude_trajectory(0)
    for before, after in zip(segment.states, segment.states[1:]):
        middle = before.epoch + (after.epoch - before.epoch) / 2
        a, b = (s.quaternion.to_rotation_matrix().to_matrix() for s in (before, after))
        turn = a @ b.T
        angle = [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
        rate = trajectory.angular_velocity(middle)
        # A step turns by 0.12 rad, whose sine is 0.03 rad/s short of it; a wrong sign or unit is 24 off.
        numpy.testing.assert_allclose(numpy.array(angle) / 2 / (after.epoch - before.epoch), rate, atol=0.1)


def test_without_rates_there_are_four_numbers(program):
    program.run("handle.toml", "--set", "output.aem.rates=false", "--out", "x.aem")
    _, segment = read(program, "x.aem")
    assert segment.attitude_type == "QUATERNION"
    assert segment.angvel_frame is None


def test_the_satellite_among_the_scenarios(program):
    scenario = SCENARIOS / "gravity-gradient-satellite.toml"
    program.run(scenario, "--out", "x.aem", "--out", "x.csv", "--force")
    _, segment = read(program, "x.aem")
    table = program.table("x.csv")
    assert segment.object_name == "GRAVITY GRADIENT EXAMPLE"
    for index, name in enumerate(["q0", "q1", "q2", "q3"]):
        quaternions = (state.quaternion.to_vector(scalar_first=True) for state in segment.states)
        read_back = [q[index] for q in quaternions]
        # The standard's sixteen digits, and the reader normalises.
        numpy.testing.assert_allclose(read_back, table[name], atol=1e-15)


def test_time_that_runs_backwards_is_refused_before_the_run(program):
    backwards = ["--step", "-0.01", "--until", "-2", "--out", "x.aem"]
    command = [os.environ["POLHODE_BIN"], "run", "handle.toml", *backwards]
    done = subprocess.run(command, cwd=program.folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert "x.aem" in done.stderr and "negative" in done.stderr
    assert sorted(p.name for p in program.folder.iterdir()) == ["handle.toml"]
