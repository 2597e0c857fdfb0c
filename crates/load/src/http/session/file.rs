//! The file of a session, as people and `headtohead` write it.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Session;
use super::find::{Find, regex};
use super::json_field::pointer;
use super::step::Step;
use super::template::{Template, is_name};
use super::value::Source;
use crate::connection::url::{Url, is_path};
use crate::http::mix::request::{Head, Sent};
use crate::http::right_body::RightBody;

/// More letters are no name and no key.
const MOST_LETTERS: usize = 4096;

/// Methods whose requests may be sent twice (RFC 9110, section 9.2.2).
const IDEMPOTENT: [&str; 4] = ["GET", "PUT", "DELETE", "OPTIONS"];

/// Reads the session of a file; `None` if it has none, or cannot be read as JSON at all.
///
/// # Errors
/// What is wrong with the session, or with a file that it names.
pub fn read(path: &Path, url: &Url) -> Result<Option<Session>, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    match serde_json::from_str::<Outline>(&text) {
        Ok(Outline { session: Some(_) }) => parse(&text, url).map(Some),
        _ => Ok(None),
    }
}

/// Reads a file that has a session.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str, url: &Url) -> Result<Session, String> {
    let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    file.session.session(url)
}

#[derive(Deserialize)]
struct Outline {
    session: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    session: SessionEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionEntry {
    #[serde(default)]
    values: BTreeMap<String, ValueEntry>,
    steps: Vec<StepEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueEntry {
    letters: Option<usize>,
    from: Option<u64>,
    to: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepEntry {
    name: String,
    #[serde(default = "get")]
    method: String,
    path: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    sends: Option<PathBuf>,
    text: Option<String>,
    #[serde(default = "ok")]
    status: u16,
    length_bytes: Option<u64>,
    body: Option<PathBuf>,
    sha256: Option<String>,
    #[serde(default)]
    values: Vec<CheckEntry>,
    #[serde(default)]
    take: BTreeMap<String, FindEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindEntry {
    json: Option<String>,
    header: Option<String>,
    regex: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckEntry {
    json: Option<String>,
    header: Option<String>,
    regex: Option<String>,
    equals: Option<String>,
}

fn get() -> String {
    "GET".to_owned()
}

fn ok() -> u16 {
    200
}

impl SessionEntry {
    fn session(self, url: &Url) -> Result<Session, String> {
        let (mut names, mut sources) = (Vec::new(), Vec::new());
        for (name, value) in self.values {
            sources.push(
                value
                    .source()
                    .map_err(|why| format!("value {name:?}: {why}"))?,
            );
            let _ = add(&mut names, name)?;
        }
        let mut steps = Vec::new();
        for entry in self.steps {
            let name = entry.name.clone();
            let step = entry.step(url, &mut names);
            steps.push(step.map_err(|why| format!("step {name:?}: {why}"))?);
        }
        let calls = u32::try_from(steps.len()).ok().and_then(NonZeroU32::new);
        Ok(Session {
            calls: calls.ok_or("it has no steps")?,
            steps,
            sources,
            values: names.len(),
        })
    }
}

/// Adds the name of a value; returns its number. A value may be taken again by a later step.
fn add(names: &mut Vec<String>, name: String) -> Result<usize, String> {
    if !is_name(&name) {
        return Err(format!(
            "{name:?} is not the name of a value: write small letters, digits and _, as in \"token\""
        ));
    }
    if let Some(number) = names.iter().position(|known| *known == name) {
        return Ok(number);
    }
    names.push(name);
    Ok(names.len() - 1)
}

impl ValueEntry {
    fn source(&self) -> Result<Source, String> {
        match (self.letters, self.from, self.to) {
            (Some(letters @ 1..=MOST_LETTERS), None, None) => Ok(Source::Letters(letters)),
            (None, Some(from), Some(to)) if from <= to => {
                let count = usize::try_from(to - from)
                    .ok()
                    .and_then(|span| span.checked_add(1));
                let count = count.ok_or("there are more numbers than can be counted")?;
                Ok(Source::Number { from, count })
            }
            _ => {
                Err("write {\"letters\": N}, at most 4096, or {\"from\": A, \"to\": B}".to_owned())
            }
        }
    }
}

impl StepEntry {
    /// The step; what it takes is added to the names of values, for later steps.
    fn step(self, url: &Url, names: &mut Vec<String>) -> Result<Step, String> {
        if !is_path(&self.path) {
            let path = &self.path;
            return Err(format!(
                "{path:?} is not a path that begins with / and has no spaces"
            ));
        }
        if self
            .headers
            .keys()
            .any(|name| name.eq_ignore_ascii_case("cookie"))
        {
            return Err(
                "h2h-load writes the header Cookie itself, with the session's cookies".to_owned(),
            );
        }
        let sent = Sent::new(&self.method, &self.headers, None)?;
        let head = Head { url, gzip: false };
        let bytes = head.request(&head.behind(&self.path), &sent);
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let (line, headers) = text.split_once("\r\n").unwrap_or((&text, ""));
        let headers = headers.strip_suffix("\r\n").unwrap_or(headers);
        let checks = self.values.iter().map(|check| check.check(names));
        Ok(Step {
            line: Template::parse(line, names)?,
            headers: Template::parse(headers, names)?,
            body: self.sent_body(names)?,
            idempotent: IDEMPOTENT.contains(&self.method.as_str()),
            status: self.status,
            right: RightBody::of(
                self.length_bytes,
                self.body.as_deref(),
                self.sha256.as_deref(),
            )?,
            checks: checks.collect::<Result<_, _>>()?,
            takes: taken(self.take, names)?,
            name: self.name,
        })
    }

    fn sent_body(&self, names: &[String]) -> Result<Option<Template>, String> {
        match (&self.sends, &self.text) {
            (None, None) => Ok(None),
            (None, Some(text)) => Template::parse(text, names).map(Some),
            (Some(file), None) => {
                let wrong = |why: String| format!("the body to send {}: {why}", file.display());
                let bytes = fs::read(file).map_err(|error| wrong(error.to_string()))?;
                Template::of_bytes(bytes, names).map(Some).map_err(wrong)
            }
            (Some(_), Some(_)) => Err("it has both sends and text; write one of them".to_owned()),
        }
    }
}

fn taken(
    take: BTreeMap<String, FindEntry>,
    names: &mut Vec<String>,
) -> Result<Vec<(Find, usize)>, String> {
    take.into_iter()
        .map(|(name, entry)| {
            let find = find(entry.json.as_deref(), entry.header, entry.regex.as_deref())?;
            Ok((find, add(names, name)?))
        })
        .collect()
}

impl CheckEntry {
    fn check(&self, names: &[String]) -> Result<(Find, Option<Template>), String> {
        let find = find(
            self.json.as_deref(),
            self.header.clone(),
            self.regex.as_deref(),
        )?;
        let equals = self
            .equals
            .as_ref()
            .map(|text| Template::parse(text, names));
        Ok((find, equals.transpose()?))
    }
}

fn find(json: Option<&str>, header: Option<String>, pattern: Option<&str>) -> Result<Find, String> {
    match (json, header, pattern) {
        (Some(json), None, None) => pointer(json).map(Find::Json),
        (None, Some(header), pattern) => Ok(Find::Header(header, pattern.map(regex).transpose()?)),
        (None, None, Some(pattern)) => regex(pattern).map(Find::Body),
        _ => {
            Err("a value is found by json, by header, by regex, or by header and regex".to_owned())
        }
    }
}
