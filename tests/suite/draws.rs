//! Draws by rule, and the bishops that decide some of them.

use prelate::movegen::{self, notation};
use prelate::position::{Board, Game, Position, STARTPOS};
use prelate::types::{Bitboard, CastlingRights, Color, Move, Role, Square};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

fn game(fen: &str) -> Game {
    Game::new(fen.parse().expect(fen))
}

/// Plays moves in UCI notation.
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = notation::parse_uci(game.position(), text).expect(text);
        game.make(mv);
    }
}

#[test]
fn the_third_occurrence_is_a_repetition() {
    let mut game = game(STARTPOS);
    play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    assert!(!game.repeats(0), "the start position stands a second time");
    play(&mut game, "g1f3 g8f6 f3g1");
    assert!(!game.repeats(0));
    play(&mut game, "f6g8");
    assert!(game.repeats(0), "and a third time");
    game.unmake();
    assert!(!game.repeats(0));
}

#[test]
fn one_return_within_the_search_is_enough() {
    let mut game = game(STARTPOS);
    play(&mut game, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
    // The position after e7e5 stands again four plies later.
    assert!(game.repeats(5), "it arose below a root five plies up");
    assert!(
        !game.repeats(4),
        "the root itself stood before the search began"
    );
    assert!(!game.repeats(0));
}

#[test]
fn rights_to_castle_and_en_passant_make_positions_different() {
    let mut castling = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for _ in 0..2 {
        play(&mut castling, "e1e2 e8e7 e2e1 e7e8");
    }
    assert!(!castling.repeats(0), "the first time castling was allowed");
    play(&mut castling, "e1e2 e8e7 e2e1 e7e8");
    assert!(castling.repeats(0));

    let mut passing = game("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1");
    play(&mut passing, "d2d4");
    for _ in 0..2 {
        play(&mut passing, "e8e7 e1e2 e7e8 e2e1");
    }
    assert!(
        !passing.repeats(0),
        "the first time d4 could be taken in passing"
    );
    play(&mut passing, "e8e7 e1e2 e7e8 e2e1");
    assert!(passing.repeats(0));
}

#[test]
fn a_null_move_ends_the_memory() {
    let mut game = game(STARTPOS);
    play(&mut game, "g1f3 g8f6 f3g1");
    assert!(game.can_repeat(9), "f6g8 brings the start position back");
    game.make_null();
    assert!(!game.repeats(9) && !game.can_repeat(9));
    game.unmake();
    assert!(game.can_repeat(9));
}

#[test]
fn fifty_moves_are_a_hundred_half_moves() {
    for (fen, mv, drawn) in [
        ("4k3/8/8/8/8/8/4P3/4K2R w K - 98 90", "h1h2", false),
        ("4k3/8/8/8/8/8/4P3/4K2R w K - 99 90", "h1h2", true),
        // Castling is no progress; pawn moves, captures and promotions are.
        ("4k3/8/8/8/8/8/4P3/4K2R w K - 99 90", "e1g1", true),
        ("4k3/8/8/8/8/8/4P3/4K2R w K - 99 90", "e2e4", false),
        ("4k2r/8/8/8/8/8/8/4K2R w - - 99 90", "h1h8", false),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 99 90", "a7a8q", false),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 99 90", "e4d3", false),
    ] {
        let mut game = game(fen);
        play(&mut game, mv);
        assert_eq!(game.fifty_moves_passed(), drawn, "{mv} in {fen}");
    }
    assert!(game("4k3/8/8/8/8/8/8/4K2R w - - 200 150").fifty_moves_passed());
}

/// The clock has run out, and yet the caller finds a mate: no reply and a check.
#[test]
fn mate_on_the_hundredth_half_move_can_be_told_from_a_draw() {
    let mut game = game("7k/8/6K1/8/8/8/8/R7 w - - 99 90");
    play(&mut game, "a1a8");
    assert!(game.fifty_moves_passed());
    assert!(game.position().in_check());
    assert!(movegen::legal(game.position()).is_empty());
}

