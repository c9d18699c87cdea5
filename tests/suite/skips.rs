//! No test is skipped in silence: this test program, run without its data.

use std::env;
use std::process::{Command, Output};

use super::driver::prelate;

/// Runs a test that needs data in a folder that has none.
fn run(ci: &str, without: &str) -> Output {
    let (_, folder) = prelate();
    let output = Command::new(env::current_exe().expect("this program"))
        .args(["see::published_values_are_exact", "--exact"])
        .env("PRELATE_DATA", &folder)
        .env("CI", ci)
        .env("PRELATE_WITHOUT", without)
        .output()
        .expect("this program runs");
    std::fs::remove_dir(folder).expect("an empty folder");
    output
}

#[test]
fn what_is_skipped_is_told_at_the_end() {
    for (ci, without) in [
        ("", ""),
        ("true", "epd/see.epd"),
        ("true", "x, epd/see.epd"),
    ] {
        let output = run(ci, without);
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(told, "skipped for lack of: epd/see.epd\n");
    }
}

#[test]
fn in_ci_nothing_is_skipped_that_is_not_named() {
    for without in ["", "epd", "perft/columns.csv"] {
        let output = run("true", without);
        assert!(!output.status.success(), "{output:?}");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("epd/see.epd is missing"), "{told}");
    }
}
