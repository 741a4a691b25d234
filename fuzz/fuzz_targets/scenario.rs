//! Any text as a scenario: refused with a message of one line, or accepted and able to run.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polhode_scenario::Scenario;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match Scenario::parse(&text, "fuzz.toml") {
        Ok(scenario) => {
            let problem = scenario.problem();
            assert!(problem.energy(0.0, scenario.start()).is_finite());
            assert!(scenario.steps().is_none_or(|steps| steps.method.stepper(&problem).is_ok()));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("fuzz.toml") && !message.contains(char::is_control));
        }
    }
});
