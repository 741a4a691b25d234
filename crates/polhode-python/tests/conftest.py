"""What several tests use."""

from __future__ import annotations

import json
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
REPOSITORY = PACKAGE.parents[1]


def built_example(name: str) -> str:
    """The program of an example of the Rust library.

    Built as `cargo test --workspace` builds it, which has done so already: to make it fast would take two minutes.
    """
    command = ["cargo", "build", "--profile", "test", "--workspace", "--example", name, "--message-format=json"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("target", {}).get("name") == name and message.get("executable"):
            return str(message["executable"])
    raise AssertionError(f"cargo has not built {name}")


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
    printed = subprocess.run([built_example("reference_bits")], check=True, capture_output=True, text=True).stdout
    cases = []
    for line in printed.splitlines():
        left, _, right = line.partition("->")
        function, name, words = left.split(" ", 2)
        cases.append(Case(function, name, doubles(words), doubles(right)))
    return cases
