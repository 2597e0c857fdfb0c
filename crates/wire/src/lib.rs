//! The records that both binaries write: one JSON document a line, as `FORMATS.md` shows them.
//!
//! Times are nanoseconds of `CLOCK_MONOTONIC`; `None` is written `null` and means "not applicable", never 0.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod driver;

pub use driver::DriverRecord;

/// The version of the records' form; the reader refuses any other.
pub const FORMAT: u32 = 1;

/// The fields that distinguish the cases of a run, in the order given: `{"connections": 10}`.
pub type Case = Map<String, Value>;

/// Which kind of record a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A batch program's record of one case.
    Batch,
    /// The load generator's record of one case.
    Load,
}

/// A batch program's record of one case: how much work, counted in what, in how long, and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchRecord {
    /// The version of the form, 1.
    pub format: u32,
    /// Always `batch`.
    pub record: Kind,
    /// The case that the work belongs to.
    pub case: Case,
    /// How much work was done, counted in `work_in`.
    pub work: f64,
    /// What the work is counted in: `operations`, `cpu-seconds`.
    pub work_in: String,
    /// How long it took, in ns.
    pub elapsed_ns: u64,
    /// What the program found; the workload knows the correct one.
    pub answer: Value,
    /// More figures, under names of the metric catalog.
    pub metrics: BTreeMap<String, f64>,
    /// Why figures that the case should have were not obtained, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// When the work began, absolute, if the program stamps its own cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_ns: Option<u64>,
    /// When the work ended, absolute, if the program stamps its own cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_ns: Option<u64>,
}

/// The load generator's record of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadRecord {
    /// The version of the form, 1.
    pub format: u32,
    /// Always `load`.
    pub record: Kind,
    /// The host that drove the load.
    pub driver: String,
    /// The case that was driven.
    pub case: Case,
    /// `closed`, `open` or `sessions`.
    #[serde(rename = "loop")]
    pub load_loop: String,
    /// The measured window's beginning, in ns from the run's start.
    pub from_ns: u64,
    /// The measured window's end, in ns from the run's start.
    pub to_ns: u64,
    /// The measured window's length in ns.
    pub elapsed_ns: u64,
    /// Requests accounted for: `right` and all `errors` together. In the closed loop those that ended in the window, in
    /// the other loops those whose intended instant is in it.
    pub sent: u64,
    /// Correct responses within the timeout.
    pub right: u64,
    /// Wrong or missing responses, counted by kind (kinds that did not occur are left out): `timeout`, `refused`,
    /// `reset`, `closed`, `malformed`, `wrong-status`, `wrong-length`, `wrong-body`, `wrong-value`, `not-inflated`, `error-answer`,
    /// `wrong-rows`, `wrong-checksum`, `tls`, `descriptors`, `ports`, `skipped`, `unfinished`, `other`.
    pub errors: BTreeMap<String, u64>,
    /// Requests whose intended instant is in the window; null in the closed loop.
    #[serde(default)]
    pub scheduled: Option<u64>,
    /// `|issued - scheduled| / scheduled`, of which issued were handled before the window closed; null in the closed
    /// loop.
    #[serde(default)]
    pub rate_error: Option<f64>,
    /// Correct responses that took longer than the driver's limit for late ones; null without such a limit.
    #[serde(default)]
    pub late: Option<u64>,
    /// Requests that had to wait for a free connection; null in the closed loop.
    #[serde(default)]
    pub queued: Option<u64>,
    /// Requests a second that the schedule intended; null in the closed loop.
    pub offered_load_per_s: Option<f64>,
    /// Whole responses a second, correct or not, that came within the window.
    pub response_rate_per_s: f64,
    /// Correct responses a second, within the timeout, that came within the window.
    pub goodput_per_s: f64,
    /// Bytes received a second, heads included.
    #[serde(default)]
    pub received_bytes_per_s: Option<f64>,
    /// Connections that the server ended between two requests, and that were opened again.
    #[serde(default)]
    pub reconnects: Option<u64>,
    /// Connections that were opened in the window.
    #[serde(default)]
    pub connects: Option<u64>,
    /// TLS handshakes that were completed in the window; null in the clear.
    #[serde(default)]
    pub handshakes: Option<u64>,
    /// Those of them that resumed an earlier session.
    #[serde(default)]
    pub handshakes_resumed: Option<u64>,
    /// TLS handshakes a second; null in the clear.
    #[serde(default)]
    pub handshakes_per_s: Option<f64>,
    /// Mean time from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_mean_ns: Option<u64>,
    /// 1 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p10_ns: Option<u64>,
    /// 2 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p20_ns: Option<u64>,
    /// 3 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p30_ns: Option<u64>,
    /// 4 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p40_ns: Option<u64>,
    /// Half of the requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p50_ns: Option<u64>,
    /// 6 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p60_ns: Option<u64>,
    /// 7 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p70_ns: Option<u64>,
    /// 8 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p80_ns: Option<u64>,
    /// 9 of 10 requests took at most this, from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_p90_ns: Option<u64>,
    /// 99 of 100 requests took at most this, from the intended instant to the last byte.
    pub response_time_p99_ns: Option<u64>,
    /// 999 of 1000 requests took at most this, from the intended instant to the last byte.
    pub response_time_p999_ns: Option<u64>,
    /// The longest time from the intended instant to the last byte.
    #[serde(default)]
    pub response_time_max_ns: Option<u64>,
    /// Mean time from the actual send to the last byte.
    #[serde(default)]
    pub service_time_mean_ns: Option<u64>,
    /// Half of the requests took at most this, from the actual send to the last byte.
    #[serde(default)]
    pub service_time_p50_ns: Option<u64>,
    /// 9 of 10 requests took at most this, from the actual send to the last byte.
    #[serde(default)]
    pub service_time_p90_ns: Option<u64>,
    /// 99 of 100 requests took at most this, from the actual send to the last byte.
    pub service_time_p99_ns: Option<u64>,
    /// 999 of 1000 requests took at most this, from the actual send to the last byte.
    #[serde(default)]
    pub service_time_p999_ns: Option<u64>,
    /// The longest time from the actual send to the last byte.
    #[serde(default)]
    pub service_time_max_ns: Option<u64>,
    /// Half of the requests left at most this late; null in the closed loop.
    #[serde(default)]
    pub send_lag_p50_ns: Option<u64>,
    /// 99 of 100 requests left at most this late; null in the closed loop.
    pub send_lag_p99_ns: Option<u64>,
    /// How late the latest request left; null in the closed loop.
    #[serde(default)]
    pub send_lag_max_ns: Option<u64>,
    /// Requests under way, from the intended instant on: the average over the window's time.
    #[serde(default)]
    pub concurrency_mean: Option<f64>,
    /// Little's law compared with the counts: `|L - X R| / L` with L requests under way, X ended a second, R their mean
    /// time within the window.
    #[serde(default)]
    pub littles_law_error: Option<f64>,
    /// Inflated length over length on the wire of the compressed bodies of the sample; null if there were none.
    #[serde(default)]
    pub compression_ratio: Option<f64>,
    /// Responses that came uncompressed though compression was requested; null if it was not.
    #[serde(default)]
    pub plain_answers: Option<u64>,
    /// The figures of each query of the mix, by its name; null if requests are not queries.
    #[serde(default)]
    pub queries: Option<BTreeMap<String, QueryRecord>>,
    /// Rows of the responses that came within the window; null if requests are not queries.
    #[serde(default)]
    pub rows: Option<u64>,
    /// Threads of the driver.
    #[serde(default)]
    pub threads: Option<u64>,
    /// CPU time of the driver within the window but for polls that found nothing, in seconds.
    pub driver_cpu_s: Option<f64>,
    /// Time of the driver's polls within the window that found nothing, in seconds; null if it slept instead.
    #[serde(default)]
    pub driver_empty_polls_s: Option<f64>,
    /// The share of the window that the busiest of the driver's threads worked: CPU time less empty polls; null in
    /// process.
    #[serde(default)]
    pub driver_busiest_share: Option<f64>,
    /// Run-queue delay of the driver's threads within the window, in seconds.
    pub driver_delay_s: Option<f64>,
    /// Most memory that the driver held at once; of several, that of the one which held most.
    #[serde(default)]
    pub driver_memory_peak_bytes: Option<u64>,
    /// The figures of each driver by its name, if several drove: `driver` is then their names joined by commas. The
    /// shares and delays above are those of the busiest of them, or of all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drivers: Option<BTreeMap<String, DriverRecord>>,
}

