//! A folder that is sent once: checked if it is there, made whole or not at all if not.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use base::error::Error;
use serde_json::json;

use super::files::{cannot_write, changed, content_of, unfinished, write};
use super::order::Entry;

/// What stays free on the disk: a file system that is full disturbs more than us.
const SPARE_BYTES: u64 = 64 << 20;

/// Make the folder, unless it is there and each of its files is right. The first response says which; the second,
/// after the bytes, that all of them were right.
pub fn receive(into: &Path, files: &[Entry]) -> Result<(), Error> {
    for each in files {
        check_inside(&each.path)?;
    }
    if is_there(into, files) {
        return super::answer(&json!({"have": true}));
    }
    let growing = unfinished(into)?;
    let above = growing.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(above).map_err(|error| cannot_write(above, &error))?;
    check_space(above, files)?;
    super::answer(&json!({"have": false}))?;
    let outcome = fill(&growing, into, files).and_then(|()| replace(&growing, into));
    if outcome.is_err() {
        let _ = fs::remove_dir_all(&growing);
    }
    outcome?;
    super::answer(&json!({"done": true}))
}

/// A path must name a file inside the folder.
fn check_inside(path: &Path) -> Result<(), Error> {
    let inside = |part: Component| matches!(part, Component::Normal(_));
    if path.components().next().is_some() && path.components().all(inside) {
        return Ok(());
    }
    Err(Error::usage(
        format!("{} is not a file of the folder", path.display()),
        "Its path leads out of it.",
        "Name files by their path below the folder.",
    ))
}

/// Whether the folder holds these files and no other, with these contents and permissions.
fn is_there(folder: &Path, files: &[Entry]) -> bool {
    let right = |each: &Entry| {
        let path = folder.join(&each.path);
        fs::symlink_metadata(&path).is_ok_and(|facts| {
            facts.is_file()
                && facts.size() == each.file.bytes
                && facts.mode() & 0o777 == each.file.mode & 0o777
        }) && content_of(&path).is_ok_and(|(_, sha256)| sha256 == each.file.sha256)
    };
    count_files(folder).is_ok_and(|count| count == files.len()) && files.iter().all(right)
}

fn count_files(folder: &Path) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        count += if entry.file_type()?.is_dir() {
            count_files(&entry.path())?
        } else {
            1
        };
    }
    Ok(count)
}

/// Refuse what does not fit before a byte is sent.
fn check_space(folder: &Path, files: &[Entry]) -> Result<(), Error> {
    let needed: u64 = files.iter().map(|each| each.file.bytes).sum();
    let Ok(disk) = rustix::fs::statvfs(folder) else {
        return Ok(());
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if needed.saturating_add(SPARE_BYTES) <= free {
        return Ok(());
    }
    Err(Error::failure(
        format!("the disk of {} is too full", folder.display()),
        format!(
            "{} MiB are needed, {} MiB are free.",
            needed.saturating_add(SPARE_BYTES) >> 20,
            free >> 20
        ),
        "Make room there; `headtohead clean --caches` removes earlier studies' data.",
    ))
}

fn fill(growing: &Path, into: &Path, files: &[Entry]) -> Result<(), Error> {
    make_folder(growing)?;
    for each in files {
        let path = growing.join(&each.path);
        let above: PathBuf = path.parent().unwrap_or(growing).to_owned();
        if !above.is_dir() {
            make_folder(&above)?;
        }
        write(&path, &into.join(&each.path), &each.file)?;
    }
    Ok(())
}

/// Every user may enter it: the programs of a run do, as a user of their own.
fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path)
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
        .map_err(|error| cannot_write(path, &error))
}

/// Put the folder where it belongs. Another controller may have put it there meanwhile.
fn replace(growing: &Path, into: &Path) -> Result<(), Error> {
    if into.exists() {
        fs::remove_dir_all(into).map_err(|error| cannot_write(into, &error))?;
    }
    fs::rename(growing, into)
        .map_err(|error| changed(into, &format!("It could not be put there: {error}.")))
}

#[cfg(test)]
mod tests {
    use super::{check_inside, is_there};
    use crate::fake_folder::Folder;
    use crate::remote::order::{Entry, FileFacts};
    use std::path::{Path, PathBuf};

    const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn entry(path: &str, bytes: u64) -> Entry {
        let file = FileFacts {
            mode: 0o644,
            bytes,
            sha256: OF_ABC.to_owned(),
        };
        Entry {
            path: PathBuf::from(path),
            file,
        }
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        assert!(check_inside(Path::new("a/b")).is_ok());
        for wrong in ["", "/etc/passwd", "../a", "a/../../b", "./a"] {
            assert!(check_inside(Path::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_folder_is_there_only_if_each_file_is_right_and_no_other_is_there() {
        let folder = Folder::new();
        folder.file("sub/a", "abc");
        let files = [entry("sub/a", 3)];
        assert!(is_there(folder.path(), &files));
        folder.file("b", "more");
        assert!(!is_there(folder.path(), &files));
        assert!(!is_there(
            folder.path(),
            &[entry("sub/a", 3), entry("b", 4)]
        ));
    }
}
