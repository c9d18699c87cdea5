//! What a network makes of a position, for people: each output, the bishop pair, threats, and the
//! worth of each piece on its square.

use std::fmt;

use super::accumulator::accumulate;
use super::forward::{self, Value};
use super::network::{self, Network};
use crate::eval::endgame;
use crate::position::{Board, Position};
use crate::types::{Color, File, Piece, Rank, Role, Score, Square};

/// A network's evaluation taken apart, from White's point of view.
pub struct Report {
    network: String,
    board: Board,
    /// By square, in centipawns: by how much the value falls when the piece is taken off.
    worths: [Option<i32>; 64],
    /// What each output says, also those that do not judge this position.
    values: Vec<Value>,
    /// The output that judges it.
    output: usize,
    /// The value of a known ending, which no network is asked about.
    known: Option<Score>,
    /// How much of the value counts, in parts of [`endgame::FULL`].
    scale: i32,
}

impl Report {
    /// Evaluates a position, and the same without each of its pieces.
    pub fn new(position: &Position, network: &Network) -> Self {
        let (board, side) = (position.board(), position.side());
        let values = (0..network.outputs()).map(|output| for_white(network, board, side, output));
        let values: Vec<_> = values.collect();
        let output = network.output(board);
        let total = values[output].total;
        let worth = |square| {
            let mut without = board.clone();
            let piece = without.remove(square)?;
            let left = || for_white(network, &without, side, output).total;
            (piece.role() != Role::King).then(|| total - left())
        };
        let strong = if total >= 0 {
            Color::White
        } else {
            Color::Black
        };
        let known = endgame::known(position);
        Self {
            network: network.to_string(),
            board: board.clone(),
            worths: std::array::from_fn(|index| worth(Square::from_index(index))),
            output,
            known: known.map(|score| if side == Color::White { score } else { -score }),
            scale: endgame::certain(board, strong),
            values,
        }
    }

    /// The value from White's point of view.
    pub fn score(&self) -> Score {
        let value = Score(self.values[self.output].total).clamp_to_eval();
        self.known
            .unwrap_or(Score(value.0 * self.scale / endgame::FULL))
    }
}

/// What an output says with `side` to move, from White's point of view.
fn for_white(network: &Network, board: &Board, side: Color, output: usize) -> Value {
    let sums = [side, !side].map(|side| accumulate(network, board, side));
    let value = forward::explain(network, [&sums[0], &sums[1]], board, side, output);
    let sign = if side == Color::White { 1 } else { -1 };
    Value {
        total: sign * value.total,
        bishop_pair: sign * value.bishop_pair,
        threats: value.threats.map(|threats| sign * threats),
    }
}

fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "network {}", self.network)?;
        writeln!(f, "beside each piece what it adds, in pawns for White\n")?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} ", rank.digit())?;
            for square in File::ALL.map(|file| Square::new(file, rank)) {
                let letter = self.board.piece_on(square).map_or('.', Piece::letter);
                let worth = self.worths[square.index()].map(pawns).unwrap_or_default();
                write!(f, " {letter}{worth:<6}")?;
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "   {}\n",
            File::ALL
                .map(|file| format!("{:<8}", file.letter()))
                .concat()
        )?;
        for (output, value) in self.values.iter().enumerate() {
            let men = network::men(output, self.values.len());
            let mark = if output == self.output { '*' } else { ' ' };
            let (total, pair) = (pawns(value.total), pawns(value.bishop_pair));
            let threats = value
                .threats
                .map(|threats| format!(", threats {}", pawns(threats)))
                .unwrap_or_default();
            writeln!(
                f,
                "{mark} {:>2} to {:>2} pieces: {total:>7}, of it the bishop pair {pair}{threats}",
                men.start(),
                men.end()
            )?;
        }
        if self.known.is_some() {
            writeln!(f, "known ending: the network is not asked")?;
        } else if self.scale != endgame::FULL {
            let percent = self.scale * 100 / endgame::FULL;
            writeln!(f, "drawish material: scaled to {percent} %")?;
        }
        write!(
            f,
            "evaluation {} pawns (White's point of view)",
            pawns(self.score().0)
        )
    }
}
