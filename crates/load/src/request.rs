//! One request, written as HTTP/1.1 on standard input, and its response, printed the same way, whatever the version of
//! HTTP in between. A response is printed as it came; it is not checked.

use std::io::{Read as _, Write as _, stdin, stdout};
use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base::error::Error;

use crate::cli::endpoint::endpoint;
use crate::cli::request::Request;
use crate::connection::peer::Peer;
use crate::connection::tls::Version;
use crate::connection::transport::Endpoint;
use crate::dialogue::{CheckedResponse, Dialogue, Malformed};
use crate::drive::poll::Poll;
use crate::drive::{self, Drive, LoadModel, Outcome};
use crate::http::answer::{Answer, Keep, Reader};
use crate::http2::message;
use crate::tally::fault::Fault;

/// Sends the request, and prints its response.
///
/// # Errors
/// It is no request, the server is not to be trusted or does not speak the version of HTTP, or no response came.
pub fn request(options: &Request) -> Result<(), Error> {
    let (server, within_ns) = (&options.server, options.timeout);
    let endpoint = endpoint(server, None)?;
    let text = written()?;
    check_is_there(&endpoint, within_ns)?;
    let whole = Mutex::new(None);
    let streams = (server.version == Version::Http2).then_some(1);
    let outcome = drive::run(&once(within_ns, streams), &endpoint, &|_| Once {
        text: &text,
        whole: &whole,
    })?;
    match whole.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(response) => stdout().write_all(&response).map_err(|error| {
            let remedy = "Redirect standard output to a file with room.";
            Error::io("the response could not be printed", &error, remedy)
        }),
        None => Err(no_response(&server.url.host, &outcome)),
    }
}

/// The request on standard input.
fn written() -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let read = stdin().read_to_end(&mut text);
    let remedy =
        "Write GET / HTTP/1.1, Host: localhost and an empty line, each line ended by \\r\\n.";
    match read {
        Err(error) => Err(Error::io("the request could not be read", &error, remedy)),
        Ok(_) if message::request(&text).is_none() => {
            let why = "standard input has no method, path and host that can be sent";
            Err(Error::usage("no request", why, remedy))
        }
        Ok(_) => Ok(text),
    }
}

/// Connects once, so that a server that has not started is known from one that does not fit.
fn check_is_there(endpoint: &Endpoint, within_ns: u64) -> Result<(), Error> {
    let Peer::Tcp(address) = &endpoint.peer else {
        return Ok(());
    };
    match TcpStream::connect_timeout(address, Duration::from_nanos(within_ns)) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::no_response(
            format!("no connection to {address}"),
            base::error::kernel_text(&error),
            "Start the server, or check its address and port.",
        )),
    }
}

/// One user who sends one request.
fn once(within_ns: u64, streams: Option<u32>) -> Drive {
    Drive {
        asked: LoadModel::Closed { requests: Some(1) },
        connections: 1,
        streams,
        calls: None,
        think_ns: 0,
        threads: 1,
        poll: Poll::Sleep,
        at_ns: None,
        warm_up_ns: 0,
        duration_ns: within_ns,
        timeout_ns: within_ns,
        late_after_ns: None,
        drains: false,
        keeps_seconds: false,
        keeps_instants: false,
        seed: 1,
    }
}

fn no_response(host: &str, outcome: &Outcome) -> Error {
    let faults = Fault::ALL.iter().zip(outcome.tally.faults);
    let names: Vec<_> = faults
        .filter(|(_, times)| *times > 0)
        .map(|(fault, _)| fault.name())
        .collect();
    let what = format!("no whole response from {host}");
    Error::no_response(what, names.join(" and "), "See the server's log.")
}

/// The conversation: one request, whose response is kept.
struct Once<'a> {
    text: &'a [u8],
    whole: &'a Mutex<Option<Vec<u8>>>,
}

/// A response as far as it has come.
#[derive(Default)]
struct OnceReader {
    answer: Reader,
    kept: Kept,
}

/// No response that is requested by hand is near this.
const MOST_BYTES: usize = 64 << 20;

#[derive(Default)]
struct Kept {
    head: Vec<u8>,
    body: Vec<u8>,
}

impl Keep for Kept {
    fn head(&mut self, bytes: &[u8]) {
        self.head.clear();
        self.head.extend_from_slice(bytes);
    }

    fn body(&mut self, part: &[u8]) {
        // A response without end is kept in part; whoever asked for it finds that it is not what it should be.
        if self.body.len() < MOST_BYTES {
            self.body.extend_from_slice(part);
        }
    }
}

impl Once<'_> {
    fn checked(&self, kept: &mut Kept, answer: &Answer) -> CheckedResponse {
        let mut response = std::mem::take(&mut kept.head);
        response.append(&mut kept.body);
        *self.whole.lock().unwrap_or_else(PoisonError::into_inner) = Some(response);
        CheckedResponse {
            length_bytes: answer.length_bytes,
            keep_alive: answer.keep_alive,
            ..CheckedResponse::default()
        }
    }
}

impl Dialogue for Once<'_> {
    type Drawn = ();
    type Reader = OnceReader;

    fn draw(&mut self, _: &mut OnceReader, _first: bool) {}

    fn request<'b>(&'b self, _: &OnceReader, (): (), _: bool, _: &'b mut Vec<u8>) -> &'b [u8] {
        self.text
    }

    fn begin(&self, reader: &mut OnceReader, (): ()) {
        reader.answer.begin();
        reader.kept = Kept::default();
    }

    fn feed(
        &self,
        reader: &mut OnceReader,
        (): (),
        bytes: &[u8],
    ) -> Result<Option<CheckedResponse>, Malformed> {
        let OnceReader { answer, kept } = reader;
        let whole = answer.feed_kept(bytes, None, kept)?;
        Ok(whole.map(|answer| self.checked(kept, &answer)))
    }

    fn close(&self, reader: &mut OnceReader, (): ()) -> Option<CheckedResponse> {
        let answer = reader.answer.close(None)?;
        Some(self.checked(&mut reader.kept, &answer))
    }
}
