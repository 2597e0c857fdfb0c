//! The counts of several threads, added up.

use super::Tally;

impl Tally {
    /// Adds the counts of another thread; both are closed.
    pub fn add(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.scheduled, other.scheduled),
            (&mut self.issued, other.issued),
            (&mut self.sent, other.sent),
            (&mut self.right, other.right),
            (&mut self.late, other.late),
            (&mut self.queued, other.queued),
            (&mut self.answers_inside, other.answers_inside),
            (&mut self.right_inside, other.right_inside),
            (&mut self.received_bytes, other.received_bytes),
            (&mut self.rows, other.rows),
            (&mut self.connects, other.connects),
            (&mut self.reconnects, other.reconnects),
            (&mut self.handshakes, other.handshakes),
            (&mut self.handshakes_resumed, other.handshakes_resumed),
        ] {
            *own += other;
        }
        for (own, other) in self.faults.iter_mut().zip(other.faults) {
            *own += other;
        }
        self.inside_ns += other.inside_ns;
        self.under_way.add(&other.under_way);
        if let (Some(own), Some(other)) = (&mut self.compression, &other.compression) {
            own.add(other);
        }
        for (own, other) in self.kinds.iter_mut().zip(&other.kinds) {
            own.add(other);
        }
        self.response.add(&other.response);
        self.service.add(&other.service);
        self.lag.add(&other.lag);
        self.seconds.add(&other.seconds);
        self.sent_at_ns.extend_from_slice(&other.sent_at_ns);
    }
}
