//! The mix: what is drawn, what is right, and which files are refused.

use std::fs;
use std::path::PathBuf;

use super::{Drawn, Mix};
use crate::fault::Fault;
use crate::http::answer::Answer;
use crate::random::Random;
use crate::url::{self, Url};

fn here() -> Url {
    url::parse("http://127.0.0.1:8080/base/").expect("a URL")
}

/// A file in a folder of its own, which [`std::env::temp_dir`] holds until the machine is cleaned.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("h2h-load-mix-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn read(name: &str, text: &str) -> Result<Mix, String> {
    let path = file(name, text);
    let mix = Mix::read(&path, &here()).map_err(|complaint| complaint.to_string());
    fs::remove_file(path).expect("the file is there");
    mix
}

#[test]
fn requests_are_drawn_by_weight_and_equal_seeds_draw_alike() {
    let text = r#"{"requests":[{"name":"a","weight":3,"path":"/a"},{"name":"b","weight":0,"path":"/b"},{"name":"c","weight":1,"path":"/c"}]}"#;
    let mix = read("weights.json", text).expect("a mix");
    let draw = |seed| {
        let mut random = Random::new(seed);
        (0..10_000)
            .map(|_| mix.draw(&mut random).request)
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
    let mut random = Random::new(5);
    let sampled = (0..10_000)
        .filter(|_| mix.draw(&mut random).sampled)
        .count();
    assert!(
        (2_300..2_700).contains(&sampled),
        "{sampled} of 10000 were sampled"
    );
    assert_eq!(mix.requests[0].expected(true), Some(b"hello".as_slice()));
    assert_eq!(mix.requests[0].expected(false), None);
}

#[test]
fn the_gravest_wrong_is_the_one_that_counts() {
    let text = r#"{"requests":[{"name":"a","path":"/a","status":404,"length_bytes":5}]}"#;
    let mix = read("judge.json", text).expect("a mix");
    let right = Answer {
        status: 404,
        length_bytes: 5,
        differs: false,
        keep_alive: true,
    };
    let judge = |answer| mix.requests[0].judge(&answer);
    assert_eq!(judge(right), None);
    assert_eq!(
        judge(Answer {
            differs: true,
            ..right
        }),
        Some(Fault::WrongBody)
    );
    assert_eq!(
        judge(Answer {
            differs: true,
            length_bytes: 4,
            ..right
        }),
        Some(Fault::WrongLength)
    );
    assert_eq!(
        judge(Answer {
            status: 200,
            length_bytes: 4,
            ..right
        }),
        Some(Fault::WrongStatus)
    );
}

#[test]
fn the_path_stands_behind_that_of_the_url() {
    let mix = read("path.json", r#"{"requests":[{"name":"a","path":"/a"}]}"#).expect("a mix");
    let bytes = String::from_utf8(mix.requests[0].bytes.clone()).expect("text");
    assert_eq!(
        bytes,
        "GET /base/a HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: h2h-load\r\n\r\n"
    );
}

#[test]
fn without_a_file_the_path_of_the_url_is_asked() {
    let mix = Mix::single(&here());
    assert_eq!(
        mix.draw(&mut Random::new(1)),
        Drawn {
            request: 0,
            sampled: false
        }
    );
    assert!(
        mix.requests[0]
            .bytes
            .starts_with(b"GET /base/ HTTP/1.1\r\n")
    );
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
    ]
    .into_iter()
    .enumerate()
    {
        let error = read(&format!("wrong-{number}.json"), text).err().unwrap_or_default();
        assert!(error.contains(why), "{text} gave {error:?}");
    }
}
