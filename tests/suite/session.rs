//! Whole conversations with the binary. Every answer in them is held against the rules by the
//! [`Driver`]: one legal `bestmove` per `go`, a score before it, lines of play legal to their end.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use prelate::engine::options;
use prelate::movegen::notation::parse_uci;
use prelate::search::Level;

use super::driver::{Driver, number, prelate};

/// Castling on both sides and captures everywhere.
const KIWIPETE: &str =
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// White mates by Ra8 at once; Black is only a pawn short.
const MATE_IN_1: &str = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// A king and two rooks far from the king they mate.
const MATE_IN_2: &str = "position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
/// Castling is the best there is: all else loses the queen or the game.
const CASTLE: &str = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1";

#[test]
fn the_handshake() {
    let mut driver = Driver::start();
    driver.send("uci");
    let lines = driver.until(|line| line == "uciok");
    assert!(lines[0].starts_with("id name Prelate "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let (shown, rest) = lines[2..].split_at(options::all().count());
    assert!(rest[0].starts_with("info string evaluation: "), "{rest:?}");
    assert_eq!(rest[1..], ["uciok"]);
    for (line, spec) in shown.iter().zip(options::all()) {
        let start = format!("option name {} type ", spec.name);
        assert!(line.starts_with(&start), "{line}");
    }
    assert_eq!(driver.sync(), <[&str; 0]>::default());
    driver.quit();
}

/// With a pipe nothing is said before something is asked.
#[test]
fn silence_before_being_spoken_to() {
    let (status, lines) = Driver::start().finish();
    assert!(status.success());
    assert_eq!(lines, <[&str; 0]>::default());
}

/// A limit that is reached does not end a search that is to go on: its answer waits.
#[test]
fn an_answer_is_held_back() {
    for go in [
        "go infinite depth 1",
        "go infinite nodes 1",
        "go infinite mate 1",
        "go infinite movetime 1",
        "go infinite wtime 1 btime 1",
        "go ponder depth 1",
        "go ponder nodes 1",
        "go ponder movetime 1",
        "go ponder wtime 1 btime 1",
    ] {
        let mut driver = Driver::start();
        driver.send(MATE_IN_1);
        driver.send(go);
        driver.expect(|line| line.starts_with("info depth 1"));
        // Nothing tells that the search has come to its end: it must not show.
        sleep(Duration::from_millis(30));
        let lines = driver.sync();
        assert!(
            !lines.iter().any(|line| line.starts_with("bestmove")),
            "{go}: {lines:?}"
        );
        let release = if go.contains("ponder") {
            "ponderhit"
        } else {
            "stop"
        };
        driver.go(release);
        driver.quit();
    }
}

#[test]
fn quit_ends_everything_at_once() {
    for session in [
        "",
        "go infinite",
        "go ponder",
        "go depth 60",
        "go wtime 900000 btime 900000|go infinite",
        "go perft 9",
        "bench 40",
        "setoption name Threads value 4|go infinite",
    ] {
        let mut driver = Driver::start();
        session.split('|').for_each(|line| driver.send(line));
        driver.sync();
        driver.quit();
    }
}

/// People who do not know UCI leave by another word.
#[test]
fn exit_is_quit() {
    let mut driver = Driver::start();
    driver.send("go infinite");
    driver.send("exit");
    let (status, lines) = driver.finish();
    assert!(status.success());
    assert!(last_line(&lines).starts_with("bestmove"), "{lines:?}");
}

/// The best move that a position line and a go line lead to.
fn best(position: &str, go: &str) -> String {
    let mut driver = Driver::start();
    driver.send(position);
    let answer = driver.go(go).pop().unwrap_or_default();
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn best_moves() {
    for (position, go, expected) in [
        (MATE_IN_1, "go depth 3", "a1a8"),
        (MATE_IN_1, "go mate 1", "a1a8"),
        (MATE_IN_1, "go depth 3 searchmoves g1h1", "g1h1"),
        (MATE_IN_1, "go searchmoves g1h1 depth 3", "g1h1"),
        (MATE_IN_1, "go searchmoves 0000 depth 3", "a1a8"),
        (
            "position fen 8/8/8/8/8/7k/5q2/7K w - - 0 1",
            "go depth 3",
            "0000",
        ),
        (
            "position fen 7k/5Q2/6K1/8/8/8/8/8 b - -",
            "go depth 3",
            "0000",
        ),
    ] {
        assert_eq!(best(position, go), expected, "{position}, {go}");
    }
}

#[test]
fn searches_end_where_they_are_told_to() {
    let mut driver = Driver::start();
    let lines = driver.go("go depth 5");
    assert_eq!(number(&lines[lines.len() - 2], "depth"), Some(5));

    let lines = driver.go("go nodes 3000");
    assert!(number(&lines[lines.len() - 2], "nodes").is_some_and(|nodes| nodes <= 3000));

    driver.send(MATE_IN_2);
    let lines = driver.go("go mate 2");
    assert!(
        lines[lines.len() - 2].contains(" score mate 2 "),
        "{lines:?}"
    );
    driver.quit();
}

#[test]
fn several_lines_are_ordered_and_complete() {
    for (position, wanted) in [("position startpos", 4), (KIWIPETE, 5), (MATE_IN_1, 300)] {
        let mut driver = Driver::start();
        driver.send("setoption name MultiPV value 500");
        driver.send(position);
        let moves = prelate::movegen::legal(driver.game().position()).len();
        let wanted = moves.min(wanted);
        driver.send(&format!("setoption name MultiPV value {wanted}"));
        let lines = driver.go("go depth 4");
        let end = lines.len() - 1;
        let last = &lines[end - wanted..end];
        let mut firsts = Vec::new();
        let mut scores = Vec::new();
        for (rank, line) in (1..).zip(last) {
            assert_eq!(number(line, "multipv"), Some(rank), "{last:#?}");
            let (_, pv) = line.split_once(" pv ").expect("a line of play");
            firsts.push(pv.split(' ').next().unwrap_or_default());
            scores.push(centipawns(line));
        }
        assert!(scores.is_sorted_by(|a, b| a >= b), "{last:#?}");
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), wanted, "{last:#?}");
        driver.quit();
    }
}

/// The score of an `info` line, with every mate beyond all centipawns.
fn centipawns(line: &str) -> i64 {
    let mate = |moves: i64| {
        if moves > 0 {
            100_000 - moves
        } else {
            -100_000 - moves
        }
    };
    number(line, "cp")
        .or_else(|| number(line, "mate").map(mate))
        .expect("a score")
}

#[test]
fn the_end_of_a_game_has_a_score() {
    for (position, score) in [
        (
            "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            " score mate 0 ",
        ),
        (
            "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            " score cp 0 ",
        ),
        (
            "position startpos moves f2f3 e7e5 g2g4 d8h4",
            " score mate 0 ",
        ),
    ] {
        let mut driver = Driver::start();
        driver.send(position);
        let lines = driver.go("go movetime 100");
        let [.., info, last] = &lines[..] else {
            panic!("{lines:?}")
        };
        assert!(info.contains(score), "{info}");
        assert_eq!(last, "bestmove 0000");
    }
}

/// A line that is partly wrong is refused whole: the fault is named, and the position stays.
#[test]
fn bad_positions() {
    for (line, fault) in [
        ("position", "expected 'startpos' or 'fen'"),
        ("position startpos e2e4", "expected 'moves', found 'e2e4'"),
        ("position fen 8/8/8/8", "4 to 6 fields"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen kk6/8/8/8/8/8/8/K7 w - - 0 1", "king"),
        ("position fen k7/8/8/8/8/8/8/KQ5R1 w - - 0 1", "rank"),
        ("position fen kR6/8/8/8/8/8/8/K7 w - - 0 1", "check"),
        ("position fen k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn"),
        ("position fen k7/8/8/8/8/8/8/K7 w KQ - 0 1", "rook"),
        ("position fen k7/8/8/8/8/8/8/K7 x - - 0 1", "'x'"),
        ("position startpos moves e2e4 e2e4", "move 2, 'e2e4'"),
        (
            "position startpos moves e2e4 e7e5 nonsense g1f3",
            "move 3, 'nonsense'",
        ),
        (
            "position fen 8/4P3/8/8/8/8/k7/7K w - - moves e7e8k",
            "move 1, 'e7e8k'",
        ),
        (
            "position fen 8/4P3/8/8/8/8/k7/7K w - - moves e7e8",
            "move 1, 'e7e8'",
        ),
        ("position startpos moves 0000", "move 1, '0000'"),
    ] {
        let mut driver = Driver::start();
        driver.send(MATE_IN_1);
        let said = driver.ask(line);
        let [info] = &said[..] else {
            panic!("{line}: {said:?}")
        };
        assert!(info.starts_with("info string position"), "{line}: {info}");
        assert!(info.contains(fault), "{line}: {info}");
        let answer = driver.go("go depth 3").pop().unwrap_or_default();
        assert!(answer.starts_with("bestmove a1a8"), "{line}: {answer}");
        driver.quit();
    }
}

/// What waits for the end of a search is said to who debugs, or sits at a terminal.
#[test]
fn what_waits_is_told() {
    let mut driver = Driver::start();
    driver.send("go infinite");
    assert_eq!(strings(driver.ask("d")), <[&str; 0]>::default());
    driver.send("debug on");
    let news = "info string still searching: this waits for the end, or for 'stop'";
    assert_eq!(strings(driver.ask("eval")), [news]);
    driver.send("stop");
    driver.answer();
    driver.send("go perft 9");
    let news = "info string still counting: this waits for the end, or for 'stop'";
    assert_eq!(strings(driver.ask("d")), [news]);
    driver.send("stop");
    driver.expect(|line| line.starts_with("Legal moves"));
    // Makes room by itself for the next search.
    driver.send("go infinite");
    driver.send("go depth 1");
    let said = [driver.answer(), driver.answer()].concat();
    assert_eq!(strings(said), <[&str; 0]>::default());
    driver.quit();
}

/// The `info string` lines among what was said.
fn strings(mut lines: Vec<String>) -> Vec<String> {
    lines.retain(|line| line.starts_with("info string "));
    lines
}

/// Commands for people and tools, and what their answers have to say.
#[test]
fn questions() {
    for (setup, question, expected) in [
        (
            "position startpos",
            "d",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        ("position startpos", "d", "Legal moves (20)"),
        ("position startpos", "d", "Game over: no"),
        (
            "position fen k7/8/8/8/8/8/8/KBB5 w - - 0 1",
            "d",
            "Game over: no",
        ),
        (
            "position fen k7/8/8/8/8/B7/8/K1B5 w - - 0 1",
            "d",
            "dead position",
        ),
        (
            "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "d",
            "stalemate",
        ),
        (
            "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "d",
            "checkmate",
        ),
        (
            "position fen 7k/8/8/8/8/8/R7/K7 w - - 100 90",
            "d",
            "fifty-move rule",
        ),
        (
            "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
            "d",
            "threefold repetition",
        ),
        (
            "setoption name UCI_Chess960 value true",
            "d",
            " w HAha - 0 1",
        ),
        ("position startpos moves e2e4", "compiler", "rustc 1."),
        (
            "position startpos",
            "speedtest 0",
            "'0' is not a number from 1 to 1024",
        ),
        ("position startpos", "help", "position startpos moves e4"),
        ("position startpos", "hepl", "Did you mean 'help'?"),
        ("position startpos", "help", "Hash"),
        ("position startpos", "eval", "."),
        (
            "debug on",
            "setoption name Hash value 3",
            "info string Hash = 3",
        ),
        (
            "debug off",
            "nonsense",
            "info string Unknown command: 'nonsense'",
        ),
        (
            "position startpos",
            "setoption name Hush value 3",
            "did you mean 'Hash'?",
        ),
        (
            "position startpos",
            "setoption name Hash value 0",
            "from 1 to 33554432",
        ),
        ("position startpos", "bench 0", "'0' is not a number"),
    ] {
        let mut driver = Driver::start();
        assert_eq!(driver.ask(setup), <[&str; 0]>::default(), "{setup}");
        let lines = driver.ask(question);
        assert!(
            lines.iter().any(|line| line.contains(expected)),
            "{setup}, {question}: {lines:#?}"
        );
        driver.quit();
    }
}

/// What the lines of a counting task end with, empty ones left out.
fn last_line(lines: &[String]) -> &str {
    lines
        .iter()
        .rev()
        .map(String::as_str)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
}

#[test]
fn perft_and_bench_during_a_session() {
    let mut driver = Driver::start();
    driver.send("go perft 4");
    driver.send("bench 1");
    let perft = driver.until(|line| line.starts_with("Nodes searched"));
    assert_eq!(last_line(&perft), "Nodes searched: 197281");
    assert_eq!(perft.iter().filter(|line| line.contains(": ")).count(), 21);
    let bench = driver.until(|line| line.ends_with(" nps"));
    assert_eq!(
        signature(last_line(&bench)),
        signature(last_line(&tool("bench 1").0))
    );
    driver.quit();
}

/// What a tool prints, what it complains of, and whether it was content.
fn tool(arguments: &str) -> (Vec<String>, String, bool) {
    let (mut command, folder) = prelate();
    command.args(arguments.split(' ')).stdin(Stdio::null());
    let output = command.output().expect("the binary runs");
    let _ = fs::remove_dir(folder);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        text(output.stdout).lines().map(str::to_owned).collect(),
        text(output.stderr),
        output.status.success(),
    )
}

/// The nodes of `N nodes M nps`.
fn signature(line: &str) -> u64 {
    match line.split(' ').collect::<Vec<_>>()[..] {
        [nodes, "nodes", speed, "nps"] if speed.parse::<u64>().is_ok() => nodes.parse().ok(),
        _ => None,
    }
    .unwrap_or_else(|| panic!("'{line}' is not N nodes M nps"))
}

#[test]
fn tools_on_the_command_line() {
    let (lines, _, content) = tool("perft 4");
    assert!(content);
    assert_eq!(last_line(&lines), "Nodes searched: 197281");

    let (lines, _, content) = tool("perft 3 --table");
    assert!(content);
    let numbers: Vec<_> = last_line(&lines).split_whitespace().collect();
    assert_eq!(
        numbers,
        ["3", "8902", "34", "0", "0", "0", "12", "0", "0", "0"]
    );

    let bench = || signature(last_line(&tool("bench 4").0));
    assert_eq!(bench(), bench());

    let (lines, _, content) = tool("--help");
    assert!(
        content && lines.iter().any(|line| line.contains("perft")),
        "{lines:?}"
    );

    for (arguments, fault) in [
        ("perft 3 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("perft 3 nonsense", "'nonsense'"),
        ("bench nonsense", "'nonsense'"),
    ] {
        let (lines, complaint, content) = tool(arguments);
        assert!(!content && lines.is_empty(), "{arguments}: {lines:?}");
        assert!(complaint.contains(fault), "{arguments}: {complaint}");
    }
}

/// A file that cannot be written is found out before the work begins, and every error names its
/// file.
#[test]
fn tune_names_its_files() {
    let (_, folder) = prelate();
    let path = |name: &str| folder.join(name).display().to_string();
    let (games, output, nowhere) = (path("games.vf"), path("new.rs"), path("no/such/new.rs"));
    fs::write(&games, b"").expect("a file");
    for (arguments, fault) in [
        (
            format!("tune {games} --output {nowhere}"),
            format!("{nowhere}: "),
        ),
        (
            format!("tune {nowhere} --output {output}"),
            format!("{nowhere}: "),
        ),
        (
            format!("tune {games} --output {output}"),
            format!("{games}: no position to learn from"),
        ),
    ] {
        let (_, complaint, content) = tool(&arguments);
        let told = complaint.lines().last().unwrap_or_default();
        assert!(
            !content && told.starts_with(&fault),
            "{arguments}: {complaint}"
        );
    }
    assert!(!folder.join("new.rs").exists());
    fs::remove_dir_all(folder).expect("a folder");
}

#[test]
fn tables_of_several_folders() {
    let (_, folder) = prelate();
    let (one, two) = (folder.join("one"), folder.join("two"));
    for folder in [&one, &two] {
        fs::create_dir(folder).expect("a folder");
    }
    let (one, two) = (one.display().to_string(), two.display().to_string());
    let (_, complaint, content) = tool(&format!("tables {one} {two}"));
    assert!(!content);
    assert_eq!(complaint, format!("no tables in {one}, {two}\n"));
    fs::remove_dir_all(folder).expect("a folder");
}

/// A measurement tells how far it is, and ends like the bench.
#[test]
fn speedtest() {
    let (lines, _, content) = tool("speedtest 2 2 1");
    assert!(content);
    let progress = |line: &&String| line.starts_with("position ");
    assert_eq!(lines.iter().filter(progress).count(), 30, "{lines:#?}");
    assert!(lines.contains(&"threads: 2".to_owned()), "{lines:#?}");
    assert!(signature(last_line(&lines)) > 0);
}

/// `engine.toml` is found in all of its places; a bad line is reported twice, and the others count.
#[test]
fn engine_toml() {
    const TEXT: &str = "hahs = 64\nhash = 7\n";
    const PROBLEM: &str = "toml:1: unknown option 'hahs', did you mean 'hash'?";
    for (name, argument, variable) in [
        ("named.toml", true, false),
        ("named.toml", false, true),
        ("engine.toml", false, false),
    ] {
        let (mut command, folder) = prelate();
        fs::write(folder.join(name), TEXT).unwrap();
        if argument {
            command.args(["--config", name]);
            command.env("PRELATE_CONFIG", "another.toml");
        }
        if variable {
            command.env("PRELATE_CONFIG", name);
        }
        command.stderr(Stdio::piped());
        let mut driver = Driver::spawn(command, folder);
        let lines = driver.ask("uci");
        let hash = "option name Hash type spin default 7 ";
        assert!(
            lines.iter().any(|line| line.starts_with(hash)),
            "{lines:#?}"
        );
        let after = lines.iter().skip_while(|line| *line != "uciok").nth(1);
        let problem = format!("info string {}{PROBLEM}", name.trim_end_matches("toml"));
        assert_eq!(after, Some(&problem));
        driver.go("go depth 1");
        assert!(driver.stderr().contains(PROBLEM));
    }
}

#[test]
fn chances_to_win_draw_and_lose() {
    for position in ["position startpos", KIWIPETE, MATE_IN_1] {
        let mut driver = Driver::start();
        driver.send(position);
        assert!(
            !driver
                .go("go depth 3")
                .iter()
                .any(|line| line.contains(" wdl "))
        );
        driver.send("setoption name UCI_ShowWDL value true");
        let lines = driver.go("go depth 4");
        for line in lines.iter().filter(|line| line.contains(" score ")) {
            let words = line
                .split(' ')
                .skip_while(|&word| word != "wdl")
                .skip(1)
                .take(3);
            let sum: u32 = words
                .map(|word| word.parse::<u32>().expect("permille"))
                .sum();
            assert_eq!(sum, 1000, "{line}");
        }
        driver.quit();
    }
}

#[test]
fn two_ways_to_write_castling() {
    for (chess960, expected) in [(false, "bestmove e1g1"), (true, "bestmove e1h1")] {
        let mut driver = Driver::start();
        driver.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        driver.send(CASTLE);
        // Both spellings are read in either mode.
        for spelling in ["e1g1", "e1h1"] {
            let answer = driver
                .go(&format!("go depth 2 searchmoves {spelling}"))
                .pop();
            let answer = answer.unwrap_or_default();
            assert!(answer.starts_with(expected), "{spelling}: {answer}");
            assert_eq!(
                driver.ask(&format!("{CASTLE} moves {spelling}")),
                <[&str; 0]>::default()
            );
            driver.send(CASTLE);
        }
        driver.quit();
    }
}

/// Where b1c1 is a step of the king, castling must not be called so, whatever the option says.
#[test]
fn castling_that_looks_like_a_step() {
    const START: &str = "position fen rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1";
    for chess960 in ["false", "true"] {
        let mut driver = Driver::start();
        driver.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        driver.send(START);
        for mv in ["b1a1", "b1h1", "b1c1"] {
            let answer = driver.go(&format!("go depth 2 searchmoves {mv}")).pop();
            let expected = format!("bestmove {mv}");
            assert!(answer.is_some_and(|answer| answer.starts_with(&expected)));
        }
        driver.quit();
    }
}

/// A short game of the engine against itself, over the pipe as a GUI would run it.
#[test]
fn games_against_itself() {
    for (chess960, start) in [
        (false, "position startpos"),
        (
            true,
            "position fen bnrqkrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRQKRNB w FCfc - 0 1",
        ),
    ] {
        let mut driver = Driver::start();
        driver.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        driver.send("ucinewgame");
        let mut line = format!("{start} moves");
        for _ in 0..60 {
            assert_eq!(driver.ask(&line), <[&str; 0]>::default());
            let answer = driver.go("go nodes 2000").pop().unwrap_or_default();
            let mv = answer.split(' ').nth(1).unwrap_or_default();
            if parse_uci(driver.game().position(), mv).is_none() {
                break; // mate or stalemate, as the driver has seen
            }
            line += &format!(" {mv}");
        }
        driver.quit();
    }
}

/// Weaker play: fewer nodes than the same search would take, and one line right before the move,
/// which is its own (the driver sees to that), however many lines are shown.
#[test]
fn weaker_play() {
    for rating in Level::RATINGS.step_by(500) {
        for shown in [1, 3] {
            let mut driver = Driver::start();
            driver.send("setoption name UCI_LimitStrength value true");
            driver.send(&format!("setoption name UCI_Elo value {rating}"));
            driver.send(&format!("setoption name MultiPV value {shown}"));
            for position in ["position startpos", KIWIPETE, MATE_IN_1, CASTLE] {
                driver.send(position);
                let lines = driver.go("go movetime 600000");
                let last = &lines[lines.len() - 2];
                assert!(number(last, "multipv") <= Some(shown), "{last}");
                let others = lines.iter().filter_map(|line| number(line, "multipv"));
                assert!(others.max() <= Some(shown), "{lines:#?}");
            }
            driver.quit();
        }
    }
}

/// Whatever line a level chooses, it is told once, and with several lines all of them are, in an
/// order that begins with the move that is played.
#[test]
fn weaker_play_tells_each_line_once() {
    for shown in [1, 3] {
        let mut driver = Driver::start();
        driver.send("setoption name UCI_LimitStrength value true");
        driver.send("setoption name UCI_Elo value 1200");
        driver.send(&format!("setoption name MultiPV value {shown}"));
        for _ in 0..20 {
            let lines = driver.go("go movetime 600000");
            let [told @ .., answer] = &lines[..] else {
                panic!("{lines:?}")
            };
            let play = |line: &String| line.split_once(" pv ").map(|(_, pv)| pv.to_owned());
            let last: Vec<_> = told[told.len() - shown..].iter().map(play).collect();
            // More nodes may confirm the lines of the iteration before.
            let end = told.last().and_then(|line| number(line, "nodes"));
            let earlier = told[..told.len() - shown].iter();
            let before = earlier
                .filter(|line| number(line, "nodes") == end)
                .map(play);
            assert_ne!(
                before.rev().take(shown).collect::<Vec<_>>(),
                last,
                "{lines:#?}"
            );
            let ranks = told[told.len() - shown..].iter();
            let ranks: Vec<_> = ranks.map(|line| number(line, "multipv")).collect();
            let expected: Vec<_> = (1..=shown as i64).map(Some).collect();
            assert_eq!(ranks, expected, "{lines:#?}");
            let first = |pv: &Option<String>| pv.clone()?.split(' ').next().map(str::to_owned);
            let mut firsts: Vec<_> = last.iter().map(first).collect();
            let best = answer.split(' ').nth(1).map(str::to_owned);
            assert_eq!(firsts[0], best, "{lines:#?}");
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), shown, "{lines:#?}");
        }
        driver.quit();
    }
}

/// Where it makes no difference a pawn becomes a queen, at full strength and at the weakest
/// levels; where only another piece wins, it becomes that.
#[test]
fn a_pawn_becomes_a_queen_unless_another_piece_is_better() {
    for (fen, expected) in [
        ("8/K5Pk/8/8/8/8/8/8 w - - 0 1", "g7g8q"),
        ("6r1/3KP3/8/8/8/8/8/4k3 w - - 0 1", "e7e8q"),
        ("8/4Pk2/8/8/8/8/8/6K1 w - - 0 1", "e7e8q"),
        ("6r1/3P4/8/8/8/4k3/3p4/5K2 w - - 0 1", "d7d8q"),
        // A queen would be stalemate.
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "f7f8r"),
    ] {
        let is_queen = expected.ends_with('q');
        for elo in [None, Some(800)]
            .into_iter()
            .filter(|elo| is_queen || elo.is_none())
        {
            let mut driver = Driver::start();
            if let Some(elo) = elo {
                driver.send("setoption name UCI_LimitStrength value true");
                driver.send(&format!("setoption name UCI_Elo value {elo}"));
            }
            driver.send(&format!("position fen {fen}"));
            for nodes in [1_000, 10_000, 30_000] {
                let answer = driver.go(&format!("go nodes {nodes}")).pop();
                let answer = answer.unwrap_or_default();
                let mv = answer.split(' ').nth(1).unwrap_or_default();
                if mv.len() == 5 {
                    assert_eq!(mv, expected, "{fen} at {elo:?}");
                }
            }
            driver.quit();
        }
    }
}

