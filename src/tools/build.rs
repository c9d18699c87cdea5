//! What this binary is: its version, the compiler, the target and the features it was built for.

use std::env::consts;

use super::processor;
use crate::attacks::sliding;
use crate::engine::{Engine, NAME};

/// The facts of the build, and what the engine evaluates by: one `name: value` per line.
pub fn describe(engine: &Engine) -> String {
    let features: Vec<_> = processor::features().collect();
    let profile = if cfg!(debug_assertions) {
        "with checks, slow"
    } else {
        "optimised"
    };
    let mut options = vec![profile];
    if cfg!(feature = "tune") {
        options.push("tune");
    }
    let features = if features.is_empty() {
        "none".to_owned()
    } else {
        features.join(" ")
    };
    format!(
        "version: {NAME}\n\
         compiler: rustc {}\n\
         target: {} {}, {} bit\n\
         features: {features}\n\
         sliders: {}\n\
         build: {}\n\
         evaluation: {}",
        rustc_version_runtime::version(),
        consts::ARCH,
        consts::OS,
        usize::BITS,
        sliding::BACKEND,
        options.join(", "),
        engine.evaluation(),
    )
}
