//! Perft: counting the leaves of the move tree, which proves move generation and make/unmake.

use super::{count, legal};
use crate::position::Position;
use crate::types::{Bitboard, Move, MoveKind};

/// The number of legal move sequences of `depth` plies. The last ply is counted, not played.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count(position) as u64,
        _ => {
            let mut nodes = 0;
            for mv in legal(position) {
                let undo = position.make(mv);
                nodes += perft(position, depth - 1);
                position.unmake(&undo);
            }
            nodes
        }
    }
}

/// The same, asking now and then whether to go on; `None` if not.
fn perft_while(
    position: &mut Position,
    depth: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    /// Trees of this depth take a moment only.
    const SMALL: u32 = 3;
    if !go_on() {
        return None;
    }
    if depth <= SMALL {
        return Some(perft(position, depth));
    }
    let mut nodes = 0;
    for mv in legal(position) {
        let undo = position.make(mv);
        let below = perft_while(position, depth - 1, go_on);
        position.unmake(&undo);
        nodes += below?;
    }
    Some(nodes)
}

/// The same, telling the leaves below each legal move as they are counted, in generation order.
pub fn divide(
    position: &mut Position,
    depth: u32,
    go_on: &mut dyn FnMut() -> bool,
    tell: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in legal(position) {
        let undo = position.make(mv);
        let nodes = perft_while(position, depth - 1, go_on);
        position.unmake(&undo);
        total += nodes?;
        tell(mv, nodes?);
    }
    Some(total)
}

/// What the last moves of all sequences are, column by column as the literature prints them.
///
/// - `checks` counts every move that gives check, however many pieces give it.
/// - `discovery_checks` counts moves after which exactly one piece gives check and it is not the
///   piece that moved. Castling checks with its rook, which has moved: no discovery.
/// - `double_checks` counts moves after which two pieces give check and that do not mate; they
///   are no discoveries. The published tables count a mate by double check as a mate only: of
///   Kiwipete's 2645 double checks at depth 5 eight mate, and its column says 2637.
/// - `captures` includes `en_passant` and capturing promotions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub nodes: u64,
    pub captures: u64,
    pub en_passant: u64,
    pub castles: u64,
    pub promotions: u64,
    pub checks: u64,
    pub discovery_checks: u64,
    pub double_checks: u64,
    pub checkmates: u64,
}

impl Table {
    /// The names of the columns, in the order of [`Table::columns`].
    pub const NAMES: [&'static str; 9] = [
        "nodes",
        "captures",
        "en passant",
        "castles",
        "promotions",
        "checks",
        "discovery checks",
        "double checks",
        "checkmates",
    ];

    /// The columns as numbers.
    pub const fn columns(&self) -> [u64; 9] {
        [
            self.nodes,
            self.captures,
            self.en_passant,
            self.castles,
            self.promotions,
            self.checks,
            self.discovery_checks,
            self.double_checks,
            self.checkmates,
        ]
    }

    /// Adds a move that has just been made.
    fn add(&mut self, mv: Move, after: &Position) {
        self.nodes += 1;
        self.captures += u64::from(mv.is_capture());
        self.en_passant += u64::from(mv.is_en_passant());
        self.castles += u64::from(mv.is_castling());
        self.promotions += u64::from(mv.is_promotion());
        let checkers = after.state().checkers;
        if checkers.any() {
            let moved = match mv.kind() {
                MoveKind::Castling => after.board().color(!after.side()) & rank_of(mv),
                _ => mv.to().into(),
            };
            let double = checkers.several();
            let mate = count(after) == 0;
            self.checks += 1;
            self.double_checks += u64::from(double && !mate);
            self.discovery_checks += u64::from(!double && (checkers & moved).is_empty());
            self.checkmates += u64::from(mate);
        }
    }
}

/// The first rank of the side that castled: the checking rook stands on it.
fn rank_of(mv: Move) -> Bitboard {
    Bitboard::rank(mv.from().rank())
}

/// The nine columns over all sequences of `depth` plies; zeros at depth 0 but for the one node.
pub fn table(position: &mut Position, depth: u32) -> Table {
    let mut table = Table::default();
    if depth == 0 {
        table.nodes = 1;
    } else {
        fill(position, depth, &mut table);
    }
    table
}

fn fill(position: &mut Position, depth: u32, table: &mut Table) {
    for mv in legal(position) {
        let undo = position.make(mv);
        if depth == 1 {
            table.add(mv, position);
        } else {
            fill(position, depth - 1, table);
        }
        position.unmake(&undo);
    }
}