/// Each line shows the men beside the kings.
#[test]
fn dead_positions() {
    for (fen, dead, what) in [
        ("4k3/8/8/8/8/8/8/4K3 w - -", true, "bare kings"),
        ("4k3/8/8/8/8/8/8/3NK3 w - -", true, "one knight"),
        ("3nk3/8/8/8/8/8/8/4K3 w - -", true, "one knight of Black's"),
        ("4k3/8/8/8/8/8/8/2B1K3 w - -", true, "one bishop"),
        ("2b1k3/8/8/8/8/8/8/4K3 w - -", true, "one bishop of Black's"),
        (
            "4k3/8/8/8/8/B7/1B6/2B1K3 w - -",
            true,
            "three bishops on dark squares",
        ),
        (
            "4k3/8/8/4B3/3B4/B7/1B6/2B1K3 w - -",
            true,
            "five bishops on dark squares",
        ),
        (
            "4k3/8/3B4/4B3/3B4/B1B5/1B3B2/2B1K3 w - -",
            true,
            "eight bishops on dark squares",
        ),
        (
            "4kb2/8/8/8/8/8/8/2B1K3 w - -",
            true,
            "bishops of both owners on dark squares",
        ),
        (
            "2b1k3/1b6/8/8/8/8/4B3/4KB2 w - -",
            true,
            "two each on light squares",
        ),
        (
            "2b1k3/8/8/8/8/8/8/2B1K3 w - -",
            false,
            "bishops of both owners on both colours",
        ),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - -", false, "the bishop pair"),
        (
            "4k3/8/8/8/8/B7/1B6/2B1KB2 w - -",
            false,
            "three dark bishops and a light one",
        ),
        ("4k3/8/8/8/8/8/8/1NB1K3 w - -", false, "knight and bishop"),
        (
            "2b1k3/8/8/8/8/8/8/1N2K3 w - -",
            false,
            "knight against bishop",
        ),
        (
            "4k3/8/8/8/8/8/8/1N2K1N1 w - -",
            false,
            "two knights: help mates",
        ),
        (
            "1n2k3/8/8/8/8/8/8/1N2K3 w - -",
            false,
            "knight against knight: help mates",
        ),
        ("4k3/8/8/8/8/8/P7/4K3 w - -", false, "a pawn"),
        ("4k3/8/8/8/8/8/p7/4K3 w - -", false, "a pawn of Black's"),
        ("4k3/8/8/8/8/8/8/R3K3 w - -", false, "a rook"),
        ("4k3/8/8/8/8/8/8/Q3K3 w - -", false, "a queen"),
        (
            "4k3/p7/8/8/8/8/8/2B1K3 w - -",
            false,
            "a bishop against a pawn",
        ),
        (
            "r3k3/8/8/4B3/3B4/B7/1B6/2B1K3 w - -",
            false,
            "five bishops against a rook",
        ),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.board().is_dead(), dead, "{what}");
    }
}

/// From a live position into a dead one by the moves that make it so.
#[test]
fn promotions_and_captures_can_kill_a_position() {
    for (fen, mv, dead) in [
        ("8/P3k3/8/8/8/8/8/2B1K3 w - -", "a7a8b", false),
        ("8/1P2k3/8/8/8/8/8/2B1K3 w - -", "b7b8b", true),
        ("8/1P2k3/8/8/8/8/8/2B1K3 w - -", "b7b8n", false),
        ("4k3/8/8/8/8/8/4p3/4K3 w - -", "e1e2", true),
        ("4k3/8/8/8/8/1n6/8/N3K3 w - -", "a1b3", true),
    ] {
        let mut game = game(fen);
        assert!(!game.position().board().is_dead(), "{fen}");
        play(&mut game, mv);
        assert_eq!(game.position().board().is_dead(), dead, "{mv} in {fen}");
    }
}

#[test]
fn the_bishop_pair_needs_both_square_colours() {
    for (fen, white, black) in [
        (STARTPOS, true, true),
        ("4k3/8/8/8/8/8/8/2B1K3 w - -", false, false),
        ("2b1kb2/8/8/8/8/8/8/2B1K3 w - -", false, true),
        ("4k3/8/8/4B3/3B4/B7/1B6/2B1K3 w - -", false, false),
        ("4k3/8/8/4B3/3B4/B7/1B6/2B1KB2 w - -", true, false),
        // One bishop of each side on each colour is nobody's pair.
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - -", false, false),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(
            position.board().has_bishop_pair(Color::White),
            white,
            "{fen}"
        );
        assert_eq!(
            position.board().has_bishop_pair(Color::Black),
            black,
            "{fen}"
        );
    }
}

