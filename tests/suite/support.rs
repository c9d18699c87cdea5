//! Where the tests find data that is too large or too foreign for the repository.

use std::path::PathBuf;

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
