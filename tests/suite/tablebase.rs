//! Endgame tables: what they say, what the engine makes of them, and what damage does to it.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crossbeam_channel::unbounded;
use prelate::engine::Engine;
use prelate::engine::options::Options;
use prelate::eval::endgame::kpk;
use prelate::movegen::notation::{Uci, parse_uci};
use prelate::position::{Game, Position};
use prelate::search::{Limits, Outcome, Report};
use prelate::tablebase::checksum::{self, checksum};
use prelate::tablebase::{Tablebase, Wdl};
use prelate::types::{self, Score};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position as _, Rank, Role,
    Setup, Square,
};

use crate::driver::{Driver, number, prelate};
use crate::support::data;

type Oracle = shakmaty_syzygy::Tablebase<Chess>;

/// The folder of the tables, and the same tables asked without the engine.
fn tables() -> Option<(PathBuf, Oracle)> {
    let folder = data("syzygy")?;
    let mut oracle = Oracle::new();
    oracle.add_directory(&folder).expect("a folder of tables");
    Some((folder, oracle))
}

/// The names of the tables, as `KQvKR`.
fn classes(folder: &Path) -> Vec<String> {
    let mut classes: Vec<_> = fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "rtbw")
        })
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_str()
                .expect("ASCII")
                .to_owned()
        })
        .collect();
    classes.sort();
    classes
}

/// Legal positions with the pieces of a class, either colour having the first of them.
struct Positions {
    pieces: Vec<Piece>,
    rng: SmallRng,
}

impl Positions {
    fn new(class: &str, seed: u64) -> Self {
        let mut color = Color::White;
        let mut pieces = Vec::new();
        for letter in class.chars() {
            match Role::from_char(letter) {
                Some(role) => pieces.push(role.of(color)),
                None => color = Color::Black,
            }
        }
        Self {
            pieces,
            rng: SmallRng::seed_from_u64(seed),
        }
    }

    /// One try at a position; half of those in which a pawn may just have come by two squares
    /// have it so.
    fn draw(&mut self) -> Option<Chess> {
        let swapped = self.rng.random_bool(0.5);
        let mut board = Board::empty();
        for &piece in &self.pieces {
            let square = *Square::ALL.choose(&mut self.rng)?;
            let on_edge = matches!(square.rank(), Rank::First | Rank::Eighth);
            if board.occupied().contains(square) || piece.role == Role::Pawn && on_edge {
                return None;
            }
            let color = if swapped { !piece.color } else { piece.color };
            board.set_piece_at(square, piece.role.of(color));
        }
        let turn = if self.rng.random_bool(0.5) {
            Color::White
        } else {
            Color::Black
        };
        let mut setup = Setup {
            board,
            turn,
            ..Setup::empty()
        };
        if self.rng.random_bool(0.5) {
            let pushed = setup.board.by_piece(Role::Pawn.of(!turn));
            let rank = turn.fold_wb(4, 3);
            let pawn = pushed
                .into_iter()
                .find(|square| square.rank() as i32 == rank);
            setup.ep_square = pawn.and_then(|square| square.offset(turn.fold_wb(8, -8)));
        }
        Chess::from_setup(setup, CastlingMode::Standard).ok()
    }
}

impl Iterator for Positions {
    type Item = Chess;

