//! Sets of pages: which is drawn, what is sent for it, and which files are refused.

use std::fmt::Write;
use std::fs;

use base::random::Random;

use super::{file, read, sent};
use crate::http::body::Content;
use crate::http::mix::{Draws, Mix};

/// A mix of one set of `count` pages, `/0` to `/<count - 1>`, with the rest of the line.
fn set(name: &str, count: usize, line: &str) -> Mix {
    let mut text = "path,length_bytes,sha256\n".to_owned();
    for page in 0..count {
        let _ = writeln!(text, "/{page},{},{page:064x}", 1000 + page);
    }
    let pages = file(&format!("{name}.csv"), &text);
    let line = format!(r#"{{"requests":[{{"name":"a","urls":{pages:?}{line}}}]}}"#);
    let mix = read(&format!("{name}.json"), &line).expect("a mix");
    fs::remove_file(pages).expect("the file is there");
    mix
}

fn pages(mix: &Mix, draws: &mut Draws, count: usize) -> Vec<usize> {
    (0..count).map(|_| mix.draw(draws).page).collect()
}

#[test]
fn every_page_of_a_set_has_its_request_its_length_and_its_sum() {
    let mix = set("whole", 20, r#","skew":"sequential","sample":1"#);
    let mut thread = mix.draws(Random::new(1), 0, 1);
    for page in 0..20_u8 {
        let drawn = mix.draw(&mut thread);
        assert!(sent(&mix, drawn).starts_with(&format!("GET /base/{page} HTTP/1.1\r\n")));
        assert_eq!(mix.length_bytes(drawn), Some(1000 + u64::from(page)));
        let check = mix.check(drawn).expect("all are looked at");
        let Content::Sha256(sum) = check.content else {
            panic!("{:?} is no sum", check.content);
        };
        assert_eq!(sum[31], page);
    }
}

#[test]
fn threads_walk_a_sequential_set_together() {
    let mix = set("order", 5, r#","skew":"sequential""#);
    let mut alone = mix.draws(Random::new(1), 0, 1);
    assert_eq!(pages(&mix, &mut alone, 7), [0, 1, 2, 3, 4, 0, 1]);
    let mut threads = [0, 1].map(|thread| mix.draws(Random::new(1), thread, 2));
    let walked = threads.each_mut().map(|draws| pages(&mix, draws, 5));
    assert_eq!(walked, [[0, 2, 4, 1, 3], [1, 3, 0, 2, 4]]);
}

#[test]
fn a_uniform_set_is_drawn_evenly_and_a_zipf_set_by_rank() {
    for (line, due) in [
        ("", [0.25; 4]),
        (r#","skew":"zipf""#, [0.48, 0.24, 0.16, 0.12]),
        (r#","skew":"zipf","exponent":0"#, [0.25; 4]),
    ] {
        let mix = set("skew", 4, line);
        let drawn = pages(&mix, &mut mix.draws(Random::new(2), 0, 1), 100_000);
        for (page, due) in due.into_iter().enumerate() {
            let count = drawn.iter().filter(|&&each| each == page).count();
            let share = f64::from(u32::try_from(count).expect("a count")) / 1e5;
            assert!((share - due).abs() < 0.005, "{line}: {share} of {page}");
        }
    }
}

#[test]
fn threads_with_streams_of_their_own_draw_differently() {
    let mix = set("streams", 1000, "");
    let drawn = |seed, thread| pages(&mix, &mut mix.draws(Random::stream(seed, thread), 0, 2), 50);
    assert_eq!(drawn(1, 0), drawn(1, 0));
    assert_ne!(drawn(1, 0), drawn(1, 1));
    assert_ne!(drawn(1, 0), drawn(2, 0));
}

#[test]
fn wrong_sets_are_refused_with_the_line_that_is_wrong() {
    let sum = "0".repeat(64);
    for (number, (text, why)) in [
        (String::new(), "first line"),
        ("path,length\n".to_owned(), "first line"),
        ("path,length_bytes,sha256\n".to_owned(), "it has no pages"),
        (
            format!("path,length_bytes,sha256\r\n/a,1,{sum}\r\nb,1,{sum}\r\n"),
            "line 3",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let pages = file(&format!("set-{number}.csv"), &text);
        let line = format!(r#"{{"requests":[{{"name":"a","urls":{pages:?}}}]}}"#);
        let error = read(&format!("set-{number}.json"), &line).err();
        fs::remove_file(pages).expect("the file is there");
        assert!(
            error.as_ref().is_some_and(|error| error.contains(why)),
            "{text:?}: {error:?}"
        );
    }
}
