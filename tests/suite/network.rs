//! Files of networks: what is written is read again, and what does not fit is refused with a reason.

use prelate::eval::nnue::features::{INPUTS, View};
use prelate::eval::nnue::network::{LANES, MAX_NAME, digest};
use prelate::eval::nnue::{Network, NetworkError, Parameters};
use prelate::position::Position;
use prelate::types::Color;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A network of small random weights.
pub fn random(seed: u64, hidden: usize, outputs: usize) -> Parameters {
    let mut random = StdRng::seed_from_u64(seed);
    let mut list = |count, most: i16| -> Vec<i16> {
        (0..count)
            .map(|_| random.random_range(-most..=most))
            .collect()
    };
    let wide = |numbers: Vec<i16>| numbers.into_iter().map(i32::from).collect();
    let heaviest = if hidden > 256 { 20 } else { 90 };
    Parameters {
        name: format!("random {seed}"),
        recipe: digest(&seed.to_le_bytes()),
        hidden,
        outputs,
        hidden_biases: list(hidden, 200),
        hidden_weights: list(INPUTS * hidden, 100),
        output_weights: list(outputs * 2 * hidden, heaviest),
        output_biases: wide(list(outputs, 5_000)),
        bishop_pair: wide(list(outputs, 5_000)),
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
    for (hidden, outputs) in [(32, 1), (64, 8), (256, 1), (1024, 8)] {
        let parameters = random(7, hidden, outputs);
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

#[test]
fn damaged_files_are_refused_with_the_reason() {
    let file = file();
    let length = file.len();
    assert_eq!(Network::parse(b""), Err(NetworkError::Magic));
    assert_eq!(
        Network::parse(b"MZ and what follows"),
        Err(NetworkError::Magic)
    );
    assert_eq!(Network::parse(&file[..50]), Err(NetworkError::Short(50)));
    let cut = NetworkError::Length {
        expected: length,
        found: length - 1,
    };
    assert_eq!(Network::parse(&file[..length - 1]), Err(cut));
    let longer: Vec<u8> = file.iter().copied().chain([0]).collect();
    assert!(matches!(
        Network::parse(&longer),
        Err(NetworkError::Length { .. })
    ));
    for at in (112..length).step_by(997).chain([length - 1]) {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        assert_eq!(
            Network::parse(&damaged),
            Err(NetworkError::Checksum),
            "byte {at}"
        );
    }
    let refused = [
        (8, 2_u32, NetworkError::Version(2)),
        (12, 769, NetworkError::Inputs(769)),
        (16, 0, NetworkError::Hidden(0)),
        (16, 65, NetworkError::Hidden(65)),
        (16, 1056, NetworkError::Hidden(1056)),
        (16, u32::MAX, NetworkError::Hidden(u32::MAX as usize)),
        (20, 0, NetworkError::Outputs(0)),
        (20, 2, NetworkError::Outputs(2)),
        (24, 181, NetworkError::Quantisation([181, 64, 400])),
    ];
    for (at, number, error) in refused {
        assert_eq!(
            Network::parse(&changed(at, &number.to_le_bytes())),
            Err(error)
        );
    }
    for name in [[0; MAX_NAME], [b'\n'; MAX_NAME], [0xFF; MAX_NAME]] {
        assert_eq!(Network::parse(&changed(36, &name)), Err(NetworkError::Name));
    }
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let refuse = |change: fn(&mut Parameters)| {
        let mut parameters = random(1, 64, 1);
        change(&mut parameters);
        Network::new(&parameters).expect_err("a sum could overflow")
    };
    let error = refuse(|network| network.hidden_weights[64 * 5 + 3] = -1_024);
    assert_eq!(error, NetworkError::NeuronOverflow(3));
    let error = refuse(|network| network.hidden_biases[63] = i16::MIN);
    assert_eq!(error, NetworkError::NeuronOverflow(63));
    let error = refuse(|network| network.output_weights[127] = -129);
    assert_eq!(
        error,
        NetworkError::OutputWeight {
            output: 0,
            weight: -129
        }
    );
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
    wide.output_weights.fill(-17);
    assert_eq!(Network::new(&wide), Err(NetworkError::OutputOverflow(0)));
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
    assert_eq!(inputs(&position, Color::White), white);
    // Own pawn d4 seen from Black is e4 in the mirror, its king d1, the others g7 and f8.
    let black = [28, 5 * 64 + 3, 384 + 54, 384 + 5 * 64 + 61];
    assert_eq!(inputs(&position, Color::Black), black);
}
