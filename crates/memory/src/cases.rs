//! The cases of a file: one a line, `operation=triad,stores=ordinary`, in the order to be measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base::error::{Error, kernel_text};
use serde_json::Value;
use wire::Case;

/// The fields of a requested case; known fields are taken out, so that unknown ones are found.
#[derive(Clone, Debug, Default)]
pub struct CaseFields {
    line: String,
    left: BTreeMap<String, String>,
}

impl CaseFields {
    /// The value of a field, once.
    pub fn take(&mut self, field: &str) -> Option<String> {
        self.left.remove(field)
    }

    /// The value of a field among those that there are.
    ///
    /// # Errors
    /// The field is missing, or has another value.
    pub fn one_of<T: Copy>(&mut self, field: &str, known: &[(&str, T)]) -> Result<T, Error> {
        let value = self.take(field);
        let found = known
            .iter()
            .find(|(name, _)| value.as_deref() == Some(*name));
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        found.map(|(_, each)| *each).ok_or_else(|| {
            let why = match value {
                Some(value) => format!("{value:?} is no {field}"),
                None => format!("it names no {field}"),
            };
            self.wrong(
                &why,
                &format!("Write {field}={}.", names.join(&format!(" or {field}="))),
            )
        })
    }

    /// The value of a field that is a whole number.
    ///
    /// # Errors
    /// It is something else.
    pub fn number(&mut self, field: &str) -> Result<Option<u64>, Error> {
        let Some(value) = self.take(field) else {
            return Ok(None);
        };
        let read = value.parse().map(Some);
        read.map_err(|_| {
            let why = format!("{value:?} is not a whole number");
            self.wrong(&why, &format!("Write {field}=4096."))
        })
    }

    /// Makes sure that every field was known.
    ///
    /// # Errors
    /// One was not.
    pub fn done(&self, known: &str) -> Result<(), Error> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(field) => Err(self.wrong(
                &format!("{field} is not one of its fields"),
                &format!("It has {known}."),
            )),
        }
    }

    /// An error of this case.
    pub fn wrong(&self, why: &str, remedy: &str) -> Error {
        Error::usage(format!("The case {:?}", self.line), why, remedy)
    }
}

/// The cases of a file.
///
/// # Errors
/// It cannot be read, holds none, or a line is no case.
pub fn read(file: &Path) -> Result<Vec<CaseFields>, Error> {
    let named = || format!("The cases {}", file.display());
    let text = fs::read_to_string(file).map_err(|error| {
        Error::usage(
            named(),
            kernel_text(&error),
            "Name a file with one case a line.",
        )
    })?;
    let asked: Vec<CaseFields> = text.lines().map(parse).collect::<Result<_, _>>()?;
    if asked.is_empty() {
        let remedy = "Write one a line; an empty line is a case without fields.";
        return Err(Error::usage(named(), "it has no cases", remedy));
    }
    Ok(asked)
}

fn parse(line: &str) -> Result<CaseFields, Error> {
    let line = line.trim();
    let mut asked = CaseFields {
        line: line.to_owned(),
        left: BTreeMap::new(),
    };
    for part in line.split(',').filter(|_| !line.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            asked.wrong(
                "its fields are not written name=value",
                "Write it like operation=triad,stores=ordinary.",
            )
        })?;
        let _ = asked.left.insert(name.to_owned(), value.to_owned());
    }
    Ok(asked)
}

/// A case of fields in their order.
pub fn case<const N: usize>(fields: [(&str, Option<Value>); N]) -> Case {
    let there = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    there.collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn fields_are_taken_by_their_names_and_none_is_left() {
        let mut asked = parse("pages=huge,size_bytes=4096").expect("a case");
        assert_eq!(asked.number("size_bytes").expect("a number"), Some(4096));
        assert!(asked.done("pages").is_err());
        assert!(
            asked
                .one_of("pages", &[("small", 1), ("huge", 2)])
                .is_ok_and(|each| each == 2)
        );
        assert!(asked.done("pages").is_ok());
        assert!(parse("").expect("one without fields").done("").is_ok());
    }

    #[test]
    fn what_is_wrong_with_a_case_is_said_with_what_is_right() {
        let said = [
            parse("triad").expect_err("no field").to_string(),
            parse("pages=giant")
                .expect("a case")
                .one_of("pages", &[("small", 1), ("huge", 2)])
                .expect_err("no such pages")
                .to_string(),
            parse("size_bytes=many")
                .expect("a case")
                .number("size_bytes")
                .expect_err("no number")
                .to_string(),
        ];
        insta::assert_snapshot!(said.join("\n"));
    }
}
