//! The corpus: responses right and wrong, one a file, in a folder named for what each counts as.
//!
//! The first line says what it is about. The others are the bytes that a server sends before it closes the connection:
//! line ends count for nothing; `\r`, `\n`, `\0`, `\\` and `\xHH` are bytes; `{40000*a}` is 40,000 times `a`.

use std::fs;
use std::path::Path;

/// One response.
pub struct Entry {
    /// The name of its file.
    pub name: String,
    /// What it counts as: `right`, or the kind of error.
    pub kind: String,
    /// What the server sends.
    pub bytes: Vec<u8>,
}

/// Reads the corpus of this crate, ordered by kind and name.
pub fn corpus(folder: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    for kind in names(folder) {
        if !folder.join(&kind).is_dir() {
            continue;
        }
        for name in names(&folder.join(&kind)) {
            let text = fs::read_to_string(folder.join(&kind).join(&name)).expect("an entry");
            entries.push(Entry {
                bytes: bytes(&text).unwrap_or_else(|| panic!("{kind}/{name} is misspelt")),
                name: name.trim_end_matches(".txt").to_owned(),
                kind: kind.clone(),
            });
        }
    }
    entries
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_str().expect("a plain name").to_owned())
        .collect();
    names.sort();
    names
}

/// The bytes that the text of a file stands for.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let (about, rest) = text.split_once('\n')?;
    let mut bytes = Vec::new();
    let mut left: &str = &rest.replace('\n', "");
    while let Some(first) = left.chars().next() {
        if first == '{' {
            let (repeated, behind) = left[1..].split_once('}')?;
            let (times, what) = repeated.split_once('*')?;
            let mut piece = Vec::new();
            plain(what, &mut piece)?;
            bytes.extend(piece.repeat(times.parse().ok()?));
            left = behind;
        } else {
            let end = left.find('{').unwrap_or(left.len());
            plain(&left[..end], &mut bytes)?;
            left = &left[end..];
        }
    }
    about.starts_with("# ").then_some(bytes)
}

fn plain(text: &str, bytes: &mut Vec<u8>) -> Option<()> {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let escaped = |letters: &mut std::str::Chars| match letters.next()? {
            'r' => Some(b'\r'),
            'n' => Some(b'\n'),
            '0' => Some(0),
            '\\' => Some(b'\\'),
            'x' => {
                let digits = letters.as_str().get(..2)?;
                *letters = letters.as_str()[2..].chars();
                u8::from_str_radix(digits, 16).ok()
            }
            _ => None,
        };
        bytes.push(match letter {
            '\\' => escaped(&mut letters)?,
            letter => u8::try_from(letter).ok().filter(u8::is_ascii)?,
        });
    }
    Some(())
}
