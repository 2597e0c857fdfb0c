//! Memory mapped by the kernel directly, so that its pages are known. Holds unsafe code, as `pointer_chase/walk.rs` and
//! `vector/` do.
#![allow(unsafe_code)]

mod node;

use std::fs;
use std::io;
use std::ptr::{self, NonNull};
use std::slice;

use base::error::{Error, kernel_text};

use crate::numbers::float;

/// A huge page of x86-64, and of aarch64 with small ones of 4 KiB.
const HUGE_BYTES: usize = 2 << 20;

/// A small page; if pages are larger, some are checked twice.
const PAGE_BYTES: usize = 4096;

/// The number of pages whose node is checked.
const LOOKED_AT: usize = 512;

/// Which pages the memory should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// What the system gives by default.
    System,
    /// The smallest there are.
    Small,
    /// Huge ones, if the system has them.
    Huge,
}

/// A private range of zeros; its pages come when they are touched.
#[derive(Debug)]
pub struct Mapping {
    whole: NonNull<libc::c_void>,
    whole_bytes: usize,
    skipped: usize,
    bytes: usize,
}

// SAFETY: the memory belongs to this value alone, wherever it goes; nothing in it is bound to a thread.
unsafe impl Send for Mapping {}

impl Mapping {
    /// Asks for at least `bytes`, which begin at a huge page's border.
    ///
    /// # Errors
    /// The kernel does not give them.
    pub fn new(bytes: usize, pages: Pages) -> Result<Self, Error> {
        let bytes = bytes.next_multiple_of(HUGE_BYTES);
        let whole_bytes = bytes.saturating_add(HUGE_BYTES);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
        let start = unsafe { libc::mmap(ptr::null_mut(), whole_bytes, access, kind, -1, 0) };
        let refused = || refused(bytes, &io::Error::last_os_error());
        if start == libc::MAP_FAILED {
            return Err(refused());
        }
        let whole = NonNull::new(start).ok_or_else(refused)?;
        let map = Self {
            whole,
            whole_bytes,
            skipped: whole.as_ptr().addr().next_multiple_of(HUGE_BYTES) - whole.as_ptr().addr(),
            bytes,
        };
        map.advise(pages);
        Ok(map)
    }

    /// Its content as whole numbers.
    pub fn words(&mut self) -> &mut [usize] {
        // SAFETY: the mapping is as long, aligned to a page, zero or written by us, and borrowed through `self`.
        unsafe { slice::from_raw_parts_mut(self.start().cast(), self.bytes / size_of::<usize>()) }
    }

    /// Its content as fractions.
    pub fn floats(&mut self) -> &mut [f64] {
        // SAFETY: as of `words`; all bits are an f64, and all zeros are 0.0.
        unsafe { slice::from_raw_parts_mut(self.start().cast(), self.bytes / size_of::<f64>()) }
    }

    /// Has its pages come from one node of memory, whichever CPU touches them. To be called before they are touched.
    ///
    /// # Errors
    /// The kernel refuses.
    pub fn bind(&self, node: u32) -> Result<(), Error> {
        let (mask, bits) = node::mask(node);
        // SAFETY: the policy of our own mapping; the mask is as long as the kernel is told.
        let done = unsafe {
            libc::syscall(
                libc::SYS_mbind,
                self.whole.as_ptr(),
                self.whole_bytes,
                libc::MPOL_BIND,
                mask.as_ptr(),
                bits,
                0_usize,
            )
        };
        if done == 0 {
            return Ok(());
        }
        Err(Error::failure(
            format!("Memory of node {node}"),
            format!(
                "the kernel refuses it: {}",
                kernel_text(&io::Error::last_os_error())
            ),
            "Check whether a control group (cpuset.mems) or a container keeps this program from that node.",
        ))
    }

    /// The share of its touched pages that are on a node, of some hundred checked; `None` if the kernel does not report
    /// it.
    pub fn node_share(&self, node: u32) -> Option<f64> {
        let step = (self.bytes / LOOKED_AT).next_multiple_of(PAGE_BYTES);
        let mut pages: Vec<*mut libc::c_void> = (0..self.bytes)
            .step_by(step)
            // SAFETY: an address within the mapping; nothing is read there.
            .map(|offset| unsafe { self.start().byte_add(offset) })
            .collect();
        let mut lie = vec![-1_i32; pages.len()];
        // SAFETY: with no nodes named it moves nothing, and writes the node of each page into as many places.
        let done = unsafe {
            libc::syscall(
                libc::SYS_move_pages,
                0,
                pages.len(),
                pages.as_mut_ptr(),
                ptr::null::<i32>(),
                lie.as_mut_ptr(),
                0,
            )
        };
        (done == 0).then_some(())?;
        node::share(&lie, node)
    }

    /// Its address.
    pub fn address(&self) -> usize {
        self.start().expose_provenance()
    }

