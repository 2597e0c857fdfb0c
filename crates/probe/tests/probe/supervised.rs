//! A supervise that really runs, asked over its pipes; ended and swept when dropped, even by a failing test.

pub mod ignoring;
pub mod output;
pub mod stubborn;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The program under test.
pub const PROBE: &str = env!("CARGO_BIN_EXE_h2h-probe");

/// The CPUs that this process may use, in order.
pub fn allowed() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(None).expect("our own");
    (0..1024).filter(|&cpu| set.is_set(cpu)).collect()
}

static NUMBER: AtomicU32 = AtomicU32::new(1);

/// One supervise and its pipes.
pub struct Supervised {
    /// The run's name.
    pub id: String,
    /// Its run directory.
    pub run_dir: PathBuf,
    /// The process.
    pub child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// A name that no other test of this machine has. It tells that its owner lives: a sweep would take all else away.
pub fn new_id() -> String {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{number}", std::process::id(), start_ticks())
}

/// When this process started, in clock ticks since boot: field 22 of its stat, the 20th after the name.
fn start_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("/proc");
    let (_, behind) = stat.rsplit_once(')').expect("a name in parentheses");
    let field = behind.split_whitespace().nth(19).expect("22 fields");
    field.parse().expect("a number")
}

/// Where that run would write.
pub fn run_dir(id: &str) -> PathBuf {
    std::env::temp_dir().join(format!("headtohead-test-{id}"))
}

/// As root, the words that name a user who is on every machine.
pub fn user() -> &'static [&'static str] {
    if rustix::process::geteuid().is_root() {
        &["--user", "nobody"]
    } else {
        &[]
    }
}

/// The command that starts a supervise.
pub fn command(id: &str, more: &[&str]) -> Command {
    let mut command = Command::new(PROBE);
    let _ = command
        .args(["supervise", "--id", id, "--run-dir"])
        .arg(run_dir(id))
        .args(user())
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// Whether this test may do what only root may; says so where it may not.
pub fn root_for(what: &str) -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        eprintln!("skipped: only root can {what}");
    }
    root
}

/// Whether this machine has cgroups that we may write to; says so where it has not.
pub fn cgroups_for(what: &str) -> bool {
    let mut run = Supervised::start(&[]);
    let found = !run.hello["cgroups"].is_null();
    drop(run.ask(&json!({"do": "end"})));
    if !found {
        eprintln!("skipped: without writable cgroups nothing can {what}");
    }
    found
}

impl Supervised {
    /// Start one and greet it.
    pub fn start(more: &[&str]) -> Greeted {
        let id = new_id();
        Self::greet(command(&id, more), id)
    }

    fn greet(mut command: Command, id: String) -> Greeted {
        let mut child = command.spawn().expect("supervise starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let run_dir = run_dir(&id);
        let mut run = Self {
            id,
            run_dir,
            child,
            input,
            output,
        };
        let hello = run.ask(&json!({"do": "hello"}));
        assert!(hello.get("error").is_none(), "{hello}");
        Greeted { run, hello }
    }

    /// Ask, and wait for the response.
    pub fn ask(&mut self, request: &Value) -> Value {
        self.tell(request);
        self.answer()
    }

    /// Ask without waiting.
    pub fn tell(&mut self, request: &Value) {
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "{request}").expect("supervise reads");
    }

    /// Give a sign of life.
    pub fn beat(&mut self) {
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input).expect("supervise reads");
    }

    /// The next response.
    pub fn answer(&mut self) -> Value {
        let mut line = String::new();
        let _ = self.output.read_line(&mut line).expect("supervise answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Ask for a group without limits.
    pub fn group(&mut self, name: &str) {
        let answer = self.ask(&json!({"do": "group", "name": name, "cpus": null, "cpu_quota": null, "memory_mib": null}));
        assert!(answer.get("error").is_none(), "{answer}");
    }

    /// Start a shell script in the group `subject`; its pid.
    pub fn shell(&mut self, name: &str, script: &str) -> i32 {
        let request = self.start_request(name, &["sh", "-c", script]);
        let answer = self.ask(&request);
        let pid = answer["pid"].as_i64().unwrap_or_else(|| panic!("{answer}"));
        i32::try_from(pid).expect("a pid")
    }

    /// The words that start a program in the group `subject`.
    pub fn start_request(&self, name: &str, argv: &[&str]) -> Value {
        json!({
            "do": "start", "name": name, "group": "subject", "argv": argv,
            "env": {"PATH": "/usr/bin:/bin"}, "cwd": self.run_dir, "stdin": null,
            "stdout": self.file(&format!("{name}.out")), "stderr": self.file(&format!("{name}.err")),
        })
    }

    /// A file of the run directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.run_dir.join(name)
    }

    /// Wait until a file of the run directory has a text, and give it.
    pub fn text_of(&self, name: &str) -> String {
        let path = self.file(name);
        let mut text = String::new();
        let _ = within(Duration::from_secs(60), || {
            text = fs::read_to_string(&path).unwrap_or_default();
            text.ends_with('\n')
        });
        text.trim().to_owned()
    }

    /// Close its standard input.
    pub fn close(&mut self) {
        drop(self.input.take());
    }

    /// Wait for it to end; how, and how long it took.
    pub fn ends(&mut self) -> (Option<i32>, Duration) {
        let began = Instant::now();
        let mut status = None;
        let _ = within(Duration::from_secs(60), || {
            status = self.child.try_wait().expect("our child");
            status.is_some()
        });
        let status = status.expect("supervise ends within 60 s");
        (status.code(), began.elapsed())
    }

    /// Every living process that was started for this run.
    pub fn processes(&self) -> Vec<i32> {
        processes_of(&self.id)
    }

    /// Cgroups of this run that are still there.
    pub fn cgroups(&self) -> Vec<PathBuf> {
        cgroups_of(&self.id)
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.close();
        let _ = within(Duration::from_secs(60), || {
            self.child.try_wait().is_ok_and(|status| status.is_some())
        });
    }
}

/// A supervise with its response to hello.
pub struct Greeted {
    /// The supervise.
    pub run: Supervised,
    /// What it answered.
    pub hello: Value,
}

impl std::ops::Deref for Greeted {
    type Target = Supervised;

    fn deref(&self) -> &Supervised {
        &self.run
    }
}

impl std::ops::DerefMut for Greeted {
    fn deref_mut(&mut self) -> &mut Supervised {
        &mut self.run
    }
}

/// Living processes whose environment names that run.
pub fn processes_of(id: &str) -> Vec<i32> {
    let mark = format!("HEADTOHEAD_OWNER={id}");
    let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|&byte| byte == 0)
            .any(|each| each == mark.as_bytes())
    })
    .collect()
}

/// Cgroups of that run (`headtohead-ID-GROUP`), in every hierarchy. Runs whose number only begins alike have others.
pub fn cgroups_of(id: &str) -> Vec<PathBuf> {
    let mark = format!("-{id}-");
    let root = PathBuf::from("/sys/fs/cgroup");
    let below = fs::read_dir(&root)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path());
    let mut found = Vec::new();
    for hierarchy in below.chain([root.clone()]) {
        let groups = fs::read_dir(hierarchy)
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        let ours = groups.filter(|entry| entry.file_name().to_string_lossy().contains(&mark));
        found.extend(ours.map(|entry| entry.path()));
    }
    found
}

/// Look again and again until it holds; whether it did in time.
pub fn within(at_most: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + at_most;
    loop {
        if holds() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
