//! The sums of the hidden layer, kept up to date along a line of play.
//!
//! A move changes few inputs, so the sums after it follow from those before. They are updated only
//! where a value is asked for: a move that the search takes back unseen costs a few bytes. When a
//! king crosses the middle of the board or comes to another bucket, every input of its side is
//! another one; the sums then follow from the last ones of that view, whose board is kept beside them.

use std::array;
use std::sync::Arc;

use bytemuck::allocation::zeroed_vec;

use super::features::{Change, Placed, VIEWS, View};
use super::forward;
use super::lanes;
use super::network::{Block, Network};
use crate::position::{Board, Position};
use crate::types::{Color, MAX_PLY};

/// The sums of the hidden layer as one side sees a board, from scratch.
pub fn accumulate(network: &Network, board: &Board, side: Color) -> Vec<Block> {
    let mut sums = network.hidden_biases().to_vec();
    for input in View::of(board, side).active(board) {
        add(&mut sums, network.hidden_weights(input));
    }
    sums
}

/// The sums of both sides for every position of a line of play.
pub struct Accumulators {
    network: Arc<Network>,
    /// The step that each position of the line belongs to: a null move is none.
    plies: Vec<usize>,
    steps: Vec<Step>,
    /// For each step White's sums, then Black's.
    sums: Vec<Block>,
    /// By side and the number of its view.
    refreshed: [[Refreshed; VIEWS]; 2],
}

/// A move of the line of play.
#[derive(Clone, Copy)]
struct Step {
    change: Change,
    /// For which side the sums are up to date.
    ready: [bool; 2],
}

impl Step {
    const fn new(change: Change) -> Self {
        Self {
            change,
            ready: [false; 2],
        }
    }
}

/// Sums, and the board they belong to.
struct Refreshed {
    board: Board,
    sums: Vec<Block>,
}

impl Accumulators {
    /// Room for the longest line of a search.
    pub fn new(network: Arc<Network>) -> Self {
        let biases = network.hidden_biases();
        let refreshed = || Refreshed {
            board: Board::EMPTY,
            sums: biases.to_vec(),
        };
        let mut accumulators = Self {
            refreshed: array::from_fn(|_| array::from_fn(|_| refreshed())),
            plies: vec![0],
            steps: Vec::new(),
            sums: Vec::new(),
            network,
        };
        accumulators.grow(MAX_PLY + 8);
        accumulators
    }

    /// The network whose hidden layer it is.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a line of play at a board.
    pub fn reset(&mut self, board: &Board) {
        self.plies.truncate(1);
        for side in Color::ALL {
            self.refresh(board, View::of(board, side));
        }
    }

    /// Notes what a move, null or not, has changed.
    #[inline]
    pub fn push(&mut self, change: Change) {
        let mut step = self.step();
        if change != Change::Nothing {
            step += 1;
            if step == self.steps.len() {
                self.grow(2 * step);
            }
            self.steps[step] = Step::new(change);
        }
        self.plies.push(step);
    }

