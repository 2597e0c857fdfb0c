//! What is asked: the requests with their weights, and the right answer to each.

mod compression;
mod file;
mod pages;
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
use crate::tally::fault::Fault;
use pages::{Head, Pages};

pub use compression::Compression;

/// The share of answers looked at where nothing else is said.
const SAMPLE: f64 = 0.01;

/// One kind of request: a page, or a set of pages that are asked for by a skew.
#[derive(Debug)]
struct Request {
    pages: Pages,
    skew: Skew,
    status: u16,
    /// The share of answers whose bodies are looked at; 0 where there is nothing to look for.
    sample: f64,
}

/// The request to send next, and whether the body of its answer is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    request: usize,
    page: usize,
    sampled: bool,
}

/// Where one thread stands in the mix: its own chance, and its own place in every set that is asked for in order.
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
    /// Whether compressed answers are asked for.
    gzip: bool,
}

impl Mix {
    /// The one request for the URL's own path; any answer with status 200 is right. With `gzip` compressed answers are
    /// asked for, and a sample of them is inflated.
    pub fn single(url: &Url, gzip: bool) -> Self {
        let sample = if gzip { SAMPLE } else { 0.0 };
        Self::only(url, pages::RightBody::default(), gzip, sample)
    }

    /// The one request for the URL's own path, whose right body is this; a sample of the answers is compared with it.
    pub fn page(url: &Url, body: Vec<u8>) -> Self {
        let right = pages::RightBody {
            length_bytes: u64::try_from(body.len()).ok(),
            content: pages::KnownContent::Bytes(body),
        };
        Self::only(url, right, false, SAMPLE)
    }

    /// Reads a file of requests, and the files with bodies and pages that it names.
    ///
    /// # Errors
    /// The file cannot be read, is not of its form, or a file that it names is wrong: wrong words.
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

    /// Where thread `thread` (from 0) of `threads` begins. Chance comes from `random`, a stream of the thread's own; in
    /// a set that is asked for in order, the thread takes every `threads`-th page, so that all together walk it.
    pub fn draws(&self, random: Random, thread: usize, threads: usize) -> Draws {
        Draws {
            random,
            turns: vec![SequencePosition::new(thread, threads); self.requests.len()],
        }
    }

    /// Draws the next request by weight; chance is used only where there is something to choose. Allocates nothing.
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

    /// How long the right body is as it comes; `None` where nobody knows, as where it may be compressed.
    pub fn length_bytes(&self, drawn: Drawn) -> Option<u64> {
        self.right_bytes(drawn).filter(|_| !self.gzip)
    }

    /// What is looked at in the answer's body, where the answer is one of the sample.
    pub fn check(&self, drawn: Drawn) -> Option<Check<'_>> {
        drawn.sampled.then(|| Check {
            inflates: self.gzip,
            length_bytes: self.right_bytes(drawn),
            content: self.requests[drawn.request].pages.content(drawn.page),
        })
    }

    /// What is wrong with a whole answer, the gravest first; `None` when it is right.
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

    /// The counts of compressed answers, where such are asked for.
    pub fn compression(&self) -> Option<Compression> {
        self.gzip.then(Compression::default)
    }

    fn only(url: &Url, right: pages::RightBody, gzip: bool, sample: f64) -> Self {
        let only = Request {
            pages: Pages::single(&Head { url, gzip }, &url.path, right),
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
