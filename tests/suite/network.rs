//! Networks: their files, the sums that follow a line of play, and the engine that plays with one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prelate::eval::nnue::deep::{Deep, SECOND};
use prelate::eval::nnue::features::{BUCKET_INPUTS, Change, INPUTS, View};
use prelate::eval::nnue::file::{self, digest};
use prelate::eval::nnue::parameters::{
    DeepParameters, KING_BUCKETS, LANES, MAX_DEEP, MAX_NAME, deep_counts, threat_counts,
};
use prelate::eval::nnue::report::Report;
use prelate::eval::nnue::threats::{THREATS, Threats};
use prelate::eval::nnue::{self, Accumulators, FileError, Network, NetworkError, Parameters};
use prelate::movegen::legal;
use prelate::position::{Board, Game, Position};
use prelate::types::{Color, Move, Role, Square};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::driver::{Driver, prelate};

/// A network of small random weights; with an odd seed it tells king buckets apart.
pub fn random(seed: u64, hidden: usize, outputs: usize) -> Parameters<'static> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut list = |count, most: i16| -> Vec<i16> {
        (0..count)
            .map(|_| random.random_range(-most..=most))
            .collect()
    };
    let buckets = KING_BUCKETS[(seed % 2) as usize];
    let wide = |numbers: Vec<i16>| numbers.into_iter().map(i32::from).collect();
    Parameters {
        name: format!("random {seed}"),
        recipe: digest(&seed.to_le_bytes()),
        buckets,
        hidden,
        outputs,
        hidden_biases: list(hidden, 400),
        hidden_weights: list(buckets * BUCKET_INPUTS * hidden, 200).into(),
        output_weights: list(outputs * 2 * hidden, 500),
        output_biases: wide(list(outputs, i16::MAX)),
        bishop_pair: wide(list(outputs, i16::MAX)),
        deep: None,
    }
}

/// The same with a second and a third layer.
pub fn random_deep(seed: u64, hidden: usize, outputs: usize) -> Parameters<'static> {
    let mut random = StdRng::seed_from_u64(seed);
    let [weights, counts @ ..] = deep_counts(hidden, outputs);
    let [to_second_layers, to_outputs] = threat_counts(outputs);
    let mut bytes =
        |count| -> Vec<i8> { (0..count).map(|_| random.random_range(-40..=40)).collect() };
    let (to_second, threats_to_second) = (bytes(weights), bytes(to_second_layers));
    let threats_to_output = (0..to_outputs)
        .map(|_| random.random_range(-100..=100))
        .collect();
    let [second_biases, to_third, third_biases, to_output] =
        counts.map(|count| (0..count).map(|_| random.random_range(-0.5..0.5)).collect());
    Parameters {
        deep: Some(DeepParameters {
            to_second,
            second_biases,
            to_third,
            third_biases,
            to_output,
            threats_to_second,
            threats_to_output,
        }),
        ..self::random(seed, hidden, outputs)
    }
}

fn file() -> Vec<u8> {
    let network = Network::new(&random(1, 64, 8)).expect("small weights");
    network.to_bytes()
}

/// Changes a file's bytes and makes its checksum agree again.
fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file();
    let end = file.len() - 16;
    file[at..at + bytes.len()].copy_from_slice(bytes);
    let checksum = digest(&file[..end]).to_le_bytes();
    file[end..].copy_from_slice(&checksum);
    file
}

#[test]
fn files_are_read_as_they_were_written() {
    let shallow = [(32, 1), (64, 8), (256, 1), (1024, 8)];
    let shallow = shallow.map(|(hidden, outputs)| random(7, hidden, outputs));
    let deep = [(64, 1), (512, 8)].map(|(hidden, outputs)| random_deep(7, hidden, outputs));
    for parameters in shallow.into_iter().chain(deep) {
        let (hidden, outputs) = (parameters.hidden, parameters.outputs);
        let network = Network::new(&parameters).expect("small weights");
        let bytes = network.to_bytes();
        let read = Network::parse(&bytes).expect("a file just written");
        assert_eq!(read, network);
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(
            (read.name(), read.recipe()),
            ("random 7", parameters.recipe)
        );
        assert_eq!((read.hidden(), read.outputs()), (hidden, outputs));
        let row = &read.hidden_weights(700)[1 % (hidden / LANES)].0;
        let start = 700 * hidden + LANES % hidden;
        assert_eq!(row[..], parameters.hidden_weights[start..start + LANES]);
    }
}