/// A mate that there is not is proved not to be, and that is the end of the search.
#[test]
fn no_mate_is_proved() {
    for (position, moves) in [(MATE_IN_2, 1), ("position startpos", 3), (CASTLE, 2)] {
        let mut driver = Driver::start();
        driver.send(position);
        let lines = driver.go(&format!("go mate {moves}"));
        let remark = format!("info string there is no mate in {moves}");
        assert_eq!(strings(lines), [remark]);
        driver.quit();
    }
}

#[test]
fn weaker_play_at_every_limit() {
    for go in [
        "go depth 8",
        "go nodes 1",
        "go movetime 1",
        "go wtime 1 btime 1",
        "go depth 6 searchmoves a2a3 b2b3",
        "go ponder wtime 1000 btime 1000|ponderhit",
        "go ponder|stop",
        "go infinite|stop",
        "go mate 1|stop",
    ] {
        for setting in ["Threads value 2", "UCI_AnalyseMode value true"] {
            let mut driver = Driver::start();
            driver.send("setoption name UCI_LimitStrength value true");
            driver.send(&format!("setoption name {setting}"));
            go.split('|').for_each(|line| driver.send(line));
            driver.answer();
            driver.quit();
        }
    }
}

/// Who analyses wants to know the truth: then the search goes deeper than any level.
#[test]
fn analysis_is_not_weaker() {
    for (setting, go) in [
        ("UCI_AnalyseMode value true", "go depth 9"),
        ("UCI_Elo value 700", "go infinite"),
    ] {
        let mut driver = Driver::start();
        driver.send("setoption name UCI_LimitStrength value true");
        driver.send("setoption name UCI_Elo value 800");
        driver.send(&format!("setoption name {setting}"));
        driver.send(go);
        driver.expect(|line| number(line, "depth") == Some(9));
        driver.go("stop");
        driver.quit();
    }
}

