//! A run as it is shown.

use polhode::glam::DVec3;
use polhode::so3;
use serde_json::{Value, json};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::still::short;
use crate::thinning::kept;
use crate::{Film, Look, Solid, ViewError};

/// How far from the centre the tips of directions are whose paths are drawn; the farthest corner of a body is at 1.
const REACH: f64 = 1.03;

/// A film with its body, and what goes with it.
#[derive(Clone, Debug)]
pub struct PageRun {
    pub(crate) name: String,
    pub(crate) film: Film,
    pub(crate) body: Solid,
    pub(crate) free: bool,
    notes: Vec<String>,
    watched: Vec<WatchedQuantity>,
    arrows: Vec<(String, Vec<DVec3>)>,
    units: [String; 2],
}

#[derive(Clone, Debug)]
struct WatchedQuantity {
    name: String,
    title: String,
    log: bool,
    values: Vec<f64>,
}

impl PageRun {
    /// A free body that looks like a box.
    pub fn new(name: impl Into<String>, film: Film) -> Self {
        let body = Solid::new(Look::Box, film.inertia());
        Self {
            name: name.into(),
            film,
            body,
            free: true,
            notes: Vec::new(),
            watched: Vec::new(),
            arrows: Vec::new(),
            units: Default::default(),
        }
    }

    /// With another body.
    #[must_use]
    pub fn body(mut self, body: Solid) -> Self {
        self.body = body;
        self
    }

    /// Whether a torque acts: then no plane is invariable, and space is shown upright.
    #[must_use]
    pub fn torqued(mut self, torqued: bool) -> Self {
        self.free = !torqued;
        self
    }

    /// With a sentence above the picture.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// With the names of the units of time and of momentum, for axes; an empty one is not told.
    #[must_use]
    pub fn units(mut self, time: impl Into<String>, momentum: impl Into<String>) -> Self {
        self.units = [time.into(), momentum.into()];
        self
    }

    /// With a plot of a number: one value for each moment of the film.
    #[must_use]
    pub fn watch(
        self,
        name: impl Into<String>,
        title: impl Into<String>,
        values: Vec<f64>,
    ) -> Self {
        self.watching(name.into(), title.into(), values, false)
    }

    /// With a plot of a number over a logarithmic axis; values that are not positive are gaps.
    #[must_use]
    pub fn watch_log(
        self,
        name: impl Into<String>,
        title: impl Into<String>,
        values: Vec<f64>,
    ) -> Self {
        self.watching(name.into(), title.into(), values, true)
    }

    fn watching(mut self, name: String, title: String, values: Vec<f64>, log: bool) -> Self {
        self.watched.push(WatchedQuantity { name, title, log, values });
        self
    }

    /// With an arrow in space: a direction for each moment of the film.
    #[must_use]
    pub fn arrow(mut self, name: impl Into<String>, directions: Vec<DVec3>) -> Self {
        self.arrows.push((name.into(), directions));
        self
    }

    /// What is seen, in words.
    pub(crate) fn alt(&self) -> String {
        let moments = self.film.moments();
        let (begin, end) = self.film.span();
        let turned: f64 = moments
            .windows(2)
            .map(|pair| so3::angle_between(pair[0].state.q, pair[1].state.q))
            .sum();
        format!(
            "A body ({}) with the moments of inertia {} turns by {} turns from t = {} to t = {}.",
            self.body.words,
            self.film.inertia().moments().to_array().map(short).join(", "),
            short(turned / std::f64::consts::TAU),
            short(begin),
            short(end)
        )
    }

    fn said(&self) -> String {
        let mut notes = self.notes.clone();
        if let Some(end) = self.film.cut() {
            let (from, to) = self.film.span();
            notes.push(format!(
                "Shown is the time from {} to {}; the motion goes on to {}, too long for a film.",
                short(from),
                short(to),
                short(end)
            ));
        }
        if let Some(turn) = self.film.coarse() {
            notes.push(format!(
                "From one moment to the next the body turns by up to {} rad: what is shown between them is a guess.",
                short(turn)
            ));
        }
        notes.join(" ")
    }

