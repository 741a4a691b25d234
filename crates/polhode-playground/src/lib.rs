//! The library as a web page: moments, spin, torque and tolerance by sliders, the motion as the library has it.
//!
//! `cargo xtask playground` compiles this crate to WebAssembly and makes one page of it, with the pictures of
//! `polhode-view`. [`Settings`] are what the sliders say, [`Motion`] is what follows, `exports` what the page calls,
//! and [`page`] puts it together.

pub mod exports;
mod kinds;
mod motion;
mod page;
mod settings;

pub use kinds::{KINDS, Kind};
pub use motion::Motion;
pub use page::page;
pub use settings::Settings;
