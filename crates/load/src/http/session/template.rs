//! A text with values in it, `@name@`: paths, headers, bodies, and what a response must hold.

/// A text with values in it, read once.
#[derive(Clone, Debug, Default)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(Vec<u8>),
    /// The number of a value.
    Value(usize),
}

impl Template {
    /// Reads a text; `names` are the values that are known where it is used.
    ///
    /// # Errors
    /// It names a value that is not known.
    pub fn parse(text: &str, names: &[String]) -> Result<Self, String> {
        let (mut parts, mut rest, mut from) = (Vec::new(), text, 0);
        while let Some(at) = rest[from..].find('@').map(|at| from + at) {
            let Some(name) = name(&rest[at + 1..]) else {
                from = at + 1;
                continue;
            };
            let known = names.iter().position(|known| known == name);
            let number = known.ok_or_else(|| unknown(name, names))?;
            if at > 0 {
                parts.push(Part::Text(rest.as_bytes()[..at].to_vec()));
            }
            parts.push(Part::Value(number));
            rest = &rest[at + name.len() + 2..];
            from = 0;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.as_bytes().to_vec()));
        }
        Ok(Self { parts })
    }

    /// Reads bytes; what is not text has no values in it.
    ///
    /// # Errors
    /// It names a value that is not known.
    pub fn of_bytes(bytes: Vec<u8>, names: &[String]) -> Result<Self, String> {
        match String::from_utf8(bytes) {
            Ok(text) => Self::parse(&text, names),
            Err(error) => Ok(Self {
                parts: vec![Part::Text(error.into_bytes())],
            }),
        }
    }

    /// Its length with these values.
    pub fn length(&self, values: &[Vec<u8>]) -> usize {
        self.pieces(values).map(<[u8]>::len).sum()
    }

    /// Adds it to `out`, with these values.
    pub fn render(&self, values: &[Vec<u8>], out: &mut Vec<u8>) {
        self.pieces(values)
            .for_each(|piece| out.extend_from_slice(piece));
    }

    /// Adds it to `out` as part of a path: bytes of values that no path may have are percent-encoded.
    pub fn render_path(&self, values: &[Vec<u8>], out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Value(number) => values[*number].iter().for_each(|&byte| encode(byte, out)),
            }
        }
    }

    /// Whether it is these bytes, with these values.
    pub fn is(&self, values: &[Vec<u8>], bytes: &[u8]) -> bool {
        let mut rest = bytes;
        self.pieces(values).all(|piece| {
            let after = rest.strip_prefix(piece);
            rest = after.unwrap_or(rest);
            after.is_some()
        }) && rest.is_empty()
    }

    fn pieces<'a>(&'a self, values: &'a [Vec<u8>]) -> impl Iterator<Item = &'a [u8]> {
        self.parts.iter().map(|part| match part {
            Part::Text(text) => text.as_slice(),
            Part::Value(number) => values[*number].as_slice(),
        })
    }
}

/// Whether a value may have this name.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_lowercase())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The name that `text` begins with, if an `@` ends it.
fn name(text: &str) -> Option<&str> {
    text.split_once('@')
        .map(|(name, _)| name)
        .filter(|name| is_name(name))
}

fn unknown(name: &str, names: &[String]) -> String {
    let known = if names.is_empty() {
        "no value is known here".to_owned()
    } else {
        format!("the values known here are {}", names.join(", "))
    };
    format!("@{name}@ is not a value: {known}")
}

fn encode(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    if byte.is_ascii_graphic() && byte != b'#' {
        out.push(byte);
    } else {
        let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
        out.extend_from_slice(&[b'%', DIGITS[high], DIGITS[low]]);
    }
}

#[cfg(test)]
mod tests {
    use super::Template;

    fn names() -> Vec<String> {
        ["user", "id_2"].map(str::to_owned).to_vec()
    }

    fn rendered(text: &str) -> String {
        let values = [b"ann".to_vec(), b"a #\r\xff".to_vec()];
        let template = Template::parse(text, &names()).expect("a template");
        let mut out = Vec::new();
        template.render(&values, &mut out);
        assert_eq!(out.len(), template.length(&values));
        assert!(template.is(&values, &out));
        out.push(b'!');
        assert!(!template.is(&values, &out));
        assert!(!template.is(&values, b"other"));
        let _ = out.pop();
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn values_take_the_place_of_their_names() {
        for (text, due) in [
            ("@user@", "ann"),
            ("/@user@/@user@?a", "/ann/ann?a"),
            ("a@b.c, @user", "a@b.c, @user"),
            ("@@user@@", "@ann@"),
            ("x@User@user@", "x@Userann"),
        ] {
            assert_eq!(rendered(text), due);
        }
    }

    #[test]
    fn a_value_in_a_path_is_encoded() {
        let template = Template::parse("/@id_2@#", &names()).expect("a template");
        let mut out = Vec::new();
        template.render_path(&[Vec::new(), b"a #\r\xff/?".to_vec()], &mut out);
        assert_eq!(String::from_utf8_lossy(&out), "/a%20%23%0D%FF/?#");
    }

    #[test]
    fn a_value_that_is_not_known_is_refused_with_those_that_are() {
        let why = Template::parse("a @token@", &names()).expect_err("not known");
        assert_eq!(
            why,
            "@token@ is not a value: the values known here are user, id_2"
        );
        assert!(
            Template::parse("@token@", &[])
                .is_err_and(|why| why.ends_with("no value is known here"))
        );
    }

    #[test]
    fn bytes_that_are_not_text_are_left_as_they_are() {
        let bytes = b"\xff@token@".to_vec();
        let template = Template::of_bytes(bytes.clone(), &[]).expect("bytes");
        assert!(template.is(&[], &bytes));
    }
}
