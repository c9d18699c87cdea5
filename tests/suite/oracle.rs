//! Random play against shakmaty: rules and book-keeping compared on 200,000 positions.
//!
//! Games start from the start position or a random double Chess960 one, or from a handful of men
//! set up at random, castling rights included. Half of the games prefer captures and promotions,
//! so that bare kings and many promoted officers come up often.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prelate::movegen::{self, notation};
use prelate::position::{Position, STARTPOS, State};
use prelate::types::{Color, Move, MoveList, Wing};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError};

/// Positions of standard chess, and as many of Chess960.
const POSITIONS: usize = 100_000;
/// Every so many positions the texts of all moves are compared, which takes much longer.
const TEXTS_EVERY: usize = 40;
/// The most plies played from one start: enough to come from all men down to bare kings.
const MOST_PLIES: usize = 150;

#[test]
fn standard_chess_agrees_with_shakmaty() {
    play_many(CastlingMode::Standard, 1);
}

#[test]
fn chess960_agrees_with_shakmaty() {
    play_many(CastlingMode::Chess960, 2);
}

/// How often rare positions and legal moves came up: a test that never sees a castling proves
/// nothing about castling.
#[derive(Default)]
struct Seen {
    positions: usize,
    castlings: usize,
    en_passants: usize,
    promotions: usize,
    checks: usize,
    double_checks: usize,
    mates: usize,
    stalemates: usize,
    dead: usize,
}

impl Seen {
    fn assert_variety(&self) {
        for (name, count, least) in [
            ("castlings", self.castlings, 800),
            ("en passant captures", self.en_passants, 200),
            ("promotions", self.promotions, 5_000),
            ("checks", self.checks, 5_000),
            ("double checks", self.double_checks, 30),
            ("mates", self.mates, 50),
            ("stalemates", self.stalemates, 20),
            ("dead positions", self.dead, 1_000),
        ] {
            assert!(count >= least, "only {count} {name}");
        }
    }
}

fn play_many(mode: CastlingMode, seed: u64) {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut seen = Seen::default();
    let mut foreign = Vec::new();
    while seen.positions < POSITIONS {
        let fen = start(&mut random, mode);
        match (fen.parse::<Position>(), read(&fen, mode)) {
            (Ok(ours), Ok(theirs)) => {
                play_one(&mut random, &mut seen, &mut foreign, mode, ours, theirs);
            }
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{fen} is {ours:?} here and {theirs:?} there"),
        }
    }
    seen.assert_variety();
}

/// One game from a start until it ends, is dead for a while, or grows long.
fn play_one(
    random: &mut SmallRng,
    seen: &mut Seen,
    foreign: &mut Vec<Move>,
    mode: CastlingMode,
    mut ours: Position,
    mut theirs: Chess,
) {
    let greedy = random.random_bool(0.5);
    for _ in 0..MOST_PLIES {
        if seen.positions == POSITIONS {
            break;
        }
        compare(&ours, &theirs, random, foreign, seen);
        if seen.positions.is_multiple_of(TEXTS_EVERY) {
            compare_texts(&ours, &theirs, mode);
        }
        seen.positions += 1;
        let Some(mv) = choose(&ours, random, greedy) else {
            break;
        };
        if ours.board().is_dead() && random.random_bool(0.2) {
            break;
        }
        foreign.push(mv);
        theirs.play_unchecked(their_moves(&theirs)[&text(mv)]);
        ours.make(mv);
    }
}

/// A random legal move, with a liking for castling, for checks, double ones most of all, and in
/// greedy games for captures and promotions.
fn choose(position: &Position, random: &mut SmallRng, greedy: bool) -> Option<Move> {
    let moves = movegen::legal(position);
    let castling = moves.iter().find(|mv| mv.is_castling());
    if let Some(&castling) = castling.filter(|_| random.random_bool(0.2)) {
        return Some(castling);
    }
    if random.random_bool(0.1) {
        let checkers_after = |&mv: &Move| {
            let mut after = position.clone();
            after.make(mv);
            after.state().checkers.count()
        };
        return moves.iter().copied().max_by_key(checkers_after);
    }
    let mut noisy = MoveList::new();
    movegen::noisy(position, &mut noisy);
    if greedy && !noisy.is_empty() && random.random_bool(0.6) {
        return noisy.choose(random).copied();
    }
    moves.choose(random).copied()
}

