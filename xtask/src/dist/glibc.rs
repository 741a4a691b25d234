//! Which glibc a shared library needs.

use std::path::Path;
use std::process::Command;

use super::{archive, tools};
use crate::machine::output;

/// The version that everything for Linux is linked against: that of every distribution since 2014.
pub(super) const OLDEST: &str = "2.17";

/// Whether a shared library runs with the oldest glibc.
pub(super) fn check(library: &Path) -> Result<(), String> {
    let table = output(Command::new("readelf").args(["--version-info", "--wide"]).arg(library))?;
    admit(&table).map_err(|e| format!("{}: {e}", archive::name(library)))
}

/// Whether these version needs can be met by the oldest.
fn admit(table: &str) -> Result<(), String> {
    let newest = table.split("GLIBC_").skip(1).filter_map(number).max();
    match newest {
        None => Err("no version of glibc is named in it".to_owned()),
        Some(newest) if number(OLDEST).is_some_and(|oldest| newest <= oldest) => Ok(()),
        Some((major, minor)) => Err(format!("needs glibc {major}.{minor}, newer than {OLDEST}")),
    }
}

/// The number at the beginning, without what follows the second dot.
fn number(text: &str) -> Option<(u32, u32)> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let mut parts = text[..end].split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

/// Whether a wheel runs with the oldest glibc.
pub(super) fn check_wheel(wheel: &Path) -> Result<(), String> {
    let report = output(tools::tool_command("auditwheel").arg("show").arg(wheel))?;
    admit_wheel(&report).map_err(|e| format!("{}: {e}", archive::name(wheel)))
}

/// Whether auditwheel finds the tag of the oldest. Its report begins with the name of the file, in which the tag stands
/// in any case, and its lines are broken anywhere.
fn admit_wheel(report: &str) -> Result<(), String> {
    let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
    let tag = format!("platform tag: \"manylinux_{}_", OLDEST.replace('.', "_"));
    if words.contains(&tag) { Ok(()) } else { Err(format!("needs a newer glibc: {words}")) }
}

#[cfg(test)]
mod tests {
    use super::{admit, admit_wheel};

    #[test]
    fn a_library_that_needs_a_newer_one_is_refused() {
        assert_eq!(admit("Name: GLIBC_2.2.5 Flags\n Name: GLIBC_2.17  Version: 3"), Ok(()));
        let newer = admit("Name: GLIBC_2.2.5 Flags\n Name: GLIBC_2.34  Version: 3");
        assert_eq!(newer, Err("needs glibc 2.34, newer than 2.17".to_owned()));
        assert!(admit("There are no version needs").is_err());
    }

    #[test]
    fn a_wheel_is_judged_by_its_content_not_by_its_name() {
        let report = |tag: &str| {
            format!(
                "\nx-manylinux2014_x86_64.manylinux_2_17_x86_64.whl\nis consistent with the following \
                 platform tag:\n\"{tag}\".\n"
            )
        };
        assert_eq!(admit_wheel(&report("manylinux_2_17_x86_64")), Ok(()));
        assert!(admit_wheel(&report("manylinux_2_28_x86_64")).is_err());
    }
}
