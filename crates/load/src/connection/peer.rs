//! Where a server listens: at an address, or at a socket file.

use std::fmt;
use std::net::SocketAddr;
use std::path::Path;

use base::error::Error;
use rustix::net::SocketAddrUnix;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Peer {
    /// At an address, over TCP.
    Tcp(SocketAddr),
    /// At a Unix socket's file.
    Unix(SocketAddrUnix),
}

impl Peer {
    /// The Unix socket of this file.
    ///
    /// # Errors
    /// The path is longer than the kernel allows (108 bytes), or has a NUL in it: a usage error.
    pub fn unix(path: &Path) -> Result<Self, Error> {
        let address = SocketAddrUnix::new(path).map_err(|error| {
            let remedy = "Give a path of at most 108 bytes.";
            Error::usage(
                format!("the socket {}", path.display()),
                error.to_string(),
                remedy,
            )
        })?;
        Ok(Self::Unix(address))
    }

    /// Whether it is a Unix socket.
    pub fn is_unix(&self) -> bool {
        matches!(self, Self::Unix(_))
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(out),
            Self::Unix(address) => {
                let path = address.path_bytes().unwrap_or_default();
                String::from_utf8_lossy(path).fmt(out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Peer;

    #[test]
    fn a_peer_is_written_as_people_write_it() {
        let tcp = Peer::Tcp(([127, 0, 0, 1], 3306).into());
        assert_eq!(tcp.to_string(), "127.0.0.1:3306");
        let unix = Peer::unix(Path::new("/run/h2h/sock")).expect("a socket");
        assert_eq!(
            (unix.to_string().as_str(), unix.is_unix()),
            ("/run/h2h/sock", true)
        );
    }

    #[test]
    fn a_path_that_no_socket_can_have_is_refused() {
        for path in ["/x".repeat(55), "/run/\0".to_owned()] {
            assert!(Peer::unix(Path::new(&path)).is_err(), "{path:?}");
        }
    }
}
