//! Which columns of a table hold what.

use polhode::parameters::suggestion;
use polhode_verify::check::Frame;

use crate::failure::Failure;
use crate::numbers::quote;

/// What the columns of the files are called. Names left out are those of this program's own files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) time: Option<String>,
    pub(crate) momentum: Option<Vec<String>>,
    pub(crate) omega: Option<Vec<String>>,
    pub(crate) attitude: Option<Vec<String>>,
    pub(crate) scalar_last: bool,
    pub(crate) momentum_frame: Frame,
    pub(crate) degrees: bool,
}

const TIME: &str = "t";
const MOMENTUM: [&str; 3] = ["m1", "m2", "m3"];
const OMEGA: [&str; 3] = ["w1", "w2", "w3"];
const QUATERNION: [&str; 4] = ["q0", "q1", "q2", "q3"];
const MATRIX: [&str; 9] = ["q11", "q12", "q13", "q21", "q22", "q23", "q31", "q32", "q33"];

/// What Euler angles are called: first as in this program's own files.
const EULER: [[&str; 3]; 3] =
    [["e1", "e2", "e3"], ["roll", "pitch", "yaw"], ["phi", "theta", "psi"]];

/// Where the columns of one file are, by number.
pub(super) struct Places {
    pub(super) time: usize,
    pub(super) momentum: Option<[usize; 3]>,
    pub(super) omega: Option<[usize; 3]>,
    pub(super) attitude: Option<AttitudePlaces>,
    /// Columns that look like an attitude in a form that is not read.
    pub(super) unread: Option<[&'static str; 3]>,
}

/// Where the attitude is.
#[derive(Clone, Copy)]
pub(super) enum AttitudePlaces {
    /// The scalar first.
    Quaternion([usize; 4]),
    /// Row by row.
    Matrix([usize; 9]),
}

/// The names typed for an option, separated by commas, in one of these numbers.
pub(super) fn names(
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

impl Columns {
    /// Finds them in the header of a file.
    pub(super) fn find(&self, header: &[String]) -> Result<Places, String> {
        let time = self.time.as_deref().unwrap_or(TIME);
        let time = place(header, time, "--time")?;
        let vector = |names: &Option<Vec<String>>, own_names: &[&str; 3], option: &str| match names
        {
            Some(names) => places(header, names, option).map(|places| places.try_into().ok()),
            None => own(header, own_names, option),
        };
        let attitude = self.attitude(header)?;
        let there = |names: &&[&str; 3]| {
            names.iter().all(|name| header.iter().any(|h| h.eq_ignore_ascii_case(name)))
        };
        let unread = EULER.iter().find(there).filter(|_| attitude.is_none()).copied();
        Ok(Places {
            time,
            momentum: vector(&self.momentum, &MOMENTUM, "--momentum")?,
            omega: vector(&self.omega, &OMEGA, "--omega")?,
            attitude,
            unread,
        })
    }

    fn attitude(&self, header: &[String]) -> Result<Option<AttitudePlaces>, String> {
        let option = "--attitude";
        let (quaternion, matrix) = match &self.attitude {
            Some(names) => {
                let places = places(header, names, option)?;
                (places.clone().try_into().ok(), places.try_into().ok())
            }
            None => (own(header, &QUATERNION, option)?, own(header, &MATRIX, option)?),
        };
        if let Some(mut quaternion) = quaternion {
            if self.scalar_last {
                quaternion.rotate_right(1);
            }
            return Ok(Some(AttitudePlaces::Quaternion(quaternion)));
        }
        Ok(matrix.map(AttitudePlaces::Matrix))
    }
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
            let more = match header.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            // Of names as short as these every other one is near.
            let near =
                if name.chars().count() > 2 { suggestion(&known, name) } else { String::new() };
            let near = if near.contains("did you mean") { &near } else { "" };
            Err(format!(
                "no column {}{near} (columns: {}{more}); {option} says which to take",
                quote(name),
                known.join(", ")
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

/// More columns than this are not listed.
const MOST_NAMED: usize = 30;

/// A name as it may stand in a message: on one line and not too long.
fn plain(name: &str) -> String {
    let quoted = quote(name);
    quoted[1..quoted.len() - 1].to_owned()
}
