//! What tests share: data that is too large or too foreign for the repository, and how often
//! properties are tried.

use std::collections::BTreeSet;
use std::env;
use std::ffi::c_int;
use std::path::PathBuf;
use std::sync::{Mutex, Once};

use proptest::test_runner::{Config, RngSeed};

/// What tests had to do without.
static SKIPPED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

// The C standard has this function: its handlers run when the process ends in order.
unsafe extern "C" {
    safe fn atexit(handler: extern "C" fn()) -> c_int;
}

/// Notes that a test lacks what it needs and passes without, which is told in one line when all
/// tests are done.
///
/// # Panics
///
/// With `CI=true`, unless `PRELATE_WITHOUT`, a list with commas, has this name.
pub fn skip(name: &str) {
    static AT_EXIT: Once = Once::new();
    let allowed = env::var("PRELATE_WITHOUT").unwrap_or_default();
    let is_allowed = allowed.split(',').any(|allowed| allowed.trim() == name);
    let is_ci = env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(
        is_allowed || !is_ci,
        "{name} is missing, and PRELATE_WITHOUT does not allow that"
    );
    SKIPPED
        .lock()
        .expect("no test fails with the lock")
        .insert(name.to_owned());
    AT_EXIT.call_once(|| {
        atexit(tell_what_was_skipped);
    });
}

extern "C" fn tell_what_was_skipped() {
    if let Ok(skipped) = SKIPPED.lock() {
        let names: Vec<_> = skipped.iter().map(String::as_str).collect();
        eprintln!("skipped for lack of: {}", names.join(", "));
    }
}

/// A file of test data: below `PRELATE_DATA` if set, else below `../shared`. Tests without their
/// data are skipped.
pub fn data(name: &str) -> Option<PathBuf> {
    let root = env::var_os("PRELATE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let path = root.join(name);
    if path.exists() {
        Some(path)
    } else {
        skip(name);
        None
    }
}

/// The text of a file of test data.
pub fn data_text(name: &str) -> Option<String> {
    data(name).map(|path| std::fs::read_to_string(path).expect("test data is readable text"))
}

/// How properties are tried: on so many inputs, the same on every run. `PRELATE_PROOF=N` tries N
/// times as many, and other ones each time.
pub fn properties(cases: u32) -> Config {
    let usual = Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    };
    let times = env::var("PRELATE_PROOF");
    match times.ok().and_then(|times| times.parse::<u32>().ok()) {
        None => usual,
        Some(times) => Config {
            cases: cases.saturating_mul(times),
            rng_seed: RngSeed::Random,
            ..usual
        },
    }
}
