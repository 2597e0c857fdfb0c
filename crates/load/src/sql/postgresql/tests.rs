//! Conversations with a server, written by hand.

mod login;

use super::PostgreSql;
use crate::dialogue::Malformed;
use crate::sql::client::Client;
use crate::sql::mix::{Answer, Value};
use crate::sql::test_script::{Scene, hold_together, read, spoil, spoil_startup, two_rows};

fn frame(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = i32::try_from(content.len() + 4).expect("a length");
    [&[kind][..], &length.to_be_bytes(), content].concat()
}

/// The server lets us in, sets things and gives the key to cancel with.
fn welcome() -> Vec<u8> {
    [
        frame(b'R', &[0; 4]),
        frame(b'S', b"server_version\x0015.15\0"),
        frame(b'K', b"\0\0\0\x01\0\0\0\x02"),
        frame(b'Z', b"I"),
    ]
    .concat()
}

fn server() -> Vec<Vec<u8>> {
    let understood = [
        frame(b'1', b""),
        frame(b'N', b"SNOTICE\0\0"),
        frame(b'1', b""),
        frame(b'Z', b"I"),
    ];
    vec![welcome(), understood.concat()]
}

fn ready() -> PostgreSql {
    let scene = Scene::new(&format!(
        "postgresql-ready-{:?}",
        std::thread::current().id()
    ));
    scene.begun(&server(), usize::MAX).ready()
}

/// Two rows, (1, "é") and (NULL, "").
fn rows() -> Vec<u8> {
    [
        frame(b'2', b""),
        frame(b'D', b"\0\x02\0\0\0\x01\x31\0\0\0\x02\xc3\xa9"),
        frame(b'D', b"\0\x02\xff\xff\xff\xff\0\0\0\0"),
        frame(b'C', b"SELECT 2\0"),
        frame(b'Z', b"I"),
    ]
    .concat()
}

fn error() -> Vec<u8> {
    let said = frame(
        b'E',
        b"SERROR\0VERROR\0C22012\0Mdivision by zero\0Fint.c\0L846\0\0",
    );
    [frame(b'2', b""), said, frame(b'Z', b"I")].concat()
}

fn affected(tag: &[u8]) -> Vec<u8> {
    [frame(b'2', b""), frame(b'C', tag), frame(b'Z', b"I")].concat()
}

#[test]
fn values_are_sent_as_texts_in_one_write_with_execute_and_sync() {
    let mut say = Vec::new();
    ready().ask(
        0,
        [Value::Integer(-2), Value::Text("é")].into_iter(),
        &mut say,
    );
    let bind = frame(b'B', b"\0q0\0\0\0\0\x02\0\0\0\x02-2\0\0\0\x02\xc3\xa9\0\0");
    assert_eq!(say, [bind, frame(b'E', &[0; 5]), frame(b'S', b"")].concat());
}

#[test]
fn rows_are_counted_and_those_of_the_sample_summed_up_wherever_they_are_cut() {
    for sampled in [false, true] {
        hold_together(ready, &rows(), two_rows(sampled));
    }
}

#[test]
fn affected_rows_and_errors_are_answers_too() {
    let count = |rows| Answer {
        rows,
        stated: true,
        ..Answer::default()
    };
    hold_together(ready, &affected(b"INSERT 0 3\0"), count(3));
    for (tag, rows) in [
        (&b"UPDATE 1200\0"[..], 1200),
        (b"SELECT 0\0", 0),
        (b"CREATE TABLE\0", 0),
    ] {
        assert_eq!(
            read(ready(), false, &affected(tag), &[]),
            Ok(Some(count(rows)))
        );
    }
    let failed = Answer {
        stated: true,
        error: true,
        ..Answer::default()
    };
    hold_together(ready, &error(), failed);
    let mut client = ready();
    client.begin(false);
    assert_eq!(client.feed(&error()), Ok(Some(failed)));
    assert_eq!(
        client.said(),
        "the server says \"division by zero\" (error 22012)"
    );
    let put_off = [&affected(b"INSERT 0 1\0")[..21], &error()[5..]].concat();
    let answer = read(ready(), false, &put_off, &[])
        .expect("an answer")
        .expect("all of it");
    assert!(answer.error, "what is put off may fail at the end");
}

