//! Lines that GUIs, bots and people send, and what the engine understands.

use prelate::uci::command::{Command, Go, GoFault, Start};
use prelate::uci::parse::{ParseError, parse};
use proptest::prelude::*;

use super::support::properties;

/// The command of a line that has one and is understood.
#[track_caller]
fn command(line: &str) -> Command {
    parse(line.as_bytes())
        .expect("a good line")
        .expect("a command")
}

#[track_caller]
fn go(line: &str) -> Go {
    match command(line) {
        Command::Go(go) => go,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn position(line: &str) -> (Start, Vec<String>) {
    match command(line) {
        Command::Position { start, moves } => (start, moves),
        other => panic!("{other:?}"),
    }
}

/// What the user is told about a line.
#[track_caller]
fn complaint(line: &str) -> String {
    parse(line.as_bytes()).expect_err("a bad line").to_string()
}

fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption {
        name: name.into(),
        value: value.map(str::to_owned),
    }
}

#[test]
fn commands_of_one_word() {
    for (line, expected) in [
        ("uci", Command::Uci),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("exit", Command::Quit),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("d", Command::Display),
        ("eval", Command::Eval { all: false }),
        ("eval all", Command::Eval { all: true }),
        ("flip", Command::Flip),
        ("compiler", Command::Compiler),
        ("speedtest 2", Command::Speedtest(vec!["2".into()])),
        ("help", Command::Help),
        ("bench", Command::Bench(vec![])),
        ("bench 12  4", Command::Bench(vec!["12".into(), "4".into()])),
    ] {
        assert_eq!(command(line), expected, "{line}");
        assert_eq!(
            command(&format!("\t {line} \r\n")),
            expected,
            "{line} between blanks"
        );
    }
    assert_eq!(complaint("debug"), "debug: expected 'on' or 'off'");
}

#[test]
fn blank_lines_are_no_command() {
    for line in ["", " ", "\r\n", "\t\0 \n", "\u{feff}", "\u{feff}  \n"] {
        assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(command("joho debug on"), Command::Debug(true));
    assert_eq!(
        command("please, engine:  go depth 3"),
        command("go depth 3")
    );
    // Words that only begin like a command are unknown, too.
    assert_eq!(
        complaint("isreadyplease"),
        "Unknown command: 'isreadyplease'. Did you mean 'isready'?"
    );
    // Arena tries this first, and goes on to UCI by itself.
    assert_eq!(parse(b"xboard\n"), Ok(None));
    assert_eq!(
        complaint(" protover 2"),
        "Unknown command: 'protover'. Type 'help' for the list."
    );
}

#[test]
fn odd_bytes() {
    assert_eq!(parse(b"\xef\xbb\xbfuci\r\n"), Ok(Some(Command::Uci)));
    assert_eq!(parse(b"isready\0\0\n"), Ok(Some(Command::IsReady)));
    assert_eq!(parse("go\u{a0}infinite".as_bytes()), parse(b"go infinite"));
    // Latin-1, as Cutechess sends the names of players.
    assert_eq!(
        parse(b"setoption name UCI_Opponent value none none human J\xf6rg"),
        Ok(Some(set(
            "UCI_Opponent",
            Some("none none human J\u{fffd}rg")
        )))
    );
    assert!(matches!(
        parse(b"\xff\xfe\x80"),
        Err(ParseError::UnknownCommand { .. })
    ));
}

// What vampirc-uci 0.11.1 panics on, misreads or refuses, one test each.

#[test]
fn gap_blank_after_go() {
    assert_eq!(go("go "), Go::default());
    assert_eq!(
        go("go depth 5 "),
        Go {
            depth: Some(5),
            ..Go::default()
        }
    );
}

#[test]
fn gap_numbers_from_256() {
    for number in [255, 256, 999, 1000, 123_456] {
        let expected = Some(number);
        assert_eq!(go(&format!("go depth {number}")).depth, expected);
        assert_eq!(go(&format!("go mate {number}")).mate, expected);
        assert_eq!(
            go(&format!("go movestogo {number} wtime 9")).movestogo,
            expected
        );
    }
}

#[test]
fn gap_ponder_with_clocks() {
    let expected = Go {
        ponder: true,
        wtime: Some(1000),
        btime: Some(2000),
        winc: Some(10),
        binc: Some(20),
        ..Go::default()
    };
    assert_eq!(
        go("go ponder wtime 1000 btime 2000 winc 10 binc 20"),
        expected
    );
    assert_eq!(
        go("go wtime 1000 btime 2000 winc 10 binc 20 ponder"),
        expected
    );
}

#[test]
fn gap_infinite_or_movetime_with_clocks() {
    let clocks = Go {
        wtime: Some(1000),
        btime: Some(2000),
        ..Go::default()
    };
    assert_eq!(
        go("go infinite wtime 1000 btime 2000"),
        Go {
            infinite: true,
            ..clocks.clone()
        }
    );
    assert_eq!(
        go("go movetime 5 wtime 1000 btime 2000"),
        Go {
            movetime: Some(5),
            ..clocks
        }
    );
}

#[test]
fn gap_fen_of_four_or_five_fields() {
    let four = "4k3/8/8/8/8/8/8/4K3 w - -";
    for fen in [four.to_owned(), format!("{four} 0"), format!("{four} 0 1")] {
        let start = Start::Fen(fen.clone());
        assert_eq!(
            position(&format!("position fen {fen}")),
            (start.clone(), vec![])
        );
        let moves = vec!["e1e2".to_owned()];
        assert_eq!(
            position(&format!("position fen {fen} moves e1e2")),
            (start, moves)
        );
    }
    assert_eq!(
        complaint("position fen 8/8/8/8/8/8/8/8 w -"),
        "position: a FEN has 4 to 6 fields, not 3"
    );
    assert_eq!(
        complaint(&format!("position fen {four} 0 1 e1e2")),
        "position: a FEN has 4 to 6 fields, not 7"
    );
    assert_eq!(
        complaint("position fen"),
        "position: a FEN has 4 to 6 fields, not 0"
    );
}

#[test]
fn gap_shredder_fen() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    assert_eq!(
        position(&format!("position fen {fen}")).0,
        Start::Fen(fen.into())
    );
}

#[test]
fn gap_searchmoves_0000() {
    assert_eq!(go("go searchmoves 0000").searchmoves, ["0000"]);
}

#[test]
fn gap_blanks_after_moves() {
    let expected = (Start::Startpos, vec!["e2e4".to_owned(), "e7e5".to_owned()]);
    assert_eq!(position("position startpos moves  e2e4 \t e7e5 "), expected);
    assert_eq!(position(" position  startpos  moves e2e4 e7e5"), expected);
    assert_eq!(
        position("position startpos moves"),
        (Start::Startpos, vec![])
    );
    assert_eq!(position("position startpos "), (Start::Startpos, vec![]));
}

#[test]
fn gap_moves_are_passed_on_as_they_are() {
    let (_, moves) = position("position startpos moves e2e4 nonsense e7e8k g1f3");
    assert_eq!(moves, ["e2e4", "nonsense", "e7e8k", "g1f3"]);
}

#[test]
fn gap_blanks_after_an_option_value() {
    assert_eq!(
        command("setoption name Hash value 64 \t\r\n"),
        set("Hash", Some("64"))
    );
}

#[test]
fn gap_debug_with_words_like_on_and_off() {
    for line in ["debug only", "debug offline", "debug maybe"] {
        assert_eq!(complaint(line), "debug: expected 'on' or 'off'");
    }
}

#[test]
fn gap_option_names_like_value() {
    assert_eq!(
        complaint("setoption name Bishop ValueMg value 300"),
        "setoption: 'ValueMg' cannot be in an option's name"
    );
    assert_eq!(
        complaint("setoption name Hash value=64"),
        "setoption: 'value=64' cannot be in an option's name"
    );
    // After `value` such a word is part of the value.
    assert_eq!(
        command("setoption name A value valued"),
        set("A", Some("valued"))
    );
}

#[test]
fn options_with_blanks_and_without_value() {
    assert_eq!(
        command("setoption name Clear Hash"),
        set("Clear Hash", None)
    );
    assert_eq!(
        command("setoption name SyzygyPath value"),
        set("SyzygyPath", None)
    );
    assert_eq!(
        command("setoption name SyzygyPath value  "),
        set("SyzygyPath", None)
    );
    assert_eq!(
        command("setoption  name  Move Overhead  value  100"),
        set("Move Overhead", Some("100"))
    );
    assert_eq!(
        command(r"setoption name SyzygyPath value C:\my  tables;D:\more"),
        set("SyzygyPath", Some(r"C:\my  tables;D:\more"))
    );
    for line in [
        "setoption",
        "setoption name",
        "setoption name value 3",
        "setoption Hash value 3",
    ] {
        assert_eq!(
            complaint(line),
            "setoption: expected 'name NAME' and perhaps 'value VALUE'"
        );
    }
}

fn unknown(word: &str) -> GoFault {
    GoFault::UnknownWord(word.into())
}

#[test]
fn go_takes_its_words_in_any_order() {
    let all = Go {
        wtime: Some(1),
        btime: Some(2),
        winc: Some(3),
        binc: Some(4),
        movestogo: Some(5),
        movetime: Some(6),
        depth: Some(7),
        nodes: Some(8),
        mate: Some(9),
        perft: Some(10),
        infinite: true,
        ponder: true,
        searchmoves: vec!["e2e4".into(), "d2d4".into()],
        faults: vec![],
    };
    let words = "wtime 1,btime 2,winc 3,binc 4,movestogo 5,movetime 6,depth 7,nodes 8,mate 9,\
        perft 10,infinite,ponder,searchmoves e2e4 d2d4";
    let mut words: Vec<_> = words.split(',').collect();
    for _ in 0..words.len() {
        words.rotate_left(1);
        assert_eq!(go(&format!("go {}", words.join(" "))), all, "{words:?}");
    }
    assert_eq!(
        go("go quickly depth 3 plies"),
        Go {
            depth: Some(3),
            faults: ["quickly", "plies"].map(unknown).into(),
            ..Go::default()
        }
    );
}

#[test]
fn searchmoves_end_at_the_next_word_of_go() {
    let expected = Go {
        searchmoves: vec!["e2e4".into(), "d2d4".into()],
        depth: Some(5),
        ..Go::default()
    };
    assert_eq!(go("go searchmoves e2e4 d2d4 depth 5"), expected.clone());
    assert_eq!(
        go("go searchmoves e2e4 d2d4 depth 5 e7e5"),
        Go {
            faults: vec![unknown("e7e5")],
            ..expected
        }
    );
    assert_eq!(go("go searchmoves"), Go::default());
}

#[test]
fn numbers_of_go() {
    assert_eq!(go("go wtime -250 btime +10").wtime, Some(-250));
    assert_eq!(go("go btime +10").btime, Some(10));
    // Too large or too small: the nearest value that the field can hold.
    let huge = "9".repeat(40);
    assert_eq!(go(&format!("go wtime {huge}")).wtime, Some(i64::MAX));
    assert_eq!(go(&format!("go wtime -{huge}")).wtime, Some(i64::MIN));
    assert_eq!(go(&format!("go depth {huge}")).depth, Some(u32::MAX));
    assert!(go(&format!("go nodes {huge}")).nodes >= Some(i64::MAX as u64));
    assert_eq!(
        go("go movetime -5 movestogo -1"),
        go("go movetime 0 movestogo 0")
    );

    // Programs that calculate with fractions.
    assert_eq!(go("go depth 5.0"), go("go depth 5"));
    assert_eq!(go("go nodes 1e6"), go("go nodes 1000000"));
    assert_eq!(go("go wtime 1000.9").wtime, Some(1000));
}

/// What of a `go` cannot be read is told, and the rest counts.
#[test]
fn faults_of_go() {
    for (line, good, fault) in [
        (
            "go depth five",
            "go",
            "'depth' needs a whole number, not 'five'",
        ),
        (
            "go wtime 1000.5",
            "go wtime 1000",
            "'wtime' needs a whole number, using 1000 for '1000.5'",
        ),
        (
            "go infinite depth btime 5",
            "go infinite btime 5",
            "'depth' needs a whole number",
        ),
        (
            "go movetime - nodes 7",
            "go nodes 7",
            "'movetime' needs a whole number, not '-'",
        ),
        (
            "go wtime 1 btime 2 winc",
            "go wtime 1 btime 2",
            "'winc' needs a whole number",
        ),
        (
            "go depth 3 depth x",
            "go depth 3",
            "'depth' needs a whole number, not 'x'",
        ),
        ("go bananas", "go", "'bananas' is not a word of go"),
    ] {
        let go = go(line);
        let faults: Vec<_> = go.faults.iter().map(GoFault::to_string).collect();
        assert_eq!(faults, [fault], "{line}");
        let read = Go {
            faults: vec![],
            ..go
        };
        assert_eq!(Command::Go(read), command(good), "{line}");
    }
}

#[test]
fn positions_that_are_none() {
    assert_eq!(
        complaint("position"),
        "position: expected 'startpos' or 'fen'"
    );
    assert_eq!(
        complaint("position moves e2e4"),
        "position: expected 'startpos' or 'fen', found 'moves'"
    );
    assert_eq!(
        complaint("position startpos e2e4"),
        "position: expected 'moves', found 'e2e4'"
    );
}

/// Lines that are almost right, since bytes by chance seldom are.
fn almost_a_line() -> impl Strategy<Value = String> {
    let words = "uci isready ucinewgame stop ponderhit quit debug on off setoption name value Value \
        valué position startpos fen moves e2e4 e7e8k 0000 go depth mate movestogo wtime searchmoves \
        ponder infinite 256 -1 99999999999999999999 4k3/8/8/8/8/8/8/4K3 w - HAha Hash é \u{feff}";
    let word = prop::sample::select(words.split(' ').collect::<Vec<_>>());
    let blank = prop::sample::select(vec![" ", "  ", "\t", "\0", "\r", "\n", "\u{2028}", ""]);
    prop::collection::vec((word, blank), 0..12).prop_map(|pairs| {
        pairs
            .into_iter()
            .flat_map(|(word, blank)| [word, blank])
            .collect()
    })
}

proptest! {
    #![proptest_config(properties(2000))]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn no_words_make_it_panic(line in almost_a_line()) {
        let _ = parse(line.as_bytes());
    }

    #[test]
    fn blanks_do_not_matter(
        words in prop::collection::vec("[a-z0-9]{1,8}", 1..8),
        blank in "[ \t\0\r]{1,3}",
    ) {
        let tidy = format!("go {}", words.join(" "));
        let untidy = format!("{blank}go{blank}{}{blank}\n", words.join(&blank));
        prop_assert_eq!(parse(tidy.as_bytes()), parse(untidy.as_bytes()));
    }
}