/// Networks that were made before threats were known play as they did.
#[test]
fn files_unaware_of_threats_are_read() {
    let parameters = random_deep(3, 64, 8);
    let bytes = Network::new(&parameters).expect("small weights").to_bytes();
    let [to_second, to_output] = threat_counts(8);
    let mut old = bytes[..bytes.len() - 16 - to_second - 2 * to_output].to_vec();
    old[8..12].copy_from_slice(&file::UNAWARE.to_le_bytes());
    old.extend(digest(&old).to_le_bytes());

    let mut expected = parameters;
    let deep = expected.deep.as_mut().expect("further layers");
    deep.threats_to_second.fill(0);
    deep.threats_to_output.fill(0);
    let expected = Network::new(&expected).expect("small weights");
    assert_eq!(expected.to_bytes(), old);
    assert_eq!(Network::parse(&old), Ok(expected));
}

/// How the network that plays was made can be told by anybody who has it.
#[test]
fn the_built_in_network_has_its_recipe_beside_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/nnue");
    let recipe = fs::read(folder.join("prelate.recipe")).expect("a file of the repository");
    assert_eq!(nnue::embedded().recipe(), digest(&recipe));
}

#[test]
fn damaged_files_are_refused_with_the_reason() {
    let file = file();
    let length = file.len();
    assert_eq!(Network::parse(b""), Err(FileError::Magic));
    assert_eq!(
        Network::parse(b"MZ and what follows"),
        Err(FileError::Magic)
    );
    assert_eq!(Network::parse(&file[..50]), Err(FileError::Short(50)));
    let cut = FileError::Length {
        expected: length,
        found: length - 1,
    };
    assert_eq!(Network::parse(&file[..length - 1]), Err(cut));
    let longer: Vec<u8> = file.iter().copied().chain([0]).collect();
    assert!(matches!(
        Network::parse(&longer),
        Err(FileError::Length { .. })
    ));
    for at in (112..length).step_by(997).chain([length - 1]) {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        assert_eq!(
            Network::parse(&damaged),
            Err(FileError::Checksum),
            "byte {at}"
        );
    }
    let refused = [
        (8, 4_u32, FileError::Version(4)),
        (12, 769, FileError::Inputs(769)),
        (16, 0, NetworkError::Hidden(0).into()),
        (16, 65, NetworkError::Hidden(65).into()),
        (16, 1056, NetworkError::Hidden(1056).into()),
        (16, u32::MAX, NetworkError::Hidden(u32::MAX as usize).into()),
        (20, 0, NetworkError::Outputs(0).into()),
        (20, 2, NetworkError::Outputs(2).into()),
        (24, 181, FileError::Quantisation([181, 1_024, 400])),
    ];
    for (at, number, error) in refused {
        assert_eq!(
            Network::parse(&changed(at, &number.to_le_bytes())),
            Err(error)
        );
    }
    for name in [[0; MAX_NAME], [b'\n'; MAX_NAME], [0xFF; MAX_NAME]] {
        assert_eq!(
            Network::parse(&changed(36, &name)),
            Err(NetworkError::Name.into())
        );
    }
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let refuse = |change: fn(&mut Parameters<'_>)| {
        let mut parameters = random(1, 64, 1);
        change(&mut parameters);
        Network::new(&parameters).expect_err("a sum could overflow")
    };
    let error = refuse(|network| network.hidden_weights.to_mut()[64 * 5 + 3] = -1_024);
    assert_eq!(error, NetworkError::NeuronOverflow(3));
    let error = refuse(|network| network.hidden_biases[63] = i16::MIN);
    assert_eq!(error, NetworkError::NeuronOverflow(63));
    let error = refuse(|network| network.bishop_pair[0] = i32::MIN);
    assert!(matches!(
        error,
        NetworkError::OutputBias {
            output: 0,
            value: i32::MIN
        }
    ));
    let error = refuse(|network| network.output_biases.clear());
    assert!(matches!(
        error,
        NetworkError::Count {
            what: "output biases",
            ..
        }
    ));
    let mut wide = random(1, 1024, 1);
    wide.output_weights.fill(-257);
    assert_eq!(Network::new(&wide), Err(NetworkError::OutputOverflow(0)));
}

