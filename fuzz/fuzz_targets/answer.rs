//! The reader of answers, given anything: it must not crash, and must not care how the bytes were cut.
//!
//! The first byte says where they are cut in two, and whether the body is looked at; the others are the answer.

#![no_main]

#[path = "../src/http.rs"]
mod http;

use http::answer::{Answer, Reader};
use http::body::{Check, Content};
use libfuzzer_sys::fuzz_target;

const BODY: &[u8] = b"hello world";

/// What came of the pieces: an answer, none, or nonsense.
fn read<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    check: Option<&Check>,
) -> Option<Option<Answer>> {
    let mut reader = Reader::default();
    reader.begin();
    let mut whole = None;
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if whole.is_some() {
            return None;
        }
        whole = reader.feed(piece, check).ok()?;
    }
    Some(whole.or_else(|| reader.close(check)))
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let check = Check {
        inflates: first & 1 == 1,
        length_bytes: Some(11),
        content: if first & 2 == 2 {
            Content::Bytes(BODY)
        } else {
            Content::Sha256(&[0; 32])
        },
    };
    let check = (first & 4 == 4).then_some(&check);
    let whole = read([bytes], check);
    let cut = usize::from(first >> 3) * bytes.len() / 32;
    let (before, behind) = bytes.split_at(cut);
    assert_eq!(read([before, behind], check), whole, "cut at {cut}");
    if bytes.len() < 256 {
        assert_eq!(read(bytes.chunks(1), check), whole, "byte by byte");
    }
});
