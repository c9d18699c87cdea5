//! Time management: how long a search should take (the soft limit) and how long it may (the hard
//! limit).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::{ClockTime, TimeLimit};

/// The reserve in sudden death, in communication delays: without an increment that pays for
/// them, the delays themselves use up the clock in the end.
const SUDDEN_DEATH_RESERVE: f64 = 40.0;
/// The reserve otherwise: a busy machine may delay a single move by as much, now and then.
const RESERVE: f64 = 8.0;
/// The moves that a clock without time controls is shared out for when the game begins, and by how
/// much fewer with each move made. A constant number would spend most in the opening; the search is
/// worth most if moves get time as long as games are open, and that is hardly less after twenty.
const MOVES_AT_START: f64 = 44.0;
const FEWER_EACH_MOVE: f64 = 0.7;
/// The fewest moves that it is shared out for: where increments pay for long games, and in sudden
/// death.
const LEAST_MOVES: f64 = 14.0;
const LEAST_MOVES_IN_SUDDEN_DEATH: f64 = 30.0;
/// The share of the increment that a move uses up; before a time control a little less.
const INCREMENT_SHARE: f64 = 0.9;
const INCREMENT_SHARE_BEFORE_CONTROL: f64 = 0.7;
/// The share of the clock that the moves up to a time control are given; its last move may use
/// no more either.
const SHARE_BEFORE_CONTROL: f64 = 0.85;
/// The most of the clock that one move may use: with moves left to a time control, and in sudden
/// death.
const MOST_BEFORE_CONTROL: f64 = 0.6;
const MOST_IN_SUDDEN_DEATH: f64 = 0.45;
/// The hard limit, in soft limits.
const HARD_OVER_SOFT: f64 = 4.5;
/// What pondering adds to the soft limit: time that the opponent's moves will give back. A
/// customary share, not a measured one.
const PONDER_BONUS: f64 = 0.25;
/// The least time of a search with a time of its own (`movetime`).
const SHORTEST: Duration = Duration::from_millis(1);
/// Too short for the other program to send a command meanwhile.
const MOMENT: Duration = Duration::from_millis(4);

/// How the time of a search is to be shared out, whatever its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePolicy {
    /// The communication delay on each move: the clock runs, but the search cannot use it.
    pub overhead: Duration,
    /// Whether the engine may ponder in this game.
    pub ponder: bool,
}

/// The time a search may use once its clock runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The soft limit: no new iteration begins after it. The search scales it by how it goes.
    pub soft: Option<Duration>,
    /// The hard limit: the search stops there, even within an iteration.
    pub hard: Option<Duration>,
}

impl Budget {
    /// What a limit allows for a move in a game in which so many were `made` by this side.
    pub fn new(limit: Option<TimeLimit>, policy: TimePolicy, made: u16) -> Self {
        match limit {
            None => Self::default(),
            Some(TimeLimit::Move(time)) => {
                let hard = time.saturating_sub(policy.overhead.min(time / 2));
                Self {
                    soft: None,
                    hard: Some(hard.max(SHORTEST)),
                }
            }
            Some(TimeLimit::Clock(clock)) => Self::share(clock, policy, made),
        }
    }

