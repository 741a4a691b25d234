//! How many threads there may be.

/// Threads at most. A block of an ensemble is handed out in no more pieces, so further threads would
/// have nothing to do but wait for each other; many thousands would take more memory maps than a
/// process may have.
pub const MAX_THREADS: usize = 256;

/// The threads of a computation that is not told how many: as many as there are cores, or as the
/// environment variable `RAYON_NUM_THREADS` says, but not more than [`MAX_THREADS`].
pub fn default_threads() -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let asked = bounded(std::env::var("RAYON_NUM_THREADS").ok().as_deref());
    asked.unwrap_or_else(|| cores().min(MAX_THREADS))
}

/// Starts the threads that rayon shares among all who do not bring their own, no more than
/// [`default_threads`]: rayon's own choice has no bound. Does nothing where the caller is in a pool, or
/// if the shared threads run already; rayon chooses if these cannot be started.
#[cfg(feature = "ensemble")]
#[doc(hidden)]
pub fn start_shared_threads() {
    static STARTED: std::sync::Once = std::sync::Once::new();
    if rayon::current_thread_index().is_none() {
        STARTED.call_once(|| {
            let threads = rayon::ThreadPoolBuilder::new().num_threads(default_threads());
            let _ = threads.build_global();
        });
    }
}

/// What a variable asks for; none, as for rayon, if that is zero or no number.
fn bounded(variable: Option<&str>) -> Option<usize> {
    variable?.parse().ok().filter(|&threads: &usize| threads > 0).map(|n| n.min(MAX_THREADS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_bounded_or_ignored() {
        assert_eq!(bounded(None), None);
        for (text, threads) in
            [("1", Some(1)), ("2000", Some(MAX_THREADS)), ("0", None), ("-1", None), ("many", None)]
        {
            assert_eq!(bounded(Some(text)), threads, "{text}");
        }
        assert!((1..=MAX_THREADS).contains(&default_threads()));
    }
}
