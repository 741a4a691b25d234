//! What is drawn for a body.

use std::f64::consts::TAU;

use polhode::glam::{DMat3, DVec3};
use polhode::shape::Mesh;
use polhode::{Inertia, Torque};

/// Colours of Okabe and Ito, one for each principal axis, and paler ones for the opposite sides: a body that has turned
/// over is seen to have done so.
const SIDES: [[[u8; 3]; 2]; 3] = [
    [[0, 114, 178], [140, 200, 236]],
    [[0, 158, 115], [150, 222, 198]],
    [[180, 71, 143], [232, 184, 214]],
];
const ORANGE: [u8; 3] = [230, 159, 0];
const PAPER: [u8; 3] = [244, 240, 228];
const METAL: [u8; 3] = [178, 184, 192];
const PANEL: [u8; 3] = [38, 70, 130];

/// The kinds of torque that are the weight of a top.
const TOPS: [&str; 2] = ["heavy-top", "lagrange-top"];

/// What a body looks like. Its proportions are those of its moments, as far as the shape allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Look {
    /// A box of uniform density.
    Box,
    /// An ellipsoid of uniform density, in coloured octants.
    Ellipsoid,
    /// A cylinder, its axis that of the moment that differs most from the other two.
    Cylinder,
    /// A T: the bar along the axis of the smallest moment, the stem along that of the middle one.
    THandle,
    /// A book with covers, spine and pages.
    Book,
    /// A spinning top on its tip, along its axis of symmetry (the third, if there is none).
    Top,
    /// A box with solar panels and a camera.
    Satellite,
}

impl Look {
    /// Every look.
    pub const ALL: [Self; 7] = [
        Self::Box,
        Self::Ellipsoid,
        Self::Cylinder,
        Self::THandle,
        Self::Book,
        Self::Top,
        Self::Satellite,
    ];

    /// Its name in a scenario or an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Ellipsoid => "ellipsoid",
            Self::Cylinder => "cylinder",
            Self::THandle => "t-handle",
            Self::Book => "book",
            Self::Top => "top",
            Self::Satellite => "satellite",
        }
    }

    /// The look of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|look| look.name() == name)
    }

    /// What bodies under such a torque mostly are: tops under their weight, satellites on an orbit or with a dipole in
    /// a field.
    pub fn usual(torque: &Torque) -> Self {
        if torque.entries().any(|entry| TOPS.contains(&entry.kind)) {
            Self::Top
        } else if torque.orbit().is_some() || torque.field().is_some() {
            Self::Satellite
        } else {
            Self::Box
        }
    }
}

/// Triangles with colours, in the body frame; the farthest corner is at distance 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    pub(crate) places: Vec<DVec3>,
    pub(crate) corners: Vec<[u32; 3]>,
    pub(crate) colours: Vec<[u8; 3]>,
    /// It stands on a floor, on its tip.
    pub(crate) floor: bool,
    /// The principal axis, 1 to 3, whose path is of interest.
    pub(crate) path: Option<u8>,
    /// What is drawn, in words.
    pub(crate) words: &'static str,
}

/// The half-lengths, along the principal axes, of a box with these moments, the longest 1.
///
/// I1 ~ b^2 + c^2 and so on; a flat body gets a little thickness to be seen, and so do moments that no body can have.
fn half_lengths(inertia: &Inertia) -> DVec3 {
    let moments = inertia.moments() / inertia.moments().max_element();
    let squares = DVec3::splat(moments.element_sum() / 2.0) - moments;
    let half = squares.max(DVec3::ZERO).map(f64::sqrt);
    let half = half / half.max_element();
    half.max(DVec3::splat(0.03))
}

/// Principal axes by their moments: the smallest first. Equal moments keep their order.
fn sorted(inertia: &Inertia) -> [usize; 3] {
    let moments = inertia.moments();
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| moments[a].total_cmp(&moments[b]));
    order
}

/// The principal axis whose moment differs from the other two, if these are nearly equal.
fn symmetry(inertia: &Inertia) -> Option<usize> {
    let moments = inertia.moments();
    let [a, b, c] = sorted(inertia);
    let close = |i: usize, j: usize| (moments[i] / moments[j] - 1.0).abs() < 0.02;
    match (close(a, b), close(b, c)) {
        (true, false) => Some(c),
        (false, true) => Some(a),
        _ => None,
    }
}

