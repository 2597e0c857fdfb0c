//! The first handshake, before anything starts: a certificate that is not trusted would fail every request, and so would
//! a server that does not speak HTTP/2 if that is wanted.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;

use base::error::Error;
use rustls::{AlertDescription, CertificateError, ClientConnection};

use super::{Client, Version};

impl Client {
    /// Shakes hands once. A server that is silent or speaks no TLS is left to the counts of the load.
    ///
    /// # Errors
    /// The certificate is not trusted, or the server does not speak the version of HTTP.
    pub fn first_handshake(&self, stream: &mut TcpStream) -> Result<(), Error> {
        let Ok(mut tls) = ClientConnection::new(Arc::clone(&self.config), self.name.clone()) else {
            return Ok(());
        };
        let done = tls.complete_io(stream);
        match done.as_ref().map_err(reason) {
            Ok(_) if self.version.is_agreed(tls.alpn_protocol()) => Ok(()),
            Ok(_)
            | Err(Some(rustls::Error::AlertReceived(AlertDescription::NoApplicationProtocol)))
                if self.version == Version::Http2 =>
            {
                Err(self.no_http2())
            }
            Err(Some(rustls::Error::InvalidCertificate(why))) => Err(Error::failure(
                format!("the certificate of {} is not trusted", self.name.to_str()),
                why.to_string(),
                remedy(why),
            )),
            _ => Ok(()),
        }
    }

    fn no_http2(&self) -> Error {
        Error::failure(
            format!("no HTTP/2 from {}", self.name.to_str()),
            "the server does not agree to it in the TLS handshake (ALPN h2)",
            "Turn it on in the server (nginx: `listen ... ssl http2`; Apache: `Protocols h2`; nginx and Apache of a \
             study: http_version = \"2\"), or use HTTP/1.1: leave out --http 2.",
        )
    }
}

fn reason(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

fn remedy(why: &CertificateError) -> &'static str {
    match why {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "If it is the right one, name it, or the one that signed it, as a PEM file after --ca."
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "Write the URL with a name that the certificate has."
        }
        // rustls trusts no certificate of an authority as a server's; openssl makes such ones unless asked not to.
        CertificateError::Other(_) => {
            "Make it with: openssl req -x509 -addext basicConstraints=critical,CA:FALSE and so on."
        }
        _ => "Renew it.",
    }
}
