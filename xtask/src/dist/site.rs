//! The site, with the playground in it: links and the commands of its tutorials are tested while it is built.

use super::{Made, Place, VERSION, archive};
use crate::docs;
use crate::suites::{PYTHON, Tool, WASM};

pub(super) const NEEDS: &[&Tool] = &[&PYTHON, &WASM];

pub(super) fn make(place: &Place) -> Result<Made, String> {
    if !docs::site() {
        return Err("the site was not built".to_owned());
    }
    let folder = place.empty(&format!("polhode-site-{VERSION}"))?;
    archive::copy(&place.target.join("site"), &folder.join("site"))?;
    let archive = archive::pack(place, &folder)?;
    let name = archive.file_name().unwrap_or_default().display().to_string();
    let notes = vec![format!("{name}, {}: no dead link", archive::size(&archive))];
    Ok(Made { count: 1, notes })
}
