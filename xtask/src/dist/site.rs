//! The site, with the playground in it: links and the commands of its tutorials are tested while it is built.

use super::{PartResult, Place, archive};
use crate::docs;
use crate::metadata::VERSION;
use crate::suites::{PYTHON, Tool, WASM};

pub(super) const NEEDS: &[&Tool] = &[&PYTHON, &WASM];

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    if !docs::site() {
        return Err("the site was not built".to_owned());
    }
    let folder = place.empty(&format!("polhode-site-{VERSION}"))?;
    archive::copy(&place.target.join("site"), &folder.join("site"))?;
    let archive = archive::packed(place, &folder)?;
    let (name, size) = (archive::name(&archive), archive::size(&archive));
    let notes = vec![format!("{name}, {size}: no dead link")];
    Ok(PartResult { count: 1, notes })
}
