//! What users would pick instead, on the same problems.
//!
//! Their state is (m, q) in units in which the momentum has length one at the start: the best that
//! can be done for solvers whose absolute tolerance is one number for all components. Solvers keep
//! their own steps and make no others.

use differential_equations::prelude::{ExplicitRungeKutta, IVP, ODE};
use ode_solvers::{Dop853, OutputType, SVector, System};
use polhode::glam::DVec3;
use polhode::{State, so3};

type Seven = SVector<f64, 7>;

/// A heavy top with V = u3, or a free body; or a satellite, seen from the frame of its orbit.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    inverse: [f64; 3],
    weight: f64,
    unit: f64,
    start: [f64; 7],
}

/// A body on a circular orbit about the third axis of space, which is on the first axis at t = 0. In the frame that
/// turns with the orbit nothing depends on time, which `ode_solvers` takes wrong in one stage.
#[derive(Clone, Copy)]
pub(crate) struct Satellite {
    body: Body,
    rate: f64,
    /// 3 n² (I3 - I2) and so on, in units of the momentum.
    gradient: [f64; 3],
}

impl Satellite {
    pub(crate) fn new(moments: DVec3, rate: f64, start: State) -> Self {
        let body = Body::new(moments, 0.0, start);
        let [i1, i2, i3] = moments.to_array();
        let strength = 3.0 * rate * rate / body.unit;
        let gradient = [strength * (i3 - i2), strength * (i1 - i3), strength * (i2 - i1)];
        Self { body, rate, gradient }
    }
}

impl System<f64, Seven> for Satellite {
    fn system(&self, _: f64, y: &Seven, dy: &mut Seven) {
        let (y, dy) = (&y.data.0[0], &mut dy.data.0[0]);
        self.body.slope(y, dy);
        let &[.., w, x, y, z] = y;
        let c = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)];
        let [g1, g2, g3] = self.gradient;
        dy[0] += g1 * c[1] * c[2];
        dy[1] += g2 * c[2] * c[0];
        dy[2] += g3 * c[0] * c[1];
        let half = 0.5 * self.rate;
        dy[3] += half * z;
        dy[4] += half * y;
        dy[5] -= half * x;
        dy[6] -= half * w;
    }
}

impl Body {
    /// `weight` is the strength of the potential: V = weight u3.
    pub(crate) fn new(moments: DVec3, weight: f64, start: State) -> Self {
        let unit = start.m.length();
        let m = start.m / unit;
        let [w, x, y, z] = start.attitude();
        Self {
            inverse: (unit / moments).to_array(),
            weight: weight / unit,
            unit,
            start: [m.x, m.y, m.z, w, x, y, z],
        }
    }

    #[inline(always)]
    fn slope(&self, y: &[f64; 7], dy: &mut [f64; 7]) {
        let &[m1, m2, m3, w, x, y, z] = y;
        let [b1, b2, b3] = self.inverse;
        let (o1, o2, o3) = (b1 * m1, b2 * m2, b3 * m3);
        // The third row of the rotation matrix is u, and the torque weight (u x e3).
        let (u1, u2) = (2.0 * (x * z - w * y), 2.0 * (y * z + w * x));
        *dy = [
            m2 * o3 - m3 * o2 + self.weight * u2,
            m3 * o1 - m1 * o3 - self.weight * u1,
            m1 * o2 - m2 * o1,
            -0.5 * (x * o1 + y * o2 + z * o3),
            0.5 * (w * o1 + y * o3 - z * o2),
            0.5 * (w * o2 + z * o1 - x * o3),
            0.5 * (w * o3 + x * o2 - y * o1),
        ];
    }

    fn state(&self, y: [f64; 7]) -> State {
        let [m1, m2, m3, w, x, y, z] = y;
        State { m: DVec3::new(m1, m2, m3) * self.unit, q: so3::from_wxyz([w, x, y, z]) }
    }
}

impl System<f64, Seven> for Body {
    fn system(&self, _: f64, y: &Seven, dy: &mut Seven) {
        self.slope(&y.data.0[0], &mut dy.data.0[0]);
    }
}

