//! Programs that a controller runs on this host, as itself.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base::error::Error;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};
use rustix::stdio::stdin;
use serde_json::{Value, json};

/// Where programs are searched: a login without a terminal often lacks what only root uses.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// No program that is run for its output prints more.
const OUTPUT_BYTES: u64 = 64 << 20;

/// How often the end of the program is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What a program that has ended may leave in its pipes is read within this time.
const READ_WITHIN: Duration = Duration::from_secs(1);

fn command(argv: &[String]) -> Result<Command, Error> {
    let (program, words) = argv.split_first().ok_or_else(|| {
        Error::usage(
            "no program is named",
            "The list of words is empty.",
            "Name one.",
        )
    })?;
    let mut command = Command::new(program);
    let _ = command.args(words).env("PATH", PATH).env("LC_ALL", "C");
    Ok(command)
}

/// Become that program. Its process id is the response, and the rest of the input is the program's.
pub fn exec(argv: &[String]) -> Result<(), Error> {
    let mut command = command(argv)?;
    super::answer(&json!({"pid": getpid().as_raw_nonzero().get()}))?;
    let error = command.exec();
    Err(cannot_start(&argv[0], &error))
}

/// Run a program to its end and return its output; it is killed when the time is over or the controller is gone.
pub fn run(argv: &[String], within_s: f64) -> Result<Value, Error> {
    let within = crate::seconds_given("within_s", within_s)?;
    let mut command = command(argv)?;
    let _ = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let mut child = command
        .spawn()
        .map_err(|error| cannot_start(&argv[0], &error))?;
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    let until = Instant::now() + within;
    let Some((code, signal)) = ends_by(&mut child, until)? else {
        kill_group(&child);
        let _ = child.wait();
        return Ok(json!({"late": true, "stderr": text(&err, READ_WITHIN)}));
    };
    Ok(json!({
        "code": code,
        "signal": signal,
        "stdout": text(&out, READ_WITHIN),
        "stderr": text(&err, READ_WITHIN),
    }))
}

type Exit = (Option<i32>, Option<i32>);

/// Wait for the child; `None` if it is late, or if the controller has closed our input.
fn ends_by(child: &mut Child, until: Instant) -> Result<Option<Exit>, Error> {
    loop {
        let ended = child.try_wait().map_err(|error| {
            Error::io(
                "the end of a program cannot be seen",
                &error,
                "Report this.",
            )
        })?;
        if let Some(status) = ended {
            return Ok(Some((
                status.code(),
                std::os::unix::process::ExitStatusExt::signal(&status),
            )));
        }
        if Instant::now() >= until || controller_is_gone() {
            return Ok(None);
        }
    }
}

/// Wait a moment for the end of our input.
fn controller_is_gone() -> bool {
    let input = stdin();
    let mut waiting = [PollFd::new(&input, PollFlags::IN)];
    let at_most = Timespec::try_from(LOOK_EVERY).ok();
    let _ = poll(&mut waiting, at_most.as_ref());
    let mut byte = [0_u8];
    !waiting[0].revents().is_empty() && matches!(rustix::io::read(input, &mut byte), Ok(0) | Err(_))
}

fn kill_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    if let Some(pipe) = pipe {
        let _ = thread::spawn(move || {
            let mut read = Vec::new();
            let _ = pipe.take(OUTPUT_BYTES).read_to_end(&mut read);
            let _ = sender.send(read);
        });
    }
    receiver
}

/// What was printed; nothing if another process still holds the pipe.
fn text(pipe: &Receiver<Vec<u8>>, within: Duration) -> String {
    String::from_utf8_lossy(&pipe.recv_timeout(within).unwrap_or_default()).into_owned()
}

/// Kill a process; one that is gone is no error.
pub fn kill(pid: i32) -> Result<(), Error> {
    let process = Pid::from_raw(pid).filter(|_| pid > 1).ok_or_else(|| {
        Error::usage(
            format!("{pid} is not a process"),
            "A process id above 1 is expected.",
            "Give the one that exec returned.",
        )
    })?;
    match kill_process(process, Signal::KILL) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(Error::io(
            format!("process {pid} cannot be killed"),
            &error.into(),
            "Kill it by hand.",
        )),
    }
}

fn cannot_start(program: &str, error: &std::io::Error) -> Error {
    Error::io(
        format!("{program} could not be started"),
        error,
        "Check that it is installed and may be executed.",
    )
}
