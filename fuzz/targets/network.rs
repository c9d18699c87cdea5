//! Any bytes as the file of a network: refused, or a network that no position makes overflow.
//!
//! The first byte says whether the file gets the checksum of its content.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use prelate::eval;
use prelate::eval::nnue::Network;
use prelate::eval::nnue::file::digest;
use prelate::position::Position;

const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
];
const CHECKSUM: usize = size_of::<u128>();

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else {
        return;
    };
    let mut bytes = bytes.to_vec();
    if which < 128 && bytes.len() >= CHECKSUM {
        bytes.truncate(bytes.len() - CHECKSUM);
        bytes.extend(digest(&bytes).to_le_bytes());
    }
    let Ok(network) = Network::parse(&bytes) else {
        return;
    };
    assert_eq!(network.to_bytes(), bytes);
    let network = Arc::new(network);
    for fen in POSITIONS {
        let position: Position = fen.parse().expect(fen);
        let value = eval::evaluate(&position, Some(Arc::clone(&network)));
        assert!(!value.is_decisive());
    }
});
