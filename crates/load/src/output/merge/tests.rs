//! What N drivers measured, added up, is what one driver of the same requests would have measured.

use std::collections::BTreeMap;
use std::path::Path;

use base::durations::SECOND_NS;
use base::random::Random;

use super::{read, sum};
use crate::dialogue::CheckedResponse;
use crate::http::mix::Compression;
use crate::output::measured::Measured;
use crate::output::record::record;
use crate::spoiled;
use crate::tally::fault::Fault;
use crate::tally::window::Window;
use crate::tally::{RequestTimes, Rules, Tally};

const LENGTH_NS: u64 = 3 * SECOND_NS;

/// When the window opens, on the clock of the run.
const OPENS_NS: u64 = SECOND_NS / 2;

/// One random request: its times on the run's clock, and how it ended.
#[derive(Clone, Copy)]
struct Request {
    times: RequestTimes,
    ends: End,
}

#[derive(Clone, Copy)]
enum End {
    Answered(Option<Fault>),
    TimedOut,
    Failed,
}

fn requests(random: &mut Random, count: usize) -> Vec<Request> {
    let mut all: Vec<Request> = (0..count).map(|_| request(random)).collect();
    // A driver counts in the order of time.
    all.sort_by_key(|each| each.times.done_ns);
    all
}

fn request(random: &mut Random) -> Request {
    let mut below = |count: usize| random.below(count);
    let number = |value: usize| u64::try_from(value).expect("64 bits");
    let intended_ns = number(below(4_000_000_000));
    let lag_ns = number(below(2_000_000));
    let sent_ns = intended_ns + lag_ns;
    let times = RequestTimes {
        kind: Some(below(3)).filter(|&kind| kind < 2),
        intended_ns,
        sent_ns: Some(sent_ns).filter(|_| below(20) > 0),
        lag_ns,
        queued: below(7) == 0,
        done_ns: sent_ns + number(below(700_000_000)),
        received_bytes: number(below(5000)),
    };
    let ends = match below(10) {
        0 => End::TimedOut,
        1 => End::Failed,
        2 => End::Answered(Some(Fault::WrongBody)),
        _ => End::Answered(None),
    };
    Request { times, ends }
}

/// What a driver of these requests measures, if its clock is ahead of the run's by `ahead_ns`.
fn measured(name: &str, requests: &[Request], scheduled: bool, ahead_ns: u64) -> Measured {
    let opens_ns = OPENS_NS + ahead_ns;
    let rules = Rules {
        window: Window {
            from_ns: opens_ns,
            until_ns: opens_ns + LENGTH_NS,
        },
        scheduled,
        timeout_ns: SECOND_NS,
        late_after_ns: Some(300_000_000),
        keeps_seconds: true,
        keeps_instants: false,
    };
    let kinds = vec!["thread".to_owned(), "search".to_owned()];
    let mut tally = Tally::new(rules, kinds, Some(Compression::default()));
    for each in requests {
        let intended_ns = each.times.intended_ns + ahead_ns;
        tally.began(intended_ns, intended_ns + each.times.lag_ns);
    }
    for each in requests {
        count(&mut tally, each, ahead_ns);
        if each.times.queued {
            tally.connected(each.times.done_ns + ahead_ns, None);
            tally.reconnected(each.times.done_ns + ahead_ns);
        }
    }
    tally.close(opens_ns + LENGTH_NS);
    Measured {
        format: wire::FORMAT,
        driver: name.to_owned(),
        case: wire::Case::default(),
        load_loop: if scheduled { "open" } else { "closed" }.to_owned(),
        zero_unix_ns: 0,
        from_ns: OPENS_NS,
        to_ns: OPENS_NS + LENGTH_NS,
        tally,
        threads: 1,
        polls: true,
        encrypted: Some(false),
        cpu_s: 0.25,
        empty_polls_s: Some(0.5),
        busiest_share: Some(0.125),
        delay_s: Some(0.0625),
        memory_peak_bytes: Some(1),
        drivers: None,
    }
}

fn count(tally: &mut Tally, request: &Request, ahead_ns: u64) {
    let times = RequestTimes {
        intended_ns: request.times.intended_ns + ahead_ns,
        sent_ns: request.times.sent_ns.map(|at_ns| at_ns + ahead_ns),
        done_ns: request.times.done_ns + ahead_ns,
        ..request.times
    };
    match request.ends {
        End::Answered(fault) => {
            let response = CheckedResponse {
                fault,
                length_bytes: times.received_bytes,
                rows: 3,
                compression: None,
                keep_alive: true,
                ends_session: false,
            };
            tally.answered(&times, &response);
        }
        End::TimedOut => tally.timed_out(&times),
        End::Failed => tally.failed(&times, Fault::Reset),
    }
}

/// As the file of a driver carries it.
fn sent_over(measured: &Measured) -> Measured {
    let text = serde_json::to_string(measured).expect("JSON");
    read(Path::new("tally"), &text).expect("a tally")
}

fn together(all: Vec<Measured>) -> Measured {
    let named = all.into_iter().map(|each| (Path::new("tally"), each));
    sum(named.collect()).expect("they can be added")
}

/// The record but for what is of the drivers themselves: their names, threads and CPU time.
fn of_requests(measured: &Measured) -> serde_json::Value {
    let mut record = serde_json::to_value(record(measured)).expect("JSON");
    let fields = record.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.starts_with("driver") && name != "threads");
    assert!(fields.len() > 50, "{fields:?}");
    record
}

