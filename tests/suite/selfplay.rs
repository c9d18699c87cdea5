//! Data from the engine's own games: the same for the same seed, added to and never destroyed, and
//! described as it is.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use prelate::eval::{self, nnue};
use prelate::position::Game;
use prelate::search::{Limits, Shared, Worker};
use prelate::tools::spread::{LESSON_BYTES, LESSONS_MAGIC, NO_MOVE};
use prelate::train::data::SAMPLES_MAGIC;
use prelate::train::gradient::{SCALE, sigmoid};
use prelate::train::sample::{GameResult, Sample};
use prelate::train::viriformat::{Games, Record};
use prelate::types::Color;

use super::support::data;

/// A folder that is empty at the beginning and gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("prelate-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a writable folder");
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the binary does with a file and some words: whether it succeeds, and all that it says.
fn run(tool: &str, file: &Path, words: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_prelate"))
        .arg(tool)
        .arg(file)
        .args(words.split_whitespace())
        .output()
        .expect("the binary runs");
    let told = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&told).into_owned(),
    )
}

fn read(file: &Path) -> Vec<Record> {
    let mut games = Games::new(File::open(file).expect("a file"));
    let mut all = Vec::new();
    while let Some(game) = games.next_game().expect("readable") {
        all.push(game.expect("a sound game"));
    }
    all
}

const RULES: &str = "--nodes 60 --chess960 50";

/// The file of that name in a folder, with games by [`RULES`] and some words.
fn games(folder: &Folder, name: &str, words: &str) -> PathBuf {
    let file = folder.file(name);
    let (success, told) = run("datagen", &file, &format!("{RULES} {words}"));
    assert!(success, "{told}");
    file
}

#[test]
fn games_depend_on_the_seed_and_not_on_threads_or_interruptions() {
    let folder = Folder::new("datagen");
    let generate = |name, words| fs::read(games(&folder, name, words)).expect("a file");
    let whole = generate("one.vf", "--games 10 --threads 1");
    assert_eq!(whole, generate("two.vf", "--games 10 --threads 3"));
    generate("three.vf", "--games 4 --threads 2");
    // The end of a game that was being written.
    let mut torn = fs::read(folder.file("three.vf")).expect("a file");
    torn.extend(&whole[torn.len()..][..50]);
    fs::write(folder.file("three.vf"), torn).expect("a writable folder");
    assert_eq!(whole, generate("three.vf", "--games 10 --threads 2"));
    assert_ne!(whole, generate("four.vf", "--games 10 --seed 4"));

    let games = read(&folder.file("one.vf"));
    assert_eq!(games.len(), 10);
    assert!(games.iter().all(|game| !game.moves.is_empty()));
    for (percent, is_chess960) in [(0, false), (100, true)] {
        let file = folder.file(&format!("{percent}.vf"));
        let words = format!("--nodes 60 --games 3 --chess960 {percent}");
        let (success, told) = run("datagen", &file, &words);
        assert!(success, "{told}");
        let mut starts = read(&file).into_iter().map(|game| game.start);
        assert!(starts.all(|start| start.is_chess960() == is_chess960));
    }
}

/// Sensible openings leave more to play for, and their games stop once little is left.
#[test]
fn sensible_games_are_closer_and_shorter() {
    let folder = Folder::new("sensible");
    let play = |name, words: &str| read(&games(&folder, name, &format!("--games 30 {words}")));
    let close = |games: &[Record]| {
        let scores = games.iter().flat_map(|game| &game.moves);
        let close = scores.clone().filter(|(_, score)| score.abs() <= 200);
        close.count() as f64 / scores.count() as f64
    };
    let usual = play("usual.vf", "");
    let chess960 = usual.iter().filter(|game| game.start.is_chess960()).count();
    assert!((1..30).contains(&chess960), "{chess960} games of Chess960");
    let sensible = play("sensible.vf", "--sensible");
    assert_eq!(sensible, play("again.vf", "--sensible --threads 1"));
    let (few, many) = (close(&usual), close(&sensible));
    assert!(many > few + 0.1, "{many}, usually {few}");
    for game in sensible {
        let mut position = game.start;
        for (mv, _) in game.moves {
            assert!(position.board().occupied().count() > 6);
            position.make(mv);
        }
    }
}

