//! What lies in `scripts` for other programs fits the engine as it is.

use std::fs;
use std::path::Path;

use prelate::engine::options::{Kind, Options, Spec, TABLE};
use serde_json::Value;

fn read(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("scripts")
        .join(name);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// An option that the engine would refuse ends lichess-bot before the first game.
#[test]
fn lichess_bot_sets_options_that_there_are() {
    let text = read("lichess-bot/config.yml");
    let (_, block) = text.split_once("  uci_options:\n").expect("options");
    let mut options = Options::default();
    let lines = block.lines().map_while(|line| line.strip_prefix("    "));
    for line in lines {
        let (setting, _) = line.split_once('#').unwrap_or((line, ""));
        let Some((name, value)) = setting.split_once(':') else {
            assert_eq!(setting.trim(), "", "{line}");
            continue;
        };
        assert_eq!(options.set(name, Some(value)).err(), None, "{line}");
    }
    // What a folder would hold that is not there, the engine would complain of.
    assert_eq!(options.syzygy_path, "");
    assert_ne!(options, Options::default());
}

/// Cutechess shows the options that stand here, without asking the engine; those that it sets by
/// itself it never shows.
#[test]
fn cutechess_knows_all_options() {
    let is_shown = |name: &str| match name {
        "Ponder" => false,
        "UCI_LimitStrength" | "UCI_Elo" => true,
        _ => !name.starts_with("UCI_"),
    };
    let engines = json("engines.json");
    let engine = &engines[0];
    assert_eq!(engine["protocol"], "uci");
    let options = engine["options"].as_array().expect("options");
    let names: Vec<_> = options.iter().map(|option| &option["name"]).collect();
    let expected = TABLE.iter().map(|spec| spec.name);
    let expected: Vec<_> = expected.filter(|name| is_shown(name)).collect();
    assert_eq!(names, expected);
    let defaults = Options::default();
    for option in options {
        let spec = Spec::find(option["name"].as_str().expect("a name")).expect("an option");
        let kind = match &spec.kind {
            Kind::Check { get, .. } => {
                assert_eq!(option["default"], get(&defaults), "{option}");
                "check"
            }
            Kind::Spin { range, get, .. } => {
                assert_eq!(option["min"], *range.start(), "{option}");
                assert_eq!(option["max"], *range.end(), "{option}");
                assert_eq!(option["default"], get(&defaults), "{option}");
                assert!(range.contains(&option["value"].as_i64().expect("a value")));
                "spin"
            }
            Kind::String { get, .. } => {
                assert_eq!(option["default"], get(&defaults), "{option}");
                "text"
            }
            Kind::Button => "button",
            other => panic!("{other} is never shown"),
        };
        assert_eq!(option["type"], kind, "{option}");
    }
}

#[test]
fn openbench_sets_options_that_there_are() {
    let engine = json("openbench/Prelate.json");
    let path = engine["build"]["path"].as_str().expect("a folder");
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(path)
            .join("Makefile")
            .is_file()
    );
    let needed = format!("cargo>={}.0", env!("CARGO_PKG_RUST_VERSION"));
    assert_eq!(engine["build"]["compilers"][0], needed);
    for group in ["test_presets", "tune_presets"] {
        let presets = engine[group].as_object().expect("presets");
        for settings in presets.values() {
            for key in ["both_options", "dev_options"] {
                let words = settings[key].as_str().unwrap_or_default();
                for word in words.split_whitespace() {
                    let (name, value) = word.split_once('=').expect("NAME=VALUE");
                    let set = Options::default().set(name, Some(value));
                    assert_eq!(set.err(), None, "{word}");
                }
            }
        }
    }
}

/// The pages for users and contributors name files that there are.
#[test]
fn the_links_of_the_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in [
        "README.md",
        "src/README.md",
        "src/train/README.md",
        "scripts/lichess-bot/README.md",
    ] {
        let page = root.join(page);
        let text = fs::read_to_string(&page).expect("a page");
        let folder = page.parent().expect("a folder");
        let links = text.split("](").skip(1);
        for link in links.filter_map(|rest| rest.split_once(')')) {
            if link.0.starts_with("https://") {
                continue;
            }
            let (file, heading) = link.0.split_once('#').unwrap_or((link.0, ""));
            let target = if file.is_empty() {
                page.clone()
            } else {
                folder.join(file)
            };
            assert!(target.exists(), "{}", link.0);
            assert!(
                heading.is_empty() || has_heading(&target, heading),
                "{}",
                link.0
            );
        }
    }
}

/// Whether a page has a heading that a link names so: in small letters, with hyphens for spaces and
/// without punctuation.
fn has_heading(page: &Path, name: &str) -> bool {
    let text = fs::read_to_string(page).expect("a page");
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || "- ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c })
            .eq(name.chars())
    })
}