#[test]
fn merged_records_of_n_drivers_are_one_driver_s_record_of_the_same_requests() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let (drivers, scheduled) = (1 + random.below(6), random.below(2) == 0);
        let count = random.below(400);
        let all = requests(&mut random, count);
        let mut shares = vec![Vec::new(); drivers];
        for each in &all {
            shares[random.below(drivers)].push(*each);
        }
        let parts = shares.iter().enumerate().map(|(number, share)| {
            let ahead_ns = u64::try_from(random.below(1_000_000_000_000)).expect("64 bits");
            sent_over(&measured(&format!("c{number}"), share, scheduled, ahead_ns))
        });
        let (merged, alone) = (
            together(parts.collect()),
            measured("one", &all, scheduled, 0),
        );
        assert_eq!(of_requests(&merged), of_requests(&alone), "seed {seed}");
        let histograms = |of: &Measured| -> Vec<_> {
            let kinds = of.tally.kinds.iter().map(|kind| &kind.response);
            let all = [&of.tally.response, &of.tally.service]
                .into_iter()
                .chain(kinds);
            all.flat_map(crate::tally::histograms::Histograms::intervals)
                .collect()
        };
        assert_eq!(histograms(&merged), histograms(&alone), "seed {seed}");
        let csv = |of: &Measured| of.tally.seconds.csv(LENGTH_NS, None);
        assert_eq!(csv(&merged), csv(&alone), "seed {seed}");
    }
}

#[test]
fn what_each_driver_used_is_kept_and_the_whole_is_their_sum_or_their_busiest() {
    let one = measured("c1", &[], false, 0);
    let other = Measured {
        busiest_share: Some(0.75),
        delay_s: None,
        ..measured("c2", &[], false, 5)
    };
    let third = measured("c3", &[], false, 9);
    let record = record(&together(vec![one, other, third]));
    assert_eq!(
        (record.driver.as_str(), record.threads),
        ("c1,c2,c3", Some(3))
    );
    assert_eq!(record.driver_cpu_s, Some(0.75));
    assert_eq!(record.driver_busiest_share, Some(0.75));
    assert_eq!(record.driver_delay_s, None, "one of them is unknown");
    let drivers = record.drivers.expect("drivers");
    let shares: BTreeMap<_, _> = drivers
        .iter()
        .map(|(name, figures)| (name.as_str(), figures.driver_busiest_share))
        .collect();
    let due = [("c1", Some(0.125)), ("c2", Some(0.75)), ("c3", Some(0.125))];
    assert_eq!(shares, BTreeMap::from(due));
}

#[test]
fn what_was_measured_differently_is_not_added() {
    let refusal = |other: Measured| {
        let one = measured("c1", &[], true, 0);
        let both = vec![(Path::new("c1.json"), one), (Path::new("c2.json"), other)];
        sum(both).expect_err("they differ").to_string()
    };
    let second = || measured("c2", &[], true, 0);
    let mut windows = second();
    windows.tally.rules.window.until_ns += 1;
    let mut timeouts = second();
    timeouts.tally.rules.timeout_ns += 1;
    let cases = [
        (measured("c1", &[], true, 0), "driver c1 was added already"),
        (measured("c2", &[], false, 0), "their loops differ"),
        (
            Measured {
                from_ns: OPENS_NS + 7,
                ..second()
            },
            "begin 7 ns apart",
        ),
        (
            Measured {
                encrypted: Some(true),
                ..second()
            },
            "their encryption differ",
        ),
        (windows, "their windows differ"),
        (timeouts, "their timeouts differ"),
    ];
    for (other, due) in cases {
        let said = refusal(other);
        assert!(said.contains("c2.json") && said.contains(due), "{said}");
    }
}

#[test]
fn a_spoiled_tally_is_an_error() {
    let whole = serde_json::to_string(&measured("c1", &[], true, 0)).expect("JSON");
    for (from, to) in [
        ("{", "["),
        ("\"format\":1", "\"format\":2"),
        ("\"to_ns\":", "\"to_ns\":0,\"was\":"),
        ("\"window\":\"", "\"window\":\"!"),
        ("\"intervals\":[\"", "\"intervals\":[\"AAAA"),
    ] {
        let damaged = whole.replacen(from, to, 1);
        assert_ne!(damaged, whole, "{from}");
        assert!(read(Path::new("x"), &damaged).is_err(), "{from} as {to}");
    }
}

#[test]
fn a_tally_spoiled_at_random_is_an_error_or_gives_a_record() {
    let mut random = Random::new(1);
    let all = requests(&mut random, 40);
    let whole = serde_json::to_string(&measured("c1", &all, true, 0)).expect("JSON");
    let other = serde_json::to_string(&measured("c2", &[], false, 7)).expect("JSON");
    let tokens: [&[u8]; 4] = [b"9", b"null", b"\"", b"-1"];
    let others = [other.into_bytes()];
    spoiled::repeat("a tally", 40, |random, _| {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..=random.below(3) {
            spoiled::change(random, &mut bytes, &tokens, &others);
        }
        let text = String::from_utf8_lossy(&bytes);
        let (took_ns, _) =
            spoiled::timed(|| read(Path::new("x"), &text).map(|measured| record(&measured)));
        took_ns
    });
}
