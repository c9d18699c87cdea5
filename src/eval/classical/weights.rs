//! The weights of the classical evaluation: one struct, whose fields the tuner sees as a vector.

use super::tapered::Tapered;

/// How many groups king positions fall into: at home on the first two ranks, and elsewhere.
pub const KING_BUCKETS: usize = 2;

/// Anything made of weights, from a single one to tables of tables.
pub trait Flatten {
    /// Appends every weight in declaration order.
    fn flatten(&self, out: &mut Vec<Tapered>);
    /// Replaces every weight in declaration order by the next of the source.
    fn refill(&mut self, source: &mut dyn Iterator<Item = Tapered>);
}

impl Flatten for Tapered {
    fn flatten(&self, out: &mut Vec<Tapered>) {
        out.push(*self);
    }

    fn refill(&mut self, source: &mut dyn Iterator<Item = Tapered>) {
        if let Some(weight) = source.next() {
            *self = weight;
        }
    }
}

impl<T: Flatten, const N: usize> Flatten for [T; N] {
    fn flatten(&self, out: &mut Vec<Tapered>) {
        self.iter().for_each(|part| part.flatten(out));
    }

    fn refill(&mut self, source: &mut dyn Iterator<Item = Tapered>) {
        self.iter_mut().for_each(|part| part.refill(source));
    }
}

macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// Every weight of the evaluation. `repr(C)` fields of nothing but [`Tapered`] lie one
        /// after the other, so that a reference to a weight tells which one it is.
        #[repr(C)]
        #[derive(Clone, Debug)]
        pub struct Weights {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Weights {
            /// The terms in order: the name of each and how many weights it has.
            pub const TERMS: &[(&str, usize)] =
                &[$((stringify!($name), size_of::<$type>() / size_of::<Tapered>()),)*];

            /// All weights as one vector.
            pub fn to_vector(&self) -> Vec<Tapered> {
                let mut out = Vec::new();
                $(self.$name.flatten(&mut out);)*
                out
            }

            /// Replaces all weights by those of a vector.
            pub fn set_vector(&mut self, vector: &[Tapered]) {
                let mut source = vector.iter().copied();
                $(self.$name.refill(&mut source);)*
            }

            /// The weights as the Rust expression of `tuned.rs`.
            pub fn to_source(&self) -> String {
                let mut out = String::from("Weights {\n");
                $(out.push_str(&format!("    {}: {:?},\n", stringify!($name), self.$name));)*
                out + "}"
            }
        }
    };
}

