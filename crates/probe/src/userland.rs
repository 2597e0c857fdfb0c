//! A userland: a root of its own for programs of a run, read-only and shared by runs.
//!
//! It is assembled on a file system in memory, in a mount namespace without a name, and entered by `pivot_root`: the host's
//! root is then unmounted there, so that no path leads back to it. What is in it: the userland's own folders, read-only;
//! the run's folder and what is shown, at their places on the host; `/proc`, `/sys`, six devices, and an empty `/tmp`.

use std::collections::BTreeSet;
use std::ffi::{CStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_bind, mount_bind_recursive, mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use crate::private_files::spellings;
use crate::syscalls::{MountAttributes, set_mount_attributes};

/// What every userland gets from this machine, or empty, whatever it has there itself.
const OURS: [&str; 5] = ["dev", "proc", "run", "sys", "tmp"];

/// The devices that programs have.
const DEVICES: [&str; 6] = ["full", "null", "random", "tty", "urandom", "zero"];

/// What programs expect in `/dev` besides, each with where it leads.
const LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];

/// Rights that nobody but root has on what a program of root's would trust.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Open a folder that is to be a root: it belongs to us, and nobody else may write there.
///
/// # Errors
/// One that is not there, is a link, or that others may change.
fn open_root(path: &Path) -> io::Result<OwnedFd> {
    let folder = open_folder(path, OFlags::NOFOLLOW)?;
    let found = fstat(&folder)?;
    if found.st_uid != rustix::process::geteuid().as_raw()
        || found.st_mode & WRITABLE_BY_OTHERS != 0
    {
        return Err(refused("other users may change it"));
    }
    Ok(folder)
}

/// Put the calling thread, in a mount namespace of its own, on this root. `shown` are the folders that stay visible at
/// their places; `stage` is a folder, shown or not, over which the root is assembled.
///
/// # Errors
/// The kernel's, a root that others may change, or a shown folder whose place the userland cannot have.
pub fn change_root(root: &Path, shown: &[PathBuf], stage: &Path) -> io::Result<()> {
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )?;
    // The kernel mounts only what was opened in this namespace.
    let root = open_root(root)?;
    let mut sources = Vec::new();
    for place in shown.iter().flat_map(|path| spellings(path)) {
        if place.is_dir() {
            // Cloned before the stage is mounted: one of them is the folder below it.
            let flags = OpenTreeFlags::OPEN_TREE_CLONE
                | OpenTreeFlags::OPEN_TREE_CLOEXEC
                | OpenTreeFlags::AT_RECURSIVE;
            sources.push((open_tree(CWD, &place, flags)?, place));
        }
    }
    let mut skeleton = Skeleton::new(stage)?;
    fill(stage, &root, &OURS)?;
    skeleton.add_ours()?;
    for (_, place) in &sources {
        skeleton.make_place(place)?;
    }
    skeleton.protect()?;
    for device in DEVICES {
        mount_bind(
            Path::new("/dev").join(device),
            stage.join("dev").join(device),
        )?;
    }
    for (folder, attributes) in [
        ("proc", MountAttributes::HARMLESS),
        ("sys", MountAttributes::READ_ONLY),
    ] {
        let target = stage.join(folder);
        mount_bind_recursive(Path::new("/").join(folder), &target)?;
        set_mount_attributes(&target, attributes, true)?;
    }
    for (folder, place) in &sources {
        let target = stage.join(below_root(place)?);
        let whole = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        move_mount(folder, "", CWD, &target, whole)?;
        set_mount_attributes(&target, MountAttributes::HARMLESS, true)?;
    }
    chdir(stage)?;
    pivot_root(".", ".")?;
    // The host's root is now above ours at the same place: the path leads to it, and away it goes.
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/")?)
}

/// The new root while it is assembled: folders in memory, in which the userland's own folders are mounted.
struct Skeleton {
    stage: PathBuf,
    /// The folders in memory, in which we can make others.
    made: BTreeSet<PathBuf>,
}

impl Skeleton {
    fn new(stage: &Path) -> io::Result<Self> {
        mount_memory(stage, c"mode=0755")?;
        Ok(Self {
            stage: stage.to_path_buf(),
            made: BTreeSet::from([stage.to_path_buf()]),
        })
    }

    /// Make the folders that every userland gets, with an empty `/tmp` and `/dev/shm` that programs may write to.
    fn add_ours(&mut self) -> io::Result<()> {
        for folder in OURS {
            self.make_folder(&self.stage.join(folder))?;
        }
        let devices = self.stage.join("dev");
        self.make_folder(&devices.join("shm"))?;
        for device in DEVICES {
            let _ = fs::File::create(devices.join(device))?;
        }
        for (name, target) in LINKS {
            symlink(target, devices.join(name))?;
        }
        for folder in self.writable() {
            mount_memory(&folder, c"mode=1777")?;
        }
        Ok(())
    }

