//! How much of a response must have come before the kernel wakes its user (`SO_RCVLOWAT`): if its length is known
//! beforehand, all of it, so that a response costs one wake-up and one read however many packets it comes in.
//!
//! A shorter response wakes no user. It is found by a check once the response is overdue, and after one such response
//! the next ones wake at their first byte.

/// Bytes by which a head may be shorter than the shortest yet and still wake its user.
const SLACK_BYTES: u64 = 32;

/// Answers longer than this are read in pieces of it.
const MOST_BYTES: u64 = 64 * 1024;

/// The earliest look.
const LOOK_NS: u64 = 4_000_000;

/// After a response that was shorter than expected, this many requests wake at the first byte.
const WARY_REQUESTS: u32 = 64;

/// What one thread has learned of the responses.
#[derive(Debug)]
pub struct WakeThreshold {
    /// The shortest head so far, with everything else besides the body; the largest number if none was seen yet.
    least_head_bytes: u64,
    wary: u32,
    /// How long responses took lately, from sending on: a running mean in which the last one has a weight of 1/16.
    usual_ns: u64,
}

impl Default for WakeThreshold {
    fn default() -> Self {
        Self {
            least_head_bytes: u64::MAX,
            wary: 0,
            usual_ns: 0,
        }
    }
}

impl WakeThreshold {
    /// How many bytes wake the user whose next response has a body of this length; 1 for any.
    pub fn wake_at(&mut self, body_bytes: Option<u64>) -> u32 {
        if self.wary > 0 {
            self.wary -= 1;
            return 1;
        }
        Self::rest(self.whole_bytes(body_bytes), 0)
    }

    /// The expected length of a response whose body has this length; 0 if it is not known.
    pub fn whole_bytes(&self, body_bytes: Option<u64>) -> u64 {
        match body_bytes {
            Some(body_bytes) if self.least_head_bytes < u64::MAX => {
                body_bytes.saturating_add(self.least_head_bytes)
            }
            _ => 0,
        }
    }

    /// How many bytes wake the user who has received `received_bytes` of `whole_bytes`.
    pub fn rest(whole_bytes: u64, received_bytes: u64) -> u32 {
        let rest = whole_bytes
            .saturating_sub(received_bytes)
            .saturating_sub(SLACK_BYTES);
        u32::try_from(rest.clamp(1, MOST_BYTES)).unwrap_or(1)
    }

    /// A whole response has come, with this many bytes in all and in its body, that was to wake at `wake_at`.
    pub fn answered(&mut self, received_bytes: u64, body_bytes: u64, wake_at: u32, took_ns: u64) {
        if received_bytes < u64::from(wake_at) {
            self.wary = WARY_REQUESTS;
        }
        let head_bytes = received_bytes.saturating_sub(body_bytes);
        self.least_head_bytes = self.least_head_bytes.min(head_bytes);
        self.usual_ns = self.usual_ns - self.usual_ns / 16 + took_ns / 16;
    }

    /// How long after sending a response is overdue, in ns: twice what is usual, so that checks stay rare.
    pub fn look_ns(&self) -> u64 {
        LOOK_NS.max(2 * self.usual_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::WakeThreshold;

    #[test]
    fn any_byte_wakes_before_a_head_was_seen_and_where_no_length_is_known() {
        let mut wake_threshold = WakeThreshold::default();
        assert_eq!(wake_threshold.wake_at(Some(19_251)), 1);
        wake_threshold.answered(19_500, 19_251, 1, 1000);
        assert_eq!(wake_threshold.wake_at(None), 1);
    }

    #[test]
    fn the_whole_answer_wakes_less_what_a_head_may_vary_by() {
        let mut wake_threshold = WakeThreshold::default();
        wake_threshold.answered(19_500, 19_251, 1, 1000);
        assert_eq!(wake_threshold.wake_at(Some(19_251)), 19_500 - 32);
        wake_threshold.answered(19_480, 19_251, 19_468, 1000);
        assert_eq!(wake_threshold.wake_at(Some(19_251)), 19_480 - 32);
        assert_eq!(wake_threshold.wake_at(Some(0)), 229 - 32);
        assert_eq!(wake_threshold.wake_at(Some(10_000_000)), 65_536);
        assert_eq!(WakeThreshold::rest(100_000, 99_990), 1);
    }

    #[test]
    fn after_a_short_answer_any_byte_wakes_for_a_while() {
        let mut wake_threshold = WakeThreshold::default();
        wake_threshold.answered(19_500, 19_251, 1, 1000);
        wake_threshold.answered(300, 100, 19_468, 4_000_000);
        for _ in 0..64 {
            assert_eq!(wake_threshold.wake_at(Some(19_251)), 1);
        }
        assert!(wake_threshold.wake_at(Some(19_251)) > 19_000);
    }

    #[test]
    fn looks_come_after_4_ms_or_twice_what_is_usual() {
        let mut wake_threshold = WakeThreshold::default();
        assert_eq!(wake_threshold.look_ns(), 4_000_000);
        for _ in 0..200 {
            wake_threshold.answered(300, 100, 1, 16_000_000);
        }
        assert!((31_000_000..=32_000_000).contains(&wake_threshold.look_ns()));
    }
}
