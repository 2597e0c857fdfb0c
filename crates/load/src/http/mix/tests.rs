//! The mix: what is drawn, what is right, and which files are refused.

mod sets;

use std::fs;
use std::path::PathBuf;

use base::random::Random;

use super::{Compression, Drawn, Mix};
use crate::connection::url::{self, Url};
use crate::http::answer::Answer;
use crate::http::body::{Coding, Content, NotInflated};
use crate::tally::fault::Fault;

const ANSWER: Answer = Answer {
    status: 200,
    length_bytes: 5,
    coding: Coding::Plain,
    inflated_bytes: None,
    differs: false,
    keep_alive: true,
};

fn here() -> Url {
    url::parse("http://127.0.0.1:8080/base/").expect("a URL")
}

/// A file of this process's own, which the test takes away again.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("h2h-load-{}-{name}", std::process::id()));
    fs::write(&path, text).expect("a file");
    path
}

fn read(name: &str, text: &str) -> Result<Mix, String> {
    let path = file(name, text);
    let mix = Mix::read(&path, &here(), false).map_err(|error| error.to_string());
    fs::remove_file(path).expect("the file is there");
    mix
}

fn sent(mix: &Mix, drawn: Drawn) -> &str {
    str::from_utf8(mix.bytes(drawn)).expect("text")
}

#[test]
fn requests_are_drawn_by_weight_and_equal_seeds_draw_alike() {
    let text = r#"{"requests":[{"name":"a","weight":3,"path":"/a"},{"name":"b","weight":0,"path":"/b"},{"name":"c","weight":1,"path":"/c"}]}"#;
    let mix = read("weights.json", text).expect("a mix");
    let draw = |seed| {
        let mut draws = mix.draws(Random::new(seed), 0, 1);
        (0..10_000)
            .map(|_| mix.draw(&mut draws).request)
            .collect::<Vec<_>>()
    };
    let drawn = draw(1);
    let count = |request| drawn.iter().filter(|&&each| each == request).count();
    assert!(
        (7_300..7_700).contains(&count(0)),
        "{} of 10000 were the first",
        count(0)
    );
    assert_eq!(count(1), 0);
    assert_eq!(drawn, draw(1));
    assert_ne!(drawn, draw(2));
}

