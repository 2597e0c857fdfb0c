//! What programs of a run may not do: gain rights, see others' files, or have us open files for them through links.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::PathBuf;

use super::supervised::{Supervised, root_for};
use serde_json::{Value, json};

fn started() -> Supervised {
    let mut run = Supervised::start(&[]).run;
    run.group("subject");
    run
}

/// A file of root's, outside of the run.
fn secret(run: &Supervised) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secret-{}", run.id));
    fs::write(&path, "secret\n").expect("a file");
    path
}

fn refusal(run: &mut Supervised, changed: &(&str, PathBuf)) -> String {
    let mut request = run.start_request("a", &["cat"]);
    request[changed.0] = json!(changed.1);
    let answer: Value = run.ask(&request);
    answer["error"]["why"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_program_gets_no_new_rights() {
    let mut run = started();
    let _ = run.shell("a", "grep NoNewPrivs /proc/self/status");
    assert_eq!(run.text_of("a.out"), "NoNewPrivs:\t1");
}

#[test]
fn a_program_can_neither_look_into_another_nor_signal_it() {
    let greeted = Supervised::start(&[]);
    if greeted.hello["domains"] != json!(true) {
        eprintln!("skipped: this kernel has no Landlock");
        return;
    }
    let mut run = greeted.run;
    run.group("subject");
    let other = run.shell("other", "echo up; sleep 60");
    assert_eq!(run.text_of("other.out"), "up");
    let try_out = format!(
        "signaled=no read=no; kill -0 $$ && signaled=itself; kill -0 {other} && signaled=other; \
         cat /proc/{other}/environ && read=other; echo; echo $signaled $read"
    );
    let _ = run.shell("a", &try_out);
    let _ = run.ask(&json!({"do": "wait", "name": "a", "within_s": 20}));
    let said = run.text_of("a.out");
    let last = said.lines().last().unwrap_or_default();
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").expect("/proc");
    let parts: Vec<u32> = kernel
        .split(['.', '-'])
        .filter_map(|part| part.parse().ok())
        .collect();
    let signaled = if parts[..2] >= [6, 12][..] {
        "itself"
    } else {
        "other"
    };
    assert_eq!(last, format!("{signaled} no"));
}

#[test]
fn the_folder_of_the_run_is_ours_and_work_in_it_the_programs() {
    if !root_for("run programs as another user") {
        return;
    }
    let run = started();
    let (own, work) = (
        fs::metadata(&run.run_dir),
        fs::metadata(run.run_dir.join("work")),
    );
    let (own, work) = (own.expect("there"), work.expect("there"));
    assert_eq!((own.uid(), own.mode() & 0o777), (0, 0o750));
    assert_eq!(work.mode() & 0o777, 0o700);
    assert_ne!(work.uid(), 0);
}

#[test]
fn a_program_sees_neither_the_hosts_temporary_files_nor_homes() {
    if !root_for("give a run its own view of files") {
        return;
    }
    let mut run = started();
    let hidden = secret(&run);
    let look = format!(
        "$(ls -A /root) $(test -e {} || echo unseen)",
        hidden.display()
    );
    let mine = format!("/tmp/mine-{}", std::process::id());
    let _ = run.shell(
        "a",
        &format!("echo mine > {mine}; echo {look} $(cat {mine})"),
    );
    let said = run.text_of("a.out");
    fs::remove_file(&hidden).expect("ours");
    assert_eq!(said, "unseen mine");
    assert!(!PathBuf::from(mine).exists());
}

#[test]
fn shared_memory_that_a_killed_program_leaves_is_gone_with_it() {
    if !root_for("give a run shared memory of its own") {
        return;
    }
    let mut run = started();
    let before = segments(&run);
    let file = format!("/dev/shm/left-{}", run.id);
    let _ = run.shell(
        "a",
        &format!("echo left > {file}; ipcmk -M 4096 > {file}; ls /dev/shm; wc -l < /proc/sysvipc/shm; kill -9 $$"),
    );
    let _ = run.ask(&json!({"do": "wait", "name": "a", "within_s": 60}));
    let said = run.text_of("a.out");
    assert_eq!(
        said,
        format!("left-{}\n2", run.id),
        "its own only: a head, and one segment"
    );
    assert!(!PathBuf::from(file).exists());
    assert!(segments(&run).is_subset(&before));
}

/// The shared memory that the user of the run's programs has outside of it.
fn segments(run: &Supervised) -> HashSet<String> {
    let owner = fs::metadata(run.run_dir.join("work"))
        .expect("a folder")
        .uid();
    let all = fs::read_to_string("/proc/sysvipc/shm").expect("/proc");
    let rows = all
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let own = rows.filter(|row| row.get(7) == Some(&owner.to_string().as_str()));
    own.map(|row| row[1].to_owned()).collect()
}

#[test]
fn what_is_to_be_kept_is_seen() {
    if !root_for("give a run its own view of files") {
        return;
    }
    let kept = std::env::temp_dir().join(format!("kept-{}", super::supervised::new_id()));
    fs::create_dir(&kept).expect("a folder");
    fs::write(kept.join("file"), "seen\n").expect("a file");
    let word = kept.to_str().expect("plain");
    let mut run = Supervised::start(&["--keep", word]).run;
    run.group("subject");
    let _ = run.shell("a", &format!("cat {word}/file"));
    let said = run.text_of("a.out");
    fs::remove_dir_all(&kept).expect("ours");
    assert_eq!(said, "seen");
}

#[test]
fn links_below_the_folder_of_the_run_are_refused() {
    let mut run = started();
    let secret = secret(&run);
    symlink(&secret, run.file("input")).expect("a link");
    symlink(std::env::temp_dir(), run.file("logs")).expect("a link");
    let name = format!("victim-{}", run.id);
    let below = run.file("logs");
    let paths = [
        ("stdin", run.file("input")),
        ("stdin", below.join(secret.file_name().expect("a name"))),
        ("stdout", run.file("input")),
        ("stderr", below.join(&name)),
        ("stdin", run.file("../../etc/hostname")),
    ];
    let refused = paths.map(|path| refusal(&mut run, &path));
    fs::remove_file(&secret).expect("ours");
    assert!(refused.iter().all(|why| !why.is_empty()), "{refused:?}");
    assert!(!std::env::temp_dir().join(name).exists());
}
