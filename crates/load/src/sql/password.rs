//! A password, and the proofs of it that a server accepts: it is never sent itself.

use std::fmt;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use base::error::Error;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SecureRandom as _;
use ring::{digest, hmac, pbkdf2, rand};

use crate::dialogue::Malformed;

/// The longest password that is read.
const MOST_BYTES: usize = 1024;
/// More rounds than any server asks for: `PostgreSQL` has 4096.
const MOST_ROUNDS: u32 = 1 << 20;
const NONCE_BYTES: usize = 18;
/// "n,,": no channel binding. It is part of the proof, in base64.
const NO_BINDING: &str = "n,,";

/// A password that no message shows; empty if there is none.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// The first line of a file.
    ///
    /// # Errors
    /// It cannot be read, or is no password.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let wrong = |why: String| {
            let remedy = "Write the password on the first line of a file that you may read.";
            Error::usage(format!("--password-file {}", file.display()), why, remedy)
        };
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let line = text.lines().next().unwrap_or_default();
        if line.is_empty() || line.len() > MOST_BYTES || line.contains('\0') {
            return Err(wrong(format!(
                "its first line is empty, has a NUL, or is longer than {MOST_BYTES} bytes"
            )));
        }
        Ok(Self(line.to_owned()))
    }

    /// This one.
    #[cfg(test)]
    pub fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The proof for `mysql_native_password`: SHA1(password) XOR SHA1(scramble + SHA1(SHA1(password))); empty without a
    /// password. <https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_authentication_methods_native_password_authentication.html>
    pub fn native_proof(&self, scramble: &[u8]) -> Vec<u8> {
        if self.is_empty() {
            return Vec::new();
        }
        let sha1 = |bytes: &[u8]| digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, bytes);
        let once = sha1(self.0.as_bytes());
        let twice = sha1(once.as_ref());
        let salted = sha1(&[scramble, twice.as_ref()].concat());
        xor(once.as_ref(), salted.as_ref())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(if self.is_empty() { "none" } else { "hidden" })
    }
}

/// One login by SCRAM-SHA-256 (RFC 5802, RFC 7677), as `PostgreSQL` has it: without channel binding, the user's name empty.
#[derive(Debug)]
pub struct Scram {
    nonce: String,
    /// The first message without its head.
    first: String,
    /// What the server must sign, once it has been given a proof.
    due: Option<Vec<u8>>,
}

impl Scram {
    /// A login with a nonce of its own.
    ///
    /// # Errors
    /// The kernel gives no random bytes.
    pub fn new() -> Result<Self, Malformed> {
        let mut nonce = [0; NONCE_BYTES];
        rand::SystemRandom::new()
            .fill(&mut nonce)
            .map_err(|_| Malformed)?;
        Ok(Self::with("", &STANDARD.encode(nonce)))
    }

    fn with(user: &str, nonce: &str) -> Self {
        Self {
            nonce: nonce.to_owned(),
            first: format!("n={user},r={nonce}"),
            due: None,
        }
    }

    /// The first message to the server.
    pub fn first(&self) -> String {
        format!("{NO_BINDING}{}", self.first)
    }

