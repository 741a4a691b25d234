//! `polhode inertia`: mass, centre of mass and inertia of a shape.

use std::io::Write;

use clap::Args;
use polhode::shape::MassProperties;
use polhode::so3;
use serde::Serialize;

use crate::body;
use crate::failure::Failure;
use crate::numbers::{OptionText, shortest};
use crate::output::Origin;

/// Mass, centre of mass and inertia of a shape: box, ellipsoid, cylinder, points, or a closed mesh.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InertiaCommand {
    /// The shape, as [body] inertia of a scenario has it between the braces
    #[arg(value_name = "SHAPE")]
    shape: String,

    /// Write one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  polhode inertia 'box=[0.1,0.1,0.3],mass=4'
  polhode inertia 'ellipsoid=[4.6,2.3,1.9],mass=1'
  polhode inertia 'points=[[16,0,0,0],[1,0.76,0.59,0],[1,-0.76,0.59,0]]'
  polhode inertia 'mesh=\"part.stl\",density=2700,scale=0.001'

Shapes: box, the lengths of its edges along the axes; ellipsoid, its semi-axes; cylinder, its radius and height \
along the third axis; these have a mass and are of uniform density. points, a list of [mass, x, y, z]. mesh, an \
.stl or .obj file with a density, or a mass; scale multiplies its coordinates. A mesh must be closed, with the \
corners of every triangle counterclockwise as seen from outside.

The tensor is about the centre of mass, in the axes of the shape; off its diagonal stand minus the integrals of \
xy, yz, zx over the mass. Units are yours.";

/// The JSON document of `polhode inertia`.
#[derive(Serialize)]
struct InertiaDocument {
    #[serde(flatten)]
    origin: Origin,
    mass: f64,
    centre: [f64; 3],
    tensor: [[f64; 3]; 3],
    principal_moments: [f64; 3],
    /// A quaternion from principal axes to those of the shape, scalar first.
    principal_axes: [f64; 4],
}

impl InertiaCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let given = OptionText::new("SHAPE", &self.shape, "a shape, such as box=[1,2,3],mass=12");
        let needed = "needed: a shape, such as 'box=[1,2,3],mass=12'";
        let properties = body::shape(&given)?.ok_or_else(|| given.refuse(needed))?;
        let inertia = properties.inertia().map_err(|e| {
            let why = e.to_string();
            given.refuse(why.strip_prefix("inertia: ").unwrap_or(&why))
        })?;
        let MassProperties { mass, centre, tensor, .. } = properties;
        let document = InertiaDocument {
            origin: Origin::THIS,
            mass,
            centre,
            tensor,
            principal_moments: inertia.moments().to_array(),
            principal_axes: so3::to_wxyz(inertia.axes()),
        };
        if self.json {
            serde_json::to_writer(&mut *out, &document)?;
            writeln!(out)?;
        } else {
            document.write(out)?;
        }
        Ok(())
    }
}

impl InertiaDocument {
    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let list =
            |numbers: &[f64]| numbers.iter().map(|&x| shortest(x)).collect::<Vec<_>>().join(", ");
        writeln!(out, "mass: {}", shortest(self.mass))?;
        writeln!(out, "centre of mass: {}", list(&self.centre))?;
        writeln!(out, "tensor, about it (off the diagonal minus the integrals of xy, yz, zx):")?;
        for row in &self.tensor {
            writeln!(out, "  {}", list(row))?;
        }
        writeln!(out, "principal moments: {}", list(&self.principal_moments))?;
        writeln!(out, "principal axes, as a quaternion w,x,y,z: {}", list(&self.principal_axes))?;
        writeln!(out, "for --inertia: {}", list(&self.tensor.concat()).replace(", ", ","))
    }
}
