//! A file of the kernel that is kept open and read again from its start: half the cost of opening it each time.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::words::number;

/// Enough for `/proc/stat` of 64 CPUs; a larger file makes the buffer grow once.
const BUFFER_BYTES: usize = 8192;

/// Enough for any `/proc/PID/stat` but the oddest.
const SHORT_BYTES: usize = 512;

/// An open file and the buffer that it is read into.
#[derive(Debug)]
pub struct Kept {
    file: File,
    buffer: Vec<u8>,
    short: bool,
}

impl Kept {
    /// Open a file that can be read now; `None` where it is not there or gives nothing.
    #[must_use]
    pub fn open(path: impl AsRef<Path>) -> Option<Self> {
        Self::open_with(path, BUFFER_BYTES, false)
    }

    /// Open a file of one short line. A read that leaves room in the buffer has then met the end, and no second one is
    /// made to see it; of a long table the kernel may give less at a time.
    #[must_use]
    pub fn open_short(path: impl AsRef<Path>) -> Option<Self> {
        Self::open_with(path, SHORT_BYTES, true)
    }

    fn open_with(path: impl AsRef<Path>, bytes: usize, short: bool) -> Option<Self> {
        let mut kept = Self {
            file: File::open(path).ok()?,
            buffer: vec![0; bytes],
            short,
        };
        let _ = kept.read()?;
        Some(kept)
    }

    /// What the file says now; `None` once it cannot be read (a process that is gone).
    pub fn read(&mut self) -> Option<&[u8]> {
        let mut filled = 0;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(2 * filled, 0);
            }
            let offset = u64::try_from(filled).ok()?;
            match self.file.read_at(&mut self.buffer[filled..], offset) {
                Ok(count) => {
                    filled += count;
                    if count == 0 || (self.short && filled < self.buffer.len()) {
                        return Some(&self.buffer[..filled]);
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// The file's first number, where that is all it holds.
    pub fn number(&mut self) -> Option<u64> {
        number(self.read()?.trim_ascii())
    }
}

/// What a file of one short line says, read once.
#[must_use]
pub fn read_short(path: impl AsRef<Path>) -> Option<Vec<u8>> {
    let mut kept = Kept {
        file: File::open(path).ok()?,
        buffer: vec![0; SHORT_BYTES],
        short: true,
    };
    let length = kept.read()?.len();
    kept.buffer.truncate(length);
    Some(kept.buffer)
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn a_kept_file_is_read_again_from_its_start() {
        let mut kept = Kept::open("/proc/self/stat").expect("our own stat");
        let first = kept.read().expect("readable").to_vec();
        let again = kept.read().expect("readable").to_vec();
        assert_eq!(
            first.split(|&b| b == b' ').next(),
            again.split(|&b| b == b' ').next()
        );
    }

    #[test]
    fn a_file_larger_than_the_buffer_is_read_whole() {
        let whole = std::fs::read("/proc/cpuinfo").expect("cpuinfo");
        let mut kept = Kept::open_short("/proc/cpuinfo").expect("cpuinfo");
        assert_eq!(kept.read().expect("readable").len(), whole.len());
    }

    #[test]
    fn a_file_that_is_not_there_is_none() {
        assert!(Kept::open("/proc/not-there").is_none());
    }
}
