//! The reader against the corpus of `tests/corpus`: whole, cut at any place, and corrupted at random from a seed.

#[path = "../../../tests/corpus/read.rs"]
mod read;

use std::path::Path;

use base::clock::thread_cpu_ns;
use base::durations::SECOND_NS;
use base::random::Random;

use super::Reader;
use crate::http::body::{Check, Coding, Content};
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

/// A number from 0 to `count`, included.
fn up_to(random: &mut Random, count: usize) -> usize {
    random.below(count + 1)
}

/// Some places to cut, in order; few or many.
fn cuts(random: &mut Random, bytes: usize) -> Vec<usize> {
    let many = up_to(random, 8);
    let mut cuts: Vec<usize> = (0..many).map(|_| up_to(random, bytes)).collect();
    cuts.sort_unstable();
    cuts
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

/// One change of the kind that networks, proxies and mistakes make.
fn spoil(random: &mut Random, bytes: &mut Vec<u8>, others: &[Entry]) {
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
    let place = up_to(random, bytes.len());
    let byte = random.bits().to_le_bytes()[0];
    match up_to(random, 7) {
        0 => bytes.truncate(place),
        1 => bytes.insert(place, byte),
        2 if place < bytes.len() => bytes[place] = byte,
        3 if place < bytes.len() => bytes[place] ^= 1 << up_to(random, 7),
        4 if place < bytes.len() => {
            let _ = bytes.remove(place);
        }
        5 => bytes.extend_from_within(place..),
        6 => {
            let other = &others[random.below(others.len())].bytes;
            bytes.truncate(place);
            bytes.extend_from_slice(&other[up_to(random, other.len())..]);
        }
        _ => {
            let token = TOKENS[random.below(TOKENS.len())];
            let _ = bytes.splice(place..place, token.iter().copied());
        }
    }
}

#[test]
fn a_hundred_thousand_spoiled_answers_neither_crash_nor_depend_on_their_pieces() {
    let mut random = Random::new(3);
    let mut entries = entries();
    entries.retain(|entry| entry.bytes.len() < 1000);
    let mut kinds = std::collections::BTreeMap::<&str, u32>::new();
    let (mut longest_ns, began_ns) = (0, thread_cpu_ns());
    for number in 0..100_000 {
        let mut bytes = entries[random.below(entries.len())].bytes.clone();
        for _ in 0..=number % 4 {
            spoil(&mut random, &mut bytes, &entries);
        }
        let before_ns = thread_cpu_ns();
        let whole = count(&bytes, &[]);
        longest_ns = longest_ns.max(thread_cpu_ns() - before_ns);
        let cuts = cuts(&mut random, bytes.len());
        let text = bytes.escape_ascii();
        assert_eq!(count(&bytes, &cuts), whole, "{text}, cut at {cuts:?}");
        *kinds.entry(whole).or_default() += 1;
    }
    // CPU time, which other programs do not lengthen. Not one case in a thousand takes a microsecond a byte; a second is a
    // hang.
    assert!(longest_ns < SECOND_NS, "{longest_ns} ns");
    assert!(thread_cpu_ns() - began_ns < 120 * SECOND_NS);
    assert_eq!(kinds.len(), 7, "chance has met every kind: {kinds:?}");
}
