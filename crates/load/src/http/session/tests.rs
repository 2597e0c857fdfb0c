//! The reader of session files, a session by hand, and responses as they may be spoiled on their way.

mod steps;

use base::random::Random;

use super::Session;
use super::dialogue::{SessionDialogue, SessionReader};
use super::file::parse;
use crate::connection::url;
use crate::dialogue::{CheckedResponse, Dialogue, Malformed, ThreadContext};
use crate::spoiled::{change, cuts, repeat, timed};
use crate::tally::fault::Fault;

const NOTES: &str = r#"{"session": {"values": {"text": {"letters": 5}}, "steps": [
  {"name": "log-in", "method": "POST", "path": "/login", "text": "user=ann", "take": {"token": {"json": "/token"}}},
  {"name": "post", "method": "POST", "path": "/notes", "headers": {"Authorization": "Bearer @token@"},
   "text": "@text@", "status": 201, "take": {"id": {"header": "Location", "regex": "/notes/([0-9]+)$"}}},
  {"name": "read-back", "path": "/notes/@id@", "values": [{"regex": "<p>(.*)</p>", "equals": "@text@"}]}]}}"#;

const LOGGED_IN: &[u8] =
    b"HTTP/1.1 200 OK\r\nSet-Cookie: s=1\r\nSet-Cookie: t=2\r\nContent-Length: 17\r\n\r\n{\"token\": \"abc\"} ";
const POSTED: &[u8] = b"HTTP/1.1 201 Created\r\nLocation: http://h/notes/7\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";

fn session(text: &str) -> Result<Session, String> {
    parse(
        text,
        &url::parse("http://127.0.0.1:80/base/").expect("a URL"),
    )
}

fn dialogue(session: &Session) -> SessionDialogue<'_> {
    let context = ThreadContext {
        thread: 0,
        threads: 1,
        random: Random::new(1),
    };
    SessionDialogue::new(session, context)
}

/// One step by hand: the bytes of its request, and the checked response in these pieces.
fn step(
    talk: &mut SessionDialogue,
    reader: &mut SessionReader,
    first: bool,
    pieces: &[&[u8]],
) -> (String, Result<Option<CheckedResponse>, Malformed>) {
    let number = talk.draw(reader, first);
    let mut scratch = b"old".to_vec();
    let request = talk.request(reader, number, number == 2, &mut scratch);
    let request = String::from_utf8_lossy(request).into_owned();
    talk.begin(reader, number);
    let mut answer = Ok(None);
    for piece in pieces {
        answer = talk.feed(reader, number, piece);
        if answer != Ok(None) {
            break;
        }
    }
    (request, answer)
}

fn fault(answer: Result<Option<CheckedResponse>, Malformed>) -> Option<Fault> {
    answer.expect("HTTP").expect("a whole response").fault
}

#[test]
fn a_session_sends_what_earlier_responses_held() {
    let session = session(NOTES).expect("a session");
    let (mut talk, mut reader) = (dialogue(&session), SessionReader::default());
    assert_eq!(talk.kinds(), ["log-in", "post", "read-back"]);
    let (request, answer) = step(&mut talk, &mut reader, true, &[LOGGED_IN]);
    assert_eq!(
        request,
        "POST /base/login HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: h2h-load\r\nContent-Length: 8\r\n\r\nuser=ann"
    );
    assert_eq!(fault(answer), None);
    let (request, answer) = step(
        &mut talk,
        &mut reader,
        false,
        &[&POSTED[..60], &POSTED[60..]],
    );
    assert!(request.contains(
        "\r\nAuthorization: Bearer abc\r\nCookie: s=1; t=2\r\nContent-Length: 5\r\n\r\n"
    ));
    let text = request[request.len() - 5..].to_owned();
    assert_eq!(fault(answer), None);
    let page = format!("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n<p>{text}</p>");
    let (request, answer) = step(&mut talk, &mut reader, false, &[page.as_bytes()]);
    assert!(request.starts_with("GET /base/notes/7 HTTP/1.1\r\n"));
    assert!(request.ends_with("\r\nConnection: close\r\n\r\n"));
    assert_eq!(fault(answer), None);

    // The next session knows nothing of it: what is now a stale text is wrong.
    let (request, _) = step(&mut talk, &mut reader, true, &[LOGGED_IN]);
    assert!(!request.contains("Cookie"));
    let _ = step(&mut talk, &mut reader, false, &[POSTED]);
    let (_, answer) = step(&mut talk, &mut reader, false, &[page.as_bytes()]);
    assert_eq!(fault(answer), Some(Fault::WrongValue));
    assert_eq!(
        talk.said().as_deref(),
        Some("the step read-back: wrong-value (status 200, 12 bytes)")
    );
}

#[test]
fn a_response_without_its_value_ends_the_session() {
    let session = session(NOTES).expect("a session");
    for (response, due) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            Fault::WrongValue,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"token\":\"\"}",
            Fault::WrongValue,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"token\":\"\\r1\"}",
            Fault::WrongValue,
        ),
        (
            "HTTP/1.1 403 No\r\nContent-Length: 13\r\n\r\n{\"token\":\"a\"}",
            Fault::WrongStatus,
        ),
    ] {
        let (mut talk, mut reader) = (dialogue(&session), SessionReader::default());
        let (_, answer) = step(&mut talk, &mut reader, true, &[response.as_bytes()]);
        let answer = answer.expect("HTTP").expect("a whole response");
        assert_eq!(
            (answer.fault, answer.ends_session),
            (Some(due), true),
            "{response}"
        );
    }
}

