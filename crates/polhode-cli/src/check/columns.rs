//! Which columns of a table hold what.

use polhode::parameters::suggestion;
use polhode::so3::EulerSequence;
use polhode_verify::check::VectorFrame;

use crate::failure::Failure;
use crate::numbers::quote;

/// What the columns of the files are called. Names left out are those of this program's own files.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnNames {
    pub(crate) time: Option<String>,
    pub(crate) momentum: Option<Vec<String>>,
    pub(crate) omega: Option<Vec<String>>,
    pub(crate) attitude: Option<Vec<String>>,
    pub(crate) scalar_last: bool,
    pub(crate) momentum_frame: VectorFrame,
    pub(crate) omega_frame: VectorFrame,
    pub(crate) degrees: bool,
    /// The turns of Euler angles.
    pub(crate) euler: Option<EulerSequence>,
    /// Three columns for each vector whose direction in the body was seen.
    pub(crate) directions: Vec<Vec<String>>,
    /// Rows with an empty field or NaN are left out.
    pub(crate) skip_missing: bool,
}

const TIME: [[&str; 1]; 2] = [["t"], ["time"]];
const MOMENTUM: [&str; 3] = ["m1", "m2", "m3"];
/// What the angular velocity is called: first as in this program's own files.
const OMEGA: [[&str; 3]; 6] = [
    ["w1", "w2", "w3"],
    ["wx", "wy", "wz"],
    ["omega_x", "omega_y", "omega_z"],
    ["w1_deg", "w2_deg", "w3_deg"],
    ["wx_deg", "wy_deg", "wz_deg"],
    ["omega_x_deg", "omega_y_deg", "omega_z_deg"],
];
const QUATERNION: [[&str; 4]; 2] = [["q0", "q1", "q2", "q3"], ["qw", "qx", "qy", "qz"]];
const MATRIX: [&str; 9] = ["q11", "q12", "q13", "q21", "q22", "q23", "q31", "q32", "q33"];

/// What Euler angles are called: first as in this program's own files.
const EULER: [[&str; 3]; 6] = [
    ["e1", "e2", "e3"],
    ["e1_deg", "e2_deg", "e3_deg"],
    ["yaw", "pitch", "roll"],
    ["yaw_deg", "pitch_deg", "roll_deg"],
    ["precession", "nutation", "spin"],
    ["phi", "theta", "psi"],
];

/// What columns in degrees end in.
const DEGREES: &str = "_deg";

/// Where the columns of one file are, by number.
pub(super) struct Places {
    pub(super) time: usize,
    pub(super) momentum: Option<[usize; 3]>,
    pub(super) omega: Option<[usize; 3]>,
    pub(super) attitude: Option<AttitudePlaces>,
    /// Columns that look like an attitude in a form that is not read.
    pub(super) unread: Option<[&'static str; 3]>,
    /// The angular velocity is in degrees.
    pub(super) omega_in_degrees: bool,
    pub(super) directions: Vec<[usize; 3]>,
}

impl Places {
    /// The columns that are read, for a reader.
    pub(super) fn described(&self, header: &[String]) -> String {
        let list = |places: &[usize]| {
            places.iter().map(|&i| plain(&header[i])).collect::<Vec<_>>().join(", ")
        };
        let mut parts = vec![format!("time {}", list(&[self.time]))];
        parts.extend(self.momentum.map(|places| format!("momentum {}", list(&places))));
        parts.extend(self.omega.map(|places| {
            let unit = if self.omega_in_degrees { " in degrees" } else { "" };
            format!("angular velocity {}{unit}", list(&places))
        }));
        parts.extend(self.attitude.map(|attitude| match attitude {
            AttitudePlaces::Quaternion(places) => {
                format!("quaternion {} (w, x, y, z)", list(&places))
            }
            AttitudePlaces::Matrix(places) => format!("matrix {}", list(&places)),
            AttitudePlaces::Euler { places, sequence, degrees } => {
                let unit = if degrees { "degrees" } else { "radians" };
                format!("Euler angles {} ({}, in {unit})", list(&places), sequence.name())
            }
        }));
        let directions = self.directions.iter();
        parts.extend(directions.map(|places| format!("direction {}", list(places))));
        parts.join("; ")
    }

    /// All columns but the time.
    pub(super) fn measured(&self) -> Vec<usize> {
        let mut all: Vec<usize> =
            [self.momentum, self.omega].into_iter().flatten().flatten().collect();
        match self.attitude {
            None => {}
            Some(AttitudePlaces::Quaternion(places)) => all.extend(places),
            Some(AttitudePlaces::Matrix(places)) => all.extend(places),
            Some(AttitudePlaces::Euler { places, .. }) => all.extend(places),
        }
        all.extend(self.directions.iter().flatten());
        all
    }
}

/// Where the attitude is.
#[derive(Clone, Copy)]
pub(super) enum AttitudePlaces {
    /// The scalar first.
    Quaternion([usize; 4]),
    /// Row by row.
    Matrix([usize; 9]),
    /// In the order of the turns.
    Euler { places: [usize; 3], sequence: EulerSequence, degrees: bool },
}

/// The names typed for an option, separated by commas, in one of these numbers.
pub(crate) fn names(
    option: &str,
    text: &str,
    counts: &[usize],
    takes: &str,
) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    let refuse = |why: String| {
        Err(Failure::Input(format!("{option}: {}: {why}; needed: {takes}", quote(text))))
    };
    if names.iter().any(String::is_empty) {
        return refuse("a name is empty (a comma too many?)".into());
    }
    if !counts.contains(&names.len()) {
        return refuse(format!("{} names given", names.len()));
    }
    Ok(names)
}

