//! Which requests count, and where.

use base::durations::SECOND_NS;

use super::{RequestTimes, Rules, Tally};
use crate::dialogue::CheckedResponse;
use crate::tally::fault::Fault;
use crate::tally::window::Window;

const RIGHT: CheckedResponse = CheckedResponse {
    fault: None,
    length_bytes: 1,
    rows: 3,
    compression: None,
    keep_alive: true,
    ends_session: false,
};

const WRONG: CheckedResponse = CheckedResponse {
    fault: Some(Fault::WrongBody),
    ..RIGHT
};

fn tally(scheduled: bool, from_ns: u64, until_ns: u64) -> Tally {
    let rules = Rules {
        window: Window { from_ns, until_ns },
        scheduled,
        timeout_ns: SECOND_NS,
        late_after_ns: Some(5_000),
        keeps_seconds: false,
        keeps_instants: true,
    };
    Tally::new(rules, vec!["thread".to_owned(), "search".to_owned()], None)
}

fn times(intended_ns: u64, done_ns: u64) -> RequestTimes {
    RequestTimes {
        intended_ns,
        sent_ns: Some(intended_ns + 100),
        done_ns,
        received_bytes: 7,
        ..RequestTimes::default()
    }
}

#[test]
fn without_a_schedule_what_ends_in_the_window_counts() {
    let mut tally = tally(false, 5_000, SECOND_NS);
    for (intended, done) in [
        (1_000, 2_000),
        (1_000, 6_000),
        (7_000, 8_000),
        (9_000, SECOND_NS),
    ] {
        tally.began(intended, intended);
        tally.answered(&times(intended, done), &RIGHT);
    }
    tally.close(SECOND_NS);
    assert_eq!((tally.sent, tally.right, tally.answers_inside), (2, 2, 2));
    assert_eq!((tally.received_bytes, tally.scheduled), (14, 0));
    assert_eq!(tally.faults, [0; Fault::ALL.len()]);
}

#[test]
fn with_a_schedule_what_was_intended_in_the_window_counts_whenever_it_ends() {
    let mut tally = tally(true, 5_000, SECOND_NS);
    for (intended, done) in [
        (1_000, 6_000),
        (6_000, 7_000),
        (8_000, SECOND_NS + 9),
        (SECOND_NS, SECOND_NS + 1),
    ] {
        tally.began(intended, intended + 10);
        tally.answered(&times(intended, done), &RIGHT);
    }
    assert_eq!(tally.pending(), 0);
    tally.close(SECOND_NS);
    assert_eq!(
        (tally.scheduled, tally.issued, tally.sent, tally.right),
        (2, 2, 2, 2)
    );
    assert_eq!(
        (tally.right_inside, tally.answers_inside),
        (2, 2),
        "completed within"
    );
    assert_eq!(
        tally.response.summary().expect("a summary").max_ns,
        SECOND_NS - 8_000 + 9
    );
}

#[test]
fn what_is_handled_behind_the_window_was_not_issued_in_time() {
    let mut tally = tally(true, 0, 1_000);
    tally.began(900, 1_200);
    tally.began(100, 120);
    assert_eq!((tally.scheduled, tally.issued), (2, 1));
}

#[test]
fn what_is_not_waited_for_is_unfinished_and_has_no_time() {
    let mut tally = tally(true, 0, 1_000);
    for intended in [100, 200, 300] {
        tally.began(intended, intended);
    }
    tally.answered(&times(100, 500), &RIGHT);
    tally.close(1_000);
    assert_eq!(
        (tally.sent, tally.faults[Fault::Unfinished as usize]),
        (3, 2)
    );
    assert_eq!(
        tally
            .response
            .intervals()
            .map(|each| each.len())
            .sum::<u64>(),
        1
    );
}

#[test]
fn calls_that_are_skipped_are_errors_of_the_instant_that_ended_their_session() {
    let mut tally = tally(true, 1_000, 2_000);
    tally.skipped(3, 1_500);
    tally.skipped(2, 2_500);
    assert_eq!((tally.scheduled, tally.sent), (3, 3));
    assert_eq!(tally.faults[Fault::Skipped as usize], 3);
}

#[test]
fn requests_are_right_answers_and_faults_together() {
    let mut tally = tally(false, 0, SECOND_NS);
    tally.answered(&times(1_000, 2_000), &RIGHT);
    tally.answered(&times(1_000, 3_000), &WRONG);
    tally.timed_out(&times(1_000, 4_000));
    tally.failed(&times(1_000, 4_500), Fault::Refused);
    tally.close(SECOND_NS);
    assert_eq!(
        (
            tally.sent,
            tally.right,
            tally.answers_inside,
            tally.right_inside
        ),
        (4, 1, 2, 1)
    );
    assert_eq!(tally.faults.iter().sum::<u64>(), 3);
    let recorded: u64 = tally.response.intervals().map(|each| each.len()).sum();
    assert_eq!(
        recorded, 3,
        "answers and timeouts are timed, a refusal is not"
    );
}

#[test]
fn late_are_right_answers_that_took_longer_than_the_limit() {
    let mut tally = tally(false, 0, SECOND_NS);
    tally.answered(&times(1_000, 6_000), &RIGHT);
    tally.answered(&times(1_000, 6_001), &RIGHT);
    tally.answered(&times(1_000, 9_000), &WRONG);
    tally.timed_out(&times(1_000, 9_000));
    assert_eq!(tally.late, 1);
}