/// Analysis looks at more moves, so that as many nodes come less far, until a game goes on.
#[test]
fn analysis_is_broader() {
    let mut driver = Driver::start();
    driver.send(KIWIPETE);
    let mut depth = |analysis: bool| {
        driver.send(&format!("setoption name UCI_AnalyseMode value {analysis}"));
        driver.send("ucinewgame");
        let lines = driver.go("go nodes 40000");
        lines.iter().filter_map(|line| number(line, "depth")).max()
    };
    let (game, analysis, again) = (depth(false), depth(true), depth(false));
    assert!(analysis < game, "{analysis:?} and {game:?} plies");
    assert_eq!(game, again);
    driver.quit();
}

#[test]
fn a_rating_out_of_range_is_refused() {
    let (least, most) = (Level::RATINGS.start(), Level::RATINGS.end());
    let mut driver = Driver::start();
    for rating in [least - 1, most + 1] {
        assert_eq!(
            driver.ask(&format!("setoption name UCI_Elo value {rating}")),
            [format!(
                "info string option 'UCI_Elo' takes a whole number from {least} to {most}, not '{rating}'"
            )]
        );
    }
    driver.quit();
}

/// Flipping is its own inverse, and what it shows is worth the same to the side to move.
#[test]
fn flip() {
    for (position, flipped) in [
        (
            "position startpos moves e2e4",
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "position fen 8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 4",
            "4kq2/8/8/3pP3/1K6/8/8/8 w - d6 0 4",
        ),
        (
            "position fen rk5r/8/8/8/8/8/8/RK5R w Hah - 0 1",
            "rk5r/8/8/8/8/8/8/RK5R b KQk - 0 1",
        ),
    ] {
        let mut driver = Driver::start();
        driver.send(position);
        let fen = |lines: Vec<String>| {
            let line = lines.into_iter().find(|line| line.starts_with("Fen: "));
            line.unwrap_or_default()
        };
        let before = fen(driver.ask("d"));
        assert_eq!(driver.ask("flip"), <[&str; 0]>::default());
        assert_eq!(fen(driver.ask("d")), format!("Fen: {flipped}"));
        driver.send("flip");
        assert_eq!(fen(driver.ask("d")), before);
        driver.quit();
    }
}

