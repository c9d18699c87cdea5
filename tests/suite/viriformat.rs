//! Games in viriformat: what Prelate writes, the crate of the format's author reads, and back.

use std::io::{BufReader, Cursor};

use prelate::movegen::legal;
use prelate::position::{Position, STARTPOS};
use prelate::train::viriformat::{Fault, Games, Outcome, Record};
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
    let mut input = Games::new(bytes.as_slice());
    for game in &games {
        let read = input.next_game().expect("readable");
        assert_eq!(read, Some(Ok(game.clone())));
    }
    assert_eq!(input.offset(), bytes.len() as u64);
    assert_eq!(input.next_game().expect("the end"), None);
}

/// All whole games of some bytes, and where damage begins.
fn read_all(bytes: &[u8]) -> (Vec<Record>, Vec<(u64, Fault)>) {
    let mut input = Games::new(bytes);
    let (mut games, mut damages) = (Vec::new(), Vec::new());
    while let Some(next) = input.next_game().expect("readable") {
        match next {
            Ok(game) => games.push(game),
            Err(damage) => damages.push((damage.offset, damage.fault)),
        }
    }
    (games, damages)
}

#[test]
fn damage_is_told_with_its_place_and_the_rest_is_read() {
    let games = games();
    let pieces: Vec<Vec<u8>> = games.iter().map(bytes_of).collect();
    let start: usize = pieces[..3].iter().map(Vec::len).sum();
    let bytes = pieces.concat();
    let without_the_fourth = [&games[..3], &games[4..]].concat();

    let mut illegal = bytes.clone();
    illegal[start + Record::PACKED..][..2].copy_from_slice(&[0xFF, 0x0F]);
    let (read, damages) = read_all(&illegal);
    assert_eq!(read, without_the_fourth);
    assert!(matches!(&damages[..], [(place, Fault::IllegalMove(_))] if *place == start as u64));

    let mut outcome = bytes.clone();
    outcome[start + 30] = 76;
    let (read, damages) = read_all(&outcome);
    assert_eq!(read, without_the_fourth);
    assert_eq!(damages, [(start as u64, Fault::Outcome(76))]);

    // Bytes that are missing put all others out of step.
    for lost in [1, 4, 33, 51] {
        let end = start + pieces[3].len();
        let torn = [&bytes[..end - lost], &bytes[end..]].concat();
        let (read, damages) = read_all(&torn);
        assert_eq!(damages.len(), 1, "{lost} bytes lost: {damages:?}");
        assert!(read.len() >= games.len() - 2, "{lost} bytes lost");
        assert_eq!(read.last(), games.last());
    }

    let (read, damages) = read_all(&bytes[..bytes.len() - 3]);
    assert_eq!(read, games[..games.len() - 1]);
    assert!(matches!(&damages[..], [(_, Fault::CutShort)]));
}

/// So several threads can share a file.
#[test]
fn reading_can_begin_anywhere() {
    let games = games();
    let pieces: Vec<Vec<u8>> = games.iter().map(bytes_of).collect();
    let bytes = pieces.concat();
    let mut place = 0;
    for (index, piece) in pieces.iter().enumerate() {
        for offset in [place + 1, place + piece.len() / 2, place + piece.len()] {
            let mut input = Games::from(Cursor::new(&bytes), offset as u64).expect("readable");
            let next = input.next_game().expect("readable");
            assert_eq!(next.and_then(Result::ok).as_ref(), games.get(index + 1));
        }
        place += piece.len();
    }
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
