//! The page in a browser: it draws what the data say, listens to keys, mouse and fingers, and complains about nothing.
//!
//! Needs `chromium`; `cargo xtask test` runs it where that is installed.
#![allow(clippy::unwrap_used)]

mod browser;

use std::path::PathBuf;

use browser::Browser;
use polhode::glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia, State, so3};
use polhode_view::{Film, FilmMoment, Look, Page, PageRun, Solid};

/// The flip of a T-handle.
fn handle() -> FreeMotion {
    let inertia = Inertia::principal([3.0, 8.0, 11.0]).unwrap();
    let start = so3::from_wxyz([0.8, 0.2, -0.4, 0.4]);
    FreeMotion::from_omega(&inertia, [0.05, 12.0, 0.0], start).unwrap()
}

fn handle_page() -> Page {
    let motion = handle();
    let film = Film::free(&motion, 10.0, Film::MOST).unwrap();
    let spin: Vec<f64> = film.moments().iter().map(|m| m.state.omega(film.inertia()).y).collect();
    let size = film.moments().iter().map(|m| m.state.omega(film.inertia()).x.abs()).collect();
    let body = Solid::new(Look::THandle, film.inertia());
    let run = PageRun::new("T-handle", film).body(body);
    let run = run.watch("w2", "Angular velocity about axis 2", spin).watch_log(
        "|w1|",
        "About axis 1",
        size,
    );
    Page::new("A T-handle").about("closed form").run(run)
}

struct PageFile {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn written(html: &str) -> PageFile {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.html");
    std::fs::write(&path, html).unwrap();
    PageFile { path, _folder: folder }
}

/// Draws the page at a time and gives the attitude that the graphics card was told.
fn drawn(browser: &mut Browser, run: usize, t: f64) -> DQuat {
    browser.value(&format!("polhode.options.readBack = true, polhode.seek({t:?}), polhode.show()"));
    let matrix = browser.value(&format!("polhode.stages[{run}].drawn"));
    let column = |k: usize| DVec3::from([0, 1, 2].map(|i| matrix[3 * k + i].as_f64().unwrap()));
    let (x, y, z) = (column(0), column(1), column(2));
    DQuat::from_mat3(&polhode::glam::DMat3::from_cols(x, y, z))
}

/// How many pixels of a canvas are not those of the background, of all.
const PAINTED: &str = "(() => {
  const { gl, canvas } = polhode.stages[RUN];
  polhode.show();
  const pixels = new Uint8Array(canvas.width * canvas.height * 4);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let painted = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (Math.abs(pixels[i] - pixels[0]) + Math.abs(pixels[i + 1] - pixels[1]) + Math.abs(pixels[i + 2] - pixels[2]) > 12) painted++;
  }
  return painted / (canvas.width * canvas.height);
})()";

fn painted(browser: &mut Browser, run: usize) -> f64 {
    browser.number(&PAINTED.replace("RUN", &run.to_string()))
}

#[test]
#[ignore = "needs chromium"]
fn the_page_draws_the_motion_and_listens() {
    let page = written(&handle_page().to_html().unwrap());
    let mut browser = Browser::start(true, 700, 700);
    browser.open(&page.path);
    assert_eq!(browser.value("polhode.state.playing"), false);

    // The attitude on the screen is that of the motion, between the moments of the data too: within the error of
    // thinning and of single precision.
    let motion = handle();
    for n in 0..25 {
        let t = 10.0 * f64::from(n) / 24.0;
        let off = so3::angle_between(drawn(&mut browser, 0, t), motion.at(t).unwrap().q);
        assert!(off < 2e-3, "t = {t}: {off} rad off");
    }
    let kept = browser.number("polhode.motions[0].count");
    assert!((100.0..2000.0).contains(&kept), "{kept} moments");

    // Something is seen, another attitude is another picture, and so is another side.
    let share = painted(&mut browser, 0);
    assert!((0.02..0.7).contains(&share), "{share} of the picture is painted");
    let looks = "polhode.show(), polhode.stages[0].canvas.toDataURL()";
    browser.value("polhode.seek(0)");
    let before = browser.value(looks);
    assert_eq!(before, browser.value(looks));
    browser.value("polhode.seek(0.3)");
    assert_ne!(before, browser.value(looks));
    browser.picture("handle.png");

    keys(&mut browser);
    pointers(&mut browser);

    // Every box makes a difference.
    let boxes = browser.number("document.querySelectorAll('#shown input[type=checkbox]').length");
    assert!(boxes >= 12.0, "{boxes}");
    browser.value("polhode.seek(3)");
    let click = "(n => { const box = document.querySelectorAll('#shown input[type=checkbox]')[n]; box.click(); polhode.show();
        const look = polhode.stages[0].canvas.toDataURL() + polhode.stages[0].labels.innerHTML; box.click(); polhode.show();
        return look !== polhode.stages[0].canvas.toDataURL() + polhode.stages[0].labels.innerHTML; })";
    for n in 0..12 {
        assert_eq!(browser.value(&format!("{click}({n})")), true, "box {n} changes nothing");
    }
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");

    memory(&mut browser);

    // A complaint is noticed.
    browser.value("console.error('seen')");
    assert_eq!(browser.complaints().len(), 1);
}

