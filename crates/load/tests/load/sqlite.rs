//! SQLite in process: right and wrong responses, and what is refused before anything starts.

mod database;
mod loops;
mod waits;
mod writes;

use std::fs;

use super::program::output;
use database::{Database, only};

/// The number of requests after which each thread of messages was requested, except once in 300,000 times.
const SHORT: &str = "--connections 3 --requests 500";

#[test]
fn right_answers_are_right_to_the_last_byte() {
    let database = Database::make("right");
    let count = r#"{"name":"count","weight":0.5,"sql":"SELECT COUNT(*) FROM written","rows":1}"#;
    let record = database.ask(&format!("{},{count}", database.thread("")), SHORT);
    only(&record, "");
    assert_eq!(
        (record.right, record.load_loop.as_str()),
        (record.sent, "closed")
    );
    assert!(record.rows > Some(record.right), "{:?} rows", record.rows);
    let queries = record.queries.expect("the queries");
    assert_eq!(queries.keys().collect::<Vec<_>>(), ["count", "thread"]);
    assert_eq!(
        queries.values().map(|query| query.right).sum::<u64>(),
        record.right
    );
    assert!(queries["thread"].sent > queries["count"].sent);
    assert!(queries["thread"].response_time_p99_ns.is_some());
    assert!(record.driver_cpu_s > Some(0.0) && record.driver_delay_s.is_some());
    // Nothing is connected, and nothing comes over a wire.
    let none = (record.connects, record.reconnects, record.handshakes);
    assert_eq!(none, (None, None, None));
    assert_eq!(record.received_bytes_per_s, None);
}

#[test]
fn a_row_that_is_missing_or_wrong_is_found() {
    let database = Database::make("wrong");
    database.execute("UPDATE message SET subject = 'other' WHERE id = 121");
    only(&database.ask(&database.thread(""), SHORT), "wrong-checksum");
    let unseen = database
        .thread("")
        .replace(r#""sample":1"#, r#""sample":0"#);
    only(&database.ask(&unseen, SHORT), "");
    database.execute("UPDATE message SET subject = 'subject 12' WHERE id = 121; DELETE FROM message WHERE id = 131");
    only(&database.ask(&unseen, SHORT), "wrong-rows");
}

#[test]
fn what_cannot_be_asked_ends_with_1_before_anything_starts() {
    let database = Database::make("refused");
    let query = |sql: &str, more: &str| format!(r#"{{"name":"q","sql":"{sql}","rows":1{more}}}"#);
    let said = |queries: String| database.said(&queries, "--connections 3");
    insta::assert_snapshot!("no_table", said(query("SELECT * FROM messages", "")));
    insta::assert_snapshot!("no_sql", said(query("SELECT FROM", "")));
    insta::assert_snapshot!("unsaid", said(query("DELETE FROM message", "")));
    let quoted = r#","parameters":[{"counts_from":1}]"#;
    insta::assert_snapshot!("quoted", said(query("SELECT '?'", quoted)));
    fs::write(
        &database.path,
        "no database, but long enough to be looked at".repeat(50),
    )
    .expect("a file");
    insta::assert_snapshot!("no_database", said(query("SELECT 1", "")));
    fs::remove_file(&database.path).expect("the file is there");
    insta::assert_snapshot!("no_file", said(query("SELECT 1", "")));
    assert!(
        !database.path.exists(),
        "nothing is made that was not there"
    );
}

#[test]
fn the_threads_are_those_of_the_connections() {
    let database = Database::make("threads");
    let more = "--connections 4 --threads 2";
    insta::assert_snapshot!("threads", database.said(&database.thread(""), more));
    let arrivals = "--rate 100 --duration 100ms";
    let record = database.ask(&database.thread(""), arrivals);
    assert_eq!(record.threads, Some(50), "where nothing is said");
}

#[test]
fn a_database_that_somebody_holds_ends_with_1_before_anything_starts() {
    let database = Database::make("held");
    let holder = database.connect();
    holder.execute_batch("BEGIN EXCLUSIVE").expect("the lock");
    insta::assert_snapshot!(
        "held",
        database.said(&database.thread(""), "--connections 3 --timeout 200ms")
    );
}

#[test]
fn the_version_is_that_of_the_sqlite_within() {
    let said = String::from_utf8(output(&["sqlite-version"]).stdout).expect("text");
    let (first, rest) = said.split_once('\n').expect("a line");
    assert_eq!(
        (first, rest),
        (format!("SQLite {}", rusqlite::version()).as_str(), "")
    );
}
