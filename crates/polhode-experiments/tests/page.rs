//! The page in a browser: every image is seen, nothing is complained about, it fits a phone.
//!
//! Needs `chromium`; `cargo xtask test` runs it where that is installed.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use polhode_experiments::{
    Claim, Context, Experiment, Silent, Size, experiments, reproduce, select,
};

/// Counts what a reader sees, and leaves the numbers in the page.
///
/// Letters of a figure: their size in the drawing, by how much the drawing is shrunk.
const PROBE: &str = "<script>
const complaints = [];
const letters = image => {
  const svg = atob(image.src.split(',')[1]);
  const drawn = Number(/viewBox=\"0 0 ([0-9.]+)/.exec(svg)[1]);
  const sizes = [...svg.matchAll(/font-size=\"([0-9.]+)/g)].map(m => Number(m[1]));
  return Math.min(...sizes) * image.getBoundingClientRect().width / drawn;
};
window.addEventListener('error', e => complaints.push(e.message || e.target.tagName), true);
window.addEventListener('load', () => {
  const images = [...document.images];
  const rows = [...document.querySelectorAll('table.claims tbody tr')];
  const cells = rows.filter(r => r.cells.length === 4 && [...r.cells].every(c => c.innerText.trim()));
  const badges = [...document.querySelectorAll('.holds, .differs, .untested')];
  const figures = images.filter(i => i.naturalWidth > 0);
  const found = JSON.stringify({
    images: images.length,
    seen: images.filter(i => i.complete && i.naturalWidth > 100 && i.getBoundingClientRect().width > 100).length,
    rows: rows.length,
    whole: cells.length,
    links: document.querySelectorAll('nav a').length,
    dead: [...document.querySelectorAll('nav a')].filter(a => !document.querySelector(a.hash)).length,
    overflow: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    width: window.innerWidth,
    badges: badges.length,
    broken: badges.filter(b => b.getBoundingClientRect().height > 1.9 * parseFloat(getComputedStyle(b).fontSize)).length,
    letters: Math.min(...figures.map(letters)),
    complaints: complaints
  });
  if (window.parent !== window) window.parent.postMessage(found, '*');
  else document.body.innerHTML = '<pre id=\"probe\">' + found + '</pre>';
});
</script></head>";

/// A page that shows another one as a phone does, and the numbers that one sends. No browser opens a
/// window as narrow as a phone.
fn phone(page: &Path, width: u32) -> std::path::PathBuf {
    let path = page.with_extension(format!("{width}.html"));
    let name = page.file_name().unwrap().to_str().unwrap();
    let frame = format!(
        "<!doctype html><meta charset='utf-8'><link rel='icon' href='data:,'><body><script>
window.addEventListener('message', e => {{
  document.body.innerHTML = '<pre id=\"probe\">' + e.data + '</pre>';
}});
</script><iframe src='{name}' style='border: 0; width: {width}px; height: 844px'></iframe></body>"
    );
    std::fs::write(&path, frame).unwrap();
    path
}

/// What the probe found in a window of this width, and what the browser's console says.
fn probe(page: &Path, width: u32) -> (serde_json::Value, Vec<String>) {
    let home = tempfile::tempdir().unwrap();
    let page = if width < 500 { &phone(page, width) } else { page };
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--enable-logging=stderr", "--hide-scrollbars", "--virtual-time-budget=20000"])
        .arg(format!("--user-data-dir={}", home.path().display()))
        .arg(format!("--window-size={width},900"))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium, e.g. by apt-get install chromium");
    let dom = String::from_utf8_lossy(&output.stdout);
    // The last one: the script itself has the same words.
    let found =
        dom.rsplit("<pre id=\"probe\">").next().and_then(|rest| rest.split("</pre>").next());
    let found = found.unwrap_or_else(|| panic!("no probe in {dom:.500}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    let console = errors.lines().filter(|l| l.contains("CONSOLE")).map(String::from).collect();
    (serde_json::from_str(found).unwrap(), console)
}

/// Where all is reproduced: by `reproduce.rs`, if that has run since this program was linked, which is whenever
/// something has changed; otherwise here.
fn reproduced() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproduced");
    let written = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    if written(&folder.join("index.html")) <= written(&std::env::current_exe().unwrap()) {
        let context = Context { size: Size::Quick, out: &folder, progress: &Silent };
        reproduce(&select(&["all"]).unwrap(), &context).unwrap();
    }
    folder
}

#[test]
#[ignore = "needs chromium"]
fn the_page_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let reproduced = reproduced();
    let page = std::fs::read_to_string(reproduced.join("index.html")).unwrap();
    let claims = std::fs::read_to_string(reproduced.join("claims.json")).unwrap();
    let claims = serde_json::from_str::<Vec<Claim>>(&claims).unwrap().len();
    let has_figure = |e: &&Experiment| reproduced.join(format!("{}.svg", e.id)).exists();
    let figures = experiments().filter(has_figure).count();
    assert!(figures > 20 && claims > 200, "{figures} figures, {claims} claims");
    let probed = folder.path().join("probed.html");
    std::fs::write(&probed, page.replacen("</head>", PROBE, 1)).unwrap();
    for width in [1200, 500, 390] {
        let (found, console) = probe(&probed, width);
        assert_eq!(found["width"].as_u64(), Some(width.into()), "{found}");
        let number = |key: &str| usize::try_from(found[key].as_u64().unwrap()).unwrap();
        assert_eq!((number("images"), number("seen")), (figures, figures), "{found}");
        assert_eq!((number("rows"), number("whole")), (claims, claims), "{found}");
        assert_eq!((number("links"), number("dead")), (experiments().count(), 0), "{found}");
        assert_eq!(number("overflow"), 0, "wider than a window of {width}: {found}");
        assert_eq!((number("badges"), number("broken")), (claims, 0), "{width}: {found}");
        let letters = found["letters"].as_f64().unwrap();
        assert!(letters >= 9.0, "letters of {letters} pixels in a window of {width}");
        assert!(found["complaints"].as_array().unwrap().is_empty(), "{found}");
        assert!(console.is_empty(), "{console:?}");
    }
    broken(&page, folder.path());
}

/// The probe notices an image that does not load, a script that fails, a badge of two lines and
/// letters too small.
fn broken(page: &str, folder: &Path) {
    let path = folder.join("broken.html");
    let spoilt = page
        .replacen("</head>", PROBE, 1)
        .replacen("data:image/svg+xml;base64,PHN2Zy", "data:image/svg+xml;base64,PHN2!y", 1)
        .replace("white-space: nowrap;", "width: 2em;")
        .replace("min-width: ", "no-width: ")
        .replacen("</body>", "<script>console.error('seen')</script></body>", 1);
    std::fs::write(&path, spoilt).unwrap();
    let (found, console) = probe(&path, 390);
    assert!(found["broken"].as_u64() > Some(0), "{found}");
    assert!(found["letters"].as_f64() < Some(9.0), "{found}");
    assert!(found["seen"].as_u64() < found["images"].as_u64(), "{found}");
    assert!(!console.is_empty());
}
