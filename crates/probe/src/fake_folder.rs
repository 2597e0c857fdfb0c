//! A folder for tests that takes the place of the kernel's, removed when dropped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A new empty folder.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Make it.
    pub fn new() -> Self {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("h2h-probe-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a new folder");
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Write a file in it, making the folders above.
    pub fn file(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
        fs::write(path, text).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What a test leaves in the temporary folder is no reason to fail it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
