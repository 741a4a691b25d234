"""A run of the program, and the table it wrote, to compare other files with."""

import csv
import os
import subprocess
from pathlib import Path

import numpy
import pytest

SCENARIOS = Path(__file__).resolve().parents[4] / "scenarios"

HANDLE = """
[body]
inertia = [3.0, 8.0, 11.0]
[start]
omega = [0.3, 12.0, -1.0]
attitude = [0.1, 0.7, -0.3, 0.5]
[method]
id = "exact"
step = 0.01
[run]
until = 2.0
[output.aem]
object_name = "T HANDLE"
object_id = "1985-099A"
start_epoch = "2023-12-31T23:59:59"
rates = true
"""


class Program:
    """The program, run in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        (folder / "handle.toml").write_text(HANDLE)

    def run(self, scenario, *arguments):
        command = [os.environ["POLHODE_BIN"], "run", scenario, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def table(self, name):
        """The columns of a table, by their names."""
        with (self.folder / name).open(newline="") as file:
            names, *rows = csv.reader(file)
        columns = numpy.array(rows, dtype=float).T
        return dict(zip(names, columns, strict=True))


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)