#[test]
fn a_promoted_bishop_makes_a_pair_only_on_the_other_colour() {
    for (mv, pair) in [("a7a8b", true), ("b7b8b", false)] {
        let mut game = game("8/PP2k3/8/8/8/8/8/2B1K3 w - -");
        assert!(!game.position().board().has_bishop_pair(Color::White));
        play(&mut game, mv);
        assert_eq!(
            game.position().board().has_bishop_pair(Color::White),
            pair,
            "{mv}"
        );
    }
}

#[test]
fn square_colours_alternate_from_dark_a1() {
    for square in Square::all() {
        let (file, rank) = square.coords();
        let white = (file.index() + rank.index()) % 2 == 1;
        assert_eq!(square.is_white_square(), white, "{square}");
        assert_eq!(Bitboard::LIGHT.has(square), white, "{square}");
        assert_eq!(Bitboard::DARK.has(square), !white, "{square}");
    }
    assert!(!Square::A1.is_white_square() && Square::H1.is_white_square());
}

/// What must be the same for two positions to be the same, kept without any key.
type Scene = (Board, Color, CastlingRights, Option<Square>);

fn scene(position: &Position) -> Scene {
    let state = position.state();
    (
        position.board().clone(),
        state.side,
        state.castling,
        state.en_passant,
    )
}

/// Whether `now` stood twice in `past`, or once less than `ply` half-moves ago.
fn stood_before(past: &[Scene], now: &Scene, ply: usize) -> bool {
    let distances: Vec<usize> = past
        .iter()
        .rev()
        .zip(1..)
        .filter_map(|(scene, distance)| (scene == now).then_some(distance))
        .collect();
    distances.len() >= 2 || distances.first().is_some_and(|&distance| distance < ply)
}

/// A random move that likes to go back where the mover's last one came from.
fn shuffle(game: &Game, random: &mut SmallRng) -> Option<Move> {
    let moves = movegen::legal(game.position());
    let own_last = game.moves().iter().rev().nth(1).and_then(|undo| undo.mv);
    let back = own_last.and_then(|last| {
        let goes_back = |mv: &&Move| mv.from() == last.to() && mv.to() == last.from();
        moves.iter().find(goes_back).copied()
    });
    let officers: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|mv| game.position().board().role_on(mv.from()) != Some(Role::Pawn))
        .collect();
    match back {
        Some(back) if random.random_bool(0.4) => Some(back),
        _ if random.random_bool(0.9) && !officers.is_empty() => officers.choose(random).copied(),
        _ => moves.choose(random).copied(),
    }
}

/// `repeats` against the definition, and `can_repeat` against trying every legal move: it
/// neither promises a repetition that no move brings nor misses one.
#[test]
fn repetitions_agree_with_brute_force() {
    let mut random = SmallRng::seed_from_u64(3);
    let (mut repeated, mut upcoming) = (0, 0);
    for round in 0..40 {
        let mut game = game(match round % 4 {
            0 => STARTPOS,
            1 => "r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1",
            2 => "8/8/4k3/8/1r6/8/3BK3/8 w - - 0 1",
            _ => "4k3/2n5/8/p7/P7/8/5Q2/4K3 b - - 0 1",
        });
        let mut past = Vec::new();
        for _ in 0..150 {
            let now = scene(game.position());
            let ply = random.random_range(0..12);
            let repeats = stood_before(&past, &now, ply);
            assert_eq!(
                game.repeats(ply),
                repeats,
                "{} at ply {ply}",
                game.position()
            );
            past.push(now);

            let after = |mv: Move| {
                let mut position = game.position().clone();
                position.make(mv);
                scene(&position)
            };
            let possible = movegen::legal(game.position())
                .into_iter()
                .any(|mv| stood_before(&past, &after(mv), ply + 1));
            assert_eq!(
                game.can_repeat(ply),
                possible,
                "{} at ply {ply}",
                game.position()
            );
            repeated += usize::from(repeats);
            upcoming += usize::from(possible);

            let Some(mv) = shuffle(&game, &mut random) else {
                break;
            };
            game.make(mv);
        }
    }
    assert!(
        repeated > 200 && upcoming > 500,
        "{repeated} repetitions, {upcoming} upcoming"
    );
}