/// A start position as (Shredder-)FEN.
fn start(random: &mut SmallRng, mode: CastlingMode) -> String {
    match mode {
        _ if random.random_bool(0.5) => few_men(random, mode),
        CastlingMode::Standard => STARTPOS.to_string(),
        CastlingMode::Chess960 => {
            let mut number = || random.random_range(0..960);
            let board = cozy_chess::Board::double_chess960_startpos(number(), number());
            format!("{board:#}")
        }
    }
}

/// Kings, perhaps with rooks to castle with, and a few men anywhere. Not every such board is a
/// position; both sides of the comparison must agree on that, too.
fn few_men(random: &mut SmallRng, mode: CastlingMode) -> String {
    let mut board = [' '; 64];
    let mut rights = String::new();
    for (rank, king, rook) in [(0, 'K', 'R'), (56, 'k', 'r')] {
        if random.random_bool(0.4) {
            let files = match mode {
                CastlingMode::Standard => [0, 4, 7],
                CastlingMode::Chess960 => {
                    let file = random.random_range(1..7);
                    [
                        random.random_range(0..file),
                        file,
                        random.random_range(file + 1..8),
                    ]
                }
            };
            board[rank + files[1]] = king;
            for rook_file in [files[2], files[0]] {
                if random.random_bool(0.7) {
                    board[rank + rook_file] = rook;
                    let letter = (b'a' + rook_file as u8) as char;
                    rights.push(if king == 'K' {
                        letter.to_ascii_uppercase()
                    } else {
                        letter
                    });
                }
            }
        } else {
            *empty_square(&mut board, random, 0..64) = king;
        }
    }
    for _ in 0..random.random_range(1..=7) {
        let men = if random.random_bool(0.5) {
            "PPPNBRQ"
        } else {
            "pppnbrq"
        };
        let man = men.as_bytes().choose(random).copied().unwrap() as char;
        let squares = if man.eq_ignore_ascii_case(&'p') {
            8..56
        } else {
            0..64
        };
        *empty_square(&mut board, random, squares) = man;
    }
    let mut fen = String::new();
    for rank in board.chunks(8).rev() {
        for &man in rank {
            fen.push(if man == ' ' { '1' } else { man });
        }
        fen.push('/');
    }
    fen.pop();
    let side = if random.random_bool(0.5) { 'w' } else { 'b' };
    let rights = if rights.is_empty() { "-" } else { &rights };
    write!(fen, " {side} {rights} - 0 1").unwrap();
    fen
}

fn empty_square<'a>(
    board: &'a mut [char; 64],
    random: &mut SmallRng,
    squares: std::ops::Range<usize>,
) -> &'a mut char {
    loop {
        let square = random.random_range(squares.clone());
        if board[square] == ' ' {
            return &mut board[square];
        }
    }
}

/// shakmaty's reading. It refuses some checks that no game can lead to; Prelate does not mind.
fn read(fen: &str, mode: CastlingMode) -> Result<Chess, String> {
    let fen = Fen::from_ascii(fen.as_bytes()).map_err(|error| error.to_string())?;
    fen.into_position(mode)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.to_string())
}

/// A move as both libraries can write it: castling is the king taking its rook.
fn text(mv: Move) -> String {
    notation::Uci { mv, chess960: true }.to_string()
}

fn their_moves(theirs: &Chess) -> BTreeMap<String, shakmaty::Move> {
    theirs
        .legal_moves()
        .into_iter()
        .map(|mv| (mv.to_uci(CastlingMode::Chess960).to_string(), mv))
        .collect()
}

