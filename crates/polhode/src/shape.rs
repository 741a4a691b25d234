//! Mass, centre of mass and inertia of bodies that are described by their shape.
//!
//! ```
//! use polhode::shape::MassProperties;
//! // A box of 12 kg, 1 m by 2 m by 3 m.
//! let brick = MassProperties::cuboid(12.0, [1.0, 2.0, 3.0])?;
//! assert_eq!(brick.tensor, [[13.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 5.0]]);
//! let inertia = brick.inertia()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//! The tensor is about the centre of mass, in the axes of the shape. It is that of `m = I omega`: off its
//! diagonal stand *minus* the integrals of xy, yz, zx over the mass, where some programs have plus.

use std::collections::HashMap;

use glam::{DMat3, DVec3};

use crate::{Inertia, InertiaError};

/// Mass, centre of mass, and inertia about it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MassProperties {
    /// The mass of the whole body.
    pub mass: f64,
    /// The centre of mass, in the coordinates of the shape.
    pub centre: [f64; 3],
    /// The tensor of inertia about the centre of mass, row by row.
    pub tensor: [[f64; 3]; 3],
}

/// A surface of triangles, each with its corners counterclockwise as seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The places of the corners of the triangles.
    pub vertices: Vec<[f64; 3]>,
    /// Three numbers of corners each, counted from 0.
    pub triangles: Vec<[usize; 3]>,
}

/// What can be wrong with a shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number that must be positive and finite.
    #[error("{what} = {value:?}: must be positive and finite")]
    NotPositive {
        /// What the number is.
        what: &'static str,
        /// The number that was given.
        value: f64,
    },
    /// A coordinate is infinite or NaN.
    #[error("{what} {position}: a coordinate is not finite")]
    NotFinite {
        /// What has the coordinate: a point or a corner.
        what: &'static str,
        /// Which one, counted from 1.
        position: usize,
    },
    /// There is nothing there.
    #[error("no {what}: nothing there has mass")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle}: no corner {corner}; there are {count}")]
    NoCorner {
        /// Which triangle, counted from 1.
        triangle: usize,
        /// The corner it names, counted from 0.
        corner: usize,
        /// How many there are.
        count: usize,
    },
    /// The surface has a border.
    #[error(
        "the mesh is open: the edge from {from:?} to {to:?} of triangle {triangle} has no triangle on its other \
         side; close the surface (corners that are to be the same must have equal coordinates)"
    )]
    Open {
        /// The triangle at the border, counted from 1.
        triangle: usize,
        /// Where the edge begins.
        from: [f64; 3],
        /// Where it ends.
        to: [f64; 3],
    },
    /// Neighbours face different sides.
    #[error(
        "the mesh is not oriented: triangle {triangle} and a neighbour both have the edge from {from:?} to {to:?}, \
         in the same direction; turn one of them over, so that all have their corners counterclockwise as seen \
         from outside"
    )]
    Orientation {
        /// One of the two triangles, counted from 1.
        triangle: usize,
        /// Where the edge begins.
        from: [f64; 3],
        /// Where it ends.
        to: [f64; 3],
    },
    /// The surface encloses a negative volume.
    #[error(
        "the mesh is inside out (its volume is {volume:?}): turn all triangles over, so that corners are \
         counterclockwise as seen from outside"
    )]
    InsideOut {
        /// The volume that comes out.
        volume: f64,
    },
    /// The surface encloses nothing.
    #[error("the mesh encloses no volume; mass needs some")]
    NoVolume,
    /// Numbers that are allowed each by itself, but not together.
    #[error("the inertia is beyond the range of doubles; take other units")]
    OutOfRange,
}

impl MassProperties {
    /// What is known already: the tensor is about the centre of mass. Whether a body can have it is seen by
    /// [`MassProperties::inertia`].
    pub fn new(mass: f64, centre: [f64; 3], tensor: [[f64; 3]; 3]) -> Self {
        Self { mass, centre, tensor }
    }

