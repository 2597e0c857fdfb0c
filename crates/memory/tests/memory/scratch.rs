//! The folder of this test process: two runs of the tests at once share no file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static SCRATCH: LazyLock<PathBuf> = LazyLock::new(|| {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    remove_those_of_ended_processes(all);
    let own = all.join(format!("{PREFIX}{}", std::process::id()));
    fs::create_dir_all(&own).expect("a folder");
    own
});

const PREFIX: &str = "process-";

/// A folder for the files of this process. The next test run removes it.
pub fn scratch() -> &'static Path {
    &SCRATCH
}

fn remove_those_of_ended_processes(all: &Path) {
    for folder in fs::read_dir(all).into_iter().flatten().flatten() {
        let name = folder.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            // Another test run may remove it at the same time.
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}
