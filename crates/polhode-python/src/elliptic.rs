//! Elliptic functions and integrals as NumPy's universal functions.
//!
//! Each is made once, with a loop for single and one for double precision, both of which compute in
//! double. What is outside a domain comes out as NaN; [`explain`] tells why. A function of a parameter
//! comes in two forms, of m and of mc = 1 - m (`complete_k_m`, `complete_k_mc`), one with a characteristic
//! in four.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_void};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::OnceLock;

use numpy::npyffi::{NPY_TYPES, PY_UFUNC_API, PyUFuncGenericFunction, npy_intp};
use polhode_elliptic as elliptic;
use polhode_elliptic::ParameterForm::{Complementary, Direct};
use polhode_elliptic::{DomainError, Parameter, SnCnDn};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::errors::invalid;

/// The result for these arguments, or what is wrong with them.
type ArgumentCheck = Box<dyn Fn(&[f64]) -> Result<(), DomainError> + Send + Sync>;

static CHECKS: OnceLock<BTreeMap<&'static str, ArgumentCheck>> = OnceLock::new();

/// A number of NumPy's that is computed with as a double.
trait NumpyNumber: Copy {
    const TYPE: c_char;
    fn read(self) -> f64;
    fn of(x: f64) -> Self;
}

impl NumpyNumber for f64 {
    const TYPE: c_char = NPY_TYPES::NPY_DOUBLE as c_char;
    fn read(self) -> f64 {
        self
    }
    fn of(x: f64) -> Self {
        x
    }
}

impl NumpyNumber for f32 {
    const TYPE: c_char = NPY_TYPES::NPY_FLOAT as c_char;
    fn read(self) -> f64 {
        f64::from(self)
    }
    #[allow(clippy::cast_possible_truncation, reason = "asked for in single precision")]
    fn of(x: f64) -> Self {
        x as f32
    }
}

/// What NumPy calls.
type Loop = unsafe extern "C" fn(*mut *mut c_char, *mut npy_intp, *mut npy_intp, *mut c_void);

/// NumPy's inner loop: `args` points to the first element of each operand, `steps` are in bytes.
unsafe extern "C" fn run<F, T, const N: usize, const M: usize>(
    args: *mut *mut c_char,
    dimensions: *mut npy_intp,
    steps: *mut npy_intp,
    data: *mut c_void,
) where
    F: Fn([f64; N]) -> Result<[f64; M], DomainError>,
    T: NumpyNumber,
{
    // SAFETY: `data` is the function that this loop was registered with, and NumPy hands over as many
    // aligned operands of type T as were registered, each of which has `dimensions[0]` elements.
    unsafe {
        let function = &*data.cast_const().cast::<F>();
        for row in 0..*dimensions {
            let operand = |i: usize| (*args.add(i)).offset(row * *steps.add(i)).cast::<T>();
            let given = core::array::from_fn(|i| operand(i).read().read());
            let values = function(given).unwrap_or([f64::NAN; M]);
            for (i, value) in values.into_iter().enumerate() {
                operand(N + i).write(T::of(value));
            }
        }
        clear_flags();
    }
}

/// How many elements are computed at a time, on the stack.
const BLOCK: usize = 256;

/// Below this many elements, lanes would be emptier than they are fast.
const FEW: npy_intp = 4;

/// A function of one number, and of many in place with the same bits.
struct ElementwiseFunction<F> {
    one: F,
    each: fn(&mut [f64]),
}

