//! FEN, X-FEN and Shredder-FEN: what is read, what is written, and what is refused in which words.

use prelate::position::{FenError, Position, STARTPOS};
use prelate::types::{Color, Square};
use proptest::prelude::*;

use super::support::properties;

/// Read and written back unchanged.
#[test]
fn canonical_texts_survive_a_round_trip() {
    for fen in [
        STARTPOS,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
        "4k3/8/8/8/8/8/8/4K3 b - - 200 30000",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 99 1",
        // One right of each side, and the outermost rooks of Chess960.
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 4 9",
        "1r2k1r1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1",
        // Inner rooks are named by their files: the right belongs to d1, h1 and d8.
        "r2rk3/8/8/8/8/8/8/R2RK2R w KDd - 0 1",
        "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1",
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.to_string(), fen);
        let again: Position = position.shredder_fen().parse().expect(fen);
        assert_eq!(again, position, "{} of {fen}", position.shredder_fen());
    }
}

/// Read in one spelling and written in another.
#[test]
fn other_spellings_are_understood() {
    for (text, fen) in [
        // Four and five fields.
        ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 12",
            "4k3/8/8/8/8/8/8/4K3 w - - 12 1",
        ),
        // Blanks of every kind between the fields and around them.
        (
            "  4k3/8/8/8/8/8/8/4K3\tb  - - 1 2 \r\n",
            "4k3/8/8/8/8/8/8/4K3 b - - 1 2",
        ),
        // Neighbouring numbers of empty squares.
        (
            "4k3/44/8/1111211/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        // Shredder-FEN, and rights in any order.
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ),
        // X-FEN's K is the outermost rook, whatever else stands between.
        (
            "4k3/8/8/8/8/8/8/4KRRR w H - 0 1",
            "4k3/8/8/8/8/8/8/4KRRR w K - 0 1",
        ),
        // Clocks out of any game's reach are cut, not refused.
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535",
            "4k3/8/8/8/8/8/8/4K3 w - - 1000 30000",
        ),
    ] {
        let position: Position = text.parse().expect(text);
        assert_eq!(position.to_string(), fen, "{text}");
    }
}

#[test]
fn shredder_fen_names_the_rooks_files() {
    for (fen, shredder) in [
        (
            STARTPOS,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
        (
            "1r2k1r1/8/8/8/8/8/8/1R3KR1 w Kq - 3 4",
            "1r2k1r1/8/8/8/8/8/8/1R3KR1 w Gb - 3 4",
        ),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.shredder_fen(), shredder);
    }
}

#[test]
fn chess960_is_recognised_by_its_rights() {
    for (fen, chess960) in [
        (STARTPOS, false),
        ("1r2k1r1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", true),
        ("1r2k1r1/8/8/8/8/8/8/1R3KR1 w - - 0 1", false),
        ("r3k2r/8/8/8/8/8/8/R2K3R w KQ - 0 1", true),
        ("r3k2r/8/8/8/8/8/8/R2RK2R w KD - 0 1", true),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.is_chess960(), chess960, "{fen}");
    }
}

/// The en passant square stays only where a capture is legal, so that equal positions are equal.
#[test]
fn useless_en_passant_squares_are_dropped() {
    for (fen, kept) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            false,
        ),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", true),
        // Both pawns would leave the rank between king and rook.
        ("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", false),
        ("8/8/8/8/k2Ppn1R/8/8/4K3 b - d3 0 1", true),
        // The capturing pawn is pinned on its file or on a diagonal; along the pin it may take.
        ("4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1", false),
        ("8/8/2k5/8/3Pp3/8/6B1/K7 b - d3 0 1", false),
        ("8/7k/8/8/3Pp3/8/2B5/K7 b - d3 0 1", true),
        // The pawn that would be taken shields the king on a diagonal.
        ("8/8/5k2/8/3Pp3/8/8/BK6 b - d3 0 1", false),
        ("8/5k2/4b3/3pP3/8/1K6/8/8 w - d6 0 1", false),
        // A check that the capture ends, and one that it does not.
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", true),
        ("8/8/8/k7/3Pp3/8/8/R3K3 b - d3 0 1", false),
    ] {
        let position: Position = fen.parse().expect(fen);
        assert_eq!(position.state().en_passant.is_some(), kept, "{fen}");
    }
}

