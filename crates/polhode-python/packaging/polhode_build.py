"""Builds the package by maturin, after making sure that there is a compiler, and not too old a one.

Without one maturin would try to download it; an old cargo would complain of a manifest that it cannot read.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import maturin

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

OLDEST = "1.95"

MISSING = """
polhode needs Rust {} or newer to be built from its sources, and {}.

Either install Rust, https://rustup.rs, and try again; or install a wheel, which needs no compiler, if the release has
one for your system: the file of the release whose name ends in .whl and names it.
"""


def _look_for_rust() -> None:
    for program in ("cargo", "rustc"):
        if shutil.which(program) is None:
            raise SystemExit(MISSING.format(OLDEST, f"there is no {program} on the PATH"))
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        version = re.match(program + r" (\d+)\.(\d+)", told)
        # What cannot be read is left to cargo, which knows the version that it needs.
        if version and [int(version[1]), int(version[2])] < [int(part) for part in OLDEST.split(".")]:
            raise SystemExit(MISSING.format(OLDEST, f"the {program} on the PATH is older: {told.strip()}"))


# Installers ask for the requirements first, unless they were told not to isolate the build: then any of these may be
# the first.


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    _look_for_rust()
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    _look_for_rust()
    return maturin.get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings: dict[str, Any] | None = None) -> list[str]:
    _look_for_rust()
    return maturin.get_requires_for_build_sdist(config_settings)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    _look_for_rust()
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    _look_for_rust()
    return maturin.prepare_metadata_for_build_editable(metadata_directory, config_settings)


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _look_for_rust()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _look_for_rust()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    _look_for_rust()
    return maturin.build_sdist(sdist_directory, config_settings)