    fn next(&mut self) -> Option<Chess> {
        loop {
            if let Some(position) = self.draw() {
                return Some(position);
            }
        }
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn own(position: &Chess) -> Position {
    let fen = fen(position);
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn after(position: &Chess, mv: shakmaty::Move) -> Chess {
    position.clone().play(mv).expect("a legal move")
}

#[test]
fn results_are_those_of_the_tables() {
    let Some((folder, oracle)) = tables() else {
        return;
    };
    let tables = Tablebase::open(folder.to_str().expect("a name in Unicode"));
    assert_eq!(tables.max_pieces(), 4);
    for class in classes(&folder) {
        for position in Positions::new(&class, 1).take(150) {
            let (fen, position960) = (fen(&position), own(&position));
            let wdl = oracle.probe_wdl_after_zeroing(&position).expect(&fen);
            assert_eq!(tables.wdl(&position960), Some(wdl), "{fen}");

            let ranked = tables.root(&Game::new(position960), true).expect(&fen);
            assert_eq!(ranked.len(), position.legal_moves().len(), "{fen}");
            for ranked in &ranked {
                let text = Uci {
                    mv: ranked.mv,
                    chess960: false,
                }
                .to_string();
                let mv: UciMove = text.parse().expect("a move");
                let after = after(&position, mv.to_move(&position).expect("a legal move"));
                let wdl = -oracle.probe_wdl_after_zeroing(&after).expect(&fen);
                assert_eq!(ranked.wdl, wdl, "{fen} {text}");
            }
            let best = ranked.first().map(|ranked| ranked.wdl);
            assert!(best.is_none_or(|best| best == wdl), "{fen}: {ranked:?}");
        }
    }
    let castling: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
        .parse()
        .expect("a position");
    assert_eq!(tables.wdl(&castling), None);
    assert_eq!(tables.wdl(&Position::default()), None);
}

/// An engine with tables, and the searches it is asked for.
struct Searcher(Engine);

impl Searcher {
    fn new(folder: &Path) -> Self {
        Self(Engine::new(Options {
            hash: 1,
            syzygy_path: folder.to_str().expect("a name in Unicode").to_owned(),
            ..Options::default()
        }))
    }

    fn search(&mut self, fen: &str, moves: &[String], limits: Limits) -> Outcome {
        self.0.set_position(Some(fen), moves).expect("legal moves");
        let (sender, reports) = unbounded();
        self.0.go(limits, sender);
        let done = reports.iter().find_map(|report| match report {
            Report::Done(outcome) => Some(outcome),
            _ => None,
        });
        done.expect("every search comes to its end")
    }

    /// The move of a short search.
    fn choose(&mut self, fen: &str, moves: &[String]) -> String {
        let limits = Limits {
            nodes: Some(400),
            ..Limits::default()
        };
        let mv = self.search(fen, moves, limits).best().expect("a move");
        Uci {
            mv,
            chess960: false,
        }
        .to_string()
    }
}

/// Captures that lead from five pieces into the tables are worth what the tables say.
/// The evaluation's own table of king and pawn against king, over all positions of either side.
#[test]
fn king_and_pawn_against_king_is_exact() {
    let Some((_, oracle)) = tables() else {
        return;
    };
    let mut asked = 0;
    for strong in Color::ALL {
        for pawn in Square::ALL {
            let apart = |&(king, bare): &(Square, Square)| king != pawn && bare != pawn;
            for (king, bare) in pairs().filter(apart) {
                for turn in Color::ALL {
                    let mut board = Board::empty();
                    board.set_piece_at(pawn, Role::Pawn.of(strong));
                    board.set_piece_at(king, Role::King.of(strong));
                    board.set_piece_at(bare, Role::King.of(!strong));
                    let setup = Setup {
                        board,
                        turn,
                        ..Setup::empty()
                    };
                    let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) else {
                        continue;
                    };
                    let wdl = oracle
                        .probe_wdl_after_zeroing(&position)
                        .expect("the table");
                    let own = |square: Square| types::Square::from_index(square.to_usize());
                    let color =
                        |color: Color| color.fold_wb(types::Color::White, types::Color::Black);
                    let wins =
                        kpk::is_win(color(strong), own(king), own(pawn), own(bare), color(turn));
                    assert_eq!(wins, wdl != Wdl::Draw, "{}", fen(&position));
                    asked += 1;
                }
            }
        }
    }
    assert_eq!(asked, 2 * 331_352);
}

/// All pairs of different squares.
fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL
        .into_iter()
        .flat_map(|one| Square::ALL.into_iter().map(move |other| (one, other)))
        .filter(|(one, other)| one != other)
}

#[test]
fn the_tree_is_exact() {
    let Some((folder, oracle)) = tables() else {
        return;
    };
    let mut searcher = Searcher::new(&folder);
    let mut seen = HashMap::new();
    for class in [
        "KQRvKR", "KRPvKP", "KBNvKP", "KRvKBP", "KPPvKP", "KQvKRN", "KBBvKN",
    ] {
        for position in Positions::new(class, 2).take(60) {
            let captures = position.capture_moves();
            let Some(&capture) = captures.first() else {
                continue;
            };
            let (fen, after) = (fen(&position), after(&position, capture));
            let wdl = -oracle.probe_wdl_after_zeroing(&after).expect(&fen);
            let text = capture.to_uci(CastlingMode::Standard).to_string();
            let limits = Limits {
                depth: Some(3),
                moves: parse_uci(&own(&position), &text).into_iter().collect(),
                ..Limits::default()
            };
            let outcome = searcher.search(&fen, &[], limits);
            let score = outcome.score();
            let found = match wdl {
                Wdl::Win => score.is_win(),
                Wdl::Loss => score.is_loss(),
                _ => score.0.abs() <= 2,
            };
            assert!(found, "{fen} {text}: {wdl:?}, but {outcome:?}");
            let over =
                after.is_checkmate() || after.is_stalemate() || after.is_insufficient_material();
            assert!(over || outcome.line.tbhits > 0, "{fen} {text}: {outcome:?}");
            *seen.entry(wdl).or_insert(0) += 1;
        }
    }
    assert!(
        seen.values().filter(|&&count| count > 10).count() == 3,
        "{seen:?}"
    );
}

/// A game from a position of the tables, and whether anything has ended it.
struct Play {
    start: String,
    position: Chess,
    moves: Vec<String>,
    /// The positions since the beginning, to see them return.
    seen: Vec<String>,
}

impl Play {
    fn new(position: Chess) -> Self {
        let start = fen(&position);
        Self {
            start,
            position,
            moves: Vec::new(),
            seen: Vec::new(),
        }
    }

