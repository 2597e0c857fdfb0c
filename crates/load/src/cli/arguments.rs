//! Arguments as people type them, turned into values: rates, addresses, cases. Errors show how to write them.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;

use serde_json::Value;

use crate::connection::url;

/// A program and its arguments, as one argument of the command line.
#[derive(Clone, Debug)]
pub struct Program(pub Vec<String>);

/// A program: a JSON list of texts.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn program(text: &str) -> Result<Program, String> {
    match serde_json::from_str::<Vec<String>>(text) {
        Ok(argv) if !argv.is_empty() => Ok(Program(argv)),
        _ => Err("it is not a list of texts; write [\"rm\", \"-f\", \"out\"]".to_owned()),
    }
}

/// A rate: a number above 0 and at most ten million a second.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn rate(text: &str) -> Result<f64, String> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text.parse::<f64>() {
        Ok(rate) if plain && rate > 0.0 && rate <= 1e7 => Ok(rate),
        _ => Err("it is not a number above 0; write 2000 or 0.5, at most 10000000".to_owned()),
    }
}

/// A number of calls, at least 1.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn calls(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| "it is not a whole number above 0; write 5".to_owned())
}

/// An address. Names other than `localhost` are refused: the statically linked program uses no name service.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn host(text: &str) -> Result<IpAddr, String> {
    if text == "localhost" {
        return Ok(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    text.parse()
        .map_err(|_| "it is not an IP address; write the address, as in 127.0.0.1".to_owned())
}

/// A path as in a URL.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn path(text: &str) -> Result<String, String> {
    if url::is_path(text) {
        Ok(text.to_owned())
    } else {
        Err("it does not begin with / or has a space in it; write /article.html".to_owned())
    }
}

/// A case: a JSON object whose values are texts, numbers or truth values.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn case(text: &str) -> Result<wire::Case, String> {
    let remedy = "write a JSON object such as {\"connections\":10}";
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(fields)) => match fields.iter().find(|(_, value)| !is_scalar(value)) {
            Some((name, _)) => Err(format!(
                "{name} is neither a text, a number nor a truth value; {remedy}"
            )),
            None => Ok(fields),
        },
        Ok(_) => Err(format!("it is not an object; {remedy}")),
        Err(error) => Err(format!("{error}; {remedy}")),
    }
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}

#[cfg(test)]
mod tests {
    use super::{case, host, program, rate};

    #[test]
    fn a_rate_is_a_number_above_0() {
        for (text, due) in [("2000", 2000.0), ("0.5", 0.5), ("10000000", 1e7)] {
            assert!(rate(text).expect("a rate").total_cmp(&due).is_eq());
        }
        for wrong in [
            "", "0", "0.0", "-1", "+1", "1e3", "inf", "NaN", "10000001", "1/s",
        ] {
            assert!(rate(wrong).is_err(), "{wrong} was taken for a rate");
        }
    }

    #[test]
    fn a_program_is_a_list_of_texts() {
        let argv = program(r#"["rm", "-f", "a b"]"#).expect("a program").0;
        assert_eq!(argv, ["rm", "-f", "a b"]);
        for wrong in ["", "rm", "[]", "[1]", "{}"] {
            assert!(program(wrong).is_err(), "{wrong} was taken for a program");
        }
    }

    #[test]
    fn a_host_is_an_address_or_this_machine() {
        for (text, due) in [
            ("localhost", "127.0.0.1"),
            ("10.0.0.7", "10.0.0.7"),
            ("::1", "::1"),
        ] {
            assert_eq!(host(text).map(|host| host.to_string()).as_deref(), Ok(due));
        }
        for wrong in ["", "example.org", "127.0.0.1:80", "[::1]"] {
            assert!(host(wrong).is_err(), "{wrong} was taken for a host");
        }
    }

    #[test]
    fn a_case_is_an_object_of_scalars() {
        let fields = case(r#"{"connections":10,"gzip":"on"}"#).expect("a case");
        assert_eq!(fields.len(), 2);
        for wrong in ["", "[]", "3", r#"{"a":[1]}"#, r#"{"a":null}"#, "{"] {
            assert!(case(wrong).is_err(), "{wrong} was taken for a case");
        }
    }
}