#[test]
fn further_layers_that_do_not_fit_are_refused() {
    let refuse = |change: fn(&mut DeepParameters)| {
        let mut parameters = random_deep(1, 64, 8);
        parameters.deep.as_mut().map(change);
        Network::new(&parameters).expect_err("layers that do not fit")
    };
    let error = refuse(|deep| deep.to_second[7] = i8::MIN);
    assert_eq!(error, NetworkError::SecondWeight(i8::MIN));
    let error = refuse(|deep| deep.threats_to_second[7] = i8::MIN);
    assert_eq!(error, NetworkError::SecondWeight(i8::MIN));
    for number in [f32::NAN, f32::INFINITY, -2.0 * MAX_DEEP] {
        let mut parameters = random_deep(1, 64, 8);
        if let Some(deep) = &mut parameters.deep {
            deep.to_third[3] = number;
        }
        assert_eq!(Network::new(&parameters), Err(NetworkError::DeepNumber));
    }
    let error = refuse(|deep| deep.to_output.truncate(255));
    assert!(matches!(
        error,
        NetworkError::Count {
            expected: 256,
            found: 255,
            ..
        }
    ));
    let narrow = Network::new(&random_deep(1, 32, 8));
    assert_eq!(narrow, Err(NetworkError::Blocks(32)));
}

#[test]
fn views_see_themselves_at_the_bottom_with_the_king_on_the_left() {
    let position: Position = "4k3/8/8/3p4/8/8/1P6/2K5 w - - 0 1".parse().expect("a FEN");
    let inputs = |position: &Position, side| {
        let view = View::of(position.board(), side);
        let mut inputs: Vec<_> = view.active(position.board()).collect();
        inputs.sort_unstable();
        inputs
    };
    // Own pawn b2, own king c1, their pawn d5, their king e8.
    let white = [9, 5 * 64 + 2, 384 + 35, 384 + 5 * 64 + 60];
    assert_eq!(
        inputs(&position, Color::White),
        white.map(|input| BUCKET_INPUTS + input)
    );
    // Own pawn d4 seen from Black is e4 in the mirror, its king d1, the others g7 and f8.
    let black = [28, 5 * 64 + 3, 384 + 54, 384 + 5 * 64 + 61];
    assert_eq!(
        inputs(&position, Color::Black),
        black.map(|input| BUCKET_INPUTS + input)
    );
}

#[test]
fn kings_belong_to_four_buckets() {
    let in_bucket = |bucket, kings: &str| {
        for king in kings.split(' ') {
            let king: Square = king.parse().expect("a square");
            for (side, king) in [
                (Color::White, king),
                (Color::Black, king.relative_to(Color::Black)),
            ] {
                for king in [king, king.mirrored()] {
                    let first = View::by_king(side, king).first_input();
                    assert_eq!(first, bucket * BUCKET_INPUTS, "{king}");
                }
            }
        }
    };
    in_bucket(0, "a1 b1");
    in_bucket(1, "c1 d1");
    in_bucket(2, "a2 b2 c2 d2");
    in_bucket(3, "a3 d3 b5 c8 d8");
}

/// Networks that were made before king buckets were known play as they did.
#[test]
fn one_king_bucket_is_four_alike() {
    let one = random(2, 64, 8);
    let four = Parameters {
        buckets: KING_BUCKETS[1],
        hidden_weights: one.hidden_weights.repeat(KING_BUCKETS[1]).into(),
        ..one.clone()
    };
    let [one, four] =
        [one, four].map(|parameters| Network::new(&parameters).expect("small weights"));
    for input in 0..INPUTS {
        assert_eq!(one.hidden_weights(input), four.hidden_weights(input));
    }
    assert!(one.to_bytes().len() < four.to_bytes().len());
}

