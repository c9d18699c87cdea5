//! Sharing out time: how long this move may take, and how long it should.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::{ClockTime, TimeLimit};

/// So many times the overhead is kept back in a game without increments.
const WAYS: f64 = 30.0;

/// Time a search may use, in milliseconds since its clock started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration begins after this long, stretched or shrunk by how the search goes.
    pub soft: Option<u64>,
    /// The search stops after this long, wherever it is.
    pub hard: Option<u64>,
}

impl Budget {
    /// What a limit allows if `overhead` is lost on the way to the other program.
    pub fn new(limit: Option<TimeLimit>, overhead: Duration) -> Self {
        match limit {
            None => Self::default(),
            Some(TimeLimit::Move(time)) => {
                let hard = time.saturating_sub(overhead.min(time / 2));
                Self {
                    soft: None,
                    hard: Some(millis(hard).max(1)),
                }
            }
            Some(TimeLimit::Clock(clock)) => Self::share(clock, overhead),
        }
    }

    /// A share of the clock: in sudden death as if some moves were always still to come, and
    /// never more than a safe part of what is left. Where hardly anything is left that is no
    /// time at all, and the first iteration has to do.
    fn share(clock: ClockTime, overhead: Duration) -> Self {
        let (left, increment) = (
            millis(clock.remaining) as f64,
            millis(clock.increment) as f64,
        );
        let overhead = millis(overhead) as f64;
        // Where no gain pays for it, the way to the other program uses the clock up in the end,
        // and the bad moments of a busy machine add up.
        let ways = if clock.moves_to_go.is_none() && increment < overhead {
            WAYS
        } else {
            1.0
        };
        let usable = (left - ways * overhead).max(left / 4.0);
        // The way to the other program eats into each increment. Half of the overhead is meant
        // for bad moments, the other half is lost on every move.
        let increment = (increment - overhead / 2.0).max(0.0);
        let (soft, hard) = match clock.moves_to_go {
            Some(moves) if moves > 0 => {
                let moves = f64::from(moves.min(50));
                // Each move to come costs its own overhead.
                let usable = (left - overhead * (moves + 1.0)).max(usable / 2.0);
                (
                    0.85 * usable / moves + 0.7 * increment,
                    if moves == 1.0 { 0.85 } else { 0.6 },
                )
            }
            _ => (usable / 26.0 + 0.75 * increment, 0.45),
        };
        let most = hard * usable;
        let soft = soft.min(most);
        let hard = (soft * 4.5).min(most);
        Self {
            soft: Some(soft as u64),
            hard: Some(hard as u64),
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The clock of one search. While the search ponders the clock stands still; `ponderhit` may
/// come from another thread.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    budget: Budget,
    /// Milliseconds from the start until the own clock ran; `u64::MAX` while pondering.
    started_after: AtomicU64,
}

impl Clock {
    /// Starts a clock.
    pub fn new(budget: Budget, ponder: bool) -> Self {
        Self {
            start: Instant::now(),
            budget,
            started_after: AtomicU64::new(if ponder { u64::MAX } else { 0 }),
        }
    }

    /// The opponent played the expected move: the own clock runs from now on.
    pub fn ponderhit(&self) {
        self.started_after
            .store(millis(self.elapsed()), Ordering::Relaxed);
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end at once.
    pub fn is_over(&self) -> bool {
        let started = self.started_after.load(Ordering::Relaxed);
        self.budget
            .hard
            .is_some_and(|hard| millis(self.elapsed()) >= hard.saturating_add(started))
    }

    /// Whether another iteration is not worth its time, the soft limit being scaled by `factor`.
    /// Time spent pondering counts here: a search that has thought long enough answers quickly.
    pub fn is_enough(&self, factor: f64) -> bool {
        let pondering = self.started_after.load(Ordering::Relaxed) == u64::MAX;
        !pondering
            && self
                .budget
                .soft
                .is_some_and(|soft| millis(self.elapsed()) as f64 >= soft as f64 * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let time = ClockTime {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Budget::new(Some(TimeLimit::Clock(time)), Duration::from_millis(10))
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for remaining in [0, 1, 5, 11, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(999)] {
                    let budget = clock(remaining, increment, moves);
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    assert!(
                        soft <= hard,
                        "{remaining}+{increment} {moves:?}: {budget:?}"
                    );
                    assert!(
                        hard <= remaining.saturating_sub(10).max(remaining / 4),
                        "{remaining}: {budget:?}"
                    );
                }
            }
        }
    }

    /// Where each move costs a millisecond on the way, a game may still go on for long.
    #[test]
    fn sudden_death_comes_late() {
        for clock_at_start in [1_000, 5_000, 60_000] {
            let mut left = clock_at_start;
            for number in 1..=250 {
                let soft = clock(left, 0, None).soft.unwrap();
                assert!(soft + 1 < left, "{left} ms are left for move {number}");
                left -= soft + 1;
            }
        }
        assert_eq!(clock(1, 0, None).hard, Some(0));
    }

    #[test]
    fn a_fixed_time_leaves_room_for_the_overhead() {
        let limit = Some(TimeLimit::Move(Duration::from_millis(100)));
        let budget = Budget::new(limit, Duration::from_millis(10));
        assert_eq!(
            budget,
            Budget {
                soft: None,
                hard: Some(90)
            }
        );
    }
}