#[test]
fn a_timeout_is_recorded_as_at_least_the_timeout() {
    let mut tally = tally(false, 0, 3 * SECOND_NS);
    tally.timed_out(&times(3_000, 4_000));
    tally.timed_out(&RequestTimes {
        done_ns: 2 * SECOND_NS,
        ..RequestTimes::default()
    });
    tally.close(3 * SECOND_NS);
    let response = tally.response.summary().expect("a summary");
    assert_eq!(
        (response.max_ns, response.mean_ns),
        (2 * SECOND_NS, 3 * SECOND_NS / 2)
    );
    assert_eq!(
        tally.service.summary().expect("a summary").mean_ns,
        SECOND_NS
    );
}

#[test]
fn each_second_of_the_window_has_an_interval_even_where_nothing_ended() {
    let mut tally = tally(false, 1_500, 4 * SECOND_NS + 1_500);
    for done in [2_500, SECOND_NS + 1_499, SECOND_NS + 1_500] {
        tally.answered(&times(done - 1_000, done), &RIGHT);
    }
    tally.close(4 * SECOND_NS + 1_500);
    for times in [&tally.response, &tally.service] {
        assert_eq!(
            times.intervals().map(|each| each.len()).collect::<Vec<_>>(),
            [2, 1, 0, 0]
        );
    }
}

#[test]
fn what_ends_behind_the_window_belongs_to_its_last_second() {
    let mut tally = tally(true, 0, 2 * SECOND_NS);
    for done in [
        1_000,
        2 * SECOND_NS - 1,
        2 * SECOND_NS,
        3 * SECOND_NS + 90_000,
    ] {
        tally.began(900, 900);
        tally.answered(&times(900, done), &RIGHT);
    }
    tally.close(2 * SECOND_NS);
    let lengths: Vec<_> = tally.response.intervals().map(|each| each.len()).collect();
    assert_eq!(lengths, [1, 3]);
}

#[test]
fn the_counts_of_threads_add_up() {
    let part = |done: u64| {
        let mut tally = tally(true, 0, 2 * SECOND_NS);
        tally.began(900, 900);
        tally.answered(&times(900, done), &RIGHT);
        tally.began(SECOND_NS, SECOND_NS);
        tally.failed(&times(SECOND_NS, SECOND_NS + 5), Fault::Reset);
        tally.close(2 * SECOND_NS);
        tally
    };
    let mut both = part(2_000);
    both.add(&part(SECOND_NS + 7));
    assert_eq!((both.scheduled, both.sent, both.right), (4, 4, 2));
    assert_eq!(both.faults[Fault::Reset as usize], 2);
    let lengths: Vec<_> = both.response.intervals().map(|each| each.len()).collect();
    assert_eq!(lengths, [1, 1]);
    assert_eq!(
        both.response.summary().expect("a summary").max_ns,
        SECOND_NS + 7 - 900
    );
    assert_eq!(
        both.under_way.total_ns(2 * SECOND_NS),
        i128::from(1_100 + SECOND_NS + 7 - 900 + 10)
    );
}

#[test]
fn what_an_edge_of_the_window_cuts_counts_for_its_part_within() {
    let mut tally = tally(true, 1_000, SECOND_NS);
    let stalled = [
        (200, 1_100),
        (300, 1_100),
        (SECOND_NS - 10, SECOND_NS + 900),
    ];
    for (intended, done) in [stalled.as_slice(), &[(500, 900), (2_000, 2_050)]].concat() {
        tally.began(intended, intended);
        tally.answered(&times(intended, done), &RIGHT);
    }
    let under_way_ns = tally.under_way.total_ns(SECOND_NS - 1_000);
    assert_eq!(under_way_ns, i128::from(100 + 100 + 10 + 50));
    assert_eq!(i128::try_from(tally.within_ns), Ok(under_way_ns));
    tally.began(3_000, 3_000);
    assert!(tally.under_way.total_ns(SECOND_NS - 1_000) > 1_000 * under_way_ns);
    assert_eq!(i128::try_from(tally.within_ns), Ok(under_way_ns));
}

#[test]
fn rows_count_where_their_answer_came_within_the_window() {
    let mut tally = tally(true, 1_000, SECOND_NS);
    for (intended, done) in [(500, 900), (500, 1_500), (2_000, SECOND_NS + 1)] {
        tally.began(intended, intended);
        tally.answered(&times(intended, done), &RIGHT);
    }
    assert_eq!(tally.rows, 3);
}

#[test]
fn kinds_are_counted_apart_and_a_request_of_none_only_with_all() {
    let part = || {
        let mut tally = tally(false, 0, 2 * SECOND_NS);
        for (kind, done) in [(Some(0), 2_000), (Some(1), SECOND_NS), (None, 2_500)] {
            let times = RequestTimes {
                kind,
                ..times(1_000, done)
            };
            tally.answered(&times, &RIGHT);
            tally.failed(&times, Fault::Reset);
        }
        tally.close(2 * SECOND_NS);
        tally
    };
    let mut both = part();
    both.add(&part());
    assert_eq!((both.sent, both.right), (12, 6));
    let kinds = both.kinds.iter();
    let counts: Vec<_> = kinds
        .map(|kind| (kind.name.as_str(), kind.sent, kind.right))
        .collect();
    assert_eq!(counts, [("thread", 4, 2), ("search", 4, 2)]);
    let lengths = |kind: usize| -> Vec<u64> {
        let intervals = both.kinds[kind].response.intervals();
        intervals.map(|each| each.len()).collect()
    };
    assert_eq!((lengths(0), lengths(1)), (vec![2, 0], vec![0, 2]));
}
