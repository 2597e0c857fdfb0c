//! HTTP as the users speak it: requests of a mix, and their responses.

use super::Malformed;
use super::answer::{Answer, Reader};
use crate::dialogue::{CheckedResponse, Dialogue, ReadMode, ThreadContext};
use crate::http::mix::{Compression, Drawn, Draws, Mix};

/// If a whole response has come, this many bytes are read first: the head. The rest of the body is not copied; below
/// this the second call would cost more than it saves.
const HEAD_ROOM_BYTES: u32 = 1024;

/// What one thread requests, and how it reads the responses.
#[derive(Debug)]
pub struct HttpDialogue<'a> {
    mix: &'a Mix,
    draws: Draws,
}

impl<'a> HttpDialogue<'a> {
    /// The conversation of the thread in this context.
    pub fn new(mix: &'a Mix, context: ThreadContext) -> Self {
        Self {
            mix,
            draws: mix.draws(context.random, context.thread, context.threads),
        }
    }

    fn checked(&self, drawn: Drawn, answer: &Answer) -> CheckedResponse {
        CheckedResponse {
            fault: self.mix.judge(drawn, answer),
            length_bytes: answer.length_bytes,
            rows: 0,
            compression: self.mix.compression().map(|_| Compression::of(answer)),
            keep_alive: answer.keep_alive,
            ends_session: false,
        }
    }
}

impl Dialogue for HttpDialogue<'_> {
    type Drawn = Drawn;
    type Reader = Reader;

    fn draw(&mut self, _reader: &mut Reader, _first: bool) -> Drawn {
        self.mix.draw(&mut self.draws)
    }

    fn request<'b>(
        &'b self,
        _reader: &Reader,
        drawn: Drawn,
        last: bool,
        scratch: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        let request = self.mix.bytes(drawn);
        if !last {
            return request;
        }
        let blank_line = request.len().saturating_sub(2);
        scratch.clear();
        scratch.extend_from_slice(&request[..blank_line]);
        scratch.extend_from_slice(b"Connection: close\r\n\r\n");
        scratch
    }

    fn length_bytes(&self, drawn: Drawn) -> Option<u64> {
        self.mix.length_bytes(drawn)
    }

    fn begin(&self, reader: &mut Reader, _drawn: Drawn) {
        reader.begin();
    }

    /// Bytes of a body that is not checked are discarded uncopied, and one more byte, so that anything after its end is
    /// noticed.
    fn taking(&self, reader: &Reader, drawn: Drawn, most: usize, wake_at: u32) -> ReadMode {
        let looked_at = self.mix.check(drawn).is_some();
        match reader.left_bytes() {
            _ if looked_at => ReadMode::Seen(most),
            Some(left) => {
                let room = usize::try_from(left).unwrap_or(most).saturating_add(1);
                ReadMode::Unseen(room.min(most))
            }
            None if wake_at > HEAD_ROOM_BYTES && !reader.started() => {
                ReadMode::Seen(usize::try_from(HEAD_ROOM_BYTES).unwrap_or(most))
            }
            None => ReadMode::Seen(most),
        }
    }

    fn feed(
        &self,
        reader: &mut Reader,
        drawn: Drawn,
        bytes: &[u8],
    ) -> Result<Option<CheckedResponse>, Malformed> {
        let check = self.mix.check(drawn);
        let answer = reader.feed(bytes, check.as_ref())?;
        Ok(answer.map(|answer| self.checked(drawn, &answer)))
    }

    fn pass(
        &self,
        reader: &mut Reader,
        drawn: Drawn,
        bytes: u64,
    ) -> Result<Option<CheckedResponse>, Malformed> {
        let answer = reader.pass(bytes)?;
        Ok(answer.map(|answer| self.checked(drawn, &answer)))
    }

    fn close(&self, reader: &mut Reader, drawn: Drawn) -> Option<CheckedResponse> {
        let answer = reader.close(self.mix.check(drawn).as_ref())?;
        Some(self.checked(drawn, &answer))
    }

    /// If a kept connection ends before one byte of the response, the server may not have seen the request.
    fn repeats(&self, reader: &Reader) -> bool {
        !reader.started()
    }

    fn compression(&self) -> Option<Compression> {
        self.mix.compression()
    }
}
