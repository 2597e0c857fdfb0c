//! As much of a URL as this program needs: `http://127.0.0.1:8080/path`, `https://localhost:8443/path`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Where a server is, and the path that precedes every request's own path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// The address to connect to.
    pub peer: SocketAddr,
    /// Address and port as in the text, for the `Host` header.
    pub host: String,
    /// The name or address that the certificate must have; `None` if the connection is in the clear.
    pub secure: Option<String>,
    /// The path, beginning with `/`.
    pub path: String,
}

impl Url {
    /// The same URL, whose connections go to another address; host and certificate stay those of the text.
    #[must_use]
    pub fn connecting_to(&self, address: Option<IpAddr>) -> Self {
        let ip = address.unwrap_or(self.peer.ip());
        Self {
            peer: SocketAddr::new(ip, self.peer.port()),
            ..self.clone()
        }
    }
}

/// Reads a URL. Names other than `localhost` are refused: the statically linked program uses no name service.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn parse(text: &str) -> Result<Url, String> {
    let (rest, secure) = match (text.strip_prefix("http://"), text.strip_prefix("https://")) {
        (Some(rest), _) => (rest, false),
        (_, Some(rest)) => (rest, true),
        _ => return Err("it does not begin with http:// or https://".to_owned()),
    };
    let (host, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
    if !is_path(path) {
        return Err(
            "its path has a space, a control character or a # in it; write it percent-encoded"
                .to_owned(),
        );
    }
    let (name, port) = split_port(host, if secure { 443 } else { 80 })?;
    let ip = if name == "localhost" {
        IpAddr::V4(Ipv4Addr::LOCALHOST)
    } else if let Some(inner) = name
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
    {
        IpAddr::V6(
            inner
                .parse::<Ipv6Addr>()
                .map_err(|_| format!("{inner} is not an IPv6 address"))?,
        )
    } else {
        let why = format!(
            "{name:?} is not an IP address; write the address, as in http://127.0.0.1:8080/"
        );
        IpAddr::V4(name.parse::<Ipv4Addr>().map_err(|_| why)?)
    };
    Ok(Url {
        peer: SocketAddr::new(ip, port),
        host: host.to_owned(),
        secure: secure.then(|| name.trim_matches(['[', ']']).to_owned()),
        path: path.to_owned(),
    })
}

/// Whether `path` begins with `/` and can be used in a request line as it is.
pub fn is_path(path: &str) -> bool {
    path.starts_with('/')
        && path
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'#')
}

fn split_port(host: &str, without: u16) -> Result<(&str, u16), String> {
    let colon = host.rfind(':').filter(|&at| !host[at..].contains(']'));
    let Some(at) = colon else {
        return Ok((host, without));
    };
    let digits = &host[at + 1..];
    let number = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse::<u16>().ok())
        .flatten();
    match number {
        Some(port) if port > 0 => Ok((&host[..at], port)),
        _ => Err(format!(
            "{digits:?} is not a port; write a number from 1 to 65535"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_address_a_port_and_a_path_are_read() {
        let url = parse("http://127.0.0.1:8080/article.html?a=1").expect("a URL");
        assert_eq!(url.peer.to_string(), "127.0.0.1:8080");
        assert_eq!(
            (url.host.as_str(), url.path.as_str()),
            ("127.0.0.1:8080", "/article.html?a=1")
        );
    }

    #[test]
    fn port_80_and_the_root_are_understood() {
        let url = parse("http://localhost").expect("a URL");
        assert_eq!(
            (url.peer.to_string().as_str(), url.path.as_str()),
            ("127.0.0.1:80", "/")
        );
        assert_eq!(
            parse("http://[::1]:81/").expect("a URL").peer.to_string(),
            "[::1]:81"
        );
        assert_eq!(
            parse("http://[::1]/").expect("a URL").peer.to_string(),
            "[::1]:80"
        );
    }

    #[test]
    fn a_secure_url_names_whom_the_certificate_must_be_for() {
        for (text, peer, name) in [
            ("https://localhost:8443/a", "127.0.0.1:8443", "localhost"),
            ("https://127.0.0.1/", "127.0.0.1:443", "127.0.0.1"),
            ("https://[::1]/", "[::1]:443", "::1"),
        ] {
            let url = parse(text).expect("a URL");
            assert_eq!(url.peer.to_string(), peer);
            assert_eq!(url.secure.as_deref(), Some(name));
        }
        assert_eq!(parse("http://localhost/").expect("a URL").secure, None);
    }

    #[test]
    fn connections_go_to_another_address_and_the_certificate_stays_that_of_the_host() {
        let url = parse("https://localhost:8443/a").expect("a URL");
        let other = url.connecting_to(Some([192, 0, 2, 1].into()));
        assert_eq!(other.peer.to_string(), "192.0.2.1:8443");
        assert_eq!(other.secure.as_deref(), Some("localhost"));
        assert_eq!(other.host, "localhost:8443");
        assert_eq!(url.connecting_to(None), url);
    }

    #[test]
    fn what_is_no_such_url_is_refused() {
        for wrong in [
            "",
            "127.0.0.1:80",
            "ftp://127.0.0.1/",
            "https://",
            "http://",
            "http://:80/",
            "http://127.0.0.1:/",
            "http://127.0.0.1:0/",
            "http://127.0.0.1:65536/",
            "http://127.0.0.1:+80/",
            "http://example.org/",
            "http://user@127.0.0.1/",
            "http://127.0.0.1/a b",
            "http://127.0.0.1/\r\nX: y",
            "http://[::1/",
        ] {
            assert!(parse(wrong).is_err(), "{wrong} was taken for a URL");
        }
    }
}
