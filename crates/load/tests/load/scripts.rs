//! Sessions with steps, through the whole program: a service in which one logs in, posts a note and reads it back.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::program::{drive, file, in_one_of_five, output};
use super::spoiled::write;

const SESSION: &str = r#"{"session": {"values": {"user": {"letters": 8}, "text": {"letters": 12}}, "steps": [
  {"name": "log-in", "method": "POST", "path": "/login", "text": "user=@user@", "take": {"token": {"json": "/token"}}},
  {"name": "post", "method": "POST", "path": "/notes", "headers": {"Authorization": "Bearer @token@"},
   "text": "{\"text\": \"@text@\"}", "status": 201, "take": {"id": {"json": "/id"}}},
  {"name": "read-back", "path": "/notes/@id@", "headers": {"Authorization": "Bearer @token@"},
   "values": [{"json": "/text", "equals": "@text@"}, {"header": "X-User", "equals": "@user@"}]}]}}"#;

/// How the service is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Not,
    /// Every login gives the same token, of nobody.
    Token,
    /// Every note is the first one.
    Stale,
    /// It closes the connection of who reads a note for the first time.
    ClosesReaders,
    /// It closes the connection of who posts.
    ClosesPosters,
}

/// What the service knows: users by their cookie and token, and notes.
#[derive(Default)]
struct Known {
    users: BTreeMap<String, String>,
    notes: Vec<String>,
    read: BTreeSet<usize>,
}

fn serve(wrong: Wrong) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let peer = listener.local_addr().expect("an address");
    let known = Arc::new(Mutex::new(Known::default()));
    let _ = thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let known = Arc::clone(&known);
            let _ = thread::spawn(move || talk(stream, wrong, &known));
        }
    });
    peer
}

fn talk(mut stream: TcpStream, wrong: Wrong, known: &Mutex<Known>) {
    let mut lines = BufReader::new(stream.try_clone().expect("a clone"));
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if lines.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let length =
            header(&head, "Content-Length").map_or(0, |text| text.parse().expect("a length"));
        let mut body = vec![0; length];
        lines.read_exact(&mut body).expect("the body");
        let body = String::from_utf8(body).expect("text");
        let Some(answer) = answer(&head, &body, wrong, &mut known.lock().expect("a lock")) else {
            return;
        };
        if !write(&mut stream, answer.as_bytes()) || head.contains("Connection: close") {
            return;
        }
    }
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    lines
        .filter(|(own, _)| *own == name)
        .map(|(_, value)| value)
        .next()
}