/// Everything but the texts of moves.
fn compare(
    ours: &Position,
    theirs: &Chess,
    random: &mut SmallRng,
    foreign: &mut Vec<Move>,
    seen: &mut Seen,
) {
    let moves = movegen::legal(ours);
    compare_moves(ours, theirs, &moves);
    compare_verdicts(ours, theirs, &moves, seen);
    compare_attacks(ours, theirs);
    compare_fens(ours, theirs);
    check_stages(ours, &moves);
    check_make(ours, &moves, seen);
    check_null_move(ours);
    check_validation(ours, &moves, random, foreign);
}

fn compare_moves(ours: &Position, theirs: &Chess, moves: &[Move]) {
    let mut our_texts: Vec<String> = moves.iter().copied().map(text).collect();
    our_texts.sort_unstable();
    let their_texts: Vec<String> = their_moves(theirs).into_keys().collect();
    assert_eq!(our_texts, their_texts, "{ours}");
}

/// Check, mate, stalemate and dead positions.
///
/// shakmaty asks of each side whether it could still mate, and a draw asks it of both. Asked so,
/// the definitions coincide: a knight cannot mate a bare king; same-coloured bishops of any
/// number and owner cannot mate; everything else could, if only by the opponent's help, as two
/// knights or a knight against a knight. Neither library looks for locked pawns.
fn compare_verdicts(ours: &Position, theirs: &Chess, moves: &[Move], seen: &mut Seen) {
    let (check, stuck) = (ours.in_check(), moves.is_empty());
    assert_eq!(check, theirs.is_check(), "check in {ours}");
    assert_eq!(check && stuck, theirs.is_checkmate(), "mate in {ours}");
    assert_eq!(
        !check && stuck,
        theirs.is_stalemate(),
        "stalemate in {ours}"
    );
    let dead = ours.board().is_dead();
    assert_eq!(dead, theirs.is_insufficient_material(), "{ours}");
    seen.checks += usize::from(check);
    seen.double_checks += usize::from(ours.state().checkers.several());
    seen.mates += usize::from(check && stuck);
    seen.stalemates += usize::from(!check && stuck);
    seen.dead += usize::from(dead);
}

/// Checkers, pins and threats, each recomputed from shakmaty's attacks by its definition.
fn compare_attacks(ours: &Position, theirs: &Chess) {
    let (board, us) = (theirs.board(), theirs.turn());
    let king = board.king_of(us).expect("both sides have a king");
    let occupied = board.occupied();
    let checkers = theirs.checkers();
    assert_eq!(ours.state().checkers.0, checkers.0, "checkers in {ours}");

    let pinned = (board.by_color(us).without(king))
        .into_iter()
        .filter(|&square| {
            let attackers = board.attacks_to(king, !us, occupied.without(square));
            (attackers & !checkers).any()
        });
    let pinned: shakmaty::Bitboard = pinned.collect();
    assert_eq!(ours.state().pinned.0, pinned.0, "pinned in {ours}");

    let without_king = occupied.without(king);
    let threats: shakmaty::Bitboard = shakmaty::Square::ALL
        .into_iter()
        .filter(|&square| board.attacks_to(square, !us, without_king).any())
        .collect();
    assert_eq!(ours.state().threats.0, threats.0, "threats in {ours}");
}

/// Both kinds of FEN, out and in, and with them the board, the rights and the clocks.
fn compare_fens(ours: &Position, theirs: &Chess) {
    let en_passant = theirs.ep_square(EnPassantMode::Legal);
    let our_square = ours.state().en_passant.map(|square| square.to_string());
    assert_eq!(
        our_square,
        en_passant.map(|square| square.to_string()),
        "{ours}"
    );

    let setup = theirs.to_setup(EnPassantMode::Legal);
    let x_fen = ours.to_string();
    assert_eq!(
        x_fen,
        Fen::from_position(theirs, EnPassantMode::Legal).to_string()
    );
    for fen in [x_fen, ours.shredder_fen()] {
        assert_eq!(
            *Fen::from_ascii(fen.as_bytes()).expect(&fen).as_setup(),
            setup,
            "{fen}"
        );
        assert_same(&fen.parse().expect(&fen), ours);
    }
}

