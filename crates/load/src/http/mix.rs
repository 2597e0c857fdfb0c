//! What is requested: the requests with their weights, and the correct response to each.

mod compression;
mod file;
mod pages;
pub mod request;
#[cfg(test)]
mod tests;

use std::path::Path;

use base::error::Error;
use base::random::Random;

use crate::connection::url::Url;
use crate::distribution::skew::{SequencePosition, Skew};
use crate::distribution::weights::Weights;
use crate::http::answer::Answer;
use crate::http::body::{Check, Coding};
use crate::http::right_body::{KnownContent, RightBody};
use crate::http2::message;
use crate::tally::fault::Fault;
use pages::Pages;
use request::{Head, Sent};

pub use compression::Compression;

/// The share of responses checked if no other is given.
const SAMPLE: f64 = 0.01;

/// One kind of request: a page, or a set of pages that are drawn with a skew.
#[derive(Debug)]
struct Request {
    pages: Pages,
    skew: Skew,
    status: u16,
    /// The share of responses whose bodies are checked; 0 if there is nothing to check.
    sample: f64,
}

/// The request to send next, and whether the body of its response is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    request: usize,
    page: usize,
    sampled: bool,
}

/// One thread's position in the mix: its own random numbers, and its own position in every set that is drawn in order.
#[derive(Debug)]
pub struct Draws {
    random: Random,
    turns: Vec<SequencePosition>,
}

/// All kinds of request.
#[derive(Debug)]
pub struct Mix {
    requests: Vec<Request>,
    weights: Weights,
    /// Whether compressed responses are requested.
    gzip: bool,
}

impl Mix {
    /// The one request for the URL's own path; any response with status 200 is correct. With `gzip`, compressed
    /// responses are requested, and a sample of them is inflated.
    pub fn single(url: &Url, gzip: bool) -> Self {
        let sample = if gzip { SAMPLE } else { 0.0 };
        Self::only(url, RightBody::default(), gzip, sample)
    }

    /// The one request for the URL's own path, with this correct body; a sample of the responses is compared with it.
    pub fn page(url: &Url, body: Vec<u8>) -> Self {
        let right = RightBody {
            length_bytes: u64::try_from(body.len()).ok(),
            content: KnownContent::Bytes(body),
        };
        Self::only(url, right, false, SAMPLE)
    }

    /// Reads a file of requests, and the files with bodies and pages that it names.
    ///
    /// # Errors
    /// The file cannot be read, has a wrong format, or names a file that is wrong: a usage error.
    pub fn read(path: &Path, url: &Url, gzip: bool) -> Result<Self, Error> {
        let wrong = |why: String| {
            let remedy = "Write {\"requests\": [{\"name\": ..., \"weight\": 1, \"path\": \"/...\", \"status\": 200, \
                          \"length_bytes\": N or null, \"body\": FILE or null, \"sample\": 0.01}]}; in place of path, \
                          length_bytes and body there may be \"urls\": FILE, \"skew\": \"uniform\", \"zipf\" or \"sequential\".";
            Error::usage(format!("the requests of {}", path.display()), why, remedy)
        };
        let weighted = file::read(path, &Head { url, gzip }).map_err(wrong)?;
        let (weights, requests): (Vec<f64>, _) = weighted.into_iter().unzip();
        let weights = Weights::new(&weights).map_err(wrong)?;
        Ok(Self {
            requests,
            weights,
            gzip,
        })
    }

    /// Whether HTTP/2 can send every request.
    ///
    /// # Errors
    /// It cannot send this one: a usage error.
    pub fn check_for_http2(&self) -> Result<(), Error> {
        let pages = self.requests.iter().map(|request| &request.pages);
        let mut all = pages.flat_map(|pages| (0..pages.len()).map(|page| pages.bytes(page)));
        match all.find(|text| message::request(text).is_none()) {
            None => Ok(()),
            Some(text) => {
                let line = text.split(|&byte| byte == b'\r').next().unwrap_or_default();
                Err(Error::usage(
                    format!("the request {}", String::from_utf8_lossy(line)),
                    "HTTP/2 has no such path or header",
                    "Write the path percent-encoded, or use HTTP/1.1: leave out --http 2.",
                ))
            }
        }
    }

