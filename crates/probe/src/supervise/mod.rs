//! `h2h-probe supervise`: owns everything of one run that must not outlive it (`docs/reference/supervise.md`).

mod attach;
mod events;
mod finish;
mod gate;
mod group_usage;
mod immediate;
mod launch;
mod link;
mod log_of_dead_owner;
mod options;
mod processes;
mod protocol;
mod request_fields;
mod setup;
mod standard_files;
mod userland;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use base::clock::now_ns;
use base::error::Error;
use serde_json::{Value, json};

use self::events::{Event, Events};
pub use self::options::Options;
use self::processes::Processes;
use self::protocol::{Request, RequestError, Response};
use self::setup::{Groups, RunSetup};
use crate::network::Link;
use crate::private_files::PrivateFiles;
use crate::settings::Settings;
use crate::tree::Tree;
use crate::watch::RunningMonitors;

/// The tree is shared with the monitors' thread.
pub type SharedTree = Arc<Mutex<Tree>>;

/// One run's owner.
struct Supervisor {
    given: RunSetup,
    zero_ns: u64,
    greeted: bool,
    events: Events,
    groups: Groups,
    link: Option<Link>,
    settings: Option<(BTreeMap<String, String>, Settings)>,
    userland: Option<PrivateFiles>,
    processes: Processes,
    tree: SharedTree,
    kept: HashMap<String, group_usage::GroupHistory>,
    watching: Option<RunningMonitors>,
    ended: bool,
    clean: bool,
}

/// Serve one run until it is over, then end and remove all of it.
#[must_use]
pub fn run(options: Options) -> ExitCode {
    let mut supervisor = match Supervisor::new(options) {
        Ok(supervisor) => supervisor,
        Err(problem) => {
            // The client waits for a response to its hello: this is it.
            let _ = write_line(&refusal(&problem, 0));
            crate::print_error(&problem);
            return ExitCode::FAILURE;
        }
    };
    supervisor.serve();
    if supervisor.end() {
        log_of_dead_owner::remove(&supervisor.given.id);
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

impl Supervisor {
    fn new(options: Options) -> Result<Self, Error> {
        let lease = match options.lease_s {
            Some(given) => Some(crate::seconds_given("--lease-s", given)?),
            None => None,
        };
        let events = Events::new(lease).map_err(|error| {
            Error::io(
                "supervise cannot wait for signals",
                &error,
                "See what limits this machine sets.",
            )
        })?;
        let given = RunSetup::take(options)?;
        let tree = Arc::new(Mutex::new(Tree::new(Some(given.own_pid))));
        Ok(Self {
            given,
            zero_ns: now_ns(),
            greeted: false,
            events,
            groups: Groups::default(),
            link: None,
            settings: None,
            userland: None,
            processes: Processes::new(Arc::clone(&tree)),
            tree,
            kept: HashMap::new(),
            watching: None,
            ended: false,
            clean: true,
        })
    }

    /// Answer requests until the run is over.
    fn serve(&mut self) {
        while !self.ended {
            match self.events.next() {
                Event::Line(line) => match self.answer(&line) {
                    Ok(text) if write_line(&text).is_ok() => {}
                    // The client no longer reads our responses.
                    _ => return,
                },
                Event::Child | Event::Late => self.processes.reap(),
                Event::Over => return,
            }
        }
    }

    /// The response to one line; `Err` when the run is over.
    fn answer(&mut self, line: &str) -> Result<Value, ()> {
        self.processes.reap();
        let outcome = protocol::parse(line)
            .map_err(RequestError::from)
            .and_then(|request| self.carry_out(request));
        let t_ns = now_ns() - self.zero_ns;
        match outcome {
            Ok(mut answer) => {
                let _ = answer.insert("t_ns".to_owned(), json!(t_ns));
                Ok(Value::Object(answer))
            }
            Err(RequestError::Refused(problem)) => Ok(refusal(&problem, t_ns)),
            Err(RequestError::Over) => Err(()),
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Response, RequestError> {
        match request {
            Request::Hello {} => Ok(self.hello()),
            Request::Group(request) => Ok(self.group(&request)?),
            Request::Link(request) => Ok(self.link(&request)?),
            Request::Settings(request) => Ok(self.set(request.set)?),
            Request::Userland(request) => Ok(self.userland(&request)?),
            Request::Start(request) => Ok(self.start(&request)?),
            Request::Attach(request) => Ok(self.attach(&request)?),
            Request::Wait(request) => self.wait(&request),
            Request::Alive(request) => Ok(self.alive(&request.name)?),
            Request::ReadBack(request) => Ok(self.read_back(&request.group)?),
            Request::Usage(request) => Ok(self.usage(&request.group)?),
            Request::Watch(request) => Ok(self.watch(&request)?),
            Request::Unwatch {} => Ok(self.unwatch()?),
            Request::Gate(request) => self.gate(&request),
            Request::Own(request) => Ok(self.own(request.path)?),
            Request::Stop(request) => self.stop(&request),
            Request::End {} => {
                let _ = self.end();
                Ok(Response::new())
            }
        }
    }
}

fn refusal(problem: &Error, t_ns: u64) -> Value {
    json!({"error": problem, "t_ns": t_ns})
}

fn write_line(answer: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{answer}")?;
    out.flush()
}

/// A response's fields from a JSON object.
fn fields(value: Value) -> Response {
    match value {
        Value::Object(fields) => fields,
        _ => Response::new(),
    }
}
