//! What this binary is: its version, the compiler, the target and the features it was built for.

use std::env::consts;

use crate::attacks::sliding;
use crate::engine::{Engine, NAME};

/// The names of those features of the processor that the build may use.
macro_rules! target_features {
    ($($name:literal),* $(,)?) => {
        [$((cfg!(target_feature = $name), $name)),*]
            .into_iter()
            .filter_map(|(used, name)| used.then_some(name))
            .collect::<Vec<_>>()
    };
}

/// The facts of the build, and what the engine evaluates by: one `name: value` per line.
pub fn describe(engine: &Engine) -> String {
    let processor = target_features![
        "sse2",
        "ssse3",
        "sse4.1",
        "sse4.2",
        "popcnt",
        "avx",
        "avx2",
        "bmi1",
        "bmi2",
        "lzcnt",
        "avx512f",
        "avx512bw",
        "avx512dq",
        "avx512vbmi",
        "avx512vbmi2",
        "avx512vnni",
        "avx512vpopcntdq",
        "neon",
        "dotprod",
    ];
    let profile = if cfg!(debug_assertions) {
        "with checks, slow"
    } else {
        "optimised"
    };
    let mut options = vec![profile];
    if cfg!(feature = "tune") {
        options.push("tune");
    }
    let features = if processor.is_empty() {
        "none".to_owned()
    } else {
        processor.join(" ")
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
