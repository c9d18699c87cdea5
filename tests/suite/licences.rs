//! What the engine is built from is what `deny.toml` allows: licences, and where packages come
//! from. It is the part of `cargo deny` that needs neither that tool nor a network.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

use super::support::skip;

/// The texts of a list in `deny.toml`.
fn allowed(section: &str, key: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    let text = fs::read_to_string(file).expect("deny.toml");
    let table: toml::Table = text.parse().expect("TOML");
    let list = table[section][key].as_array().expect("a list");
    let texts = list
        .iter()
        .map(|text| text.as_str().expect("a text").to_owned());
    texts.collect()
}

#[test]
fn packages_are_free_and_from_the_registry() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    if !output.status.success() {
        // Packages for other systems need not be here, and are not worth a download.
        return skip("packages");
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 20, "{} packages", packages.len());
    let licences = allowed("licenses", "allow");
    let registries = allowed("sources", "allow-registry");
    for package in packages {
        let name = &package["name"];
        let text = package["license"].as_str().unwrap_or_default();
        let licence = Expression::parse_mode(text, ParseMode::LAX).expect(text);
        let is_good = licence.evaluate(|licence| licences.contains(&licence.to_string()));
        assert!(is_good, "{name}: {licence}");
        match package["source"]
            .as_str()
            .map(|from| from.trim_start_matches("registry+"))
        {
            Some(from) => assert!(registries.iter().any(|good| good == from), "{name}: {from}"),
            None => assert_eq!(name, env!("CARGO_PKG_NAME")),
        }
    }
}