/// Each argument is a line of UCI, obeyed when the one before it is done.
#[test]
fn uci_on_the_command_line() {
    let run = |arguments: &[&str]| {
        let (mut command, folder) = prelate();
        let output = command.args(arguments).stdin(Stdio::null()).output();
        let output = output.expect("the binary runs");
        let _ = fs::remove_dir(folder);
        let text = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        (lines, output.status.success())
    };
    let (lines, content) = run(&[MATE_IN_1, "go depth 3", "isready", "go perft 1"]);
    assert!(content);
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start));
    assert!(at("bestmove a1a8").is_some(), "{lines:#?}");
    assert!(at("bestmove") < at("readyok"), "{lines:#?}");
    assert!(at("readyok") < at("Nodes searched: "), "{lines:#?}");

    // What would never end is stopped by what follows, or by the end.
    for arguments in [
        &["go infinite", "stop"][..],
        &["go"],
        &["go infinite", "go depth 2"],
    ] {
        let (lines, content) = run(arguments);
        assert!(
            content && last_line(&lines).starts_with("bestmove "),
            "{lines:#?}"
        );
    }
    let (lines, content) = run(&["uci", "quit", "d"]);
    assert!(content);
    assert_eq!(last_line(&lines), "uciok");
    // Words that are no line of UCI are a mistake, and nothing after them counts.
    let (lines, content) = run(&["isready", "nonsense", "isready"]);
    assert!(!content);
    assert!(last_line(&lines).contains("Unknown command: 'nonsense'"));
}

