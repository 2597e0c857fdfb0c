//! What the commands say of themselves, and which words they refuse.

use super::supervised::output::{probe, text};

#[test]
fn help_is_as_it_was_read_in_review() {
    let mut said = String::new();
    for words in [
        &["--help"][..],
        &["supervise", "--help"],
        &["watch", "--help"],
        &["witness", "--help"],
    ] {
        said.push_str(&text(&probe(words).stdout));
        said.push('\n');
    }
    insta::assert_snapshot!(said);
}

#[test]
fn wrong_words_are_refused_with_thing_cause_and_remedy() {
    let wrong = [
        &["supervise", "--id", "a/b", "--run-dir", "/tmp/x"][..],
        &["supervise", "--id", "1-2-3", "--run-dir", "/tmp/elsewhere"],
        &[
            "supervise",
            "--id",
            "1-2-3",
            "--run-dir",
            "/no/such/headtohead-1-2-3",
            "--harness-cpus",
            "0-x",
        ],
        &["watch", "--to", "/no/such/file"],
        &["watch", "--to", "-", "--every-ms", "0"],
        &["watch", "--to", "-", "--seconds", "-1"],
        &["watch"],
        &["witness", "--cpus", "0", "--seconds", "1"],
        &["witness", "--cpus", "1", "--seconds", "nan"],
        &["witness", "--cpus", "1", "--seconds", "1", "--case", "[]"],
    ];
    let said: Vec<String> = wrong
        .iter()
        .map(|words| {
            let output = probe(words);
            assert!(!output.status.success(), "{words:?}");
            text(&output.stderr)
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}