    /// The share of huge pages in what was touched; `None` if `/proc` does not show it.
    pub fn huge_share(&self) -> Option<f64> {
        huge_share(
            &fs::read_to_string("/proc/self/smaps").ok()?,
            self.address(),
        )
    }

    /// Makes the kernel replace small pages, given for lack of huge ones, by huge ones as far as it can (Linux 6.1).
    pub fn collapse(&self, bytes: usize) {
        let bytes = bytes.next_multiple_of(HUGE_BYTES).min(self.bytes);
        // SAFETY: our own mapping, whose content stays the same. What comes of it is read back.
        let _ = unsafe { libc::madvise(self.start(), bytes, libc::MADV_COLLAPSE) };
    }

    fn start(&self) -> *mut libc::c_void {
        // SAFETY: less than one huge page is skipped, and the whole is longer than that.
        unsafe { self.whole.as_ptr().byte_add(self.skipped) }
    }

    /// Tells the kernel which pages are wanted. What comes of it is read back, so a refusal needs no look here.
    fn advise(&self, pages: Pages) {
        let advice = match pages {
            Pages::System => return,
            Pages::Small => libc::MADV_NOHUGEPAGE,
            Pages::Huge => libc::MADV_HUGEPAGE,
        };
        // SAFETY: advice about our own mapping, that changes no content.
        let _ = unsafe { libc::madvise(self.whole.as_ptr(), self.whole_bytes, advice) };
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and whole, and every borrow of it has ended.
        let _ = unsafe { libc::munmap(self.whole.as_ptr(), self.whole_bytes) };
    }
}

fn refused(bytes: usize, error: &io::Error) -> Error {
    Error::failure(
        format!("{bytes} bytes of memory"),
        format!("the kernel refuses them: {}", kernel_text(error)),
        "Name a smaller size, or raise the limit (`ulimit -v`).",
    )
}

/// The share of huge pages in what is resident of the mapping that holds this address.
fn huge_share(smaps: &str, address: usize) -> Option<f64> {
    let mut lines = smaps.lines().skip_while(|line| !holds(line, address));
    let _ = lines.next()?;
    let kibibytes = |line: &str| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok();
    let (mut resident, mut huge) = (None, None);
    for line in lines {
        match line.split_once(':') {
            Some(("Rss", _)) => resident = kibibytes(line),
            Some(("AnonHugePages", _)) => huge = kibibytes(line),
            _ => {}
        }
        if let (Some(resident), Some(huge)) = (resident, huge) {
            return (resident > 0).then(|| float(huge) / float(resident));
        }
    }
    None
}

/// Whether a line of smaps begins the mapping of this address: `7f00-7f10 rw-p ...`.
fn holds(line: &str, address: usize) -> bool {
    let range = line.split_ascii_whitespace().next().unwrap_or("");
    let bound = |text: &str| usize::from_str_radix(text, 16).ok();
    match range.split_once('-') {
        Some((from, to)) => bound(from)
            .zip(bound(to))
            .is_some_and(|(from, to)| (from..to).contains(&address)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Mapping, Pages, huge_share};

    const SMAPS: &str = "7f0000000000-7f0000400000 rw-p 00000000 00:00 0\nSize: 4096 kB\nRss: 4096 kB\n\
                         AnonHugePages:  2048 kB\nVmFlags: rd wr\n\
                         7f0000400000-7f0000500000 rw-p 00000000 00:00 0\nRss:  0 kB\nAnonHugePages:   0 kB\n";

    #[test]
    fn huge_pages_are_counted_among_those_that_are_there() {
        let share = huge_share(SMAPS, 0x7f00_0010_0000).expect("a share");
        assert!((share - 0.5).abs() < 1e-12);
        assert_eq!(huge_share(SMAPS, 0x7f00_0040_0000), None);
        assert_eq!(huge_share(SMAPS, 0x10), None);
    }

    #[test]
    fn a_map_is_zeros_that_begin_at_a_huge_page_and_may_be_written() {
        let mut map = Mapping::new(5000, Pages::Small).expect("a page");
        assert_eq!(map.address() % super::HUGE_BYTES, 0);
        let words = map.words();
        assert!(words.iter().all(|&word| word == 0));
        let last = words.len() - 1;
        words[last] = 7;
        assert_eq!(map.words()[last], 7);
        assert!(map.huge_share().is_none_or(|share| share < 0.01));
    }

    #[test]
    fn pages_lie_on_the_node_that_they_are_bound_to() {
        let mut map = Mapping::new(4 << 20, Pages::Small).expect("some pages");
        // If no system call of this kind is allowed, there is nothing to check.
        if map.bind(0).is_ok() {
            map.words().fill(1);
            assert!(map.node_share(0).is_none_or(|share| share > 0.999));
        }
        assert!(map.bind(1000).is_err());
    }

    #[test]
    fn more_than_there_is_address_space_is_refused() {
        assert!(Mapping::new(1 << 62, Pages::System).is_err());
    }
}
