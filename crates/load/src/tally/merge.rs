//! The counts of several threads or drivers, added up.

use super::Tally;

impl Tally {
    /// Return what the two were counted differently by, so that they cannot be added; `None` if they can.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let names = |tally: &Self| -> Vec<String> {
            tally.kinds.iter().map(|kind| kind.name.clone()).collect()
        };
        let (own, others) = (&self.rules, &other.rules);
        let length_ns = |tally: &Self| {
            let window = tally.rules.window;
            window.until_ns.saturating_sub(window.from_ns)
        };
        let times = [
            (&self.response, &other.response),
            (&self.service, &other.service),
            (&self.lag, &other.lag),
        ];
        let of_kinds = self.kinds.iter().zip(&other.kinds);
        let mut times = times
            .into_iter()
            .chain(of_kinds.map(|(own, other)| (&own.response, &other.response)));
        [
            (own.scheduled != others.scheduled, "loops"),
            (own.timeout_ns != others.timeout_ns, "timeouts"),
            (
                own.late_after_ns != others.late_after_ns,
                "limits for late responses",
            ),
            (own.keeps_seconds != others.keeps_seconds, "intervals"),
            (
                own.scheduled && length_ns(self) != length_ns(other),
                "windows",
            ),
            (names(self) != names(other), "queries"),
            (
                self.compression.is_some() != other.compression.is_some(),
                "compression",
            ),
            (times.any(|(own, other)| !own.fits(other)), "histograms"),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    }

    /// Adds the counts of another thread or driver; both are closed.
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
        self.within_ns += other.within_ns;
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
