//! Which certificates the driver trusts: those of one file, and no others.

use std::path::Path;
use std::sync::Arc;

use base::error::Error;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// TLS 1.3 and 1.2 with ring's ciphers; HTTP/1.1 is the only protocol offered.
///
/// # Errors
/// The file cannot be read or has no certificate in it: a usage error.
pub fn config(ca: &Path) -> Result<ClientConfig, Error> {
    let wrong = |why: String| {
        let remedy = "Name a PEM file with the certificate that signed the server's after --ca.";
        Error::usage(format!("the certificates {}", ca.display()), why, remedy)
    };
    let mut roots = RootCertStore::empty();
    for certificate in
        CertificateDer::pem_file_iter(ca).map_err(|error| wrong(error.to_string()))?
    {
        let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| wrong(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(wrong("it has no certificate".to_owned()));
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