/// NumPy's inner loop for a function of one number that has a form for many.
unsafe extern "C" fn run_blocks<F, T>(
    args: *mut *mut c_char,
    dimensions: *mut npy_intp,
    steps: *mut npy_intp,
    data: *mut c_void,
) where
    F: Fn([f64; 1]) -> Result<[f64; 1], DomainError>,
    T: NumpyNumber,
{
    // SAFETY: as for `run`. Results go to memory of NumPy's after all of a block was read: it may be the same.
    unsafe {
        let ElementwiseFunction { one, each } =
            &*data.cast_const().cast::<ElementwiseFunction<F>>();
        let [(from, step), (to, result_step)] = [0, 1].map(|i| (*args.add(i), *steps.add(i)));
        let element = |at: npy_intp| from.offset(at * step).cast::<T>().read().read();
        let put = |at: npy_intp, x| to.offset(at * result_step).cast::<T>().write(T::of(x));
        if *dimensions < FEW {
            for row in 0..*dimensions {
                put(row, one([element(row)]).map_or(f64::NAN, |[x]| x));
            }
            clear_flags();
            return;
        }
        let mut block = [0.0; BLOCK];
        let mut row = 0;
        while row < *dimensions {
            let count = BLOCK.min(usize::try_from(*dimensions - row).unwrap_or(BLOCK));
            let values = &mut block[..count];
            for (at, value) in (row..).zip(&mut *values) {
                *value = element(at);
            }
            each(values);
            for (at, value) in (row..).zip(&*values) {
                put(at, *value);
            }
            row += BLOCK.cast_signed();
        }
        clear_flags();
    }
}

/// Flags that were raised on the way are no news to the caller: NumPy would warn of them.
///
/// # Safety
/// To be called from a loop of NumPy's. Nothing of Python is touched, and the table of functions was loaded with
/// the module.
unsafe fn clear_flags() {
    // SAFETY: see above.
    unsafe { PY_UFUNC_API.PyUFunc_clearfperr(Python::assume_attached()) };
}

/// What NumPy is told of a function whose reduction begins with nothing.
const NO_IDENTITY: c_int = -1;

/// Adds functions to a module.
struct Maker<'py> {
    module: Bound<'py, PyModule>,
    checks: BTreeMap<&'static str, ArgumentCheck>,
}

impl Maker<'_> {
    fn add<F, const N: usize, const M: usize>(&mut self, name: &'static str, f: F) -> PyResult<()>
    where
        F: Fn([f64; N]) -> Result<[f64; M], DomainError> + Copy + Send + Sync + 'static,
    {
        self.register::<F, F, N, M>(name, f, f, [run::<F, f64, N, M>, run::<F, f32, N, M>])
    }

    /// A function of one number that has a form for many.
    fn add_blocks<F>(&mut self, name: &'static str, each: fn(&mut [f64]), one: F) -> PyResult<()>
    where
        F: Fn([f64; 1]) -> Result<[f64; 1], DomainError> + Copy + Send + Sync + 'static,
    {
        let loops = [run_blocks::<F, f64>, run_blocks::<F, f32>];
        self.register::<F, ElementwiseFunction<F>, 1, 1>(
            name,
            one,
            ElementwiseFunction { one, each },
            loops,
        )
    }

    /// The function, what its loops are handed, and the loops for double and for single precision. NumPy takes
    /// the first that an argument of neither can be converted to: integers and half precision become doubles.
    fn register<F, D, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        f: F,
        data: D,
        loops: [Loop; 2],
    ) -> PyResult<()>
    where
        F: Fn([f64; N]) -> Result<[f64; M], DomainError> + Send + Sync + 'static,
        D: 'static,
    {
        let py = self.module.py();
        // NumPy keeps pointers to all of these, for as long as the function lives: for ever.
        let loops: &mut [PyUFuncGenericFunction] = Box::leak(Box::new(loops.map(|f| Some(f as _))));
        let data = core::ptr::from_mut(Box::leak(Box::new(data))).cast::<c_void>();
        let data = Box::leak(Box::new([data; 2]));
        let types = [f64::TYPE, f32::TYPE].map(|t| vec![t; N + M]).concat();
        let types = Box::leak(types.into_boxed_slice());
        let text = Box::leak(CString::new(name)?.into_boxed_c_str());
        let doc = Box::leak(CString::new("See polhode.elliptic.")?.into_boxed_c_str());
        // SAFETY: the arrays are as long as the counts say, and are never freed.
        let made = unsafe {
            let object = PY_UFUNC_API.PyUFunc_FromFuncAndData(
                py,
                loops.as_mut_ptr(),
                data.as_mut_ptr(),
                types.as_mut_ptr(),
                2,
                c_int::try_from(N)?,
                c_int::try_from(M)?,
                NO_IDENTITY,
                text.as_ptr(),
                doc.as_ptr(),
                0,
            );
            Bound::from_owned_ptr_or_err(py, object)?
        };
        self.module.add(name, made)?;
        let check: ArgumentCheck = Box::new(move |given| match <[f64; N]>::try_from(given) {
            Ok(given) => f(given).map(|_| ()),
            Err(_) => Ok(()),
        });
        self.checks.insert(name, check);
        Ok(())
    }
}

