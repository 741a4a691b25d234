//! Lets a plain `cargo build` link the module on macOS, where undefined symbols need leave.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
