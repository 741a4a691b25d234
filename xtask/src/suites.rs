//! What `cargo xtask test` runs, as data: a new suite is one record in [`SUITES`].

/// A command line, program first.
pub(crate) type Line = &'static [&'static str];

/// A program that a suite or a step cannot do without.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Succeeds exactly when the tool is there.
    pub(crate) probe: Line,
    /// What brings it: shown to a person, run on CI (as root, without a terminal).
    pub(crate) install: &'static [Line],
}

pub(crate) struct Step {
    pub(crate) line: Line,
    pub(crate) env: &'static [(&'static str, &'static str)],
    /// Tools whose absence costs this step alone, not the suite.
    pub(crate) needs: &'static [&'static Tool],
    /// What is added to the line in `--quick`; none if it is no part of that.
    pub(crate) quick: Option<Line>,
}

pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// Tools without which the suite makes no sense.
    pub(crate) needs: &'static [&'static Tool],
    /// All of them run, even after a failure: one run shows everything that is wrong.
    pub(crate) steps: &'static [Step],
}

const LINTERS: &[Line] = &[&["rustup", "component", "add", "clippy", "rustfmt"]];

static RUSTFMT: Tool =
    Tool { name: "rustfmt", probe: &["cargo", "fmt", "--version"], install: LINTERS };

pub(crate) static CLIPPY: Tool =
    Tool { name: "clippy", probe: &["cargo", "clippy", "--version"], install: LINTERS };

// The version is fixed so that a release of the tool can neither break CI nor ask for a newer Rust.
static CARGO_DENY: Tool = Tool {
    name: "cargo-deny",
    probe: &["cargo", "deny", "--version"],
    install: &[&["cargo", "install", "--locked", "cargo-deny@0.20.2"]],
};

/// Tools of C and Fortran, all from the distribution.
const NATIVE: &[Line] = &[
    &["apt-get", "update"],
    &[
        "apt-get",
        "install",
        "--yes",
        "--no-install-recommends",
        "binutils",
        "g++",
        "gcc",
        "gfortran",
        "libc6-dev",
        "pkg-config",
        "valgrind",
    ],
];

pub(crate) static GCC: Tool = Tool { name: "gcc", probe: &["gcc", "--version"], install: NATIVE };
static GPP: Tool = Tool { name: "g++", probe: &["g++", "--version"], install: NATIVE };
static NM: Tool = Tool { name: "nm", probe: &["nm", "--version"], install: NATIVE };
pub(crate) static READELF: Tool =
    Tool { name: "readelf", probe: &["readelf", "--version"], install: NATIVE };
pub(crate) static STRIP: Tool =
    Tool { name: "strip", probe: &["strip", "--version"], install: NATIVE };
pub(crate) static GFORTRAN: Tool =
    Tool { name: "gfortran", probe: &["gfortran", "--version"], install: NATIVE };
pub(crate) static PKG_CONFIG: Tool =
    Tool { name: "pkg-config", probe: &["pkg-config", "--version"], install: NATIVE };
pub(crate) static VALGRIND: Tool =
    Tool { name: "valgrind", probe: &["valgrind", "--version"], install: NATIVE };

pub(crate) static PYTHON: Tool = Tool {
    name: "python3 with venv",
    probe: &["python3", "-c", "import ensurepip, venv"],
    install: &[&["apt-get", "update"], &["apt-get", "install", "--yes", "python3-venv"]],
};

/// A target of rustc, as a tool.
macro_rules! target {
    ($tool:ident, $triple:literal) => {
        pub(crate) static $tool: $crate::suites::Tool = $crate::suites::Tool {
            name: concat!("target ", $triple),
            probe: &[
                "sh",
                "-c",
                concat!("test -d \"$(rustc --print target-libdir --target ", $triple, ")\""),
            ],
            install: &[&["rustup", "target", "add", $triple]],
        };
    };
}
pub(crate) use target;

// Processors that the step for engines is built for.
target!(THUMB, "thumbv7em-none-eabihf");
target!(WASM, "wasm32-unknown-unknown");

pub(crate) static CHROMIUM: Tool = Tool {
    name: "chromium",
    probe: &["chromium", "--version"],
    install: &[
        &["apt-get", "update"],
        &["apt-get", "install", "--yes", "--no-install-recommends", "chromium"],
    ],
};

