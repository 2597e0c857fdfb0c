//! Which certificates the driver trusts: those of one file and no others, or the system's.

use std::path::Path;
use std::sync::Arc;

use base::error::Error;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::Version;

/// TLS 1.3 and 1.2 with ring's ciphers; this version of HTTP is the only protocol offered.
///
/// # Errors
/// The file, or the system's trust store, cannot be read or has no certificate in it: a usage error.
pub fn config(ca: Option<&Path>, version: Version) -> Result<ClientConfig, Error> {
    let whose = ca.map_or_else(
        || "the system's certificates".to_owned(),
        |ca| format!("the certificates {}", ca.display()),
    );
    let wrong = |why: String| {
        let remedy = "Name a PEM file with the certificate that signed the server's after --ca.";
        Error::usage(&whose, why, remedy)
    };
    let roots = ca.map_or_else(of_system, of_file).map_err(wrong)?;
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![version.offer()];
    Ok(config)
}

/// All certificates of a file must be sound.
fn of_file(ca: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(ca).map_err(|error| error.to_string())? {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("it has no certificate".to_owned());
    }
    Ok(roots)
}

/// A system's store may have some that rustls does not read, as other programs do.
fn of_system() -> Result<RootCertStore, String> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (read, _) = roots.add_parsable_certificates(found.certs);
    if read > 0 {
        return Ok(roots);
    }
    let first = found.errors.first().map(ToString::to_string);
    Err(first.unwrap_or_else(|| "there are none; install the package ca-certificates".to_owned()))
}
