//! The numbers of the search, one line each. With the `tune` feature each is a UCI option.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering};

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $low:literal..=$high:literal step $step:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $default
            }
        )*

        #[cfg(feature = "tune")]
        mod values {
            use super::AtomicI32;
            $(
                #[allow(non_upper_case_globals, reason = "named like the function that reads it")]
                pub static $name: AtomicI32 = AtomicI32::new($default);
            )*
        }

        $(
            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                values::$name.load(Ordering::Relaxed)
            }
        )*

        /// Every parameter, for a tuner. Without the `tune` feature there is nothing to tune.
        #[cfg(feature = "tune")]
        pub static TABLE: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            default: $default,
            range: $low..=$high,
            step: $step,
            value: &values::$name,
        },)*];

        #[cfg(test)]
        #[test]
        fn every_default_lies_in_its_range() {
            $(assert!(($low..=$high).contains(&$default) && $step > 0, stringify!($name));)*
        }
    };
}

/// Every parameter, for a tuner. Without the `tune` feature there is nothing to tune.
#[cfg(not(feature = "tune"))]
pub static TABLE: &[Parameter] = &[];

/// A number of the search that a tuner may change.
#[derive(Debug)]
pub struct Parameter {
    /// The name, which is also that of its UCI option.
    pub name: &'static str,
    /// The value that builds without the `tune` feature have.
    pub default: i32,
    /// What it may be. The ends may be far out, to switch a rule off.
    pub range: RangeInclusive<i32>,
    /// How far a tuner should move it at the end of its run.
    pub step: i32,
    value: &'static AtomicI32,
}

impl Parameter {
    /// The present value.
    pub fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }

    /// Sets the value, for every engine of this process. Not while a search runs.
    pub fn set(&self, value: i32) {
        self.value.store(value, Ordering::Relaxed);
    }
}

