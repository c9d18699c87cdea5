//! The limits of a search, from the words of `go`.

use std::time::Duration;

use super::command::{Go, GoFault};
use super::format::NO_MOVE;
use crate::engine::millis;
use crate::movegen::notation;
use crate::position::Position;
use crate::search::{ClockTime, Limits, TimeLimit};
use crate::types::Color;

/// The limits that a `go` sets in a position, and what of its line does not count there.
pub fn of(go: &Go, position: &Position) -> (Limits, Vec<GoFault>) {
    let mut faults = go.faults.clone();
    let mut moves = Vec::new();
    for text in go.searchmoves.iter().filter(|&text| text != NO_MOVE) {
        match notation::parse(position, text) {
            Some(mv) => moves.push(mv),
            None => faults.push(GoFault::IllegalMove(text.clone())),
        }
    }
    // A GUI that sends one clock only means it for both.
    let (remaining, increment) = match position.side() {
        Color::White => (go.wtime.or(go.btime), go.winc.or(go.binc)),
        Color::Black => (go.btime.or(go.wtime), go.binc.or(go.winc)),
    };
    let time = if go.infinite {
        None
    } else if let Some(time) = go.movetime {
        Some(TimeLimit::Move(Duration::from_millis(time)))
    } else {
        remaining.map(|remaining| {
            TimeLimit::Clock(ClockTime {
                remaining: millis(remaining),
                increment: millis(increment.unwrap_or(0)),
                moves_to_go: go.movestogo.filter(|&moves| moves > 0),
            })
        })
    };
    let limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        soft_nodes: None,
        mate: go.mate,
        time,
        moves,
        ponder: go.ponder,
    };
    let of_a_clock = increment.is_some() || go.movestogo.is_some();
    if of_a_clock && limits.are_none() && !go.infinite {
        faults.push(GoFault::NoClock);
    }
    (limits, faults)
}