    fn play(&mut self, text: String) {
        let fen = fen(&self.position);
        self.seen
            .push(fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
        let mv: UciMove = text.parse().expect("a move");
        self.position = after(
            &self.position,
            mv.to_move(&self.position).expect("a legal move"),
        );
        self.moves.push(text);
    }

    /// Whether the game is drawn, by a rule or by the lack of pieces.
    fn is_drawn(&self) -> bool {
        let fen = fen(&self.position);
        let now = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let twice = self.seen.iter().filter(|&seen| *seen == now).count() >= 2;
        let over = self.position.halfmoves() >= 100 && !self.position.is_checkmate();
        twice || over || self.position.is_stalemate() || self.position.is_insufficient_material()
    }

    fn story(&self) -> String {
        format!("{} moves {}", self.start, self.moves.join(" "))
    }
}

/// The longest resistance: a draw if there is one, else the most moves to the next capture or
/// pawn move.
fn defend(oracle: &Oracle, position: &Chess) -> String {
    let worth = |mv: &shakmaty::Move| {
        let dtz = oracle
            .probe_dtz(&after(position, *mv))
            .expect("a table")
            .ignore_rounding();
        let plies = if mv.is_zeroing() { 1 } else { dtz.0 };
        (dtz.signum() <= 0, plies)
    };
    let moves = position.legal_moves();
    let best = moves
        .iter()
        .max_by_key(|mv| worth(mv))
        .expect("a legal move");
    best.to_uci(CastlingMode::Standard).to_string()
}

/// Wins `count` positions of each class against the best defence. Half of them begin with so much
/// of the fifty moves gone that there is none to waste.
fn convert(count: usize) {
    let Some((folder, oracle)) = tables() else {
        return;
    };
    let mut searcher = Searcher::new(&folder);
    let (mut won, mut longest) = (0, 0);
    for class in classes(&folder) {
        let is_won =
            |position: &Chess| oracle.probe_wdl_after_zeroing(position).expect(&class) == Wdl::Win;
        // Some classes have no win, or hardly any.
        let positions = Positions::new(&class, 3).take(400 * count).filter(is_won);
        for (number, position) in positions.take(count).enumerate() {
            let mut setup = position.to_setup(EnPassantMode::Legal);
            let dtz = oracle
                .probe_dtz(&position)
                .expect(&class)
                .ignore_rounding()
                .0;
            if number % 2 == 1 {
                setup.halfmoves = u32::try_from(99 - dtz).unwrap_or_default();
            }
            let position = Chess::from_setup(setup, CastlingMode::Standard).expect("as before");
            let engine = position.turn();
            let mut game = Play::new(position);
            searcher.0.new_game();
            while !game.position.is_checkmate() {
                assert!(!game.is_drawn(), "{}", game.story());
                let text = if game.position.turn() == engine {
                    searcher.choose(&game.start, &game.moves)
                } else {
                    defend(&oracle, &game.position)
                };
                game.play(text);
            }
            assert!(game.position.turn() != engine, "{}", game.story());
            won += 1;
            longest = longest.max(game.moves.len());
        }
    }
    eprintln!("{won} won, the longest in {longest} half-moves");
}

/// Holds `count` drawn positions of each class for so many moves against an opponent who never
/// gives the draw away.
fn hold(count: usize, moves: usize) {
    let Some((folder, oracle)) = tables() else {
        return;
    };
    let mut searcher = Searcher::new(&folder);
    let mut rng = SmallRng::seed_from_u64(4);
    let mut held = 0;
    for class in classes(&folder) {
        let is_drawn = |position: &Chess| {
            let wdl = oracle.probe_wdl_after_zeroing(position).expect(&class);
            wdl == Wdl::Draw && !position.legal_moves().is_empty()
        };
        let positions = Positions::new(&class, 5).take(400 * count).filter(is_drawn);
        for position in positions.take(count) {
            let engine = position.turn();
            let mut game = Play::new(position);
            searcher.0.new_game();
            while game.moves.len() < 2 * moves && !game.is_drawn() {
                let text = if game.position.turn() == engine {
                    searcher.choose(&game.start, &game.moves)
                } else {
                    let legal = game.position.legal_moves();
                    let keeps = |mv: &&shakmaty::Move| {
                        let after = after(&game.position, **mv);
                        oracle.probe_wdl_after_zeroing(&after).expect(&class) == Wdl::Draw
                    };
                    let keeping: Vec<_> = legal.iter().filter(keeps).collect();
                    let mv = keeping.choose(&mut rng).expect("a draw has such a move");
                    mv.to_uci(CastlingMode::Standard).to_string()
                };
                game.play(text);
                let wdl = oracle
                    .probe_wdl_after_zeroing(&game.position)
                    .expect(&class);
                assert_eq!(wdl, Wdl::Draw, "{}", game.story());
            }
            held += 1;
        }
    }
    eprintln!("{held} held");
}

#[test]
fn won_endings_are_won() {
    convert(12);
}

#[test]
fn drawn_endings_are_held() {
    hold(8, 20);
}

#[test]
#[ignore = "takes minutes: the long form of the two tests above"]
fn many_endings_are_won_and_held() {
    convert(400);
    hold(400, 40);
}

/// Where there is no mate in sight yet, the score says all the same how the game will end.
#[test]
fn scores_at_the_root() {
    let Some((folder, _)) = tables() else {
        return;
    };
    let mut searcher = Searcher::new(&folder);
    let mut score = |fen: &str| {
        let limits = Limits {
            depth: Some(4),
            ..Limits::default()
        };
        searcher.search(fen, &[], limits).score()
    };
    assert!(score("8/8/8/3k4/8/8/8/KBN5 w - - 0 1").is_win());
    assert!(score("8/8/8/3k4/8/8/8/KBN5 b - - 0 1").is_loss());
    assert_eq!(score("8/8/8/3k4/3b4/8/8/KR6 w - - 0 1"), Score::DRAW);
    assert_eq!(score("7k/8/6K1/8/8/8/8/R7 w - - 0 1").mate_in(), Some(1));
    // Too late for the fifty-move rule, unless it does not count.
    let late = "8/8/8/3k4/8/8/8/KBN5 w - - 60 90";
    assert_eq!(score(late), Score(2));
    searcher
        .0
        .set_option("Syzygy50MoveRule", Some("false"))
        .expect("an option");
    let limits = Limits {
        depth: Some(4),
        ..Limits::default()
    };
    assert!(searcher.search(late, &[], limits).score().is_win());
}

/// What the tables know for sure is told as such, whatever the score looks like.
#[test]
fn chances_are_certain() {
    let Some((folder, _)) = tables() else {
        return;
    };
    let mut driver = Driver::start();
    driver.send(&format!(
        "setoption name SyzygyPath value {}",
        folder.display()
    ));
    driver.send("setoption name UCI_ShowWDL value true");
    for (fen, chances) in [
        // Knight and bishop mate, too far away to be seen.
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", " wdl 1000 0 0 "),
        ("8/8/8/3k4/8/8/8/KBN5 b - - 0 1", " wdl 0 0 1000 "),
        // A rook against a bishop, and a win that the fifty-move rule spoils.
        ("8/8/8/3k4/3b4/8/8/KR6 w - - 0 1", " wdl 0 1000 0 "),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 60 90", " wdl 0 1000 0 "),
        // Over by the rules.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", " wdl 0 1000 0 "),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", " wdl 0 0 1000 "),
    ] {
        driver.send(&format!("position fen {fen}"));
        let lines = driver.go("go depth 5");
        for line in lines.iter().filter(|line| line.contains(" score ")) {
            assert!(line.contains(chances), "{fen}: {line}");
        }
    }
    driver.quit();
}

/// With several lines the winning moves come first, then those that draw, then those that lose.
#[test]
fn several_lines() {
    let Some((folder, oracle)) = tables() else {
        return;
    };
    let mut driver = Driver::start();
    driver.send(&format!(
        "setoption name SyzygyPath value {}",
        folder.display()
    ));
    driver.send("setoption name MultiPV value 256");
    for fen in [QUEEN, QUEEN_AND_ROOK, "8/8/8/8/8/3k4/3p4/3K2R1 w - - 0 1"] {
        driver.send(&format!("position fen {fen}"));
        let lines = driver.go("go depth 5");
        let position: Chess = fen
            .parse::<Fen>()
            .expect(fen)
            .into_position(CastlingMode::Standard)
            .expect(fen);
        let mut count = 0;
        let mut last = Wdl::Win;
        for line in lines
            .iter()
            .filter(|line| line.starts_with("info depth 5 "))
        {
            let mv: UciMove = line
                .split(" pv ")
                .nth(1)
                .expect(line)
                .split(' ')
                .next()
                .expect(line)
                .parse()
                .expect(line);
            let after = after(&position, mv.to_move(&position).expect(line));
            let wdl = -oracle.probe_wdl_after_zeroing(&after).expect(fen);
            assert!(wdl <= last, "{lines:#?}");
            (last, count) = (wdl, count + 1);
        }
        assert_eq!(count, position.legal_moves().len(), "{lines:#?}");
    }
    driver.quit();
}

/// The lines said to a conversation with tables, and the engine goes on to play.
fn listen(folder: &str, fens: &[&str]) -> Vec<String> {
    let mut driver = Driver::start();
    let mut lines = driver.ask(&format!("setoption name SyzygyPath value {folder}"));
    for fen in fens {
        driver.send(&format!("position fen {fen}"));
        lines.extend(driver.go("go depth 6"));
    }
    driver.quit();
    lines
}

const QUEEN: &str = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
const ROOK: &str = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
const QUEEN_AND_ROOK: &str = "7r/8/8/3k4/8/8/8/KQ6 w - - 0 1";

#[test]
fn nothing_there() {
    let lines = listen("/there/is/no/such/folder", &[QUEEN]);
    let start = "info string SyzygyPath: no tables; /there/is/no/such/folder: ";
    assert!(lines[0].starts_with(start), "{lines:?}");
    let told = lines.iter().filter(|line| line.starts_with("info string"));
    assert_eq!(told.count(), 1, "{lines:?}");

    for nothing in ["", "<empty>"] {
        let lines = listen(nothing, &[QUEEN]);
        assert!(
            !lines.iter().any(|line| line.starts_with("info string")),
            "{lines:?}"
        );
        assert!(
            lines
                .iter()
                .all(|line| number(line, "tbhits").is_none_or(|hits| hits == 0))
        );
    }
}

#[test]
fn hits_are_counted_and_folders_separated() {
    let Some((folder, _)) = tables() else {
        return;
    };
    let folders = [Path::new("/nowhere"), Path::new(""), &folder];
    let folders = std::env::join_paths(folders).expect("names without separators");
    let folders = folders.to_str().expect("names in Unicode");
    let found =
        "info string SyzygyPath: found 70 files, for positions of up to 4 pieces; /nowhere: ";

    let mut driver = Driver::start();
    let lines = driver.ask(&format!("setoption name SyzygyPath value {folders}"));
    assert!(lines[0].starts_with(found), "{lines:?}");
    for threads in [1, 2] {
        driver.send(&format!("setoption name Threads value {threads}"));
        driver.send("position fen 8/8/4k3/4p3/8/4K3/3PP3/8 w - - 0 1");
        let lines = driver.go("go depth 12");
        let hits = number(&lines[lines.len() - 2], "tbhits");
        assert!(hits.is_some_and(|hits| hits > 10), "{lines:?}");
    }
    // Far from the leaves alone, the largest tables are asked less.
    driver.send("setoption name Threads value 1");
    let mut hits = |depth| {
        driver.send(&format!("setoption name SyzygyProbeDepth value {depth}"));
        driver.send("setoption name Clear Hash");
        let lines = driver.go("go depth 8");
        number(&lines[lines.len() - 2], "tbhits").expect("hits")
    };
    assert!(hits(100) < hits(1));
    // Below the limit nothing is asked.
    driver.send("setoption name SyzygyProbeLimit value 2");
    let lines = driver.go("go depth 8");
    assert_eq!(number(&lines[lines.len() - 2], "tbhits"), Some(0));
    driver.quit();

    // A line of engine.toml is as good.
    let (mut command, place) = prelate();
    let config = place.join("engine.toml");
    fs::write(&config, format!("syzygypath = {folders:?}\n")).expect("a file");
    command.env("PRELATE_CONFIG", &config);
    let mut driver = Driver::spawn(command, place);
    let lines = driver.ask("uci");
    assert!(
        lines.last().is_some_and(|line| line.starts_with(found)),
        "{lines:?}"
    );
    driver.quit();
}

/// The content of a damaged table with the checksum that would belong to it, so that the damage is
/// seen only by those who ask the table.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - checksum::LENGTH);
    let sum = checksum(&bytes[..]).expect("bytes can be read");
    bytes.extend(sum);
    bytes
}

/// Files that are cut, overwritten or exchanged are told of in one line, at once or, where even
/// the checksum is right, as soon as they are asked; the engine plays on.
#[test]
fn damaged_files() {
    let Some((folder, _)) = tables() else {
        return;
    };
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("damaged");
    let names: Vec<_> = classes(&folder)
        .into_iter()
        .filter(|class| class.len() < 5 || class == "KQvKR")
        .flat_map(|class| [format!("{class}.rtbw"), format!("{class}.rtbz")])
        .collect();
    let mut rng = SmallRng::seed_from_u64(6);
    let mut noise = |length: usize| -> Vec<u8> { (0..length).map(|_| rng.random()).collect() };
    for name in ["KQvK.rtbw", "KQvK.rtbz", "KQvKR.rtbw", "KQvKR.rtbz"] {
        let sound = fs::read(folder.join(name)).expect("a table");
        let other = fs::read(folder.join(name.replace('Q', "R"))).ok();
        let with_noise = |start: usize, noise: Vec<u8>| {
            let mut bytes = sound.clone();
            bytes.splice(start.., noise.into_iter().take(sound.len() - start));
            bytes
        };
        let mut with_one_bit = sound.clone();
        with_one_bit[sound.len() / 2] ^= 1;
        // What the file is, and whether it is seen to be wrong before it is asked.
        let damages = [
            (Vec::new(), true),
            (sound[..3].to_vec(), true),
            (sound[..sound.len() - 1].to_vec(), true),
            (noise(sound.len()), true),
            (with_one_bit, true),
            (with_noise(40, noise(sound.len())), true),
            (sealed(sound[..80].to_vec()), false),
            (sealed(with_noise(4, noise(sound.len()))), false),
            (sealed(with_noise(5, noise(sound.len()))), false),
            (sealed(with_noise(40, noise(sound.len()))), false),
            (other.unwrap_or_default(), false),
        ];
        for (number, (bytes, at_once)) in damages.into_iter().enumerate() {
            let _ = fs::remove_dir_all(&place);
            fs::create_dir_all(&place).expect("a folder");
            for name in &names {
                // Copied by content: the originals may be such that nobody may write to them.
                let bytes = fs::read(folder.join(name)).expect("a table");
                fs::write(place.join(name), bytes).expect("a copy");
            }
            fs::write(place.join(name), &bytes).expect("a file");
            let text = place.to_str().expect("a name in Unicode");
            let lines = listen(text, &[QUEEN_AND_ROOK, QUEEN, ROOK]);
            let told: Vec<_> = lines
                .iter()
                .filter(|line| line.starts_with("info string"))
                .collect();
            let story = format!("{name} {number}: {told:#?}");
            assert!(told[0].contains(" files, "), "{story}");
            assert_eq!(told[0].contains(&format!("{name}: ")), at_once, "{story}");
            assert_eq!(told.len(), if at_once { 1 } else { 2 }, "{story}");
            let last = told[told.len() - 1];
            assert!(at_once || last.contains(" is damaged, using "), "{story}");
        }
    }
}

/// A damaged table whose sums overflow is told of like any other, with checks of overflow too:
/// what they wrap to is out of bounds. Found by fuzzing.
#[test]
fn damage_may_overflow() {
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/tables/KPvK.rtbw");
    // Its first byte is only for the fuzzer.
    let mut bytes = fs::read(seed).expect("a table").split_off(1);
    bytes[32..36].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0x19]);
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("overflow");
    fs::create_dir_all(&place).expect("a folder");
    fs::write(place.join("KPvK.rtbw"), sealed(bytes)).expect("a file");
    let tables = Tablebase::open(place.to_str().expect("a name in Unicode"));
    for fen in [
        "8/8/8/3k4/8/8/P7/K7 w - - 0 1",
        "8/4P3/8/3k4/8/8/8/K7 b - - 0 1",
    ] {
        tables.wdl(&fen.parse().expect(fen));
    }
    let damage = "SyzygyPath: the wdl table of KPvK is damaged, using no tables";
    assert_eq!(tables.take_damage(), Some(damage));
}

