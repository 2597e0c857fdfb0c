//! The lock of this host: one measures at a time. The same file as `headtohead`'s own, `hosts/cache_locks.py`.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use base::error::Error;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::process::geteuid;
use serde_json::Value;

/// No holder writes more about itself.
const HOLDER_BYTES: u64 = 4096;

/// Take the lock, or return what its holder wrote.
pub fn take(cache: &Path, holder: &Value) -> Result<Result<File, Value>, Error> {
    let folder = cache.join("measuring");
    let path = folder.join("lock");
    let failed = |error: &std::io::Error| unusable(&path, &base::error::kernel_text(error));
    if !folder.is_dir() {
        fs::create_dir_all(cache).map_err(|error| failed(&error))?;
        match DirBuilder::new().mode(0o700).create(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(failed(&error));
            }
            _ => {}
        }
    }
    make_ours(
        &fs::symlink_metadata(&folder).map_err(|error| failed(&error))?,
        &folder,
    )?;
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).map_err(|error| failed(&error))?;
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options
        .mode(0o600)
        .custom_flags(flags)
        .open(&path)
        .map_err(|error| failed(&error))?;
    let facts = file.metadata().map_err(|error| failed(&error))?;
    make_ours(&facts, &path)?;
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        let mut text = String::new();
        let _ = Read::by_ref(&mut file)
            .take(HOLDER_BYTES)
            .read_to_string(&mut text);
        return Ok(Err(serde_json::from_str(&text).unwrap_or(Value::Null)));
    }
    write(&mut file, &holder.to_string()).map_err(|error| failed(&error))?;
    Ok(Ok(file))
}

/// Write what the next caller is shown; empty when the lock is given up.
pub fn write(file: &mut File, text: &str) -> std::io::Result<()> {
    file.set_len(0)?;
    let _ = file.seek(SeekFrom::Start(0))?;
    file.write_all(text.as_bytes())
}

fn make_ours(facts: &fs::Metadata, path: &Path) -> Result<(), Error> {
    if facts.uid() == geteuid().as_raw() && !facts.is_symlink() {
        return Ok(());
    }
    Err(unusable(path, "It belongs to another user."))
}

fn unusable(path: &Path, why: &str) -> Error {
    Error::failure(
        format!("the lock {} cannot be used", path.display()),
        why,
        "Remove it, or log in as the user that it belongs to.",
    )
}
