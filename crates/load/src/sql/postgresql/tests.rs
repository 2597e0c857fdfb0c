//! Conversations with a server, written by hand.

use super::PostgreSql;
use crate::dialogue::Malformed;
use crate::sql::client::Client;
use crate::sql::mix::{Answer, Value};
use crate::sql::test_script::{
    Scene, StartupOutcome, hold_together, read, spoil, spoil_startup, two_rows,
};

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
fn a_login_says_who_we_are_and_prepares_every_query() {
    let scene = Scene::new("postgresql-login");
    for piece in [1, 2, 3, 5, 8, 13, usize::MAX] {
        let begun = scene.begun::<PostgreSql>(&server(), piece);
        let StartupOutcome::Said { said, welcome, .. } = begun else {
            panic!("{} in pieces of {piece}", begun.refused());
        };
        assert!(welcome && said[0].starts_with(b"\0\0\0\x50\0\x03\0\0user\0forum\0"));
        let one = frame(
            b'P',
            b"q0\0SELECT a, b FROM t WHERE a = $1 AND c > $2\0\0\0",
        );
        let two = frame(b'P', b"q1\0DELETE FROM t\0\0\0");
        assert_eq!(said[1], [one, two, frame(b'S', b"")].concat());
        assert!(said[2].is_empty());
    }
}

#[test]
fn a_password_is_refused_and_so_is_a_user_whom_the_server_does_not_know() {
    let scene = Scene::new("postgresql-refused");
    for (answer, why) in [
        (
            frame(b'R', &[0, 0, 0, 3]),
            "the server requires a password, and this program supports SCRAM-SHA-256 only",
        ),
        (frame(b'R', b"\0\0\0\x05salt"), "a password (md5), and"),
        (
            frame(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0"),
            "a password (SCRAM-SHA-256), and none was given",
        ),
        (
            frame(b'E', b"SFATAL\0C28000\0Mrole \"forum\" does not exist\0\0"),
            "does not exist\" (error 28000)",
        ),
        (frame(b'R', &[0, 0, 0, 11]), "malformed"),
        (frame(b'R', &[0, 0, 0, 12]), "malformed"),
        (frame(b'R', &[0, 0, 0, 99]), "malformed"),
        (b"HTTP/1.1 400 Bad Request\r\n".to_vec(), "malformed"),
    ] {
        let told = scene.begun::<PostgreSql>(&[answer], usize::MAX).refused();
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_password_is_proved_and_a_server_that_does_not_know_it_is_refused() {
    let scene = Scene::new("postgresql-password").with_password("pencil");
    let hello = scene.hello();
    let (mut client, mut say) = (PostgreSql::default(), Vec::new());
    let asked = frame(b'R', b"\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
    assert!(!client.greet(&hello, &asked, &mut say).expect("sense"));
    let first = String::from_utf8_lossy(&say).into_owned();
    assert!(
        first.contains("SCRAM-SHA-256\0") && first.contains("n,,n=,r="),
        "{first}"
    );
    let nonce = first.rsplit("r=").next().expect("a nonce").to_owned();
    say.clear();
    let next = format!("r={nonce}more,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
    let came = frame(b'R', &[&[0, 0, 0, 11], next.as_bytes()].concat());
    assert!(!client.greet(&hello, &came, &mut say).expect("sense"));
    let proof = String::from_utf8_lossy(&say).into_owned();
    assert!(
        proof.contains(&format!("c=biws,r={nonce}more,p=")),
        "{proof}"
    );
    let liar = frame(b'R', b"\0\0\0\x0cv=AAAA");
    let told = client.greet(&hello, &liar, &mut say).expect_err("a liar");
    assert!(
        format!("{told:?}").contains("does not know the password"),
        "{told:?}"
    );
}

#[test]
fn a_query_that_the_server_does_not_understand_is_told_by_its_name() {
    let scene = Scene::new("postgresql-misunderstood");
    let missing = frame(
        b'E',
        b"SERROR\0C42P01\0Mrelation \"t\" does not exist\0P20\0\0",
    );
    let second = [frame(b'1', b""), missing].concat();
    let told = scene.begun::<PostgreSql>(&[welcome(), second], 3).refused();
    assert!(told.starts_with("the query two: the server says"), "{told}");
    assert!(told.contains("(error 42P01)"), "{told}");
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
