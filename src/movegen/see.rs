//! Static exchange evaluation (SEE): what a capture wins if both sides go on taking on its square.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Move, Rank, Role};

/// What a piece is worth in exchanges, in centipawns. The king counts nothing: it is never taken,
/// and takes last.
#[inline(always)]
pub const fn role_value(role: Role) -> i32 {
    // Of a match the compiler makes a jump to one of six places, which the processor cannot foresee.
    const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];
    VALUES[role.index()]
}

/// What a pawn gains by promotion.
const PROMOTION: i32 = role_value(Role::Queen) - role_value(Role::Pawn);

/// The order of attackers on the last ranks, where a pawn risks the queen it becomes; elsewhere it
/// is that of [`Role::ALL`].
const PROMOTING_ORDER: [Role; 6] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Pawn,
    Role::Queen,
    Role::King,
];

/// Whether the exchange that `mv` begins wins at least `threshold` centipawns for the mover,
/// both sides taking with their least valuable piece and stopping when that is better. Pawns
/// that take on the last rank become queens. X-rays count, pins do not.
#[doc(alias = "SEE")]
#[doc(alias = "static exchange evaluation")]
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let board = position.board();
    let (from, to) = (mv.from(), mv.to());
    let promoting = matches!(to.rank(), Rank::First | Rank::Eighth);
    let victim = if mv.is_en_passant() {
        Some(Role::Pawn)
    } else {
        board.role_on(to)
    };
    // By how much the side that took last exceeds what it needs.
    let mut surplus = victim.map_or(0, role_value) - threshold;
    if let Some(role) = mv.promotion() {
        surplus += role_value(role) - role_value(Role::Pawn);
    }
    if surplus < 0 {
        return false;
    }
    // Nobody takes back, nor does the mover uncover a piece that does: so it is with most quiet moves.
    let threats = position.state().threats;
    if !threats.has(to) && !threats.has(from) && !mv.is_en_passant() {
        return true;
    }
    let mover = mv.promotion().or(board.role_on(from));
    let mut stake = mover.map_or(0, role_value);
    // Even if the mover's piece is lost for nothing, is it enough?
    if surplus >= stake + if promoting { PROMOTION } else { 0 } {
        return true;
    }

    let mut occupied = (board.occupied() ^ Bitboard::square(from)) | Bitboard::square(to);
    if mv.is_en_passant() {
        occupied ^= Bitboard::square(to.forward(!position.side()));
    }
    let order = if promoting {
        PROMOTING_ORDER
    } else {
        Role::ALL
    };
    let diagonal = board.role(Role::Bishop) | board.role(Role::Queen);
    let straight = board.role(Role::Rook) | board.role(Role::Queen);
    let mut attackers = board.attackers(to, occupied) & occupied;
    let mut side = !position.side();
    loop {
        let ours = attackers & board.color(side);
        if ours.is_empty() {
            break;
        }
        let Some((role, taker)) = order
            .into_iter()
            .find_map(|role| Some((role, (ours & board.role(role)).first()?)))
        else {
            break;
        };
        // The king cannot take what is still protected.
        if role == Role::King && (attackers & board.color(!side)).any() {
            break;
        }
        let promotes = promoting && role == Role::Pawn;
        let gain = stake + if promotes { PROMOTION } else { 0 };
        surplus = gain - surplus - 1;
        if surplus < 0 {
            break;
        }
        stake = role_value(if promotes { Role::Queen } else { role });
        occupied ^= Bitboard::square(taker);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
    }
    // The side that has to take and cannot, or gains too little by it, has lost the exchange.
    side != position.side()
}
