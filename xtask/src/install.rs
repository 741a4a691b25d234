//! `cargo xtask install`: the C and Fortran library, where compilers find it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::machine::{command, root, run};
use crate::metadata::{VERSION, target_folder};

/// What a program that is linked to the static library needs besides. The Fortran library of GCC refers to threads
/// weakly: in a program without any shared library, functions that nobody else asks for would be missing when it calls
/// them.
fn private_libraries() -> String {
    let mut words = vec!["-lm -lpthread -ldl".to_owned()];
    if cfg!(target_os = "linux") {
        let functions = [
            "cond_broadcast",
            "cond_destroy",
            "cond_init",
            "cond_wait",
            "key_delete",
            "mutex_destroy",
            "mutex_init",
            "mutex_trylock",
        ];
        words.extend(functions.map(|name| format!("-Wl,-u,pthread_{name}")));
    }
    words.join(" ")
}

/// How the library is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Release,
    /// As the tests are built, which then need not compile the library once more.
    Dev,
}

impl Profile {
    /// The folder in which cargo leaves what it has built so.
    fn folder(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dev => "debug",
        }
    }
}

/// Builds the library and copies it with all that belongs to it under `prefix`. True if all went
/// well.
pub(crate) fn install(prefix: &Path, profile: Profile) -> bool {
    let mut build = command(&["cargo", "build", "--package", "polhode-c"]);
    if profile == Profile::Release {
        build.arg("--release");
    }
    if !run(&mut build) {
        return false;
    }
    match install_under(prefix, profile) {
        Ok(installed) => {
            for file in installed {
                println!("{}", file.display());
            }
            true
        }
        Err(error) => {
            eprintln!("error: {error}");
            false
        }
    }
}

fn install_under(prefix: &Path, profile: Profile) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(prefix).map_err(|error| about(prefix, &error))?;
    // The path stands in polhode.pc, which is read from anywhere.
    let prefix = std::path::absolute(prefix)?;
    let target = target_folder().map_err(io::Error::other)?;
    copy(&target.join(profile.folder()), &prefix, &escaped(&prefix.display().to_string()))
}

/// Copies what was built into this folder, with all that belongs to it; `named` is its name in `polhode.pc`.
pub(crate) fn copy(built: &Path, prefix: &Path, named: &str) -> io::Result<Vec<PathBuf>> {
    let sources = root().join("crates/polhode-c");
    let mut to = Destination { prefix: prefix.to_owned(), installed: Vec::new() };

    to.copy(&sources.join("include/polhode.h"), "include/polhode.h")?;
    let step = root().join("crates/polhode-step/include/polhode_step.h");
    to.copy(&step, "include/polhode_step.h")?;
    to.copy(&sources.join("fortran/polhode.f90"), "share/polhode/fortran/polhode.f90")?;
    let template = fs::read_to_string(sources.join("polhode.pc.in"))?;
    let text = template.replace("@prefix@", named).replace("@version@", VERSION);
    let text = text.replace("@private@", &private_libraries());
    to.write("lib/pkgconfig/polhode.pc", &text)?;

    if cfg!(windows) {
        to.copy(&built.join("polhode.dll"), "bin/polhode.dll")?;
        to.copy(&built.join("polhode.dll.lib"), "lib/polhode.dll.lib")?;
        to.copy(&built.join("polhode.lib"), "lib/polhode.lib")?;
    } else {
        to.copy(&built.join("libpolhode.a"), "lib/libpolhode.a")?;
        let names = shared_names();
        to.copy(&built.join(names.built), &format!("lib/{}", names.full))?;
        to.link(&names.full, &format!("lib/{}", names.interface))?;
        to.link(&names.interface, &format!("lib/{}", names.built))?;
    }
    Ok(to.installed)
}

/// A path as pkg-config reads it: at a bare space it would end.
fn escaped(path: &str) -> String {
    path.replace(' ', "\\ ")
}

/// The names of the shared library: of the file, of its interface (which programs carry), and plain
/// (which the linker looks for).
struct SharedNames {
    full: String,
    interface: String,
    built: &'static str,
}

fn shared_names() -> SharedNames {
    let interface = interface(VERSION);
    if cfg!(target_os = "macos") {
        return SharedNames {
            full: format!("libpolhode.{VERSION}.dylib"),
            interface: format!("libpolhode.{interface}.dylib"),
            built: "libpolhode.dylib",
        };
    }
    SharedNames {
        full: format!("libpolhode.so.{VERSION}"),
        interface: format!("libpolhode.so.{interface}"),
        built: "libpolhode.so",
    }
}

/// The part of a version within which programs need not be compiled anew; `build.rs` of polhode-c
/// writes the same into the library.
fn interface(version: &str) -> String {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (major, _) => major.unwrap_or_default().to_owned(),
    }
}

struct Destination {
    prefix: PathBuf,
    installed: Vec<PathBuf>,
}

impl Destination {
    /// The place of a file, with its folder made and what was there before removed: a library that
    /// is in use must not change under the programs that run with it.
    fn place(&mut self, name: &str) -> io::Result<PathBuf> {
        let path = self.prefix.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| about(folder, &error))?;
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(about(&path, &error)),
            _ => {
                self.installed.push(path.clone());
                Ok(path)
            }
        }
    }

    fn copy(&mut self, from: &Path, name: &str) -> io::Result<()> {
        let path = self.place(name)?;
        fs::copy(from, &path).map(|_| ()).map_err(|error| about(from, &error))
    }

    fn write(&mut self, name: &str, text: &str) -> io::Result<()> {
        let path = self.place(name)?;
        fs::write(&path, text).map_err(|error| about(&path, &error))
    }

    #[cfg(unix)]
    fn link(&mut self, target: &str, name: &str) -> io::Result<()> {
        let path = self.place(name)?;
        std::os::unix::fs::symlink(target, &path).map_err(|error| about(&path, &error))
    }

    #[cfg(not(unix))]
    fn link(&mut self, _target: &str, name: &str) -> io::Result<()> {
        Err(about(Path::new(name), &io::ErrorKind::Unsupported.into()))
    }
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{escaped, interface};

    #[test]
    fn a_minor_version_before_1_is_an_interface_of_its_own() {
        assert_eq!(interface("0.1.7"), "0.1");
        assert_eq!(interface("2.3.4"), "2");
    }

    #[test]
    fn a_space_does_not_end_a_path() {
        assert_eq!(escaped("/opt/my tools"), r"/opt/my\ tools");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_documents_name_the_library_of_this_version() {
        use super::shared_names;
        use crate::metadata::root_file;

        let (names, text) = (shared_names(), root_file("docs/c-and-fortran.md").unwrap());
        for name in [names.full, names.interface] {
            assert!(text.contains(&format!("`{name}`")), "{name}");
        }
    }
}
