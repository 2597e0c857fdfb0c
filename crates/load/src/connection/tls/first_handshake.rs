//! The first handshake, before anything starts: a certificate that is not trusted would fail every request.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;

use base::error::Error;
use rustls::{CertificateError, ClientConnection};

use super::Client;

impl Client {
    /// Shakes hands once. A server that is silent or speaks no TLS is left to the counts of the load.
    ///
    /// # Errors
    /// The certificate is not trusted.
    pub fn first_handshake(&self, stream: &mut TcpStream) -> Result<(), Error> {
        let Ok(mut tls) = ClientConnection::new(Arc::clone(&self.config), self.name.clone()) else {
            return Ok(());
        };
        let Err(error) = tls.complete_io(stream) else {
            return Ok(());
        };
        let Some(rustls::Error::InvalidCertificate(why)) = reason(&error) else {
            return Ok(());
        };
        Err(Error::failure(
            format!("the certificate of {} is not trusted", self.name.to_str()),
            why.to_string(),
            remedy(why),
        ))
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
