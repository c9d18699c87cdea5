//! Any bytes are refused as games in viriformat, or are games that are written as they were read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prelate::train::viriformat::Games;

fuzz_target!(|bytes: &[u8]| {
    let mut games = Games::new(bytes);
    while let Some(read) = games.next_game().expect("bytes can be read") {
        let Ok(game) = read else {
            continue;
        };
        let mut written = Vec::new();
        game.write(&mut written).expect("a vector takes everything");
        let again = Games::new(&written[..]).next_game();
        let again = again.expect("own bytes").expect("a game");
        assert_eq!(again, Ok(game));
    }
});