    /// A share of the clock, and never more than a safe part of it. With hardly anything left both
    /// limits are zero, and the search ends with its first iteration.
    fn share(clock: ClockTime, policy: TimePolicy, made: u16) -> Self {
        let [left, increment, overhead] =
            [clock.remaining, clock.increment, policy.overhead].map(|time| time.as_secs_f64());
        let moves = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = moves.map(|moves| f64::from(moves.min(50)));
        let at_least = |least| (MOVES_AT_START - FEWER_EACH_MOVE * f64::from(made)).max(least);
        let (delays, shares) = match moves {
            // Every move to the time control has its own delay.
            Some(moves) => (moves + RESERVE, moves),
            None if increment < overhead => {
                (SUDDEN_DEATH_RESERVE, at_least(LEAST_MOVES_IN_SUDDEN_DEATH))
            }
            None => (RESERVE, at_least(LEAST_MOVES)),
        };
        let reserve = overhead * delays;
        // The first half of the reserve is used sparingly, the second not at all: on a busy
        // machine even a short search may have to wait for a processor.
        let usable = (left - reserve).max((left - reserve / 2.0) / 2.0).max(0.0);
        // Half of the overhead is the usual delay, the other half is for bad moments.
        let increment = (increment - overhead / 2.0).max(0.0);
        let (soft, most) = match moves {
            Some(moves) => {
                let most = if moves > 1.0 {
                    MOST_BEFORE_CONTROL
                } else {
                    SHARE_BEFORE_CONTROL
                };
                let share = SHARE_BEFORE_CONTROL * usable / shares;
                (
                    share + INCREMENT_SHARE_BEFORE_CONTROL * increment,
                    most * usable,
                )
            }
            None => (
                usable / shares + INCREMENT_SHARE * increment,
                MOST_IN_SUDDEN_DEATH * usable,
            ),
        };
        let hard = (soft * HARD_OVER_SOFT).min(most);
        let bonus = if policy.ponder { PONDER_BONUS } else { 0.0 };
        let soft = (soft * (1.0 + bonus)).min(hard);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }

    /// Whether the search is over before anybody could send `stop`.
    pub fn is_a_moment(&self) -> bool {
        self.hard.is_some_and(|hard| hard < MOMENT)
    }
}

/// The clock of one search. It does not run while the search ponders; `ponderhit` may come from
/// another thread.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    budget: Budget,
    /// Microseconds from the start of the search to that of the own clock; [`PONDERING`] until
    /// then.
    own_start: AtomicU64,
    /// The soft limit in microseconds, as the last iteration has scaled it.
    optimum: AtomicU64,
}

/// The own clock does not run yet.
const PONDERING: u64 = u64::MAX;

impl Clock {
    /// Starts a clock.
    pub fn new(budget: Budget, ponder: bool) -> Self {
        Self {
            start: Instant::now(),
            budget,
            own_start: AtomicU64::new(if ponder { PONDERING } else { 0 }),
            optimum: AtomicU64::new(budget.soft.map_or(u64::MAX, micros)),
        }
    }

    /// The opponent has played the expected move: the own clock runs from now on.
    pub fn ponderhit(&self) {
        let after = micros(self.elapsed()).min(PONDERING - 1);
        self.own_start.store(after, Ordering::Relaxed);
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// How long the search pondered before the own clock started; `None` while it still ponders.
    fn pondered(&self) -> Option<Duration> {
        let micros = self.own_start.load(Ordering::Relaxed);
        (micros != PONDERING).then(|| Duration::from_micros(micros))
    }

    fn optimum(&self) -> Duration {
        Duration::from_micros(self.optimum.load(Ordering::Relaxed))
    }

    /// Whether the search must end at once: at the hard limit, or at `ponderhit` if the soft
    /// limit passed while pondering.
    pub fn is_over(&self) -> bool {
        self.pondered().is_some_and(|pondered| {
            let ready = !pondered.is_zero() && pondered >= self.optimum();
            let hard = self.budget.hard.map(|hard| hard.saturating_add(pondered));
            ready || hard.is_some_and(|hard| self.elapsed() >= hard)
        })
    }

    /// Scales the soft limit by `factor`, and says whether it has passed: then another iteration
    /// is not worth its time. Time spent pondering counts.
    pub fn is_enough(&self, factor: f64) -> bool {
        let Some(soft) = self.budget.soft else {
            return false;
        };
        self.optimum
            .store(micros(soft.mul_f64(factor)), Ordering::Relaxed);
        self.pondered().is_some() && self.elapsed() >= self.optimum()
    }
}

/// Whole microseconds.
fn micros(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten milliseconds of delay on each move, no pondering.
    const POLICY: TimePolicy = TimePolicy {
        overhead: Duration::from_millis(10),
        ponder: false,
    };

    /// At the first move of a game.
    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        budget(remaining, increment, moves_to_go, POLICY, 0)
    }

