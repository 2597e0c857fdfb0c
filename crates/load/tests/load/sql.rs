//! Databases get the queries of the mix, and their correct responses count as right.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use sha2::{Digest, Sha256};
use wire::LoadRecord;

use super::database::{Database, Kind, Message, THREADS, all, messages};
use super::program::{file, output};

/// Four users for so many requests, however slow the machine is.
pub const SHORT: [&str; 6] = [
    "--connections",
    "4",
    "--warm-up",
    "50ms",
    "--requests",
    "400",
];

/// Drives a database, reached by the first words, with this mix and more words.
pub fn drive(reach: &[String], mix: &str, words: &[&str]) -> LoadRecord {
    let (record, said) = told(reach, mix, words);
    record.unwrap_or_else(|| panic!("{said}"))
}

/// The same; without a record where there is none, and with what is said on standard error.
pub fn told(reach: &[String], mix: &str, words: &[&str]) -> (Option<LoadRecord>, String) {
    let reach: Vec<&str> = reach.iter().map(String::as_str).collect();
    let user = if words.contains(&"--user") {
        &[][..]
    } else {
        &["--user", "forum"]
    };
    let output = output(
        &[
            &["sql", "--json", "-", "--mix", mix],
            &reach[..],
            user,
            words,
        ]
        .concat(),
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        assert_eq!(output.status.code(), Some(1), "{said}");
        return (None, said);
    }
    let text = String::from_utf8(output.stdout).expect("text");
    let record: LoadRecord = serde_json::from_str(&text).expect("a load record");
    let errors: u64 = record.errors.values().sum();
    assert_eq!(
        record.sent,
        record.right + errors,
        "every request is right or an error"
    );
    (Some(record), said)
}

/// The SHA-256 of this text, in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// A mix of these queries.
pub fn mix(name: &str, queries: &[&str]) -> String {
    let text = format!(r#"{{"queries":[{}]}}"#, queries.join(","));
    file(&format!("sql/{name}.json"), text.as_bytes())
        .display()
        .to_string()
}

/// The correct responses, spoiled by this many rows and in one letter or not at all: `id,messages,checksum` of each thread.
pub fn answers(name: &str, more_rows: usize, letter: &str) -> PathBuf {
    let mut text = "id,messages,checksum\n".to_owned();
    for thread in 1..=THREADS {
        let rows: Vec<Message> = messages()
            .into_iter()
            .filter(|each| each.thread == thread)
            .collect();
        let lines = rows.iter().map(|row| {
            let Message {
                id,
                thread,
                score,
                body,
            } = row;
            let body = body.as_deref().unwrap_or("\\N");
            format!("{id}\t{thread}\t{score}\t{body}\n{letter}")
        });
        let sum = sha256(&lines.collect::<Vec<_>>().concat());
        let _ = writeln!(text, "{thread},{},{sum}", rows.len() + more_rows);
    }
    file(&format!("sql/{name}.csv"), text.as_bytes())
}

/// The messages of a thread, by these responses.
pub fn of_thread(answers: &PathBuf, more: &str) -> String {
    format!(
        r#"{{"name":"thread","weight":3,"sql":"SELECT id, thread, score, body FROM message WHERE thread = ? ORDER BY id",
        "parameters":[{{"table":{answers:?},"column":"id"}}],"rows":{{"table":{answers:?},"column":"messages"}},
        "checksum":{{"table":{answers:?},"column":"checksum"}}{more}}}"#
    )
}

/// How many messages there are in all.
fn count() -> String {
    let sum = sha256(&format!("{}\n", messages().len()));
    let table = file("sql/count.csv", format!("checksum\n{sum}\n").as_bytes());
    format!(
        r#"{{"name":"count","sql":"SELECT COUNT(*) FROM message","rows":1,
        "checksum":{{"table":{table:?},"column":"checksum"}},"sample":1}}"#
    )
}