/// A position read from text equals the one it was written from, except for what the text does
/// not hold: how far back a repetition may reach, and castlings that are no longer possible.
fn assert_same(read: &Position, written: &Position) {
    assert_eq!(read.board(), written.board());
    let state = State {
        reversible: 0,
        ..*written.state()
    };
    assert_eq!(*read.state(), state, "{written}");
    for (color, wing) in Color::ALL
        .into_iter()
        .flat_map(|c| Wing::ALL.map(|w| (c, w)))
    {
        if state.castling.has(color, wing) {
            let path = |position: &Position| position.castling_paths().path(color, wing).copied();
            assert_eq!(path(read), path(written), "{written}");
        }
    }
}

/// The stages of the generator cover all moves once, and counting is as good as listing.
fn check_stages(position: &Position, moves: &[Move]) {
    assert_eq!(movegen::count(position), moves.len(), "{position}");
    let (mut noisy, mut quiets) = (MoveList::new(), MoveList::new());
    movegen::noisy(position, &mut noisy);
    movegen::quiets(position, &mut quiets);
    assert!(
        noisy.iter().all(|mv| !mv.is_quiet()),
        "{noisy:?} in {position}"
    );
    assert!(
        quiets.iter().all(|mv| mv.is_quiet()),
        "{quiets:?} in {position}"
    );
    let sorted = |moves: &mut dyn Iterator<Item = &Move>| {
        let mut bits: Vec<u16> = moves.map(|&mv| Move::to_bits(Some(mv))).collect();
        bits.sort_unstable();
        bits
    };
    let staged = sorted(&mut noisy.iter().chain(&quiets));
    assert_eq!(staged, sorted(&mut moves.iter()), "{position}");
    assert!(
        staged.windows(2).all(|pair| pair[0] != pair[1]),
        "{position}"
    );
}

/// Every move keeps the keys current and is taken back without a trace.
fn check_make(before: &Position, moves: &[Move], seen: &mut Seen) {
    let mut position = before.clone();
    for &mv in moves {
        let predicted = before.key_after(mv);
        let undo = position.make(mv);
        let (old, new) = (before.state(), position.state());
        assert_eq!(new.keys, position.recomputed_keys(), "{mv:?} in {before}");
        let plain = mv.promotion().is_none() && !mv.is_castling() && !mv.is_en_passant();
        let same_rights = old.castling == new.castling;
        if plain && same_rights && old.en_passant.is_none() && new.en_passant.is_none() {
            assert_eq!(predicted, position.key(), "{mv:?} in {before}");
        }
        position.unmake(&undo);
        assert_eq!(position, *before, "{mv:?} taken back");
        seen.castlings += usize::from(mv.is_castling());
        seen.en_passants += usize::from(mv.is_en_passant());
        seen.promotions += usize::from(mv.is_promotion());
    }
}

fn check_null_move(before: &Position) {
    if before.in_check() {
        return;
    }
    let mut position = before.clone();
    let undo = position.make_null();
    assert_eq!(position.side(), !before.side());
    assert_eq!(
        position.state().keys,
        position.recomputed_keys(),
        "{before}"
    );
    assert_same(
        &position.to_string().parse().expect("still a position"),
        &position,
    );
    position.unmake(&undo);
    assert_eq!(position, *before);
}