/// Short searches come near to what a long one says, since late move pruning waits for the answer to
/// a threat; without late move pruning they do in any case.
#[test]
fn scores_of_short_searches_are_true() {
    let folder = Folder::new("thorough");
    let file = games(&folder, "games.vf", "--games 192 --thorough");
    let shared = Arc::new(Shared::new(4));
    let mut worker = Worker::new(Arc::clone(&shared), true);
    worker.set_network(Some(nnue::embedded()));
    let mut points = |game: &Game, thorough, nodes| {
        worker.forget();
        shared.table.clear();
        worker.set_thorough(thorough);
        let limits = Limits {
            soft_nodes: Some(nodes),
            ..Limits::default()
        };
        let score = worker.run_alone(game, &limits).score();
        sigmoid(score.0 as f32 / SCALE)
    };
    let (mut errors, mut positions) = ([0.0; 2], 0.0);
    for record in read(&file) {
        let mut game = Game::new(record.start);
        for (ply, (mv, _)) in record.moves.into_iter().enumerate() {
            if ply % 32 == 0 {
                positions += 1.0;
                let truth = points(&game, false, 10_000);
                for (thorough, error) in [false, true].into_iter().zip(&mut errors) {
                    *error += (points(&game, thorough, 200) - truth).powi(2);
                }
            }
            game.make(mv);
        }
    }
    let [usual, thorough] = errors.map(|error| error / positions);
    assert!(usual < 0.0042, "{usual}");
    assert!(thorough < 0.0042, "{thorough}");
}

#[test]
fn foreign_files_are_left_alone() {
    let folder = Folder::new("foreign");
    let long = "A letter that is much longer than the start position of a game.".repeat(20);
    for (tool, content) in [
        ("datagen", "short"),
        ("datagen", &long),
        ("imitate", "short"),
        ("imitate", &long),
    ] {
        let file = folder.file("letter.txt");
        fs::write(&file, content).expect("a writable folder");
        let (success, told) = run(tool, &file, "--nodes 60");
        assert!(!success && told.contains("letter.txt"), "{told}");
        assert!(told.contains("left alone"), "{told}");
        assert_eq!(fs::read_to_string(&file).expect("a file"), content);
    }
    let (success, told) = run("datagen", &folder.file("none/games.vf"), "");
    assert!(!success && told.contains("games.vf"), "{told}");
    let nowhere = run("datagen", &folder.file("games.vf"), "--syzygy nowhere");
    assert!(!nowhere.0 && nowhere.1.contains("no tables"), "{nowhere:?}");
}

/// No game goes on where the tables know its result.
#[test]
fn endgame_tables_end_games() {
    let Some(tables) = data("syzygy") else { return };
    let folder = Folder::new("adjudicated");
    let words = format!("--nodes 60 --games 12 --syzygy {}", tables.display());
    let (success, told) = run("datagen", &folder.file("games.vf"), &words);
    assert!(success, "{told}");
    for game in read(&folder.file("games.vf")) {
        let mut position = game.start;
        for (mv, _) in game.moves {
            let pieces = position.board().occupied().count();
            assert!(pieces > 3, "{position}");
            position.make(mv);
        }
    }
}

#[test]
fn evaluations_become_samples_the_same_each_time() {
    let folder = Folder::new("imitate");
    let collect = |name: &str, words: &str| {
        let file = folder.file(name);
        let words = format!("--nodes 60 --seed 3 --part 0.5 {words}");
        let (success, told) = run("imitate", &file, &words);
        assert!(success, "{told}");
        fs::read(file).expect("a file")
    };
    let once = collect("one", "--samples 2000 --threads 1");
    assert_eq!(once, collect("two", "--samples 2000 --threads 2"));
    let more = collect("one", "--samples 60000 --threads 2");
    assert!(more.len() > once.len() && more.starts_with(&once));

    let samples = more.strip_prefix(&SAMPLES_MAGIC).expect("the head");
    let (samples, rest) = samples.as_chunks();
    assert!(samples.len() >= 60_000 && rest.is_empty());
    for bytes in samples {
        let sample = Sample::from_bytes(bytes).expect("a sample");
        assert_eq!(sample.result, GameResult::Unknown);
    }
}