/// The first counts of each side, told by who attacks the square of each of its pieces: those that
/// hang, those that something cheaper attacks, and those that a minor piece, rook or queen attacks.
fn attacked_by_definition(board: &Board, us: Color) -> [u8; 24] {
    let mut counts = [0; 24];
    let worth = |role| [1, 3, 3, 5, 9, 100][role as usize];
    for square in board.color(us) {
        let role = board.role_on(square).expect("a piece stands there");
        if role == Role::King {
            continue;
        }
        let attackers = board.attackers(square, board.occupied());
        let theirs: Vec<Role> = (attackers & board.color(!us))
            .into_iter()
            .filter_map(|attacker| board.role_on(attacker))
            .collect();
        let is_defended = (attackers & board.color(us)).any();
        let any = |roles: &[Role]| theirs.iter().any(|role| roles.contains(role));
        let is_cheaper = |attacker: &Role| worth(*attacker) < worth(role);
        let mut count = |place: usize, is_so: bool| {
            if is_so {
                counts[place] += if role == Role::Pawn { 16 } else { 32 };
            }
        };
        let index = role.index();
        count(index, !theirs.is_empty() && !is_defended);
        if role != Role::Pawn {
            count(4 + index, theirs.iter().any(is_cheaper));
        }
        count(9 + index, any(&[Role::Knight, Role::Bishop]));
        count(14 + index, any(&[Role::Rook]));
        count(19 + index, any(&[Role::Queen]));
    }
    counts.map(|count: usize| count.min(128) as u8)
}

#[test]
fn threats_are_what_attackers_say() {
    let mut random = StdRng::seed_from_u64(8);
    for _ in 0..100 {
        let mut position = start(&mut random);
        while let Some(mv) = random_move(&mut random, &position)
            && position.state().fullmoves < 80
        {
            position.make(mv);
            let (board, side) = (position.board(), position.side());
            let threats = Threats::of(board, side).0;
            for (threats, side) in threats.chunks(THREATS / 2).zip([side, !side]) {
                let expected = attacked_by_definition(board, side);
                assert_eq!(threats[..24], expected, "{side:?} in {position}");
            }
        }
    }
}

#[test]
fn threats_of_a_position() {
    let threats = |fen: &str| {
        let position: Position = fen.parse().expect("a FEN");
        let threats = Threats::of(position.board(), position.side()).0;
        let (own, their) = threats.split_at(THREATS / 2);
        (own.to_vec(), their.to_vec())
    };
    let (checks, flights, steps) = (26..30, 30, 31);

    // The knight d5 attacks the rook f4, which the knight e6 defends; both squares from which it
    // would give check are guarded.
    let (own, their) = threats("4k3/8/4n3/3NP3/5r2/8/8/4K3 w - - 0 1");
    assert_eq!(own[..5], [0; 5]);
    assert_eq!(their[5..9], [0, 0, 32, 0]);
    assert_eq!(own[checks.clone()], [0; 4]);

    // Alone with its king it has two; a rook has one.
    let (own, their) = threats("4k3/8/8/3N4/8/8/8/4K3 b - - 0 1");
    assert_eq!(their[checks.clone()], [2 * 16, 0, 0, 0]);
    assert_eq!((own[flights], their[flights]), (4 * 8, 5 * 8));
    let (own, _) = threats("7r/8/8/8/8/3p4/8/4K2k b - - 0 1");
    assert_eq!(own[checks.clone()], [0, 0, 16, 0], "on e8 alone");

    // The pawn e4 could attack the knight d6 from e5.
    let (own, _) = threats("4k3/8/3n4/8/4P3/8/8/4K3 w - - 0 1");
    assert_eq!(own[steps], 16);
}

/// What further layers add to an output, by the definition.
fn further(deep: &Deep, activations: &[i64], threats: &[i64]) -> f64 {
    let second: [f64; SECOND] = std::array::from_fn(|neuron| {
        let weights = deep.to_second.rows().iter().flat_map(|row| row[neuron].0);
        let of_threats = deep
            .threats
            .as_ref()
            .map(|weights| weights.to_second[neuron].0);
        let weights = weights.chain(of_threats.into_iter().flatten());
        let products = weights
            .zip(activations.iter().chain(threats))
            .map(|(weight, activation)| i64::from(weight) * activation);
        products.sum::<i64>() as f64 / (128.0 * 128.0) + f64::from(deep.second_biases[neuron])
    });
    let clipped = second.map(|neuron| neuron.clamp(0.0, 1.0));
    let squared = second.map(|neuron| neuron.powi(2).min(1.0));
    let passed_on = || clipped.into_iter().chain(squared).zip(&deep.to_third);
    let third = (0..deep.to_output.len()).map(|neuron| {
        let sum: f64 = passed_on()
            .map(|(feature, row)| feature * f64::from(row[neuron]))
            .sum();
        (sum + f64::from(deep.third_biases[neuron]))
            .clamp(0.0, 1.0)
            .powi(2)
    });
    third
        .zip(deep.to_output)
        .map(|(neuron, weight)| neuron * f64::from(weight))
        .sum()
}

