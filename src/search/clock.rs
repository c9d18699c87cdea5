//! Sharing out time: how long this move may take, and how long it should.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::{ClockTime, TimeLimit};

/// So many times the overhead is kept back where increments do not pay for it.
const WAYS: f64 = 40.0;
/// So many times the overhead a busy machine may take at once, now and then.
const BAD_MOMENT: f64 = 8.0;
/// The least time of a search that is given a time of its own.
const SHORTEST: Duration = Duration::from_millis(1);
/// Too short for a word of the other program to come in between.
const MOMENT: Duration = Duration::from_millis(4);

/// Time a search may use since its clock started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration begins after this long, stretched or shrunk by how the search goes.
    pub soft: Option<Duration>,
    /// The search stops after this long, wherever it is.
    pub hard: Option<Duration>,
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
                    hard: Some(hard.max(SHORTEST)),
                }
            }
            Some(TimeLimit::Clock(clock)) => Self::share(clock, overhead),
        }
    }

    /// A share of the clock: in sudden death as if some moves were always still to come, and
    /// never more than a safe part of what is left. Where hardly anything is left that is no
    /// time at all, and the first iteration has to do.
    fn share(clock: ClockTime, overhead: Duration) -> Self {
        let [left, increment, overhead] =
            [clock.remaining, clock.increment, overhead].map(|time| time.as_secs_f64());
        let moves = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = moves.map(|moves| f64::from(moves.min(50)));
        // Each move to the control costs its own overhead. Where no gain pays for it, the way to
        // the other program uses the clock up in the end.
        let ways = match moves {
            Some(moves) => moves + BAD_MOMENT,
            None if increment < overhead => WAYS,
            None => BAD_MOMENT,
        };
        let reserve = ways * overhead;
        // The reserve is touched with care, and its last half is not for thinking at all: even a
        // short thought costs a thread its turn where others wait.
        let usable = (left - reserve).max((left - reserve / 2.0) / 2.0).max(0.0);
        // Half of the overhead is lost on every move, the other half is meant for bad moments.
        let increment = (increment - overhead / 2.0).max(0.0);
        let (soft, hard) = match moves {
            Some(1.0) => (0.85 * usable + 0.7 * increment, 0.85),
            Some(moves) => (0.85 * usable / moves + 0.7 * increment, 0.6),
            None => (usable / 26.0 + 0.75 * increment, 0.45),
        };
        let most = hard * usable;
        let soft = soft.min(most);
        let hard = (soft * 4.5).min(most);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }

    /// Whether the search is over before anybody could say `stop`.
    pub fn is_a_moment(&self) -> bool {
        self.hard.is_some_and(|hard| hard < MOMENT)
    }
}

/// The clock of one search. While the search ponders the clock stands still; `ponderhit` may
/// come from another thread.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    budget: Budget,
    /// Microseconds from the start until the own clock ran; [`PONDERING`] while it does not.
    started_after: AtomicU64,
}

/// The own clock stands still.
const PONDERING: u64 = u64::MAX;

impl Clock {
    /// Starts a clock.
    pub fn new(budget: Budget, ponder: bool) -> Self {
        Self {
            start: Instant::now(),
            budget,
            started_after: AtomicU64::new(if ponder { PONDERING } else { 0 }),
        }
    }

    /// The opponent played the expected move: the own clock runs from now on.
    pub fn ponderhit(&self) {
        let after = u64::try_from(self.elapsed().as_micros()).unwrap_or(0);
        self.started_after.store(after, Ordering::Relaxed);
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time since the search began at which the own clock started; `None` while pondering.
    fn started_after(&self) -> Option<Duration> {
        let after = self.started_after.load(Ordering::Relaxed);
        (after != PONDERING).then(|| Duration::from_micros(after))
    }

    /// Whether the search must end at once.
    pub fn is_over(&self) -> bool {
        self.budget
            .hard
            .zip(self.started_after())
            .is_some_and(|(hard, started)| self.elapsed() >= hard.saturating_add(started))
    }

    /// Whether another iteration is not worth its time, the soft limit being scaled by `factor`.
    /// Time spent pondering counts here: a search that has thought long enough answers quickly.
    pub fn is_enough(&self, factor: f64) -> bool {
        self.budget
            .soft
            .zip(self.started_after())
            .is_some_and(|(soft, _)| self.elapsed().as_secs_f64() >= soft.as_secs_f64() * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let [remaining, increment, overhead] =
            [remaining, increment, 10].map(Duration::from_millis);
        let time = ClockTime {
            remaining,
            increment,
            moves_to_go,
        };
        Budget::new(Some(TimeLimit::Clock(time)), overhead)
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
                    let most = remaining.saturating_sub(10).max(remaining.div_ceil(4));
                    assert!(
                        hard <= Duration::from_millis(most),
                        "{remaining}: {budget:?}"
                    );
                }
            }
        }
    }

    /// Where each move costs more than a millisecond on the way, a game may still go on for long.
    #[test]
    fn sudden_death_comes_late() {
        let way = Duration::from_micros(1_200);
        for clock_at_start in [1_000, 5_000, 60_000] {
            let mut left = Duration::from_millis(clock_at_start);
            for number in 1..=250 {
                // Engines are told whole milliseconds.
                let soft = clock(left.as_millis() as u64, 0, None).soft.unwrap();
                let rest = left.checked_sub(soft + way);
                left = rest.unwrap_or_else(|| panic!("{left:?} are left for move {number}"));
            }
        }
        assert_eq!(clock(1, 0, None).hard, Some(Duration::ZERO));
    }

    #[test]
    fn a_fixed_time_leaves_room_for_the_overhead() {
        let limit = Some(TimeLimit::Move(Duration::from_millis(100)));
        let budget = Budget::new(limit, Duration::from_millis(10));
        assert_eq!(
            budget,
            Budget {
                soft: None,
                hard: Some(Duration::from_millis(90))
            }
        );
    }
}
