//! The record of one case, from what was counted.

use std::collections::BTreeMap;

use base::durations::seconds;

use super::measured::Measured;
use crate::tally::Tally;
use crate::tally::fault::Fault;
use crate::tally::histograms::Summary;

/// The record as `FORMATS.md` shows it. Rates are over the window's real length.
pub fn record(measured: &Measured) -> wire::LoadRecord {
    let tally = &measured.tally;
    let elapsed_ns = measured.elapsed_ns();
    let per_s = |count| round(float(count) / seconds(elapsed_ns));
    let (response, service) = (tally.response.summary(), tally.service.summary());
    let lag = tally.lag.summary();
    let scheduled = tally.rules.scheduled;
    let of_schedule = |count: u64| scheduled.then_some(count);
    let handshakes = (measured.encrypted == Some(true)).then_some(tally.handshakes);
    let of_connections = |count: u64| measured.encrypted.map(|_| count);
    let of = |times: Option<Summary>, pick: fn(Summary) -> u64| times.map(pick);
    let (concurrency, off) = little(tally, elapsed_ns);
    wire::LoadRecord {
        format: wire::FORMAT,
        record: wire::Kind::Load,
        driver: measured.driver.clone(),
        case: measured.case.clone(),
        load_loop: measured.load_loop.clone(),
        from_ns: measured.from_ns,
        to_ns: measured.to_ns,
        elapsed_ns,
        sent: tally.sent,
        right: tally.right,
        errors: errors(&tally.faults),
        scheduled: of_schedule(tally.scheduled),
        rate_error: rate_error(tally),
        late: tally.rules.late_after_ns.map(|_| tally.late),
        queued: of_schedule(tally.queued),
        offered_load_per_s: of_schedule(tally.scheduled).map(per_s),
        response_rate_per_s: per_s(tally.answers_inside),
        goodput_per_s: per_s(tally.right_inside),
        received_bytes_per_s: of_connections(tally.received_bytes).map(per_s),
        reconnects: of_connections(tally.reconnects),
        connects: of_connections(tally.connects),
        handshakes,
        handshakes_resumed: handshakes.map(|_| tally.handshakes_resumed),
        handshakes_per_s: handshakes.map(per_s),
        response_time_mean_ns: of(response, |times| times.mean_ns),
        response_time_p10_ns: of(response, |times| times.deciles_ns[0]),
        response_time_p20_ns: of(response, |times| times.deciles_ns[1]),
        response_time_p30_ns: of(response, |times| times.deciles_ns[2]),
        response_time_p40_ns: of(response, |times| times.deciles_ns[3]),
        response_time_p50_ns: of(response, |times| times.p50_ns),
        response_time_p60_ns: of(response, |times| times.deciles_ns[5]),
        response_time_p70_ns: of(response, |times| times.deciles_ns[6]),
        response_time_p80_ns: of(response, |times| times.deciles_ns[7]),
        response_time_p90_ns: of(response, |times| times.p90_ns),
        response_time_p99_ns: of(response, |times| times.p99_ns),
        response_time_p999_ns: of(response, |times| times.p999_ns),
        response_time_max_ns: of(response, |times| times.max_ns),
        service_time_mean_ns: of(service, |times| times.mean_ns),
        service_time_p50_ns: of(service, |times| times.p50_ns),
        service_time_p90_ns: of(service, |times| times.p90_ns),
        service_time_p99_ns: of(service, |times| times.p99_ns),
        service_time_p999_ns: of(service, |times| times.p999_ns),
        service_time_max_ns: of(service, |times| times.max_ns),
        send_lag_p50_ns: of(lag, |times| times.p50_ns),
        send_lag_p99_ns: of(lag, |times| times.p99_ns),
        send_lag_max_ns: of(lag, |times| times.max_ns),
        concurrency_mean: Some(round(concurrency)),
        littles_law_error: off.map(round),
        compression_ratio: tally
            .compression
            .and_then(|counts| counts.ratio())
            .map(round),
        plain_answers: tally.compression.map(|counts| counts.plain_answers),
        queries: queries(tally),
        rows: (!tally.kinds.is_empty()).then_some(tally.rows),
        threads: Some(u64::from(measured.threads)),
        driver_cpu_s: Some(round(measured.cpu_s)),
        driver_empty_polls_s: measured.empty_polls_s.map(round),
        driver_busiest_share: measured.busiest_share.map(round),
        driver_delay_s: measured.delay_s.map(round),
        driver_memory_peak_bytes: measured.memory_peak_bytes,
        drivers: measured.drivers.clone(),
    }
}

