//! Chromium without a window, told what to do over its debugging pipe: no driver is needed beside the browser.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: File,
    from: Receiver<Value>,
    session: Option<String>,
    calls: u64,
    events: VecDeque<Value>,
    _home: tempfile::TempDir,
}

/// Longer than anything takes on a busy machine without a graphics card.
const PATIENCE: Duration = Duration::from_mins(4);

impl Browser {
    /// Starts it; `webgl` as a browser on a machine without a graphics card has it, or not at all.
    pub(crate) fn start(webgl: bool, width: u32, height: u32) -> Self {
        let home = tempfile::tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| home.path().join(name));
        for pipe in [&to, &from] {
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        let drawing: &[&str] = if webgl {
            &["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        } else {
            &["--disable-gpu", "--disable-3d-apis"]
        };
        let child = Command::new("sh")
            .args([
                "-c",
                "to=$1 from=$2; shift 2; exec chromium \"$@\" 3<\"$to\" 4>\"$from\"",
                "sh",
            ])
            .args([&to, &from])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--remote-debugging-pipe",
            ])
            .args(["--hide-scrollbars", "--js-flags=--expose-gc", "--no-first-run", "--mute-audio"])
            .args(drawing)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            .arg(format!("--window-size={width},{height}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let to = OpenOptions::new().write(true).open(&to).unwrap();
        let from = BufReader::new(File::open(&from).unwrap());
        let (send, receive) = channel();
        std::thread::spawn(move || {
            for message in from.split(0).map_while(Result::ok) {
                if send.send(serde_json::from_slice(&message).unwrap()).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            child,
            to,
            from: receive,
            session: None,
            calls: 0,
            events: VecDeque::new(),
            _home: home,
        };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let id = &target["targetId"];
        let attached =
            browser.call("Target.attachToTarget", &json!({ "targetId": id, "flatten": true }));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// Calls a method of the protocol and gives its result.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer =
                self.from.recv_timeout(PATIENCE).unwrap_or_else(|e| panic!("{method}: {e}"));
            if answer["id"].as_u64() == Some(id) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push_back(answer);
        }
    }

    /// Opens a page at time 0, where it stands still, and waits until it is there.
    pub(crate) fn open(&mut self, page: &Path) {
        self.open_at(page, "t=0");
    }

    /// Opens a page with this behind the `#` of its address. To open it again, go elsewhere first: an address that
    /// differs in this alone is the same page.
    pub(crate) fn open_at(&mut self, page: &Path, fragment: &str) {
        self.events.clear();
        let url = format!("file://{}#{fragment}", page.display());
        self.call("Page.navigate", &json!({ "url": url }));
        while !self.events.iter().any(|e| e["method"] == "Page.loadEventFired") {
            let event = self.from.recv_timeout(PATIENCE).expect("the page loads");
            self.events.push_back(event);
        }
    }

    /// The value of an expression of the page; a promise is waited for.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", &parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    pub(crate) fn number(&mut self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    /// Presses a key on whatever is in focus, as a user would.
    pub(crate) fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let down = json!({ "type": "keyDown", "key": key, "text": text });
        self.call("Input.dispatchKeyEvent", &down);
        self.call("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key }));
    }

    /// Goes on to the next element that the keyboard reaches, as a user does with the tab key.
    pub(crate) fn tab(&mut self) {
        for kind in ["keyDown", "keyUp"] {
            let key =
                json!({ "type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9 });
            self.call("Input.dispatchKeyEvent", &key);
        }
    }

    /// The window of a phone.
    pub(crate) fn phone(&mut self) {
        let size = json!({ "width": 375, "height": 700, "deviceScaleFactor": 1, "mobile": true });
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    pub(crate) fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let buttons = i32::from(kind != "mouseReleased");
        self.call(
            "Input.dispatchMouseEvent",
            &json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 }),
        );
    }

    /// Touches the page with fingers at these places; none: they are lifted.
    pub(crate) fn touch(&mut self, kind: &str, fingers: &[[f64; 2]]) {
        let points: Vec<Value> = fingers
            .iter()
            .enumerate()
            .map(|(id, [x, y])| json!({ "x": x, "y": y, "id": id }))
            .collect();
        self.call("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
    }

    /// A picture of the page, where someone asks for it.
    pub(crate) fn picture(&mut self, name: &str) {
        use base64::Engine;
        let Ok(folder) = std::env::var("POLHODE_PICTURES") else { return };
        let shot = self.call("Page.captureScreenshot", &json!({ "format": "png" }));
        let bytes =
            base64::prelude::BASE64_STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
    }

    /// What the page has complained about so far: errors and warnings of its console, exceptions, what it could
    /// not load.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // What was said before an answer comes before it.
        self.value("0");
        let loud = |e: &&Value| match e["method"].as_str().unwrap_or_default() {
            "Runtime.consoleAPICalled" => e["params"]["type"] != "log",
            "Runtime.exceptionThrown" => true,
            "Log.entryAdded" => {
                e["params"]["entry"]["level"] != "info"
                    && e["params"]["entry"]["level"] != "verbose"
            }
            _ => false,
        };
        self.events.iter().filter(loud).map(ToString::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