    /// A box of uniform density, with edges of these lengths along the axes.
    ///
    /// # Errors
    /// [`ShapeError`] unless all numbers are positive and finite.
    pub fn cuboid(mass: f64, size: impl Into<DVec3>) -> Result<Self, ShapeError> {
        Self::uniform(mass, positive_each("size", size.into())?, 1.0 / 12.0)
    }

    /// An ellipsoid of uniform density, with these semi-axes.
    ///
    /// # Errors
    /// [`ShapeError`] unless all numbers are positive and finite.
    pub fn ellipsoid(mass: f64, semi_axes: impl Into<DVec3>) -> Result<Self, ShapeError> {
        Self::uniform(mass, positive_each("semi-axis", semi_axes.into())?, 1.0 / 5.0)
    }

    /// A cylinder of uniform density about the third axis.
    ///
    /// # Errors
    /// [`ShapeError`] unless all numbers are positive and finite.
    pub fn cylinder(mass: f64, radius: f64, height: f64) -> Result<Self, ShapeError> {
        let mass = positive("mass", mass)?;
        let (radius, height) = (positive("radius", radius)?, positive("height", height)?);
        let across = 0.25 * radius * radius;
        let second = DVec3::new(across, across, height * height / 12.0) * mass;
        Self::from_second_moments(mass, DVec3::ZERO, DMat3::from_diagonal(second))
    }

    /// Masses at points; the positions may be measured from anywhere.
    ///
    /// # Errors
    /// [`ShapeError`] if there is none, a mass is not positive, or a coordinate not finite.
    pub fn points(points: &[(f64, [f64; 3])]) -> Result<Self, ShapeError> {
        let mut mass = 0.0;
        let mut first = DVec3::ZERO;
        // From one of them: coordinates far from zero would cost digits.
        let origin = points.first().map_or(DVec3::ZERO, |(_, at)| DVec3::from_array(*at));
        for (i, (m, at)) in points.iter().enumerate() {
            finite("point", i, *at)?;
            mass += positive("mass", *m)?;
            first += *m * (DVec3::from_array(*at) - origin);
        }
        if points.is_empty() {
            return Err(ShapeError::Empty { what: "points" });
        }
        let centre = origin + first / mass;
        let mut second = DMat3::ZERO;
        for (m, at) in points {
            let r = DVec3::from_array(*at) - centre;
            second += outer(r, r) * *m;
        }
        Self::from_second_moments(mass, centre, second)
    }

    /// The inside of a closed surface, filled with this density.
    ///
    /// Every edge must be run through as often in one direction as in the other; then the triangles bound a
    /// volume, which must be positive. A sum over tetrahedra gives the integrals exactly, up to rounding.
    ///
    /// # Errors
    /// [`ShapeError`] for a surface that is open, not oriented or inside out, with the triangle.
    pub fn mesh(mesh: &Mesh, density: f64) -> Result<Self, ShapeError> {
        let density = positive("density", density)?;
        mesh.check()?;
        let count = mesh.vertices.len() as f64;
        // From their middle: coordinates far from zero would cost digits.
        let origin = mesh.vertices.iter().map(|&v| DVec3::from_array(v) / count).sum::<DVec3>();
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|i| DVec3::from_array(mesh.vertices[i]) - origin);
            let six = a.dot(b.cross(c));
            let sum = a + b + c;
            volume += six / 6.0;
            first += sum * (six / 24.0);
            second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (six / 120.0);
        }
        let middle = first / volume;
        if volume < 0.0 {
            return Err(ShapeError::InsideOut { volume });
        }
        if volume == 0.0 || !middle.is_finite() {
            return Err(ShapeError::NoVolume);
        }
        let second = (second - outer(middle, middle) * volume) * density;
        Self::from_second_moments(density * volume, origin + middle, second)
    }

    /// The same body with another mass, and so another density.
    ///
    /// # Errors
    /// [`ShapeError`] unless the mass is positive and finite.
    pub fn with_mass(self, mass: f64) -> Result<Self, ShapeError> {
        let ratio = positive("mass", mass)? / self.mass;
        let tensor = self.tensor.map(|row| row.map(|x| x * ratio));
        Self { mass, tensor, ..self }.in_range()
    }

    /// The inertia as motions take it.
    ///
    /// # Errors
    /// [`InertiaError`] for a body without extent in two directions, which has a moment of zero.
    pub fn inertia(&self) -> Result<Inertia, InertiaError> {
        // What is made of mass has the inertia of a body; if a flat one seems to have not, that is rounding.
        match Inertia::tensor(self.tensor) {
            Err(InertiaError::Impossible { .. }) => Inertia::tensor_unphysical(self.tensor),
            other => other,
        }
    }

    /// With second moments along the axes that are the mass times a part of the lengths' squares.
    fn uniform(mass: f64, lengths: DVec3, part: f64) -> Result<Self, ShapeError> {
        let mass = positive("mass", mass)?;
        let second = lengths * lengths * (mass * part);
        Self::from_second_moments(mass, DVec3::ZERO, DMat3::from_diagonal(second))
    }

    /// From the integrals of x x^T over the mass, about the centre.
    fn from_second_moments(mass: f64, centre: DVec3, second: DMat3) -> Result<Self, ShapeError> {
        let [xx, yy, zz] = [second.x_axis.x, second.y_axis.y, second.z_axis.z];
        let [xy, yz, zx] = [-second.x_axis.y, -second.y_axis.z, -second.z_axis.x].map(|x| x + 0.0);
        let tensor = [[yy + zz, xy, zx], [xy, zz + xx, yz], [zx, yz, xx + yy]];
        Self { mass, centre: centre.to_array(), tensor }.in_range()
    }

    fn in_range(self) -> Result<Self, ShapeError> {
        let numbers = self.tensor.into_iter().flatten().chain(self.centre).chain([self.mass]);
        if numbers.into_iter().all(f64::is_finite) { Ok(self) } else { Err(ShapeError::OutOfRange) }
    }
}

