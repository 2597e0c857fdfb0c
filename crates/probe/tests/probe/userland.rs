//! Another root for programs of a run: what they see in it, that they do not get out, and that nothing is left mounted.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::supervised::{Supervised, new_id, root_for};
use serde_json::{Value, json};

/// Programs of this machine that the small root has.
const PROGRAMS: [&str; 4] = ["sh", "cat", "ls", "sleep"];

/// A root with a shell, made of this machine's own files.
struct Root(PathBuf);

impl Root {
    fn new() -> Self {
        let root = std::env::temp_dir().join(format!("h2h-root-{}", new_id()));
        for folder in ["bin", "etc", "var/tmp", "tmp", "home"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        for folder in [root.clone(), root.join("var/tmp")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("ours");
        }
        fs::write(root.join("etc/which"), "userland\n").expect("a file");
        fs::write(root.join("var/tmp/own"), "its own\n").expect("a file");
        fs::write(root.join("tmp/hidden"), "").expect("a file");
        for name in PROGRAMS {
            let program = PathBuf::from("/bin").join(name);
            let _ = fs::copy(&program, root.join("bin").join(name)).expect("a program");
            let said = Command::new("ldd").arg(&program).output().expect("ldd");
            let text = String::from_utf8_lossy(&said.stdout).into_owned();
            for library in text.split_whitespace().filter(|word| word.starts_with('/')) {
                let target = root.join(library.trim_start_matches('/'));
                fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
                let _ = fs::copy(library, target).expect("a library");
            }
        }
        Self(root)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A run whose programs may be started in that root; `None`, with the reason, where that is not possible.
fn entered(root: &Root) -> Option<Supervised> {
    if !root_for("give programs another root") {
        return None;
    }
    let greeted = Supervised::start(&[]);
    if greeted.hello["domains"] != json!(true) {
        eprintln!("skipped: this kernel has no Landlock");
        return None;
    }
    let mut run = greeted.run;
    run.group("subject");
    let answer = enter(&mut run, &root.0);
    assert!(answer.get("error").is_none(), "{answer}");
    Some(run)
}

fn enter(run: &mut Supervised, root: &Path) -> Value {
    run.ask(&json!({"do": "userland", "root": root}))
}

fn inside(run: &mut Supervised, name: &str, script: &str) -> String {
    let mut request = run.start_request(name, &["sh", "-c", script]);
    request["inside"] = json!(true);
    let answer = run.ask(&request);
    assert!(answer.get("pid").is_some(), "{answer}");
    run.text_of(&format!("{name}.out"))
}

fn why(answer: &Value) -> &str {
    answer["error"]["why"].as_str().unwrap_or_default()
}

/// The mounts here that are of a run, or show a root: other tests mount things meanwhile.
fn mounts(run: &Supervised, root: &Root) -> Vec<String> {
    let all = fs::read_to_string("/proc/self/mountinfo").expect("/proc");
    let name = root.0.file_name().expect("a name").to_string_lossy();
    let lines = all
        .lines()
        .filter(|line| line.contains(&*run.id) || line.contains(&*name));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_program_has_the_other_root_and_the_runs_own_folder() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    let look = "echo $(cat /etc/which /var/tmp/own) $(ls /tmp /home) $(ls /) done";
    let said = inside(&mut run, "a", look);
    assert!(said.starts_with("userland its own /home: /tmp: "), "{said}");
    assert!(!said.contains("hidden") && !said.contains("boot"), "{said}");
    let _ = run.shell("b", "test -e /etc/which || echo host");
    assert_eq!(run.text_of("b.out"), "host");
}

#[test]
fn a_program_writes_only_to_the_run_and_to_temporary_files() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    let try_out = format!(
        "could=; for each in /etc /var/tmp / /dev /proc /sys /tmp /dev/shm {}/work; do \
         (: > $each/mine) 2> /dev/null && could=\"$could $each\"; done; echo $could",
        run.run_dir.display()
    );
    let said = inside(&mut run, "a", &try_out);
    let work = run.run_dir.join("work");
    assert_eq!(said, format!("/tmp /dev/shm {}", work.display()), "written");
    assert!(work.join("mine").exists());
}

#[test]
fn no_path_leads_out_of_the_root() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    // On the host's files, as the driver is, and of the same user.
    let other = run.shell("other", "echo up; sleep 60");
    assert_eq!(run.text_of("other.out"), "up");
    let parent = run.child.id();
    let try_out = format!(
        "for each in /../.. /proc/1/root /proc/{other}/root /proc/{parent}/root /proc/{other}/cwd \
         /proc/self/root/.. /proc/self/cwd/../../../..; do cat $each/usr/bin/env > /dev/null 2>&1 && echo $each; \
         (cd $each && cat usr/bin/env) > /dev/null 2>&1 && echo $each; done; cat /proc/self/root/etc/which"
    );
    assert!(Path::new("/usr/bin/env").exists());
    assert_eq!(inside(&mut run, "a", &try_out), "userland");
}

#[test]
fn nothing_in_it_is_setuid_or_a_device_and_all_but_ours_is_read_only() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    let said = inside(&mut run, "a", "cat /proc/self/mountinfo; echo");
    let mut writable = Vec::new();
    for line in said.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (at, options) = (words[4], words[5]);
        let device = at.starts_with("/dev/") && at != "/dev/shm";
        assert!(device || options.contains("nosuid"), "{line}");
        assert!(device || options.contains("nodev"), "{line}");
        if options.starts_with("rw") && !device && !at.starts_with("/proc") {
            writable.push(at.to_owned());
        }
    }
    writable.sort();
    let own = run.run_dir.display().to_string();
    assert_eq!(writable, ["/dev/shm", "/tmp", &own]);
}

#[test]
fn where_the_processes_are_is_read_back() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    let read_back = |run: &mut Supervised| {
        run.ask(&json!({"do": "read_back", "group": "subject"}))["userland"].clone()
    };
    assert_eq!(inside(&mut run, "a", "echo up; exec sleep 60"), "up");
    assert_eq!(read_back(&mut run), json!("own"));
    let _ = run.shell("b", "echo up; exec sleep 60");
    assert_eq!(run.text_of("b.out"), "up");
    assert_eq!(read_back(&mut run), json!("mixed"));
}

#[test]
fn nothing_is_mounted_on_the_host_during_the_run_or_after_it_was_killed() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    assert_eq!(inside(&mut run, "a", "echo up; exec sleep 60"), "up");
    assert!(mounts(&run, &root).is_empty());
    run.child.kill().expect("ours");
    let _ = run.ends();
    let gone = || run.processes().is_empty();
    assert!(super::supervised::within(
        std::time::Duration::from_secs(20),
        gone
    ));
    assert!(mounts(&run, &root).is_empty());
    assert!(fs::remove_dir_all(&root.0).is_ok() && fs::remove_dir_all(&run.run_dir).is_ok());
}

#[test]
fn what_cannot_be_a_root_is_refused() {
    let root = Root::new();
    let Some(mut run) = entered(&root) else {
        return;
    };
    assert!(why(&enter(&mut run, &root.0)).contains("A run has one"));
    let mut run = Supervised::start(&[]).run;
    run.group("subject");
    let mut request = run.start_request("a", &["sh"]);
    request["inside"] = json!(true);
    assert_eq!(why(&run.ask(&request)), "This run has none.");
    fs::set_permissions(&root.0, fs::Permissions::from_mode(0o777)).expect("ours");
    assert!(why(&enter(&mut run, &root.0)).contains("other users may change it"));
    assert!(!why(&enter(&mut run, Path::new("/no/such/root"))).is_empty());
}