impl ColumnNames {
    /// Finds them in the header of a file.
    pub(super) fn find(&self, header: &[String]) -> Result<Places, String> {
        let time = match &self.time {
            Some(name) => place(header, name, "--time")?,
            None => match one_of(header, &TIME, "--time")? {
                Some([place]) => place,
                None => place(header, TIME[0][0], "--time")?,
            },
        };
        let momentum = match &self.momentum {
            Some(names) => places(header, names, "--momentum")?.try_into().ok(),
            None => own(header, &MOMENTUM, "--momentum")?,
        };
        let omega: Option<[usize; 3]> = match &self.omega {
            Some(names) => places(header, names, "--omega")?.try_into().ok(),
            None => one_of(header, &OMEGA, "--omega")?,
        };
        let omega_in_degrees =
            self.degrees || omega.is_some_and(|places| header[places[0]].ends_with(DEGREES));
        let attitude = self.attitude(header)?;
        let there = |names: &&[&str; 3]| {
            names.iter().all(|name| header.iter().any(|h| h.eq_ignore_ascii_case(name)))
        };
        let unread = EULER.iter().find(there).filter(|_| attitude.is_none()).copied();
        let direction = |names: &Vec<String>| {
            Ok(places(header, names, "--direction")?.try_into().unwrap_or_default())
        };
        let directions = self.directions.iter().map(direction).collect::<Result<_, String>>()?;
        Ok(Places { time, momentum, omega, attitude, unread, omega_in_degrees, directions })
    }

    fn attitude(&self, header: &[String]) -> Result<Option<AttitudePlaces>, String> {
        let option = "--attitude";
        let (quaternion, matrix, euler): (_, _, Option<[usize; 3]>) = match &self.attitude {
            Some(names) => {
                let places = places(header, names, option)?;
                (
                    places.clone().try_into().ok(),
                    places.clone().try_into().ok(),
                    places.try_into().ok(),
                )
            }
            None => (
                one_of(header, &QUATERNION, option)?,
                own(header, &MATRIX, option)?,
                EULER.iter().find_map(|names| all_there(header, names)),
            ),
        };
        let euler = euler.filter(|_| quaternion.is_none() && matrix.is_none());
        if let Some(places) = euler {
            let name = header[places[0]].as_str();
            let degrees = self.degrees || name.ends_with(DEGREES);
            // Names of their own say what the turns are.
            let sequence = self.euler.or(match name.trim_end_matches(DEGREES) {
                "yaw" => Some(EulerSequence::ZYX),
                "precession" => EulerSequence::named("zxz"),
                _ => None,
            });
            let found =
                sequence.map(|sequence| AttitudePlaces::Euler { places, sequence, degrees });
            return Ok(found);
        }
        if let Some(mut quaternion) = quaternion {
            let named_so =
                self.attitude.is_none() && header[quaternion[0]].eq_ignore_ascii_case("qw");
            if self.scalar_last && !named_so {
                quaternion.rotate_right(1);
            }
            return Ok(Some(AttitudePlaces::Quaternion(quaternion)));
        }
        Ok(matrix.map(AttitudePlaces::Matrix))
    }
}

/// The first of several sets of names that is there.
fn one_of<const N: usize>(
    header: &[String],
    sets: &[[&str; N]],
    option: &str,
) -> Result<Option<[usize; N]>, String> {
    for names in sets {
        // Two sets may have a name in common: what counts is that all are there.
        if let Some(found) = all_there(header, names) {
            own(header, names, option)?;
            return Ok(Some(found));
        }
    }
    own(header, &sets[0], option)
}

/// The columns of these names if each is there, in any case of letters.
fn all_there<const N: usize>(header: &[String], names: &[&str; N]) -> Option<[usize; N]> {
    let mut found = [0; N];
    for (place, name) in found.iter_mut().zip(names) {
        *place = header.iter().position(|h| h.eq_ignore_ascii_case(name))?;
    }
    Some(found)
}

/// The columns of this program's own files, if they are there: all of them or none.
fn own<const N: usize>(
    header: &[String],
    names: &[&str; N],
    option: &str,
) -> Result<Option<[usize; N]>, String> {
    if !header.iter().any(|h| names.contains(&h.as_str())) {
        return Ok(None);
    }
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    places(header, &names, option).map(|places| places.try_into().ok())
}

fn places(header: &[String], names: &[String], option: &str) -> Result<Vec<usize>, String> {
    names.iter().map(|name| place(header, name, option)).collect()
}

fn place(header: &[String], name: &str, option: &str) -> Result<usize, String> {
    let found: Vec<usize> = (0..header.len()).filter(|&i| header[i] == name).collect();
    match *found {
        [one] => Ok(one),
        [] => {
            let known: Vec<String> =
                header.iter().take(MOST_NAMED).map(|name| plain(name)).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            // Of names as short as these every other one is near.
            let near =
                if name.chars().count() > 2 { suggestion(&known, name) } else { String::new() };
            let near = if near.contains("did you mean") { &near } else { "" };
            Err(format!(
                "no column {}{near} (columns: {}); {option} says which to take",
                quote(name),
                listed(header)
            ))
        }
        [one, other, ..] => Err(format!(
            "column {} is there twice, as number {} and {}; rename one of them",
            quote(name),
            one + 1,
            other + 1
        )),
    }
}

/// The names of the columns, not too many of them.
pub(super) fn listed(header: &[String]) -> String {
    let known: Vec<String> = header.iter().take(MOST_NAMED).map(|name| plain(name)).collect();
    let more = match header.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    known.join(", ") + &more
}

/// More columns than this are not listed.
const MOST_NAMED: usize = 30;

/// A name as it may stand in a message: on one line and not too long.
fn plain(name: &str) -> String {
    let quoted = quote(name);
    quoted[1..quoted.len() - 1].to_owned()
}
