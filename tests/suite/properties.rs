//! What holds for every input, tried on many by chance: FENs, games as move lists, conversations
//! and configuration files.
//!
//! The inputs are the same on every run, unless `PRELATE_PROOF` names how many times as many are
//! to be tried, other ones each time. Those that failed once are kept in `proptest-regressions`
//! and tried first.

use std::path::Path;

use prelate::engine::config::read;
use prelate::engine::options::{Kind, Options, TABLE};
use prelate::engine::{Engine, PositionError};
use prelate::movegen::notation::{self, Uci};
use prelate::movegen::{count, legal};
use prelate::position::Position;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::Config;

use super::driver::Driver;
use super::support::properties;

/// Any board with two kings on it, men that stand anywhere, and fields that may not fit them.
fn fen() -> impl Strategy<Value = String> {
    let men = prop::collection::vec((0..64_usize, select(b"PNBRQpnbrqppPP".to_vec())), 0..31);
    let castling = select(vec!["-", "-", "KQkq", "Kq", "HAha", "Gb", "k"]);
    let passed = select(vec!["-", "-", "-", "a3", "d6", "e3", "h6"]);
    let clocks = (0..300_u16, 0..300_u16);
    (
        0..64_usize,
        0..64_usize,
        men,
        any::<bool>(),
        castling,
        passed,
        clocks,
    )
        .prop_map(
            |(white, black, men, side, castling, passed, (halfmoves, fullmoves))| {
                let mut board = [b'1'; 64];
                for (square, man) in men {
                    board[square] = man;
                }
                board[white] = b'K';
                board[black] = b'k';
                let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
                let side = if side { 'w' } else { 'b' };
                format!(
                    "{} {side} {castling} {passed} {halfmoves} {fullmoves}",
                    ranks.join("/")
                )
            },
        )
}

proptest! {
    #![proptest_config(properties(4000))]

    /// A FEN is refused, or it is a position whose moves lead to positions that can be written
    /// and read again.
    #[test]
    fn positions_stay_positions(fen in fen(), choices in prop::collection::vec(any::<usize>(), 0..20)) {
        let Ok(mut position) = fen.parse::<Position>() else {
            return Ok(());
        };
        for choice in choices {
            let again: Position = position.to_string().parse().expect("own FEN");
            prop_assert_eq!(again.to_string(), position.to_string());
            prop_assert_eq!(again.key(), position.key());
            prop_assert_eq!(count(&again), count(&position));
            let moves = legal(&position);
            prop_assert_eq!(moves.len(), count(&position));
            if moves.is_empty() {
                break;
            }
            let before = position.clone();
            for &mv in &moves {
                let undo = position.make(mv);
                position.unmake(&undo);
                prop_assert_eq!(&position, &before);
            }
            position.make(moves[choice % moves.len()]);
        }
    }

    /// A list of moves is played whole, or refused at its first wrong move, and then the position
    /// before it stays.
    #[test]
    fn games_are_played_whole_or_not_at_all(
        choices in prop::collection::vec(any::<usize>(), 0..60),
        wrong in prop::option::of((any::<usize>(), "[a-h][1-8][a-h][1-8][qn]?|0000|[!-~]{1,6}")),
    ) {
        let mut position = Position::default();
        let mut moves = Vec::new();
        let mut positions = vec![position.clone()];
        for choice in choices {
            let legal = legal(&position);
            if legal.is_empty() {
                break;
            }
            let mv = legal[choice % legal.len()];
            moves.push(Uci { mv, chess960: choice % 2 == 0 }.to_string());
            position.make(mv);
            positions.push(position.clone());
        }
        let mut engine = small_engine();
        prop_assert_eq!(engine.set_position(None, &moves), Ok(()));
        prop_assert_eq!(engine.position(), &position);
        let Some((place, text)) = wrong else {
            return Ok(());
        };
        let place = place % positions.len();
        if notation::parse(&positions[place], &text).is_some() {
            return Ok(());
        }
        moves.insert(place, text);
        match engine.set_position(None, &moves) {
            Err(PositionError::Move { number, .. }) => prop_assert_eq!(number, place + 1),
            other => prop_assert!(false, "{:?}", other),
        }
        prop_assert_eq!(engine.position(), &position);
    }

    /// Every line of a file is a setting, a problem, or nothing; good ones count whatever stands
    /// around them.
    #[test]
    fn configuration_files(lines in prop::collection::vec(config_line(), 0..12)) {
        let text = lines.join("\n");
        let (options, problems) = read(&text, Path::new("engine.toml"));
        for spec in TABLE {
            match &spec.kind {
                Kind::Spin { range, get, .. } => prop_assert!(range.contains(&get(&options))),
                _ => prop_assert!(!spec.uci_line(&options).contains(char::is_control)),
            }
        }
        for problem in problems {
            let text = problem.to_string();
            prop_assert!(!text.contains(char::is_control), "{:?}", text);
            let line = problem.line.expect("each problem has its line");
            prop_assert!((1..=lines.len()).contains(&line), "{}", problem);
        }
        // A good line behind all others counts, unless one of them set the same.
        if !text.contains("overhead") {
            let (options, _) = read(&format!("{text}\nmove_overhead = 77"), Path::new("x"));
            prop_assert_eq!(options.move_overhead.as_millis(), 77);
        }
    }
}