#[test]
fn right_answers_are_right_over_a_socket_and_over_tcp() {
    let mix = mix(
        "right",
        &[
            &of_thread(&answers("right", 0, ""), r#","sample":0.5"#),
            &count(),
        ],
    );
    for database in &all() {
        for reach in [database.socket(), database.tcp()] {
            let record = drive(&reach, &mix, &SHORT);
            assert_eq!(
                (record.right, &record.errors),
                (record.sent, &BTreeMap::default())
            );
            assert_eq!(record.right, 400, "{:?}", database.kind);
            let queries = record.queries.expect("queries");
            let of = |name: &str| queries[name].sent;
            assert_eq!(of("thread") + of("count"), record.sent);
            assert!(of("thread") > 2 * of("count"), "{queries:?}");
            let ends = queries.values().all(|query| {
                query.right == query.sent
                    && query.response_time_p50_ns <= query.response_time_p99_ns
            });
            assert!(ends, "{queries:?}");
            // Threads have 3 messages on average, and the count is one row.
            let rows = record.rows.expect("rows") / record.sent;
            assert!((1..=3).contains(&rows), "{rows} rows an answer");
            assert!(record.received_bytes_per_s > Some(1000.0));
            // They are kept. On a busy machine the four begin after the warm-up.
            assert!(record.connects.is_some_and(|connects| connects <= 4));
            assert_eq!(record.handshakes, None);
        }
    }
}

#[test]
fn several_threads_share_the_connections_and_add_up() {
    let mix = mix(
        "threads",
        &[&of_thread(&answers("threads", 0, ""), ""), &count()],
    );
    for database in &all() {
        let record = drive(
            &database.socket(),
            &mix,
            &[&SHORT[..], &["--threads", "2"]].concat(),
        );
        assert_eq!(
            (record.right, record.threads),
            (record.sent, Some(2)),
            "{:?}",
            record.errors
        );
        let queries = record.queries.expect("queries");
        assert_eq!(
            queries.values().map(|query| query.sent).sum::<u64>(),
            record.sent
        );
    }
}

#[test]
fn an_open_loop_asks_at_its_rate() {
    let mix = mix("open", &[&of_thread(&answers("open", 0, ""), "")]);
    let words = [
        "--rate",
        "400",
        "--warm-up",
        "100ms",
        "--duration",
        "500ms",
        "--connections",
        "20",
    ];
    for database in &all() {
        let record = drive(&database.socket(), &mix, &words);
        assert_eq!(Some(record.sent), record.scheduled);
        assert_eq!(record.right, record.sent, "{:?}", record.errors);
        assert!(
            (140..=260).contains(&record.sent),
            "{} of about 200",
            record.sent
        );
    }
}

#[test]
fn a_number_of_requests_ends_the_load_however_the_driver_waits() {
    let mix = mix("requests", &[&count()]);
    let words = ["--connections", "2", "--requests", "50", "--warm-up", "0s"];
    for database in &all() {
        for poll in ["sleep", "busy"] {
            let words = [&words[..], &["--poll", poll]].concat();
            let record = drive(&database.socket(), &mix, &words);
            assert_eq!((record.sent, record.right), (50, 50), "{poll}");
            assert_eq!(record.driver_empty_polls_s.is_some(), poll == "busy");
        }
    }
}

#[test]
fn rows_that_are_written_are_affected_rows_and_there_afterwards() {
    let insert = r#"{"name":"insert","sql":"INSERT INTO line (id, note) VALUES (?, 'new')","parameters":[{"counts_from":1000}],"rows":1,"writes":true}"#;
    // The same value again is an affected row too.
    let update = r#"{"name":"update","sql":"UPDATE message SET thread = thread WHERE id = 1","rows":1,"writes":true}"#;
    let none = r#"{"name":"none","sql":"DELETE FROM message WHERE id < 0","rows":0,"writes":true}"#;
    let mix = mix("writes", &[insert, update, none]);
    // Its own databases: other tests count the rows of the shared ones.
    for kind in [Kind::MariaDb, Kind::PostgreSql] {
        let Some(database) = Database::start(kind) else {
            continue;
        };
        let words = [
            "--connections",
            "3",
            "--threads",
            "2",
            "--warm-up",
            "0s",
            "--requests",
            "300",
        ];
        let record = drive(&database.socket(), &mix, &words);
        assert_eq!(
            (record.right, record.rows),
            (300, Some(0)),
            "{:?}",
            record.errors
        );
        let inserted = record.queries.expect("queries")["insert"].sent;
        let there: u64 = database
            .ask("SELECT COUNT(*) FROM line;")
            .parse()
            .expect("a number");
        // What was under way at the end is abandoned by us, not by the database.
        assert!(
            (inserted..=inserted + 3).contains(&there),
            "{there} rows for {inserted} requests"
        );
    }
}

#[test]
fn the_log_has_the_times_of_each_query_beside_those_of_all() {
    let mix = mix("log", &[&of_thread(&answers("log", 0, ""), ""), &count()]);
    for database in &all() {
        let log = file(&format!("sql/{:?}.hlog", database.kind), b"");
        let words = [&SHORT[..], &["--hlog", log.to_str().expect("a path")]].concat();
        let record = drive(&database.socket(), &mix, &words);
        let bytes = std::fs::read(&log).expect("a log");
        let mut tags: Vec<String> = IntervalLogIterator::new(&bytes)
            .filter_map(|entry| match entry.expect("a line") {
                LogEntry::Interval(interval) => Some(interval.tag()?.as_str().to_owned()),
                LogEntry::StartTime(_) | LogEntry::BaseTime(_) => None,
            })
            .collect();
        // Each has a line for each second that the requests took.
        tags.dedup();
        assert_eq!(tags, ["response_time", "service_time", "thread", "count"]);
        assert!(record.right > 0);
    }
}
