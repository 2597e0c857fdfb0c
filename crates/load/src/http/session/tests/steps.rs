//! One step by hand: its method, and what is compared in its response.

use std::fs;

use super::super::dialogue::SessionReader;
use super::{dialogue, session, step};
use crate::dialogue::Dialogue;
use crate::tally::fault::Fault;

/// A session of one step with these words.
fn of_one_step(words: &str) -> String {
    format!(r#"{{"session": {{"steps": [{{"name": "a", "path": "/a", {words}}}]}}}}"#)
}

#[test]
fn a_step_has_any_method_and_is_sent_twice_only_if_its_method_allows_it() {
    for (method, twice) in [
        ("GET", true),
        ("POST", false),
        ("PUT", true),
        ("PATCH", false),
        ("DELETE", true),
        ("OPTIONS", true),
    ] {
        let asked = session(&of_one_step(&format!(r#""method": "{method}""#))).expect("a session");
        let (mut talk, mut reader) = (dialogue(&asked), SessionReader::default());
        let (request, _) = step(&mut talk, &mut reader, true, &[]);
        let line = format!("{method} /base/a HTTP/1.1\r\n");
        assert!(request.starts_with(&line), "{request}");
        assert_eq!(talk.repeats(&reader), twice, "{method}");
    }
}

#[test]
fn a_length_a_file_and_a_checksum_are_compared_with_every_response() {
    let file = std::env::temp_dir().join(format!("h2h-load-{}-step", std::process::id()));
    fs::write(&file, "hello").expect("a file");
    // printf hello | sha256sum
    let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    for (right, other, short) in [
        (
            r#""length_bytes": 5"#.to_owned(),
            None,
            Some(Fault::WrongLength),
        ),
        (
            format!(r#""body": {file:?}"#),
            Some(Fault::WrongBody),
            Some(Fault::WrongLength),
        ),
        (
            format!(r#""sha256": "{sum}""#),
            Some(Fault::WrongBody),
            Some(Fault::WrongBody),
        ),
    ] {
        let asked = session(&of_one_step(&right)).expect("a session");
        for (body, due) in [("hello", None), ("hullo", other), ("hell", short)] {
            let (mut talk, mut reader) = (dialogue(&asked), SessionReader::default());
            let length = body.len();
            let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
            let (first, rest) = response.as_bytes().split_at(response.len() - 2);
            let (_, answer) = step(&mut talk, &mut reader, true, &[first, rest]);
            let answer = answer.expect("HTTP").expect("a whole response");
            let found = (answer.fault, answer.ends_session);
            assert_eq!(found, (due, due.is_some()), "{right}: {body}");
        }
    }
    fs::remove_file(file).expect("the file is there");
}
