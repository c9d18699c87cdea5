//! The table of options: how they are declared, found, set and refused.

use std::time::Duration;

use prelate::engine::options::{Effect, Kind, Options, Spec, TABLE};

/// What UCI_EngineAbout has to say.
fn about() -> String {
    let (version, licence) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
    match env!("CARGO_PKG_REPOSITORY") {
        "" => format!("Prelate {version}, {licence}"),
        repository => format!("Prelate {version}, {licence}, {repository}"),
    }
}

#[test]
fn the_lines_of_uci() {
    let options = Options::default();
    let lines: Vec<_> = TABLE.iter().map(|spec| spec.uci_line(&options)).collect();
    assert_eq!(
        lines,
        [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Ponder type check default false",
            "option name UCI_Chess960 type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1500 min 600 max 2600",
            "option name UCI_AnalyseMode type check default false",
            "option name UCI_Opponent type string default <empty>",
            "option name Debug Log File type string default <empty>",
            "option name SyzygyPath type string default <empty>",
            "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
            "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
            "option name Syzygy50MoveRule type check default true",
            "option name EvalFile type string default <empty>",
            &format!(
                "option name UCI_EngineAbout type string default {}",
                about()
            ),
            "option name Clear Hash type button",
        ]
    );
}

#[test]
fn the_present_value_is_the_default_for_a_gui() {
    let mut options = Options {
        hash: 256,
        ..Options::default()
    };
    options.set("ponder", Some("true")).unwrap();
    let line = |name| Spec::find(name).unwrap().uci_line(&options);
    assert_eq!(
        line("Hash"),
        "option name Hash type spin default 256 min 1 max 33554432"
    );
    assert_eq!(line("Ponder"), "option name Ponder type check default true");
}

#[test]
fn every_option_finds_its_field_and_tells_its_effect() {
    let mut options = Options::default();
    for (name, value, effect) in [
        ("Hash", "64", Effect::ResizeHash),
        ("Threads", "4", Effect::SetThreads),
        ("Move Overhead", "100", Effect::None),
        ("MultiPV", "3", Effect::None),
        ("Ponder", "true", Effect::None),
        ("UCI_Chess960", "true", Effect::None),
        ("UCI_ShowWDL", "true", Effect::None),
        ("UCI_LimitStrength", "true", Effect::ClearHash),
        ("UCI_Elo", "1800", Effect::ClearHash),
        ("UCI_AnalyseMode", "true", Effect::None),
        ("UCI_Opponent", "GM 2800 human Some Body", Effect::None),
        ("Debug Log File", "a b.log", Effect::OpenLog),
        ("SyzygyPath", "/my tables:/more", Effect::OpenTables),
        ("SyzygyProbeDepth", "100", Effect::None),
        ("SyzygyProbeLimit", "0", Effect::None),
        ("Syzygy50MoveRule", "false", Effect::ClearHash),
        ("EvalFile", "a.nnue", Effect::LoadNetwork),
        ("UCI_EngineAbout", "whatever", Effect::None),
        ("Clear Hash", "", Effect::ClearHash),
    ] {
        assert_eq!(options.set(name, Some(value)), Ok(effect), "{name}");
    }
    let expected = Options {
        hash: 64,
        threads: 4,
        move_overhead: Duration::from_millis(100),
        multi_pv: 3,
        ponder: true,
        chess960: true,
        show_wdl: true,
        limit_strength: true,
        rating: 1800,
        analyse_mode: true,
        opponent: "GM 2800 human Some Body".into(),
        debug_log: "a b.log".into(),
        syzygy_path: "/my tables:/more".into(),
        syzygy_depth: 100,
        syzygy_limit: 0,
        syzygy_fifty_moves: false,
        eval_file: "a.nnue".into(),
    };
    assert_eq!(options, expected);
    assert_eq!(options.set("clear hash", None), Ok(Effect::ClearHash));
    assert_eq!(options, expected);
}

#[test]
fn names_without_case_and_values_without_blanks() {
    let mut options = Options::default();
    options.set("  mOVE \t OVERHEAD ", Some(" 7 ")).unwrap();
    assert_eq!(options.move_overhead, Duration::from_millis(7));
    options.set("ponder", Some(" TRUE")).unwrap();
    assert!(options.ponder);
    options.set("PONDER", Some("False")).unwrap();
    assert!(!options.ponder);
}