/// The figures by which one driver among several is judged.
pub fn of_driver(measured: &Measured) -> wire::DriverRecord {
    let tally = &measured.tally;
    let own_faults = [Fault::Descriptors, Fault::Ports].map(|fault| tally.faults[fault as usize]);
    wire::DriverRecord {
        sent: tally.sent,
        right: tally.right,
        descriptors: own_faults[0],
        ports: own_faults[1],
        scheduled: tally.rules.scheduled.then_some(tally.scheduled),
        rate_error: rate_error(tally),
        send_lag_p99_ns: tally.lag.summary().map(|times| times.p99_ns),
        threads: u64::from(measured.threads),
        driver_cpu_s: round(measured.cpu_s),
        driver_empty_polls_s: measured.empty_polls_s.map(round),
        driver_busiest_share: measured.busiest_share.map(round),
        driver_delay_s: measured.delay_s.map(round),
        driver_memory_peak_bytes: measured.memory_peak_bytes,
    }
}

/// The figures of each kind of request; `None` if kinds are not separate.
fn queries(tally: &Tally) -> Option<BTreeMap<String, wire::QueryRecord>> {
    let figures = tally.kinds.iter().map(|kind| {
        let response = kind.response.summary();
        let figures = wire::QueryRecord {
            sent: kind.sent,
            right: kind.right,
            response_time_mean_ns: response.map(|times| times.mean_ns),
            response_time_p50_ns: response.map(|times| times.p50_ns),
            response_time_p99_ns: response.map(|times| times.p99_ns),
        };
        (kind.name.clone(), figures)
    });
    (!tally.kinds.is_empty()).then(|| figures.collect())
}

/// The difference between what was handled in time and what was scheduled; `None` if nothing was scheduled.
fn rate_error(tally: &Tally) -> Option<f64> {
    let missing = tally.scheduled - tally.issued.min(tally.scheduled);
    (tally.scheduled > 0).then(|| round(float(missing) / float(tally.scheduled)))
}

/// Requests under way on average, by the clock; and how far Little's law puts them from there: X R, requests ended a
/// second times their mean time within the window. A request that an edge cuts has its part within on both sides, so the
/// two differ by what never ended, or by a mistake.
fn little(tally: &Tally, elapsed_ns: u64) -> (f64, Option<f64>) {
    let under_way_ns = u64::try_from(tally.under_way.total_ns(elapsed_ns)).unwrap_or(u64::MAX);
    let ended_ns = u64::try_from(tally.within_ns).unwrap_or(u64::MAX);
    let concurrency = float(under_way_ns) / float(elapsed_ns);
    let by_law = float(ended_ns) / float(elapsed_ns);
    let off = (under_way_ns > 0).then(|| (concurrency - by_law).abs() / concurrency);
    (concurrency, off)
}

fn errors(faults: &[u64; Fault::ALL.len()]) -> BTreeMap<String, u64> {
    let counted = Fault::ALL
        .into_iter()
        .zip(faults)
        .filter(|&(_, &count)| count > 0);
    counted
        .map(|(fault, &count)| (fault.name().to_owned(), count))
        .collect()
}

/// Exact up to 2^53, which no count of a window reaches; sums of times lose digits that do not matter.
#[allow(clippy::cast_precision_loss)]
fn float(count: u64) -> f64 {
    count as f64
}

/// Nine significant digits, as all numbers in our files have.
pub fn round(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::{Fault, errors, round};

    #[test]
    fn numbers_have_nine_significant_digits() {
        assert_eq!(round(71_003.412_345_678).to_string(), "71003.4123");
        assert_eq!(round(0.0).to_string(), "0");
        assert_eq!(round(0.000_123_456_789_123).to_string(), "0.000123456789");
    }

    #[test]
    fn only_the_faults_that_occurred_are_listed() {
        let mut faults = [0; Fault::ALL.len()];
        faults[0] = 3;
        faults[7] = 1;
        let listed: Vec<_> = errors(&faults).into_iter().collect();
        assert_eq!(
            listed,
            [("timeout".to_owned(), 3), ("wrong-body".to_owned(), 1)]
        );
    }
}
