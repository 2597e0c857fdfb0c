//! The file of requests, as people and `headtohead` write it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::pages::Pages;
use super::request::{Head, Sent};
use super::{Request, SAMPLE};
use crate::connection::url::is_path;
use crate::distribution::skew::{Skew, SkewName};
use crate::distribution::weights::{sample, weight};
use crate::http::right_body::RightBody;

/// Reads the requests with their weights.
///
/// # Errors
/// What is wrong with the file, or with a file that it names.
pub fn read(path: &Path, head: &Head) -> Result<Vec<(f64, Request)>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: File = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let lines = file.requests.into_iter();
    lines
        .map(|line| {
            let (name, weight) = (line.name.clone(), line.weight);
            line.request(head)
                .map(|request| (weight, request))
                .map_err(|why| format!("request {name:?}: {why}"))
        })
        .collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    requests: Vec<RequestEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestEntry {
    name: String,
    #[serde(default = "one")]
    weight: f64,
    #[serde(default = "get")]
    method: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    sends: Option<PathBuf>,
    path: Option<String>,
    urls: Option<PathBuf>,
    skew: Option<SkewName>,
    exponent: Option<f64>,
    #[serde(default = "ok")]
    status: u16,
    length_bytes: Option<u64>,
    body: Option<PathBuf>,
    sha256: Option<String>,
    #[serde(default = "one_percent")]
    sample: f64,
}

fn one() -> f64 {
    1.0
}

fn get() -> String {
    "GET".to_owned()
}

fn ok() -> u16 {
    200
}

fn one_percent() -> f64 {
    SAMPLE
}

impl RequestEntry {
    fn request(self, head: &Head) -> Result<Request, String> {
        let _ = weight(self.weight)?;
        let sample = sample(self.sample)?;
        let body = self.sends.as_ref().map(|file| {
            fs::read(file).map_err(|error| format!("the body to send {}: {error}", file.display()))
        });
        let sent = Sent::new(&self.method, &self.headers, body.transpose()?)?;
        let (pages, skew) = match (&self.path, &self.urls) {
            (Some(path), None) => (self.page(path, &sent, head)?, Skew::Sequential),
            (None, Some(urls)) => self.pages(urls, &sent, head)?,
            _ => return Err("it needs either path or urls".to_owned()),
        };
        let nothing =
            self.urls.is_none() && self.body.is_none() && self.sha256.is_none() && !head.gzip;
        Ok(Request {
            pages,
            skew,
            status: self.status,
            sample: if nothing { 0.0 } else { sample },
        })
    }

    fn page(&self, path: &str, sent: &Sent, head: &Head) -> Result<Pages, String> {
        if self.skew.is_some() || self.exponent.is_some() {
            return Err("skew and exponent are for urls; it has a path".to_owned());
        }
        if !is_path(path) {
            return Err(format!(
                "{path:?} is not a path that begins with / and has no spaces"
            ));
        }
        let right = RightBody::of(
            self.length_bytes,
            self.body.as_deref(),
            self.sha256.as_deref(),
        )?;
        Ok(Pages::single(head, &head.behind(path), sent, right))
    }

    fn pages(&self, urls: &Path, sent: &Sent, head: &Head) -> Result<(Pages, Skew), String> {
        if self.length_bytes.is_some() || self.body.is_some() || self.sha256.is_some() {
            return Err(
                "length_bytes, body and sha256 are for a path; those of urls are in their file"
                    .to_owned(),
            );
        }
        let shape = self.skew.unwrap_or_default().shape(self.exponent)?;
        let pages = Pages::read(urls, head, sent)?;
        let skew = shape.over(pages.len());
        Ok((pages, skew))
    }
}