#[test]
fn only_what_may_be_carried_out_twice_is_sent_twice() {
    let session = session(NOTES).expect("a session");
    let (mut talk, mut reader) = (dialogue(&session), SessionReader::default());
    for (first, repeats) in [(true, false), (false, false), (false, true)] {
        let number = talk.draw(&mut reader, first);
        talk.begin(&mut reader, number);
        assert_eq!(talk.repeats(&reader), repeats, "step {number}");
    }
}

#[test]
fn a_session_that_cannot_be_carried_out_is_refused_with_the_reason() {
    let of = |more: &str| {
        let step = format!(r#"{{"name": "a", "path": "/"{more}}}"#);
        session(&format!(r#"{{"session": {{"steps": [{step}]}}}}"#))
    };
    assert!(of("").is_ok());
    for (more, why) in [
        (r#", "text": "@id@""#, "no value is known here"),
        (
            r#", "values": [{"json": "", "equals": "@id@"}], "take": {"id": {"json": ""}}"#,
            "no value",
        ),
        (r#", "headers": {"cookie": "a"}"#, "Cookie itself"),
        (r#", "headers": {"Host": "a"}"#, "Host itself"),
        (r#", "text": "a", "sends": "b""#, "both sends and text"),
        (r#", "sends": "/none/b""#, "/none/b"),
        (r#", "sha256": "12""#, "SHA-256"),
        (r#", "take": {"A": {"json": ""}}"#, "name of a value"),
        (r#", "take": {"a": {"json": "", "regex": ""}}"#, "found by"),
        (r#", "values": [{"regex": "("}]"#, "regular expression"),
        (r#", "extra": 1"#, "unknown field"),
    ] {
        let error = of(more).err().unwrap_or_default();
        assert!(error.contains(why), "{more} gave {error:?}");
    }
    for (text, why) in [
        (r#"{"steps": []}"#, "no steps"),
        (r#"{"steps": [{"name": "a", "path": "a"}]}"#, "not a path"),
        (
            r#"{"values": {"a": {"letters": 0}}, "steps": []}"#,
            "letters",
        ),
        (
            r#"{"values": {"a": {"from": 2, "to": 1}}, "steps": []}"#,
            "letters",
        ),
    ] {
        let error = session(&format!(r#"{{"session": {text}}}"#)).err();
        assert!(error.unwrap_or_default().contains(why), "{text}");
    }
}

/// How the first step ends whose response comes in pieces cut at these places, and what the next one sends.
fn ends(
    session: &Session,
    spoiled: &[u8],
    at: &[usize],
) -> (String, Result<CheckedResponse, Malformed>) {
    let (mut talk, mut reader) = (dialogue(session), SessionReader::default());
    let bounds = [&[0], at, &[spoiled.len()]].concat();
    let pieces = bounds.windows(2).map(|two| &spoiled[two[0]..two[1]]);
    let pieces: Vec<&[u8]> = pieces.collect();
    let (_, answer) = step(&mut talk, &mut reader, true, &pieces);
    let end = answer.and_then(|answer| {
        answer
            .or_else(|| talk.close(&mut reader, 0))
            .ok_or(Malformed)
    });
    (step(&mut talk, &mut reader, false, &[]).0, end)
}

#[test]
fn spoiled_responses_of_a_session_are_read_the_same_however_they_are_cut() {
    let session = session(NOTES).expect("a session");
    let examples = [LOGGED_IN.to_vec(), POSTED.to_vec()];
    let tokens: [&[u8]; 8] = [
        b"Set-Cookie: a=b; Max-Age=0\r\n",
        b"Location: /notes/1\r\n",
        b"\r\n\r\n",
        b"{\"token\":",
        b"\\u00",
        b";",
        b"=",
        b"\"",
    ];
    repeat("responses of a session", 20_000, |random, round| {
        let mut bytes = examples[random.below(examples.len())].clone();
        for _ in 0..=round % 4 {
            change(random, &mut bytes, &tokens, &examples);
        }
        let at = cuts(random, bytes.len());
        let (cpu_ns, whole) = timed(|| ends(&session, &bytes, &[]));
        // A piece may bring what goes on after a whole response; that is found only if it comes with it.
        let pieces = ends(&session, &bytes, &at);
        if whole.1.is_ok() {
            assert_eq!(
                whole,
                pieces,
                "{:?} cut at {at:?}",
                String::from_utf8_lossy(&bytes)
            );
        }
        // What the next step sends is one whole head, whatever the server wrote.
        let head = whole.0.split_once("\r\n\r\n").expect("a head").0;
        assert!(
            head.lines().count() <= 7 && !head.contains('\0'),
            "{head:?}"
        );
        cpu_ns
    });
}

#[test]
fn spoiled_files_of_a_session_are_read_or_refused() {
    let tokens: [&[u8]; 6] = [b"@", b"@token@", b"{", b"\"", b"\"take\": {}", b"(("];
    repeat("files of a session", 3000, |random, round| {
        let mut bytes = NOTES.as_bytes().to_vec();
        for _ in 0..=round % 4 {
            change(random, &mut bytes, &tokens, &[NOTES.as_bytes().to_vec()]);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (cpu_ns, read) = timed(|| session(&text));
        assert!(read.is_ok() || read.is_err_and(|why| !why.is_empty()));
        cpu_ns
    });
}
