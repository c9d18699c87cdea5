//! The five ideas Prelate was seeded with, one by one, each to be seen at work.

use std::collections::HashSet;

use prelate::attacks::{self, sliding::hyperbola};
use prelate::movegen::{self, notation, perft};
use prelate::position::{Board, Position, STARTPOS};
use prelate::types::{
    Bitboard, CastlingRights, Color, File, Move, Piece, Rank, Role, Square, Wing,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

fn legal(position: &Position, uci: &str) -> Option<Move> {
    notation::parse_uci(position, uci)
}

// The first idea: the bishop pair.

#[test]
fn idea_1_a_bishop_pair_is_bishops_on_both_square_colours() {
    assert!(position(STARTPOS).board().has_bishop_pair(Color::White));
    assert!(position(STARTPOS).board().has_bishop_pair(Color::Black));
    let one_each = position("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1");
    assert!(!one_each.board().has_bishop_pair(Color::White));
    assert!(!one_each.board().has_bishop_pair(Color::Black));
}

#[test]
fn idea_1_a_square_is_white_by_the_parity_of_rank_and_square() {
    for square in Square::all() {
        let (rank, index) = (square.index() / 8, square.index());
        assert_eq!(
            square.is_white_square(),
            (rank + index) % 2 == 1,
            "{square}"
        );
    }
}

#[test]
fn idea_1_five_bishops_on_one_colour_are_no_pair_and_win_nothing() {
    let five = position("4k3/8/8/4B3/3B4/B7/1B6/2B1K3 w - - 0 1");
    assert_eq!(five.board().pieces(Color::White, Role::Bishop).count(), 5);
    assert!(!five.board().has_bishop_pair(Color::White));
    assert!(five.board().is_dead());
    let sixth_on_the_other = position("4k3/8/8/4B3/3B4/B7/1B6/2B1KB2 w - - 0 1");
    assert!(sixth_on_the_other.board().has_bishop_pair(Color::White));
    assert!(!sixth_on_the_other.board().is_dead());
}

// The second idea: the board is colours, roles and a mailbox, of types that hold no wrong value.

#[test]
fn idea_2_colours_roles_and_mailbox_tell_one_story() {
    let position = position(KIWIPETE);
    let board = position.board();
    for square in Square::all() {
        let by_sets = Piece::ALL.into_iter().find(|piece| {
            board.color(piece.color()).has(square) && board.role(piece.role()).has(square)
        });
        assert_eq!(board.piece_on(square), by_sets, "{square}");
    }
    assert_eq!(board.occupied().count(), 32);
}

#[test]
fn idea_2_no_number_and_no_text_makes_an_invalid_square() {
    for index in [0, 63, 64, 1_000, usize::MAX] {
        assert!(Square::from_index(index).index() < 64);
    }
    for text in ["", "a", "a0", "a9", "i1", "A1", "a1a", "é1"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
    let texts: HashSet<String> = Square::all().map(|square| square.to_string()).collect();
    assert_eq!(texts.len(), 64);
    assert!(Square::all().all(|square| square.to_string().parse() == Ok(square)));
}

#[test]
fn idea_2_sets_of_squares_have_masks_and_operators() {
    let (file, rank) = (Bitboard::file(File::E), Bitboard::rank(Rank::Fourth));
    assert_eq!(file & rank, Bitboard::square(Square::E4));
    assert_eq!((file | rank).count(), 15);
    assert_eq!((file ^ rank).count(), 14);
    assert_eq!((!file).count(), 56);
    assert_eq!(rank.flipped(), Bitboard::rank(Rank::Fifth));
    assert_eq!(rank.into_iter().next(), Some(Square::A4));
    assert_eq!(Square::E4.coords(), (Square::E4.file(), Square::E4.rank()));
    assert_eq!(Square::new(File::E, Rank::Fourth), Square::E4);
    assert_eq!(Square::E4.flipped(), Square::E5);
}

#[test]
fn idea_2_squares_are_numbered_from_a1_along_the_ranks() {
    for (square, index) in [
        (Square::A1, 0),
        (Square::B1, 1),
        (Square::A2, 8),
        (Square::H8, 63),
    ] {
        assert_eq!(square.index(), index, "{square}");
        assert_eq!(Bitboard::square(square).0, 1 << index, "{square}");
    }
}

// The third idea: moves.

#[test]
fn idea_3_sliders_move_by_hyperbola_quintessence_and_leapers_by_tables() {
    let occupied = position(KIWIPETE).board().occupied();
    for square in Square::all() {
        let (bishop, rook) = (
            hyperbola::bishop(square, occupied),
            hyperbola::rook(square, occupied),
        );
        assert_eq!(attacks::bishop(square, occupied), bishop, "{square}");
        assert_eq!(attacks::rook(square, occupied), rook, "{square}");
        assert_eq!(attacks::queen(square, occupied), bishop | rook, "{square}");
    }
    assert_eq!(
        attacks::knight(Square::A1),
        [Square::B3, Square::C2].into_iter().collect()
    );
    assert_eq!(attacks::king(Square::H8).count(), 3);
    let white = [Square::D5, Square::F5].into_iter().collect();
    assert_eq!(attacks::pawn(Color::White, Square::E4), white);
}

#[test]
fn idea_3_checks_and_pins_decide_legality() {
    // The rook on e8 pins the knight.
    let pinned = position("4r2k/8/8/8/4N3/8/8/4K3 w - - 0 1");
    assert!(pinned.state().pinned.has(Square::E4));
    assert_eq!(legal(&pinned, "e4f6"), None);
    // In check one takes, blocks or steps aside; in double check only the king moves.
    let check = position("k3r3/8/8/7B/8/2N5/8/4K3 w - - 0 1");
    assert_eq!(check.state().checkers, Bitboard::square(Square::E8));
    for (mv, ends_it) in [
        ("h5e8", true),
        ("c3e4", true),
        ("e1d1", true),
        ("c3b5", false),
    ] {
        assert_eq!(legal(&check, mv).is_some(), ends_it, "{mv}");
    }
    let double = position("4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1");
    assert_eq!(double.state().checkers.count(), 2);
    assert!(
        movegen::legal(&double)
            .iter()
            .all(|mv| mv.from() == Square::E1)
    );
    assert_eq!(legal(&double, "g2f3"), None);
}

#[test]
fn idea_3_make_keeps_everything_current_and_unmake_restores_it() {
    let before = position("r3k2r/8/1b6/8/8/8/8/R3K2R b KQkq - 3 7");
    let mut after = before.clone();
    let mv = legal(&after, "e8h8").expect("castling");
    let undo = after.make(mv);
    assert_eq!(after.to_string(), "r4rk1/8/1b6/8/8/8/8/R3K2R w KQ - 4 8");
    assert_eq!(after.state().keys, after.recomputed_keys());
    assert!(after.state().threats.has(Square::F1) && after.state().threats.has(Square::G1));
    assert_eq!(after.board().piece_on(Square::F8), Some(Piece::BlackRook));
    after.unmake(&undo);
    assert_eq!(after, before);
}

#[test]
fn idea_3_the_perft_table_has_its_nine_columns() {
    let found = perft::table(&mut position(KIWIPETE), 2);
    let expected = [2_039, 351, 1, 91, 0, 3, 0, 0, 0];
    let columns = [
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
    assert_eq!(perft::Table::NAMES, columns);
    assert_eq!(found.columns(), expected);
}

// The fourth idea: the state beside the pieces.

#[test]
fn idea_4_the_state_is_rights_en_passant_clock_and_side() {
    let mut position = position("r3k2r/8/8/8/4p3/8/3P4/R3K2R w Kkq - 5 20");
    let state = position.state();
    let white = CastlingRights::one(Color::White, Wing::King);
    let black = CastlingRights::one(Color::Black, Wing::King)
        | CastlingRights::one(Color::Black, Wing::Queen);
    assert_eq!(state.castling, white | black);
    assert_eq!(size_of_val(&state.castling), 1);
    assert_eq!(
        (state.side, state.en_passant, state.halfmoves),
        (Color::White, None, 5)
    );

    let mv = legal(&position, "d2d4").expect("a double push");
    position.make(mv);
    let state = position.state();
    assert_eq!(
        (state.side, state.en_passant),
        (Color::Black, Some(Square::D3))
    );
    assert_eq!(state.halfmoves, 0);
}

#[test]
fn idea_4_positions_can_be_printed_cloned_hashed_and_compared() {
    let (start, kiwipete) = (position(STARTPOS), position(KIWIPETE));
    let set: HashSet<Position> = [start.clone(), kiwipete.clone(), start.clone()].into();
    assert_eq!(set.len(), 2);
    assert!(set.contains(&kiwipete) && start != kiwipete);
    assert!(format!("{start:?}").contains("halfmoves"));
}

// The fifth idea: sixteen bitboards, a diagram, and FEN in and out.

/// Twelve for the pieces, two for the sides, one each for what is taken and what is free.
#[test]
fn idea_5_sixteen_bitboards_describe_the_board() {
    let position = position(KIWIPETE);
    let board = position.board();
    let pieces = Piece::ALL.map(|piece| board.pieces(piece.color(), piece.role()));
    let sides = Color::ALL.map(|color| board.color(color));
    let (taken, free) = (board.occupied(), !board.occupied());
    let join = |sets: &[Bitboard]| sets.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
    let count = |sets: &[Bitboard]| sets.iter().map(|set| set.count()).sum::<usize>();
    for sets in [&pieces[..], &sides[..]] {
        assert_eq!(join(sets), taken);
        assert_eq!(count(sets), taken.count(), "no square is counted twice");
    }
    assert_eq!(
        (taken | free, taken & free),
        (Bitboard::FULL, Bitboard::EMPTY)
    );
}

#[test]
fn idea_5_the_board_prints_as_a_diagram() {
    let diagram = position(STARTPOS).board().to_string();
    let lines: Vec<&str> = diagram.lines().collect();
    assert_eq!(lines.len(), 18);
    assert_eq!(lines[1], "8 | r | n | b | q | k | b | n | r |");
    assert_eq!(lines[15], "1 | R | N | B | Q | K | B | N | R |");
    assert_eq!(lines[17], "    a   b   c   d   e   f   g   h");
    assert_eq!(Board::EMPTY.to_string().matches("|   ").count(), 64);
}

#[test]
fn idea_5_fen_goes_in_and_comes_out() {
    for fen in [
        STARTPOS,
        KIWIPETE,
        "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - - 0 1",
    ] {
        assert_eq!(position(fen).to_string(), fen);
    }
    assert_eq!(Position::default().to_string(), STARTPOS);
}
