//! Any bytes as a checkpoint, also behind a right checksum: refused with a message, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polhode_cli::run::Checkpoint;
use sha2::{Digest, Sha256};

fuzz_target!(|bytes: &[u8]| {
    if let Err(message) = Checkpoint::parse(bytes) {
        assert!(!message.is_empty());
    }
    // A fuzzer does not find a SHA-256 by itself.
    let sum: String = Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect();
    let sealed = [format!("polhode-checkpoint 1 {sum}\n").as_bytes(), bytes].concat();
    if let Err(message) = Checkpoint::parse(&sealed) {
        assert!(!message.is_empty());
    }
});