    fn budget(
        remaining: u64,
        increment: u64,
        moves_to_go: Option<u32>,
        policy: TimePolicy,
        made: u16,
    ) -> Budget {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        let time = ClockTime {
            remaining,
            increment,
            moves_to_go,
        };
        Budget::new(Some(TimeLimit::Clock(time)), policy, made)
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for remaining in [0, 1, 5, 11, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(999)] {
                    for (ponder, made) in [(false, 0), (true, 0), (false, 30), (true, u16::MAX)] {
                        let policy = TimePolicy { ponder, ..POLICY };
                        let budget = budget(remaining, increment, moves, policy, made);
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
    }

    /// A game goes on for long even if each move loses more than a millisecond on the way.
    #[test]
    fn sudden_death_comes_late() {
        let delay = Duration::from_micros(1_200);
        for clock_at_start in [1_000, 5_000, 60_000] {
            let mut left = Duration::from_millis(clock_at_start);
            for number in 1..=250 {
                // Engines are told whole milliseconds.
                let budget = budget(left.as_millis() as u64, 0, None, POLICY, number - 1);
                let soft = budget.soft.unwrap();
                let rest = left.checked_sub(soft + delay);
                left = rest.unwrap_or_else(|| panic!("{left:?} are left for move {number}"));
            }
        }
        assert_eq!(clock(1, 0, None).hard, Some(Duration::ZERO));
    }

    /// The thirtieth move of a game that takes what it is given, and the hundredth.
    #[test]
    fn time_lasts_as_long_as_games_are_open() {
        let (mut left, mut shares) = (60_000.0, Vec::new());
        for made in 0..100 {
            let budget = budget(left as u64, 600, None, POLICY, made);
            let share = budget.soft.unwrap().as_secs_f64() * 1_000.0;
            shares.push(share);
            left += 600.0 - share;
        }
        assert!(shares[29] > 0.6 * shares[0], "{shares:?}");
        assert!(
            (500.0..700.0).contains(&shares[99]) && left > 500.0,
            "{shares:?}, {left}"
        );
    }

    #[test]
    fn a_fixed_time_leaves_room_for_the_overhead() {
        let limit = Some(TimeLimit::Move(Duration::from_millis(100)));
        assert_eq!(
            Budget::new(limit, POLICY, 0),
            Budget {
                soft: None,
                hard: Some(Duration::from_millis(90))
            }
        );
    }

    #[test]
    fn pondering_adds_to_the_soft_limit_alone() {
        let without = clock(60_000, 600, None);
        let with = budget(
            60_000,
            600,
            None,
            TimePolicy {
                ponder: true,
                ..POLICY
            },
            0,
        );
        assert_eq!(with.hard, without.hard);
        let longer = with.soft.unwrap().as_secs_f64() / without.soft.unwrap().as_secs_f64();
        assert!((longer - 1.25).abs() < 1e-6, "{longer}");
    }

    /// A clock whose search has been pondering for so many milliseconds.
    fn pondering(budget: Budget, millis: u64) -> Clock {
        let mut clock = Clock::new(budget, true);
        clock.start -= Duration::from_millis(millis);
        clock
    }

    #[test]
    fn a_share_that_passed_while_pondering_is_over_at_ponderhit() {
        let budget = clock(60_000, 0, None);
        let soft = budget.soft.unwrap().as_millis() as u64;
        for (pondered, factor, over) in [
            (soft + 1, 1.0, true),
            (soft + 1, 1.5, false),
            (soft - 100, 1.0, false),
            (soft / 2 + 1, 0.5, true),
        ] {
            let clock = pondering(budget, pondered);
            assert!(!clock.is_enough(factor) && !clock.is_over());
            clock.ponderhit();
            assert_eq!(clock.is_over(), over, "{pondered} of {soft} ms, {factor}");
            assert_eq!(clock.is_enough(factor), over);
        }
    }

    #[test]
    fn a_fixed_time_begins_with_ponderhit() {
        let limit = Some(TimeLimit::Move(Duration::from_secs(100)));
        let clock = pondering(Budget::new(limit, POLICY, 0), 200_000);
        clock.ponderhit();
        assert!(!clock.is_over() && !clock.is_enough(1.0));
    }
}
