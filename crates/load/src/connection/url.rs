//! As much of a URL as this program needs: `http://127.0.0.1:8080/path`, `https://localhost:8443/path`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a server is, and the path that precedes every request's own path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// The address to connect to; `None` if the text has a name, which this program cannot look up.
    pub address: Option<IpAddr>,
    /// The port.
    pub port: u16,
    /// Address and port as in the text, for the `Host` header.
    pub host: String,
    /// The name or address that the certificate must have; `None` if the connection is in the clear.
    pub secure: Option<String>,
    /// The path, beginning with `/`.
    pub path: String,
}

/// Reads a URL. Only the name `localhost` has an address: the statically linked program uses no name service.
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
    Ok(Url {
        address: address(name)?,
        port,
        host: host.to_owned(),
        secure: secure.then(|| name.trim_matches(['[', ']']).to_owned()),
        path: path.to_owned(),
    })
}

/// The address that a host is; `None` for a name.
fn address(host: &str) -> Result<Option<IpAddr>, String> {
    let inner = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(inner) = inner {
        let ip = inner.parse::<Ipv6Addr>();
        return ip
            .map(|ip| Some(IpAddr::V6(ip)))
            .map_err(|_| format!("{inner} is not an IPv6 address"));
    }
    if host == "localhost" {
        return Ok(Some(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    }
    if let Ok(ip) = host.parse::<Ipv4Addr>() {
        return Ok(Some(IpAddr::V4(ip)));
    }
    let is_name = host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
        && host.bytes().any(|byte| byte.is_ascii_alphabetic());
    if is_name {
        return Ok(None);
    }
    Err(format!(
        "{host:?} is not an address or a name; write it as in http://127.0.0.1:8080/"
    ))
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

    /// Address and port of a URL.
    fn peer(text: &str) -> String {
        let url = parse(text).expect("a URL");
        let address = url.address.map(|address| address.to_string());
        format!("{} {}", address.as_deref().unwrap_or("none"), url.port)
    }

    #[test]
    fn an_address_a_port_and_a_path_are_read() {
        let url = parse("http://127.0.0.1:8080/article.html?a=1").expect("a URL");
        assert_eq!(
            (url.host.as_str(), url.path.as_str()),
            ("127.0.0.1:8080", "/article.html?a=1")
        );
        assert_eq!(parse("http://localhost").expect("a URL").path, "/");
        for (text, due) in [
            ("http://127.0.0.1:8080/", "127.0.0.1 8080"),
            ("http://localhost", "127.0.0.1 80"),
            ("http://[::1]:81/", "::1 81"),
            ("http://[::1]/", "::1 80"),
            ("http://a-b.example:81/", "none 81"),
        ] {
            assert_eq!(peer(text), due, "{text}");
        }
    }

    #[test]
    fn a_secure_url_names_whom_the_certificate_must_be_for() {
        for (text, due, name) in [
            ("https://localhost:8443/a", "127.0.0.1 8443", "localhost"),
            ("https://127.0.0.1/", "127.0.0.1 443", "127.0.0.1"),
            ("https://[::1]/", "::1 443", "::1"),
            ("https://example.org/", "none 443", "example.org"),
        ] {
            assert_eq!(peer(text), due);
            assert_eq!(parse(text).expect("a URL").secure.as_deref(), Some(name));
        }
        assert_eq!(parse("http://localhost/").expect("a URL").secure, None);
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
            "http://1.2.3/",
            "http://ex_ample.org/",
            "http://user@127.0.0.1/",
            "http://127.0.0.1/a b",
            "http://127.0.0.1/\r\nX: y",
            "http://[::1/",
        ] {
            assert!(parse(wrong).is_err(), "{wrong} was taken for a URL");
        }
    }
}