impl ODE<f64, [f64; 7]> for Body {
    fn diff(&self, _: f64, y: &[f64; 7], dy: &mut [f64; 7]) {
        self.slope(y, dy);
    }
}

/// A solver with a tolerance: the state at the end.
pub(crate) type Solver = fn(&Body, f64, f64) -> Option<State>;

pub(crate) const SOLVERS: [(&str, Solver); 2] =
    [("ode_solvers", ode_solvers), ("differential-equations", differential_equations)];

/// `Dop853` of ode_solvers.
pub(crate) fn ode_solvers(body: &Body, until: f64, tolerance: f64) -> Option<State> {
    Some(body.state(by_ode_solvers(*body, body.start, until, tolerance)?))
}

/// The same of a satellite.
pub(crate) fn ode_solvers_orbit(orbit: &Satellite, until: f64, tolerance: f64) -> Option<State> {
    let end = by_ode_solvers(*orbit, orbit.body.start, until, tolerance)?;
    let State { m, q } = orbit.body.state(end);
    Some(State { m, q: so3::exp(DVec3::Z * (orbit.rate * until)) * q })
}

fn by_ode_solvers(
    system: impl System<f64, Seven>,
    start: [f64; 7],
    until: f64,
    tolerance: f64,
) -> Option<[f64; 7]> {
    let start = Seven::from(start);
    let mut solver = Dop853::new(system, 0.0, until, until, start, tolerance, tolerance);
    solver.set_output(OutputType::Sparse);
    solver.integrate().ok()?;
    Some(solver.y_out().last()?.data.0[0])
}

/// `dop853` of differential-equations.
pub(crate) fn differential_equations(body: &Body, until: f64, tolerance: f64) -> Option<State> {
    let method = ExplicitRungeKutta::dop853().rtol(tolerance).atol(tolerance);
    let solution =
        IVP::ode(body, 0.0, until, body.start).method(method).t_eval([until]).solve().ok()?;
    let (_, end) = solution.last().ok()?;
    Some(body.state(*end))
}

/// sn, cn and dn of GSL, where it is installed; looked up while running, so that nothing needs it to
/// be built.
pub(crate) mod gsl {
    #![allow(unsafe_code)]

    use libloading::{Library, Symbol};

    type Elljac = unsafe extern "C" fn(f64, f64, *mut f64, *mut f64, *mut f64) -> i32;

    pub(crate) struct Gsl(Library);

    pub(crate) const INSTALL: &str = "libgsl not found; to install: apt-get install libgsl-dev";

    impl Gsl {
        pub(crate) fn find() -> Option<Self> {
            let names =
                ["libgsl.so", "libgsl.so.28", "libgsl.so.27", "libgsl.so.25", "libgsl.dylib"];
            // SAFETY: GSL runs no code when it is loaded.
            names.into_iter().find_map(|name| unsafe { Library::new(name) }.ok()).map(Self)
        }

