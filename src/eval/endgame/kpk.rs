//! King and pawn against king, exactly: a table of all positions, filled by asking each again and
//! again what its moves lead to until nothing new comes out (the idea of Stockfish's bitbase).

use std::sync::LazyLock;

use crate::attacks;
use crate::types::{Bitboard, Color, File, Rank, Square};

/// Pawns on the files a to d and the ranks two to seven; the other half of the board is a mirror.
const PAWNS: usize = 4 * 6;
const COUNT: usize = 2 * PAWNS * 64 * 64;

/// A bit for each position: whether the pawn's side wins.
static WINS: LazyLock<Box<[u64]>> = LazyLock::new(|| {
    let verdicts = solve();
    let word = |chunk: &[Verdict]| {
        (0..64).fold(0, |word, bit| {
            word | u64::from(chunk[bit] == Verdict::Win) << bit
        })
    };
    verdicts.chunks_exact(64).map(word).collect()
});

/// A position whose pawn is White's and stands on the files a to d.
#[derive(Clone, Copy)]
struct Kpk {
    white_moves: bool,
    king: Square,
    pawn: Square,
    bare: Square,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Unknown,
    /// No position at all: squares shared, kings side by side, or the side not to move in check.
    Impossible,
    Draw,
    Win,
}

/// Whether the side with the pawn wins.
pub fn is_win(strong: Color, king: Square, pawn: Square, bare: Square, to_move: Color) -> bool {
    let mirror = if pawn.file() > File::D { 7 } else { 0 };
    let seen = |square: Square| Square::from_index(square.relative_to(strong).index() ^ mirror);
    let index = Kpk {
        white_moves: to_move == strong,
        king: seen(king),
        pawn: seen(pawn),
        bare: seen(bare),
    }
    .index();
    WINS[index / 64] >> (index % 64) & 1 != 0
}

/// The verdicts on all positions; what stays unknown is never won.
fn solve() -> Vec<Verdict> {
    let mut verdicts: Vec<_> = (0..COUNT).map(|index| Kpk::at(index).at_first()).collect();
    loop {
        let mut news = false;
        for index in 0..COUNT {
            if verdicts[index] == Verdict::Unknown {
                verdicts[index] = Kpk::at(index).by_moves(&verdicts);
                news |= verdicts[index] != Verdict::Unknown;
            }
        }
        if !news {
            return verdicts;
        }
    }
}

impl Kpk {
    fn index(self) -> usize {
        let pawn = self.pawn.file().index() + 4 * (self.pawn.rank().index() - 1);
        ((usize::from(self.white_moves) * PAWNS + pawn) * 64 + self.king.index()) * 64
            + self.bare.index()
    }

    fn at(index: usize) -> Self {
        let pawn = index / (64 * 64) % PAWNS;
        Self {
            white_moves: index >= COUNT / 2,
            king: Square::from_index(index / 64 % 64),
            pawn: Square::from_index(pawn % 4 + 8 * (pawn / 4 + 1)),
            bare: Square::from_index(index % 64),
        }
    }

    fn pawn_attacks(self) -> Bitboard {
        attacks::pawn(Color::White, self.pawn)
    }

    /// What can be said without looking at moves.
    fn at_first(self) -> Verdict {
        let Self {
            king, pawn, bare, ..
        } = self;
        let shared = king == pawn || king == bare || pawn == bare;
        if shared || king.distance(bare) <= 1 {
            return Verdict::Impossible;
        }
        if self.white_moves {
            if self.pawn_attacks().has(bare) {
                return Verdict::Impossible;
            }
            let queen = pawn.forward(Color::White);
            let promotes = pawn.rank() == Rank::Seventh && king != queen && bare != queen;
            let kept = bare.distance(queen) > 1 || king.distance(queen) == 1;
            if promotes && kept {
                return Verdict::Win;
            }
        } else {
            let steps = self.bare_steps();
            let stalemate = steps.is_empty() && !self.pawn_attacks().has(bare);
            let takes = steps.has(pawn);
            if stalemate || takes {
                return Verdict::Draw;
            }
        }
        Verdict::Unknown
    }

    /// Where the bare king may go, the pawn's square among them if nobody protects it.
    fn bare_steps(self) -> Bitboard {
        attacks::king(self.bare) & !attacks::king(self.king) & !self.pawn_attacks()
    }

    /// What the moves lead to, as far as that is known.
    fn by_moves(self, verdicts: &[Verdict]) -> Verdict {
        let after = |next: Self| {
            let next = Self {
                white_moves: !self.white_moves,
                ..next
            };
            verdicts[next.index()]
        };
        let Self {
            king, pawn, bare, ..
        } = self;
        let (wanted, otherwise) = if self.white_moves {
            (Verdict::Win, Verdict::Draw)
        } else {
            (Verdict::Draw, Verdict::Win)
        };
        let mut open = false;
        let mut reaches = |verdict| {
            open |= verdict == Verdict::Unknown;
            verdict == wanted
        };
        if self.white_moves {
            for king in attacks::king(king) {
                if reaches(after(Self { king, ..self })) {
                    return wanted;
                }
            }
            // Promotion was seen at first: here only the steps before it.
            let once = pawn.forward(Color::White);
            let free = |square| square != king && square != bare;
            if pawn.rank() != Rank::Seventh && free(once) {
                if reaches(after(Self { pawn: once, ..self })) {
                    return wanted;
                }
                let twice = once.forward(Color::White);
                if pawn.rank() == Rank::Second
                    && free(twice)
                    && reaches(after(Self {
                        pawn: twice,
                        ..self
                    }))
                {
                    return wanted;
                }
            }
        } else {
            for bare in self.bare_steps() {
                if reaches(after(Self { bare, ..self })) {
                    return wanted;
                }
            }
        }
        if open { Verdict::Unknown } else { otherwise }
    }
}
