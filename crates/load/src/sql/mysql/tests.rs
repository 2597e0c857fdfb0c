//! Conversations with a server, written by hand.

mod login;

use super::MySql;
use super::packets::write;
use crate::dialogue::Malformed;
use crate::sql::client::Client;
use crate::sql::mix::{Answer, Value};
use crate::sql::test_script::{Scene, hold_together, read, spoil, spoil_startup, two_rows};

const OKAY: &[u8] = b"\0\0\0\x02\0\0\0";
const MARK: &[u8] = b"\xfe\0\0\x02\0";

/// Packets with numbers from this one on.
fn packets(from: u8, contents: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, content) in (from..).zip(contents) {
        write(number, &mut bytes, |say| say.extend_from_slice(content));
    }
    bytes
}

/// The hello of a server that leaves the ends of columns unmarked, or does not.
fn greeting(unmarked: bool) -> Vec<u8> {
    let high = if unmarked { 0x81 } else { 0x80 };
    let content = [
        b"\x0a10.11.6-MariaDB\0\x07\0\0\0abcdefgh\0\xfe\xf7\x2d\x02\0\xff",
        &[high, 21][..],
        b"\0\0\0\0\0\0\x1d\0\0\0ijklmnopqrst\0mysql_native_password\0",
    ];
    packets(0, &[&content.concat()])
}

fn column(name: &str, kind: u8) -> Vec<u8> {
    let length = u8::try_from(name.len()).expect("a short name");
    let names = [
        &b"\x03def\x03h2h\x01t\x01t"[..],
        &[length],
        name.as_bytes(),
        &[length],
        name.as_bytes(),
    ];
    let end = [12, 45, 0, 0, 4, 0, 0, kind, 0x81, 0, 0, 0, 0];
    [&names.concat()[..], &end].concat()
}

/// The bytes of a server that lets us in and understands both queries.
fn server(unmarked: bool) -> Vec<Vec<u8>> {
    let (a, b, parameter) = (column("a", 3), column("b", 253), column("?", 253));
    let mut one: Vec<&[u8]> = vec![b"\0\x05\0\0\0\x02\0\x02\0\0\0\0", &parameter, &parameter];
    one.extend((!unmarked).then_some(MARK));
    one.extend([&a[..], &b]);
    one.extend((!unmarked).then_some(MARK));
    let two = packets(1, &[b"\0\x06\0\0\0\0\0\0\0\0\0\0"]);
    vec![
        greeting(unmarked),
        packets(2, &[OKAY]),
        packets(1, &one),
        two,
    ]
}

fn ready(unmarked: bool) -> MySql {
    let scene = Scene::new(&format!(
        "mysql-ready-{unmarked}-{:?}",
        std::thread::current().id()
    ));
    scene.begun(&server(unmarked), usize::MAX).ready()
}

/// Two rows, (1, "é") and (NULL, ""), as packets.
fn rows(unmarked: bool) -> Vec<u8> {
    let (a, b) = (column("a", 3), column("b", 253));
    let mut all: Vec<&[u8]> = vec![b"\x02", &a, &b];
    all.extend((!unmarked).then_some(MARK));
    all.extend([&b"\0\0\x01\0\0\0\x02\xc3\xa9"[..], b"\0\x04\0"]);
    all.push(if unmarked {
        b"\xfe\0\0\x02\0\0\0"
    } else {
        MARK
    });
    packets(1, &all)
}

fn error() -> Vec<u8> {
    packets(1, &[b"\xff\xda\x04#21000Subquery returns more than 1 row"])
}

fn affected(count: &[u8]) -> Vec<u8> {
    packets(1, &[&[b"\0", count, b"\0\x02\0\0\0"].concat()])
}

