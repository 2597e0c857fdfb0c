//! Which nodes new memory comes from.

use std::io;

/// The highest number of a node that any kernel knows (`CONFIG_NODES_SHIFT` is at most 10).
pub const MAX_NODE: usize = 1023;

/// Take new memory from these nodes in that mode (`MPOL_...`): the calling thread, and what it starts later. For the
/// child between fork and exec too, so it allocates nothing. Nodes above `MAX_NODE` are left out.
///
/// # Errors
/// The kernel's: a node that is not there, has no memory, or may not be used; a kernel without policies.
pub fn set_memory_policy(mode: i32, nodes: &[usize]) -> io::Result<()> {
    const WORD_BITS: usize = libc::c_ulong::BITS as usize;
    let mut mask: [libc::c_ulong; (MAX_NODE + 1) / WORD_BITS] = [0; (MAX_NODE + 1) / WORD_BITS];
    for &node in nodes.iter().filter(|&&node| node <= MAX_NODE) {
        mask[node / WORD_BITS] |= 1 << (node % WORD_BITS);
    }
    // The kernel takes one off the number of bits.
    let bits = MAX_NODE + 2;
    // SAFETY: the kernel reads `mask`, which has that many bits, and writes nothing.
    let done = unsafe { libc::syscall(libc::SYS_set_mempolicy, mode, mask.as_ptr(), bits) };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
