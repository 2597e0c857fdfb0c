//! Removes a whole folder, however deep a program has nested it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

/// Remove a folder with all in it, which a program may have nested deeper than the stack is, or than files may be open:
/// `rm` holds neither. Without `rm`, the library does it.
///
/// # Errors
/// The kernel's, if neither could; `NotFound` if it is not there.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let _ = fs::symlink_metadata(path)?;
    let ended = Command::new("rm")
        .args(["--recursive", "--force", "--one-file-system", "--"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match ended {
        Ok(status) if status.success() => Ok(()),
        _ => fs::remove_dir_all(path),
    }
}

#[cfg(test)]
mod tests {
    use super::remove_tree;
    use crate::fake_folder::Folder;
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

    #[test]
    fn a_folder_nested_deeper_than_files_may_be_open_is_removed() {
        let root = Folder::new();
        root.file("deep/file", "gone");
        let top = root.path().join("deep");
        let mut at = openat(
            CWD,
            &top,
            OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .expect("a folder");
        for _ in 0..3000 {
            mkdirat(&at, "d", Mode::RWXU).expect("a folder in it");
            at = openat(&at, "d", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
                .expect("a folder");
        }
        remove_tree(&top).expect("removed");
        assert!(!top.exists());
        assert!(remove_tree(&top).is_err(), "it is gone");
    }
}