#[test]
fn values_are_sent_with_their_types_and_long_texts_with_long_lengths() {
    let mut say = Vec::new();
    let long = "x".repeat(300);
    ready(true).ask(
        0,
        [Value::Integer(-2), Value::Text(&long)].into_iter(),
        &mut say,
    );
    let head =
        b"\x17\x05\0\0\0\0\x01\0\0\0\0\x01\x08\0\xfd\0\xfe\xff\xff\xff\xff\xff\xff\xff\xfc\x2c\x01";
    assert_eq!(say, packets(0, &[&[&head[..], long.as_bytes()].concat()]));
    say.clear();
    ready(true).ask(1, [].into_iter(), &mut say);
    assert_eq!(say, packets(0, &[b"\x17\x06\0\0\0\0\x01\0\0\0"]));
}

#[test]
fn rows_are_counted_and_those_of_the_sample_summed_up_wherever_they_are_cut() {
    for unmarked in [false, true] {
        for sampled in [false, true] {
            hold_together(|| ready(unmarked), &rows(unmarked), two_rows(sampled));
        }
    }
}

#[test]
fn affected_rows_and_errors_are_answers_too() {
    let three = Answer {
        rows: 3,
        stated: true,
        ..Answer::default()
    };
    hold_together(|| ready(true), &affected(b"\x03"), three);
    let many = read(ready(true), false, &affected(b"\xfc\x2c\x01"), &[]);
    assert_eq!(
        many.map(|answer| answer.map(|answer| answer.rows)),
        Ok(Some(300))
    );
    let failed = Answer {
        error: true,
        ..Answer::default()
    };
    hold_together(|| ready(true), &error(), failed);
    let mut client = ready(true);
    client.begin(false);
    assert_eq!(client.feed(&error()), Ok(Some(failed)));
    assert_eq!(
        client.said(),
        "the server says \"Subquery returns more than 1 row\" (error 1242)"
    );
    let late = [
        &rows(true)[..rows(true).len() - 11],
        &packets(6, &[&error()[4..]]),
    ]
    .concat();
    let answer = read(ready(true), false, &late, &[])
        .expect("an answer")
        .expect("all of it");
    assert_eq!(
        (answer.rows, answer.error),
        (2, true),
        "an error behind rows"
    );
}

#[test]
fn what_is_no_answer_is_malformed() {
    let column = column("a", 3);
    for (name, bytes) in [
        ("another number", packets(2, &[OKAY])),
        (
            "bytes behind the answer",
            [affected(b"\x03"), b"x".to_vec()].concat(),
        ),
        ("a file is wanted", packets(1, &[b"\xfb/etc/passwd"])),
        ("too many columns", packets(1, &[b"\xfc\x01\x10"])),
        (
            "a row that is none",
            packets(1, &[b"\x01", &column, b"\x07\0"]),
        ),
        ("an empty packet", packets(1, &[b""])),
        ("a count with more behind it", packets(1, &[b"\x01\x01"])),
    ] {
        assert_eq!(
            read(ready(true), false, &bytes, &[]),
            Err(Malformed),
            "{name}"
        );
    }
    let short = packets(1, &[b"\x01", &column, b"\0\0\x01\0"]);
    assert_eq!(
        read(ready(true), true, &short, &[]),
        Err(Malformed),
        "a row of the sample that is too short"
    );
    assert_eq!(
        read(ready(true), false, &short, &[]),
        Ok(None),
        "of others only the length is known"
    );
}

#[test]
fn twenty_thousand_spoiled_answers_neither_crash_nor_depend_on_their_pieces() {
    let scene = Scene::new("mysql-spoiled");
    let server = server(true);
    let ready = || scene.begun::<MySql>(&server, usize::MAX).ready();
    let kinds = spoil(
        "MySql responses",
        ready,
        &[rows(true), error(), affected(b"\x03")],
        20_000,
    );
    assert!(
        kinds.iter().all(|&count| count > 100),
        "chance has met every kind: {kinds:?}"
    );
}

#[test]
fn twenty_thousand_spoiled_starts_neither_crash_nor_depend_on_their_pieces() {
    let scene = Scene::new("mysql-spoiled-starts");
    let kinds = spoil_startup::<MySql>("MySql starts", &scene, &server(true), 20_000);
    assert!(
        kinds.iter().all(|&count| count > 10),
        "chance has met every kind: {kinds:?}"
    );
}
