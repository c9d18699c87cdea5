//! `engine.toml`: what counts, what is reported, and that the file of the repository is right.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use prelate::engine::config::{Fault, load, read};
use prelate::engine::options::{Kind, Options, TABLE};

/// The options of a text, and its problems as the user sees them.
fn read_text(text: &str) -> (Options, Vec<String>) {
    let (options, problems) = read(text, Path::new("engine.toml"));
    (options, problems.iter().map(ToString::to_string).collect())
}

#[test]
fn an_empty_file_changes_nothing() {
    for text in ["", "\n\n", "# nothing\n", "\u{feff}# nothing"] {
        assert_eq!(read_text(text), (Options::default(), vec![]), "{text:?}");
    }
}

#[test]
fn keys_and_uci_names() {
    let text = "hash = 64 # MiB\r\nmove_overhead=100\n  \"UCI_ShowWDL\" = true\nMultiPV = 2\n";
    let expected = Options {
        hash: 64,
        move_overhead: Duration::from_millis(100),
        show_wdl: true,
        multi_pv: 2,
        ..Options::default()
    };
    assert_eq!(read_text(text), (expected.clone(), vec![]));
    let quoted = "\u{feff}Hash = 0x40\n\"Move Overhead\" = 1_00\nuci_showwdl = true\nmultipv = 2";
    assert_eq!(read_text(quoted), (expected, vec![]));
}

#[test]
fn bad_lines_are_reported_and_the_others_count() {
    let text = "\
hash = 64
# a comment
hahs = 32
threads = 0
ponder = 1
uci_showwdl = true
move_overhead = \"100\"
clear_hash = true
uci_engineabout = 1
hash = 128
contempt = 20
multipv = 4
";
    let (options, problems) = read_text(text);
    let expected = Options {
        hash: 64,
        show_wdl: true,
        multi_pv: 4,
        ..Options::default()
    };
    assert_eq!(options, expected);
    assert_eq!(
        problems,
        [
            "engine.toml:3: unknown option 'hahs', did you mean 'hash'?",
            "engine.toml:4: option 'Threads' takes a whole number from 1 to 1024, not '0'",
            "engine.toml:5: option 'ponder' takes true or false, not this integer",
            "engine.toml:7: option 'move_overhead' takes a whole number from 0 to 5000, not this string",
            "engine.toml:8: 'clear_hash' is a button and has no value",
            "engine.toml:9: 'uci_engineabout' is read-only",
            "engine.toml:10: 'hash' is already set on line 1",
            "engine.toml:11: unknown option 'contempt'",
        ]
    );
}

/// Escapes of TOML must not make two lines of one, where the engine tells its options: so it is
/// with Windows paths in double quotes.
#[test]
fn texts_stay_on_one_line() {
    let text = r#"
debug_log_file = "C:\new\bot.log"
uci_opponent = "me\u001b[2J"
"ha\nsh" = 1
syzygypath = 'C:\tables'
"#;
    let (options, problems) = read_text(text);
    let expected = Options {
        syzygy_path: r"C:\tables".to_owned(),
        ..Options::default()
    };
    assert_eq!(options, expected);
    assert_eq!(
        problems,
        [
            r"engine.toml:2: option 'Debug Log File' takes printable text, without '\n'",
            r"engine.toml:3: option 'UCI_Opponent' takes printable text, without '\u{1b}'",
            r"engine.toml:4: unknown option 'ha\nsh', did you mean 'hash'?",
        ]
    );
}

#[test]
fn lines_that_are_not_toml() {
    let text = "\
hash 64
threads =
ponder = yes
[search]
multipv = 3
hash = 99999999999999999999
= 5
\0
";
    let (options, problems) = read(text, Path::new("engine.toml"));
    assert_eq!(
        options,
        Options {
            multi_pv: 3,
            ..Options::default()
        }
    );
    let lines: Vec<_> = problems.iter().filter_map(|problem| problem.line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 6, 7, 8]);
    for problem in problems {
        match problem.fault {
            Fault::Section(header) => assert_eq!(header, "[search]"),
            Fault::Syntax(what) => assert!(!what.is_empty() && !what.contains('\n'), "{what:?}"),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_named_file_is_read_or_missed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("named.toml");
    // Latin-1 in a comment harms nobody.
    fs::write(&file, b"# J\xf6rgs Rechner\nhash = 512\nthread = 2\n").unwrap();
    let loaded = load(Some(&file));
    assert_eq!(
        loaded.options,
        Options {
            hash: 512,
            ..Options::default()
        }
    );
    assert_eq!(loaded.path.as_deref(), Some(file.as_path()));
    let problems: Vec<_> = loaded.problems.iter().map(ToString::to_string).collect();
    let expected = format!(
        "{}:3: unknown option 'thread', did you mean 'threads'?",
        file.display()
    );
    assert_eq!(problems, [expected]);

    let missing = folder.join("missing.toml");
    let loaded = load(Some(&missing));
    assert_eq!((loaded.options, loaded.path), (Options::default(), None));
    let [problem] = &loaded.problems[..] else {
        panic!("{:?}", loaded.problems)
    };
    assert!(matches!(&problem.fault, Fault::Unreadable(e) if e.kind() == io::ErrorKind::NotFound));
    assert!(
        problem
            .to_string()
            .starts_with(&format!("{}: cannot be read: ", missing.display()))
    );
}

/// The file of the repository shows every option with its help, its range and its default.
#[test]
fn the_file_of_the_repository_is_the_table() {
    let defaults = Options::default();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine.toml");
    let text = fs::read_to_string(file).unwrap();
    let (options, problems) = read_text(&text);
    assert_eq!(problems, <[&str; 0]>::default());
    assert_eq!(options, defaults);

    let mut paragraphs = text.trim_end().split("\n\n").skip(1);
    for spec in TABLE {
        let default = match &spec.kind {
            Kind::Check { get, .. } => get(&defaults).to_string(),
            Kind::Spin { get, .. } => get(&defaults).to_string(),
            Kind::String { get, .. } => format!("{:?}", get(&defaults)),
            Kind::Note(_) | Kind::Button | Kind::Parameter(_) => continue,
        };
        let expected = format!(
            "# {}\n# Takes {}.\n{} = {default}",
            spec.help,
            spec.kind,
            spec.key()
        );
        assert_eq!(paragraphs.next(), Some(expected.as_str()));
    }
    assert_eq!(paragraphs.next(), None);
}
