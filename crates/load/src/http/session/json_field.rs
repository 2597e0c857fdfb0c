//! One field of a JSON text, by its JSON Pointer (RFC 6901). The whole text is read, and nothing of it is kept.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize as _, Deserializer};
use serde_json::value::RawValue;

/// Reads a JSON Pointer: `/items/0/id`, or the empty text for the whole.
///
/// # Errors
/// It is not one.
pub fn pointer(text: &str) -> Result<Vec<String>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = || format!("{text:?} is not a JSON Pointer; write \"/token\" or \"/items/0/id\"");
    let steps = text.strip_prefix('/').ok_or_else(wrong)?.split('/');
    Ok(steps
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect())
}

/// The field's value: a text without its quotes and escapes, anything else as it is written. `None` if it is not there,
/// or the bytes are not JSON.
pub fn field<'a>(json: &'a [u8], pointer: &[String]) -> Option<Cow<'a, [u8]>> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let found = Path(pointer).deserialize(&mut reader).ok()??;
    reader.end().ok()?;
    let raw = found.get();
    if !raw.starts_with('"') {
        return Some(Cow::Borrowed(raw.as_bytes()));
    }
    if let Ok(text) = serde_json::from_str::<&str>(raw) {
        return Some(Cow::Borrowed(text.as_bytes()));
    }
    let escaped: String = serde_json::from_str(raw).ok()?;
    Some(Cow::Owned(escaped.into_bytes()))
}

/// What is left of the way to the field.
#[derive(Clone, Copy)]
struct Path<'p>(&'p [String]);

impl<'de> DeserializeSeed<'de> for Path<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        if self.0.is_empty() {
            <&RawValue>::deserialize(reader).map(Some)
        } else {
            reader.deserialize_any(self)
        }
    }
}

impl<'de> Visitor<'de> for Path<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(is_next) = map.next_key_seed(Key(&self.0[0]))? {
            if is_next {
                // Of two fields with one name the last counts, as in most readers.
                found = map.next_value_seed(Path(&self.0[1..]))?;
            } else {
                let _: IgnoredAny = map.next_value()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let place = self.0[0].parse::<u64>().ok();
        let (mut found, mut at) = (None, 0);
        loop {
            if Some(at) == place {
                match items.next_element_seed(Path(&self.0[1..]))? {
                    Some(item) => found = item,
                    None => return Ok(found),
                }
            } else if items.next_element::<IgnoredAny>()?.is_none() {
                return Ok(found);
            }
            at += 1;
        }
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// Whether a key is this one.
struct Key<'p>(&'p str);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<bool, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = bool;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{field, pointer};

    fn found(json: &str, at: &str) -> Option<String> {
        let value = field(json.as_bytes(), &pointer(at).expect("a pointer"))?;
        Some(String::from_utf8(value.into_owned()).expect("text"))
    }

    #[test]
    fn a_field_is_found_by_its_pointer() {
        let json = r#" {"a": {"b": [10, {"c": "x\"y\u00e9"}]}, "n": 1.50, "t": true, "": [], "a/b": "s", "z": null} "#;
        for (at, due) in [
            ("/a/b/0", "10"),
            ("/a/b/1/c", "x\"y\u{e9}"),
            ("/n", "1.50"),
            ("/t", "true"),
            ("/", "[]"),
            ("/a~1b", "s"),
            ("/z", "null"),
            ("/a/b/1", r#"{"c": "x\"y\u00e9"}"#),
        ] {
            assert_eq!(found(json, at).as_deref(), Some(due), "{at}");
        }
        for at in ["/b", "/a/b/2", "/a/b/x", "/n/0", "/t/a", "/a~1b/0", "/z/a"] {
            assert_eq!(found(json, at), None, "{at}");
        }
        assert_eq!(found("7", "").as_deref(), Some("7"));
        assert_eq!(found(r#"{"a":1,"a":"2"}"#, "/a").as_deref(), Some("2"));
    }

    #[test]
    fn what_is_not_json_has_no_field() {
        for json in [
            "",
            "{",
            r#"{"a":1"#,
            r#"{"a":1}x"#,
            "<html>",
            r#"{"a":1,}"#,
            "\u{0}",
        ] {
            assert_eq!(found(json, "/a"), None, "{json}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(found(&deep, "/0/0"), None);
        assert!(pointer("token").is_err_and(|why| why.contains("JSON Pointer")));
    }
}