/// Forms with m and with mc of a function of (arguments, parameter).
macro_rules! of_parameter {
    ($maker:ident, $m:literal, $mc:literal, [$($x:ident),*; $p:ident] $value:expr) => {
        $maker.add($m, |[$($x,)* m]| {
            let $p = Parameter::new(m);
            Ok([$value?])
        })?;
        $maker.add($mc, |[$($x,)* mc]| {
            let $p = Parameter::complementary(mc);
            Ok([$value?])
        })?;
    };
}

/// Forms with m and with mc of a complete integral, each also for many parameters at a time.
macro_rules! of_each {
    ($maker:ident, $m:literal, $mc:literal, $one:path, $each:path) => {
        $maker.add_blocks($m, |x| $each(Direct, x), |[m]| Ok([$one(Parameter::new(m))?]))?;
        $maker.add_blocks($mc, |x| $each(Complementary, x), |[mc]| Ok([$one(mc)?]))?;
    };
}

/// One of the quotients of sn, cn and dn.
macro_rules! of_jacobi {
    ($maker:ident, $m:literal, $mc:literal, $value:expr) => {
        $maker.add($m, |[u, m]| Ok([$value(&elliptic::sn_cn_dn(u, Parameter::new(m))?)]))?;
        $maker.add($mc, |[u, mc]| Ok([$value(&elliptic::sn_cn_dn(u, mc)?)]))?;
    };
}

fn all_of_jacobi(u: f64, p: Parameter) -> Result<[f64; 4], DomainError> {
    let j = elliptic::jacobi(u, p)?;
    Ok([j.sn, j.cn, j.dn, j.am])
}

