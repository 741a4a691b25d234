//! Threads of our own, and calls that Ctrl-C can end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use polhode::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

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
                .num_threads(polhode::default_threads())
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

/// Does the work of all pieces on as many threads as the pool has, while others run Python; Ctrl-C
/// ends it. The error is that of the first piece that has one.
///
/// Not on the threads of the pool: those may be busy with what another thread of Python's has asked
/// for, and a call that waits for them hears no Ctrl-C.
pub(crate) fn in_parallel<I: Send, E: Send>(
    py: Python<'_>,
    pieces: impl Iterator<Item = I> + Send,
    work: impl Fn(I) -> Result<(), E> + Sync,
) -> PyResult<Result<(), E>> {
    let threads = pool().current_num_threads();
    let pieces = Mutex::new(pieces.enumerate());
    let first_error: Mutex<Option<(usize, E)>> = Mutex::new(None);
    let stop = Stop::new();
    let worker = |_done: mpsc::Sender<()>| {
        while !stop.is_requested() {
            let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((index, piece)) = next else { return };
            if let Err(error) = work(piece) {
                // Pieces are given out in turn: those before this one are being done.
                stop.request();
                let mut first = first_error.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(before, _)| index < *before) {
                    *first = Some((index, error));
                }
            }
        }
    };
    let ended = py.detach(|| {
        std::thread::scope(|scope| {
            // Ends when every worker has dropped its end.
            let (sender, all_done) = mpsc::channel();
            for _ in 1..threads {
                let done = sender.clone();
                // With fewer threads it takes longer, no more.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || worker(done));
            }
            let last = std::thread::Builder::new().spawn_scoped(scope, || worker(sender));
            last.map_err(|e| {
                stop.request();
                PyRuntimeError::new_err(format!("no thread can be started: {e}"))
            })?;
            while let Err(RecvTimeoutError::Timeout) = all_done.recv_timeout(LOOK_EVERY) {
                look().inspect_err(|_| stop.request())?;
            }
            PyResult::Ok(())
        })
    });
    ended?;
    let first = first_error.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(first.map_or(Ok(()), |(_, error)| Err(error)))
}

/// Does the work on threads that call Python again and again.
///
/// Threads of its own, not of the pool: a callable may itself ask for what the pool does. They are known to
/// the interpreter from beginning to end: one that it meets for the first time in every call costs
/// microseconds each.
pub(crate) fn on_calling_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build_scoped(
        |thread| Python::attach(|py| py.detach(|| thread.run())),
        |pool| pool.install(work),
    )
}

/// How often to look for signals: a person does not notice a tenth of a second.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Looks for signals, from where Python is not held.
pub(crate) fn look() -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        Ok(())
    })
}

/// How long an interrupted computation is waited for. What looks at a stop at every step has then long
/// ended, and the next call finds all threads free; a callable of Python's may go on for a while.
const GRACE: Duration = Duration::from_millis(300);

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
            let received = receiver.recv_timeout(LOOK_EVERY);
            (received, receiver)
        });
        receiver = returned;
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    stop();
                    py.detach(move || drop(receiver.recv_timeout(GRACE)));
                    return Err(interrupt);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the computation ended without a result"));
            }
        }
    }
}
