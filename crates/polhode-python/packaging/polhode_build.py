"""Builds the package by maturin, after making sure that there is a compiler: it would try to download one."""

from __future__ import annotations

import shutil
from typing import Any

import maturin
from maturin import (
    build_editable,
    build_sdist,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

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

MISSING = """
polhode needs Rust 1.95 or newer to be built from its sources, and there is no {} on the PATH.

Either install Rust, https://rustup.rs, and try again; or install a wheel, which needs no compiler, if the release has
one for your system: the file of the release whose name ends in .whl and names it.
"""


def _look_for_rust() -> None:
    for program in ("cargo", "rustc"):
        if shutil.which(program) is None:
            raise SystemExit(MISSING.format(program))


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    _look_for_rust()
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    _look_for_rust()
    return maturin.get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings: dict[str, Any] | None = None) -> list[str]:
    _look_for_rust()
    return maturin.get_requires_for_build_sdist(config_settings)