parameters! {
    /// Half the width of the first aspiration window, in centipawns, and what a failure adds to it,
    /// in 128ths.
    aspiration_window = 11 in 4..=32000 step 3;
    aspiration_growth = 38 in 16..=256 step 10;

    /// Deepest node for reverse futility, in plies; margin per ply, and less of it when improving
    /// and when the opponent's evaluation is worsening.
    reverse_futility_depth = 9 in 0..=14 step 1;
    reverse_futility_margin = 47 in 30..=150 step 8;
    reverse_futility_improving = 64 in 0..=150 step 10;
    reverse_futility_worsening = 20 in 0..=100 step 6;
    /// The margin is at least so many centipawns.
    reverse_futility_least = 20 in 0..=80 step 5;
    /// How much of the evaluation's surplus over beta is in the score returned, in 128ths.
    reverse_futility_trust = 74 in 0..=128 step 10;

    /// Deepest node for razoring; its margin and the margin's growth by depth squared.
    razoring_depth = 4 in 0..=8 step 1;
    razoring_base = 217 in 50..=600 step 25;
    razoring_square = 204 in 50..=400 step 25;

    /// Shallowest node for the null move; the reduction's base in plies, the divisor of the depth in
    /// it, the divisor of the centipawns above beta in it, and the most plies that those add.
    null_depth = 3 in 1..=99 step 1;
    null_base = 4 in 2..=6 step 1;
    null_depth_divisor = 3 in 2..=6 step 1;
    null_margin_divisor = 211 in 80..=400 step 20;
    null_margin_limit = 4 in 0..=8 step 1;
    /// Shallowest node whose null move is verified.
    null_verified_depth = 14 in 6..=99 step 1;
    /// How far above beta the static evaluation has to be at depth 0, and by how much less with
    /// each ply.
    null_static_base = 135 in 0..=400 step 20;
    null_static_depth = 27 in 0..=60 step 4;

    /// Shallowest node for probcut, how many plies less deep than the node it searches, how far above
    /// beta it aims, and less of it when improving.
    probcut_depth = 5 in 3..=99 step 1;
    probcut_reduction = 4 in 2..=6 step 1;
    probcut_margin = 187 in 80..=350 step 15;
    probcut_improving = 62 in 0..=150 step 10;

    /// Shallowest node for internal iterative reduction.
    internal_depth = 4 in 2..=99 step 1;

    /// The depths, in plies, at which the moves after one that raised alpha are searched a ply less
    /// deep: from the first, below the second.
    raised_depth_from = 3 in 2..=99 step 1;
    raised_depth_below = 12 in 2..=99 step 1;

    /// Late move pruning: moves allowed at depth 0, and the part of all allowed, in 1024ths, unless
    /// improving. The rest grows with depth squared.
    late_moves = 10 in 1..=500 step 1;
    late_moves_declining = 495 in 200..=1024 step 50;
    /// By how many centipawns the best score has to stay behind the evaluation to tell of a threat.
    late_moves_threat = 100 in 20..=32000 step 15;
    /// What a point of history adds to the reduced depth that decides about pruning a quiet move, in
    /// 1024ths of a 1024th of a ply, and to what a forcing move may lose, in 1024ths of a centipawn.
    prune_history = 86 in 20..=300 step 12;
    prune_noisy_history = 29 in 0..=150 step 5;
    /// Deepest reduced node for futility pruning (-1 for none), its margin and the margin's growth per ply.
    futility_depth = 8 in -1..=14 step 1;
    futility_base = 71 in 0..=250 step 12;
    futility_margin = 90 in 30..=200 step 10;
    /// The same for captures, by the node's depth, above the value of what is taken.
    futility_capture_depth = 6 in -1..=14 step 1;
    futility_capture_base = 241 in 0..=600 step 25;
    futility_capture_margin = 214 in 50..=500 step 22;
    /// Points of capture history that are worth a centipawn there.
    futility_capture_divisor = 16 in 4..=1000 step 3;
    /// Deepest reduced node for history pruning, and the history per ply that saves a move.
    history_depth = 5 in -1..=10 step 1;
    history_margin = 3134 in 1000..=8000 step 400;
    /// What a quiet move may lose in exchanges, at least and per reduced ply squared, and what a
    /// capture may, per ply.
    see_quiet_base = 11 in 0..=2000 step 10;
    see_quiet = 20 in 5..=1000 step 4;
    see_capture = 93 in 30..=10000 step 8;

    /// Shallowest node for singular extensions, and by how many plies the entry of the hash table may
    /// be shallower than the node; the margin per ply in 16ths of a centipawn; the further margin of
    /// a double and a triple extension, and how many such extensions a line may have.
    singular_depth = 6 in 4..=99 step 1;
    singular_entry = 3 in 0..=8 step 1;
    singular_margin = 9 in 5..=60 step 3;
    double_margin = 25 in 0..=32000 step 4;
    triple_margin = 82 in 30..=32000 step 12;
    double_limit = 12 in 0..=100 step 2;
    /// By how many plies a hash move that is not singular is searched less deep: where it beats beta
    /// in a node of the principal variation, where it does so elsewhere, and in other cut nodes.
    singular_less_pv = 1 in 0..=4 step 1;
    singular_less_beta = 3 in 0..=5 step 1;
    singular_less_cut = 2 in 0..=4 step 1;

    /// Shallowest node for late move reductions.
    reduction_depth = 2 in 2..=99 step 1;
    /// Late move reductions in 1024ths of a ply: constant and logarithmic part, quiet and noisy.
    reduction_quiet_base = 749 in 200..=1600 step 60;
    reduction_quiet_log = 433 in 200..=900 step 25;
    reduction_noisy_base = 262 in 0..=1000 step 60;
    reduction_noisy_log = 332 in 100..=700 step 25;
    /// ... added in expected cut nodes, saved in nodes of the principal variation, and so on.
    reduction_cut_node = 1499 in 0..=3000 step 120;
    reduction_pv = 684 in 0..=2500 step 100;
    reduction_table_pv = 810 in 0..=2500 step 100;
    reduction_improving = 955 in 0..=2500 step 100;
    reduction_check = 824 in 0..=2500 step 100;
    reduction_noisy_table_move = 1025 in 0..=2500 step 100;
    reduction_known = 291 in 0..=2500 step 100;
    reduction_cutoffs = 966 in 0..=2500 step 100;
    /// More cutoffs than so many among the children of a node call for that last one.
    cutoffs_tolerated = 3 in 0..=10 step 1;
    /// Points of history that save a ply, and of capture history.
    reduction_history_divisor = 6569 in 3000..=1000000 step 600;
    reduction_capture_history_divisor = 6388 in 2000..=1000000 step 600;
    /// Score above the best so far that searches a reduced move deeper, with what each ply adds in
    /// 16ths of a centipawn, and shallower.
    deeper_margin = 37 in 0..=32000 step 8;
    deeper_per_ply = 45 in 0..=128 step 6;
    shallower_margin = 16 in 0..=40 step 3;
    /// Plies by which the move before has to be reduced for second thoughts: deeper, shallower.
    hindsight_deeper = 3 in 1..=99 step 1;
    hindsight_shallower = 2 in 1..=99 step 1;
    /// Sum of both sides' evaluations above which they count as content.
    hindsight_margin = 173 in 0..=500 step 25;

    /// Weights of the histories of a quiet move, in 128ths: by its squares, by the pawn structure,
    /// and by the moves one, two, four and six plies earlier.
    weight_squares = 140 in 0..=400 step 12;
    weight_pawns = 122 in 0..=400 step 12;
    weight_one = 131 in 0..=400 step 12;
    weight_two = 128 in 0..=400 step 12;
    weight_four = 72 in 0..=400 step 10;
    weight_six = 40 in 0..=400 step 10;

    /// By how much a quiet check is ranked higher that loses no more than so many centipawns in
    /// exchanges.
    quiet_check = 7018 in 0..=30000 step 1500;
    quiet_check_loss = 75 in 0..=400 step 20;
    /// By how much a knight or bishop is ranked higher that escapes from a pawn, and lower that steps
    /// into its reach; rooks and lesser pieces twice as much, queens four times.
    quiet_escape = 3000 in 0..=16000 step 700;
    /// What a centipawn of gain counts in the order of captures, beside their history.
    capture_gain = 16 in 2..=64 step 3;
    /// What a point of its rank lets a capture lose and still be tried early, in 1024ths of a
    /// centipawn, and the most in centipawns.
    good_capture_history = 24 in 0..=150 step 5;
    good_capture_limit = 150 in 0..=500 step 25;

    /// History bonus and malus: growth per ply, constant part, limit.
    bonus_scale = 163 in 40..=400 step 15;
    bonus_base = 65 in -200..=400 step 20;
    bonus_limit = 1613 in 0..=4000 step 150;
    malus_scale = 261 in 40..=500 step 20;
    malus_base = 35 in -200..=400 step 20;
    malus_limit = 1221 in 0..=4000 step 150;
    /// The bonus of the quiet move before a node that fails low, in 128ths; only its squares get it.
    fail_low_bonus = 128 in 0..=400 step 20;
    /// What a quiet move's squares get for each centipawn that it gains its side in evaluation beyond
    /// what is usual, what is usual (less than nothing: the turn passes), and the most that counts.
    evaluation_bonus = 4 in 0..=64 step 1;
    evaluation_usual = -36 in -200..=200 step 5;
    evaluation_limit = 100 in 0..=1000 step 10;
    /// The part of the history by squares, in 128ths, that is left when the next search begins.
    squares_kept = 96 in 0..=128 step 8;
    /// The part of the malus, in 128ths, for an early quiet move that the hash table refutes.
    malus_refuted = 107 in 0..=400 step 20;
    /// Among how many first moves it counts as early.
    malus_refuted_number = 3 in 0..=10 step 1;

    /// Weights of the correction histories, in 128ths.
    correct_pawns = 109 in 0..=300 step 12;
    correct_minors = 102 in 0..=300 step 12;
    correct_non_pawns = 92 in 0..=300 step 12;
    correct_moves = 115 in 0..=300 step 12;
    /// The most that one search moves a correction towards its own error, in 256ths.
    correct_speed = 16 in 4..=64 step 3;

    /// How much the time for a move depends on the part of the nodes that went into the best move,
    /// on how long it has been the best, and on a falling score, in percent.
    time_nodes = 160 in 0..=300 step 15;
    time_stability = 100 in 0..=200 step 12;
    time_falling = 100 in 0..=200 step 12;

    /// Plies of depth that an entry of the hash table is worth less with each search after its own.
    table_age = 4 in 0..=16 step 1;
    /// By how many plies a new entry of the same position and search may be shallower and still
    /// replace the old one, and how many more on a principal variation.
    table_shallower = 4 in 0..=16 step 1;
    table_shallower_pv = 2 in 0..=8 step 1;

    /// Quiescence: what a capture must promise above the evaluation, what it may lose, and how many
    /// are tried.
    quiescence_margin = 71 in 0..=32000 step 15;
    quiescence_loss = 31 in 0..=200 step 8;
    quiescence_moves = 3 in 1..=250 step 1;

    /// So many half-moves without capture or pawn move would make the evaluation fade to nothing.
    fading = 210 in 101..=1000 step 12;
}