#[test]
fn asides_may_come_anywhere() {
    let aside = || {
        [
            frame(b'N', b"SNOTICE\0Mhello\0\0"),
            frame(b'S', b"TimeZone\0UTC\0"),
            frame(b'A', &[0; 6]),
        ]
        .concat()
    };
    let (head, tail) = (rows()[..5].to_vec(), rows()[5..].to_vec());
    hold_together(
        ready,
        &[aside(), head, aside(), tail].concat(),
        two_rows(true),
    );
    let behind = [rows(), aside()].concat();
    for cut in rows().len()..behind.len() {
        assert_eq!(
            read(ready(), true, &behind, &[cut]),
            Ok(Some(two_rows(true)))
        );
        assert_eq!(
            read(ready(), true, &behind[..cut], &[]),
            Ok(Some(two_rows(true)))
        );
    }
    let mut client = ready();
    client.begin(false);
    assert!(
        client
            .feed(&behind[..behind.len() - 3])
            .is_ok_and(|answer| answer.is_some())
    );
    client.begin(false);
    let next = [&behind[behind.len() - 3..], &rows()].concat();
    assert_eq!(
        client.feed(&next),
        Ok(Some(two_rows(false))),
        "the end of an aside, then the answer"
    );
}

#[test]
fn what_is_no_answer_is_malformed() {
    for (name, bytes) in [
        ("rows before their time", rows()[5..].to_vec()),
        (
            "a copy",
            [frame(b'2', b""), frame(b'G', b"\0\0\0")].concat(),
        ),
        (
            "a row behind the end",
            [affected(b"SELECT 0\0"), frame(b'D', b"\0\0")].concat(),
        ),
        ("an end of another length", frame(b'2', b"x")),
        ("no text", affected(b"SELECT 2")),
        (
            "an error without its end",
            [frame(b'2', b""), frame(b'E', b"Mno")].concat(),
        ),
        (
            "a tag that never ends",
            [frame(b'2', b""), frame(b'C', &vec![b'x'; 40_000])].concat(),
        ),
    ] {
        assert_eq!(read(ready(), false, &bytes, &[]), Err(Malformed), "{name}");
    }
    let long = [frame(b'2', b""), frame(b'D', b"\0\x01\0\0\0\x09short")].concat();
    assert_eq!(
        read(ready(), true, &long, &[]),
        Err(Malformed),
        "a field of the sample that is too short"
    );
    assert_eq!(
        read(ready(), false, &long, &[]),
        Ok(None),
        "of others only the length is known"
    );
}

#[test]
fn twenty_thousand_spoiled_answers_neither_crash_nor_depend_on_their_pieces() {
    let scene = Scene::new("postgresql-spoiled");
    let server = server();
    let ready = || scene.begun::<PostgreSql>(&server, usize::MAX).ready();
    let kinds = spoil(
        "PostgreSql responses",
        ready,
        &[rows(), error(), affected(b"INSERT 0 3\0")],
        20_000,
    );
    assert!(
        kinds.iter().all(|&count| count > 100),
        "chance has met every kind: {kinds:?}"
    );
}

#[test]
fn twenty_thousand_spoiled_starts_neither_crash_nor_depend_on_their_pieces() {
    let scene = Scene::new("postgresql-spoiled-starts");
    let kinds = spoil_startup::<PostgreSql>("PostgreSql starts", &scene, &server(), 20_000);
    assert!(
        kinds.iter().all(|&count| count > 10),
        "chance has met every kind: {kinds:?}"
    );
}
