//! Sessions: steps in order, each with what it sends, what its response must be, and what is taken from it for later
//! steps.

mod cookies;
pub mod dialogue;
mod file;
mod find;
mod json_field;
mod kept;
mod step;
mod template;
#[cfg(test)]
mod tests;
mod value;

use std::num::NonZeroU32;
use std::path::Path;

use base::error::Error;
use base::random::Random;

use crate::connection::url::Url;
use step::Step;
use value::Source;

/// The script that each session follows.
#[derive(Debug)]
pub struct Session {
    /// At least one.
    steps: Vec<Step>,
    /// Values that are drawn when a session begins.
    sources: Vec<Source>,
    /// How many values there are: those that are drawn, then those that are taken from responses.
    values: usize,
    /// The number of steps.
    calls: NonZeroU32,
}

impl Session {
    /// Reads a file with a session; `None` if it has none, but requests.
    ///
    /// # Errors
    /// The session is wrong, or a file that it names: a usage error.
    pub fn read(path: &Path, url: &Url) -> Result<Option<Self>, Error> {
        let wrong = |why: String| {
            let remedy = "Write {\"session\": {\"values\": {\"text\": {\"letters\": 8}}, \"steps\": [{\"name\": ..., \
                          \"path\": \"/...\", \"take\": {\"token\": {\"json\": \"/token\"}}}]}}; see \
                          crates/load/README.md.";
            Error::usage(format!("the session of {}", path.display()), why, remedy)
        };
        file::read(path, url).map_err(wrong)
    }

    /// The number of steps.
    pub fn calls(&self) -> NonZeroU32 {
        self.calls
    }

    /// Draws the values of a new session; those that are taken from responses are empty until then.
    fn begin(&self, random: &mut Random, values: &mut Vec<Vec<u8>>) {
        values.resize_with(self.values, Vec::new);
        for (source, value) in self.sources.iter().zip(values.iter_mut()) {
            source.draw(random, value);
        }
        values[self.sources.len()..].iter_mut().for_each(Vec::clear);
    }
}
