//! What is asked: the requests with their weights, and the right answer to each.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::complaint::Complaint;
use crate::fault::Fault;
use crate::http::answer::Answer;
use crate::random::Random;
use crate::url::{Url, is_path};

/// One kind of request, ready to be written, and what the right answer to it is.
#[derive(Debug)]
pub struct Request {
    /// The bytes to send.
    pub bytes: Vec<u8>,
    status: u16,
    length_bytes: Option<u64>,
    body: Option<Vec<u8>>,
    sample: f64,
}

impl Request {
    /// The body to compare the answer's with, where this answer is one of the sample.
    pub fn expected(&self, sampled: bool) -> Option<&[u8]> {
        self.body.as_deref().filter(|_| sampled)
    }

    /// What is wrong with a whole answer, the gravest first; `None` when it is right.
    pub fn judge(&self, answer: &Answer) -> Option<Fault> {
        if answer.status != self.status {
            Some(Fault::WrongStatus)
        } else if self
            .length_bytes
            .is_some_and(|length| length != answer.length_bytes)
        {
            Some(Fault::WrongLength)
        } else {
            answer.differs.then_some(Fault::WrongBody)
        }
    }
}

/// The request to send next: its number in the mix, and whether the body of its answer is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Which request of the mix.
    pub request: usize,
    /// Whether the answer's body is compared with the expected one.
    pub sampled: bool,
}

/// All kinds of request.
#[derive(Debug)]
pub struct Mix {
    /// The requests, in the order of the file.
    pub requests: Vec<Request>,
    /// For each request the share of draws that give it or one before it; the last is above 1.
    up_to: Vec<f64>,
}

impl Mix {
    /// The one request for the URL's own path; any answer with status 200 is right.
    pub fn single(url: &Url) -> Self {
        let bytes = head(url, &url.path);
        let only = Request {
            bytes,
            status: 200,
            length_bytes: None,
            body: None,
            sample: 0.0,
        };
        Self {
            requests: vec![only],
            up_to: vec![2.0],
        }
    }

    /// Reads a file of requests, and the files with the expected bodies that it names.
    ///
    /// # Errors
    /// The file cannot be read, is not of its form, or a body cannot be read: wrong words.
    pub fn read(path: &Path, url: &Url) -> Result<Self, Complaint> {
        let wrong = |why: String| {
            let remedy = "Write {\"requests\": [{\"name\": ..., \"weight\": 1, \"path\": \"/...\", \"status\": 200, \
                          \"length_bytes\": N or null, \"body\": FILE or null, \"sample\": 0.01}]}.";
            Complaint::words(format!("the requests of {}", path.display()), why, remedy)
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let file: File = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let total: f64 = file.requests.iter().map(|line| line.weight).sum();
        if !(total.is_finite() && total > 0.0) {
            return Err(wrong("the weights do not add up to more than 0".to_owned()));
        }
        let mut mix = Self {
            requests: Vec::new(),
            up_to: Vec::new(),
        };
        let mut sum = 0.0;
        for line in file.requests {
            sum += line.weight;
            mix.up_to.push(sum / total);
            let name = line.name.clone();
            mix.requests.push(
                line.request(url)
                    .map_err(|why| wrong(format!("request {name:?}: {why}")))?,
            );
        }
        // Rounding must not leave a draw without a request.
        if let Some(last) = mix.up_to.last_mut() {
            *last = 2.0;
        }
        Ok(mix)
    }

    /// Draws the next request by weight; chance is used only where there is something to choose.
    pub fn draw(&self, random: &mut Random) -> Drawn {
        let request = if self.requests.len() > 1 {
            let share = random.share();
            self.up_to.partition_point(|&up_to| up_to <= share)
        } else {
            0
        };
        let chosen = &self.requests[request];
        Drawn {
            request,
            sampled: chosen.body.is_some() && random.share() < chosen.sample,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    requests: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    #[serde(default = "one")]
    weight: f64,
    path: String,
    #[serde(default = "ok")]
    status: u16,
    #[serde(default)]
    length_bytes: Option<u64>,
    #[serde(default)]
    body: Option<PathBuf>,
    #[serde(default = "one_percent")]
    sample: f64,
}

fn one() -> f64 {
    1.0
}

fn ok() -> u16 {
    200
}

fn one_percent() -> f64 {
    0.01
}

impl Line {
    fn request(self, url: &Url) -> Result<Request, String> {
        if !(self.weight.is_finite() && self.weight >= 0.0) {
            return Err("the weight is negative or no number".to_owned());
        }
        if !(0.0..=1.0).contains(&self.sample) {
            return Err("the sample is not a share from 0 to 1".to_owned());
        }
        if !is_path(&self.path) {
            return Err(format!(
                "{:?} is not a path that begins with / and has no spaces",
                self.path
            ));
        }
        let body = self.body.as_ref().map(|file| {
            fs::read(file).map_err(|error| format!("the body {}: {error}", file.display()))
        });
        let body = body.transpose()?;
        let body_bytes = body
            .as_ref()
            .map(|body| u64::try_from(body.len()).unwrap_or(u64::MAX));
        if let (Some(told), Some(real)) = (self.length_bytes, body_bytes)
            && told != real
        {
            return Err(format!(
                "length_bytes is {told}, but the body has {real} bytes"
            ));
        }
        let path = format!("{}{}", url.path.trim_end_matches('/'), self.path);
        let length_bytes = self.length_bytes.or(body_bytes);
        Ok(Request {
            bytes: head(url, &path),
            status: self.status,
            length_bytes,
            body,
            sample: self.sample,
        })
    }
}

fn head(url: &Url, path: &str) -> Vec<u8> {
    format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: h2h-load\r\n\r\n",
        url.host
    )
    .into_bytes()
}

#[cfg(test)]
mod tests;