fn keys(browser: &mut Browser) {
    browser.value("document.body.focus(), polhode.seek(5)");
    browser.press(".");
    assert!((browser.number("polhode.state.t") - 5.02).abs() < 1e-9);
    browser.press(",");
    assert!((browser.number("polhode.state.t") - 5.0).abs() < 1e-9);
    browser.press("End");
    assert_eq!(browser.number("polhode.state.t"), 10.0);
    browser.press("Home");
    assert_eq!(browser.number("polhode.state.t"), 0.0);
    browser.press(" ");
    assert_eq!(browser.value("polhode.state.playing"), true);
    let waited = "new Promise(done => setTimeout(() => done(polhode.state.t), 700))";
    assert!(browser.number(waited) > 0.0, "it plays");
    browser.press(" ");
    assert_eq!(browser.value("polhode.state.playing"), false);
    let speed = browser.number("polhode.state.speed");
    browser.press("]");
    assert_eq!(browser.number("polhode.state.speed"), speed + 1.0);
    browser.press("[");
    browser.press("d");
    let dark = browser.value("document.documentElement.dataset.theme");
    browser.picture("handle-other-theme.png");
    browser.press("d");
    assert_ne!(browser.value("document.documentElement.dataset.theme"), dark);

    // A canvas in focus turns the view; the keys of time go on working.
    browser.value("polhode.stages[0].canvas.focus()");
    let longitude = browser.number("polhode.options.longitude");
    browser.press("ArrowLeft");
    assert!(browser.number("polhode.options.longitude") > longitude);
    browser.press("+");
    assert!(browser.number("polhode.options.zoom") > 1.0);
    browser.press("r");
    assert_eq!(browser.number("polhode.options.longitude"), longitude);
    assert_eq!(browser.number("polhode.options.zoom"), 1.0);

    // Everything can be reached by the keyboard, and says what it is.
    let silent = "[...document.querySelectorAll('button, select, input, canvas, summary')].filter(e => e.tabIndex < 0
        && !e.matches('.chart canvas') || !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label'))).length";
    assert_eq!(browser.number(silent), 0.0);
}

fn pointers(browser: &mut Browser) {
    // The slider, as a user moves it.
    browser.value("(() => { const s = document.getElementById('time'); s.value = 2.5; s.dispatchEvent(new Event('input')); })()");
    assert!((browser.number("polhode.state.t") - 2.5).abs() < 1e-3);
    // A click in the middle of a plot is half of the time.
    let middle = browser.value(
        "(() => { const c = polhode.charts[0], box = c.canvas.getBoundingClientRect();
        c.figure.scrollIntoView({ block: 'center' }); const at = c.canvas.getBoundingClientRect();
        return [at.left + (c.left + at.width - c.right) / 2, at.top + at.height / 2]; })()",
    );
    let [x, y] = [0, 1].map(|i| middle[i].as_f64().unwrap());
    browser.mouse("mousePressed", x, y);
    browser.mouse("mouseReleased", x, y);
    assert!((browser.number("polhode.state.t") - 5.0).abs() < 0.05);
    // Dragging turns the view, and so does a finger; two fingers come closer.
    let at = browser.value("(() => { const c = polhode.stages[0].canvas; c.scrollIntoView({ block: 'center' });
        const box = c.getBoundingClientRect(); return [box.left + box.width / 3, box.top + box.height / 2]; })()");
    let [x, y] = [0, 1].map(|i| at[i].as_f64().unwrap());
    let longitude = browser.number("polhode.options.longitude");
    browser.mouse("mousePressed", x, y);
    browser.mouse("mouseMoved", x + 50.0, y + 20.0);
    browser.mouse("mouseReleased", x + 50.0, y + 20.0);
    let dragged = browser.number("polhode.options.longitude");
    assert!(dragged < longitude);
    browser.touch("touchStart", &[[x, y]]);
    browser.touch("touchMove", &[[x + 40.0, y]]);
    browser.touch("touchEnd", &[]);
    assert!(browser.number("polhode.options.longitude") < dragged);
    browser.touch("touchStart", &[[x - 40.0, y], [x + 40.0, y]]);
    browser.touch("touchMove", &[[x - 80.0, y], [x + 80.0, y]]);
    browser.touch("touchEnd", &[]);
    assert!((browser.number("polhode.options.zoom") - 2.0).abs() < 0.1);
    browser.press("r");
}

