//! Hello, who we are, and the proof of the password.

use super::super::bytes::Bytes;
use super::super::client::{Login, words};
use super::{EOF, ERROR, OK, packets, said};
use crate::dialogue::Malformed;

/// The version of the protocol, since MySQL 3.21 (1998).
const VERSION: u8 = 10;

/// What both sides may be able to do, by its bit.
mod can {
    /// Passwords of more than eight letters. Servers no longer send it; MariaDB takes a client that does not for one of
    /// its own, with more bits than these.
    pub const LONG_PASSWORD: u32 = 1;
    /// Affected are the rows that were found, not only those that came out different: as other databases count.
    pub const FOUND_ROWS: u32 = 1 << 1;
    pub const CONNECT_WITH_DB: u32 = 1 << 3;
    /// The protocol of MySQL 4.1 and later.
    pub const PROTOCOL_41: u32 = 1 << 9;
    pub const TRANSACTIONS: u32 = 1 << 13;
    pub const SECURE_CONNECTION: u32 = 1 << 15;
    pub const PLUGIN_AUTH: u32 = 1 << 19;
    /// The ends of columns are left unmarked.
    pub const DEPRECATE_EOF: u32 = 1 << 24;
}

/// All that we need of it; the rest is left out.
const WANTED: u32 = can::LONG_PASSWORD
    | can::FOUND_ROWS
    | can::CONNECT_WITH_DB
    | can::PROTOCOL_41
    | can::TRANSACTIONS
    | can::SECURE_CONNECTION
    | can::PLUGIN_AUTH
    | can::DEPRECATE_EOF;

/// Without these the rest of our messages makes no sense.
const NEEDED: u32 = can::PROTOCOL_41 | can::SECURE_CONNECTION | can::CONNECT_WITH_DB;

/// Packets of this length are the longest that we read; servers do not look at it.
const MOST_BYTES: u32 = 16 * 1024 * 1024;

/// `utf8mb4_general_ci`: texts come and go in UTF-8.
const UTF8: u8 = 45;

/// The way to log in: a proof of the password, which is empty without one.
const PLUGIN: &[u8] = b"mysql_native_password";

/// The length of a scramble.
const SCRAMBLE: usize = 20;

/// A server's hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Which of the features we need it has.
    can: u32,
    /// What the proof of a password is salted with.
    scramble: [u8; SCRAMBLE],
}

impl Greeting {
    /// Reads the first packet.
    ///
    /// # Errors
    /// It is not of MySQL's protocol, or of one older than 4.1 (2004).
    pub fn read(content: &[u8]) -> Result<Self, Malformed> {
        let mut bytes = Bytes(content);
        if bytes.byte()? != VERSION {
            return Err(Malformed);
        }
        let _version = bytes.text()?;
        // The connection's number.
        let _ = bytes.take(4)?;
        let half: [u8; 8] = bytes.array()?;
        // A filler.
        let _ = bytes.byte()?;
        let [low, middle] = bytes.array()?;
        // Character set, status.
        let _ = bytes.take(1 + 2)?;
        let [high, highest] = bytes.array()?;
        let can = u32::from_le_bytes([low, middle, high, highest]);
        if can & NEEDED != NEEDED {
            return Err(Malformed);
        }
        // The scramble's length, and what is reserved.
        let _ = bytes.take(1 + 10)?;
        let rest: [u8; SCRAMBLE - 8] = bytes.array()?;
        let mut scramble = [0; SCRAMBLE];
        scramble[..8].copy_from_slice(&half);
        scramble[8..].copy_from_slice(&rest);
        Ok(Self {
            can: can & WANTED | can::LONG_PASSWORD,
            scramble,
        })
    }

    /// Whether the ends of columns will be left unmarked.
    pub fn is_unmarked(self) -> bool {
        self.can & can::DEPRECATE_EOF != 0
    }
}

/// Adds who we are, in a packet of this number.
pub fn reply(number: u8, greeting: Greeting, login: &Login, say: &mut Vec<u8>) {
    packets::write(number, say, |say| {
        say.extend_from_slice(&greeting.can.to_le_bytes());
        say.extend_from_slice(&MOST_BYTES.to_le_bytes());
        say.push(UTF8);
        say.extend_from_slice(&[0; 23]);
        say.extend_from_slice(login.user.as_bytes());
        say.push(0);
        let proof = login.password.native_proof(&greeting.scramble);
        say.push(u8::try_from(proof.len()).unwrap_or(u8::MAX));
        say.extend_from_slice(&proof);
        say.extend_from_slice(login.database.as_bytes());
        say.push(0);
        if greeting.can & can::PLUGIN_AUTH != 0 {
            say.extend_from_slice(PLUGIN);
            say.push(0);
        }
    });
}

/// The proof that the server wants to see once more, over another scramble.
///
/// # Errors
/// There is no scramble in its response.
pub fn proof_again(content: &[u8], login: &Login) -> Result<Vec<u8>, Malformed> {
    let mut bytes = Bytes(content.get(1..).ok_or(Malformed)?);
    let _plugin = bytes.text()?;
    let scramble: [u8; SCRAMBLE] = bytes.array()?;
    Ok(login.password.native_proof(&scramble))
}

/// Why the server refuses the login, by its response. `None` if it accepts it, or wants to see the proof once more.
///
/// # Errors
/// It does not make sense.
pub fn refusal(first: u8, content: &[u8]) -> Result<Option<String>, Malformed> {
    let asked = match first {
        OK => return Ok(None),
        ERROR => return said(content).map(Some),
        // One byte alone is the way of MySQL 4.0 and before.
        EOF if content.len() == 1 => b"mysql_old_password",
        EOF => Bytes(&content[1..]).text()?,
        1 => b"more than one proof".as_slice(),
        _ => return Err(Malformed),
    };
    if asked == PLUGIN {
        return Ok(None);
    }
    let asked = words(asked);
    let own = words(PLUGIN);
    Ok(Some(format!(
        "the server requires {asked}, and this program supports {own} only"
    )))
}