/// The load generator's figures of one query of a mix. Requests that were given up before their query was drawn belong
/// to none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryRecord {
    /// Requests accounted for, however they ended.
    pub sent: u64,
    /// Correct responses within the timeout among them.
    pub right: u64,
    /// Mean time from the intended instant to the last byte; null if none got a response or timed out.
    pub response_time_mean_ns: Option<u64>,
    /// Half of the requests took at most this, from the intended instant to the last byte.
    pub response_time_p50_ns: Option<u64>,
    /// 99 of 100 requests took at most this, from the intended instant to the last byte.
    pub response_time_p99_ns: Option<u64>,
}

/// The record as one line without its line end.
///
/// # Errors
/// A number that JSON does not have (an infinity is written `null` by `serde_json`), or a map key that is no text.
pub fn line<T: Serialize>(record: &T) -> serde_json::Result<String> {
    serde_json::to_string(record)
}

#[cfg(test)]
mod tests {
    use super::{BatchRecord, LoadRecord, line};

    /// What both languages read; the Python tests hold it against `schemas/record.json` too.
    const RECORDS: &str = include_str!("../../../reference/records.jsonl");

    fn of_kind(kind: &str) -> Vec<&'static str> {
        let found = RECORDS.lines().filter(|line| line.contains(kind));
        let found: Vec<&str> = found.collect();
        assert!(!found.is_empty(), "no {kind} in reference/records.jsonl");
        found
    }

    #[test]
    fn a_batch_record_is_written_as_it_is_read() {
        for told in of_kind("\"record\":\"batch\"") {
            let record: BatchRecord = serde_json::from_str(told).expect("a batch record");
            assert_eq!(line(&record).expect("a line"), told);
        }
    }

    #[test]
    fn a_load_record_is_written_as_it_is_read() {
        for told in of_kind("\"record\":\"load\"") {
            let record: LoadRecord = serde_json::from_str(told).expect("a load record");
            assert_eq!(line(&record).expect("a line"), told);
        }
    }

    #[test]
    fn an_unknown_field_is_refused() {
        let batch = of_kind("\"record\":\"batch\"")[0];
        let spoiled = batch.replacen("\"work\":", "\"rate\":1,\"work\":", 1);
        assert!(serde_json::from_str::<BatchRecord>(&spoiled).is_err());
    }
}
