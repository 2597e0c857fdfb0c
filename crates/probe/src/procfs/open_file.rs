//! A file of the kernel that is kept open and read again from its start: half the cost of opening it each time.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::text::number;

/// Enough for `/proc/stat` of 64 CPUs; a larger file makes the buffer grow once.
const BUFFER_BYTES: usize = 8192;

/// Enough for any `/proc/PID/stat` but the oddest.
const LINE_BYTES: usize = 512;

/// When a file is known to have been read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// The kernel writes the file as one record, which it never cuts: a read that leaves room in the buffer has met the
    /// end, and no second one is made to see it. True of `/proc/PID/stat` and `statm`, and of files of sysfs.
    Record,
    /// The kernel writes the file record by record, as many as fit into its own buffer of a page (`seq_read_iter` in
    /// `fs/seq_file.c`): a read may stop between two of them, and only a read of nothing is the end. True of
    /// `/proc/stat`, `/proc/cpuinfo`, and `/proc/PID/task/TID/children`.
    Records,
}

/// An open file and the buffer that it is read into.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    buffer: Vec<u8>,
    extent: Extent,
}

impl OpenFile {
    /// Open a file that can be read now, of any length; `None` if it does not exist or cannot be read.
    #[must_use]
    pub fn open(path: impl AsRef<Path>) -> Option<Self> {
        Self::open_with(path, BUFFER_BYTES, Extent::Records)
    }

    /// Open a file that the kernel writes as one record, such as a line of numbers. One read is enough for it.
    #[must_use]
    pub fn open_line(path: impl AsRef<Path>) -> Option<Self> {
        Self::open_with(path, LINE_BYTES, Extent::Record)
    }

    fn open_with(path: impl AsRef<Path>, bytes: usize, extent: Extent) -> Option<Self> {
        let mut kept = Self {
            file: File::open(path).ok()?,
            buffer: vec![0; bytes],
            extent,
        };
        let _ = kept.read()?;
        Some(kept)
    }

    /// The file's content now; `None` once it cannot be read (a process that is gone).
    pub fn read(&mut self) -> Option<&[u8]> {
        let file = &self.file;
        let length = fill(&mut self.buffer, self.extent, |buffer, offset| {
            file.read_at(buffer, offset)
        })?;
        Some(&self.buffer[..length])
    }

    /// The file's first number, if that is all it has.
    pub fn number(&mut self) -> Option<u64> {
        number(self.read()?.trim_ascii())
    }
}

/// Read from the start to the end, and return how many bytes the file has. The buffer grows as needed.
fn fill(
    buffer: &mut Vec<u8>,
    extent: Extent,
    read_at: impl Fn(&mut [u8], u64) -> io::Result<usize>,
) -> Option<usize> {
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
        match read_at(&mut buffer[filled..], u64::try_from(filled).ok()?) {
            Ok(0) => return Some(filled),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        }
        if extent == Extent::Record && filled < buffer.len() {
            return Some(filled);
        }
    }
}

/// The content of a file that the kernel writes as one record, read once; `None` if it cannot be read.
#[must_use]
pub fn read_line(path: impl AsRef<Path>) -> Option<Vec<u8>> {
    read_once(path.as_ref(), Extent::Record)
}

/// The content of a file that the kernel writes record by record, read once; `None` if it cannot be read.
#[must_use]
pub fn read_lines(path: impl AsRef<Path>) -> Option<Vec<u8>> {
    read_once(path.as_ref(), Extent::Records)
}

fn read_once(path: &Path, extent: Extent) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let mut buffer = vec![0; LINE_BYTES];
    let length = fill(&mut buffer, extent, |buffer, offset| {
        file.read_at(buffer, offset)
    })?;
    buffer.truncate(length);
    Some(buffer)
}

#[cfg(test)]
mod tests {
    use super::{Extent, OpenFile, fill};
    use std::cell::Cell;
    use std::io;

    /// Returns what the kernel would: at most `most` bytes at a time of this text. Counts the reads.
    struct Kernel {
        text: Vec<u8>,
        most: usize,
        reads: Cell<usize>,
    }

    impl Kernel {
        fn new(bytes: usize, most: usize) -> Self {
            Self {
                text: (b'0'..=b'9').cycle().take(bytes).collect(),
                most,
                reads: Cell::new(0),
            }
        }

        fn read(&self, extent: Extent) -> Vec<u8> {
            let mut buffer = vec![0; 8];
            let length = fill(&mut buffer, extent, |buffer, offset| {
                self.reads.set(self.reads.get() + 1);
                if self.reads.get() == 2 {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                let rest = &self.text[usize::try_from(offset).expect("it fits")..];
                let count = rest.len().min(buffer.len()).min(self.most);
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            })
            .expect("readable");
            buffer.truncate(length);
            buffer
        }
    }

    #[test]
    fn a_kept_file_is_read_again_from_its_start() {
        let mut kept = OpenFile::open("/proc/self/stat").expect("our own stat");
        let first = kept.read().expect("readable").to_vec();
        let again = kept.read().expect("readable").to_vec();
        assert_eq!(
            first.split(|&b| b == b' ').next(),
            again.split(|&b| b == b' ').next()
        );
    }

    #[test]
    fn a_file_in_several_records_is_read_to_its_end_however_few_a_read_gives() {
        for most in [1, 3, 7, 8, 9, 100] {
            let kernel = Kernel::new(100, most);
            assert_eq!(kernel.read(Extent::Records), kernel.text, "{most} a read");
        }
    }

    #[test]
    fn a_file_of_one_record_larger_than_the_buffer_is_read_whole() {
        for bytes in [0, 1, 7, 8, 9, 16, 100] {
            let kernel = Kernel::new(bytes, usize::MAX);
            assert_eq!(kernel.read(Extent::Record), kernel.text, "{bytes} bytes");
        }
    }

    #[test]
    fn a_file_of_one_record_that_fits_is_read_with_one_read() {
        let kernel = Kernel::new(7, usize::MAX);
        assert_eq!(kernel.read(Extent::Record), kernel.text);
        assert_eq!(kernel.reads.get(), 1);
    }

    #[test]
    fn a_file_that_does_not_exist_is_none() {
        assert!(OpenFile::open("/proc/not-there").is_none());
    }
}
