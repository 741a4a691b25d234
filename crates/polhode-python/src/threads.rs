//! Threads of our own, and calls that Ctrl-C can end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads of this process.
///
/// Not rayon's own: a process that Python has forked inherits those as a memory without threads, and
/// would wait for them for ever.
pub(crate) fn pool() -> Arc<ThreadPool> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*slot {
        Some((owner, pool)) if *owner == process => pool.clone(),
        _ => {
            // Without a second thread the calling one does the work.
            let pool = ThreadPoolBuilder::new()
                .build()
                .or_else(|_| ThreadPoolBuilder::new().num_threads(1).use_current_thread().build());
            let pool = match pool {
                Ok(pool) => Arc::new(pool),
                Err(error) => panic!("no thread can be started: {error}"),
            };
            // The parent's must not be dropped here: it would wait for its threads.
            core::mem::forget(slot.replace((process, pool.clone())));
            pool
        }
    }
}

/// What f returns, while others run Python; Ctrl-C ends the waiting, and f is told by `stop`.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: impl Fn(),
    f: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::channel();
    std::thread::Builder::new()
        .spawn(move || {
            // Nobody waits any more after an interrupt.
            let _ = sender.send(f());
        })
        .map_err(|e| PyRuntimeError::new_err(format!("no thread can be started: {e}")))?;
    loop {
        // There and back again: a receiver is only for one thread at a time.
        let (received, returned) = py.detach(move || {
            let received = receiver.recv_timeout(Duration::from_millis(100));
            (received, receiver)
        });
        receiver = returned;
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    stop();
                    return Err(interrupt);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the computation ended without a result"));
            }
        }
    }
}