/// A thousand frames leave nothing behind: neither in the heap nor on the graphics card.
fn memory(browser: &mut Browser) {
    // A small picture, and in parts: without a graphics card a frame takes its time.
    let frames = |browser: &mut Browser, count: u32| {
        for part in 0..count / 50 {
            let begin = 50 * part;
            browser.value(&format!(
                "for (let i = {begin}; i < {begin} + 50; i++) {{ polhode.seek(polhode.end * (i % 97) / 97); polhode.show(); }}"
            ));
        }
    };
    browser.value("polhode.options.readBack = false, document.querySelector('.view').style.cssText = 'width: 200px; height: 150px; min-height: 0'");
    let heap = |browser: &mut Browser| {
        browser.number("(() => { gc(); gc(); return performance.memory.usedJSHeapSize; })()")
    };
    // What is compiled and cached is there after the first.
    frames(browser, 100);
    let (before, buffers) = (heap(browser), browser.number("polhode.stages[0].painter.made"));
    frames(browser, 100);
    // The body alone takes less time.
    browser.value("polhode.options.ellipsoid = false");
    frames(browser, 900);
    browser.value("polhode.options.ellipsoid = true");
    frames(browser, 50);
    let after = heap(browser);
    assert_eq!(browser.number("polhode.stages[0].painter.made"), buffers);
    // A frame that kept a single array of a matrix would keep 100 kB in all; the heap itself is told in steps.
    assert!(after - before < 60_000.0, "{before} bytes before, {after} after");
}

