//! Servers of HTTP/2 that are wrong on purpose: each request ends, as the kind that it is, and memory stays bounded.

use std::thread;
use std::time::Duration;

use wire::LoadRecord;

use super::http2_server::{
    CONTINUATION, DATA, END, END_HEADERS, Frames, GOAWAY, HEADERS, OK, PING, RST_STREAM, SETTINGS,
    WINDOW_UPDATE, drive, serve,
};
use super::program::{file, requests};

/// With an unbounded queue a flood takes more within the time of these tests.
const MEMORY_BYTES: u64 = 48 << 20;

/// No request takes as long, however slow the machine is.
const LONG: &str = "20s";

/// Of servers that let requests time out, which need not be fast.
const SHORT: &str = "100ms";

/// Drives a server that does this, until some requests have ended; its record.
fn driven(
    talk: impl Fn(&mut Frames) + Send + Sync + 'static,
    timeout: &str,
    words: &[&str],
) -> LoadRecord {
    let load = ["--connections", "2", "--streams", "5", "--requests", "40"];
    let words = [&load[..], &["--timeout", timeout], words].concat();
    let record = drive(&serve(&[b"h2"], talk), &words);
    assert!(record.sent > 0, "nothing was asked");
    let memory = record.driver_memory_peak_bytes.expect("the peak of memory");
    assert!(memory < MEMORY_BYTES, "{memory} bytes");
    record
}

/// Every request ended as this kind.
fn only(kind: &str, talk: impl Fn(&mut Frames) + Send + Sync + 'static) {
    let record = driven(talk, if kind == "timeout" { SHORT } else { LONG }, &[]);
    let errors = &record.errors;
    assert_eq!(errors.get(kind), Some(&record.sent), "{errors:?}");
}

/// No request is right, and each ended as one of these kinds.
fn among(kinds: &[&str], talk: impl Fn(&mut Frames) + Send + Sync + 'static) {
    let record = driven(talk, SHORT, &[]);
    let errors = &record.errors;
    assert_eq!(record.right, 0, "{errors:?}");
    assert!(
        errors.keys().all(|kind| kinds.contains(&&**kind)),
        "{errors:?}"
    );
}

#[test]
fn streams_that_are_reset_are_counted_as_that() {
    only("reset", |frames| {
        while let Some(stream) = frames.request() {
            let _ = frames.send(RST_STREAM, 0, stream, &2_u32.to_be_bytes());
        }
    });
    // In the middle of a response.
    only("reset", |frames| {
        while let Some(stream) = frames.request() {
            let _ = frames.send(HEADERS, END_HEADERS, stream, OK);
            let _ = frames.data(stream, 0, b"hello");
            let _ = frames.send(RST_STREAM, 0, stream, &2_u32.to_be_bytes());
        }
    });
}

#[test]
fn a_flood_of_resets_ends() {
    among(&["reset", "closed", "malformed", "timeout"], |frames| {
        while let Some(stream) = frames.request() {
            let reset = [
                &[0, 0, 4, RST_STREAM, 0][..],
                &stream.to_be_bytes(),
                &[0, 0, 0, 8],
            ]
            .concat();
            if !frames.write(&reset.repeat(100_000)) {
                return;
            }
        }
    });
}

#[test]
fn a_flood_of_pings_that_is_never_answered_times_out() {
    among(&["timeout", "closed", "reset"], |frames| {
        let pings = [&[0, 0, 8, PING, 0, 0, 0, 0, 0][..], &[7; 8]].concat();
        while frames.write(&pings.repeat(10_000)) {}
    });
}

#[test]
fn a_flood_of_settings_times_out() {
    among(&["timeout", "closed", "reset", "malformed"], |frames| {
        let settings = [0, 0, 0, SETTINGS, 0, 0, 0, 0, 0];
        while frames.write(&settings.repeat(10_000)) {}
    });
}

