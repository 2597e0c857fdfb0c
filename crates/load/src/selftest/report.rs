//! What the self-test found, for programs and for people.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::durations::seconds;
use serde::Serialize;
use wire::LoadRecord;

use super::cpus::Cpus;
use super::fidelity::Fidelity;
use crate::output::print::time;
use crate::output::record::round;

/// Of the requests scheduled at half the ceiling, at most this share may not leave in time.
const RATE_ERROR: f64 = 0.001;

/// 99 of 100 of them leave at most this late.
const SEND_LAG_P99_NS: u64 = 1_000_000;

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    format: u32,
    record: &'static str,
    /// Whether the machine holds the bars.
    pub holds: bool,
    /// Which it does not hold.
    pub missed: Vec<String>,
    driver_cpu: Option<usize>,
    /// null if the responder shared the driver's.
    responder_cpu: Option<usize>,
    ceiling: Vec<Ceiling>,
    half: HalfRate,
    arrivals: Vec<Fidelity>,
}

/// A closed loop against the responder.
#[derive(Clone, Debug, Serialize)]
pub struct Ceiling {
    connections: u32,
    /// Whole responses a second.
    pub response_rate_per_s: f64,
    response_time_p50_ns: Option<u64>,
    response_time_p99_ns: Option<u64>,
    driver_cpu_per_request_ns: Option<f64>,
    errors: BTreeMap<String, u64>,
}

/// An open loop at half the highest rate of the closed ones.
#[derive(Clone, Debug, Serialize)]
pub struct HalfRate {
    rate_per_s: f64,
    scheduled: Option<u64>,
    rate_error: Option<f64>,
    send_lag_p50_ns: Option<u64>,
    send_lag_p99_ns: Option<u64>,
    send_lag_max_ns: Option<u64>,
    driver_delay_s: Option<f64>,
    elapsed_ns: u64,
    errors: BTreeMap<String, u64>,
}

impl Ceiling {
    /// The figures of a record.
    pub fn of(connections: u32, record: &LoadRecord) -> Self {
        let busy = record
            .driver_cpu_s
            .map(|cpu_s| cpu_s / seconds(record.elapsed_ns));
        Self {
            connections,
            response_rate_per_s: record.response_rate_per_s,
            response_time_p50_ns: record.response_time_p50_ns,
            response_time_p99_ns: record.response_time_p99_ns,
            driver_cpu_per_request_ns: busy
                .map(|busy| (busy / record.response_rate_per_s * 1e9).round())
                .filter(|cpu_ns| cpu_ns.is_finite()),
            errors: record.errors.clone(),
        }
    }
}

impl HalfRate {
    /// The figures of a record.
    pub fn of(rate_per_s: f64, record: &LoadRecord) -> Self {
        Self {
            rate_per_s: round(rate_per_s),
            scheduled: record.scheduled,
            rate_error: record.rate_error,
            send_lag_p50_ns: record.send_lag_p50_ns,
            send_lag_p99_ns: record.send_lag_p99_ns,
            send_lag_max_ns: record.send_lag_max_ns,
            driver_delay_s: record.driver_delay_s,
            elapsed_ns: record.elapsed_ns,
            errors: record.errors.clone(),
        }
    }

    /// The share of the time in which the driver could have run and did not.
    fn kept_from_its_cpu(&self) -> Option<f64> {
        let delay_s = self.driver_delay_s?;
        Some(delay_s / seconds(self.elapsed_ns))
    }

    /// The bars that it does not hold. What was not measured is not held.
    fn missed(&self) -> Vec<String> {
        let mut missed = Vec::new();
        match self.rate_error {
            Some(error) if error <= RATE_ERROR => {}
            Some(error) => missed.push(format!(
                "the rate error is {}, above 0.1 %",
                percent(Some(error))
            )),
            None => missed.push("the rate error is not known".to_owned()),
        }
        match self.send_lag_p99_ns {
            Some(lag_ns) if lag_ns <= SEND_LAG_P99_NS => {}
            Some(lag_ns) => missed.push(format!(
                "the send lag's p99 is {}, above 1 ms",
                time(Some(lag_ns))
            )),
            None => missed.push("the send lag is not known".to_owned()),
        }
        missed
    }
}