#[test]
#[ignore = "needs chromium"]
fn a_phone_and_a_keyboard_reach_everything() {
    let page = written(&handle_page().story(["A story.".to_owned()]).to_html().unwrap());
    let mut browser = Browser::start(true, 700, 700);
    browser.phone();
    browser.open(&page.path);
    browser.value(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
    );
    // Nothing is too wide, and what stays in sight leaves the picture free.
    let aside = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.number(aside), 0.0);
    let height =
        |id: &str| format!("document.getElementById('{id}').getBoundingClientRect().height");
    let bar = browser.number(&height("controls"));
    assert!((20.0..140.0).contains(&bar), "{bar} of 700 pixels");
    // Body and ellipsoid one above the other, each as large as one alone.
    let view = browser.number("document.querySelector('.view').getBoundingClientRect().height");
    assert!(view > 500.0, "{view} pixels");
    browser.picture("phone.png");

    // No name covers another, at any time.
    let covered = "(() => { let least = Infinity, both = 0;
        for (let n = 0; n <= 60; n++) {
            polhode.seek(n / 6); polhode.show();
            const at = [...document.querySelectorAll('.label')].filter(l => !l.hidden).map(l => l.getBoundingClientRect());
            least = Math.min(least, at.length);
            at.forEach((a, i) => at.slice(0, i).forEach(b => {
                const [across, down] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
                if (across > 2 && down > 2) both++; }));
        }
        return [least, both]; })()";
    let covered = browser.value(covered);
    assert!(covered[0].as_f64().unwrap() >= 8.0, "{covered}");
    assert_eq!(covered[1].as_f64(), Some(0.0), "{covered}");

    // The tab key comes to everything that can be used, in the order of the page, and it is seen where it is.
    let all = browser.value("(() => { document.activeElement.blur(); scrollTo(0, 0);
        return [...document.querySelectorAll('button, select, input, summary, .view canvas')].map((e, i) => (e.dataset.n = String(i))); })()");
    let all = all.as_array().unwrap().clone();
    assert!(all.len() >= 20, "{all:?}");
    for n in &all {
        browser.tab();
        assert_eq!(
            browser.value("document.activeElement.dataset.n ?? document.activeElement.outerHTML"),
            *n
        );
        let outline = browser.value("getComputedStyle(document.activeElement).outlineStyle");
        assert_eq!(outline, "solid", "element {n}");
    }
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
#[ignore = "needs chromium"]
fn only_waves_that_are_seen_fill_pages() {
    // A body that spins about its first axis: the other components of the momentum are a hundredth of this one.
    let inertia = Inertia::principal([298.0, 585.0, 865.0]).unwrap();
    let motion = FreeMotion::from_omega(&inertia, [12.5, 0.05, 0.05], DQuat::IDENTITY).unwrap();
    let film = Film::free(&motion, 100.0, Film::MOST).unwrap();
    let small: Vec<f64> = film.moments().iter().map(|m| m.state.m.y).collect();
    let run = PageRun::new("spinning", film).watch("m2", "The second component alone", small);
    let page = written(&Page::new("Spinning").run(run).to_html().unwrap());
    let mut browser = Browser::start(true, 700, 700);
    browser.open(&page.path);
    let pages =
        |browser: &mut Browser, n: u32| browser.number(&format!("polhode.charts[{n}].pages"));
    let (alone, beside) = (pages(&mut browser, 0), pages(&mut browser, 1));
    assert!(alone > 1.0, "{alone}");
    assert_eq!(beside, 1.0);
    // The page of a plot is that of the time.
    let page_at = |browser: &mut Browser, t: f64| {
        browser.number(&format!("polhode.seek({t:?}), polhode.show(), polhode.charts[0].page"))
    };
    assert_eq!((page_at(&mut browser, 0.0), page_at(&mut browser, 100.0)), (0.0, alone - 1.0));
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
#[ignore = "needs chromium"]
fn without_webgl_there_is_a_still_picture() {
    let page = written(&handle_page().to_html().unwrap());
    let mut browser = Browser::start(false, 1000, 700);
    browser.open(&page.path);
    assert_eq!(browser.value("typeof window.polhode"), "undefined");
    assert!(
        browser.number("document.querySelector('#still svg').getBoundingClientRect().height")
            > 100.0
    );
    let text = browser.value("document.getElementById('still').innerText");
    assert!(text.as_str().unwrap().contains("cannot draw in three dimensions"), "{text}");
    browser.picture("still.png");
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
#[ignore = "needs chromium"]
fn a_hundred_thousand_moments_and_runs_side_by_side() {
    // So irregular that none of the moments can be left out.
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let moments = (0..100_000u32).map(|n| {
        let wobble = 0.2 * f64::from(n * 7919 % 1000) / 1000.0;
        let q = so3::exp(DVec3::Z * (0.3 * f64::from(n))) * so3::exp(DVec3::X * wobble);
        FilmMoment::new(f64::from(n), State { m: DVec3::new(wobble, 0.1, 1.0), q })
    });
    let moments: Vec<FilmMoment> = moments.collect();
    let film = Film::new(&inertia, moments.clone()).unwrap();
    let short = Film::free(&handle(), 10.0, Film::MOST).unwrap();
    let names = ["many", "few", "fewer <b>"];
    let page = Page::new("Three").run(PageRun::new(names[0], film).torqued(true));
    let page = page.run(PageRun::new(names[1], short.clone())).run(PageRun::new(names[2], short));
    let page = written(&page.to_html().unwrap());
    let mut browser = Browser::start(true, 900, 500);
    browser.open(&page.path);
    assert_eq!(browser.value("polhode.state.playing"), false);
    assert_eq!(browser.number("polhode.motions[0].count"), 100_000.0);
    for n in [0_u32, 1, 77_777, 99_999] {
        let off =
            so3::angle_between(drawn(&mut browser, 0, f64::from(n)), moments[n as usize].state.q);
        assert!(off < 1e-5, "moment {n}: {off} rad off");
    }
    for (run, name) in names.iter().enumerate() {
        assert!(painted(&mut browser, run) > 0.01, "{name}");
    }
    let titles = browser
        .value("[...document.querySelectorAll('.stage h2')].map(h => h.textContent).join('|')");
    assert_eq!(titles, "many|few|fewer <b>");
    browser.picture("three.png");
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
