//! What the settings of the system were before a run changed them, written down before the first is changed.
//!
//! A journal is in a folder of root's that a boot empties, as it does the settings. It names the boot, and for settings
//! of the network the namespace that they belong to: put back anywhere else they would change what was never changed.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::names;

/// The folder of all journals.
pub const FOLDER: &str = "/run/headtohead";
/// What a journal's name ends with, after `headtohead-<ID>`.
pub const SUFFIX: &str = ".settings";
/// What ends the name of a journal that is being written: nothing was changed yet.
const NEW: &str = ".settings.new";
const BYTES: u64 = 1 << 20;
const GROUP_AND_OTHERS_MAY_WRITE: u32 = 0o022;

/// One setting as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// Its file.
    pub path: PathBuf,
    /// What the file held.
    pub value: String,
    /// The network namespace that it belongs to; `None` if it is the whole machine's.
    pub network: Option<u64>,
}

/// All settings that a run changes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    boot: String,
    /// As they were found, in the order in which they are changed.
    pub found: Vec<Found>,
}

impl Journal {
    /// Read what these files hold now.
    ///
    /// # Errors
    /// The kernel's, for a file that shows no value.
    pub fn of<'a>(paths: impl Iterator<Item = &'a Path>) -> io::Result<Self> {
        let mut found = Vec::new();
        for path in paths {
            let of_network = path.to_string_lossy().contains("/proc/sys/net/");
            found.push(Found {
                path: path.to_path_buf(),
                value: names::read(path)?,
                network: if of_network { network() } else { None },
            });
        }
        Ok(Self {
            boot: boot(),
            found,
        })
    }

    /// Write it whole, and to the disk, under a new name in a folder of ours.
    ///
    /// # Errors
    /// The kernel's: no room, or a folder that belongs to another user.
    pub fn keep(&self, folder: &Path, id: &str) -> io::Result<PathBuf> {
        make_folder(folder)?;
        let path = folder.join(format!("headtohead-{id}{SUFFIX}"));
        let new = folder.join(format!("headtohead-{id}{NEW}"));
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(&new, &path)?;
        Ok(path)
    }

    /// Read a journal; `None` for one of an earlier boot, whose settings are gone with it.
    ///
    /// # Errors
    /// The kernel's; a file that is no journal, or in a folder that others may write to.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        check_folder(path.parent().unwrap_or(path))?;
        let mut text = Vec::new();
        let _ = io::Read::read_to_end(&mut io::Read::take(File::open(path)?, BYTES), &mut text)?;
        let journal: Self = serde_json::from_slice(&text)?;
        Ok((journal.boot == boot()).then_some(journal))
    }

    /// Put everything back as it was found, the last change first, and look whether it holds.
    ///
    /// # Errors
    /// The first that could not be put back; the others are.
    pub fn put_back(&self) -> io::Result<()> {
        let mut outcome = Ok(());
        for each in self.found.iter().rev() {
            if each.network.is_some() && each.network != network() {
                continue;
            }
            let done = put(&each.path, &each.value);
            outcome = outcome.and(done);
        }
        outcome
    }
}

/// Give a file of the kernel that value, and look whether it holds.
///
/// # Errors
/// The kernel's, or that another value holds.
pub fn put(path: &Path, value: &str) -> io::Result<()> {
    let failed = |why: String| io::Error::other(format!("{}: {why}", path.display()));
    if names::read(path)? == value {
        return Ok(());
    }
    fs::write(path, value).map_err(|error| failed(base::error::kernel_text(&error)))?;
    let holds = names::read(path)?;
    if holds == value {
        Ok(())
    } else {
        Err(failed(format!("{value:?} was written, {holds:?} holds")))
    }
}

/// Settle what a run left: put its settings back, then remove the journal. One that never became whole is removed only.
///
/// # Errors
/// The kernel's; the journal then stays.
pub fn settle(path: &Path) -> io::Result<()> {
    if path.to_string_lossy().ends_with(NEW) {
        check_folder(path.parent().unwrap_or(path))?;
    } else if let Some(journal) = Journal::read(path)? {
        journal.put_back()?;
    }
    fs::remove_file(path)
}

/// The journals of a folder, with the ids of their runs.
pub fn all(folder: &Path) -> Vec<(PathBuf, String)> {
    named(folder, SUFFIX)
}

/// What runs may have left in a folder: journals, and those that never became whole.
pub fn left(folder: &Path) -> Vec<(PathBuf, String)> {
    [named(folder, SUFFIX), named(folder, NEW)].concat()
}

fn named(folder: &Path, suffix: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    paths
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            let id = name.strip_prefix("headtohead-")?.strip_suffix(suffix)?;
            Some((path.clone(), id.to_owned()))
        })
        .collect()
}

/// Make the folder of the journals, or see that it is ours alone.
///
/// # Errors
/// The kernel's, or that others may write there.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => check_folder(folder),
    }
}

/// A journal of another user's would have root write whatever he likes.
fn check_folder(folder: &Path) -> io::Result<()> {
    let facts = fs::symlink_metadata(folder)?;
    let ours = facts.uid() == rustix::process::geteuid().as_raw();
    if facts.is_dir() && ours && facts.mode() & GROUP_AND_OTHERS_MAY_WRITE == 0 {
        return Ok(());
    }
    let text = format!("{} does not belong to us alone", folder.display());
    Err(io::Error::other(text))
}

fn boot() -> String {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.trim().to_owned()
}

fn network() -> Option<u64> {
    fs::metadata("/proc/self/ns/net").ok().map(|it| it.ino())
}