#[test]
fn a_sample_of_the_bodies_is_compared() {
    let body = file("body", "hello");
    let text =
        format!(r#"{{"requests":[{{"name":"a","path":"/a","body":{body:?},"sample":0.25}}]}}"#);
    let mix = read("sample.json", &text).expect("a mix");
    fs::remove_file(body).expect("the file is there");
    let mut thread = mix.draws(Random::new(5), 0, 1);
    let drawn: Vec<Drawn> = (0..10_000).map(|_| mix.draw(&mut thread)).collect();
    let sampled = drawn.iter().filter(|drawn| drawn.sampled).count();
    assert!(
        (2_300..2_700).contains(&sampled),
        "{sampled} of 10000 were sampled"
    );
    for drawn in drawn {
        let check = mix.check(drawn);
        assert_eq!(check.is_some(), drawn.sampled);
        assert!(check.is_none_or(|check| matches!(check.content, Content::Bytes(b"hello"))));
    }
}

#[test]
fn the_gravest_wrong_is_the_one_that_counts() {
    let text = r#"{"requests":[{"name":"a","path":"/a","status":404,"length_bytes":5}]}"#;
    let mix = read("judge.json", text).expect("a mix");
    let right = Answer {
        status: 404,
        length_bytes: 5,
        ..ANSWER
    };
    let judge = |answer| mix.judge(Drawn::default(), &answer);
    let differs = Answer {
        differs: true,
        ..right
    };
    let short = Answer {
        length_bytes: 4,
        ..differs
    };
    let found = Answer {
        status: 200,
        ..short
    };
    assert_eq!(judge(right), None);
    assert_eq!(judge(differs), Some(Fault::WrongBody));
    assert_eq!(judge(short), Some(Fault::WrongLength));
    assert_eq!(judge(found), Some(Fault::WrongStatus));
}

#[test]
fn a_compressed_answer_is_judged_by_what_it_inflates_to() {
    let text = r#"{"requests":[{"name":"a","path":"/a","length_bytes":50}]}"#;
    let file = file("inflated.json", text);
    let mixes = [true, false].map(|gzip| Mix::read(&file, &here(), gzip).expect("a mix"));
    fs::remove_file(file).expect("the file is there");
    let judge = |coding, inflated_bytes| {
        let answer = Answer {
            coding,
            inflated_bytes,
            ..ANSWER
        };
        mixes
            .each_ref()
            .map(|mix| mix.judge(Drawn::default(), &answer))
    };
    let wrong_length = Some(Fault::WrongLength);
    for (coding, inflated, asked) in [
        (Coding::Gzip, Some(Ok(50)), None),
        (Coding::Gzip, None, None),
        (Coding::Gzip, Some(Ok(51)), wrong_length),
        (
            Coding::Gzip,
            Some(Err(NotInflated)),
            Some(Fault::NotInflated),
        ),
        (Coding::Other, None, Some(Fault::NotInflated)),
        (Coding::Plain, None, wrong_length),
    ] {
        // If compression was not requested, the 5 bytes on the wire are what counts.
        assert_eq!(
            judge(coding, inflated),
            [asked, wrong_length],
            "{coding:?} {inflated:?}"
        );
    }
}

#[test]
fn compression_counts_plain_answers_and_what_inflated() {
    let mix = Mix::single(&here(), true);
    let mut all = mix.compression().expect("asked for");
    let mut other = Compression::default();
    all.add(&Compression::of(&ANSWER));
    assert_eq!((all.plain_answers, all.ratio()), (1, None));
    for (length_bytes, inflated_bytes) in [(10, Some(Ok(100))), (30, Some(Ok(500))), (7, None)] {
        other.add(&Compression::of(&Answer {
            coding: Coding::Gzip,
            length_bytes,
            inflated_bytes,
            ..ANSWER
        }));
    }
    all.add(&other);
    assert_eq!((all.plain_answers, all.ratio()), (1, Some(15.0)));
    assert_eq!(Mix::single(&here(), false).compression(), None);
}

#[test]
fn the_path_stands_behind_that_of_the_url() {
    let mix = read("path.json", r#"{"requests":[{"name":"a","path":"/a"}]}"#).expect("a mix");
    assert_eq!(
        sent(&mix, Drawn::default()),
        "GET /base/a HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: h2h-load\r\n\r\n"
    );
}

#[test]
fn without_a_file_the_path_of_the_url_is_asked() {
    let mix = Mix::single(&here(), false);
    let drawn = mix.draw(&mut mix.draws(Random::new(1), 0, 1));
    assert_eq!(drawn, Drawn::default());
    assert_eq!(mix.length_bytes(drawn), None);
    assert!(sent(&mix, drawn).starts_with("GET /base/ HTTP/1.1\r\n"));
    assert!(!sent(&mix, drawn).contains("Accept-Encoding"));
    let mix = Mix::single(&here(), true);
    assert!(sent(&mix, drawn).contains("\r\nAccept-Encoding: gzip\r\n"));
}

#[test]
fn wrong_files_are_refused_with_the_request_that_is_wrong() {
    for (number, (text, why)) in [
        ("", "EOF"),
        (r#"{"requests":[]}"#, "weights"),
        (r#"{"requests":[{"name":"a","path":"/a","weight":0}]}"#, "weights"),
        (r#"{"requests":[{"name":"a","path":"/a","weight":-1},{"name":"b","path":"/b","weight":2}]}"#, "\"a\""),
        (r#"{"requests":[{"name":"a","path":"a"}]}"#, "begins with /"),
        (r#"{"requests":[{"name":"a","path":"/a\r\nX: y"}]}"#, "begins with /"),
        (r#"{"requests":[{"name":"a","path":"/a","sample":1.5}]}"#, "share"),
        (r#"{"requests":[{"name":"a","path":"/a","body":"/nowhere/at-all"}]}"#, "/nowhere/at-all"),
        (r#"{"requests":[{"name":"a","path":"/a","body":"/dev/null","length_bytes":3}]}"#, "0 bytes"),
        (r#"{"requests":[{"name":"a","path":"/a","length":3}]}"#, "unknown field"),
        (r#"{"requests":[{"name":"a"}]}"#, "either path or urls"),
        (r#"{"requests":[{"name":"a","path":"/a","urls":"x"}]}"#, "either path or urls"),
        (r#"{"requests":[{"name":"a","path":"/a","skew":"zipf"}]}"#, "are for urls"),
        (r#"{"requests":[{"name":"a","urls":"/nowhere/a.csv"}]}"#, "/nowhere/a.csv"),
        (r#"{"requests":[{"name":"a","urls":"x","skew":"normal"}]}"#, "unknown variant"),
        (r#"{"requests":[{"name":"a","urls":"x","exponent":2}]}"#, "for the skew zipf"),
        (r#"{"requests":[{"name":"a","urls":"x","skew":"zipf","exponent":-1}]}"#, "from 0 to 10"),
        (r#"{"requests":[{"name":"a","urls":"x","length_bytes":1}]}"#, "in their file"),
    ]
    .into_iter()
    .enumerate()
    {
        let error = read(&format!("wrong-{number}.json"), text).err().unwrap_or_default();
        assert!(error.contains(why), "{text} gave {error:?}");
    }
}
