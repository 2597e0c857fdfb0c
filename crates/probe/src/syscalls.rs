//! The system calls that neither std nor rustix offers. No file but this one and `supervise/launch.rs` holds unsafe
//! code.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::io::Errno;
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// The size of one record that a signal descriptor gives (`man 2 signalfd`).
const SIGNAL_RECORD_BYTES: usize = 128;

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

/// Move the calling thread into a network namespace of its own, new and without a name.
///
/// # Errors
/// The kernel's: without `CAP_SYS_ADMIN`, or without network namespaces.
pub fn unshare_network() -> io::Result<()> {
    // SAFETY: of what this process has, only which network its calling thread sees changes: no memory, no descriptor.
    Ok(unsafe { unshare_unsafe(UnshareFlags::NEWNET) }?)
}

/// Give the calling thread System V's shared memory, semaphores and queues of its own: they are gone with the last
/// process that has them. For the child between fork and exec too, so it allocates nothing.
///
/// # Errors
/// The kernel's: without `CAP_SYS_ADMIN`. A kernel without such namespaces is none.
pub fn unshare_ipc() -> io::Result<()> {
    // SAFETY: of what this process has, only which such objects its calling thread sees changes: no memory, no
    // descriptor.
    match unsafe { unshare_unsafe(UnshareFlags::NEWIPC) } {
        Err(Errno::INVAL) => Ok(()),
        done => Ok(done?),
    }
}

/// Move the calling thread into a mount namespace of its own: what it mounts, nobody else sees.
///
/// # Errors
/// The kernel's: without `CAP_SYS_ADMIN`, or without mount namespaces.
pub fn unshare_mounts() -> io::Result<()> {
    // SAFETY: of what this process has, only the mounts and the folder of its calling thread change: no memory, no
    // descriptor.
    Ok(unsafe { unshare_unsafe(UnshareFlags::NEWNS | UnshareFlags::FS) }?)
}

/// What holds for a mount, as `mount_setattr` sets it (Linux 5.12): a `struct mount_attr`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

impl MountAttributes {
    /// No setuid programs and no devices.
    pub const HARMLESS: Self = Self::new(libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV, 0);
    /// That, and nothing may be written.
    pub const READ_ONLY: Self = Self::new(Self::HARMLESS.set | libc::MOUNT_ATTR_RDONLY, 0);
    /// That, and it may be written again.
    pub const WRITABLE: Self = Self::new(Self::HARMLESS.set, libc::MOUNT_ATTR_RDONLY);

    const fn new(set: u64, clear: u64) -> Self {
        Self {
            set,
            clear,
            propagation: 0,
            user_namespace: 0,
        }
    }
}

/// Set what holds for the mount at a path, and with `below` for all mounts in it. A link at its end is not followed.
///
/// # Errors
/// The kernel's: before Linux 5.12, or a path that is no mount.
pub fn set_mount_attributes(at: &Path, given: MountAttributes, below: bool) -> io::Result<()> {
    let path = CString::new(at.as_os_str().as_bytes())?;
    let recursive = if below { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the kernel reads the path, which ends with a zero, and `given`, of which it gets the size.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::AT_SYMLINK_NOFOLLOW | recursive,
            &raw const given,
            size_of::<MountAttributes>(),
        )
    };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Put the calling thread, and what it starts, into a new Landlock domain with these rules, for good. For the child
/// between fork and exec too, so it allocates nothing. The thread must have given up new privileges.
///
/// # Errors
/// The kernel's: more than 16 domains, one inside another.
pub fn enter_domain(rules: BorrowedFd) -> io::Result<()> {
    // SAFETY: the kernel reads two numbers, and changes what the calling thread may do: no memory, no descriptor.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Block these signals in this thread, and in those it starts later, and receive them through a descriptor.
///
/// That of children is ignored no longer: ignored, it would have the kernel forget how they ended.
///
/// # Errors
/// The kernel's, when a signal cannot be blocked or no descriptor is left.
pub fn signal_descriptor(signals: &[i32]) -> io::Result<OwnedFd> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: sigemptyset fills `set` before anything reads it; the descriptor is new and has no other owner.
    unsafe {
        let _ = libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let _ = libc::sigemptyset(set.as_mut_ptr());
        for &signal in signals {
            let _ = libc::sigaddset(set.as_mut_ptr(), signal);
        }
        if libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        match libc::signalfd(-1, set.as_ptr(), flags) {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(OwnedFd::from_raw_fd(fd)),
        }
    }
}

