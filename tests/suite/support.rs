//! What tests share: data that is too large or too foreign for the repository, and how often
//! properties are tried.

use std::path::PathBuf;

use proptest::test_runner::{Config, RngSeed};

/// A file of test data: below `PRELATE_DATA` if set, else below `../shared`. Tests without their
/// data say so and pass.
pub fn data(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PRELATE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let path = root.join(name);
    if path.exists() {
        Some(path)
    } else {
        eprintln!(
            "skipped: {} is not here (set PRELATE_DATA to a folder that has it)",
            path.display()
        );
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
    let times = std::env::var("PRELATE_PROOF");
    match times.ok().and_then(|times| times.parse::<u32>().ok()) {
        None => usual,
        Some(times) => Config {
            cases: cases.saturating_mul(times),
            rng_seed: RngSeed::Random,
            ..usual
        },
    }
}
