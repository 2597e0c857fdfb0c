//! Orders, as a controller gives them over SSH.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::supervised::within;

const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A folder for one test, which is also the home of its programs, so that their cache is in it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("h2h-remote-{}-{number}", std::process::id()));
        fs::create_dir(&path).expect("a new folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Remote {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Remote {
    fn start(order: &Value) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_h2h-probe"))
            .arg("remote")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the probe starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut remote = Self {
            child,
            input,
            output,
        };
        remote.write(format!("{order}\n").as_bytes());
        remote
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open pipe");
        input.write_all(bytes).expect("it reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.output.read_line(&mut line).expect("it responds");
        line
    }

    fn response(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ends(mut self) -> (Option<i32>, Duration) {
        let began = Instant::now();
        drop(self.input.take());
        let status = self.child.wait().expect("our child");
        (status.code(), began.elapsed())
    }
}

fn response_to(order: &Value) -> Value {
    let mut remote = Remote::start(order);
    let response = remote.response();
    let _ = remote.ends();
    response
}

/// How many processes have that command line.
fn running(line: &[u8]) -> usize {
    let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|each| each == line).count()
}

#[test]
fn a_program_is_run_with_its_words_as_they_are() {
    let words = ["printf", "%s|", "$HOME", "a b", "'; rm -rf *"];
    let said = response_to(&json!({"do": "run", "argv": words, "within_s": 10}));
    assert_eq!(
        (&said["code"], &said["stdout"]),
        (&json!(0), &json!("$HOME|a b|'; rm -rf *|"))
    );
    let said = response_to(
        &json!({"do": "run", "argv": ["sh", "-c", "echo no >&2; exit 3"], "within_s": 10}),
    );
    assert_eq!(
        (&said["code"], &said["stderr"]),
        (&json!(3), &json!("no\n"))
    );
}

#[test]
fn orders_are_carried_out_one_after_the_other_until_one_fails() {
    let folder = Folder::new();
    let path = folder.0.join("file");
    let mut remote = Remote::start(
        &json!({"do": "put", "path": path, "mode": 0o640, "bytes": 3, "sha256": OF_ABC}),
    );
    remote.write(b"abc");
    assert_eq!(remote.response(), json!({}));
    remote.write(format!("{}\n", json!({"do": "fetch", "path": path})).as_bytes());
    assert_eq!(remote.response()["bytes"], json!(3));
    let mut content = [0_u8; 3];
    remote.output.read_exact(&mut content).expect("its bytes");
    assert_eq!(&content, b"abc");
    assert_eq!(remote.response()["sha256"], json!(OF_ABC));
    remote.write(b"{\"do\": \"dance\"}\n{\"do\": \"facts\"}\n");
    assert!(remote.response().get("error").is_some());
    assert_eq!(remote.line(), "");
}

#[test]
fn a_program_that_is_late_or_whose_controller_is_gone_is_killed_with_its_group() {
    // Nobody else sleeps that long.
    let long = format!("86397.{}", std::process::id());
    let script = format!("sleep {long} & sleep {long}");
    let sleeps = || running(format!("sleep\0{long}\0").as_bytes());
    let began = Instant::now();
    let said = response_to(&json!({"do": "run", "argv": ["sh", "-c", script], "within_s": 0.3}));
    assert_eq!(said["late"], json!(true));
    assert!(began.elapsed() < Duration::from_secs(60));
    let remote =
        Remote::start(&json!({"do": "run", "argv": ["sh", "-c", script], "within_s": 600}));
    assert!(within(Duration::from_secs(60), || sleeps() > 0));
    let (_, took) = remote.ends();
    assert!(took < Duration::from_secs(30));
    assert_eq!(sleeps(), 0);
}

#[test]
fn exec_leaves_the_rest_of_the_input_to_the_program() {
    let mut remote = Remote::start(&json!({"do": "exec", "argv": ["cat"]}));
    remote.write(b"for the program\n");
    assert_eq!(remote.response()["pid"], json!(remote.child.id()));
    assert_eq!(remote.line(), "for the program\n");
    assert_eq!(remote.ends().0, Some(0));
}

#[test]
fn a_file_with_another_checksum_or_a_cut_one_is_not_made() {
    let folder = Folder::new();
    let path = folder.0.join("file");
    let order = json!({"do": "put", "path": path, "mode": 0o640, "bytes": 3, "sha256": OF_ABC});
    let mut remote = Remote::start(&order);
    remote.write(b"abd");
    assert!(
        remote.response()["error"]["why"]
            .as_str()
            .is_some_and(|why| why.contains("checksum"))
    );
    let mut remote = Remote::start(&order);
    remote.write(b"ab");
    drop(remote.input.take());
    assert!(remote.response().get("error").is_some());
    assert_eq!(fs::read_dir(&folder.0).expect("the folder").count(), 0);
    let mut remote = Remote::start(&order);
    remote.write(b"abc");
    assert_eq!(remote.response(), json!({}));
    assert_eq!(fs::read(&path).expect("the file"), b"abc");
}

#[test]
fn a_folder_appears_whole_or_not_at_all() {
    let folder = Folder::new();
    let into = folder.0.join("deep").join("pushed");
    let file = |path: &str| json!({"path": path, "mode": 0o755, "bytes": 3, "sha256": OF_ABC});
    let order = json!({"do": "receive", "into": into, "files": [file("a/b"), file("c")]});
    let mut remote = Remote::start(&order);
    assert_eq!(remote.response()["have"], json!(false));
    remote.write(b"abcab");
    let _ = remote.ends();
    assert!(!into.exists());
    let mut remote = Remote::start(&order);
    assert_eq!(remote.response()["have"], json!(false));
    remote.write(b"abcabc");
    assert_eq!(remote.response()["done"], json!(true));
    assert_eq!(fs::read(into.join("a/b")).expect("a file"), b"abc");
    assert_eq!(response_to(&order)["have"], json!(true));
    let outside = json!({"do": "receive", "into": into, "files": [file("../d")]});
    assert!(
        response_to(&outside)["error"]["why"]
            .as_str()
            .is_some_and(|why| why.contains("leads out"))
    );
}

#[test]
fn what_is_no_order_is_refused() {
    for wrong in [
        json!({"do": "dance"}),
        json!([]),
        json!({"do": "kill", "pid": 1}),
        json!({"do": "end_run", "id": "x"}),
    ] {
        let mut remote = Remote::start(&wrong);
        assert!(remote.response().get("error").is_some(), "{wrong}");
        assert_ne!(remote.ends().0, Some(0));
    }
}