fn answer(head: &str, body: &str, wrong: Wrong, known: &mut Known) -> Option<String> {
    let of = |status: &str, more: &str, body: &str| {
        Some(format!(
            "HTTP/1.1 {status} x\r\n{more}Content-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    };
    if let Some(user) = body.strip_prefix("user=") {
        let token = if wrong == Wrong::Token {
            "0".to_owned()
        } else {
            format!("t{}", known.users.len())
        };
        let id = known.users.len();
        let _ = known.users.insert(format!("s{id}/t{id}"), user.to_owned());
        return of(
            "200",
            &format!("Set-Cookie: s=s{id}; Path=/\r\n"),
            &format!(r#"{{"token": "{token}"}}"#),
        );
    }
    let cookie = header(head, "Cookie")
        .and_then(|line| line.strip_prefix("s="))
        .unwrap_or_default();
    let token = header(head, "Authorization")
        .and_then(|line| line.strip_prefix("Bearer "))
        .unwrap_or_default();
    let Some(user) = known.users.get(&format!("{cookie}/{token}")) else {
        return of("401", "", "who?");
    };
    if head.starts_with("POST /notes ") {
        if wrong == Wrong::ClosesPosters {
            return None;
        }
        known.notes.push(body.to_owned());
        return of(
            "201",
            "",
            &format!(r#"{{"id": {}}}"#, known.notes.len() - 1),
        );
    }
    let id: usize = head
        .strip_prefix("GET /notes/")?
        .split(' ')
        .next()?
        .parse()
        .ok()?;
    if known.read.insert(id) && wrong == Wrong::ClosesReaders {
        return None;
    }
    let id = if wrong == Wrong::Stale { 0 } else { id };
    of("200", &format!("X-User: {user}\r\n"), &known.notes[id])
}

fn drive_session(wrong: Wrong, words: &[&str]) -> wire::LoadRecord {
    let mix = file("session.json", SESSION.as_bytes())
        .display()
        .to_string();
    drive(
        serve(wrong),
        &[&["--mix", &mix, "--warm-up", "0s"], words].concat(),
    )
}

/// Sent and right of a step.
fn of_step(record: &wire::LoadRecord, name: &str) -> (u64, u64) {
    let step = &record
        .queries
        .as_ref()
        .expect("steps are counted by themselves")[name];
    (step.sent, step.right)
}

#[test]
fn sessions_log_in_post_and_read_back_in_both_loops() {
    for words in [
        &["--connections", "4", "--requests", "120", "--threads", "2"][..],
        &["--rate", "40", "--duration", "1s"],
    ] {
        in_one_of_five(|| {
            let record = drive_session(Wrong::Not, words);
            assert_eq!(
                (record.right, record.errors.len()),
                (record.sent, 0),
                "{words:?}: {:?}",
                record.errors
            );
            let (sent, right) = of_step(&record, "read-back");
            assert_eq!(right, sent);
            let many = record.sent >= 60 && sent >= 18;
            many.then_some(()).ok_or((record.sent, sent))
        });
    }
}

#[test]
fn a_wrong_token_and_a_stale_response_are_caught_and_end_the_session() {
    let words = ["--connections", "2", "--requests", "60"];
    let record = drive_session(Wrong::Token, &words);
    let (log_ins, posts) = (of_step(&record, "log-in"), of_step(&record, "post"));
    assert_eq!((log_ins.0, posts.1), (log_ins.1, 0));
    assert_eq!(of_step(&record, "read-back"), (0, 0));
    let skipped = record.errors["skipped"];
    assert_eq!((record.errors["wrong-status"], skipped), (posts.0, posts.0));

    let record = drive_session(Wrong::Stale, &words);
    let (sent, right) = of_step(&record, "read-back");
    assert_eq!(record.errors["wrong-value"], sent - right);
    assert!(right <= 1 && sent >= 18, "{right} of {sent}");
}

#[test]
fn a_lost_get_is_sent_once_more_and_a_lost_post_ends_its_session() {
    let words = ["--rate", "40", "--duration", "1s"];
    in_one_of_five(|| {
        let record = drive_session(Wrong::ClosesReaders, &words);
        assert_eq!(Some(record.sent), record.scheduled);
        assert_eq!(record.right, record.sent, "{:?}", record.errors);
        let again = record.reconnects;
        (again > Some(0)).then_some(()).ok_or(again)
    });

    in_one_of_five(|| {
        let record = drive_session(Wrong::ClosesPosters, &words);
        assert_eq!(Some(record.sent), record.scheduled);
        let (sent, right) = of_step(&record, "post");
        let count = |kind| record.errors.get(kind).copied().unwrap_or(0);
        let (closed, skipped) = (count("closed"), count("skipped"));
        assert_eq!((right, closed), (0, sent), "{:?}", record.errors);
        // Of a session that ended after the window no call was skipped in it.
        assert!(skipped <= sent, "{:?}", record.errors);
        (skipped > 0).then_some(()).ok_or((sent, skipped))
    });
}

#[test]
fn options_that_contradict_a_session_are_refused() {
    let mix = file("session.json", SESSION.as_bytes())
        .display()
        .to_string();
    for option in [&["--calls", "3"][..], &["--gzip"]] {
        let output = output(&[&["http", "--mix", &mix], option, &["http://127.0.0.1:1/"]].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("with a session"), "{error}");
    }
}
