//! What is wrong with a database's response, or keeps it from coming, counts under the right name, and nothing hangs.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use wire::LoadRecord;

use super::database::{Kind, all};
use super::sql::{SHORT, answers, drive, mix, of_thread, told};

/// A timeout long enough for a server on a busy machine to let a connection in, and a window for three of them.
const PATIENT: [&str; 8] = [
    "--connections",
    "4",
    "--warm-up",
    "0s",
    "--duration",
    "1500ms",
    "--timeout",
    "500ms",
];

fn only(record: &LoadRecord, kind: &str) {
    assert!(record.sent > 0);
    assert_eq!(
        record.errors.get(kind),
        Some(&record.sent),
        "{:?}",
        record.errors
    );
}

#[test]
fn another_number_of_rows_than_the_right_one_is_wrong() {
    let mix = mix(
        "wrong-rows",
        &[&of_thread(&answers("wrong-rows", 1, ""), "")],
    );
    for database in &all() {
        only(&drive(&database.socket(), &mix, &SHORT), "wrong-rows");
    }
}

#[test]
fn other_rows_than_the_right_ones_are_wrong_where_the_answer_is_one_of_the_sample() {
    let spoiled = answers("wrong-sum", 0, "x");
    let all_of_it = mix("wrong-sum", &[&of_thread(&spoiled, r#","sample":1"#)]);
    let some = mix("wrong-sums", &[&of_thread(&spoiled, r#","sample":0.5"#)]);
    for database in &all() {
        // One thread in seven has no messages: nothing is wrong with those.
        let record = drive(&database.socket(), &all_of_it, &SHORT);
        assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["wrong-checksum"]);
        let share = record.errors["wrong-checksum"] * 100 / record.sent;
        assert!((70..=95).contains(&share), "{share} %");
        let record = drive(&database.socket(), &some, &SHORT);
        let share = record.errors["wrong-checksum"] * 100 / record.sent;
        assert!((30..=55).contains(&share), "{share} %");
    }
}

#[test]
fn what_the_server_says_that_cannot_answer_is_told_once() {
    let many = r#"{"name":"many","sql":"SELECT (SELECT id FROM message)","rows":1}"#;
    let mix = mix(
        "error",
        &[many, r#"{"name":"one","sql":"SELECT 1","rows":1}"#],
    );
    for database in &all() {
        let (record, said) = told(&database.socket(), &mix, &SHORT);
        let record = record.expect("a record");
        assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["error-answer"]);
        assert_eq!(record.errors["error-answer"], record.sent - record.right);
        assert_eq!(record.queries.expect("queries")["one"].right, record.right);
        assert!(record.right > 0, "the connection can still be asked");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with("h2h-load: the query many: the server says"),
            "{said}"
        );
    }
}

#[test]
fn a_table_that_is_not_there_ends_with_1_before_the_load() {
    let mix = mix(
        "no-table",
        &[
            r#"{"name":"none","sql":"SELECT id FROM nowhere WHERE id = ?","parameters":[{"counts_from":1}],"rows":1}"#,
        ],
    );
    for database in &all() {
        let (record, said) = told(&database.socket(), &mix, &SHORT);
        assert_eq!(record, None);
        let number = match database.kind {
            Kind::MariaDb => "(error 1146)",
            Kind::PostgreSql => "(error 42P01)",
        };
        assert!(
            said.starts_with("h2h-load: the query none: the server says") && said.contains(number),
            "{said}"
        );
    }
}

#[test]
fn a_login_that_is_refused_ends_with_1_and_the_server_s_words() {
    let mix = mix("refused", &[r#"{"name":"one","sql":"SELECT 1","rows":1}"#]);
    for database in &all() {
        let users: &[(&str, &str)] = match database.kind {
            Kind::MariaDb => &[
                ("nobody-known", "(error 1045)"),
                ("secret", "Access denied for user 'secret'@'localhost'"),
                ("other", "(error 1698)"),
            ],
            Kind::PostgreSql => &[
                ("nobody-known", "role \\\"nobody-known\\\" does not exist"),
                ("secret", "requires a password (SCRAM-SHA-256)"),
            ],
        };
        for (user, why) in users {
            let (record, said) = told(
                &database.socket(),
                &mix,
                &[&SHORT[..], &["--user", user]].concat(),
            );
            assert_eq!(record, None);
            let begins = format!("h2h-load: the login of {user} at the database h2h: ");
            assert!(said.starts_with(&begins) && said.contains(why), "{said}");
        }
    }
}

#[test]
fn a_query_that_takes_too_long_times_out_and_its_connection_is_given_up() {
    for database in &all() {
        let sleep = match database.kind {
            Kind::MariaDb => "SELECT SLEEP(2)",
            Kind::PostgreSql => "SELECT pg_sleep(2)",
        };
        let mix = mix(
            &format!("sleep-{:?}", database.kind),
            &[&format!(r#"{{"name":"sleep","sql":"{sleep}","rows":1}}"#)],
        );
        let record = drive(&database.socket(), &mix, &PATIENT);
        only(&record, "timeout");
        assert!(
            (4..=16).contains(&record.sent),
            "{} timeouts of 500 ms by 4 users in 1.5 s",
            record.sent
        );
        assert!(record.response_time_p50_ns >= Some(500_000_000));
        assert!(
            record.connects >= Some(4),
            "{:?} connections",
            record.connects
        );
        assert_eq!(record.queries.expect("queries")["sleep"].sent, record.sent);
    }
}

/// A server that reads once and says the next of these, for every connection, and then stays silent.
fn script(turns: &[&'static [u8]]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let peer = listener.local_addr().expect("an address");
    let turns = turns.to_vec();
    let _ = thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let turns = turns.clone();
            let _ = thread::spawn(move || play(stream, &turns));
        }
    });
    peer
}

fn play(mut stream: TcpStream, turns: &[&[u8]]) {
    let mut piece = [0; 4096];
    for turn in turns {
        if !matches!(stream.read(&mut piece), Ok(1..)) || stream.write_all(turn).is_err() {
            return;
        }
    }
    thread::sleep(Duration::from_secs(60));
}

fn reach(peer: SocketAddr) -> Vec<String> {
    let port = peer.port().to_string();
    let words = [
        "--protocol",
        "postgresql",
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--database",
        "h2h",
    ];
    words.map(ToOwned::to_owned).to_vec()
}

const WELCOME: &[u8] = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";
const UNDERSTOOD: &[u8] = b"1\0\0\0\x04Z\0\0\0\x05I";

fn one() -> String {
    mix("scripted", &[r#"{"name":"one","sql":"SELECT 1","rows":1}"#])
}

#[test]
fn what_is_not_of_the_protocol_is_malformed_in_the_load_and_refused_before_it() {
    let record = drive(
        &reach(script(&[
            WELCOME,
            UNDERSTOOD,
            b"HTTP/1.1 400 Bad Request\r\n",
        ])),
        &one(),
        &SHORT,
    );
    only(&record, "malformed");
    let (record, said) = told(
        &reach(script(&[b"HTTP/1.1 400 Bad Request\r\n"])),
        &one(),
        &SHORT,
    );
    assert_eq!(record, None);
    assert!(said.contains("its bytes are not of the protocol"), "{said}");
}

#[test]
fn an_answer_or_a_login_that_never_comes_times_out() {
    let half = b"2\0\0\0\x04D\x7f\xff\xff\xff";
    for turns in [&[WELCOME, UNDERSTOOD][..], &[WELCOME, UNDERSTOOD, half]] {
        only(&drive(&reach(script(turns)), &one(), &PATIENT), "timeout");
    }
    let began = Instant::now();
    let (record, said) = told(
        &reach(script(&[])),
        &one(),
        &[&SHORT[..], &["--timeout", "200ms"]].concat(),
    );
    assert_eq!(record, None);
    assert!(
        said.contains("it sent nothing within the timeout"),
        "{said}"
    );
    assert!(began.elapsed() < Duration::from_secs(60));
}