    /// Takes the last move back. The line keeps the position it began with.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.plies.len() > 1, "no move to take back");
        self.plies.pop();
    }

    /// What the network says of the last position, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let board = position.board();
        for side in Color::ALL {
            self.catch_up(board, View::of(board, side));
        }
        forward::evaluate(&self.network, self.sums(position.side()), position)
    }

    /// The sums of the last position: those of `side`, and the other's.
    #[inline]
    fn sums(&self, side: Color) -> [&[Block]; 2] {
        let last = self.step();
        [side, !side].map(|side| &self.sums[self.place(last, side)..][..self.blocks()])
    }

    /// The step of the last position.
    #[inline]
    fn step(&self) -> usize {
        self.plies.last().copied().unwrap_or_default()
    }

    /// Blocks of the sums of one side.
    #[inline]
    fn blocks(&self) -> usize {
        self.network.hidden_biases().len()
    }

    /// Where the sums of a step begin.
    #[inline]
    fn place(&self, step: usize, side: Color) -> usize {
        (2 * step + side.index()) * self.blocks()
    }

    #[cold]
    fn grow(&mut self, steps: usize) {
        self.plies.reserve(steps);
        self.steps.resize(steps, Step::new(Change::Nothing));
        // Memory that takes no room before a line of play is so long.
        let mut sums = zeroed_vec(2 * steps * self.blocks());
        sums[..self.sums.len()].copy_from_slice(&self.sums);
        self.sums = sums;
    }

    /// Brings the last position's sums up to date for one side.
    #[inline]
    fn catch_up(&mut self, board: &Board, view: View) {
        let (side, last) = (view.side(), self.step());
        let mut known = last;
        while !self.steps[known].ready[side.index()] {
            if self.steps[known].change.turns(side) {
                return self.refresh(board, view);
            }
            // The first step is ready.
            known -= 1;
        }
        for step in known + 1..=last {
            self.update(step, view);
        }
    }

    /// Computes the sums of a step from those of the step before.
    fn update(&mut self, step: usize, view: View) {
        let (side, blocks) = (view.side(), self.blocks());
        let place = self.place(step, side);
        let (before, after) = self.sums.split_at_mut(place);
        // The sums of this side a step before: those of both sides lie between.
        let source = &before[before.len() - 2 * blocks..][..blocks];
        let target = &mut after[..blocks];
        let row = |(piece, square): Placed| self.network.hidden_weights(view.index(piece, square));
        let Step { change, ready } = &mut self.steps[step];
        match *change {
            Change::Nothing => target.copy_from_slice(source),
            Change::Move { from, to } => shift(target, source, [row(to)], [row(from)]),
            Change::Capture { from, to, taken } => {
                shift(target, source, [row(to)], [row(from), row(taken)]);
            }
            Change::Castling { from, to } => shift(target, source, to.map(row), from.map(row)),
        }
        ready[side.index()] = true;
    }

    /// Computes the last position's sums from those kept for this view.
    fn refresh(&mut self, board: &Board, view: View) {
        let (side, blocks, last) = (view.side(), self.blocks(), self.step());
        let place = self.place(last, side);
        let kept = &mut self.refreshed[side.index()][view.number()];
        for square in kept.board.differences(board) {
            if let Some(piece) = kept.board.piece_on(square) {
                let row = self.network.hidden_weights(view.index(piece, square));
                subtract(&mut kept.sums, row);
            }
            if let Some(piece) = board.piece_on(square) {
                let row = self.network.hidden_weights(view.index(piece, square));
                add(&mut kept.sums, row);
            }
        }
        kept.board.clone_from(board);
        self.sums[place..][..blocks].copy_from_slice(&kept.sums);
        self.steps[last].ready[side.index()] = true;
    }
}

/// `target` becomes `source` with some rows of weights added and some taken away, in one pass.
/// Sums on the way may wrap around; what comes out never has.
#[inline]
fn shift<const ADDED: usize, const REMOVED: usize>(
    target: &mut [Block],
    source: &[Block],
    added: [&[Block]; ADDED],
    removed: [&[Block]; REMOVED],
) {
    let blocks = target.len();
    let source = &source[..blocks];
    let (added, removed) = (
        added.map(|row| &row[..blocks]),
        removed.map(|row| &row[..blocks]),
    );
    for index in 0..blocks {
        let mut sums = source[index].0;
        for row in added {
            sums = lanes::plus(&sums, &row[index].0);
        }
        for row in removed {
            sums = lanes::minus(&sums, &row[index].0);
        }
        target[index] = Block(sums);
    }
}

fn add(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        sums.0 = lanes::plus(&sums.0, &row.0);
    }
}

fn subtract(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        sums.0 = lanes::minus(&sums.0, &row.0);
    }
}
