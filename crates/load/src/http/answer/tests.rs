//! The reader against responses cut at any place, and against garbage from a seed.

use base::random::Random;

use super::{Answer, Reader};
use crate::http::Malformed;
use crate::http::body::{Check, Coding, Content};

const BODY: &[u8] = b"hello world";
const RIGHT: Answer = Answer {
    status: 200,
    length_bytes: 11,
    coding: Coding::Plain,
    inflated_bytes: None,
    differs: false,
    keep_alive: true,
};
const CHECK: Option<&Check> = Some(&Check {
    inflates: true,
    length_bytes: Some(11),
    content: Content::Bytes(BODY),
});

fn corpus() -> Vec<(&'static str, &'static [u8], Answer)> {
    let closing = Answer {
        keep_alive: false,
        ..RIGHT
    };
    vec![
        ("with a length", b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world", RIGHT),
        ("with bare line ends", b"HTTP/1.1 200 OK\nContent-Length: 11\n\nhello world", RIGHT),
        (
            "in chunks",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nA: b\r\n\r\n",
            RIGHT,
        ),
        (
            "after an interim answer",
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
            RIGHT,
        ),
        ("that closes", b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\nhello world", closing),
        ("with another body", b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello_world", Answer { differs: true, ..RIGHT }),
        (
            "with a longer body",
            b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello world!",
            Answer { length_bytes: 12, differs: true, ..RIGHT },
        ),
        ("without a body", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", Answer { status: 404, length_bytes: 0, ..RIGHT }),
        ("with no content", b"HTTP/1.1 204 x\r\n\r\n", Answer { status: 204, length_bytes: 0, ..RIGHT }),
    ]
}

/// Feeds `bytes` in the pieces that end at `cuts`; the response must not come before the last piece.
fn read_in_pieces(bytes: &[u8], cuts: &[usize]) -> Result<Option<Answer>, Malformed> {
    let mut reader = Reader::default();
    reader.begin();
    let mut from = 0;
    for &to in cuts {
        assert_eq!(
            reader.feed(&bytes[from..to], CHECK)?,
            None,
            "whole after {to} of {} bytes",
            bytes.len()
        );
        from = to;
    }
    reader.feed(&bytes[from..], CHECK)
}

#[test]
fn an_answer_is_the_same_wherever_it_is_cut_in_two() {
    for (name, bytes, answer) in corpus() {
        for cut in 0..bytes.len() {
            assert_eq!(
                read_in_pieces(bytes, &[cut]),
                Ok(Some(answer)),
                "{name}, cut at {cut}"
            );
        }
    }
}

#[test]
fn an_answer_is_the_same_byte_by_byte_and_in_random_pieces() {
    let mut random = Random::new(20_261_120);
    for (name, bytes, answer) in corpus() {
        let every: Vec<usize> = (1..bytes.len()).collect();
        assert_eq!(
            read_in_pieces(bytes, &every),
            Ok(Some(answer)),
            "{name}, byte by byte"
        );
        for _ in 0..200 {
            let cuts: Vec<usize> = every
                .iter()
                .copied()
                .filter(|_| random.share() < 0.1)
                .collect();
            assert_eq!(
                read_in_pieces(bytes, &cuts),
                Ok(Some(answer)),
                "{name}, cut at {cuts:?}"
            );
        }
    }
}

#[test]
fn bytes_behind_an_answer_are_malformed() {
    for (name, bytes, _) in corpus() {
        let mut longer = bytes.to_vec();
        longer.push(b'H');
        assert_eq!(read_in_pieces(&longer, &[]), Err(Malformed), "{name}");
    }
}

#[test]
fn a_body_without_a_length_ends_when_the_server_closes() {
    let mut reader = Reader::default();
    assert_eq!(
        reader.feed(b"HTTP/1.1 200 OK\r\n\r\nhello ", CHECK),
        Ok(None)
    );
    assert_eq!(reader.feed(b"world", CHECK), Ok(None));
    assert_eq!(
        reader.close(CHECK),
        Some(Answer {
            keep_alive: false,
            ..RIGHT
        })
    );
    assert_eq!(reader.close(CHECK), None);
}

#[test]
fn a_connection_closed_in_mid_answer_gives_none() {
    for (name, bytes, _) in corpus() {
        for cut in 0..bytes.len() {
            let mut reader = Reader::default();
            assert_eq!(reader.feed(&bytes[..cut], None), Ok(None), "{name}");
            assert_eq!(
                reader.close(CHECK),
                None,
                "{name}, closed after {cut} bytes"
            );
            assert_eq!(reader.started(), cut > 0);
        }
    }
}

#[test]
fn a_head_without_an_end_is_malformed_at_its_limit() {
    let mut reader = Reader::default();
    assert_eq!(reader.feed(b"HTTP/1.1 200 OK\r\n", None), Ok(None));
    let line = [b'a'; 64];
    let fed = (0..10_000).find(|_| reader.feed(&line, None).is_err());
    assert!(
        fed.is_some_and(|pieces| pieces <= 256),
        "a head of 16 KiB is enough"
    );
    let long = format!(
        "HTTP/1.1 200 OK\r\nA: {}\r\nContent-Length: 0\r\n\r\n",
        "x".repeat(40_000)
    );
    assert_eq!(read_in_pieces(long.as_bytes(), &[]), Err(Malformed));
    assert_eq!(
        read_in_pieces(long.as_bytes(), &[8_000, 16_000]),
        Err(Malformed)
    );
}

#[test]
fn interim_answers_of_any_number_are_read_over_but_a_switch_of_protocols_is_not() {
    let interim = "HTTP/1.1 102 Processing\r\n\r\n".repeat(100);
    let bytes = format!("{interim}HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world");
    assert_eq!(read_in_pieces(bytes.as_bytes(), &[]), Ok(Some(RIGHT)));
    assert_eq!(
        read_in_pieces(b"HTTP/1.1 101 Switching\r\n\r\n", &[]),
        Err(Malformed)
    );
}

#[test]
fn no_spoiled_answer_makes_the_reader_panic() {
    let mut random = Random::new(3);
    let answers = corpus();
    for round in 0..20_000_u64 {
        let at = |random: &mut Random, len: usize| {
            usize::try_from(random.bits() % u64::try_from(len.max(1)).unwrap_or(1)).unwrap_or(0)
        };
        let mut bytes = answers[at(&mut random, answers.len())].1.to_vec();
        for _ in 0..=round % 4 {
            let place = at(&mut random, bytes.len());
            match random.bits() % 4 {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, random.bits().to_le_bytes()[0]),
                2 if !bytes.is_empty() => bytes[place] = random.bits().to_le_bytes()[0],
                _ => bytes.extend_from_within(place..),
            }
        }
        let cut = at(&mut random, bytes.len());
        let mut reader = Reader::default();
        let first = reader.feed(&bytes[..cut], CHECK);
        if first == Ok(None) {
            let _ = reader.feed(&bytes[cut..], CHECK);
        }
        let _ = reader.close(CHECK);
    }
}

#[test]
fn what_is_not_looked_at_may_pass_unseen() {
    let text = b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello";
    let mut reader = Reader::default();
    assert_eq!(reader.left_bytes(), None, "the head has not come");
    assert_eq!(reader.feed(text, None), Ok(None));
    assert_eq!(reader.left_bytes(), Some(6));
    assert_eq!(reader.pass(5), Ok(None));
    let answer = reader.pass(1).expect("an answer").expect("a whole one");
    assert_eq!((answer.status, answer.length_bytes), (200, 11));
    assert_eq!(reader.left_bytes(), None, "nothing is to come");
}

#[test]
fn what_passes_behind_the_end_is_malformed() {
    let mut reader = Reader::default();
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";
    assert_eq!(reader.feed(head, None), Ok(None));
    assert_eq!(reader.pass(4), Err(Malformed));
}

#[test]
fn equal_heads_in_a_row_are_read_alike_and_others_are_not_taken_for_them() {
    let mut reader = Reader::default();
    for (text, due) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", (200, 1)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny", (200, 1)),
        ("HTTP/1.1 500 OK\r\nContent-Length: 2\r\n\r\nxy", (500, 2)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", (200, 1)),
    ] {
        reader.begin();
        let fed = reader.feed(text.as_bytes(), None);
        let answer = fed.expect("an answer").expect("a whole one");
        assert_eq!((answer.status, answer.length_bytes), due);
    }
}
