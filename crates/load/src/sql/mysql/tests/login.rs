//! Hello, who we are, and preparing.

use super::{OKAY, column, greeting, packets, server};
use crate::sql::mysql::MySql;
use crate::sql::password::Password;
use crate::sql::test_script::{Scene, StartupOutcome};

#[test]
fn a_login_says_who_we_are_and_prepares_every_query() {
    let scene = Scene::new("mysql-login");
    for unmarked in [false, true] {
        for piece in [1, 2, 3, 5, 8, 13, usize::MAX] {
            let begun = scene.begun::<MySql>(&server(unmarked), piece);
            let StartupOutcome::Said { said, welcome, .. } = begun else {
                panic!("{} in pieces of {piece}", begun.refused());
            };
            assert!(welcome && said[0].is_empty());
            // Password of any length, rows found, database, 4.1, transactions, empty proof, plugin; ends unmarked.
            let can = [0x0b, 0xa2, 0x08, u8::from(unmarked)];
            let reply = [
                &can[..],
                b"\0\0\0\x01\x2d",
                &[0; 23],
                b"forum\0\0h2h\0mysql_native_password\0",
            ];
            assert_eq!(said[1], packets(1, &[&reply.concat()]));
            let one = b"\x16SELECT a, b FROM t WHERE a = ? AND c > ?";
            assert_eq!(said[2], packets(0, &[one]));
            assert_eq!(said[3], packets(0, &[b"\x16DELETE FROM t"]));
            assert!(said[4].is_empty());
        }
    }
}

#[test]
fn an_empty_password_is_shown_once_more_where_the_server_asks_for_it() {
    let scene = Scene::new("mysql-switch");
    let mut server = server(true);
    server[1] = packets(2, &[b"\xfemysql_native_password\0abcdefghijklmnopqrst\0"]);
    server.insert(2, packets(4, &[OKAY]));
    let StartupOutcome::Said { said, welcome, .. } = scene.begun::<MySql>(&server, usize::MAX)
    else {
        panic!("it is refused");
    };
    assert!(welcome);
    assert_eq!(said[2], [0, 0, 0, 3]);
}

#[test]
fn a_password_is_proved_over_the_scramble_of_the_hello_and_over_that_of_a_switch() {
    let scene = Scene::new("mysql-password").with_password("pencil");
    let proof = Password::of("pencil").native_proof(b"abcdefghijklmnopqrst");
    let mut server = server(true);
    server[1] = packets(2, &[b"\xfemysql_native_password\0tsrqponmlkjihgfedcba\0"]);
    server.insert(2, packets(4, &[OKAY]));
    let StartupOutcome::Said { said, welcome, .. } = scene.begun::<MySql>(&server, usize::MAX)
    else {
        panic!("it is refused");
    };
    assert!(welcome && proof.len() == 20);
    let sent = [b"forum\0\x14", &proof[..], b"h2h\0"].concat();
    assert!(said[1].windows(sent.len()).any(|window| window == sent));
    let again = Password::of("pencil").native_proof(b"tsrqponmlkjihgfedcba");
    assert_eq!(said[2], packets(3, &[&again]));
}

#[test]
fn other_ways_to_log_in_are_refused_by_name() {
    let scene = Scene::new("mysql-refused");
    let refused = |server: &[Vec<u8>]| scene.begun::<MySql>(server, usize::MAX).refused();
    for (answer, why) in [
        (
            &b"\xfeunix_socket\0x\0"[..],
            "requires unix_socket, and this program supports mysql_native_password only",
        ),
        (
            b"\xfecaching_sha2_password\0x\0",
            "requires caching_sha2_password",
        ),
        (b"\xfe", "requires mysql_old_password"),
        (b"\x01\x04", "requires more than one proof"),
        (
            b"\xff\x15\x04#28000Access denied for user 'forum'@'localhost'",
            "says \"Access denied for user 'forum'@'localhost'\" (error 1045)",
        ),
        (b"\x07", "malformed"),
        (b"\xfeno end", "malformed"),
    ] {
        let told = refused(&[greeting(true), packets(2, &[answer])]);
        assert!(told.contains(why), "{told}");
    }
    let full = packets(0, &[b"\xff\x10\x04Too many connections"]);
    assert!(refused(&[full]).contains("\"Too many connections\" (error 1040)"));
}

#[test]
fn a_query_that_the_server_does_not_understand_is_told_by_its_name() {
    let scene = Scene::new("mysql-misunderstood");
    let refused = |answer: &[&[u8]]| {
        let server = [greeting(true), packets(2, &[OKAY]), packets(1, answer)];
        scene.begun::<MySql>(&server, usize::MAX).refused()
    };
    let missing = b"\xff\x7a\x04#42S02Table 'h2h.t' doesn't exist";
    let told = refused(&[missing]);
    assert!(
        told.starts_with(
            "the query one: the server says \"Table 'h2h.t' doesn't exist\" (error 1146)"
        ),
        "{told}"
    );
    let three = b"\0\x05\0\0\0\0\0\x03\0\0\0\0";
    let parameter = column("?", 253);
    let told = refused(&[three, &parameter, &parameter, &parameter]);
    assert!(
        told.contains("the server sees 3 parameters in it, not 2"),
        "{told}"
    );
    let (head, double) = (b"\0\x05\0\0\0\x01\0\x02\0\0\0\0", column("a", 5));
    let told = refused(&[head, &parameter, &parameter, &double]);
    assert!(
        told.contains("column 1 is neither an integer nor a text"),
        "{told}"
    );
}

#[test]
fn what_is_no_server_of_this_kind_is_malformed() {
    let scene = Scene::new("mysql-garbage");
    let http = b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec();
    let old = packets(0, &[b"\x093.20\0aaaaaaaaaaaaaaaaaaaaaaaa"]);
    let short = packets(0, &[b"\x0a5.5\0aaaa"]);
    let early = [greeting(true), packets(2, &[OKAY, OKAY])].to_vec();
    for server in [vec![http], vec![old], vec![short], early] {
        assert_eq!(
            scene.begun::<MySql>(&server, usize::MAX).refused(),
            "malformed"
        );
    }
}