/// Makes all of them, as attributes of the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let mut maker = Maker { module: module.clone(), checks: BTreeMap::new() };
    maker.add("ellipj_m", |[u, m]| all_of_jacobi(u, Parameter::new(m)))?;
    maker.add("ellipj_mc", |[u, mc]| all_of_jacobi(u, Parameter::complementary(mc)))?;
    of_parameter!(maker, "am_m", "am_mc", [u; p] elliptic::amplitude(u, p));
    of_jacobi!(maker, "sn_m", "sn_mc", |j: &SnCnDn| j.sn);
    of_jacobi!(maker, "cn_m", "cn_mc", |j: &SnCnDn| j.cn);
    of_jacobi!(maker, "dn_m", "dn_mc", |j: &SnCnDn| j.dn);
    of_jacobi!(maker, "ns_m", "ns_mc", SnCnDn::ns);
    of_jacobi!(maker, "nc_m", "nc_mc", SnCnDn::nc);
    of_jacobi!(maker, "nd_m", "nd_mc", SnCnDn::nd);
    of_jacobi!(maker, "sc_m", "sc_mc", SnCnDn::sc);
    of_jacobi!(maker, "sd_m", "sd_mc", SnCnDn::sd);
    of_jacobi!(maker, "cd_m", "cd_mc", SnCnDn::cd);
    of_jacobi!(maker, "cs_m", "cs_mc", SnCnDn::cs);
    of_jacobi!(maker, "ds_m", "ds_mc", SnCnDn::ds);
    of_jacobi!(maker, "dc_m", "dc_mc", SnCnDn::dc);
    of_parameter!(maker, "arcsn_m", "arcsn_mc", [x; p] elliptic::inverse_sn(x, p));
    of_parameter!(maker, "arccn_m", "arccn_mc", [x; p] elliptic::inverse_cn(x, p));
    of_parameter!(maker, "arcdn_m", "arcdn_mc", [x; p] elliptic::inverse_dn(x, p));
    of_each!(
        maker,
        "complete_k_m",
        "complete_k_mc",
        elliptic::complete_k,
        elliptic::complete_k_each
    );
    of_each!(
        maker,
        "complete_e_m",
        "complete_e_mc",
        elliptic::complete_e,
        elliptic::complete_e_each
    );
    of_each!(
        maker,
        "complete_d_m",
        "complete_d_mc",
        elliptic::complete_d,
        elliptic::complete_d_each
    );
    of_each!(
        maker,
        "complete_b_m",
        "complete_b_mc",
        elliptic::complete_b,
        elliptic::complete_b_each
    );
    of_parameter!(maker, "complete_pi_n_m", "complete_pi_n_mc", [n; p] {
        elliptic::complete_pi(Parameter::new(n), p)
    });
    of_parameter!(maker, "complete_pi_nc_m", "complete_pi_nc_mc", [nc; p] {
        elliptic::complete_pi(nc, p)
    });
    of_parameter!(maker, "incomplete_f_m", "incomplete_f_mc", [phi; p] {
        elliptic::incomplete_f(phi, p)
    });
    of_parameter!(maker, "incomplete_e_m", "incomplete_e_mc", [phi; p] {
        elliptic::incomplete_e(phi, p)
    });
    of_parameter!(maker, "incomplete_d_m", "incomplete_d_mc", [phi; p] {
        elliptic::incomplete_d(phi, p)
    });
    of_parameter!(maker, "incomplete_b_m", "incomplete_b_mc", [phi; p] {
        elliptic::incomplete_b(phi, p)
    });
    of_parameter!(maker, "incomplete_pi_n_m", "incomplete_pi_n_mc", [phi, n; p] {
        elliptic::incomplete_pi(phi, Parameter::new(n), p)
    });
    of_parameter!(maker, "incomplete_pi_nc_m", "incomplete_pi_nc_mc", [phi, nc; p] {
        elliptic::incomplete_pi(phi, nc, p)
    });
    of_parameter!(maker, "zeta_m", "zeta_mc", [phi; p] elliptic::jacobi_zeta(phi, p));
    of_parameter!(maker, "nome_m", "nome_mc", [; p] elliptic::nome(p));
    maker.add("inverse_nome", |[q]| {
        elliptic::inverse_nome(q).map(|p| [p.value(), p.complement()])
    })?;
    // For containers that know functions of one result alone.
    maker.add("inverse_nome_m", |[q]| elliptic::inverse_nome(q).map(|p| [p.value()]))?;
    maker.add("inverse_nome_mc", |[q]| elliptic::inverse_nome(q).map(|p| [p.complement()]))?;
    maker.add("theta1", |[z, q]| Ok([elliptic::theta1(z, q)?]))?;
    maker.add("theta2", |[z, q]| Ok([elliptic::theta2(z, q)?]))?;
    maker.add("theta3", |[z, q]| Ok([elliptic::theta3(z, q)?]))?;
    maker.add("theta4", |[z, q]| Ok([elliptic::theta4(z, q)?]))?;
    maker.add("cel", |[kc, p, a, b]| Ok([elliptic::cel(kc, p, a, b)?]))?;
    maker.add("rf", |[x, y, z]| Ok([elliptic::rf(x, y, z)?]))?;
    maker.add("rc", |[x, y]| Ok([elliptic::rc(x, y)?]))?;
    maker.add("rd", |[x, y, z]| Ok([elliptic::rd(x, y, z)?]))?;
    maker.add("rg", |[x, y, z]| Ok([elliptic::rg(x, y, z)?]))?;
    maker.add("rj", |[x, y, z, p]| Ok([elliptic::rj(x, y, z, p)?]))?;
    let _ = CHECKS.set(maker.checks);
    Ok(())
}

/// Raises what is wrong with these arguments of the function of that name.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
pub(crate) fn explain(name: &str, arguments: Vec<f64>) -> PyResult<()> {
    let check = CHECKS.get().and_then(|checks| checks.get(name));
    let check = check.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    check(&arguments).map_err(|DomainError { argument, value, allowed, .. }| {
        let message = format!("{argument} = {value:?} is outside its domain ({allowed})");
        invalid(argument, &message)
    })
}
