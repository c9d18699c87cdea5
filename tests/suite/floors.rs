//! The house has floors: no module imports from its own floor or one above.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. What stands together is one floor and knows nothing of the other.
const FLOORS: &[&[&str]] = &[
    &["types"],
    &["attacks"],
    &["position"],
    &["movegen"],
    &["eval"],
    &["tablebase"],
    &["search"],
    &["engine"],
    &["tools"],
    &["uci"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The evaluation has to hear of every move that the search makes or takes back: only `variation`
/// has a board to make moves on, and the worker notes beside it what was made.
#[test]
fn the_search_makes_moves_through_one_door() {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search"),
        &mut files,
    );
    assert!(files.len() > 1);
    for file in files {
        if file.ends_with("variation.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("readable source");
        let text: String = text.split_whitespace().collect();
        for call in [".make(", ".make_null(", ".unmake(", ".evaluate("] {
            for (place, _) in text.match_indices(call) {
                let caller = &text[..place];
                assert!(
                    caller.ends_with("self") || caller.ends_with("variation"),
                    "{} has a {call}...) of its own",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn modules_import_only_from_floors_below() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (height, modules) in FLOORS.iter().enumerate() {
        for module in *modules {
            let mut files = Vec::new();
            sources(&root.join(module), &mut files);
            assert!(!files.is_empty(), "src/{module} has no sources");
            for file in files {
                let text = fs::read_to_string(&file).expect("readable source");
                for part in text.split("crate::").skip(1) {
                    let name: String = part
                        .chars()
                        .take_while(|c| c.is_alphanumeric() || *c == '_')
                        .collect();
                    let allowed =
                        floor(&name).is_none_or(|other| other < height || name == *module);
                    assert!(allowed, "{} imports from {name}", file.display());
                }
            }
        }
    }
}
