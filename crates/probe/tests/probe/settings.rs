//! Settings of the system, in a folder that stands for the machine's: set, read back, and put back as found.

use std::fs;
use std::path::PathBuf;

use super::supervised::{Greeted, Supervised, new_id, root_for};
use serde_json::{Value, json};

/// A machine with one setting, whose value is not the kernel's default.
struct Machine(PathBuf);

impl Machine {
    fn new() -> Self {
        let root = std::env::temp_dir().join(format!("h2h-settings-{}", new_id()));
        let vm = root.join("proc/sys/vm");
        fs::create_dir_all(&vm).expect("a folder");
        fs::write(vm.join("swappiness"), "37\n").expect("a setting");
        Self(root)
    }

    fn supervised(&self) -> Greeted {
        let (root, journals) = (self.0.display().to_string(), self.journals());
        let journals = journals.display().to_string();
        let mut run = Supervised::start(&["--system-root", &root, "--journals", &journals]);
        run.group("subject");
        run
    }

    fn journals(&self) -> PathBuf {
        self.0.join("journals")
    }

    fn left(&self) -> usize {
        let entries = fs::read_dir(self.journals()).into_iter().flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter(|name| name.ends_with(".settings")).count()
    }

    fn swappiness(&self) -> String {
        let text = fs::read_to_string(self.0.join("proc/sys/vm/swappiness"));
        text.expect("a setting").trim().to_owned()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn set(run: &mut Supervised, value: &str) -> Value {
    run.ask(&json!({"do": "settings", "set": {"sysctl.vm.swappiness": value}}))
}

#[test]
fn a_setting_holds_for_the_run_and_is_put_back_as_it_was_found() {
    if !root_for("change settings") {
        return;
    }
    let machine = Machine::new();
    let mut run = machine.supervised();
    let answer = set(&mut run, "10");
    assert!(answer.get("error").is_none(), "{answer}");
    assert_eq!((machine.swappiness().as_str(), machine.left()), ("10", 1));
    let _ = run.shell("a", "ulimit -Hn; sleep 60");
    let held = run.ask(&json!({"do": "read_back", "group": "subject"}));
    assert_eq!(held["settings"], json!({"sysctl.vm.swappiness": "10"}));
    assert!(set(&mut run, "20").get("error").is_some());
    let _ = run.ask(&json!({"do": "end"}));
    assert_eq!((machine.swappiness().as_str(), machine.left()), ("37", 0));
}

#[test]
fn it_is_put_back_when_the_input_closes_and_a_killed_supervise_leaves_its_journal() {
    if !root_for("change settings") {
        return;
    }
    let machine = Machine::new();
    let mut run = machine.supervised();
    let _ = set(&mut run, "10");
    run.close();
    let _ = run.ends();
    assert_eq!((machine.swappiness().as_str(), machine.left()), ("37", 0));
    let mut run = machine.supervised();
    let _ = set(&mut run, "10");
    run.child.kill().expect("our child");
    let _ = run.ends();
    assert_eq!((machine.swappiness().as_str(), machine.left()), ("10", 1));
    let _ = fs::remove_dir_all(&run.run_dir);
}

#[test]
fn a_limit_of_open_files_is_both_limits_of_a_program() {
    if !root_for("raise a hard limit") {
        return;
    }
    let mut run = Supervised::start(&[]).run;
    let _ = run.ask(&json!({"do": "group", "name": "subject", "nofile": 77}));
    let _ = run.shell("a", "echo $(ulimit -Sn) $(ulimit -Hn); sleep 60");
    assert_eq!(run.text_of("a.out"), "77 77");
    let held = run.ask(&json!({"do": "read_back", "group": "subject"}));
    assert_eq!(held["nofile"], json!([77]));
}
