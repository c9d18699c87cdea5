//! The house has floors: no module imports from its own floor or one above, and no files import
//! each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. What stands together is one floor and knows nothing of the other.
const FLOORS: &[&[&str]] = &[
    &["types", "memory"],
    &["attacks"],
    &["position"],
    &["movegen"],
    &["eval"],
    &["tablebase"],
    &["search", "train"],
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

/// Where a file stands among the modules: `["search", "node"]`; a `mod.rs` is its folder.
type Module = Vec<String>;

/// What each file imports from others by name. What a `mod.rs` hands on from its files to the world
/// (`pub use`) it does not use itself.
fn imports(root: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut files = Vec::new();
    sources(root, &mut files);
    let module = |file: &Path| -> Module {
        let path = file.strip_prefix(root).expect("a file below the root");
        let names = path.with_extension("");
        let names = names.iter().map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name != "mod").collect()
    };
    let files: BTreeMap<Module, PathBuf> = files
        .into_iter()
        .map(|file| (module(&file), file))
        .collect();
    let imported_by = |(module, file): (&Module, &PathBuf)| {
        let text = fs::read_to_string(file).expect("readable source");
        let code = code(&text);
        let paths = paths(&code);
        let found = paths
            .iter()
            .filter_map(|path| resolve(path, module, &files));
        (
            module.clone(),
            found.filter(|other| other != module).collect(),
        )
    };
    files.iter().map(imported_by).collect()
}

/// A source without comments, tests and re-exports.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let statements = text.split_inclusive(';');
    let is_export = |statement: &&str| {
        let line = statement.trim_start();
        line.starts_with("pub") && line.split_whitespace().nth(1) == Some("use")
    };
    statements
        .filter(|statement| !is_export(statement))
        .collect()
}

/// All paths `a::b::c` of a source, those of `a::{b, c::d}` one by one.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut paths, mut groups, mut path) = (Vec::new(), Vec::<Vec<&str>>::new(), Vec::new());
    let mut goes_on = false;
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match rest.find(|c| !is_name(c)) {
            Some(0) => first.len_utf8(),
            Some(length) => length,
            None => rest.len(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        if is_name(first) {
            if !goes_on {
                path = groups.last().cloned().unwrap_or_default();
            }
            path.push(token);
            goes_on = rest.starts_with("::");
            rest = rest.strip_prefix("::").unwrap_or(rest);
            if !goes_on {
                paths.push(path.clone());
            }
        } else {
            match token {
                "{" if goes_on => groups.push(path.clone()),
                "}" => drop(groups.pop()),
                _ if goes_on => paths.push(path.clone()),
                _ => {}
            }
            goes_on = false;
        }
    }
    paths
}

/// The file to which a path within a module leads, if it is one of ours.
fn resolve(path: &[&str], module: &Module, files: &BTreeMap<Module, PathBuf>) -> Option<Module> {
    let child = |base: &Module, name: &str| [&base[..], &[name.to_owned()]].concat();
    let is_ours = match path {
        ["crate" | "self" | "super", _, ..] => true,
        [first, _, ..] => files.contains_key(&child(module, first)),
        _ => false,
    };
    let mut base = module.clone();
    for &name in path.iter().take_while(|_| is_ours) {
        match name {
            "crate" => base.clear(),
            "self" => {}
            "super" => drop(base.pop()),
            name if files.contains_key(&child(&base, name)) => base.push(name.to_owned()),
            _ => break,
        }
    }
    (is_ours && files.contains_key(&base)).then_some(base)
}

/// The way from a file back to itself, if there is one.
fn circle(start: &Module, imports: &BTreeMap<Module, BTreeSet<Module>>) -> Option<Vec<Module>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![start.clone()]];
    while let Some(way) = ways.pop() {
        for next in way
            .last()
            .and_then(|last| imports.get(last))
            .into_iter()
            .flatten()
        {
            if next == start {
                return Some(way);
            }
            if seen.insert(next) {
                ways.push([&way[..], std::slice::from_ref(next)].concat());
            }
        }
    }
    None
}

#[test]
fn no_file_imports_in_a_circle() {
    let imports = imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    assert!(imports[&module("search::pruning")].contains(&module("search::node")));
    let names = |way: Vec<Module>| way.iter().map(|file| file.join("::")).collect::<Vec<_>>();
    for file in imports.keys() {
        assert_eq!(circle(file, &imports).map(names), None, "a circle");
    }
}