/// The log has both sides in their order, each line with its time, and is added to.
#[test]
fn debug_log() {
    let (command, folder) = prelate();
    let file = folder.join("a log.txt");
    let mut driver = Driver::spawn(command, folder);
    let set = format!("setoption name Debug Log File value {}", file.display());
    for _ in 0..2 {
        assert_eq!(driver.ask(&set), <[&str; 0]>::default());
        driver.go("go depth 1");
        driver.send("setoption name debug log file value <empty>");
        driver.go("go depth 2");
    }
    let text = fs::read_to_string(&file).expect("a log");
    let mut said = Vec::new();
    for line in text.lines() {
        let (time, rest) = line.split_once(' ').expect("time and text");
        assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
        said.push(rest);
    }
    assert!(said[0].starts_with("-- version: Prelate "), "{said:#?}");
    let at = |wanted: &str| said.iter().position(|line| line.starts_with(wanted));
    let searched = at("-> go depth 1");
    assert!(searched.is_some(), "{said:#?}");
    assert!(searched < at("<- info depth 1 ") && at("<- info depth 1 ") < at("<- bestmove "));
    assert_eq!(at("-> go depth 2"), None, "{said:#?}");
    let searches = said.iter().filter(|line| **line == "-> go depth 1");
    assert_eq!(searches.count(), 2, "{said:#?}");
    driver.quit();
}