impl Findings {
    /// All of it, and whether it holds.
    pub fn new(
        cpus: Option<Cpus>,
        ceiling: Vec<Ceiling>,
        half: HalfRate,
        arrivals: Vec<Fidelity>,
    ) -> Self {
        let mut missed = half.missed();
        let all = ceiling.iter().map(|ceiling| &ceiling.errors);
        if all.chain([&half.errors]).any(|errors| !errors.is_empty()) {
            missed.push("some responses of the responder were missing or wrong".to_owned());
        }
        Self {
            format: wire::FORMAT,
            record: "selftest",
            holds: missed.is_empty(),
            missed,
            driver_cpu: cpus.map(|cpus| cpus.driver),
            responder_cpu: cpus.and_then(|cpus| cpus.responder),
            ceiling,
            half,
            arrivals,
        }
    }

    /// A few lines for people.
    pub fn text(&self) -> String {
        let mut text = match (self.driver_cpu, self.responder_cpu) {
            (Some(driver), Some(responder)) => {
                format!("CPUs      the driver's is {driver}, the responder's {responder}\n")
            }
            (Some(driver), None) => format!("CPUs      both share {driver}: there is no other\n"),
            (None, _) => "CPUs      wherever the kernel puts both\n".to_owned(),
        };
        // Writing to a text cannot fail.
        for ceiling in &self.ceiling {
            let _ = writeln!(
                text,
                "ceiling   {:>3} connections: {:.0} responses per second, {} of CPU each, p99 {}",
                ceiling.connections,
                ceiling.response_rate_per_s,
                microseconds(ceiling.driver_cpu_per_request_ns),
                time(ceiling.response_time_p99_ns),
            );
        }
        let half = &self.half;
        let _ = writeln!(
            text,
            "half      {:.0} requests per second: rate error {}, send lag p50 {}  p99 {}  longest {}; \
             kept from its CPU {}",
            half.rate_per_s,
            percent(half.rate_error),
            time(half.send_lag_p50_ns),
            time(half.send_lag_p99_ns),
            time(half.send_lag_max_ns),
            percent(half.kept_from_its_cpu()),
        );
        for arrivals in &self.arrivals {
            let _ = writeln!(text, "arrivals  {}", line(arrivals));
        }
        let verdict = if self.holds {
            "holds     rate error at most 0.1 %, send lag p99 at most 1 ms".to_owned()
        } else {
            format!("misses    {}", self.missed.join("; "))
        };
        let _ = writeln!(text, "{verdict}");
        text
    }
}

fn line(arrivals: &Fidelity) -> String {
    let Fidelity {
        rate_per_s, sent, ..
    } = arrivals;
    let instants = percent(Some(arrivals.instants_distance));
    if let Some(gaps) = arrivals.gaps_distance {
        let (gaps, chance) = (
            percent(Some(gaps)),
            percent(Some(arrivals.distance_by_chance)),
        );
        format!(
            "poisson, {rate_per_s:.0} per second, {sent} sent: gaps {gaps} from exponential, instants {instants} from even \
             (by chance {chance} once in 100)"
        )
    } else {
        format!(
            "uniform, {rate_per_s:.0} per second, {sent} sent: gaps off by p50 {}  p99 {}, instants {instants} from even",
            time(arrivals.gap_off_p50_ns),
            time(arrivals.gap_off_p99_ns),
        )
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(
        || "not seen".to_owned(),
        |share| format!("{:.3} %", share * 100.0),
    )
}

fn microseconds(time_ns: Option<f64>) -> String {
    time_ns.map_or_else(
        || "not seen".to_owned(),
        |time_ns| format!("{:.1} us", time_ns / 1e3),
    )
}