weights! {
    /// Pawn to queen.
    material: [Tapered; 5],
    /// By the own king's bucket, role and square as that king sees the board.
    psqt_own_king: [[[Tapered; 64]; 6]; KING_BUCKETS],
    /// By the enemy king's bucket, role and square as that king sees the board.
    psqt_enemy_king: [[[Tapered; 64]; 6]; KING_BUCKETS],
    /// Being on the move.
    tempo: Tapered,
    /// Two bishops on both square colours, by the number of own pawns.
    bishop_pair: [Tapered; 9],
    /// A knight and a rook, by the number of own pawns.
    knight_by_pawns: [Tapered; 9],
    rook_by_pawns: [Tapered; 9],
    /// By the number of safe squares attacked.
    mobility_knight: [Tapered; 9],
    mobility_bishop: [Tapered; 14],
    mobility_rook: [Tapered; 15],
    mobility_queen: [Tapered; 28],
    /// A knight or bishop on a protected square no enemy pawn can ever attack.
    outpost_knight: Tapered,
    outpost_bishop: Tapered,
    /// A knight or bishop that could go to such a square.
    outpost_reachable: Tapered,
    /// A knight or bishop right behind a pawn of either side.
    minor_behind_pawn: Tapered,
    /// A knight and a bishop, by the king moves to its own king.
    knight_own_king: [Tapered; 8],
    bishop_own_king: [Tapered; 8],
    /// By the number of own pawns on the bishop's square colour.
    bishop_pawns: [Tapered; 9],
    /// ... of those that cannot step forward.
    bishop_blocked_pawns: [Tapered; 9],
    /// A bishop that sees both centre squares of a long diagonal.
    long_diagonal: Tapered,
    /// A rook on a file without any pawns, or without own ones.
    rook_open_file: Tapered,
    rook_half_open_file: Tapered,
    /// A pawn with no enemy pawn ahead on its own or a neighbouring file, by rank.
    passed: [Tapered; 8],
    /// ... with a piece of either side right ahead of it, by rank.
    passed_blocked: [Tapered; 8],
    /// ... whose next square is not attacked by the enemy, by rank.
    passed_safe_step: [Tapered; 8],
    /// ... whose whole way is neither blocked nor attacked, by rank.
    passed_free_way: [Tapered; 8],
    /// ... by the king moves from the square ahead to its own king, and to the enemy's.
    passed_own_king: [Tapered; 8],
    passed_enemy_king: [Tapered; 8],
    /// ... protected by a pawn, and with another passed pawn on a neighbouring file, by rank.
    passed_protected: [Tapered; 8],
    passed_connected: [Tapered; 8],
    /// ... that the enemy, left with king and pawns, cannot catch.
    passed_runner: Tapered,
    /// ... with an own rook behind it.
    passed_rook_behind: Tapered,
    /// A pawn with nothing ahead on its file, and no more enemy pawns that may stop it on the
    /// neighbouring files than own pawns to help, by rank.
    candidate: [Tapered; 8],
    /// No own pawn on a neighbouring file, by the file's distance from the edge.
    isolated: [Tapered; 4],
    /// Isolated and doubled.
    isolated_doubled: Tapered,
    /// An own pawn further ahead on the file.
    doubled: Tapered,
    /// No own pawn beside or behind on neighbouring files, and the way ahead guarded by a pawn.
    backward: Tapered,
    /// Isolated or backward with no enemy pawn on the file.
    weak_exposed: Tapered,
    /// A pawn that an enemy pawn stands right ahead of, by rank.
    blocked: [Tapered; 8],
    /// A pawn that two enemy pawns attack and no own one protects.
    twice_attacked: Tapered,
    /// A pawn with a neighbour on its rank, by rank.
    phalanx: [Tapered; 8],
    /// A pawn protected by a pawn, by rank.
    protected: [Tapered; 8],
    /// By the file's distance from the edge and the rank of the own pawn nearest to the king
    /// (0 without one), for the three files around the king.
    shelter: [[Tapered; 8]; 4],
    /// ... of the enemy pawn nearest to the king.
    storm: [[Tapered; 8]; 4],
    /// By the king moves to the nearest pawn of either side.
    king_near_pawn: [Tapered; 8],
    /// No pawn at all on the three or four files of the king's wing.
    pawnless_wing: Tapered,
    /// By the role of the piece attacked: by a safe pawn, by a knight or bishop, by a rook.
    threat_by_pawn: [Tapered; 6],
    threat_by_minor: [Tapered; 6],
    threat_by_rook: [Tapered; 6],
    /// A piece that the king attacks and nobody protects.
    threat_by_king: Tapered,
    /// An attacked piece without protection.
    hanging: Tapered,
    /// On one's move once more for each of those, and for each piece under attack that is not
    /// firmly protected.
    hanging_on_move: Tapered,
    weak_on_move: Tapered,
    /// An attacked piece that its queen alone protects.
    guarded_by_queen: Tapered,
    /// A square both sides attack and the enemy does not hold firmly.
    restricted: Tapered,
    /// A pawn that can step forward safely to attack a piece.
    threat_by_push: Tapered,
    /// An attacked square of the queen's future: a safe knight or slider attack on the queen.
    threat_on_queen: Tapered,
    /// Each safe square behind the own pawns in the centre files, by the number of own pieces but pawns
    /// and king.
    space: [Tapered; 8],
    /// Danger to a king, in units that are squared: the fields from here on.
    danger_base: Tapered,
    /// The attacker is on the move.
    danger_on_move: Tapered,
    /// As the shelter and the storm, in units of danger.
    danger_shelter_pawn: [[Tapered; 8]; 4],
    danger_storm: [[Tapered; 8]; 4],
    /// An attacker of the king's zone, by role.
    danger_attacker: [Tapered; 5],
    /// Each attacked square beside the king.
    danger_attack: Tapered,
    /// Each square of the zone that is attacked and protected by king or queen alone.
    danger_weak_square: Tapered,
    /// A square for a safe check, by the checking role; and for one that loses the piece.
    danger_safe_check: [Tapered; 5],
    danger_unsafe_check: [Tapered; 5],
    /// Each square of the king's wing that the attacker attacks, and once more if twice; and each
    /// that the king's side protects.
    danger_wing_attack: Tapered,
    danger_wing_defense: Tapered,
    /// The attacker has no queen.
    danger_no_queen: Tapered,
    /// By the number of own pawns close in front of the king.
    danger_shelter: [Tapered; 4],
    /// An own piece pinned to the king.
    danger_pinned: Tapered,
    /// An own knight beside the king.
    danger_knight_defender: Tapered,
}

impl Weights {
    /// How many weights there are.
    pub const COUNT: usize = size_of::<Self>() / size_of::<Tapered>();

    /// Which element of the vector `weight` is, a reference into this very struct.
    pub fn index_of(&self, weight: &Tapered) -> usize {
        let offset = std::ptr::from_ref(weight).addr() - std::ptr::from_ref(self).addr();
        offset / size_of::<Tapered>()
    }

    /// The index of the first weight that counts danger units rather than centipawns.
    pub fn first_danger(&self) -> usize {
        self.index_of(&self.danger_base)
    }
}
