//! The page in a browser: every image is seen, nothing is complained about, it fits a phone.
//!
//! Needs `chromium`; `cargo xtask test` runs it where that is installed.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use polhode_experiments::{Context, Silent, Size, reproduce, select};

/// Counts what a reader sees, and leaves the numbers in the page.
const PROBE: &str = "<script>
const complaints = [];
window.addEventListener('error', e => complaints.push(e.message || e.target.tagName), true);
window.addEventListener('load', () => {
  const images = [...document.images];
  const rows = [...document.querySelectorAll('table.claims tbody tr')];
  const cells = rows.filter(r => r.cells.length === 4 && [...r.cells].every(c => c.innerText.trim()));
  document.body.innerHTML = '<pre id=\"probe\">' + JSON.stringify({
    images: images.length,
    seen: images.filter(i => i.complete && i.naturalWidth > 100 && i.getBoundingClientRect().width > 100).length,
    rows: rows.length,
    whole: cells.length,
    links: document.querySelectorAll('nav a').length,
    dead: [...document.querySelectorAll('nav a')].filter(a => !document.querySelector(a.hash)).length,
    overflow: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    width: window.innerWidth,
    complaints: complaints
  }) + '</pre>';
});
</script></head>";

/// What the probe found in a window of this width, and what the browser's console says.
fn probe(page: &Path, width: u32) -> (serde_json::Value, Vec<String>) {
    let home = tempfile::tempdir().unwrap();
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

#[test]
#[ignore = "needs chromium"]
fn the_page_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context { size: Size::Quick, out: folder.path(), progress: &Silent };
    let outcomes = reproduce(&select(&["all"]).unwrap(), &context).unwrap();
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    let probed = folder.path().join("probed.html");
    std::fs::write(&probed, page.replacen("</head>", PROBE, 1)).unwrap();
    let figures = outcomes.iter().filter(|o| o.svg.is_some()).count();
    let claims: usize = outcomes.iter().map(|o| o.claims.len()).sum();
    for width in [1280, 500] {
        let (found, console) = probe(&probed, width);
        let number = |key: &str| usize::try_from(found[key].as_u64().unwrap()).unwrap();
        assert_eq!((number("images"), number("seen")), (figures, figures), "{found}");
        assert_eq!((number("rows"), number("whole")), (claims, claims), "{found}");
        assert_eq!((number("links"), number("dead")), (outcomes.len(), 0), "{found}");
        assert_eq!(number("overflow"), 0, "wider than a window of {width}: {found}");
        assert!(found["complaints"].as_array().unwrap().is_empty(), "{found}");
        assert!(console.is_empty(), "{console:?}");
    }
    broken(&page, folder.path());
}

/// The probe notices an image that does not load and a script that fails.
fn broken(page: &str, folder: &Path) {
    let path = folder.join("broken.html");
    let spoilt = page
        .replacen("</head>", PROBE, 1)
        .replacen("data:image/svg+xml;base64,PHN2Zy", "data:image/svg+xml;base64,PHN2!y", 1)
        .replacen("</body>", "<script>console.error('seen')</script></body>", 1);
    std::fs::write(&path, spoilt).unwrap();
    let (found, console) = probe(&path, 1280);
    assert!(found["seen"].as_u64() < found["images"].as_u64(), "{found}");
    assert!(!console.is_empty());
}