pub(crate) static SUITES: &[Suite] = &[
    Suite {
        name: "rust",
        needs: &[],
        steps: &[
            Step {
                line: &["cargo", "fmt", "--all", "--check"],
                env: &[],
                needs: &[&RUSTFMT],
                quick: Some(&[]),
            },
            // The default member is the program alone: without --workspace nothing else is tested.
            Step {
                line: &["cargo", "test", "--workspace", "--no-fail-fast"],
                env: &[],
                needs: &[],
                // Tests that take more than three seconds are in modules of that name.
                quick: Some(&["--", "--skip", "slow::"]),
            },
            // `no_std`, as which nothing else here builds it.
            Step {
                line: &["cargo", "check", "--package", "polhode-elliptic", "--no-default-features"],
                env: &[],
                needs: &[],
                quick: None,
            },
        ],
    },
    Suite {
        name: "c-fortran",
        needs: &[&GCC, &GPP, &GFORTRAN, &NM, &PKG_CONFIG, &VALGRIND],
        steps: &[Step {
            // Ignored by `cargo test` alone, because they need these tools.
            line: &[
                "cargo",
                "test",
                // With the features of the whole workspace nothing is compiled twice.
                "--workspace",
                "--test",
                "native",
                "--",
                "--ignored",
            ],
            env: &[],
            needs: &[],
            quick: None,
        }],
    },
    Suite {
        name: "step",
        needs: &[],
        steps: &[
            // With all its features, none of which is part of any other build, and without optimisation: the same bits.
            Step {
                line: &[
                    "cargo",
                    "test",
                    "--package",
                    "polhode-step",
                    "--all-features",
                    "--config",
                    "profile.dev.package.polhode-step.opt-level=0",
                    "--test",
                    "suite",
                    "--",
                    "conversions",
                    "bits",
                ],
                env: &[],
                needs: &[],
                quick: None,
            },
            // Without `std`, for a processor without an operating system and, with the vectors of others, for the web.
            Step {
                line: &[
                    "cargo",
                    "build",
                    "--package",
                    "polhode-step",
                    "--no-default-features",
                    "--features",
                    "libm",
                    "--target",
                    "thumbv7em-none-eabihf",
                ],
                env: &[],
                needs: &[&THUMB],
                quick: None,
            },
            Step {
                line: &[
                    "cargo",
                    "check",
                    "--package",
                    "polhode-step",
                    "--no-default-features",
                    "--features",
                    "libm,glam,mint,nalgebra",
                    "--target",
                    "wasm32-unknown-unknown",
                ],
                env: &[],
                needs: &[&WASM],
                quick: None,
            },
        ],
    },
    Suite {
        name: "deny",
        needs: &[&CARGO_DENY],
        steps: &[Step {
            // Not `advisories`: that check downloads a database, and fails offline.
            line: &["cargo", "deny", "check", "licenses", "bans", "sources"],
            env: &[],
            needs: &[],
            quick: None,
        }],
    },
    Suite {
        name: "readers",
        needs: &[&PYTHON],
        steps: &[Step {
            // Builds the program and opens its files with NumPy and with a reader of ephemerides.
            line: &["python3", "crates/polhode-cli/tests/python/run.py"],
            env: &[],
            needs: &[],
            quick: None,
        }],
    },
    Suite {
        name: "python-package",
        needs: &[&PYTHON],
        steps: &[
            // In an environment of its own, which stays for the next time.
            Step {
                line: &["python3", "-m", "venv", "target/python-package"],
                env: &[],
                needs: &[],
                quick: None,
            },
            Step {
                line: &[
                    "target/python-package/bin/python",
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    // Of the modules that are installed, tests import few.
                    "--no-compile",
                    "./crates/polhode-python[test]",
                ],
                // Of the library that the Rust tests were built with: nothing is compiled twice.
                env: &[("MATURIN_PEP517_ARGS", "--profile=dev")],
                needs: &[],
                quick: None,
            },
            Step {
                line: &[
                    "target/python-package/bin/python",
                    "-m",
                    "pytest",
                    "--quiet",
                    "crates/polhode-python",
                ],
                env: &[
                    // Many tests start a Python of their own: what one has compiled, the next need not compile again.
                    ("PYTHONDONTWRITEBYTECODE", ""),
                    // One test installs the package once more.
                    ("MATURIN_PEP517_ARGS", "--profile=dev"),
                ],
                needs: &[],
                quick: None,
            },
        ],
    },
    Suite {
        name: "browser",
        needs: &[&CHROMIUM],
        steps: &[Step {
            // The pages of `polhode reproduce` and of motions; among the other tests they are ignored. By --workspace,
            // not --package, for the features that everything was built with before.
            line: &["cargo", "test", "--workspace", "--test", "page", "--", "--ignored"],
            env: &[],
            needs: &[],
            quick: None,
        }],
    },
];

#[cfg(test)]
mod tests {
    use super::SUITES;

    #[test]
    fn records_are_complete() {
        for (index, suite) in SUITES.iter().enumerate() {
            assert!(
                SUITES[..index].iter().all(|s| s.name != suite.name),
                "two suites named {}",
                suite.name
            );
            assert!(!suite.steps.is_empty(), "{} has no step", suite.name);
            let tools = suite.needs.iter().chain(suite.steps.iter().flat_map(|s| s.needs));
            for tool in tools {
                assert!(!tool.probe.is_empty(), "{} has no probe", tool.name);
                assert!(!tool.install.is_empty(), "{}: how to install?", tool.name);
            }
        }
    }
}