/// An engine that costs little to make.
fn small_engine() -> Engine {
    Engine::new(Options {
        hash: 1,
        ..Options::default()
    })
}

/// A line of `engine.toml`, good or not so good.
fn config_line() -> impl Strategy<Value = String> {
    let keys: Vec<_> = TABLE.iter().map(|spec| spec.key()).collect();
    let key = prop_oneof![select(keys), "[a-z_]{1,8}", "[!-~]{0,8}"];
    let value = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (0..300_i64).prop_map(|number| number.to_string()),
        any::<bool>().prop_map(|on| on.to_string()),
        "\"[ -~]{0,12}\"",
        "[ -~]{0,12}",
    ];
    prop_oneof![
        8 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => "[ -~]{0,20}",
        1 => Just(String::new()),
    ]
}

/// A line of a conversation: nothing that takes long by itself, all that may meet anything else.
fn line() -> impl Strategy<Value = &'static str> {
    select(vec![
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "stop",
        "ponderhit",
        "go infinite",
        "go ponder",
        "go ponder wtime 50 btime 50",
        "go wtime 50 btime 50 winc 1 binc 1",
        "go movetime 5",
        "go depth 3",
        "go nodes 500",
        "go mate 1 nodes 500",
        "go perft 2",
        "go depth x",
        "go bananas",
        "go movetime 12.5",
        "go wtime 50 btime 50 winc",
        "go depth 2 searchmoves Nf3 e2e5",
        "go depth 2 searchmoves 0000",
        "go depth 2 searchmoves e2e4 d2d4",
        "go infinite searchmoves a1b1 e7e5",
        "bench 1 1 1",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position startpos moves e2e4 e2e4",
        "position fen nonsense",
        "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 200 1",
        "setoption name Hash value 2",
        "setoption name Threads value 3",
        "setoption name Threads value 1",
        "setoption name MultiPV value 3",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Chess960 value false",
        "setoption name Clear Hash",
        "setoption name Nonsense",
        "flip",
        "d",
        "eval",
        "debug on",
        "nonsense",
        "",
    ])
}

proptest! {
    #![proptest_config(Config { max_shrink_iters: 200, ..properties(60) })]

    /// Whatever is said in whatever order, every search is answered once and by a legal move,
    /// which the driver sees, and the engine leaves as it should.
    #[test]
    fn conversations(lines in prop::collection::vec(line(), 1..25), quits in any::<bool>()) {
        let mut driver = Driver::start();
        lines.iter().for_each(|line| driver.send(line));
        if quits {
            driver.sync();
            driver.quit();
        } else {
            let (status, _) = driver.finish();
            prop_assert!(status.success(), "{}", status);
        }
    }
}