/// What a network says of a board in centipawns for `side`, by the definition and in wide numbers.
fn by_definition(network: &Network, board: &Board, side: Color) -> i32 {
    let numbers = |blocks: &[nnue::network::Block]| -> Vec<i64> {
        blocks
            .iter()
            .flat_map(|block| block.0)
            .map(i64::from)
            .collect()
    };
    let output = network.output(board);
    let (mut sum, mut activations) = (0, Vec::new());
    for (side, weights) in [side, !side]
        .into_iter()
        .zip(network.output_weights(output))
    {
        let mut neurons = numbers(network.hidden_biases());
        for input in View::of(board, side).active(board) {
            let weights = numbers(network.hidden_weights(input));
            neurons
                .iter_mut()
                .zip(weights)
                .for_each(|(neuron, weight)| *neuron += weight);
        }
        for (neuron, weight) in neurons.into_iter().zip(numbers(weights)) {
            let activation = neuron.clamp(0, 512).pow(2) / 64;
            sum += activation * weight;
            activations.push((activation + 16) / 32);
        }
    }
    if let Some(deep) = network.deep(output) {
        let threats = Threats::of(board, side).0.map(i64::from);
        let to_output = deep
            .threats
            .as_ref()
            .map_or([0; THREATS], |weights| weights.to_output);
        let weighed = threats.iter().zip(&to_output);
        sum += weighed
            .map(|(threat, &weight)| threat * 32 * i64::from(weight))
            .sum::<i64>();
        sum += (further(deep, &activations, &threats) * (4_096.0 * 1_024.0)) as i64;
    }
    let pair = |side| i64::from(board.has_bishop_pair(side));
    let pairs = i64::from(network.bishop_pair(output)) * (pair(side) - pair(!side));
    let whole = sum + i64::from(network.output_bias(output)) + pairs;
    i32::try_from(whole * 400 / (4_096 * 1_024)).expect("a small number")
}

/// The position in which a game of standard chess, or one of double Chess960 begins.
fn start(random: &mut StdRng) -> Position {
    if random.random() {
        return Position::default();
    }
    let mut side = || {
        let mut rank = [' '; 8];
        rank[2 * random.random_range(0..4)] = 'b';
        rank[2 * random.random_range(0..4) + 1] = 'b';
        for piece in ['q', 'n', 'n'] {
            let free: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
            rank[free[random.random_range(0..free.len())]] = piece;
        }
        let rest = rank.iter_mut().filter(|piece| **piece == ' ');
        rest.zip(['r', 'k', 'r'])
            .for_each(|(place, piece)| *place = piece);
        let files = ('a'..='h').zip(rank);
        let rooks: String = files
            .filter(|file| file.1 == 'r')
            .map(|file| file.0)
            .collect();
        (String::from_iter(rank), rooks)
    };
    let ((white, white_rooks), (black, black_rooks)) = (side(), side());
    let (white, white_rooks) = (white.to_uppercase(), white_rooks.to_uppercase());
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {white_rooks}{black_rooks} - 0 1")
        .parse()
        .expect("a position of Chess960")
}

/// A random move, castling where it can be.
fn random_move(random: &mut StdRng, position: &Position) -> Option<Move> {
    let moves = legal(position);
    if random.random_bool(0.7)
        && let Some(&castling) = moves.iter().find(|mv| mv.is_castling())
    {
        return Some(castling);
    }
    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
}