/// A table so large that to read it would take long is used without that, which is told.
#[test]
fn large_tables_are_not_waited_for() {
    let Some((folder, _)) = tables() else {
        return;
    };
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("large");
    fs::create_dir_all(&place).expect("a folder");
    let start = fs::read(folder.join("KQvK.rtbw")).expect("a table");
    let large = fs::File::create(place.join("KQRRvKQR.rtbw")).expect("a file");
    (&large).write_all(&start).expect("a beginning");
    // Nothing but a size, where the system can have it so.
    large.set_len((1 << 30) + 16).expect("a size");
    let lines = listen(place.to_str().expect("a name in Unicode"), &[QUEEN]);
    fs::remove_file(place.join("KQRRvKQR.rtbw")).expect("a file");
    let told = "1 file, for positions of up to 7 pieces, 1 of them not verified";
    assert!(lines[0].contains(told), "{lines:?}");
}

/// `prelate tables` reads all of the tables, and names those that are not what they were.
#[test]
fn tables_are_verified() {
    let Some((folder, _)) = tables() else {
        return;
    };
    let verify = |folder: &Path| {
        let (mut command, place) = prelate();
        let output = command.arg("tables").arg(folder).output();
        let output = output.expect("the binary runs");
        let _ = fs::remove_dir(place);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("text");
        (output.status.success(), text)
    };
    let (well, text) = verify(&folder);
    assert!(
        well && text == "70 files, 4 MiB: all checksums are right\n",
        "{text}"
    );

    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("verified");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("a folder");
    let sound = fs::read(folder.join("KQvK.rtbw")).expect("a table");
    fs::write(place.join("KQvK.rtbw"), &sound).expect("a file");
    let mut rng = SmallRng::seed_from_u64(7);
    for _ in 0..20 {
        let mut damaged = sound.clone();
        let at = rng.random_range(4..sound.len());
        damaged[at] ^= 1 << rng.random_range(0..8);
        fs::write(place.join("KRvK.rtbw"), damaged).expect("a file");
        let (well, text) = verify(&place);
        let [told, sum] = text.lines().collect::<Vec<_>>()[..] else {
            panic!("{text}");
        };
        assert!(told.contains("KRvK.rtbw: the file is damaged"), "{text}");
        assert!(!well && sum == "2 files, 0 MiB: 1 cannot be used", "{text}");
    }

    // A file that cannot be read does not hide the others.
    #[cfg(unix)]
    {
        let _ = fs::remove_file(place.join("KRvK.rtbw"));
        std::os::unix::fs::symlink("/nowhere", place.join("KRvK.rtbw")).expect("a link");
        let (well, text) = verify(&place);
        assert!(
            !well && text.ends_with("\n1 file, 0 MiB: 1 cannot be used\n"),
            "{text}"
        );
        let lines = listen(place.to_str().expect("a name in Unicode"), &[QUEEN]);
        assert!(
            lines[0].contains("1 file, for positions of up to 3"),
            "{lines:?}"
        );
        fs::remove_file(place.join("KRvK.rtbw")).expect("a link");
    }

    let (well, text) = verify(Path::new("/nowhere"));
    assert!(
        !well && text.ends_with("\nno tables in /nowhere\n"),
        "{text}"
    );
}