    /// The start of thread `thread` (from 0) of `threads`. Random numbers come from `random`, the thread's own stream;
    /// in a set that is drawn in order, the thread takes every `threads`-th page, so that all together walk it.
    pub fn draws(&self, random: Random, thread: usize, threads: usize) -> Draws {
        Draws {
            random,
            turns: vec![SequencePosition::new(thread, threads); self.requests.len()],
        }
    }

    /// Draws the next request by weight; a random number is used only if there is a choice. Allocates nothing.
    pub fn draw(&self, draws: &mut Draws) -> Drawn {
        let request = self.weights.draw(&mut draws.random);
        let chosen = &self.requests[request];
        let turn = &mut draws.turns[request];
        let page = chosen
            .skew
            .draw(chosen.pages.len(), &mut draws.random, turn);
        Drawn {
            request,
            page,
            sampled: chosen.sample > 0.0 && draws.random.share() < chosen.sample,
        }
    }

    /// The bytes to send.
    pub fn bytes(&self, drawn: Drawn) -> &[u8] {
        self.requests[drawn.request].pages.bytes(drawn.page)
    }

    /// Length of the correct body as it comes; `None` if it is not known, as when it may be compressed.
    pub fn length_bytes(&self, drawn: Drawn) -> Option<u64> {
        self.right_bytes(drawn).filter(|_| !self.gzip)
    }

    /// What is checked in the response's body, if the response is sampled.
    pub fn check(&self, drawn: Drawn) -> Option<Check<'_>> {
        drawn.sampled.then(|| Check {
            inflates: self.gzip,
            length_bytes: self.right_bytes(drawn),
            content: self.requests[drawn.request].pages.content(drawn.page),
        })
    }

    /// What is wrong with a whole response, the gravest first; `None` if it is correct.
    pub fn judge(&self, drawn: Drawn, answer: &Answer) -> Option<Fault> {
        let inflated = match (self.gzip, answer.coding, answer.inflated_bytes) {
            (true, Coding::Other, _) | (true, _, Some(Err(_))) => {
                return self.status(drawn, answer).or(Some(Fault::NotInflated));
            }
            (true, Coding::Gzip, Some(Ok(bytes))) => Some(bytes),
            (true, Coding::Gzip, None) => None,
            _ => Some(answer.length_bytes),
        };
        let due = self.right_bytes(drawn);
        let wrong_length = due.is_some_and(|due| inflated.is_some_and(|bytes| bytes != due));
        self.status(drawn, answer)
            .or(wrong_length.then_some(Fault::WrongLength))
            .or(answer.differs.then_some(Fault::WrongBody))
    }

    /// The counts of compressed responses, if they are requested.
    pub fn compression(&self) -> Option<Compression> {
        self.gzip.then(Compression::default)
    }

    fn only(url: &Url, right: RightBody, gzip: bool, sample: f64) -> Self {
        let only = Request {
            pages: Pages::single(&Head { url, gzip }, &url.path, &Sent::default(), right),
            skew: Skew::Sequential,
            status: 200,
            sample,
        };
        Self {
            requests: vec![only],
            weights: Weights::one(),
            gzip,
        }
    }

    fn status(&self, drawn: Drawn, answer: &Answer) -> Option<Fault> {
        let due = self.requests[drawn.request].status;
        (answer.status != due).then_some(Fault::WrongStatus)
    }

    fn right_bytes(&self, drawn: Drawn) -> Option<u64> {
        self.requests[drawn.request].pages.length_bytes(drawn.page)
    }
}
