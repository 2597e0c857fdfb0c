//! From encrypted bytes to the reader's buffer: what has no room there is kept as it came.

use std::io::Read as _;

use super::Session;
use crate::tally::fault::Fault;

impl Session {
    /// Decrypts what is kept, as far as there is room.
    pub(super) fn decrypt_kept(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        let mut filled = self.take_plain(buffer);
        while self.used < self.kept.len() && filled < buffer.len() && !self.ended {
            let mut encrypted = &self.kept[self.used..];
            self.used += self.tls.read_tls(&mut encrypted).map_err(|_| Fault::Tls)?;
            filled += self.take_decrypted(&mut buffer[filled..])?;
        }
        if self.used == self.kept.len() {
            self.kept.clear();
            self.used = 0;
        }
        Ok(filled)
    }

    /// Decrypts into `buffer`; how many bytes of it are filled. What has no room is kept.
    pub(super) fn decrypt(
        &mut self,
        mut encrypted: &[u8],
        buffer: &mut [u8],
    ) -> Result<usize, Fault> {
        let mut filled = self.take_plain(buffer);
        while !encrypted.is_empty() && !self.ended {
            if filled == buffer.len() && !self.tls.is_handshaking() {
                self.kept.extend_from_slice(encrypted);
                break;
            }
            // rustls takes at most 4 KB at once.
            let _ = self.tls.read_tls(&mut encrypted).map_err(|_| Fault::Tls)?;
            filled += self.take_decrypted(&mut buffer[filled..])?;
        }
        Ok(filled)
    }

    fn take_decrypted(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        let state = self.tls.process_new_packets().map_err(|_| Fault::Tls)?;
        self.ended |= state.peer_has_closed();
        Ok(self.take_plain(buffer))
    }

    fn take_plain(&mut self, buffer: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.tls.reader().read(&mut buffer[filled..]) {
                Ok(bytes @ 1..) => filled += bytes,
                // Nothing is there now, or ever more.
                _ => break,
            }
        }
        filled
    }
}