    /// The proof, after the server's first message.
    ///
    /// # Errors
    /// The message makes no sense, or its nonce does not begin with ours.
    pub fn proof(&mut self, password: &Password, server: &str) -> Result<String, Malformed> {
        let mut parts = server.split(',');
        let mut part = |name: &str| {
            let text = parts.next().and_then(|part| part.strip_prefix(name));
            text.ok_or(Malformed)
        };
        let (nonce, salt, rounds) = (part("r=")?, part("s=")?, part("i=")?);
        if !nonce.starts_with(&self.nonce) || nonce.len() == self.nonce.len() {
            return Err(Malformed);
        }
        let salt = STANDARD.decode(salt).map_err(|_| Malformed)?;
        let rounds = rounds.parse().ok().filter(|&rounds| rounds <= MOST_ROUNDS);
        let rounds = rounds.and_then(NonZeroU32::new).ok_or(Malformed)?;
        let mut salted = [0; digest::SHA256_OUTPUT_LEN];
        let secret = password.0.as_bytes();
        pbkdf2::derive(
            pbkdf2::PBKDF2_HMAC_SHA256,
            rounds,
            &salt,
            secret,
            &mut salted,
        );
        let bare = format!("c={},r={nonce}", STANDARD.encode(NO_BINDING));
        let all = format!("{},{server},{bare}", self.first);
        let client = signed(&salted, b"Client Key");
        let stored = digest::digest(&digest::SHA256, client.as_ref());
        let proof = xor(
            client.as_ref(),
            signed(stored.as_ref(), all.as_bytes()).as_ref(),
        );
        let server_key = signed(&salted, b"Server Key");
        let due = signed(server_key.as_ref(), all.as_bytes());
        self.due = Some(due.as_ref().to_vec());
        Ok(format!("{bare},p={}", STANDARD.encode(proof)))
    }

    /// Whether the server's last message shows that it knows the password too.
    pub fn is_known(&self, server: &str) -> bool {
        let told = server
            .strip_prefix("v=")
            .and_then(|text| STANDARD.decode(text).ok());
        self.due.is_some() && told == self.due
    }
}

fn signed(key: &[u8], text: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text)
}

fn xor(one: &[u8], other: &[u8]) -> Vec<u8> {
    one.iter()
        .zip(other)
        .map(|(one, other)| one ^ other)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Password, Scram};
    use std::path::Path;

    fn pencil() -> Password {
        Password("pencil".to_owned())
    }

    #[test]
    fn the_example_of_rfc_7677_is_proved_both_ways() {
        let mut login = Scram::with("user", "rOprNGfwEbeRWgbNEkqO");
        assert_eq!(login.first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        let first = format!("r={nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        let proof = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
        let said = login.proof(&pencil(), &first).expect("a proof");
        assert_eq!(said, format!("c=biws,r={nonce},p={proof}"));
        assert!(login.is_known("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
        assert!(!login.is_known("v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
    }

    #[test]
    fn a_server_without_sense_is_malformed() {
        for wrong in [
            "",
            "r=abc",
            "r=abcd,s=!,i=4096",
            "r=abcd,s=AAAA,i=0",
            "r=abcd,s=AAAA,i=99999999",
            "r=abc,s=AAAA,i=4096",
            "e=other-error",
        ] {
            assert!(
                Scram::with("", "abc").proof(&pencil(), wrong).is_err(),
                "{wrong}"
            );
        }
        assert!(!Scram::with("", "abc").is_known("v=AAAA"));
    }

    #[test]
    fn a_native_proof_is_that_of_mysql_and_no_password_proves_nothing() {
        let scramble = b"abcdefghijklmnopqrst";
        // SELECT HEX(...) of MariaDB: SHA1('pencil') XOR SHA1(scramble, SHA1(SHA1('pencil'))).
        let proof = pencil().native_proof(scramble);
        assert_eq!(proof, NATIVE);
        assert_eq!(Password::default().native_proof(scramble), Vec::<u8>::new());
    }

    const NATIVE: [u8; 20] = [
        0x52, 0x79, 0xae, 0xba, 0xa4, 0x56, 0x2b, 0x33, 0x63, 0xb3, 0xe2, 0xc4, 0x32, 0x9e, 0x2c,
        0x19, 0xe8, 0xfb, 0x27, 0x97,
    ];

    #[test]
    fn a_password_is_read_from_a_file_and_never_shown() {
        let file = std::env::temp_dir().join(format!("h2h-password-{}", std::process::id()));
        std::fs::write(&file, "pencil\n").expect("a file");
        assert_eq!(Password::read(&file).expect("a password"), pencil());
        std::fs::write(&file, "\n").expect("a file");
        assert!(Password::read(&file).is_err());
        std::fs::remove_file(&file).expect("the file is there");
        assert!(Password::read(Path::new("/nowhere/at/all")).is_err());
        assert_eq!(format!("{:?}", pencil()), "hidden");
    }
}
