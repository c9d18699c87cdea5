//! Any bytes are refused as games in viriformat, or are games that are written as they were read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prelate::tools::viriformat::Record;

fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    while let Ok(Some(game)) = Record::read(&mut rest) {
        let mut written = Vec::new();
        game.write(&mut written).expect("a vector takes everything");
        let again = Record::read(&mut &written[..]);
        let again = again.expect("own bytes").expect("a game");
        assert_eq!(again.start, game.start);
        assert_eq!(again.moves, game.moves);
        assert_eq!(again.outcome, game.outcome);
    }
});