/// Refused values are explained and change nothing.
#[test]
fn refused_values() {
    let mut options = Options::default();
    for (name, value, complaint) in [
        (
            "hash",
            Some("0"),
            "option 'Hash' takes a whole number from 1 to 33554432, not '0'",
        ),
        (
            "Hash",
            Some("33554433"),
            "option 'Hash' takes a whole number from 1 to 33554432, not '33554433'",
        ),
        (
            "Hash",
            Some("much"),
            "option 'Hash' takes a whole number from 1 to 33554432, not 'much'",
        ),
        (
            "Hash",
            Some(" "),
            "option 'Hash' needs a value: a whole number from 1 to 33554432",
        ),
        (
            "Hash",
            None,
            "option 'Hash' needs a value: a whole number from 1 to 33554432",
        ),
        (
            "MultiPV",
            Some("99999999999999999999"),
            "option 'MultiPV' takes a whole number from 1 to 500, not '99999999999999999999'",
        ),
        (
            "SyzygyProbeDepth",
            Some("0"),
            "option 'SyzygyProbeDepth' takes a whole number from 1 to 100, not '0'",
        ),
        (
            "SyzygyProbeLimit",
            Some("8"),
            "option 'SyzygyProbeLimit' takes a whole number from 0 to 7, not '8'",
        ),
        (
            "Syzygy50MoveRule",
            Some("yes"),
            "option 'Syzygy50MoveRule' takes true or false, not 'yes'",
        ),
        (
            "Ponder",
            Some("maybe"),
            "option 'Ponder' takes true or false, not 'maybe'",
        ),
        (
            "Ponder",
            None,
            "option 'Ponder' needs a value: true or false",
        ),
    ] {
        assert_eq!(options.set(name, value).unwrap_err().to_string(), complaint);
    }
    assert_eq!(options, Options::default());
}

#[test]
fn unknown_names_get_the_nearest_right_one() {
    let complaint = |name| {
        Options::default()
            .set(name, Some("1"))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        complaint("Hahs"),
        "unknown option 'Hahs', did you mean 'Hash'?"
    );
    assert_eq!(
        complaint("MoveOverhead"),
        "unknown option 'MoveOverhead', did you mean 'Move Overhead'?"
    );
    assert_eq!(
        complaint("multi pv"),
        "unknown option 'multi pv', did you mean 'MultiPV'?"
    );
    assert_eq!(
        complaint("chess960"),
        "unknown option 'chess960', did you mean 'UCI_Chess960'?"
    );
    assert_eq!(complaint("Contempt"), "unknown option 'Contempt'");
    assert_eq!(complaint(""), "unknown option ''");
}

/// No two options can be confused, and all of them read well.
#[test]
fn the_table_is_sound() {
    for (i, spec) in TABLE.iter().enumerate() {
        let found = Spec::find(spec.name).unwrap();
        assert!(
            std::ptr::eq(found, spec),
            "{} is twice in the table",
            spec.name
        );
        assert!(std::ptr::eq(Spec::find(&spec.key()).unwrap(), &TABLE[i]));
        assert!(
            spec.help.ends_with('.'),
            "the help of {} is no sentence",
            spec.name
        );
        for word in spec.name.to_lowercase().split(' ') {
            assert!(
                !word.starts_with("value") && word != "name",
                "UCI forbids {}",
                spec.name
            );
        }
        if let Kind::Spin { range, get, .. } = &spec.kind {
            assert!(
                range.contains(&get(&Options::default())),
                "the default of {}",
                spec.name
            );
        }
    }
}

/// Inner blanks belong to the text; none, and what UCI writes for none, empty it.
#[test]
fn strings() {
    let mut options = Options::default();
    let spec = Spec::find("debug log file").unwrap();
    spec.apply(&mut options, Some(" C:\\My Games\\a  b.log "))
        .unwrap();
    assert_eq!(options.debug_log, "C:\\My Games\\a  b.log");
    assert_eq!(
        spec.uci_line(&options),
        "option name Debug Log File type string default C:\\My Games\\a  b.log"
    );
    for empty in [None, Some(""), Some("<empty>")] {
        spec.apply(&mut options, Some("x")).unwrap();
        spec.apply(&mut options, empty).unwrap();
        assert_eq!(options.debug_log, "");
    }
}

/// The README lists every option as the table has it. When this fails, its right side is what
/// to write there.
#[test]
fn the_readme_is_the_table() {
    const HEAD: &str = "| option | takes | default | |\n|---|---|---|---|\n";
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let (_, table) = readme.split_once(HEAD).expect("the head of the table");
    let (table, _) = table.split_once("\n\n").unwrap_or((table, ""));

    let defaults = Options::default();
    let mut expected = String::new();
    for Spec {
        name, kind, help, ..
    } in TABLE
    {
        let default = match kind {
            Kind::Check { get, .. } => get(&defaults).to_string(),
            Kind::Spin { get, .. } => get(&defaults).to_string(),
            Kind::String { .. } => "empty".into(),
            Kind::Note(_) | Kind::Button | Kind::Parameter(_) => String::new(),
        };
        expected += &format!("| `{name}` | {kind} | {default} | {help} |\n");
    }
    assert_eq!(table.trim_end(), expected.trim_end(), "\n{expected}");
}
