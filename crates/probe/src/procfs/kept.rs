//! A file of the kernel that is kept open and read again from its start: half the cost of opening it each time.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::words::number;

/// Enough for `/proc/stat` of 64 CPUs; a larger file makes the buffer grow once.
const BUFFER_BYTES: usize = 8192;

/// An open file and the buffer that it is read into.
#[derive(Debug)]
pub struct Kept {
    file: File,
    buffer: Vec<u8>,
}

impl Kept {
    /// Open a file that can be read now; `None` where it is not there or gives nothing.
    #[must_use]
    pub fn open(path: impl AsRef<Path>) -> Option<Self> {
        Self::open_with(path, BUFFER_BYTES)
    }

    /// Open a file of one short line.
    #[must_use]
    pub fn open_short(path: impl AsRef<Path>) -> Option<Self> {
        Self::open_with(path, 512)
    }

    fn open_with(path: impl AsRef<Path>, bytes: usize) -> Option<Self> {
        let file = File::open(path).ok()?;
        let mut kept = Self {
            file,
            buffer: vec![0; bytes],
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
                Ok(0) => return Some(&self.buffer[..filled]),
                Ok(count) => filled += count,
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
