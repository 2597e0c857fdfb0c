//! What holds for a mount: no setuid programs, no devices, no writing.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

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
