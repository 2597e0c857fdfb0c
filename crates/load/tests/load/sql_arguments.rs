//! What the program says of databases that it is told wrongly about.

use super::program::{file, output};
use super::scratch::scratch;

fn said(words: &[&str]) -> String {
    let output = output(&[&["sql"], words].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("a code");
    format!(
        "exit {code}\n{}{}",
        text(output.stdout),
        text(output.stderr)
    )
    .replace(&*scratch().to_string_lossy(), "[tmp]")
}

/// The same with a mix that is right.
fn asked(words: &[&str]) -> String {
    let mix = file(
        "sql/words.json",
        br#"{"queries":[{"name":"one","sql":"SELECT 1","rows":1}]}"#,
    );
    let mix = mix.to_str().expect("a path");
    said(&[words, &["--connections", "1", "--mix", mix]].concat())
}

#[test]
fn the_help_says_what_each_word_means() {
    insta::assert_snapshot!("help_sql", said(&["--help"]));
}

#[test]
fn a_database_that_is_not_told_how_to_reach_ends_with_2() {
    insta::assert_snapshot!("sql_no_protocol", asked(&["--protocol", "oracle"]));
    insta::assert_snapshot!(
        "sql_no_socket",
        asked(&["--protocol", "mysql", "--user", "a", "--database", "b"])
    );
    insta::assert_snapshot!(
        "sql_no_user",
        asked(&["--protocol", "postgresql", "--socket", "/nowhere"])
    );
    insta::assert_snapshot!("sql_no_file", asked(&["--protocol", "sqlite"]));
    insta::assert_snapshot!(
        "sql_file",
        asked(&["--protocol", "mysql", "--file", "/nowhere"])
    );
    let long = format!("/{}", "x".repeat(120));
    let words = [
        "--protocol",
        "mysql",
        "--socket",
        &long,
        "--user",
        "a",
        "--database",
        "b",
    ];
    insta::assert_snapshot!("sql_long_socket", asked(&words));
    insta::assert_snapshot!(
        "sql_no_host",
        asked(&["--protocol", "mysql", "--host", "db.example.org"])
    );
    insta::assert_snapshot!("sql_no_mix", said(&["--protocol", "mysql"]));
}

#[test]
fn a_database_that_is_not_there_ends_with_1() {
    let login = ["--user", "a", "--database", "b"];
    let words = |words: &[&str]| asked(&[words, &login].concat());
    insta::assert_snapshot!(
        "sql_nobody",
        words(&["--protocol", "mysql", "--host", "127.0.0.1", "--port", "1"])
    );
    insta::assert_snapshot!(
        "sql_nowhere",
        words(&["--protocol", "postgresql", "--socket", "/nowhere"])
    );
}
