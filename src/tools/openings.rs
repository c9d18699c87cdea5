//! Openings of the engine's games against itself, and the start positions they come from.

use std::ops::RangeInclusive;

use rand::RngExt;
use rand::rngs::SmallRng;

use crate::movegen::{self, legal};
use crate::position::Position;
use crate::types::{Move, Role, Score};

/// The fewest plies of a random opening; half of the games have one more.
const PLIES: usize = 8;

/// How many plies a sensible opening has, and how many of them, at its beginning, are all random.
const SENSIBLE_PLIES: RangeInclusive<u32> = 8..=16;
const WILD_PLIES: RangeInclusive<u32> = 0..=2;
/// How much a random move may lose, in centipawns; how many are tried before the best is played.
const SENSIBLE_LOSS: i32 = 45;
const TRIALS: usize = 6;

/// Random moves from a start position; `None` if they end the game.
pub fn random(random: &mut SmallRng, chess960: u32) -> Option<Position> {
    let mut position = start_position(random, chess960);
    for _ in 0..PLIES + random.random_range(0..2) {
        let moves = legal(&position);
        if moves.is_empty() {
            return None;
        }
        position.make(any(&moves, random));
    }
    (movegen::count(&position) > 0).then_some(position)
}

/// Random moves from a start position of which few lose much; `None` if they end the game, or a score
/// is larger than `balance` centipawns. `search` tells the best move of a position and its score.
pub fn sensible(
    random: &mut SmallRng,
    chess960: u32,
    balance: i32,
    mut search: impl FnMut(&Position) -> Option<(Move, Score)>,
) -> Option<Position> {
    let mut position = start_position(random, chess960);
    let wild = random.random_range(WILD_PLIES);
    for ply in 0..random.random_range(SENSIBLE_PLIES) {
        let moves = legal(&position);
        if moves.is_empty() {
            return None;
        }
        if ply < wild {
            position.make(any(&moves, random));
            continue;
        }
        let (best, score) = search(&position)?;
        if score.0.abs() > balance {
            return None;
        }
        let mut trials = (0..TRIALS).map(|_| any(&moves, random));
        let chosen = trials.find(|&mv| {
            let reply = search(&position.after(mv));
            reply.is_some_and(|(_, reply)| -reply.0 >= score.0 - SENSIBLE_LOSS)
        });
        position.make(chosen.unwrap_or(best));
    }
    (movegen::count(&position) > 0).then_some(position)
}

/// One of some moves, each as likely as the others.
fn any(moves: &[Move], random: &mut SmallRng) -> Move {
    moves[random.random_range(0..moves.len())]
}

/// The position that a game begins with before any moves, of Chess960 in so many of a hundred cases.
fn start_position(random: &mut SmallRng, chess960: u32) -> Position {
    if random.random_range(0..100) < chess960 {
        random_start(random)
    } else {
        Position::default()
    }
}

/// A start position of Chess960, in half of the cases with an array of its own for each side.
fn random_start(random: &mut SmallRng) -> Position {
    let white = random_array(random);
    let black = if random.random_bool(0.5) {
        white
    } else {
        random_array(random)
    };
    let letters = |array: [Role; 8]| array.map(Role::letter).iter().collect::<String>();
    let rooks = |array: [Role; 8]| {
        let files = array.iter().zip('a'..='h');
        let rooks = files.filter(|&(&role, _)| role == Role::Rook);
        rooks.map(|(_, file)| file).collect::<String>()
    };
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        letters(black),
        letters(white).to_uppercase(),
        rooks(white).to_uppercase(),
        rooks(black)
    );
    fen.parse().expect("an array of Chess960 is well formed")
}

/// Bishops on squares of both colours, the king between the rooks.
fn random_array(random: &mut SmallRng) -> [Role; 8] {
    let mut array = [None; 8];
    array[2 * random.random_range(0..4)] = Some(Role::Bishop);
    array[2 * random.random_range(0..4) + 1] = Some(Role::Bishop);
    for (role, free) in [(Role::Queen, 6), (Role::Knight, 5), (Role::Knight, 4)] {
        let chosen = random.random_range(0..free);
        let mut places = array.iter_mut().filter(|place| place.is_none());
        if let Some(place) = places.nth(chosen) {
            *place = Some(role);
        }
    }
    let mut rest = [Role::Rook, Role::King, Role::Rook].into_iter();
    array.map(|place| place.or_else(|| rest.next()).unwrap_or(Role::Rook))
}
