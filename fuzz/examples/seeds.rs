//! Writes the corpus of answers as the target `answer` takes them: `seeds FOLDER`.

#[path = "../../crates/load/tests/corpus/read.rs"]
mod read;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let to = PathBuf::from(env::args_os().nth(1).expect("the folder to write to"));
    fs::create_dir_all(&to).expect("a folder");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/load/tests/corpus");
    for entry in read::corpus(&corpus) {
        // Looked at, inflated, cut in the middle.
        let seed = [&[0b1000_0111], entry.bytes.as_slice()].concat();
        fs::write(to.join(format!("{}-{}", entry.kind, entry.name)), seed).expect("a seed");
    }
}
