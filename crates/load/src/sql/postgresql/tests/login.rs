//! Logging in, and preparing the queries.

use super::{PostgreSql, frame, server, welcome};
use crate::sql::client::Client;
use crate::sql::test_script::{Scene, StartupOutcome};

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
