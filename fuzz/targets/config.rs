//! Any text as `engine.toml`: options within their ranges, and a problem for each other line.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prelate::engine::config::read;
use prelate::engine::options::TABLE;

fuzz_target!(|text: &str| {
    let (options, problems) = read(text, Path::new("engine.toml"));
    assert!((1..=33_554_432).contains(&options.hash));
    assert!((1..=1024).contains(&options.threads));
    assert!((1..=256).contains(&options.multi_pv));
    for spec in TABLE {
        assert!(!spec.uci_line(&options).contains(char::is_control));
    }
    assert!(problems.len() <= text.lines().count());
    for problem in problems {
        let text = problem.to_string();
        assert!(!text.is_empty() && !text.contains(char::is_control), "{text:?}");
    }
});
