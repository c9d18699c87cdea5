//! How a network learns: samples, their order, slopes against differences, and the whole way from
//! games to a file that plays.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prelate::eval::nnue::Network;
use prelate::eval::nnue::features::View;
use prelate::movegen::legal;
use prelate::position::Position;
use prelate::train::checkpoint::Checkpoint;
use prelate::train::data::{Drawn, Labels};
use prelate::train::gradient::{Passes, SCALE, Target, sigmoid};
use prelate::train::model::{Model, Shape};
use prelate::train::plain::Plain;
use prelate::train::pool::Pool;
use prelate::train::quantise::{best_scale, dequantise, difference, quantise, rescale};
use prelate::train::random::mix;
use prelate::train::sample::{GameResult, InputTable, Sample};
use prelate::train::viriformat::{Outcome, Record};
use prelate::types::{Color, Role};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// White's material less Black's, in centipawns: what the networks of these tests shall learn.
fn material(position: &Position) -> i16 {
    let board = position.board();
    let worth = |color| {
        let count = |role, worth| board.pieces(color, role).count() as i16 * worth;
        count(Role::Pawn, 100)
            + count(Role::Knight, 300)
            + count(Role::Bishop, 300)
            + count(Role::Rook, 500)
            + count(Role::Queen, 900)
    };
    worth(Color::White) - worth(Color::Black)
}

/// A game of random moves, scored by material.
fn random_game(random: &mut SmallRng) -> Record {
    let start = Position::default();
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < 120 {
        let list = legal(&position);
        if list.is_empty() {
            break;
        }
        let mv = list[random.random_range(0..list.len())];
        moves.push((mv, material(&position)));
        position.make(mv);
    }
    let outcome = match material(&position) {
        500.. => Outcome::WhiteWins,
        -499..500 => Outcome::Draw,
        _ => Outcome::BlackWins,
    };
    Record {
        start,
        moves,
        outcome,
    }
}

/// The positions of random games, with their samples.
fn positions(count: usize, seed: u64) -> Vec<(Position, Sample)> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let game = random_game(&mut random);
        let mut position = game.start;
        for (mv, score) in game.moves {
            let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][found.len() % 3];
            let sample = Sample::new(position.board(), position.side(), score, result)
                .expect("a position of chess");
            found.push((position.clone(), sample));
            position.make(mv);
        }
    }
    found.truncate(count);
    found
}

fn samples(count: usize, seed: u64) -> Vec<Sample> {
    positions(count, seed)
        .into_iter()
        .map(|(_, sample)| sample)
        .collect()
}

#[test]
fn samples_have_the_inputs_of_their_positions() {
    let table = InputTable::new();
    for (position, sample) in positions(2_000, 1) {
        let (board, side) = (position.board(), position.side());
        let inputs = |color| {
            let mut inputs: Vec<usize> = View::of(board, color).active(board).collect();
            inputs.sort_unstable();
            inputs
        };
        let active = table.active(&sample, true);
        let (mut own, mut theirs): (Vec<_>, Vec<_>) = active.pairs().unzip();
        own.sort_unstable();
        theirs.sort_unstable();
        assert_eq!((own, theirs), (inputs(side), inputs(!side)), "{position}");
        assert_eq!(sample.pieces(), board.occupied().count());
        let pair = |color| i8::from(board.has_bishop_pair(color));
        assert_eq!(sample.pair, pair(side) - pair(!side));
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
    }
}

#[test]
fn damaged_samples_are_none() {
    let bytes = samples(1, 1)[0].to_bytes();
    for (place, value) in [(8, 0xFF), (26, 4), (27, 4), (28, 2), (29, 1), (31, 1)] {
        let mut damaged = bytes;
        damaged[place] = value;
        assert_eq!(Sample::from_bytes(&damaged), None, "byte {place}");
    }
    let mut empty = bytes;
    empty[..8].fill(0);
    assert_eq!(Sample::from_bytes(&empty), None);
}

