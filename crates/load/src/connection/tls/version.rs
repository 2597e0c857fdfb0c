//! The version of HTTP, which client and server agree on in the TLS handshake (ALPN).

use clap::ValueEnum;

/// The version of HTTP that a server must speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Version {
    /// HTTP/1.1, which it need not confirm.
    #[value(name = "1.1")]
    Http1,
    /// HTTP/2, which it must confirm.
    #[value(name = "2")]
    Http2,
}

impl Version {
    /// What is offered: this version alone.
    pub fn offer(self) -> Vec<u8> {
        match self {
            Self::Http1 => b"http/1.1".to_vec(),
            Self::Http2 => b"h2".to_vec(),
        }
    }

    /// Whether a server that has confirmed this speaks the version.
    pub fn is_agreed(self, confirmed: Option<&[u8]>) -> bool {
        self == Self::Http1 || confirmed == Some(&self.offer()[..])
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn http_2_must_be_confirmed_and_http_1_need_not_be() {
        for (version, confirmed, agreed) in [
            (Version::Http1, None, true),
            (Version::Http1, Some(&b"http/1.1"[..]), true),
            (Version::Http2, None, false),
            (Version::Http2, Some(&b"http/1.1"[..]), false),
            (Version::Http2, Some(&b"h2"[..]), true),
        ] {
            assert_eq!(
                version.is_agreed(confirmed),
                agreed,
                "{version:?} {confirmed:?}"
            );
        }
    }
}
