//! Any bytes as files of endgame tables: refused at once, or told of when they are asked.
//!
//! The first byte says which file the others are, and whether it gets the checksum of its content.
#![no_main]

use std::{env, fs, process};

use libfuzzer_sys::fuzz_target;
use prelate::position::{Game, Position};
use prelate::tablebase::Tablebase;
use prelate::tablebase::checksum::{self, checksum};

const NAMES: [&str; 4] = ["KQvK.rtbw", "KQvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"];
const POSITIONS: [&str; 4] = [
    "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    "8/8/8/3k4/8/8/8/KQ6 b - - 0 1",
    "8/8/8/3k4/8/8/P7/K7 w - - 0 1",
    "8/4P3/8/3k4/8/8/8/K7 b - - 0 1",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else {
        return;
    };
    let mut bytes = bytes.to_vec();
    if which < 128 && bytes.len() >= checksum::LENGTH {
        bytes.truncate(bytes.len() - checksum::LENGTH);
        let sum = checksum(&bytes[..]).expect("bytes can be read");
        bytes.extend(sum);
    }
    let folder = env::temp_dir().join(format!("prelate-fuzz-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(NAMES[usize::from(which) % NAMES.len()]);
    fs::write(&file, bytes).expect("a file");
    let tables = Tablebase::open(folder.to_str().expect("a name in Unicode"));
    assert!(!tables.to_string().is_empty());
    for fen in POSITIONS {
        let position: Position = fen.parse().expect(fen);
        let _ = tables.wdl(&position);
        let _ = tables.root(&Game::new(position), true);
    }
    tables.take_damage();
    fs::remove_file(file).expect("a file");
});
