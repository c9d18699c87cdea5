//! Whoever knows engines finds each technique by its usual name, in the file where its rule is.

use std::fs;
use std::path::Path;

/// The usual names, each with the file that it leads to.
const WORDS: &[(&str, &str)] = &[
    ("transposition table", "search/table.rs"),
    ("quiescence", "search/quiesce.rs"),
    ("late move reduction", "search/late_move.rs"),
    ("late move pruning", "search/pruning.rs"),
    ("reverse futility", "search/pruning.rs"),
    ("null move", "search/pruning.rs"),
    ("static evaluation", "search/worker.rs"),
    ("static exchange", "movegen/see.rs"),
    ("(SEE)", "movegen/see.rs"),
    ("improving", "search/alpha_beta.rs"),
    ("ttPv", "search/node.rs"),
    ("cut node", "search/node.rs"),
    ("history", "search/history.rs"),
    ("continuation history", "search/history.rs"),
    ("correction history", "search/correction.rs"),
    ("singular", "search/extension.rs"),
    ("multicut", "search/extension.rs"),
    ("probcut", "search/pruning.rs"),
    ("razoring", "search/pruning.rs"),
    ("aspiration", "search/deepen.rs"),
    ("mate distance pruning", "search/alpha_beta.rs"),
    ("internal iterative reduction", "search/alpha_beta.rs"),
];

#[test]
fn the_usual_names_lead_to_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (word, file) in WORDS {
        let text = fs::read_to_string(root.join(file)).expect("readable source");
        let found = text.to_lowercase().contains(&word.to_lowercase());
        assert!(found, "{file} does not mention {word}");
    }
}