/// A log that cannot be written is said so, and harms nothing.
#[test]
fn debug_log_that_cannot_be() {
    let device = cfg!(unix).then_some("/dev/null");
    for place in ["no/such/folder/a.log", "."].into_iter().chain(device) {
        let mut driver = Driver::start();
        let said = driver.ask(&format!("setoption name Debug Log File value {place}"));
        let [complaint] = &said[..] else {
            panic!("{place}: {said:?}")
        };
        let start = format!("info string Debug Log File: '{place}' cannot be written: ");
        assert!(complaint.starts_with(&start), "{complaint}");
        driver.go("go depth 2");
        driver.quit();
    }
    let (mut command, folder) = prelate();
    fs::write(
        folder.join("engine.toml"),
        "debug_log_file = \"no/such/a.log\"\n",
    )
    .unwrap();
    command.stderr(Stdio::null());
    let mut driver = Driver::spawn(command, folder);
    let said = driver.ask("uci");
    assert!(
        said.last()
            .is_some_and(|line| line.contains("'no/such/a.log' cannot be written"))
    );
    driver.quit();
}

/// Habits of GUIs: another protocol is tried first, options come before all else and nobody asks
/// whether the engine is ready, options are sent again as they are, and text is not UTF-8.
#[test]
fn habits_of_guis() {
    let mut driver = Driver::start();
    driver.send("xboard");
    driver.send("protover 2");
    driver.send("setoption name Hash value 8");
    driver.send("setoption name Ponder value true");
    driver.send("uci");
    let lines = driver.until(|line| line == "uciok");
    assert!(
        !lines.iter().any(|line| line.contains("xboard")),
        "{lines:#?}"
    );
    for line in lines.iter().filter(|line| line.contains(" type string ")) {
        assert!(!line.contains(" min ") && !line.contains(" max "), "{line}");
    }
    // Every option as it was told: none is refused.
    for line in &lines {
        let Some((name, rest)) = line
            .strip_prefix("option name ")
            .and_then(|line| line.split_once(" type "))
        else {
            continue;
        };
        let value = rest.split_once(" default ").map_or("", |(_, value)| value);
        let value = value.split_once(" min ").map_or(value, |(value, _)| value);
        let echo = format!("setoption name {name} value {value}");
        assert_eq!(driver.ask(&echo), <[&str; 0]>::default(), "{echo}");
    }
    driver.send("ucinewgame");
    driver.send("position startpos");
    driver.go("go wtime 500 btime 500");
    driver.send_bytes(b"setoption name UCI_Opponent value none none human J\xF6rg\n");
    driver.go("go wtime 500 btime 500");
    assert_eq!(driver.sync(), <[&str; 0]>::default());
    driver.quit();
}