impl Mesh {
    /// Checks that every edge has as many triangles on one side as on the other.
    fn check(&self) -> Result<(), ShapeError> {
        if self.triangles.is_empty() {
            return Err(ShapeError::Empty { what: "triangles" });
        }
        for (i, vertex) in self.vertices.iter().enumerate() {
            finite("corner", i, *vertex)?;
        }
        // How often each edge is run through upwards, less how often downwards; and how often at all.
        let mut edges: HashMap<(usize, usize), (i64, u64)> = HashMap::new();
        for (i, corners) in self.triangles.iter().enumerate() {
            if let Some(&corner) = corners.iter().find(|&&c| c >= self.vertices.len()) {
                let count = self.vertices.len();
                return Err(ShapeError::NoCorner { triangle: i + 1, corner, count });
            }
            for (from, to) in edges_of(corners) {
                let (balance, uses) = edges.entry((from.min(to), from.max(to))).or_default();
                *balance += if from < to { 1 } else { -1 };
                *uses += 1;
            }
        }
        for (i, corners) in self.triangles.iter().enumerate() {
            for (from, to) in edges_of(corners) {
                let (balance, uses) = edges[&(from.min(to), from.max(to))];
                if balance == 0 {
                    continue;
                }
                let triangle = i + 1;
                let (from, to) = (self.vertices[from], self.vertices[to]);
                return Err(if uses % 2 == 1 {
                    ShapeError::Open { triangle, from, to }
                } else {
                    ShapeError::Orientation { triangle, from, to }
                });
            }
        }
        Ok(())
    }
}

/// The edges of a triangle in its direction; of one that is no more than a line, those that have a length.
fn edges_of(&[a, b, c]: &[usize; 3]) -> impl Iterator<Item = (usize, usize)> + use<> {
    [(a, b), (b, c), (c, a)].into_iter().filter(|(from, to)| from != to)
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

fn positive(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ShapeError::NotPositive { what, value })
    }
}

fn positive_each(what: &'static str, values: DVec3) -> Result<DVec3, ShapeError> {
    values.to_array().into_iter().try_for_each(|x| positive(what, x).map(|_| ()))?;
    Ok(values)
}

fn finite(what: &'static str, index: usize, at: [f64; 3]) -> Result<(), ShapeError> {
    if at.iter().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err(ShapeError::NotFinite { what, position: index + 1 })
    }
}