impl Solid {
    /// A body of this look with these moments.
    pub fn new(look: Look, inertia: &Inertia) -> Self {
        let mut made = Self::default();
        let half = half_lengths(inertia);
        let [least, middle, most] = sorted(inertia);
        match look {
            Look::Box => made.cuboid(DVec3::ZERO, half, SIDES),
            Look::Ellipsoid => made.ellipsoid(half),
            Look::Cylinder => {
                let axis = symmetry(inertia).unwrap_or(least);
                let [b, c] = [1, 2].map(|k| half[(axis + k) % 3]);
                // A box and a cylinder of the same moments: the edges are those of a square of the same breadth.
                let radius =
                    (0.5 * (b * b + c * c)).sqrt() * (2.0_f64 / 3.0).sqrt() * 2.0_f64.sqrt();
                let tall = half[axis];
                made.round(axis, &[[0.0, -tall], [radius, -tall], [radius, tall], [0.0, tall]]);
            }
            Look::THandle => made.handle(least, middle),
            Look::Book => made.book(half, [least, middle, most]),
            Look::Top => {
                let axis = symmetry(inertia).unwrap_or(2);
                let profile =
                    [[0.0, 0.0], [0.46, 0.52], [0.46, 0.64], [0.07, 0.74], [0.07, 1.0], [0.0, 1.0]];
                made.round(axis, &profile);
                made.floor = true;
            }
            Look::Satellite => made.satellite(half, [least, middle, most]),
        }
        made.path = match look {
            Look::Top => u8::try_from(symmetry(inertia).unwrap_or(2) + 1).ok(),
            Look::THandle => u8::try_from(middle + 1).ok(),
            _ => None,
        };
        made.words = look.name();
        made.in_body(DMat3::from_quat(inertia.axes()))
    }

    /// The triangles of a mesh, its centre of mass (in the coordinates of the mesh) the point about which it turns.
    /// Sides are coloured by the axis they face most.
    pub fn mesh_of(mesh: &Mesh, centre: impl Into<DVec3>) -> Self {
        let mut made = Self { words: "mesh", ..Self::default() };
        let centre = centre.into();
        made.places = mesh.vertices.iter().map(|&v| DVec3::from(v) - centre).collect();
        for triangle in &mesh.triangles {
            let Some(places) =
                triangle.iter().map(|&i| made.places.get(i).copied()).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let normal = (places[1] - places[0]).cross(places[2] - places[0]);
            let size = normal.abs();
            let axis = if size.x >= size.y && size.x >= size.z {
                0
            } else if size.y >= size.z {
                1
            } else {
                2
            };
            let corners = triangle.map(|i| u32::try_from(i).unwrap_or(0));
            made.corners.push(corners);
            made.colours.push(SIDES[axis][usize::from(normal[axis] < 0.0)]);
        }
        made.in_body(DMat3::IDENTITY)
    }

    /// How many triangles it has.
    pub fn triangles(&self) -> usize {
        self.corners.len()
    }

    /// From the frame in which it was made to that of the body, the farthest corner at 1.
    fn in_body(mut self, turn: DMat3) -> Self {
        let farthest = self.places.iter().map(|p| p.length()).fold(0.0, f64::max);
        let scale = if farthest > 0.0 && farthest.is_finite() { 1.0 / farthest } else { 1.0 };
        for place in &mut self.places {
            *place = turn * *place * scale;
        }
        self
    }

    fn face(&mut self, corners: &[DVec3], colour: [u8; 3]) {
        let first = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.places.extend(corners);
        for k in (1..).take(corners.len().saturating_sub(2)) {
            self.corners.push([first, first + k, first + k + 1]);
            self.colours.push(colour);
        }
    }

    /// A box; colours of the positive and the negative side of each axis.
    fn cuboid(&mut self, centre: DVec3, half: DVec3, colours: [[[u8; 3]; 2]; 3]) {
        for (axis, colours) in colours.into_iter().enumerate() {
            let [along, across] =
                [1, 2].map(|k| DVec3::AXES[(axis + k) % 3] * half[(axis + k) % 3]);
            let out = DVec3::AXES[axis] * half[axis];
            let front = [-along - across, along - across, along + across, across - along];
            self.face(&front.map(|p| centre + out + p), colours[0]);
            self.face(&[0, 3, 2, 1].map(|i| centre - out + front[i]), colours[1]);
        }
    }

    fn ellipsoid(&mut self, half: DVec3) {
        const RINGS: u32 = 16;
        let at = |i: u32, k: u32| {
            let (b, l) = (
                TAU / 2.0 * f64::from(i) / f64::from(RINGS),
                TAU * f64::from(k) / f64::from(2 * RINGS),
            );
            DVec3::new(b.sin() * l.cos(), b.sin() * l.sin(), b.cos()) * half
        };
        for i in 0..RINGS {
            for k in 0..2 * RINGS {
                let quarter = k / (RINGS / 2);
                let south = u32::from(i >= RINGS / 2);
                let colour = SIDES[(quarter % 2) as usize][((quarter / 2 + south) % 2) as usize];
                let corners = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
                match i {
                    0 => self.face(&[corners[0], corners[1], corners[2]], colour),
                    i if i + 1 == RINGS => self.face(&[corners[0], corners[1], corners[3]], colour),
                    _ => self.face(&corners, colour),
                }
            }
        }
    }