        /// One of its integrals, of an amplitude, a characteristic and a parameter, or of Carlson's four.
        pub(crate) fn integral(&self, name: &str) -> Option<impl Fn(&[f64; 4]) -> f64 + '_> {
            type One = unsafe extern "C" fn(f64, u32) -> f64;
            type Two = unsafe extern "C" fn(f64, f64, u32) -> f64;
            type Three = unsafe extern "C" fn(f64, f64, f64, u32) -> f64;
            type Four = unsafe extern "C" fn(f64, f64, f64, f64, u32) -> f64;
            enum Kind<'a> {
                One(Symbol<'a, One>),
                Two(Symbol<'a, Two>),
                Three(Symbol<'a, Three>),
                Four(Symbol<'a, Four>),
            }
            // SAFETY: these are their types in gsl_sf_ellint.h; the last argument is the precision.
            let kind = unsafe {
                match name {
                    "K" => Kind::One(self.0.get(b"gsl_sf_ellint_Kcomp\0").ok()?),
                    "E" => Kind::One(self.0.get(b"gsl_sf_ellint_Ecomp\0").ok()?),
                    "Pi" => Kind::Two(self.0.get(b"gsl_sf_ellint_Pcomp\0").ok()?),
                    "F" => Kind::Two(self.0.get(b"gsl_sf_ellint_F\0").ok()?),
                    "E-incomplete" => Kind::Two(self.0.get(b"gsl_sf_ellint_E\0").ok()?),
                    "Pi-incomplete" => Kind::Three(self.0.get(b"gsl_sf_ellint_P\0").ok()?),
                    "RC" => Kind::Two(self.0.get(b"gsl_sf_ellint_RC\0").ok()?),
                    "RF" => Kind::Three(self.0.get(b"gsl_sf_ellint_RF\0").ok()?),
                    "RD" => Kind::Three(self.0.get(b"gsl_sf_ellint_RD\0").ok()?),
                    "RJ" => Kind::Four(self.0.get(b"gsl_sf_ellint_RJ\0").ok()?),
                    _ => return None,
                }
            };
            let name = name.to_owned();
            // GSL takes the modulus, and the characteristic with the other sign. SAFETY: as above; none
            // of the arguments is outside the domain, where GSL would abort.
            Some(move |x: &[f64; 4]| unsafe {
                match &kind {
                    Kind::One(f) => f(x[2].sqrt(), 0),
                    Kind::Two(f) if name == "RC" => f(x[0], x[1], 0),
                    Kind::Two(f) if name == "Pi" => f(x[2].sqrt(), -x[1], 0),
                    Kind::Two(f) => f(x[0], x[2].sqrt(), 0),
                    Kind::Three(f) if name == "Pi-incomplete" => f(x[0], x[2].sqrt(), -x[1], 0),
                    Kind::Three(f) => f(x[0], x[1], x[2], 0),
                    Kind::Four(f) => f(x[0], x[1], x[2], x[3], 0),
                }
            })
        }

        /// The function, found once and for all.
        pub(crate) fn jacobi(&self) -> Option<impl Fn(f64, f64) -> Option<[f64; 3]> + '_> {
            // SAFETY: this is its type in gsl_sf_elljac.h.
            let call: Symbol<'_, Elljac> = unsafe { self.0.get(b"gsl_sf_elljac_e\0") }.ok()?;
            Some(move |u: f64, k2: f64| {
                let [mut sn, mut cn, mut dn] = [0.0; 3];
                // SAFETY: it writes the three numbers. For |k2| <= 1, which is all that is asked for,
                // it does not call GSL's error handler.
                let status = unsafe { call(u, k2, &raw mut sn, &raw mut cn, &raw mut dn) };
                (status == 0).then_some([sn, cn, dn])
            })
        }
    }
}

/// The integrals of Boost, compiled when measured: they are headers of C++.
pub(crate) mod boost {
    #![allow(unsafe_code)]

    use std::path::Path;
    use std::process::Command;

    use libloading::{Library, Symbol};

    type Function = unsafe extern "C" fn(f64, f64, f64, f64) -> f64;

    pub(crate) struct Boost(Library);

    impl Boost {
        /// The library, or why there is none.
        pub(crate) fn build() -> Result<Self, String> {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/peers/boost.cpp");
            let made =
                std::env::temp_dir().join(format!("polhode-bench-boost-{}.so", std::process::id()));
            let done = Command::new("g++")
                .args(["-O2", "-shared", "-fPIC", "-o"])
                .arg(&made)
                .arg(source)
                .output()
                .map_err(|error| format!("g++: {error}"))?;
            if !done.status.success() {
                return Err(
                    "not compiled; to install: apt-get install g++ libboost-math-dev".into()
                );
            }
            // SAFETY: nothing runs when it is loaded.
            let library = unsafe { Library::new(&made) }.map_err(|error| error.to_string());
            // It stays loaded without its file, which nobody else needs.
            let _ = std::fs::remove_file(&made);
            library.map(Self)
        }

        /// One of its integrals.
        pub(crate) fn integral(&self, name: &str) -> Option<impl Fn(&[f64; 4]) -> f64 + '_> {
            let symbol = format!("boost_{}\0", name.replace('-', "_"));
            // SAFETY: all functions of the file have this type.
            let f: Symbol<'_, Function> = unsafe { self.0.get(symbol.as_bytes()) }.ok()?;
            // SAFETY: as above.
            Some(move |x: &[f64; 4]| unsafe { f(x[0], x[1], x[2], x[3]) })
        }
    }
}
