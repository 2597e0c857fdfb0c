//! The reader against the corpus of `tests/corpus`: whole, cut at any place, and corrupted at random from a seed.

#[path = "../../../tests/corpus/read.rs"]
mod read;

use std::path::Path;

use base::random::Random;

use super::Reader;
use crate::http::body::{Check, Coding, Content};
use crate::spoiled::{change, cuts, repeat, timed};
use read::{Entry, corpus};

/// What every response of the corpus is compared with; compressed responses were requested.
const CHECK: Option<&Check> = Some(&Check {
    inflates: true,
    length_bytes: Some(11),
    content: Content::Bytes(b"hello world"),
});

fn entries() -> Vec<Entry> {
    let entries = corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"));
    assert!(entries.len() > 150, "{} entries", entries.len());
    entries
}

/// What the bytes count as if they come in the pieces that end at `cuts`, and then the end of the connection.
fn count(bytes: &[u8], cuts: &[usize]) -> &'static str {
    let mut reader = Reader::default();
    reader.begin();
    let (mut from, mut whole) = (0, None);
    for &to in cuts.iter().chain([&bytes.len()]) {
        let piece = &bytes[from..to];
        from = to;
        match (whole, piece) {
            (_, []) => {}
            // What follows a response is the beginning of the next one, or there is none to come.
            (Some(_), _) => return "malformed",
            (None, _) => match reader.feed(piece, CHECK) {
                Ok(answer) => whole = answer,
                Err(_) => return "malformed",
            },
        }
    }
    let Some(answer) = whole.or_else(|| reader.close(CHECK)) else {
        return "closed";
    };
    let bytes = match (answer.coding, answer.inflated_bytes) {
        _ if answer.status != 200 => return "wrong-status",
        (Coding::Other, _) | (_, Some(Err(_))) => return "not-inflated",
        (_, Some(Ok(bytes))) => bytes,
        (_, None) => answer.length_bytes,
    };
    match (bytes, answer.differs) {
        (11, false) => "right",
        (11, true) => "wrong-body",
        _ => "wrong-length",
    }
}

#[test]
fn every_answer_counts_as_what_it_is() {
    for Entry { name, kind, bytes } in entries() {
        assert_eq!(count(&bytes, &[]), kind, "{name}");
    }
}

#[test]
fn every_answer_counts_alike_wherever_it_is_cut_in_two() {
    for Entry { name, kind, bytes } in entries() {
        // Of the long ones, which repeat one line, 500 places.
        let step = if bytes.len() < 4096 {
            1
        } else {
            bytes.len() / 500
        };
        for cut in (0..bytes.len()).step_by(step) {
            assert_eq!(count(&bytes, &[cut]), kind, "{name}, cut at {cut}");
        }
    }
}

#[test]
fn every_answer_counts_alike_byte_by_byte_and_in_random_pieces() {
    let mut random = Random::new(20_261_120);
    for Entry { name, kind, bytes } in entries() {
        let every: Vec<usize> = (1..bytes.len()).collect();
        assert_eq!(count(&bytes, &every), kind, "{name}, byte by byte");
        for _ in 0..20 {
            let cuts = cuts(&mut random, bytes.len());
            assert_eq!(count(&bytes, &cuts), kind, "{name}, cut at {cuts:?}");
        }
    }
}

#[test]
fn an_answer_cut_short_is_never_right() {
    for Entry { name, kind, bytes } in entries() {
        if kind != "right" || name.ends_with("until-close") || bytes.len() > 4096 {
            continue;
        }
        for end in 0..bytes.len() {
            assert_eq!(count(&bytes[..end], &[]), "closed", "{name}, {end} bytes");
        }
    }
}

/// Pieces that mean something in a response.
const TOKENS: [&[u8]; 12] = [
    b"\r\n",
    b"\n",
    b"\r",
    b"\0",
    b"0\r\n\r\n",
    b"Content-Length: 11\r\n",
    b"Content-Length: 18446744073709551615\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"HTTP/1.1 100 x\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n",
    b"ffffffffffffffff\r\n",
];

#[test]
fn a_hundred_thousand_spoiled_answers_neither_crash_nor_depend_on_their_pieces() {
    let mut entries = entries();
    entries.retain(|entry| entry.bytes.len() < 1000);
    let answers: Vec<Vec<u8>> = entries.into_iter().map(|entry| entry.bytes).collect();
    let mut kinds = std::collections::BTreeMap::<&str, u32>::new();
    repeat("HTTP responses", 100_000, |random, number| {
        let mut bytes = answers[random.below(answers.len())].clone();
        for _ in 0..=number % 4 {
            change(random, &mut bytes, &TOKENS, &answers);
        }
        // Not one in a thousand takes a microsecond a byte.
        let (took_ns, whole) = timed(|| count(&bytes, &[]));
        let cuts = cuts(random, bytes.len());
        let text = bytes.escape_ascii();
        assert_eq!(count(&bytes, &cuts), whole, "{text}, cut at {cuts:?}");
        *kinds.entry(whole).or_default() += 1;
        took_ns
    });
    assert_eq!(kinds.len(), 7, "chance has met every kind: {kinds:?}");
}