    /// As the page takes it.
    pub(crate) fn to_json(&self) -> Result<Value, ViewError> {
        let moments = self.film.moments();
        let lengths = self.watched.iter().map(|w| (&w.name, w.values.len()));
        let arrows = self.arrows.iter().map(|(name, directions)| (name, directions.len()));
        for (name, given) in lengths.chain(arrows) {
            if given != moments.len() {
                return Err(ViewError::Length {
                    name: name.clone(),
                    given,
                    moments: moments.len(),
                });
            }
        }
        // A logarithmic axis shows small numbers as well as large ones.
        let logs = |w: &WatchedQuantity| -> Vec<f64> {
            if w.log { w.values.iter().map(|x| x.ln()).collect() } else { w.values.clone() }
        };
        let mut rows: Vec<Vec<f64>> = self.watched.iter().map(logs).collect();
        for (_, directions) in &self.arrows {
            rows.extend([0, 1, 2].map(|k| directions.iter().map(|d| d[k]).collect()));
        }
        // Where wheels turn, the angular velocity does not follow from the momentum.
        let fastest = (0..moments.len()).map(|i| self.film.omega(i).abs().max_element());
        let fastest = fastest.fold(f64::MIN_POSITIVE, f64::max);
        let gyrostat = self.film.is_gyrostat();
        if gyrostat {
            rows.extend([0, 1, 2].map(|k| {
                (0..moments.len()).map(|i| self.film.omega(i)[k] / fastest).collect::<Vec<f64>>()
            }));
        }
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let kept = kept(&self.film, &rows);
        let pick = |values: &[f64]| kept.iter().map(|&i| values[i]).collect::<Vec<f64>>();

        let longest = moments.iter().map(|m| m.state.m.abs().max_element()).fold(0.0, f64::max);
        let scale = if longest > 0.0 { longest } else { 1.0 };
        let momenta = kept.iter().flat_map(|&i| (moments[i].state.m / scale).to_array());
        let attitudes = kept.iter().flat_map(|&i| so3::to_wxyz(moments[i].state.q));
        let watched: Vec<Value> = self
            .watched
            .iter()
            .map(|w| {
                let values = pick(&w.values);
                let most = values.iter().filter(|x| x.is_finite()).fold(0.0, |a: f64, x| a.max(x.abs()));
                let scale = if most > 0.0 { most } else { 1.0 };
                let packed = floats(values.iter().map(|x| x / scale));
                json!({ "name": w.name, "title": w.title, "log": w.log, "scale": scale, "values": packed })
            })
            .collect();
        let arrows: Vec<Value> = self
            .arrows
            .iter()
            .map(|(name, directions)| {
                let values =
                    kept.iter().flat_map(|&i| directions[i].normalize_or_zero().to_array());
                json!({ "name": name, "values": floats(values) })
            })
            .collect();
        let omegas = kept.iter().flat_map(|&i| (self.film.omega(i) / fastest).to_array());
        let omegas = gyrostat.then(|| floats(omegas));
        let corners = self.body.corners.iter().flatten().flat_map(|i| i.to_le_bytes());
        let inertia = self.film.inertia();
        Ok(json!({
            "name": self.name,
            "note": self.said(),
            "alt": self.alt(),
            "free": self.free,
            "units": self.units,
            "moments": inertia.moments().to_array(),
            "axes": so3::to_wxyz(inertia.axes()),
            "t": BASE64_STANDARD.encode(pick_times(&kept, moments)),
            "q": floats(attitudes),
            "m": floats(momenta),
            "w": omegas,
            "scale": scale,
            "watched": watched,
            "arrows": arrows,
            "reach": REACH,
            "floor": self.body.floor,
            "path": self.body.path,
            "mesh": {
                "places": floats(self.body.places.iter().flat_map(DVec3::to_array)),
                "corners": BASE64_STANDARD.encode(corners.collect::<Vec<u8>>()),
                "colours": BASE64_STANDARD.encode(self.body.colours.as_flattened()),
            },
        }))
    }
}

fn pick_times(kept: &[usize], moments: &[crate::FilmMoment]) -> Vec<u8> {
    kept.iter().flat_map(|&i| moments[i].t.to_le_bytes()).collect()
}

/// Numbers in single precision.
fn floats(values: impl Iterator<Item = f64>) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "of size 1 or so; single precision is more than a screen shows"
    )]
    let bytes: Vec<u8> = values.flat_map(|x| (x as f32).to_le_bytes()).collect();
    BASE64_STANDARD.encode(bytes)
}
