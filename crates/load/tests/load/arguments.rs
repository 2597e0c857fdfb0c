//! What the program says: its help, and its errors with thing, cause and remedy.

use std::fs;

use super::program::{Respond, drive_at, file, output};
use super::scratch::scratch;

fn said(words: &[&str]) -> String {
    let output = output(words);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("a code");
    format!(
        "exit {code}\n{}{}",
        text(output.stdout),
        text(output.stderr)
    )
    .replace(&*scratch().to_string_lossy(), "[tmp]")
}

#[test]
fn the_help_says_what_each_word_means() {
    insta::assert_snapshot!("help", said(&["--help"]));
    insta::assert_snapshot!("help_merge", said(&["merge", "--help"]));
    insta::assert_snapshot!("help_http", said(&["http", "--help"]));
    insta::assert_snapshot!("help_respond", said(&["respond", "--help"]));
}

#[test]
fn wrong_words_end_with_2_and_say_what_is_right() {
    let url = "http://127.0.0.1:1/";
    insta::assert_snapshot!("no_words", said(&[]));
    insta::assert_snapshot!("no_url", said(&["http", "--connections", "1"]));
    insta::assert_snapshot!(
        "wrong_url",
        said(&["http", "--connections", "1", "http://example.org/"])
    );
    insta::assert_snapshot!("no_connections", said(&["http", "--connections", "0", url]));
    insta::assert_snapshot!(
        "no_unit",
        said(&["http", "--connections", "1", "--duration", "5", url])
    );
    insta::assert_snapshot!(
        "no_time",
        said(&["http", "--connections", "1", "--timeout", "0s", url])
    );
    insta::assert_snapshot!(
        "wrong_case",
        said(&["http", "--connections", "1", "--case", "connections=1", url])
    );
    insta::assert_snapshot!("nothing_to_serve", said(&["respond", "--port", "0"]));
    insta::assert_snapshot!(
        "wrong_path",
        said(&["respond", "--port", "0", "--body", "x", "--path", "x"])
    );
    insta::assert_snapshot!(
        "no_body",
        said(&["respond", "--port", "0", "--body", "/nowhere/page.html"])
    );
    insta::assert_snapshot!(
        "no_folder",
        said(&["respond", "--port", "0", "--directory", "/nowhere"])
    );
}

#[test]
fn words_that_contradict_each_other_end_with_2() {
    let url = "http://127.0.0.1:1/";
    let http = |words: &[&str]| said(&[&["http"], words, &[url]].concat());
    insta::assert_snapshot!("no_rate", http(&["--rate", "0"]));
    insta::assert_snapshot!("no_spacing", http(&["--rate", "5", "--arrivals", "even"]));
    insta::assert_snapshot!(
        "arrivals_of_nothing",
        http(&["--connections", "5", "--arrivals", "uniform"])
    );
    insta::assert_snapshot!(
        "requests_and_rate",
        http(&["--rate", "5", "--requests", "5"])
    );
    insta::assert_snapshot!("nobody_thinks", http(&["--rate", "5", "--think", "1s"]));
    insta::assert_snapshot!("no_calls", http(&["--rate", "5", "--calls", "0"]));
    insta::assert_snapshot!(
        "too_many_threads",
        http(&["--connections", "2", "--threads", "3"])
    );
    insta::assert_snapshot!(
        "too_few_requests",
        http(&["--connections", "4", "--threads", "3", "--requests", "2"])
    );
    insta::assert_snapshot!(
        "no_intervals",
        http(&["--connections", "1", "--intervals", "/nowhere/x.csv"])
    );
}

/// What the program says to a file of requests that holds this.
fn asked(name: &str, text: &str) -> String {
    let mix = file(name, text.as_bytes());
    asked_of(mix.to_str().expect("a path"))
}

fn asked_of(mix: &str) -> String {
    said(&[
        "http",
        "--connections",
        "1",
        "--mix",
        mix,
        "http://127.0.0.1:1/",
    ])
}

#[test]
fn wrong_requests_end_with_2_before_anything_is_asked() {
    let key = asked(
        "key.json",
        r#"{"requests":[{"name":"a","path":"/a","wieght":1}]}"#,
    );
    let path = asked("path.json", r#"{"requests":[{"name":"a","path":"a b"}]}"#);
    let body = asked(
        "body.json",
        r#"{"requests":[{"name":"a","path":"/a","body":"/nowhere/a"}]}"#,
    );
    insta::assert_snapshot!("requests_not_json", asked("not-json.json", "requests = []"));
    insta::assert_snapshot!("requests_unknown_key", key);
    insta::assert_snapshot!("requests_wrong_path", path);
    insta::assert_snapshot!("requests_no_body", body);
    insta::assert_snapshot!("requests_missing", asked_of("/nowhere.json"));
}

#[test]
fn a_server_that_is_not_there_ends_with_1() {
    insta::assert_snapshot!(
        "unreachable",
        said(&[
            "http",
            "--connections",
            "3",
            "--json",
            "-",
            "http://127.0.0.1:1/"
        ])
    );
}

#[test]
fn more_connections_than_the_system_allows_end_with_1_before_the_load() {
    let program = env!("CARGO_BIN_EXE_h2h-load");
    // The words are constants; prlimit sets the limit of the program alone.
    let limited = [
        "--nofile=100:100",
        "--",
        program,
        "http",
        "--connections",
        "200",
        "http://127.0.0.1:1/",
    ];
    let output = std::process::Command::new("prlimit")
        .args(limited)
        .output()
        .expect("prlimit of util-linux");
    insta::assert_snapshot!(
        "too_many_connections",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_record_goes_to_a_file_and_without_one_people_get_a_summary() {
    let body = file("summary.html", b"abc");
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    let url = format!("http://{}/article.html", server.peer);
    let words = [
        "http",
        "--connections",
        "1",
        "--warm-up",
        "0s",
        "--requests",
        "20",
    ];
    let text = said(&[&words[..], &[&url]].concat());
    assert!(
        text.contains("correct responses per second") && text.contains("errors: none"),
        "{text}"
    );
    let record = file("record.json", b"");
    assert_eq!(
        said(
            &[
                &words[..],
                &["--json", record.to_str().expect("a path"), &url]
            ]
            .concat()
        ),
        "exit 0\n"
    );
    let line = fs::read_to_string(record).expect("a record");
    assert!(serde_json::from_str::<wire::LoadRecord>(&line).is_ok());
    assert!(drive_at(server.peer, "/article.html", &words[1..]).right == 20);
}
