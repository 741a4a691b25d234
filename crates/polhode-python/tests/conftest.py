"""What several tests use."""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
REPOSITORY = PACKAGE.parents[1]


def rust_example(name: str, *arguments: str) -> str:
    """What an example of the Rust library prints."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "polhode", "--example", name, "--", *arguments]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass(frozen=True)
class Case:
    """A line of the example ``reference_bits``."""

    function: str
    name: str
    given: list[float]
    found: list[float]


def doubles(words: str) -> list[float]:
    return [struct.unpack(">d", bytes.fromhex(word))[0] for word in words.split()]


@pytest.fixture(scope="session")
def reference() -> list[Case]:
    cases = []
    for line in rust_example("reference_bits").splitlines():
        left, _, right = line.partition("->")
        function, name, words = left.split(" ", 2)
        cases.append(Case(function, name, doubles(words), doubles(right)))
    return cases