/// A move is legal if and only if it is in the list, wherever it comes from.
fn check_validation(
    position: &Position,
    moves: &[Move],
    random: &mut SmallRng,
    foreign: &mut Vec<Move>,
) {
    for &mv in moves {
        assert!(position.is_legal(mv), "{mv:?} in {position}");
    }
    // Moves of other positions, most of them of this very game, are the likeliest to deceive.
    if foreign.len() > 100 {
        foreign.drain(..50);
    }
    let noise = (0..40).filter_map(|_| Move::from_bits(random.random()));
    for mv in noise.chain(foreign.iter().copied()) {
        assert_eq!(
            position.is_legal(mv),
            moves.contains(&mv),
            "{mv:?} in {position}"
        );
    }
}

/// UCI and SAN of every move, out and in.
fn compare_texts(ours: &Position, theirs: &Chess, mode: CastlingMode) {
    for (uci, their_move) in their_moves(theirs) {
        let mv = notation::parse_uci(ours, &uci).expect(&uci);
        assert_eq!(text(mv), uci, "{ours}");
        if mode == CastlingMode::Standard {
            let standard = notation::Uci {
                mv,
                chess960: false,
            }
            .to_string();
            assert_eq!(standard, their_move.to_uci(mode).to_string(), "{ours}");
            assert_eq!(notation::parse_uci(ours, &standard), Some(mv), "{ours}");
        }
        let san = notation::san(ours, mv);
        assert_eq!(
            san,
            SanPlus::from_move(theirs.clone(), their_move).to_string(),
            "{ours}"
        );
        assert_eq!(notation::parse_san(ours, &san), Some(mv), "{san} in {ours}");
    }
}

/// All bit patterns, those that mean nothing among them, in positions with every kind of move.
#[test]
fn all_sixteen_bit_patterns_are_judged() {
    for fen in [
        STARTPOS,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
        "rk2r3/1P6/8/8/8/8/6p1/RK2R2B w EAea - 0 1",
    ] {
        let position: Position = fen.parse().expect(fen);
        let moves = movegen::legal(&position);
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(
                    position.is_legal(mv),
                    moves.contains(&mv),
                    "{bits:#06x} in {fen}"
                );
            }
        }
    }
    assert!(Move::from_bits(0).is_none());
}

/// What random play meets too seldom.
#[test]
fn rare_castlings_agree_with_shakmaty() {
    for (fen, castlings) in [
        // A rook that shields its king from the corner has to stay, and so has its twin.
        ("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", 0),
        ("4k3/8/8/8/8/8/8/nR1K4 w B - 0 1", 1),
        ("qrk5/8/8/8/8/8/8/4K3 b b - 0 1", 1),
        ("Qrk5/8/8/8/8/8/8/4K3 b b - 0 1", 0),
        // The rook may pass attacked squares, the king may not; neither may pass a piece.
        ("4k3/8/8/8/8/8/1r6/R3K3 w A - 0 1", 1),
        ("4k3/8/8/8/8/8/3r4/R3K3 w A - 0 1", 0),
        ("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", 0),
        // King and rook change places, or one of them is at home already.
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", 1),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", 1),
        ("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", 1),
        // The rook's goal is taken.
        ("4k3/8/8/8/8/8/8/5NKR w H - 0 1", 0),
        ("4k3/8/8/8/8/8/8/R1KN4 w A - 0 1", 0),
    ] {
        let ours: Position = fen.parse().expect(fen);
        let moves = movegen::legal(&ours);
        let found = moves.iter().filter(|mv| mv.is_castling()).count();
        assert_eq!(found, castlings, "{fen}");
        let theirs = read(fen, CastlingMode::Chess960).expect(fen);
        compare_moves(&ours, &theirs, &moves);
    }
}

/// The most moves of any game's position, and more of a set-up with fifteen queens.
#[test]
fn the_longest_lists_of_moves_have_room() {
    for (fen, count) in [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
        ("QQ4Q1/3Q3Q/Q4Q2/2Q4Q/Q4Q2/3Q3Q/1Q4Q1/1K2k3 w - - 0 1", 224),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(movegen::legal(&position).len(), count, "{fen}");
    }
}