/// In memory and by way of a file.
#[test]
fn a_pass_deals_every_sample_once_and_each_pass_in_another_order() {
    const BATCH: usize = 100;
    let samples = samples(10_000, 2);
    let folder = folder("deal");
    let in_memory = Pool::new(3 << 19);
    let spilling = Pool::with_spill(3 << 19, 777, &folder.join("scratch")).expect("writable");
    for mut pool in [in_memory, spilling] {
        for (index, &sample) in samples.iter().enumerate() {
            let drawn = Drawn {
                sample,
                lot: mix(index as u64),
                held_out: false,
            };
            pool.add(&drawn).expect("writable");
        }
        let mut deal = |seed, skip| {
            let mut dealt = Vec::new();
            let end = pool.deal(seed, BATCH, skip, |batch| {
                assert_eq!(batch.len(), BATCH);
                dealt.extend(batch.iter().map(Sample::to_bytes));
                Ok(ControlFlow::<()>::Continue(()))
            });
            assert_eq!(end.expect("readable"), None);
            dealt
        };
        let first = deal(1, 0);
        assert_eq!(first, deal(1, 0));
        assert_ne!(first, deal(2, 0));
        assert_eq!(first[37 * BATCH..], deal(1, 37));
        let mut all: Vec<_> = samples.iter().map(Sample::to_bytes).collect();
        let mut dealt = first;
        assert_ne!(dealt, all);
        all.sort_unstable();
        dealt.sort_unstable();
        assert_eq!(dealt, all);
    }
    assert!(!folder.join("scratch").exists());
    fs::remove_dir_all(folder).expect("the folder is there");
}

/// One output or eight, these with king buckets, without further layers and with them.
const KINDS: [(usize, bool); 4] = [(1, false), (8, false), (1, true), (8, true)];

fn shape((outputs, is_deep): (usize, bool)) -> Shape {
    let hidden = if is_deep { 64 } else { 32 };
    let buckets = if outputs == 1 { 1 } else { 4 };
    Shape::new(buckets, hidden, outputs, is_deep).expect("a size that the engine knows")
}

#[test]
fn king_buckets_begin_alike() {
    let (samples, passes) = (samples(300, 4), Passes::default());
    for is_deep in [false, true] {
        let shape = Shape::new(1, 64, 8, is_deep).expect("a size that the engine knows");
        let one = Model::random(shape, 3);
        let four = one.clone().with_buckets(4);
        assert_eq!(four.shape().inputs(), 4 * shape.inputs());
        assert_eq!(
            passes.outputs(&one, &samples),
            passes.outputs(&four, &samples)
        );
    }
}

/// A model whose neurons are off, on and in between, as in a trained one.
fn lively_model(kind: (usize, bool)) -> Model {
    let mut model = Model::random(shape(kind), 5);
    let mut random = SmallRng::seed_from_u64(1);
    for lane in model.rows_mut() {
        for weight in &mut lane.0 {
            *weight += random.random_range(-0.2..0.2);
        }
    }
    model
}

