//! Perft with bulk counting, side by side with cozy-chess and shakmaty, built with the same flags.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use prelate::position::{Position, STARTPOS};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The known number of leaves keeps every contestant honest.
const POSITIONS: [(&str, &str, u32, u64); 2] = [
    ("start position", STARTPOS, 6, 119_060_324),
    ("kiwipete", KIWIPETE, 5, 193_690_690),
];

/// As in cozy-chess's own perft example.
fn cozy_chess(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut board = board.clone();
                board.play_unchecked(mv);
                nodes += cozy_chess(&board, depth - 1);
            }
        }
        false
    });
    nodes
}

/// As in shakmaty's own perft, with the unchecked play that it uses there, too.
fn shakmaty(position: &Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut child = position.clone();
            child.play_unchecked(mv);
            shakmaty(&child, depth - 1)
        })
        .sum()
}

fn perft(criterion: &mut Criterion) {
    for (name, fen, depth, nodes) in POSITIONS {
        let mut group = criterion.benchmark_group(name);
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(15)
            .warm_up_time(Duration::from_secs(1))
            .measurement_time(Duration::from_secs(3));

        let mut ours: Position = fen.parse().expect("a valid FEN");
        group.bench_function("prelate", |bencher| {
            bencher.iter(|| {
                let found = prelate::movegen::perft::perft(black_box(&mut ours), depth);
                assert_eq!(found, nodes);
            });
        });

        let cozy = cozy_chess::Board::from_fen(fen, false).expect("a valid FEN");
        group.bench_function("cozy-chess", |bencher| {
            bencher.iter(|| assert_eq!(cozy_chess(black_box(&cozy), depth), nodes));
        });

        let setup: Fen = fen.parse().expect("a valid FEN");
        let chess: Chess = setup.into_position(CastlingMode::Standard).expect("legal");
        group.bench_function("shakmaty", |bencher| {
            bencher.iter(|| assert_eq!(shakmaty(black_box(&chess), depth), nodes));
        });
        group.finish();
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