/// Whether we were started to ignore this signal (`nohup`). Once blocked, even an ignored one comes through a
/// descriptor.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is set; the kernel fills `action`, which is all zeros (a valid sigaction) if the call fails.
    unsafe {
        let _ = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// The next signal that waits in the descriptor, or `None`.
pub fn next_signal(descriptor: impl AsFd) -> Option<i32> {
    let mut record = [0_u8; SIGNAL_RECORD_BYTES];
    match rustix::io::read(descriptor, &mut record) {
        Ok(SIGNAL_RECORD_BYTES) => {
            let number = u32::from_ne_bytes([record[0], record[1], record[2], record[3]]);
            i32::try_from(number).ok()
        }
        _ => None,
    }
}

/// Let every signal through again, each with its default action; for the child between fork and exec, so it calls nothing
/// that allocates. A program keeps what its starter ignores: under `nohup`, or a script's `&`, a server would never stop by INT.
///
/// # Errors
/// The kernel's.
pub fn reset_signals() -> io::Result<()> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: sigemptyset makes `set` whole before sigprocmask reads it; all three are safe to call after a fork. The
    // kernel refuses the numbers of KILL, STOP and the C library's own, and changes nothing.
    let done = unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            let _ = libc::signal(signal, libc::SIG_DFL);
        }
        let _ = libc::sigemptyset(set.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, set.as_ptr(), std::ptr::null_mut())
    };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// A child that has ended and was not waited for yet; it stays so, and its last figures stay in `/proc`.
///
/// rustix's `waitid` does the same but does not return which child it found.
#[must_use]
pub fn ended_child() -> Option<i32> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let look = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `info` is all zeros, a valid siginfo_t, and outlives the call; after success its fields are those of
    // SIGCHLD.
    let pid = unsafe {
        if libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), look) != 0 {
            return None;
        }
        info.assume_init().si_pid()
    };
    (pid != 0).then_some(pid)
}

/// CPU time of another process so far, all of its threads together, to the nanosecond; `None` once it is gone.
///
/// `/proc/PID/stat` would round it to 10 ms, more than the gate can bear.
#[must_use]
pub fn cpu_ns_of(pid: i32) -> Option<u64> {
    let mut clock: libc::clockid_t = 0;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: both calls write only into the places given, which live until they return.
    let time = unsafe {
        if libc::clock_getcpuclockid(pid, &raw mut clock) != 0
            || libc::clock_gettime(clock, time.as_mut_ptr()) != 0
        {
            return None;
        }
        time.assume_init()
    };
    let whole = u64::try_from(time.tv_sec).ok()?;
    Some(whole * 1_000_000_000 + u64::try_from(time.tv_nsec).ok()?)
}

/// Who listens at the other end of a connected Unix socket: its process, 0 if it has no number here, and its user.
///
/// # Errors
/// The kernel's: the socket is not connected.
pub fn peer(socket: BorrowedFd<'_>) -> io::Result<(i32, u32)> {
    let mut found = libc::ucred {
        pid: 0,
        uid: 0,
        gid: 0,
    };
    let mut bytes = libc::socklen_t::try_from(size_of::<libc::ucred>()).unwrap_or(0);
    // SAFETY: the kernel writes at most `bytes` bytes, the size of `found`, of which every value is a valid one.
    let done = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut found).cast(),
            &raw mut bytes,
        )
    };
    if done == 0 {
        Ok((found.pid, found.uid))
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(test)]
mod tests {
    use super::{cpu_ns_of, next_signal, signal_descriptor};
    use crate::procfs::TICK_NS;
    use base::clock::process_cpu_ns;

    /// No process has this number or a higher one (`PID_MAX_LIMIT` of the kernel).
    const PID_LIMIT: i32 = 1 << 22;

    #[test]
    fn a_process_clock_agrees_with_its_own() {
        let pid = i32::try_from(std::process::id()).expect("a pid");
        // The threads of other tests use CPU time meanwhile, however many there are.
        let before = process_cpu_ns();
        let read = cpu_ns_of(pid).expect("a living process has a clock");
        let after = process_cpu_ns();
        assert!(before <= read + TICK_NS && read <= after + TICK_NS);
    }

    #[test]
    fn a_process_that_is_not_there_has_no_clock() {
        assert_eq!(cpu_ns_of(PID_LIMIT), None);
    }

    #[test]
    fn no_signal_is_none() {
        let descriptor = signal_descriptor(&[libc::SIGWINCH]).expect("a descriptor");
        assert_eq!(next_signal(&descriptor), None);
    }
}
