//! What the program says of itself and of wrong words.

use super::program::output;

#[test]
fn help_is_as_it_was_read_in_review() {
    let texts = [&["--help"][..], &["bucket", "--help"], &["stall", "--help"]]
        .map(|words| String::from_utf8(output(words).stdout).expect("text"));
    insta::assert_snapshot!("help", texts.join("\n----\n"));
}

#[test]
fn wrong_words_are_refused() {
    for words in [
        &["bucket"][..],
        &["bucket", "--rate", "0"],
        &["wasteful", "--rate", "many"],
        &["stall", "--for", "1s", "--every", "1s"],
        &["stall", "--for", "1", "--every", "5s"],
    ] {
        let output = output(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(!output.stderr.is_empty());
    }
}