/// What a search says of them can be had instead, without the positions that are not quiet.
#[test]
fn positions_of_the_tree_are_labelled_by_searches() {
    let folder = Folder::new("labelled");
    let collect = |name: &str, words: &str| {
        let file = folder.file(name);
        let words = format!("--nodes 60 --seed 3 --part 0.02 {words}");
        let (success, told) = run("imitate", &file, &words);
        assert!(success, "{told}");
        let file = fs::read(file).expect("a file");
        let samples = file.strip_prefix(&SAMPLES_MAGIC).expect("the head");
        let (samples, rest) = samples.as_chunks();
        assert!(samples.len() >= 300 && rest.is_empty());
        let samples = samples.iter().map(Sample::from_bytes);
        samples.map(|sample| sample.expect("a sample")).collect()
    };
    let labelled: Vec<_> = collect("one", "--samples 300 --label-nodes 200 --threads 1");
    assert_eq!(
        labelled,
        collect("two", "--samples 300 --label-nodes 200 --threads 2")
    );
    let scores: HashMap<u64, i16> = collect("three", "--samples 3000 --threads 2")
        .into_iter()
        .map(|sample| (sample.key(), sample.score))
        .collect();
    let pairs: Vec<(i32, i32)> = labelled
        .iter()
        .filter_map(|sample| {
            Some((
                scores.get(&sample.key())?.to_owned().into(),
                sample.score.into(),
            ))
        })
        .collect();
    assert!(pairs.len() > 100, "{}", pairs.len());
    let moved = pairs.iter().filter(|(value, label)| value != label).count();
    assert!(moved * 2 > pairs.len(), "{pairs:?}");
    // Where a search finds a mate or a piece the two may be far apart, but not most times; labels of
    // the wrong side to move would be nearer to the other sign.
    let median = |distance: fn(&(i32, i32)) -> i32| {
        let mut distances: Vec<i32> = pairs.iter().map(distance).collect();
        distances.sort_unstable();
        distances[distances.len() / 2]
    };
    let near = median(|(value, label)| (value - label).abs());
    let turned = median(|(value, label)| (value + label).abs());
    assert!(near * 2 < turned, "{near} to {turned}: {pairs:?}");

    // As far as a search does not count, the evaluation does.
    let half: Vec<Sample> = collect(
        "half",
        "--samples 300 --label-nodes 200 --label-weight 0.5 --threads 2",
    );
    for (whole, half) in labelled.iter().zip(half) {
        assert_eq!(whole.key(), half.key());
        if let Some(&value) = scores.get(&half.key()) {
            let between = value.min(whole.score)..=value.max(whole.score);
            assert!(between.contains(&half.score), "{value} {whole:?} {half:?}");
            assert!(value.abs_diff(whole.score) < 2 || half.score != whole.score);
        }
    }
}

#[test]
fn data_is_described_and_its_damage_told() {
    let folder = Folder::new("data");
    let file = games(&folder, "games.vf", "--games 12");
    let games = read(&file);
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();

    let (success, told) = run("data", &file, "--first-ply 0");
    assert!(success && told.contains("sound"), "{told}");
    assert!(told.contains("games: 12,"), "{told}");
    assert!(
        told.contains(&format!("positions: {positions}, kept")),
        "{told}"
    );
    assert!(
        told.contains("White won") && told.contains("duplicates") && !told.contains("loss"),
        "{told}"
    );
    let (success, told) = run("data", &file, "--loss --eval-file classical");
    assert!(
        success && told.contains("loss of the hand-made evaluation: 0.0"),
        "{told}"
    );

    let mut bytes = fs::read(&file).expect("a file");
    let mut first = Vec::new();
    games[0]
        .write(&mut first)
        .expect("a vector takes everything");
    bytes[first.len() + 30] = 9;
    fs::write(&file, bytes).expect("a writable folder");
    let (success, told) = run("data", &file, "");
    assert!(success && told.contains("damaged in one place"), "{told}");
    assert!(
        told.contains(&format!("byte {}: outcome 9", first.len())),
        "{told}"
    );
    assert!(told.contains("games: 11,"), "{told}");

    let samples = folder.file("samples");
    let (success, told) = run("imitate", &samples, "--nodes 60 --samples 3000");
    assert!(success, "{told}");
    let (success, told) = run("data", &samples, "");
    assert!(success && told.contains("samples: "), "{told}");
    // They hold what the evaluation says.
    let (success, told) = run("data", &samples, "--loss");
    assert!(
        success && told.contains(": 0.000000; with values times 1.00"),
        "{told}"
    );
}

