//! Static exchange evaluation: what a capture wins if both sides go on taking on its square.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Move, Role};

/// What a piece is worth in exchanges, in centipawns. The king is worth nothing, since it is
/// never taken: it only takes where nobody takes back.
pub const fn role_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Whether the exchange that `mv` begins wins at least `threshold` centipawns for the mover,
/// both sides taking with their least valuable piece and stopping when that is better. Pins
/// count only as far as sliders behind moved pieces join in.
pub fn exchange_wins(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let board = position.board();
    let (from, to) = (mv.from(), mv.to());
    let victim = if mv.is_en_passant() {
        Some(Role::Pawn)
    } else {
        board.role_on(to)
    };
    let mut balance = victim.map_or(0, role_value) - threshold;
    if let Some(role) = mv.promotion() {
        balance += role_value(role) - role_value(Role::Pawn);
    }
    if balance < 0 {
        return false;
    }
    // Even if the mover's piece is lost for nothing, is it enough?
    let mover = mv.promotion().or(board.role_on(from)).unwrap_or(Role::Pawn);
    balance -= role_value(mover);
    if balance >= 0 {
        return true;
    }

    let mut occupied = (board.occupied() ^ Bitboard::square(from)) | Bitboard::square(to);
    if mv.is_en_passant() {
        occupied ^= Bitboard::square(to.forward(!position.side()));
    }
    let diagonal = board.role(Role::Bishop) | board.role(Role::Queen);
    let straight = board.role(Role::Rook) | board.role(Role::Queen);
    let mut attackers = board.attackers(to, occupied) & occupied;
    let mut side = !position.side();
    loop {
        let ours = attackers & board.color(side);
        let Some(role) = Role::ALL
            .into_iter()
            .find(|&role| (ours & board.role(role)).any())
        else {
            break;
        };
        // The king cannot take what is still protected.
        if role == Role::King && (attackers & board.color(!side)).any() {
            break;
        }
        let Some(taker) = (ours & board.role(role)).first() else {
            break;
        };
        occupied ^= Bitboard::square(taker);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - role_value(role);
        if balance >= 0 {
            break;
        }
    }
    // Whoever has to take and cannot, or would rather not, has lost the exchange.
    side != position.side()
}
