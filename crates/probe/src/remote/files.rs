//! Files that cross the connection: streamed, checked by length and checksum, and made whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use base::error::Error;
use rustix::fs::{Mode, OFlags, openat};
use rustix::process::getpid;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::order::{FileFacts, Input};

/// What is in memory of a file at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// The permissions that a mode may hold: no set-user-ID and the like.
const PERMISSIONS: u32 = 0o777;

/// Write a file whose bytes follow on standard input.
pub fn put(path: &Path, file: &FileFacts) -> Result<(), Error> {
    let unfinished = unfinished(path)?;
    let outcome = write(&unfinished, path, file)
        .and_then(|()| fs::rename(&unfinished, path).map_err(|error| cannot_write(path, &error)));
    if outcome.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    outcome
}

/// Where a file or folder grows: next to its place, with the name of a run of this process, so a sweep finds it.
pub fn unfinished(path: &Path) -> Result<PathBuf, Error> {
    let folder = path.parent().filter(|_| path.is_absolute());
    let folder = folder.ok_or_else(|| {
        Error::usage(
            format!("{} is not a place for a file", path.display()),
            "An absolute path is expected.",
            "Give one.",
        )
    })?;
    let own = getpid().as_raw_nonzero().get();
    let started = crate::procfs::process::Stat::read(own).map_or(0, |stat| stat.started);
    Ok(folder.join(format!("headtohead-{own}-{started}-0")))
}

/// Write a new file from the input; it must have this length and checksum. Errors show the path that it will have.
pub fn write(at: &Path, path: &Path, file: &FileFacts) -> Result<(), Error> {
    let failed = |error: &io::Error| cannot_write(path, error);
    let permissions = fs::Permissions::from_mode(file.mode & PERMISSIONS);
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    let mut made = options.open(at).map_err(|error| failed(&error))?;
    let mut left = file.bytes;
    let mut digest = Sha256::new();
    let mut chunk = vec![0_u8; CHUNK_BYTES];
    while left > 0 {
        let most = usize::try_from(left)
            .unwrap_or(CHUNK_BYTES)
            .min(CHUNK_BYTES);
        let count = Input
            .read(&mut chunk[..most])
            .map_err(|error| failed(&error))?;
        if count == 0 {
            return Err(changed(path, "The connection ended before the file did."));
        }
        made.write_all(&chunk[..count])
            .map_err(|error| failed(&error))?;
        digest.update(&chunk[..count]);
        left -= count as u64;
    }
    if hex(&digest) != file.sha256 {
        return Err(changed(path, "Its checksum is another than the sent one."));
    }
    made.sync_all().map_err(|error| failed(&error))?;
    made.set_permissions(permissions)
        .map_err(|error| failed(&error))
}

/// The checksum of a file's content, and its length.
pub fn content_of(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut chunk = vec![0_u8; CHUNK_BYTES];
    let mut bytes = 0;
    loop {
        let count = file.read(&mut chunk)?;
        if count == 0 {
            return Ok((bytes, hex(&digest)));
        }
        digest.update(&chunk[..count]);
        bytes += count as u64;
    }
}

/// Open a file for reading; below `within` follow no link, and wait for no pipe.
fn open(path: &Path, within: Option<&Path>) -> io::Result<File> {
    let Some(top) = within else {
        return File::open(path);
    };
    let outside = |_| io::Error::from(io::ErrorKind::InvalidInput);
    let below = path.strip_prefix(top).map_err(outside)?;
    let mut opened = File::open(top)?;
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let kind = if parts.peek().is_some() {
            OFlags::DIRECTORY
        } else {
            OFlags::NONBLOCK
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | kind;
        opened = openat(&opened, name, flags, Mode::empty())?.into();
    }
    Ok(opened)
}

/// Send a file: a line with its length and mode, its bytes, a line with its checksum.
pub fn fetch(path: &Path, within: Option<&Path>) -> Result<(), Error> {
    let failed = |error: &io::Error| {
        Error::io(
            format!("{} could not be read", path.display()),
            error,
            "Check that the file is there.",
        )
    };
    let mut file = open(path, within).map_err(|error| failed(&error))?;
    let facts = file.metadata().map_err(|error| failed(&error))?;
    if !facts.is_file() {
        return Err(changed(path, "It is not a file."));
    }
    super::answer(&json!({"bytes": facts.size(), "mode": facts.mode() & PERMISSIONS}))?;
    let mut out = io::stdout().lock();
    let mut digest = Sha256::new();
    let mut chunk = vec![0_u8; CHUNK_BYTES];
    let mut left = facts.size();
    while left > 0 {
        let most = usize::try_from(left)
            .unwrap_or(CHUNK_BYTES)
            .min(CHUNK_BYTES);
        let count = file
            .read(&mut chunk[..most])
            .map_err(|error| failed(&error))?;
        if count == 0 {
            return Err(changed(path, "It became shorter while it was sent."));
        }
        digest.update(&chunk[..count]);
        out.write_all(&chunk[..count])
            .map_err(|error| failed(&error))?;
        left -= count as u64;
    }
    drop(out);
    super::answer(&json!({"sha256": hex(&digest)}))
}

fn hex(digest: &Sha256) -> String {
    format!("{:x}", base16ct::HexDisplay(&digest.clone().finalize()))
}

/// The error for a file that is not what was sent.
pub fn changed(path: &Path, why: &str) -> Error {
    Error::failure(
        format!("{} is not what was sent", path.display()),
        why,
        "Check the connection, then run the command again.",
    )
}

/// The error for a file that cannot be written, most often because of a full disk.
pub fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::io(
        format!("{} could not be written", path.display()),
        error,
        "Check the disk space there (`headtohead clean --caches` removes earlier studies' data), and its owner.",
    )
}