/// Plays random games, null moves and moves taken back among them. What the accumulators have
/// followed is worth what the definition says, wherever it is asked for.
fn follow(games: u64, network: Parameters<'_>) {
    let network = Arc::new(Network::new(&network).expect("small weights"));
    let mut accumulators = Accumulators::new(Arc::clone(&network));
    let mut scratch = Accumulators::new(Arc::clone(&network));
    for seed in 0..games {
        let mut random = StdRng::seed_from_u64(seed);
        let mut game = Game::new(start(&mut random));
        accumulators.reset(game.position().board());
        let mut plies = 0;
        for _ in 0..160 {
            let back = plies > 0 && random.random_bool(0.2);
            if back {
                game.unmake();
                accumulators.pop();
                plies -= 1;
            } else if random.random_bool(0.05) && !game.position().in_check() {
                accumulators.push(Change::of(game.make_null()));
                plies += 1;
            } else if let Some(mv) = random_move(&mut random, game.position()) {
                accumulators.push(Change::of(game.make(mv)));
                plies += 1;
            } else {
                break;
            }
            if random.random_bool(0.5) {
                let position = game.position();
                let expected = by_definition(&network, position.board(), position.side());
                let found = accumulators.evaluate(position);
                scratch.reset(position.board());
                assert_eq!(found, scratch.evaluate(position), "{position}");
                // Further layers are worked out in floating point.
                let apart = found.abs_diff(expected);
                let most = u32::from(network.deep(0).is_some());
                assert!(
                    apart <= most,
                    "game {seed}, {}: {found}, not {expected}",
                    game.position()
                );
            }
        }
    }
}

#[test]
fn sums_follow_the_game_bit_for_bit() {
    follow(300, random(1, 64, 8));
    follow(20, random(2, 256, 1));
    follow(5, random(3, 1024, 8));
    follow(100, random_deep(4, 64, 8));
    follow(5, random_deep(5, 512, 8));
}

#[test]
#[ignore = "100,000 games take minutes"]
fn sums_follow_a_hundred_thousand_games_bit_for_bit() {
    follow(100_000, random(1, 32, 8));
}

/// The same position with files in reverse order; nobody castles any more.
fn mirrored(position: &Position) -> Position {
    let mut board = Board::EMPTY;
    for square in Square::all() {
        if let Some(piece) = position.board().piece_on(square) {
            board.put(square.mirrored(), piece);
        }
    }
    let fen = position.to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> = fields[0]
        .split('/')
        .map(|rank| rank.chars().rev().collect())
        .collect();
    let ranks = ranks.join("/");
    (fields[0], fields[2], fields[3]) = (&ranks, "-", "-");
    let mirrored: Position = fields.join(" ").parse().expect("as good a position");
    assert_eq!(*mirrored.board(), board);
    mirrored
}

#[test]
fn colours_and_wings_are_alike() {
    let network = Arc::new(Network::new(&random_deep(5, 64, 8)).expect("small weights"));
    let value = |position: &Position| prelate::eval::evaluate(position, Some(Arc::clone(&network)));
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..50 {
        let mut position = Position::default();
        while let Some(mv) = random_move(&mut random, &position)
            && position.state().fullmoves < 60
        {
            position.make(mv);
            let expected = value(&position);
            assert_eq!(value(&position.flipped()), expected, "{position}");
            assert_eq!(value(&mirrored(&position)), expected, "{position}");
        }
    }
}

/// Bishops of one colour are a draw whatever a network thinks of them.
#[test]
fn same_coloured_bishops_are_a_draw() {
    let network = Arc::new(Network::new(&random(5, 64, 8)).expect("small weights"));
    for fen in [
        "8/8/4k3/8/8/2B5/1B1B4/K7 w - - 0 1",
        "8/8/4k3/8/8/2B5/1B1B4/K7 b - - 0 1",
        "8/8/4k3/8/8/8/3N4/K7 w - - 0 1",
    ] {
        let position: Position = fen.parse().expect(fen);
        let value = prelate::eval::evaluate(&position, Some(Arc::clone(&network)));
        assert_eq!(value.0, 0, "{fen}");
    }
}

/// What `eval` shows adds up to the value that plays.
#[test]
fn the_report_tells_the_evaluation() {
    let network = Arc::new(Network::new(&random_deep(5, 64, 8)).expect("small weights"));
    let mut random = StdRng::seed_from_u64(2);
    let mut position = start(&mut random);
    while let Some(mv) = random_move(&mut random, &position)
        && position.state().fullmoves < 100
    {
        position.make(mv);
        let value = prelate::eval::evaluate(&position, Some(Arc::clone(&network)));
        let white = if position.side() == Color::White {
            value
        } else {
            -value
        };
        assert_eq!(
            Report::new(&position, &network).score(),
            white,
            "{position}"
        );
    }
    let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a FEN");
    let text = Report::new(&position, &network).to_string();
    assert!(text.contains("*  2 to  5 pieces:"), "{text}");
    assert!(
        text.contains("known ending: the network is not asked"),
        "{text}"
    );
}

