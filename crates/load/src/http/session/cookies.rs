//! The cookies of one session (RFC 6265). The server is the only one, so domain, path and security do not matter.

/// A longer cookie is not kept, as in browsers.
const COOKIE_LIMIT_BYTES: usize = 4096;

/// More than this is not sent: servers refuse heads of 8 KiB and more.
const LIMIT_BYTES: usize = 6 * 1024;

/// The cookies as they are sent: `a=1; b=2`.
#[derive(Debug, Default)]
pub struct Cookies {
    line: Vec<u8>,
}

impl Cookies {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// The value of the header `Cookie`; empty if there is no cookie.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Takes the value of a header `Set-Cookie`: the cookie replaces one of the same name; with `Max-Age=0` that ends.
    /// One that cannot be sent back is left out.
    pub fn set(&mut self, header: &[u8]) {
        let mut fields = header.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        let cookie = fields.next().unwrap_or_default();
        let Some(equals) = cookie.iter().position(|&byte| byte == b'=') else {
            return;
        };
        let (name, value) = (
            cookie[..equals].trim_ascii(),
            cookie[equals + 1..].trim_ascii(),
        );
        let sendable = |byte: &u8| *byte >= b' ' && *byte != 0x7f;
        if name.is_empty() || cookie.len() > COOKIE_LIMIT_BYTES || !cookie.iter().all(sendable) {
            return;
        }
        self.remove(name);
        let ends = fields.any(ends);
        if !ends && self.line.len() + cookie.len() + 2 <= LIMIT_BYTES {
            if !self.line.is_empty() {
                self.line.extend_from_slice(b"; ");
            }
            for part in [name, b"=", value] {
                self.line.extend_from_slice(part);
            }
        }
    }

    fn remove(&mut self, name: &[u8]) {
        let mut at = 0;
        while at < self.line.len() {
            let rest = &self.line[at..];
            let length = rest
                .iter()
                .position(|&byte| byte == b';')
                .unwrap_or(rest.len());
            let own = rest.strip_prefix(name).and_then(|rest| rest.first());
            if own == Some(&b'=') {
                // With the separator behind it, or the one in front of the last cookie.
                let end = (at + length + 2).min(self.line.len());
                let from = if end == self.line.len() {
                    at.saturating_sub(2)
                } else {
                    at
                };
                let _ = self.line.drain(from..end);
                return;
            }
            at += length + 2;
        }
    }
}

/// Whether an attribute ends the cookie at once.
fn ends(attribute: &[u8]) -> bool {
    let Some(equals) = attribute.iter().position(|&byte| byte == b'=') else {
        return false;
    };
    let (name, value) = (&attribute[..equals], attribute[equals + 1..].trim_ascii());
    name.trim_ascii().eq_ignore_ascii_case(b"max-age")
        && (value.starts_with(b"-")
            || (!value.is_empty() && value.iter().all(|&byte| byte == b'0')))
}

#[cfg(test)]
mod tests {
    use super::{COOKIE_LIMIT_BYTES, Cookies};

    fn after(headers: &[&str]) -> String {
        let mut cookies = Cookies::default();
        for header in headers {
            cookies.set(header.as_bytes());
        }
        String::from_utf8(cookies.line().to_vec()).expect("text")
    }

    #[test]
    fn cookies_are_kept_replaced_and_ended() {
        for (headers, due) in [
            (&["a=1; Path=/; HttpOnly"][..], "a=1"),
            (&["a=1", "b=2; Secure", "a=3"], "b=2; a=3"),
            (&["a=1", "b=2", "c=3", "b=x; Max-Age=0"], "a=1; c=3"),
            (&["a=1", "b=2", "b=; max-age=-1"], "a=1"),
            (&["a=1", "a=; Max-Age=0"], ""),
            (&["a=1", "aa=2", "a=3"], "aa=2; a=3"),
            (&[" a = 1 2 ; x", "b=c=d", "e="], "a=1 2; b=c=d; e="),
            (&["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970"], "a=1"),
        ] {
            assert_eq!(after(headers), due, "{headers:?}");
        }
    }

    #[test]
    fn what_cannot_be_sent_back_is_left_out() {
        let long = format!("a={}", "x".repeat(COOKIE_LIMIT_BYTES));
        for header in ["", "a", "=1", "a=\u{1}", "a\r=1", &long] {
            assert_eq!(after(&[header]), "");
        }
        let many: Vec<String> = (0..9)
            .map(|number| format!("c{number}={}", "x".repeat(1000)))
            .collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(after(&many).split("; ").count(), 6);
    }
}