/// One FEN at least for every fault, with the words that name it.
#[test]
fn every_fault_is_named() {
    use FenError::*;
    for (fen, error, words) in [
        ("", Fields(0), "has 0"),
        ("4k3/8/8/8/8/8/8/4K3 w -", Fields(3), "four to six fields"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", Fields(7), "has 7"),
        (
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
            Ranks(7),
            "eight ranks separated by '/', not 7",
        ),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", Ranks(9), "not 9"),
        (
            "4k3/8/8/8/8/8/8/4K w - - 0 1",
            RankLength {
                rank: 1,
                squares: 5,
            },
            "rank 1 has 5",
        ),
        (
            "4k4/8/8/8/8/8/8/4K3 w - - 0 1",
            RankLength {
                rank: 8,
                squares: 9,
            },
            "rank 8 has 9",
        ),
        (
            "4k3/8/8/8/8//8/4K3 w - - 0 1",
            RankLength {
                rank: 3,
                squares: 0,
            },
            "rank 3 has 0",
        ),
        (
            "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
            Letter {
                rank: 5,
                letter: '9',
            },
            "'9' on rank 5",
        ),
        (
            "4k3/8/8/8/x7/8/8/4K3 w - - 0 1",
            Letter {
                rank: 4,
                letter: 'x',
            },
            "'x' on rank 4",
        ),
        (
            "4k3/8/♞7/8/8/8/8/4K3 w - - 0 1",
            Letter {
                rank: 6,
                letter: '♞',
            },
            "'♞' on rank 6",
        ),
        (
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            NoKing(Color::Black),
            "Black has no king",
        ),
        (
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            NoKing(Color::White),
            "White has no king",
        ),
        (
            "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
            Kings(Color::White, 2),
            "White has 2 kings",
        ),
        (
            "k3k2k/8/8/8/8/8/8/4K3 w - - 0 1",
            Kings(Color::Black, 3),
            "Black has 3 kings",
        ),
        (
            "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1",
            TooManyMen(Color::White, 17),
            "White has 17 pieces",
        ),
        (
            "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
            PawnOnLastRank(Square::A8),
            "pawn cannot stand on a8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2p w - - 0 1",
            PawnOnLastRank(Square::H1),
            "pawn cannot stand on h1",
        ),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", Side("W".into()), "not 'W'"),
        (
            "4k3/8/8/8/8/8/8/4K3 - - - 0 1",
            Side("-".into()),
            "'w' or 'b'",
        ),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            OpponentInCheck(Color::Black),
            "Black is in check, but it is not its turn",
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 b - - 0 1",
            OpponentInCheck(Color::White),
            "White is in check",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQxq - 0 1",
            Castling("KQxq".into()),
            "not 'KQxq'",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
            Castling("KK".into()),
            "not 'KK'",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1",
            Castling("KH".into()),
            "not 'KH'",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1",
            Castling("K-".into()),
            "not 'K-'",
        ),
        (
            "r3k2r/8/8/8/8/8/8/4K2R w Q - 0 1",
            CastlingWithoutRook('Q'),
            "'Q' has no",
        ),
        (
            "r3k2r/8/8/8/8/8/8/4K2R w G - 0 1",
            CastlingWithoutRook('G'),
            "'G' has no",
        ),
        (
            "r6r/4k3/8/8/8/8/8/4K2R w k - 0 1",
            CastlingWithoutRook('k'),
            "'k' has no king",
        ),
        (
            "4k2R/8/8/8/8/8/8/4K3 b k - 0 1",
            CastlingWithoutRook('k'),
            "no rook",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            EnPassant("e9".into()),
            "not 'e9'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - ee6 0 1",
            EnPassant("ee6".into()),
            "not 'ee6'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            NoPassingPawn(Square::E6),
            "passed e6",
        ),
        // On the wrong side's rank, on an occupied square, and through an occupied one.
        (
            "4k3/8/8/8/3Pp3/8/8/4K3 w - d3 0 1",
            NoPassingPawn(Square::D3),
            "passed d3",
        ),
        (
            "4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3 0 1",
            NoPassingPawn(Square::D3),
            "passed d3",
        ),
        (
            "4k3/8/8/8/3Pp3/8/3N4/4K3 b - d3 0 1",
            NoPassingPawn(Square::D3),
            "passed d3",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - x 1",
            Halfmoves("x".into()),
            "'x' is not a number of half",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            Halfmoves("-1".into()),
            "'-1'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 one",
            Fullmoves("one".into()),
            "'one' is not a move number",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999",
            Fullmoves("99999".into()),
            "'99999'",
        ),
    ] {
        let found = fen.parse::<Position>().expect_err(fen);
        assert_eq!(found, error, "{fen}");
        assert!(
            found.to_string().contains(words),
            "{found} does not say {words:?}"
        );
    }
}

/// The start position with one stretch of it replaced.
fn damaged() -> impl Strategy<Value = String> {
    (
        0..STARTPOS.len(),
        0..6_usize,
        "[a-hknpqrwKQRNBP1-9/ -]{0,6}",
    )
        .prop_map(|(from, length, text)| {
            let to = (from + length).min(STARTPOS.len());
            format!("{}{text}{}", &STARTPOS[..from], &STARTPOS[to..])
        })
}

proptest! {
    #![proptest_config(properties(20_000))]

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,120}") {
        let _ = text.parse::<Position>();
    }

    #[test]
    fn no_field_makes_the_reader_panic(
        fen in "([1-8rnbqkpRNBQKP]{1,8}/){7}[1-8rnbqkpRNBQKP]{1,8} [wb] [KQkqA-Ha-h-]{1,4} [a-h-][1-8]? [0-9]{1,6} [0-9]{1,6}"
    ) {
        let _ = fen.parse::<Position>();
    }

    /// What is read in spite of the damage is a position: it is written and read again.
    #[test]
    fn a_damaged_text_is_refused_or_is_a_position(fen in damaged()) {
        if let Ok(position) = fen.parse::<Position>() {
            let again: Position = position.to_string().parse().expect("own FEN");
            prop_assert_eq!(again, position);
        }
    }
}
