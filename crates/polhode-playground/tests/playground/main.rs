//! The playground in a browser: what it draws is what the library says, sliders, links and export work, and it goes on
//! without WebAssembly.
//!
//! Needs `chromium`, and the library compiled to WebAssembly: `cargo xtask playground`, or with these tests
//! `cargo xtask dist playground`.
#![allow(clippy::unwrap_used)]

#[path = "../../../polhode-view/tests/page/browser.rs"]
#[allow(dead_code, reason = "fingers and mouse are tested with the viewer")]
mod browser;

use std::path::{Path, PathBuf};

use browser::Browser;
use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::so3;
use polhode_playground::{KINDS, Motion, Settings, page};
use serde_json::json;

struct PageFile {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn written() -> PageFile {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let library = target.join("wasm32-unknown-unknown/web/polhode_playground.wasm");
    let library = std::fs::read(&library).unwrap_or_else(|e| {
        panic!("{}: {e}; `cargo xtask playground` makes it", library.display())
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("playground.html");
    std::fs::write(&path, page(&library).unwrap()).unwrap();
    PageFile { path, _folder: folder }
}

/// Waits until the library is there, or is known not to be.
fn wait(browser: &mut Browser) {
    let ready = "new Promise(done => { const look = () => window.polhode && polhode.ready ? done(true) : setTimeout(look, 20); look(); })";
    assert_eq!(browser.value(ready), true);
}

/// Draws the page at a time and gives the attitude that the graphics card was told.
fn drawn(browser: &mut Browser, t: f64) -> DQuat {
    let script = format!(
        "polhode.setPlaying(false), polhode.options.readBack = true, polhode.seek({t:?}), polhode.show(), polhode.stages[0].drawn"
    );
    let matrix = browser.value(&script);
    let column = |k: usize| DVec3::from([0, 1, 2].map(|i| matrix[3 * k + i].as_f64().unwrap()));
    DQuat::from_mat3(&DMat3::from_cols(column(0), column(1), column(2)))
}

/// The page draws the motion of these settings: to what single precision, in which a graphics card computes, has.
fn agrees(browser: &mut Browser, settings: &Settings) {
    let motion = Motion::new(settings).unwrap();
    for n in 0..=4 {
        let t = settings.until * f64::from(n) / 4.0;
        let off = so3::angle_between(drawn(browser, t), motion.at(t).unwrap().q);
        assert!(off < 2e-6, "{settings:?}, t = {t}: {off} rad off");
    }
    // And the library itself gives the bits that it gives here.
    let t = settings.until / 3.0;
    let state = browser.value(&format!("polhode.library.state({t:?})"));
    let here = motion.at(t).unwrap();
    let numbers = so3::to_wxyz(here.q).into_iter().chain(here.m.to_array());
    for (k, x) in numbers.enumerate() {
        assert_eq!(state[k].as_f64().unwrap(), x, "{settings:?}: number {k} of the state");
    }
}

/// Moves a slider, or types into its box, as a user would.
fn set(browser: &mut Browser, key: &str, part: &str, value: f64) {
    browser.value(&format!(
        "(() => {{ const e = polhode.settings.{key}.{part}; e.value = {value:?}; e.dispatchEvent(new Event('input')); }})()"
    ));
    frame(browser);
}

fn choose(browser: &mut Browser, id: &str, index: usize) {
    browser.value(&format!(
        "(() => {{ const e = document.getElementById('{id}'); e.selectedIndex = {index}; e.dispatchEvent(new Event('change')); }})()"
    ));
    frame(browser);
}

/// What was changed is shown in the next frame.
fn frame(browser: &mut Browser) {
    browser.value(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
    );
}

fn told(browser: &mut Browser) -> String {
    browser.value("document.getElementById('told').textContent").as_str().unwrap().to_owned()
}

fn painted(browser: &mut Browser) -> f64 {
    browser.number(
        "(() => { const { gl, canvas } = polhode.stages[0]; polhode.show();
        const pixels = new Uint8Array(canvas.width * canvas.height * 4);
        gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        let painted = 0;
        for (let i = 0; i < pixels.length; i += 4) if (Math.abs(pixels[i] - pixels[0]) + Math.abs(pixels[i + 1] - pixels[1]) > 12) painted++;
        return painted / (canvas.width * canvas.height); })()",
    )
}

#[test]
#[ignore = "needs chromium and the library for the web"]
fn the_playground_draws_what_the_sliders_say() {
    let page = written();
    let mut browser = Browser::start(true, 480, 560);
    browser.open(&page.path);
    wait(&mut browser);
    let mut settings = Settings::default();
    agrees(&mut browser, &settings);
    let share = painted(&mut browser);
    assert!((0.02..0.7).contains(&share), "{share} of the picture is painted");
    browser.picture("playground.png");

    // Sliders, and the boxes beside them.
    set(&mut browser, "i2", "range", 9.5);
    settings.moments[1] = 9.5;
    set(&mut browser, "w1", "box", 0.625);
    settings.omega[0] = 0.625;
    set(&mut browser, "tilt", "range", 40.0);
    settings.tilt = 40.0;
    set(&mut browser, "until", "range", 12.0);
    settings.until = 12.0;
    agrees(&mut browser, &settings);
    assert_eq!(browser.number("polhode.end"), 12.0);

    // Every torque, and a tolerance.
    for (kind, entry) in KINDS.iter().enumerate().skip(1) {
        choose(&mut browser, "torque", kind);
        set(&mut browser, "digits", "range", -7.0);
        let acting = Settings { kind, strength: entry.usual, tolerance: 1e-7, ..settings.clone() };
        agrees(&mut browser, &acting);
        let scenario = browser.value("document.getElementById('scenario').textContent");
        assert_eq!(scenario, acting.scenario().as_str());
        browser.picture(&format!("playground-{}.png", entry.name));
    }
    // A smaller tolerance is a better solution, and the plot says so.
    choose(&mut browser, "torque", 1);
    let mut worst = |digits: f64| {
        set(&mut browser, "digits", "range", digits);
        browser.number("Math.max(...polhode.charts[0].spec.curves[0].values)")
    };
    let (rough, fine) = (worst(-3.0), worst(-9.0));
    assert!(fine < 1e-9 && fine < 1e-3 * rough, "{rough} and {fine}");

    // What cannot be is said, and the motion before stays.
    let before = browser.number("polhode.end");
    set(&mut browser, "i3", "range", 20.0);
    let said = told(&mut browser);
    assert!(said.contains("Not possible") && said.contains("20"), "{said}");
    assert_eq!(browser.number("polhode.end"), before);
    assert!(painted(&mut browser) > 0.02);
    set(&mut browser, "i3", "range", 9.0);
    assert!(told(&mut browser).contains("ms"));

    // Every preset can be computed.
    let presets = browser.number("document.getElementById('preset').options.length");
    assert!(presets >= 6.0);
    for index in 1..9 {
        choose(&mut browser, "preset", index);
        let said = told(&mut browser);
        assert!(said.contains("ms"), "preset {index}: {said}");
    }
    // Buffers of motions before are given back.
    let made = browser.number("polhode.stages[0].painter.made");
    choose(&mut browser, "preset", 1);
    choose(&mut browser, "preset", 8);
    assert_eq!(browser.number("polhode.stages[0].painter.made"), made);

    // Everything can be reached by the keyboard, and says what it is.
    let silent = "[...document.querySelectorAll('button, select, input, summary')].filter(e => e.tabIndex < 0
        || !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label'))).length";
    assert_eq!(browser.number(silent), 0.0);
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
#[ignore = "needs chromium and the library for the web"]
fn a_link_carries_the_settings() {
    let page = written();
    let mut browser = Browser::start(true, 480, 560);
    browser.open(&page.path);
    wait(&mut browser);
    choose(&mut browser, "torque", 1);
    set(&mut browser, "i1", "box", 8.25);
    set(&mut browser, "w3", "range", -2.5);
    set(&mut browser, "digits", "range", -6.0);
    set(&mut browser, "until", "box", 9.5);
    let link = browser.value("location.hash.slice(1)").as_str().unwrap().to_owned();
    let scenario = browser.value("document.getElementById('scenario').textContent");

    browser.open_at(Path::new("/dev/null"), "");
    browser.open_at(&page.path, &link);
    wait(&mut browser);
    assert_eq!(browser.value("document.getElementById('scenario').textContent"), scenario);
    let settings = Settings {
        moments: [8.25, 8.0, 11.0],
        omega: [0.05, 6.0, -2.5],
        kind: 1,
        strength: 20.0,
        tolerance: 1e-6,
        until: 9.5,
        ..Settings::default()
    };
    assert_eq!(scenario, settings.scenario().as_str());
    agrees(&mut browser, &settings);

    // The address of an open page may be changed, too; what makes no sense is said.
    let change = |browser: &mut Browser, fragment: &str| {
        browser.value(&format!("new Promise(done => {{ addEventListener('hashchange', () => done(0), {{ once: true }}); location.hash = '{fragment}'; }})"));
        frame(browser);
        told(browser)
    };
    assert!(change(&mut browser, "i=1,2,2.5&until=4").contains("ms"));
    let other = Settings { moments: [1.0, 2.0, 2.5], until: 4.0, ..Settings::default() };
    agrees(&mut browser, &other);
    let said = change(&mut browser, "i=1,2,two");
    assert!(said.contains("Moment I3"), "{said}");
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
#[ignore = "needs chromium and the library for the web"]
fn without_webassembly_a_recorded_motion_is_shown() {
    let page = written();
    let mut browser = Browser::start(true, 480, 560);
    let script = json!({ "source": "delete window.WebAssembly" });
    browser.call("Page.addScriptToEvaluateOnNewDocument", &script);
    browser.open(&page.path);
    wait(&mut browser);
    let said = told(&mut browser);
    assert!(said.contains("no WebAssembly") && said.contains("recorded"), "{said}");
    assert_eq!(browser.value("document.getElementById('settings').disabled"), true);
    // Between moments of the film, whose error is that of its thinning.
    let motion = Motion::new(&Settings::default()).unwrap();
    for t in [0.0, 3.3, 11.0, 20.0] {
        let off = so3::angle_between(drawn(&mut browser, t), motion.at(t).unwrap().q);
        assert!(off < 2e-3, "t = {t}: {off} rad off");
    }
    assert!(painted(&mut browser) > 0.02);
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
#[ignore = "needs chromium and the library for the web"]
fn without_webgl_there_is_a_still_picture() {
    let page = written();
    let mut browser = Browser::start(false, 900, 900);
    browser.open(&page.path);
    frame(&mut browser);
    let said = told(&mut browser);
    assert!(said.contains("three dimensions"), "{said}");
    assert!(
        browser.number("document.querySelector('#still svg').getBoundingClientRect().height")
            > 100.0
    );
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
