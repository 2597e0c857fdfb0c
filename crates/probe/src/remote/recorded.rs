//! The kernel's files as they are now, for a controller that reads facts from them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Result};
use std::path::{Path, PathBuf};

use base::error::kernel_text;
use serde_json::{Value, json};

/// What is kept of one file: that of a machine with hundreds of CPUs is shorter.
const FILE_BYTES: u64 = 1 << 20;

/// What is kept in all.
const TOTAL_BYTES: usize = 64 << 20;

/// Every path that matches a pattern: a file's text, a link's target, a folder, or why a file cannot be read.
#[derive(Default)]
struct Found {
    files: BTreeMap<String, String>,
    links: BTreeMap<String, String>,
    folders: Vec<String>,
    refused: BTreeMap<String, String>,
    bytes: usize,
}

/// Read what matches the patterns.
pub fn record(patterns: &[String]) -> Value {
    let mut found = Found::default();
    for pattern in patterns {
        for path in matching(pattern) {
            found.add(&path);
        }
    }
    json!({"files": found.files, "links": found.links, "folders": found.folders, "refused": found.refused})
}

impl Found {
    fn add(&mut self, path: &Path) {
        let name = path.to_string_lossy().into_owned();
        let Ok(facts) = fs::symlink_metadata(path) else {
            return;
        };
        if facts.is_symlink() && !path.is_file() {
            let target = fs::read_link(path).unwrap_or_default();
            let _ = self
                .links
                .insert(name, target.to_string_lossy().into_owned());
        } else if path.is_dir() {
            self.folders.push(name);
        } else if self.bytes < TOTAL_BYTES {
            match text_of(path) {
                Ok(text) => {
                    self.bytes += text.len();
                    let _ = self.files.insert(name, text);
                }
                Err(error) => {
                    let why = match error.kind() {
                        std::io::ErrorKind::PermissionDenied => "only root may read it".to_owned(),
                        _ => kernel_text(&error),
                    };
                    let _ = self.refused.insert(name, why);
                }
            }
        }
    }
}

fn text_of(path: &Path) -> Result<String> {
    let mut read = Vec::new();
    let _ = fs::File::open(path)?
        .take(FILE_BYTES)
        .read_to_end(&mut read)?;
    Ok(String::from_utf8_lossy(&read).into_owned())
}

/// The paths that match, in order.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("/")];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        found = found
            .iter()
            .flat_map(|folder| below(folder, part))
            .collect();
    }
    found
}

fn below(folder: &Path, part: &str) -> Vec<PathBuf> {
    if !part.contains('*') {
        let path = folder.join(part);
        let there = fs::symlink_metadata(&path).is_ok();
        return if there { vec![path] } else { Vec::new() };
    }
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(std::result::Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<PathBuf> = names
        .filter(|name| fits(name, part))
        .map(|name| folder.join(name))
        .collect();
    found.sort();
    found
}

/// Whether a name fits a pattern; `*` stands for any characters.
fn fits(name: &str, pattern: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let Some(rest) = name.strip_prefix(before) else {
        return false;
    };
    rest.char_indices()
        .map(|(at, _)| at)
        .chain([rest.len()])
        .any(|at| fits(&rest[at..], after))
}

#[cfg(test)]
mod tests {
    use super::{fits, record};
    use crate::fake_folder::Folder;

    #[test]
    fn a_star_stands_for_any_characters_of_a_name() {
        for (name, pattern) in [
            ("cpu0", "cpu*"),
            ("cpu0", "*"),
            ("rx-0", "rx-*"),
            ("temp1_input", "temp*_input"),
        ] {
            assert!(fits(name, pattern), "{name} {pattern}");
        }
        assert!(!fits("gpu0", "cpu*") && !fits("temp1_crit", "temp*_input"));
    }

    #[test]
    fn files_links_and_folders_are_kept_apart() {
        let folder = Folder::new();
        folder.file("cpu0/online", "1\n");
        folder.file("cpu1/online", "0\n");
        std::os::unix::fs::symlink("cpu0", folder.path().join("first")).expect("a link");
        let top = folder.path().display();
        let found = record(&[
            format!("{top}/cpu*/online"),
            format!("{top}/*"),
            format!("{top}/none"),
        ]);
        assert_eq!(found["files"][format!("{top}/cpu1/online")], "0\n");
        assert_eq!(found["links"][format!("{top}/first")], "cpu0");
        assert_eq!(found["folders"].as_array().map(Vec::len), Some(2));
    }
}