/// A file with a random network.
pub fn network_file(folder: &Path, hidden: usize, outputs: usize) -> PathBuf {
    let file = folder.join("a network.nnue");
    let network = Network::new(&random(9, hidden, outputs)).expect("small weights");
    fs::write(&file, network.to_bytes()).expect("a temporary file");
    file
}

#[test]
fn the_engine_plays_with_a_network() {
    let (command, folder) = prelate();
    let file = network_file(&folder, 64, 1);
    let deep = Network::new(&random_deep(9, 64, 8)).expect("small weights");
    let deep_file = file.with_extension("deep");
    fs::write(&deep_file, deep.to_bytes()).expect("a temporary file");
    let mut driver = Driver::spawn(command, folder);
    let hand_made = driver.go("go depth 6");
    let load = format!("setoption name EvalFile value {}", file.display());
    let name = "info string evaluation: random 9 (4x768 -> 2x64 -> 1)";
    assert_eq!(driver.ask(&load), [name]);
    assert!(driver.ask("uci").iter().any(|line| line == name));
    assert!(
        driver
            .ask("compiler")
            .iter()
            .any(|line| name.ends_with(line))
    );
    let told = driver.ask("eval");
    assert_eq!(told[0], "network random 9 (4x768 -> 2x64 -> 1)");
    let words = told.iter().position(|line| line.starts_with("In words"));
    let last = told.last().map(String::as_str).unwrap_or_default();
    assert!(words.is_some() && last.ends_with(" pawns (White's point of view)"));
    driver.send("bench 1");
    let bench = driver.until(|line| line.ends_with(" nps"));
    assert!(name.ends_with(&bench[0]), "{bench:?}");
    let by_network = driver.go("go depth 6");
    assert_ne!(by_network, hand_made);

    // What is no network is refused, and what was there stays.
    fs::write(file.with_extension("short"), &self::file()[..100]).expect("a temporary file");
    let cut = load.replace(".nnue", ".short");
    let [refusal] = &driver.ask(&cut)[..] else {
        panic!("one line of refusal")
    };
    let reason = "a network.short: the file is cut short: it has 100 bytes";
    assert!(refusal.ends_with(reason), "{refusal}");
    assert!(driver.ask("uci").iter().any(|line| line == name));
    driver.go("go depth 6");

    let deep = format!("setoption name EvalFile value {}", deep_file.display());
    let name = "info string evaluation: random 9 (4x768 -> 2x64 + 64 -> 8x(8 -> 32 -> 1))";
    assert_eq!(driver.ask(&deep), [name]);
    assert_ne!(driver.go("go depth 6"), by_network);

    let back = driver.ask("setoption name EvalFile value classical");
    assert_eq!(back, ["info string evaluation: classical"]);
    driver.quit();
}

/// A line of `engine.toml`, or an argument, is as good as `setoption`, and a mistake in it as bad.
#[test]
fn networks_from_the_start() {
    let (mut command, folder) = prelate();
    let file = network_file(&folder, 32, 8);
    let name = "info string evaluation: random 9 (4x768 -> 2x32 -> 8)";
    command.arg("--eval-file").arg(&file);
    let mut driver = Driver::spawn(command, folder);
    assert!(driver.ask("uci").iter().any(|line| line == name));
    driver.go("go depth 5");
    driver.quit();

    let (command, folder) = prelate();
    network_file(&folder, 32, 8);
    fs::write(
        folder.join("engine.toml"),
        "evalfile = \"a network.nnue\"\n",
    )
    .expect("a file");
    let mut driver = Driver::spawn(command, folder);
    assert!(driver.ask("uci").iter().any(|line| line == name));
    driver.quit();

    let (command, folder) = prelate();
    fs::write(folder.join("engine.toml"), "evalfile = \"nowhere.nnue\"\n").expect("a file");
    let mut driver = Driver::spawn(command, folder);
    let told = driver.ask("uci");
    let complaint = "info string EvalFile: nowhere.nnue: ";
    assert!(
        told.last().is_some_and(|line| line.starts_with(complaint)),
        "{told:?}"
    );
    driver.go("go depth 5");
    driver.quit();
}
