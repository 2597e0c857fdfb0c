//! A run's own view of the file system, for its programs only: empty `/tmp`, `/var/tmp`, `/dev/shm` and `/run/lock`, and
//! `/home`, `/root`, `/run/user` and the system's bus hidden; or another root, that of a userland.
//!
//! It is a mount namespace without a name: it exists as long as a descriptor or a process of the run is in it.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind_recursive, mount_change};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::syscalls::{unshare_ipc, unshare_mounts};
use crate::userland::change_root;

/// What programs of a run do not see: each is an empty folder to them, with these rights.
const HIDDEN: [(&str, &str); 8] = [
    ("/tmp", "mode=1777"),
    ("/var/tmp", "mode=1777"),
    ("/dev/shm", "mode=1777"),
    ("/run/lock", "mode=1777"),
    ("/run/dbus", "mode=0755"),
    ("/run/user", "mode=0755"),
    ("/home", "mode=0755"),
    ("/root", "mode=0755"),
];

/// Which view a process has: device and number of its mount namespace.
pub type ViewId = (u64, u64);

/// The view, kept by its descriptor.
#[derive(Debug)]
pub struct PrivateFiles {
    file: File,
    id: ViewId,
}

impl PrivateFiles {
    /// Make it. Folders of `kept` stay visible at their places, even in what is hidden.
    ///
    /// # Errors
    /// The kernel's: without `CAP_SYS_ADMIN`, or without namespaces.
    pub fn make(kept: &[PathBuf]) -> io::Result<Self> {
        Self::arranged(|| {
            let below = MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC;
            mount_change("/", below)?;
            hide(kept)
        })
    }

    /// Make the view of a userland: `root` is its root, and folders of `kept` are at their places, writable by whom they
    /// belong to. The folder `stage` is covered while the view is made, in the view only.
    ///
    /// # Errors
    /// The kernel's, a root that others may change, or a kept folder whose place the userland cannot have.
    pub fn of_userland(root: &Path, kept: &[PathBuf], stage: &Path) -> io::Result<Self> {
        Self::arranged(|| change_root(root, kept, stage))
    }

    /// A thread leaves our view and arranges a new one, and only the descriptor of that is kept.
    fn arranged(arrange: impl FnOnce() -> io::Result<()> + Send) -> io::Result<Self> {
        let file = thread::scope(|scope| {
            let thread = thread::Builder::new()
                .name("files".to_owned())
                .spawn_scoped(scope, || {
                    unshare_mounts()?;
                    arrange()?;
                    File::open("/proc/thread-self/ns/mnt")
                })?;
            thread
                .join()
                .map_err(|_| io::Error::other("the thread panicked"))?
        })?;
        let id = id_at(&file.metadata()?);
        Ok(Self { file, id })
    }

    /// Which view it is.
    #[must_use]
    pub fn id(&self) -> ViewId {
        self.id
    }

    /// A descriptor of it for a child that is to enter it.
    ///
    /// # Errors
    /// The kernel's, if no descriptor is left.
    pub fn descriptor(&self) -> io::Result<OwnedFd> {
        self.file.as_fd().try_clone_to_owned()
    }
}

/// Move the calling thread; for the child between fork and exec too, so it allocates nothing.
///
/// It gets System V's shared memory of its own too, which the kernel keeps like a file when a program is killed.
///
/// # Errors
/// The kernel's.
pub fn enter(view: BorrowedFd) -> io::Result<()> {
    unshare_ipc()?;
    Ok(move_into_link_name_space(
        view,
        Some(LinkNameSpaceType::Mount),
    )?)
}

/// Cover what is hidden, then make the kept folders visible again.
fn hide(kept: &[PathBuf]) -> io::Result<()> {
    let places: Vec<PathBuf> = kept.iter().flat_map(|path| spellings(path)).collect();
    let mut covered = Vec::new();
    for (folder, rights) in HIDDEN {
        let there = Path::new(folder).is_dir();
        // What holds a kept folder's very self cannot be covered.
        if there
            && !places
                .iter()
                .any(|place| Path::new(folder).starts_with(place))
        {
            covered.push((folder, rights));
        }
    }
    let mut shown = Vec::new();
    for place in places {
        if covered.iter().any(|(folder, _)| place.starts_with(folder)) && place.is_dir() {
            shown.push((
                openat(CWD, &place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?,
                place,
            ));
        }
    }
    for (folder, rights) in &covered {
        let rights = std::ffi::CString::new(*rights)?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount("none", *folder, "tmpfs", flags, rights.as_c_str())?;
    }
    for (folder, place) in shown {
        fs::create_dir_all(&place)?;
        mount_bind_recursive(
            format!("/proc/thread-self/fd/{}", folder.as_raw_fd()),
            &place,
        )?;
    }
    Ok(())
}

/// The view of a process; `None` once it is gone, or if we may not read it.
#[must_use]
pub fn view_of(pid: i32) -> Option<ViewId> {
    let path = format!("/proc/{pid}/ns/mnt");
    fs::metadata(path).ok().as_ref().map(id_at)
}

fn id_at(file: &fs::Metadata) -> ViewId {
    (file.dev(), file.ino())
}

/// A path as it was given, and without its links.
pub fn spellings(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![path.to_path_buf()];
    found.extend(fs::canonicalize(path).ok().filter(|real| real != path));
    found
}
