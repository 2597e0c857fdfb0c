//! Who is trusted without `--ca`: whom the system trusts, here by the variable that also OpenSSL reads.

use std::path::Path;
use std::process::Output;

use super::program::{output, program, record};
use super::tls_server::{Secure, VERSIONS, page, serve};

const SHORT: [&str; 6] = ["--warm-up", "0s", "--connections", "2", "--requests", "20"];

/// A load on a server by its name, with these certificates as the system's.
fn drive(server: &Secure, system: &Path) -> Output {
    let url = format!("https://notes.example:{}/", server.peer.port());
    let words = ["http", "--json", "-", "--connect", "127.0.0.1", &url];
    let mut command = program(&[&words[..], &SHORT].concat());
    let _ = command
        .env("SSL_CERT_FILE", system)
        .env_remove("SSL_CERT_DIR");
    command.output().expect("the program runs")
}

#[test]
fn without_a_file_the_system_decides_whom_to_trust() {
    let start = || serve("notes.example", &VERSIONS, |_, talk| page(talk, b"hello"));
    let (server, stranger) = (start(), start());
    let trusted = record(&drive(&server, &server.ca));
    assert_eq!((trusted.right, trusted.errors.len()), (trusted.sent, 0));
    let refused = drive(&server, &stranger.ca);
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{complaint}");
    assert!(complaint.contains("not trusted") && complaint.contains("after --ca"));
    let none = drive(&server, Path::new("/nowhere.pem"));
    let complaint = String::from_utf8_lossy(&none.stderr).into_owned();
    assert_eq!(none.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("the system's certificates") && complaint.contains("--ca"));
}

#[test]
fn a_name_needs_an_address() {
    let output = output(&["http", "http://notes.example/"]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("notes.example") && complaint.contains("with --connect"));
}
