//! The conversation with a server. A protocol is one implementation of [`Dialogue`]; users, loops, clocks and counts
//! know nothing of it, and it knows nothing of sockets. There are [`crate::http::dialogue`] and
//! [`crate::sql::dialogue`]; the next protocol is a third.

use base::error::Error;
use base::random::Random;

use crate::http::mix::Compression;
use crate::tally::fault::Fault;

/// One thread's conversation with a server, over any number of connections: what is requested, with which bytes, and
/// how a response is read and checked. It allocates nothing once connections are open, and it never waits.
pub trait Dialogue {
    /// The request to send next.
    type Drawn: Copy + Default;

    /// One connection's side of it: what was agreed at its start, and how much of a response has come.
    type Reader: Default;

    /// Draws the next request of the user with this reader; `first` if it begins a session.
    fn draw(&mut self, reader: &mut Self::Reader, first: bool) -> Self::Drawn;

    /// A new connection: the reader forgets the one before, and what must be sent at once is added to `say`. True if
    /// requests may be sent straight away; else [`Dialogue::greet`] comes first.
    fn open(&self, _reader: &mut Self::Reader, _say: &mut Vec<u8>) -> bool {
        true
    }

    /// Bytes came on a connection on which requests may not be sent yet (a login); what must be sent now is added to
    /// `say`. True once requests may be sent.
    ///
    /// # Errors
    /// The server refuses the login, or its bytes are not of the protocol.
    fn greet(
        &self,
        _reader: &mut Self::Reader,
        _came: &[u8],
        _say: &mut Vec<u8>,
    ) -> Result<bool, Refusal> {
        Ok(true)
    }

    /// The bytes of the request, the same each time. They are in the mix, or are put together in `scratch`. No other
    /// request follows on the connection if this is the `last`.
    fn request<'b>(
        &'b self,
        reader: &Self::Reader,
        drawn: Self::Drawn,
        last: bool,
        scratch: &'b mut Vec<u8>,
    ) -> &'b [u8];

    /// Length of the part of the correct response whose length is known beforehand; `None` if it is not known.
    fn length_bytes(&self, _drawn: Self::Drawn) -> Option<u64> {
        None
    }

    /// Prepares the reader for the response to this request.
    fn begin(&self, reader: &mut Self::Reader, drawn: Self::Drawn);

    /// How the next bytes of a response are taken from a connection that can discard bytes, at most `most`. `wake_at`
    /// bytes were to come before its user was woken.
    fn taking(
        &self,
        _reader: &Self::Reader,
        _drawn: Self::Drawn,
        most: usize,
        _wake_at: u32,
    ) -> ReadMode {
        ReadMode::Seen(most)
    }

    /// Takes the next bytes of a response; returns the checked response once it is whole.
    ///
    /// # Errors
    /// The bytes are not of the protocol, or go on after the response.
    fn feed(
        &self,
        reader: &mut Self::Reader,
        drawn: Self::Drawn,
        bytes: &[u8],
    ) -> Result<Option<CheckedResponse>, Malformed>;

    /// So many bytes came that [`Dialogue::taking`] wanted unseen.
    ///
    /// # Errors
    /// They go on after the response.
    fn pass(
        &self,
        _reader: &mut Self::Reader,
        _drawn: Self::Drawn,
        _bytes: u64,
    ) -> Result<Option<CheckedResponse>, Malformed> {
        Err(Malformed)
    }

    /// The server has closed the connection; returns the response if this is its correct end.
    fn close(&self, _reader: &mut Self::Reader, _drawn: Self::Drawn) -> Option<CheckedResponse> {
        None
    }

    /// Whether the request may be sent once more, on a new connection, after the one that it was sent on has ended.
    fn repeats(&self, _reader: &Self::Reader) -> bool {
        false
    }

    /// Whether a session is a script, of which the rest makes no sense after a wrong response.
    fn is_scripted(&self) -> bool {
        false
    }

    /// The names of the kinds of request that are counted apart.
    fn kinds(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which of them it is.
    fn kind(&self, _drawn: Self::Drawn) -> Option<usize> {
        None
    }

    /// The server's text the first time that it returned an error, for people to read.
    fn said(&self) -> Option<String> {
        None
    }

    /// Counts of compressed responses, if they are requested.
    fn compression(&self) -> Option<Compression> {
        None
    }
}

/// Which thread a conversation is for, and its random numbers.
#[derive(Debug)]
pub struct ThreadContext {
    /// Its number, from 0.
    pub thread: usize,
    /// How many there are.
    pub threads: usize,
    /// A stream of its own.
    pub random: Random,
}

/// A whole response, checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedResponse {
    /// What is wrong with it, the gravest first; `None` when it is right.
    pub fault: Option<Fault>,
    /// How long the part of it was whose length [`Dialogue::length_bytes`] may have known.
    pub length_bytes: u64,
    /// Rows that came.
    pub rows: u64,
    /// What is known of its compression, if compressed responses are requested.
    pub compression: Option<Compression>,
    /// Whether the server means to keep the connection open.
    pub keep_alive: bool,
    /// Whether the session cannot go on after it.
    pub ends_session: bool,
}

impl CheckedResponse {
    /// Whether nothing is wrong with it.
    pub fn is_right(&self) -> bool {
        self.fault.is_none()
    }
}

/// How bytes of a response are taken from a connection, and how many at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// They are read.
    Seen(usize),
    /// They are thrown away uncopied.
    Unseen(usize),
}

impl ReadMode {
    /// How many at most.
    pub fn room(self) -> usize {
        match self {
            Self::Seen(room) | Self::Unseen(room) => room,
        }
    }
}

/// What came is not of the protocol, or more of it than anybody sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Why a server refuses to take requests.
#[derive(Debug)]
pub enum Refusal {
    /// It sent something that is not of the protocol.
    Malformed,
    /// It refuses the login; its text is here.
    Said(Error),
}

impl Refusal {
    /// What a request counts as that waited for the connection.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Malformed => Fault::Malformed,
            Self::Said(_) => Fault::ErrorAnswer,
        }
    }
}

impl From<Malformed> for Refusal {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}
