//! From pointers to values: everything unsafe that the functions of this crate have in common.
//!
//! Each function is safe to call if its pointer is NULL or as the header demands: aligned, and valid
//! for as many elements as its size says.

use core::ffi::{CStr, c_char};

use crate::error::CallFailure;

/// N numbers, copied: so inputs and outputs may overlap.
pub(crate) unsafe fn read<const N: usize>(
    pointer: *const f64,
    name: &str,
) -> Result<[f64; N], CallFailure> {
    if pointer.is_null() {
        return Err(CallFailure::null(name));
    }
    // SAFETY: not NULL, and valid for N numbers by the caller's word.
    Ok(unsafe { pointer.cast::<[f64; N]>().read() })
}

/// As [`read`], with a value for NULL.
pub(crate) unsafe fn read_or<const N: usize>(pointer: *const f64, default: [f64; N]) -> [f64; N] {
    // SAFETY: as for `read`.
    unsafe { read(pointer, "") }.unwrap_or(default)
}

/// `count` elements. None are needed behind the pointer if the count is zero.
pub(crate) unsafe fn slice<'a, T>(
    pointer: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], CallFailure> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(CallFailure::null(name));
    }
    check_count::<T>(count, name)?;
    // SAFETY: not NULL, no larger than memory can be, and valid by the caller's word.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// Fails for a count that no array in memory can have.
pub(crate) fn check_count<T>(count: usize, name: &str) -> Result<(), CallFailure> {
    let most = isize::MAX as usize / size_of::<T>().max(1);
    if count <= most {
        return Ok(());
    }
    Err(CallFailure::invalid(format!("{name}: {count} elements are more than memory can hold")))
}

/// A text in UTF-8.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, CallFailure> {
    if pointer.is_null() {
        return Err(CallFailure::null(name));
    }
    // SAFETY: not NULL, and ended by a zero byte by the caller's word.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| {
        CallFailure::invalid(format!("{name} = \"{}\": not UTF-8", text.to_string_lossy()))
    })
}

/// What a handle or a structure points to.
pub(crate) unsafe fn get<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, CallFailure> {
    // SAFETY: NULL gives none; else valid by the caller's word.
    unsafe { pointer.as_ref() }.ok_or_else(|| CallFailure::null(name))
}

/// Writes a result.
pub(crate) unsafe fn put<T>(pointer: *mut T, value: T, name: &str) -> Result<(), CallFailure> {
    if pointer.is_null() {
        return Err(CallFailure::null(name));
    }
    // SAFETY: not NULL, and valid for one value by the caller's word.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes N numbers as a result.
pub(crate) unsafe fn put_numbers<const N: usize>(
    pointer: *mut f64,
    values: [f64; N],
    name: &str,
) -> Result<(), CallFailure> {
    // SAFETY: as for `put`, with N numbers.
    unsafe { put(pointer.cast(), values, name) }
}

/// Makes a handle: sets it to NULL, then to what `make` makes. So it is NULL after a failure.
pub(crate) unsafe fn new_handle<T>(
    pointer: *mut *mut T,
    name: &str,
    make: impl FnOnce() -> Result<T, CallFailure>,
) -> Result<(), CallFailure> {
    // SAFETY: as for `put`.
    unsafe { put(pointer, core::ptr::null_mut(), name)? };
    let handle = Box::into_raw(Box::new(make()?));
    // SAFETY: as above.
    unsafe { put(pointer, handle, name) }
}

/// Frees a handle; NULL is no handle and needs no freeing.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: a handle comes from `new_handle` and is freed once, by the caller's word.
        drop(unsafe { Box::from_raw(handle) });
    }
}
