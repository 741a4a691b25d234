//! Gives the shared library the name under which programs look for it when they start.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (major, minor) = (variable("CARGO_PKG_VERSION_MAJOR"), variable("CARGO_PKG_VERSION_MINOR"));
    // Before 1.0 a minor version may break the interface, so it is part of the name.
    let interface = if major == "0" { format!("0.{minor}") } else { major };
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpolhode.so.{interface}");
        }
        "macos" => {
            let name = format!("@rpath/libpolhode.{interface}.dylib");
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        _ => {}
    }
}
