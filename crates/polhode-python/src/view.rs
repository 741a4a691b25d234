//! Motions as pages.

use polhode::shape::{MassProperties, Mesh};
use polhode::{State, so3};
use polhode_view::{Film, FilmMoment, Look, Page, PageRun, ViewError};
use pyo3::prelude::*;

use crate::arrays::{Doubles, Triangles, copied};
use crate::body::StartingBody;
use crate::errors::invalid;
use crate::torque::{BoundTorque, TorquePart};

/// A run as the Python part prepares it.
#[derive(FromPyObject)]
pub(crate) struct RunArguments<'py> {
    name: String,
    body: PyRef<'py, StartingBody>,
    torqued: bool,
    torque: Vec<TorquePart>,
    /// What suits the torque, if there is none.
    shape: Option<String>,
    /// In the place of the shape.
    mesh: Option<Triangles>,
    t: Doubles<'py>,
    momentum: Doubles<'py>,
    attitude: Doubles<'py>,
    watched: Vec<(String, Doubles<'py>)>,
}

fn refused(e: &ViewError) -> PyErr {
    let argument = match e {
        ViewError::Length { .. } => "watch",
        _ => "states",
    };
    invalid(argument, &format!("{argument}: {e}"))
}

impl RunArguments<'_> {
    fn made(self) -> PyResult<PageRun> {
        let (t, m, q) = (copied(&self.t)?, copied(&self.momentum)?, copied(&self.attitude)?);
        let (m, q) = (m.as_chunks::<3>().0, q.as_chunks::<4>().0);
        let moments = t.iter().zip(m).zip(q).map(|((&t, &m), &q)| {
            FilmMoment::new(t, State { m: m.into(), q: so3::from_wxyz(q).normalize() })
        });
        let inertia = &self.body.inertia;
        let film = Film::new(inertia, moments).map_err(|e| refused(&e))?;
        let backwards = t.last() < t.first();
        let body = if let Some((vertices, triangles)) = &self.mesh {
            let mesh = Mesh { vertices: vertices.clone(), triangles: triangles.clone() };
            let properties = MassProperties::mesh(&mesh, 1.0)
                .map_err(|e| invalid("shape", &format!("shape: {e}")))?;
            polhode_view::Solid::mesh_of(&mesh, properties.centre)
        } else {
            let look = match &self.shape {
                None => Look::usual(&BoundTorque::new(self.torque)?.torque),
                Some(shape) => Look::named(shape).ok_or_else(|| {
                    let looks = Look::ALL.map(Look::name).join(", ");
                    let text = format!("shape: '{shape}': must be one of {looks}, or a mesh");
                    invalid("shape", &text)
                })?,
            };
            polhode_view::Solid::new(look, inertia)
        };
        let mut run = PageRun::new(&self.name, film).body(body).torqued(self.torqued);
        for (name, values) in &self.watched {
            let mut values = copied(values)?;
            if backwards {
                values.reverse();
            }
            run = run.watch(name, name, values);
        }
        Ok(run)
    }
}

/// The page of these runs.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn page(title: &str, about: &str, runs: Vec<RunArguments<'_>>) -> PyResult<String> {
    let mut page = Page::new(title).about(about);
    for run in runs {
        page = page.run(run.made()?);
    }
    page.to_html().map_err(|e| refused(&e))
}