#[test]
fn slopes_are_the_limit_of_differences() {
    const STEP: f32 = 0.000_3;
    let passes = Passes::default();
    let target = Target {
        result_weight: 0.3,
        scale: 180.0,
    };
    let samples = samples(300, 3);
    for kind in KINDS {
        let mut model = lively_model(kind);
        let share = 1.0 / samples.len() as f32;
        let mut gradient = Model::zero(model.shape());
        let loss = passes.accumulate(&model, &samples, target, share, &mut gradient);
        let mean = passes.loss(&model, &samples, target, 3);
        assert!((loss * f64::from(share) - mean).abs() < 1e-6);

        let largest = gradient.rows().iter().flat_map(|lane| lane.0);
        let largest = largest.fold(0.0f32, |most, slope| most.max(slope.abs()));
        let (mut compared, rows) = (0, gradient.rows().len());
        // Every weight of outputs and biases, and of the inputs some of those that matter.
        for row in 0..rows {
            for lane in [0, 1, 5, 8, 9, 15] {
                let slope = gradient.rows()[row].0[lane];
                if slope.abs() < largest * 0.02 {
                    continue;
                }
                let weight = model.rows()[row].0[lane];
                let mut loss_at = |weight| {
                    model.rows_mut()[row].0[lane] = weight;
                    passes.loss(&model, &samples, target, 1)
                };
                let (above, below) = (loss_at(weight + STEP), loss_at(weight - STEP));
                loss_at(weight);
                let measured = ((above - below) / f64::from(2.0 * STEP)) as f32;
                assert!(
                    (measured - slope).abs() < 0.02 * slope.abs() + 0.005 * largest,
                    "{kind:?}, row {row}, lane {lane}: {slope} told, {measured} measured"
                );
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared} slopes compared");
    }
}

#[test]
fn a_target_is_between_score_and_result() {
    let mut sample = samples(1, 4)[0];
    sample.score = 180;
    sample.result = GameResult::Loss;
    let target = |result_weight| Target {
        result_weight,
        scale: 180.0,
    };
    let points = |sample: &Sample, result_weight| target(result_weight).points(sample);
    assert!((points(&sample, 0.0) - sigmoid(1.0)).abs() < 1e-6);
    assert!((points(&sample, 0.5) - sigmoid(1.0) / 2.0).abs() < 1e-6);
    assert_eq!(points(&sample, 1.0), 0.0);
    sample.result = GameResult::Unknown;
    assert!((points(&sample, 1.0) - sigmoid(1.0)).abs() < 1e-6);
    // Outputs are compared on the same scale.
    assert!((target(0.0).expected(180.0 / SCALE) - sigmoid(1.0)).abs() < 1e-6);
}

#[test]
fn later_scores_of_a_game_count_less_and_less() {
    let game = random_game(&mut SmallRng::seed_from_u64(9));
    let scores = |own: &[i16], td_lambda| {
        let record = Record {
            moves: own.iter().map(|&score| (game.moves[0].0, score)).collect(),
            outcome: Outcome::WhiteWins,
            ..game.clone()
        };
        Labels {
            td_lambda,
            scale: 200.0,
        }
        .scores(&record)
    };
    // As points 0.5, 0.5 and 0.75, then the outcome; half of the way to what follows.
    let centipawns = |points: f32| (200.0 * (points / (1.0 - points)).ln()).round() as i16;
    let three_to_one = centipawns(0.75);
    assert_eq!(scores(&[0, 0, three_to_one], 0.0), [0, 0, three_to_one]);
    let expected = [0.59375, 0.6875, 0.875].map(centipawns);
    for (label, expected) in scores(&[0, 0, three_to_one], 0.5).iter().zip(expected) {
        assert!(label.abs_diff(expected) <= 1, "{label}, not {expected}");
    }
    // All of the way: the outcome alone counts.
    assert_eq!(scores(&[300, -200, 0], 1.0), [i16::MAX; 3]);
    // What is nearly won is told from what is won, and a game without moves has nothing to learn.
    assert!((2_000..2_200).contains(&scores(&[0, 2_000], 0.5)[1]));
    assert!(scores(&[], 0.5).is_empty());
}

#[test]
fn rounding_loses_little_and_keeps_sizes() {
    let passes = Passes::default();
    let samples = samples(1_000, 5);
    for kind in KINDS {
        let model = lively_model(kind);
        let plain = Plain::from(&model);
        assert_eq!(Plain::from(&plain.to_model(shape(kind))), plain);
        let parameters = quantise(&model, "rounded", 7);
        let network = Network::new(&parameters).expect("a sound network");
        assert_eq!(Network::parse(&network.to_bytes()), Ok(network));
        let rounded = dequantise(&parameters).expect("sizes that the engine knows");
        let (mean, most) = difference(&passes, &model, &rounded, &samples);
        // Sums of bytes lose a little more.
        let (on_average, at_most) = if kind.1 { (3.0, 15.0) } else { (2.0, 10.0) };
        assert!(
            mean < on_average && most < at_most,
            "{kind:?}: {mean} and {most} centipawns"
        );
        assert_eq!(quantise(&rounded, "rounded", 7), parameters);
    }
}

#[test]
fn outputs_are_brought_to_scale() {
    let passes = Passes::default();
    let mut samples = samples(1_000, 6);
    let target = Target {
        result_weight: 0.0,
        scale: 180.0,
    };
    let mut model = lively_model((8, true));
    let outputs = passes.outputs(&model, &samples);
    for (sample, output) in samples.iter_mut().zip(outputs) {
        sample.score = (1.5 * output * SCALE).round() as i16;
    }
    let factor = best_scale(&passes, &model, &samples, target);
    assert!((factor - 1.5).abs() < 0.01, "{factor}");
    rescale(&mut model, factor);
    assert!((best_scale(&passes, &model, &samples, target) - 1.0).abs() < 0.001);
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("prelate-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a writable folder");
    folder
}

/// Games in a file, many enough to learn the worth of the pieces.
fn write_games(path: &Path) {
    let mut random = SmallRng::seed_from_u64(8);
    let mut bytes = Vec::new();
    for _ in 0..600 {
        let game = random_game(&mut random);
        game.write(&mut bytes).expect("a vector takes everything");
    }
    fs::write(path, bytes).expect("a writable folder");
}

/// The command that trains a small network, with more words at its end.
fn train(games: &Path, output: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prelate"));
    command
        .arg("train")
        .arg(games)
        .arg("--output")
        .arg(output)
        .args("--hidden 32 --batch 1024 --samples 400000 --threads 2 --rate 0.01".split(' '))
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("the binary runs");
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn games_become_a_network_the_same_each_time() {
    let folder = folder("train");
    let games = folder.join("games.vf");
    write_games(&games);
    let files = |name: &str| {
        let network = folder.join(name);
        (
            fs::read(&network),
            Checkpoint::load(&network.with_extension("checkpoint")),
        )
    };

    for name in ["one.nnue", "two.nnue"] {
        let (success, told) = run(&mut train(&games, &folder.join(name), &["--name", "tiny"]));
        assert!(success, "{told}");
        assert!(told.contains("wrote"), "{told}");
    }
    let ((one, state), (two, _)) = (files("one.nnue"), files("two.nnue"));
    let (one, state) = (one.expect("a network"), state.expect("a checkpoint"));
    assert_eq!(one, two.expect("a network"));
    let network = Network::parse(&one).expect("a sound network");
    assert_eq!((network.name(), network.hidden()), ("tiny", 32));
    assert!(folder.join("one.recipe").exists());
    assert!(fs::read_to_string(folder.join("one.svg")).is_ok_and(|svg| svg.ends_with("</svg>\n")));

    let [first, .., last] = state.points.as_slice() else {
        panic!("the loss is measured more than once");
    };
    assert!(last.held_out < first.held_out / 4.0, "{first:?} {last:?}");

    // Ended at any time, it goes on to the same end.
    let interrupted = folder.join("interrupted.nnue");
    let words = ["--name", "tiny", "--save-seconds", "0"];
    let mut child = train(&games, &interrupted, &words)
        .spawn()
        .expect("the binary runs");
    let checkpoint = interrupted.with_extension("checkpoint");
    while !checkpoint.exists() && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("a child");
    child.wait().expect("a child");
    let (success, told) = run(&mut train(
        &games,
        &interrupted,
        &["--name", "tiny", "--resume"],
    ));
    assert!(success, "{told}");
    assert_eq!(files("interrupted.nnue").0.expect("a network"), one);

    // What is not the same training is not gone on with.
    let (success, told) = run(&mut train(
        &games,
        &interrupted,
        &["--resume", "--seed", "2"],
    ));
    assert!(!success && told.contains("seed: 1"), "{told}");
    fs::remove_dir_all(folder).expect("the folder is there");
}

/// Samples without room in memory lie in a file meanwhile, and are learnt from in the same order.
#[test]
fn the_network_does_not_depend_on_the_memory() {
    let folder = folder("train-memory");
    let games = folder.join("games.vf");
    write_games(&games);
    let [much, little] = ["much.nnue", "little.nnue"].map(|name| folder.join(name));
    let name = ["--name", "tiny"];
    let (success, told) = run(&mut train(&games, &much, &name));
    assert!(success, "{told}");
    // A sample takes 32 bytes in memory, and about 4 in the file.
    let bytes = fs::metadata(&games).expect("games").len();
    assert!(
        bytes * 8 > 1 << 20,
        "{bytes} bytes of games fit a mebibyte as samples"
    );
    let (success, told) = run(&mut train(
        &games,
        &little,
        &["--name", "tiny", "--memory", "1"],
    ));
    assert!(success, "{told}");
    let read = |path: &Path| fs::read(path).expect("a network");
    assert!(read(&much) == read(&little));
    assert!(!little.with_extension("scratch").exists());
    fs::remove_dir_all(folder).expect("the folder is there");
}

#[test]
fn an_average_of_the_weights_becomes_the_network() {
    let folder = folder("train-average");
    let games = folder.join("games.vf");
    write_games(&games);
    let output = folder.join("average.nnue");
    let words = "--name tiny --average 0.99 --warm-up 50".split(' ');
    let (success, told) = run(&mut train(&games, &output, &words.collect::<Vec<_>>()));
    assert!(success, "{told}");
    let recipe = fs::read_to_string(output.with_extension("recipe")).expect("a recipe");
    assert!(recipe.contains("\naverage: 0.99\n") && recipe.contains("\nwarm-up steps: 50\n"));
    let state = Checkpoint::load(&output.with_extension("checkpoint")).expect("a checkpoint");
    let average = state.average.expect("an average");
    assert_ne!(average, state.model);
    assert_biases(&output, &Plain::from(&average).biases);
    fs::remove_dir_all(folder).expect("the folder is there");
}

#[test]
fn a_training_begins_with_the_mean_of_several_networks() {
    let folder = folder("train-mean");
    let games = folder.join("games.vf");
    write_games(&games);
    let [first, second] = ["1", "2"].map(|seed| {
        let output = folder.join(format!("{seed}.nnue"));
        let (success, told) = run(&mut train(&games, &output, &["--seed", seed]));
        assert!(success, "{told}");
        output.with_extension("checkpoint")
    });
    let mean = folder.join("mean.nnue");
    let mut command = Command::new(env!("CARGO_BIN_EXE_prelate"));
    command.args(["train", "--hidden", "32", "--samples", "0"]);
    command.arg(&games).arg("--output").arg(&mean);
    command.arg("--from").arg(&first).arg("--from").arg(&second);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let (success, told) = run(command.stderr(Stdio::piped()));
    assert!(success, "{told}");
    let recipe = fs::read_to_string(mean.with_extension("recipe")).expect("a recipe");
    assert!(recipe.contains("\nfrom: 1.checkpoint\nfrom: 2.checkpoint\n"));
    let [first, second] = [first, second].map(|path| {
        let state = Checkpoint::load(&path).expect("a checkpoint");
        Plain::from(&state.model).biases
    });
    let biases: Vec<f32> = first
        .iter()
        .zip(second)
        .map(|(a, b)| (a + b) / 2.0)
        .collect();
    assert_biases(&mean, &biases);
    fs::remove_dir_all(folder).expect("the folder is there");
}

/// Further layers are put on a network of the file that plays: at first they add nothing.
#[test]
fn a_network_gets_further_layers() {
    let folder = folder("train-deep");
    let games = folder.join("games.vf");
    write_games(&games);
    let shallow = folder.join("shallow.nnue");
    let train = |output: &Path, words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prelate"));
        command.args("train --hidden 64 --batch 1024 --threads 2".split(' '));
        command.arg(&games).arg("--output").arg(output);
        command.args(words.split(' ')).stdin(Stdio::null());
        let (success, told) = run(command.stdout(Stdio::null()).stderr(Stdio::piped()));
        assert!(success, "{told}");
        told
    };
    train(&shallow, "--samples 50000 --rate 0.01");
    let deep = |name: &str, words: &str| {
        let output = folder.join(name);
        let told = train(
            &output,
            &format!("--deep --from {} {words}", shallow.display()),
        );
        let loss = told
            .lines()
            .find_map(|line| line.strip_prefix("loss on positions held out: "));
        let network = Network::parse(&fs::read(&output).expect("a network"));
        let is_deep = network.expect("a sound network").deep(0).is_some();
        assert!(is_deep, "{told}");
        loss.and_then(|loss| loss.parse::<f64>().ok())
            .expect("a loss")
    };
    let untaught = deep("untaught.nnue", "--samples 0");
    let taught = deep("taught.nnue", "--samples 200000 --hidden-rate 0.5");
    assert!(taught < untaught, "{taught}, {untaught}");
    let recipe = fs::read_to_string(folder.join("taught.recipe")).expect("a recipe");
    assert!(recipe.contains("\ndeep: true\n") && recipe.contains("\nhidden rate: 0.5\n"));
    fs::remove_dir_all(folder).expect("the folder is there");
}

/// The hidden layer of the network in a file begins with these biases, rounded.
fn assert_biases(file: &Path, biases: &[f32]) {
    let network = Network::parse(&fs::read(file).expect("a network")).expect("a sound network");
    for (neuron, bias) in biases.iter().enumerate() {
        let rounded = network.hidden_biases()[neuron / 32].0[neuron % 32];
        let apart = f32::from(rounded) - bias * 512.0;
        assert!(
            apart.abs() <= 0.501,
            "neuron {neuron}: {rounded} for {bias}"
        );
    }
}

#[test]
fn a_training_says_what_is_wrong_before_it_works() {
    let folder = folder("train-wrong");
    let games = folder.join("games.vf");
    write_games(&games);
    let output = folder.join("network.nnue");
    let refusal = |games: &Path, output: &Path, words: &[&str]| {
        let (success, told) = run(&mut train(games, output, words));
        assert!(!success, "{told}");
        told
    };

    let missing = folder.join("missing").join("network.nnue");
    assert!(refusal(&games, &missing, &[]).contains("missing"));
    assert!(refusal(&folder.join("none.vf"), &output, &[]).contains("none.vf"));
    assert!(refusal(&games, &output, &["--outputs", "3"]).contains("3 outputs"));
    assert!(refusal(&games, &output, &["--fewest-pieces", "33"]).contains("0 positions"));
    assert!(refusal(&games, &output, &["--deep"]).contains("a multiple of 64"));
    let from = ["--from", "none.checkpoint"];
    assert!(refusal(&games, &output, &from).contains("none.checkpoint"));

    fs::write(&output, "a letter").expect("a writable folder");
    assert!(refusal(&games, &output, &[]).contains("left alone"));
    assert_eq!(
        fs::read_to_string(&output).expect("still there"),
        "a letter"
    );
    fs::remove_dir_all(folder).expect("the folder is there");
}
