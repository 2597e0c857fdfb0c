//! Where a value is in a response: a JSON field, a header, or what a regular expression matches.

use std::borrow::Cow;

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::util::syntax;

use super::json_field;
use super::kept::Kept;

/// Where a value is in a response.
#[derive(Clone, Debug)]
pub enum Find {
    /// In this field of the JSON body.
    Json(Vec<String>),
    /// In the first header of this name: all of it, or what the expression matches.
    Header(String, Option<Regex>),
    /// What the expression matches in the body.
    Body(Regex),
}

impl Find {
    /// The value; `None` if it is not there.
    pub fn find<'k>(&'k self, kept: &'k Kept) -> Option<Cow<'k, [u8]>> {
        match self {
            Self::Json(pointer) => json_field::field(kept.body(), pointer),
            Self::Header(name, regex) => {
                let value = kept.headers(name).next()?;
                let value = match regex {
                    Some(regex) => matched(regex, value)?,
                    None => value,
                };
                Some(Cow::Borrowed(value))
            }
            Self::Body(regex) => matched(regex, kept.body()).map(Cow::Borrowed),
        }
    }

    /// Whether the body is looked at.
    pub fn needs_body(&self) -> bool {
        !matches!(self, Self::Header(..))
    }
}

/// Reads a regular expression, for bytes that need not be text.
///
/// # Errors
/// It is not one.
pub fn regex(text: &str) -> Result<Regex, String> {
    let bytes = syntax::Config::new().utf8(false);
    Regex::builder().syntax(bytes).build(text).map_err(|error| {
        let why = error
            .syntax_error()
            .map_or_else(|| error.to_string(), ToString::to_string);
        format!("{text:?} is not a regular expression: {why}")
    })
}

/// The first group of the first match, or the whole match if the expression has no group.
fn matched<'b>(regex: &Regex, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let mut slots: [Option<NonMaxUsize>; 4] = [None; 4];
    let _ = regex.search_slots(&Input::new(bytes), &mut slots)?;
    let from = if regex
        .group_info()
        .group_len(regex_automata::PatternID::ZERO)
        > 1
    {
        2
    } else {
        0
    };
    bytes.get(slots[from]?.get()..slots[from + 1]?.get())
}

#[cfg(test)]
mod tests {
    use super::{Find, regex};
    use crate::http::answer::Keep;
    use crate::http::session::kept::Kept;

    fn found(find: &Find) -> Option<String> {
        let mut kept = Kept::default();
        kept.begin(find.needs_body());
        kept.head(b"HTTP/1.1 302 x\r\nLocation: http://h:1/notes/12\r\nLocation: /2\r\n\r\n");
        Keep::body(&mut kept, b"\xff<p>one</p><p>two</p> {}");
        let value = find.find(&kept)?;
        Some(String::from_utf8_lossy(&value).into_owned())
    }

    #[test]
    fn a_value_is_the_first_group_or_the_whole_match() {
        let body = |text| found(&Find::Body(regex(text).expect("an expression")));
        assert_eq!(body("<p>(.*?)</p>").as_deref(), Some("one"));
        assert_eq!(body("t.o").as_deref(), Some("two"));
        assert_eq!(body(r"\{(x)?\}"), None);
        assert_eq!(body("three"), None);
        assert_eq!(body("").as_deref(), Some(""));
    }

    #[test]
    fn a_header_is_found_by_its_name_and_searched() {
        let header = |name: &str, text: Option<&str>| {
            let regex = text.map(|text| regex(text).expect("an expression"));
            found(&Find::Header(name.to_owned(), regex))
        };
        assert_eq!(
            header("location", None).as_deref(),
            Some("http://h:1/notes/12")
        );
        assert_eq!(
            header("Location", Some("/notes/([0-9]+)$")).as_deref(),
            Some("12")
        );
        assert_eq!(header("Location", Some("/other")), None);
        assert_eq!(header("X", None), None);
    }

    #[test]
    fn what_is_not_an_expression_is_refused_with_the_reason() {
        assert!(regex("(a").is_err_and(|why| why.contains("unclosed group")));
    }
}