/// What a teacher gets: what is known of positions of games, and quiet positions around them.
#[test]
fn positions_are_spread_for_a_teacher() {
    let folder = Folder::new("spread");
    let file = games(&folder, "games.vf", "--games 12");
    let spread = |name: &str, words: &str| {
        let output = folder.file(name);
        let words = format!("--output {} {words}", output.display());
        let (success, told) = run("spread", &file, &words);
        assert!(success, "{told}");
        fs::read(output).expect("a file")
    };
    let lessons = spread("one.lessons", "--threads 1");
    assert_eq!(lessons, spread("two.lessons", "--threads 2"));
    let lessons = lessons.strip_prefix(&LESSONS_MAGIC).expect("the head");
    let (lessons, rest) = lessons.as_chunks::<LESSON_BYTES>();
    assert!(rest.is_empty());
    let (_, told) = run("data", &file, "");
    assert!(
        told.contains(&format!("kept {} (", lessons.len())),
        "{told}"
    );
    for lesson in lessons {
        let (sample, rest) = lesson.split_first_chunk().expect("a sample");
        let sample = Sample::from_bytes(sample).expect("a sample");
        let position = sample.position().expect("a position of a game");
        let [evaluation, mv] = [[rest[0], rest[1]], [rest[2], rest[3]]].map(u16::from_le_bytes);
        let said = eval::evaluate(&position, Some(nnue::embedded()));
        assert_eq!(i32::from(evaluation.cast_signed()), said.0, "{position}");
        let [from, to] = [mv & 63, mv >> 6].map(|index| 1 << index);
        let own = position.board().color(Color::White).0;
        assert!(own & from != 0 && from != to, "{position}");
    }

    let around = spread("around.samples", "--around 3 --first-ply 4");
    let samples = (around.len() - SAMPLES_MAGIC.len()) / Sample::BYTES;
    assert!(samples > lessons.len(), "{samples}");
    let (success, told) = run("data", &folder.file("around.samples"), "--loss");
    assert!(success && told.contains("sound"), "{told}");
    assert!(
        told.contains(": 0.000000; with values times 1.00"),
        "{told}"
    );

    let words = format!("--output {}", folder.file("around.samples").display());
    let (success, told) = run("spread", &file, &words);
    assert!(!success && told.contains("around.samples"), "{told}");
    let words = format!("--around 2 --output {}", folder.file("none").display());
    let (success, told) = run("spread", &folder.file("around.samples"), &words);
    assert!(!success && told.contains("not games"), "{told}");
    assert!(!folder.file("none").exists());

    // Samples become lessons, whose evaluation here is their score.
    let words = format!("--output {}", folder.file("more.lessons").display());
    let (success, told) = run("spread", &folder.file("around.samples"), &words);
    assert!(success, "{told}");
    let lessons = fs::read(folder.file("more.lessons")).expect("a file");
    let (lessons, rest) = lessons[LESSONS_MAGIC.len()..].as_chunks::<LESSON_BYTES>();
    assert!(rest.is_empty());
    let samples = around[SAMPLES_MAGIC.len()..].chunks(Sample::BYTES);
    assert!(samples.len() == lessons.len());
    for (lesson, sample) in lessons.iter().zip(samples) {
        let (same, rest) = lesson.split_at(Sample::BYTES);
        assert_eq!(same, sample);
        let score = &sample[24..26];
        assert_eq!(rest, [score, &NO_MOVE.to_le_bytes()].concat());
    }
}