#[test]
fn a_head_that_is_too_long_or_never_ends_is_malformed() {
    only("malformed", |frames| {
        // A header with a value of 16,000 bytes, twice: more than a head may have.
        let header = [&b"\x00\x01a\x7f\x81\x7c"[..], &[b'b'; 16_000]].concat();
        while let Some(stream) = frames.request() {
            let _ = frames.send(HEADERS, 0, stream, OK);
            let _ = frames.send(CONTINUATION, 0, stream, &header);
            let _ = frames.send(CONTINUATION, END_HEADERS, stream, &header);
        }
    });
    among(&["malformed", "closed", "timeout"], |frames| {
        while let Some(stream) = frames.request() {
            let _ = frames.send(HEADERS, 0, stream, OK);
            while frames.send(CONTINUATION, 0, stream, &[b'x'; 16_000]) {}
        }
    });
}

#[test]
fn a_server_that_goes_away_with_an_error_has_closed() {
    only("closed", |frames| {
        let _ = frames.request();
        let error = [&[0; 4][..], &11_u32.to_be_bytes()].concat();
        let _ = frames.send(GOAWAY, 0, 0, &error);
        frames.listen();
    });
    // What it leaves unread makes the kernel reset the connection.
    let partly = |frames: &mut Frames| {
        if let Some(stream) = frames.request() {
            let _ = frames.send(HEADERS, END_HEADERS, stream, OK);
            let _ = frames.send(DATA, 0, stream, b"hello");
        }
    };
    let record = driven(partly, LONG, &[]);
    let errors = &record.errors;
    let ended = |kind: &str| errors.get(kind).copied().unwrap_or(0);
    assert_eq!(ended("closed") + ended("reset"), record.sent, "{errors:?}");
}

#[test]
fn a_server_that_takes_nothing_times_out_and_a_request_without_a_body_is_right() {
    // No bytes of a body on any stream: SETTINGS_INITIAL_WINDOW_SIZE.
    let narrow = |frames: &mut Frames| {
        let _ = frames.send(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 0]);
        while let Some(stream) = frames.request() {
            let _ = frames.respond(stream, b"hello");
        }
    };
    let sent = file("http2-narrow", &[b'x'; 1000]);
    let mix = requests(
        "http2-narrow.json",
        &format!(r#""method":"POST","sends":{sent:?}"#),
    );
    let record = driven(narrow, SHORT, &["--mix", &mix]);
    let late = record.errors.get("timeout").copied().unwrap_or(0);
    assert!(late > 0 && record.sent - late <= 10, "{:?}", record.errors);
    let record = driven(narrow, LONG, &[]);
    assert!(record.right > 0 && record.errors.is_empty());
    // No stream at all: SETTINGS_MAX_CONCURRENT_STREAMS.
    let record = driven(
        |frames| {
            let _ = frames.send(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 0]);
            frames.listen();
        },
        SHORT,
        &[],
    );
    assert_eq!(record.errors.get("timeout"), Some(&record.sent));
}

#[test]
fn a_body_that_never_ends_times_out() {
    among(&["timeout"], |frames| {
        while let Some(stream) = frames.request() {
            let _ = frames.send(HEADERS, END_HEADERS, stream, OK);
            while frames.data(stream, 0, &[b'x'; 16_000]) {}
        }
    });
}

#[test]
fn a_window_that_overflows_is_malformed() {
    only("malformed", |frames| {
        let _ = frames.request();
        let _ = frames.send(WINDOW_UPDATE, 0, 0, &0x7fff_ffff_u32.to_be_bytes());
        frames.listen();
    });
}

#[test]
fn a_length_that_the_body_does_not_have_is_malformed() {
    only("malformed", |frames| {
        while let Some(stream) = frames.request() {
            // content-length: 9
            let _ = frames.send(HEADERS, END_HEADERS, stream, b"\x88\x0f\x0d\x019");
            let _ = frames.data(stream, END, b"hello");
        }
    });
}

#[test]
fn a_server_that_says_nothing_times_out_and_one_that_garbles_is_malformed() {
    only("timeout", Frames::listen);
    only("malformed", |frames| {
        let _ = frames.request();
        let _ = frames.write(b"HTTP/1.1 400 Bad Request\r\n\r\nthis is not what was agreed to");
        thread::sleep(Duration::from_secs(60));
    });
}
