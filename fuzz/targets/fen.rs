//! Any text is refused as a FEN, or is a position that can be written, read, played and valued.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prelate::eval::Evaluator;
use prelate::movegen::{legal, notation};
use prelate::position::Position;

fuzz_target!(|text: &str| {
    let Ok(position) = text.parse::<Position>() else {
        return;
    };
    for fen in [position.to_string(), position.shredder_fen()] {
        assert_eq!(fen.parse().as_ref(), Ok(&position), "{fen}");
    }
    let mut evaluator = Evaluator::default();
    let mut after = position.clone();
    for mv in legal(&position) {
        let uci = notation::Uci { mv, chess960: true }.to_string();
        assert_eq!(notation::parse_uci(&position, &uci), Some(mv), "{uci}");
        let san = notation::san(&position, mv);
        assert_eq!(notation::parse_san(&position, &san), Some(mv), "{san}");
        let undo = after.make(mv);
        evaluator.evaluate(&after);
        after.unmake(&undo);
        assert_eq!(after, position);
    }
});