    /// What a profile of radii and heights makes when it turns about an axis, in coloured sectors.
    fn round(&mut self, axis: usize, profile: &[[f64; 2]]) {
        const SECTORS: u32 = 24;
        let [x, y] = [1, 2].map(|k| DVec3::AXES[(axis + k) % 3]);
        let at = |[r, z]: [f64; 2], k: u32| {
            let angle = TAU * f64::from(k) / f64::from(SECTORS);
            x * (r * angle.cos()) + y * (r * angle.sin()) + DVec3::AXES[axis] * z
        };
        for pair in profile.windows(2) {
            for k in 0..SECTORS {
                let colour = match (k * 4 / SECTORS) % 4 {
                    0 => SIDES[0][0],
                    2 => ORANGE,
                    _ => PAPER,
                };
                let corners =
                    [at(pair[0], k), at(pair[0], k + 1), at(pair[1], k + 1), at(pair[1], k)];
                match (pair[0][0] > 0.0, pair[1][0] > 0.0) {
                    (true, true) => self.face(&corners, colour),
                    (false, _) => self.face(&[corners[0], corners[2], corners[3]], colour),
                    (true, false) => self.face(&[corners[0], corners[1], corners[2]], colour),
                }
            }
        }
    }

    /// A rod between two points of the plane of two axes, half of it in one colour and half in the other.
    fn rod(&mut self, from: DVec3, to: DVec3, radius: f64, colours: [[u8; 3]; 2]) {
        const SECTORS: u32 = 16;
        let along = (to - from).normalize();
        let (x, y) = along.any_orthonormal_pair();
        let at = |share: f64, k: u32| {
            let angle = TAU * f64::from(k) / f64::from(SECTORS);
            from + (to - from) * share + (x * angle.cos() + y * angle.sin()) * radius
        };
        for (share, colour) in [(0.0, colours[0]), (0.5, colours[1])] {
            for k in 0..SECTORS {
                let corners =
                    [at(share, k), at(share, k + 1), at(share + 0.5, k + 1), at(share + 0.5, k)];
                self.face(&corners, colour);
            }
        }
        let ring = |share: f64| (0..SECTORS).map(|k| at(share, k)).collect::<Vec<_>>();
        let mut bottom = ring(0.0);
        bottom.reverse();
        self.face(&bottom, colours[0]);
        self.face(&ring(1.0), colours[1]);
    }

    fn handle(&mut self, bar: usize, stem: usize) {
        let (bar, stem) = (DVec3::AXES[bar], DVec3::AXES[stem]);
        // The centre of mass of two thin rods, the stem as long as half the bar.
        let up = stem * (1.0 / 6.0);
        self.rod(up - bar, up + bar, 0.13, [SIDES[0][0], ORANGE]);
        self.rod(up, up - stem, 0.11, [SIDES[1][0], SIDES[2][0]]);
    }

    fn book(&mut self, half: DVec3, [tall, wide, thick]: [usize; 3]) {
        let mut cover = half;
        cover[thick] = half[thick] * 0.14;
        let mut pages = half * 0.97;
        pages[thick] = half[thick] * 0.9;
        let mut colours = [[PAPER; 2]; 3];
        self.cuboid(DVec3::ZERO, pages, colours);
        for (side, colour) in [(1.0, SIDES[0][0]), (-1.0, ORANGE)] {
            colours = [[colour; 2]; 3];
            let centre = DVec3::AXES[thick] * (side * (half[thick] - cover[thick]));
            self.cuboid(centre, cover, colours);
        }
        // The spine, and a plate for the title on the front.
        let mut spine = half;
        spine[wide] = half[wide] * 0.03;
        self.cuboid(DVec3::AXES[wide] * -half[wide], spine, [[SIDES[2][0]; 2]; 3]);
        let mut plate = DVec3::ZERO;
        plate[tall] = half[tall] * 0.16;
        plate[wide] = half[wide] * 0.6;
        plate[thick] = half[thick] * 0.02;
        let centre = DVec3::AXES[thick] * half[thick] + DVec3::AXES[tall] * (half[tall] * 0.5);
        self.cuboid(centre, plate, [[PAPER; 2]; 3]);
    }

    fn satellite(&mut self, half: DVec3, [long, wing, _]: [usize; 3]) {
        let core = (half * 0.62).max(DVec3::splat(0.16));
        self.cuboid(DVec3::ZERO, core, SIDES);
        let mut panel = DVec3::splat(0.015);
        panel[wing] = 0.42;
        panel[long] = core[long].min(0.3);
        for side in [1.0, -1.0] {
            let centre = DVec3::AXES[wing] * (side * (core[wing] + 0.1 + panel[wing]));
            self.cuboid(centre, panel, [[PANEL, PANEL], [PANEL, PANEL], [PANEL, METAL]]);
            let arm = DVec3::AXES[wing] * (side * core[wing]);
            self.rod(arm, arm + DVec3::AXES[wing] * (side * 0.1), 0.02, [METAL, METAL]);
        }
        // The camera looks along the negative long axis.
        let end = DVec3::AXES[long] * -core[long];
        self.rod(end, end - DVec3::AXES[long] * 0.16, 0.09, [METAL, [30, 30, 34]]);
    }
}
