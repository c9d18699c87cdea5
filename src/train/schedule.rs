//! How fast the network learns at each step.

/// A rate that rises during the warm-up and then falls along half a cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The highest rate: about how far a weight moves in a step.
    pub rate: f32,
    /// The rate at the end.
    pub final_rate: f32,
    /// Steps in all.
    pub steps: u64,
    /// Steps in which the rate rises from nothing.
    pub warm_up_steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warm_up_steps {
            return self.rate * (step + 1) as f32 / self.warm_up_steps as f32;
        }
        let length = self.steps.saturating_sub(self.warm_up_steps).max(1);
        let part = ((step - self.warm_up_steps) as f64 / length as f64).min(1.0);
        let fall = 0.5 * (1.0 + (std::f64::consts::PI * part).cos());
        self.final_rate + (self.rate - self.final_rate) * fall as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_then_falls() {
        let schedule = Schedule {
            rate: 1e-3,
            final_rate: 1e-5,
            steps: 1_000,
            warm_up_steps: 100,
        };
        assert!((schedule.rate(0) - 1e-5).abs() < 1e-9);
        assert!((schedule.rate(49) - 5e-4).abs() < 1e-9);
        assert!((schedule.rate(100) - 1e-3).abs() < 1e-9);
        assert!((schedule.rate(550) - 5.05e-4).abs() < 1e-6);
        assert!((schedule.rate(1_000) - 1e-5).abs() < 1e-9);
        assert!((schedule.rate(5_000) - 1e-5).abs() < 1e-9);
        for step in 100..999 {
            assert!(schedule.rate(step + 1) <= schedule.rate(step));
        }
    }
}
