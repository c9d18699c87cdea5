//! Games in viriformat: what Prelate writes, the crate of the format's author reads, and back.

use std::io::{BufReader, ErrorKind};

use prelate::movegen::legal;
use prelate::position::{Position, STARTPOS};
use prelate::tools::viriformat::{Outcome, Record};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use viriformat::dataformat::{Game, WDL};

/// The start position, one of Chess960, one with promotions, castling and en passant at hand.
const STARTS: [&str; 3] = [
    STARTPOS,
    "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1",
    "r3k2r/P6P/8/3pP3/8/8/p6p/R3K2R w KQkq d6 3 9",
];
const GAMES_FROM_EACH: usize = 40;

/// Random games with random scores and outcomes.
fn games() -> Vec<Record> {
    let mut random = SmallRng::seed_from_u64(7);
    let mut game = |start: &str| {
        let start: Position = start.parse().expect("a start position");
        let mut position = start.clone();
        let mut moves = Vec::new();
        while moves.len() < 120 && position.state().halfmoves < 100 {
            let list = legal(&position);
            if list.is_empty() {
                break;
            }
            let mv = list[random.random_range(0..list.len())];
            position.make(mv);
            moves.push((mv, random.random()));
        }
        let outcomes = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins];
        Record {
            start,
            moves,
            outcome: outcomes[random.random_range(0..3)],
        }
    };
    STARTS
        .iter()
        .flat_map(|start| [*start; GAMES_FROM_EACH])
        .map(&mut game)
        .collect()
}

fn bytes_of(game: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.write(&mut bytes).expect("a vector takes everything");
    bytes
}

/// Placement, side to move, how many castling rights, and the fifty-move count of a FEN. Rights
/// have several spellings, and en passant squares several opinions.
fn essence(fen: &str) -> (String, String, usize, String) {
    let fields: Vec<_> = fen.split(' ').collect();
    let rights = fields[2].trim_matches('-').len();
    (fields[0].into(), fields[1].into(), rights, fields[4].into())
}

#[test]
fn games_survive_being_written_and_read() {
    let games = games();
    let bytes: Vec<u8> = games.iter().flat_map(bytes_of).collect();
    let mut input = bytes.as_slice();
    for game in &games {
        let read = Record::read(&mut input)
            .expect("readable")
            .expect("as many games as were written");
        assert_eq!(read.start, game.start);
        assert_eq!((&read.moves, read.outcome), (&game.moves, game.outcome));
    }
    assert!(Record::read(&mut input).expect("the end").is_none());
    let cut = Record::read(&mut &bytes[..40]);
    assert_eq!(cut.unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn the_public_crate_reads_the_same_positions_and_writes_the_same_bytes() {
    for game in games() {
        let bytes = bytes_of(&game);
        let theirs = Game::deserialise_from(&mut BufReader::new(bytes.as_slice()), Vec::new())
            .expect("readable for others");
        let outcome = match game.outcome {
            Outcome::BlackWins => WDL::Loss,
            Outcome::Draw => WDL::Draw,
            Outcome::WhiteWins => WDL::Win,
        };
        assert!(theirs.outcome() == outcome);

        let mut position = game.start.clone();
        let mut moves = game.moves.iter();
        theirs.visit_positions(|board, score| {
            let &(mv, told) = moves.next().expect("no more moves than were written");
            assert_eq!(score, i32::from(told));
            assert_eq!(essence(&board.to_string()), essence(&position.to_string()));
            position.make(mv);
        });
        assert!(moves.next().is_none(), "every move was read");

        let mut again = Vec::new();
        theirs
            .serialise_into(&mut again)
            .expect("a vector takes everything");
        assert_eq!(again, bytes);
    }
}