    fn writable(&self) -> [PathBuf; 2] {
        [self.stage.join("tmp"), self.stage.join("dev/shm")]
    }

    /// Make a folder's place, with the folders above it. What the userland has next to it stays visible.
    fn make_place(&mut self, place: &Path) -> io::Result<()> {
        let mut above = self.stage.clone();
        for part in below_root(place)?.components() {
            let folder = above.join(part);
            match fs::symlink_metadata(&folder) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    return Err(refused(
                        "the userland has a link or a file at a place of ours",
                    ));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if !self.made.contains(&above) {
                        self.expose(&above)?;
                    }
                    self.make_folder(&folder)?;
                }
                Err(error) => return Err(error),
            }
            above = folder;
        }
        Ok(())
    }

    /// Replace a mounted folder by one in memory with the same content, so that we can make others in it.
    fn expose(&mut self, folder: &Path) -> io::Result<()> {
        let its = open_folder(folder, OFlags::NOFOLLOW)?;
        mount_memory(folder, c"mode=0755")?;
        let _ = self.made.insert(folder.to_path_buf());
        fill(folder, &its, &[])
    }

    fn make_folder(&mut self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)?;
        let _ = self.made.insert(folder.to_path_buf());
        Ok(())
    }

    /// Make all of it read-only but the two folders for temporary files.
    fn protect(&self) -> io::Result<()> {
        set_mount_attributes(&self.stage, MountAttributes::READ_ONLY, true)?;
        for folder in self.writable() {
            set_mount_attributes(&folder, MountAttributes::WRITABLE, false)?;
        }
        Ok(())
    }
}

/// Give a folder in memory what another folder has, except what is left out: folders and files mounted, links made.
fn fill(at: &Path, from: &OwnedFd, without: &[&str]) -> io::Result<()> {
    let source = path_of(from);
    let mut entries: Vec<(OsString, fs::FileType)> = Vec::new();
    for entry in fs::read_dir(&source)? {
        let entry = entry?;
        entries.push((entry.file_name(), entry.file_type()?));
    }
    for (name, kind) in entries {
        if without.iter().any(|each| name == **each) {
            continue;
        }
        let (its, target) = (source.join(&name), at.join(&name));
        if kind.is_symlink() {
            symlink(fs::read_link(its)?, target)?;
        } else if kind.is_dir() {
            fs::create_dir(&target)?;
            mount_bind(its, target)?;
        } else if kind.is_file() {
            let _ = fs::File::create(&target)?;
            mount_bind(its, target)?;
        }
    }
    Ok(())
}

fn mount_memory(at: &Path, options: &CStr) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("none", at, "tmpfs", flags, options)?)
}

fn open_folder(path: &Path, more: OFlags) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC | more;
    let folder = openat(CWD, path, flags, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&folder)?.st_mode) == FileType::Directory {
        Ok(folder)
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

/// Where an open folder is, even if something is mounted over its path.
fn path_of(folder: &OwnedFd) -> PathBuf {
    PathBuf::from(format!(
        "/proc/thread-self/fd/{}",
        folder.as_fd().as_raw_fd()
    ))
}

/// An absolute path without its root; its parts are plain names.
fn below_root(place: &Path) -> io::Result<&Path> {
    let below = place
        .strip_prefix("/")
        .map_err(|_| refused("a folder to show is not an absolute path"))?;
    let plain = |part: Component| matches!(part, Component::Normal(_));
    match below.components().next() {
        Some(Component::Normal(top)) if OURS[..4].iter().any(|each| top == *each) => {
            Err(refused("a folder to show is in /dev, /proc, /run or /sys"))
        }
        Some(_) if below.components().all(plain) => Ok(below),
        _ => Err(refused("a folder to show is the root, or not a plain path")),
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::other(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{below_root, open_root};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    #[test]
    fn only_plain_absolute_paths_are_shown() {
        assert!(below_root(Path::new("/var/tmp/run-1")).is_ok());
        for wrong in ["/", "a", "/a/../b", "/proc/1", "/dev/shm", "/sys", "/run/x"] {
            assert!(below_root(Path::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_root_that_others_may_change_or_that_is_a_link_is_refused() {
        let top = std::env::temp_dir().join(format!("h2h-root-{}", std::process::id()));
        let (ours, theirs, link) = (top.join("ours"), top.join("theirs"), top.join("link"));
        fs::create_dir_all(&ours).expect("a folder");
        fs::create_dir(&theirs).expect("a folder");
        fs::set_permissions(&ours, fs::Permissions::from_mode(0o755)).expect("ours");
        fs::set_permissions(&theirs, fs::Permissions::from_mode(0o777)).expect("ours");
        symlink(&ours, &link).expect("a link");
        let found = [&ours, &theirs, &link].map(|each| open_root(each).is_ok());
        fs::remove_dir_all(&top).expect("ours");
        assert_eq!(found, [true, false, false]);
    }
}
