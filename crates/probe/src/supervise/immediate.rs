//! The requests that get their response at once.

use base::clock::now_ns;
use base::error::Error;
use serde_json::json;

use super::launch::{LaunchSettings, launch};
use super::processes::{Started, signal_of};
use super::protocol::{RequestError, Response, duration};
use super::request_fields::{GroupRequest, StartRequest, WaitRequest, WatchRequest};
use super::setup::{Group, make_group};
use super::{Supervisor, fields};
use crate::network::Link;
use crate::settings::Settings;
use crate::supervise::events::Event;
use crate::tree::PROCESS_VARIABLE;
use crate::watch::RunningMonitors;
use crate::watch::monitors::WatchedGroups;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The variable by which even what a killed supervise leaves can be found and swept.
const OWNER_VARIABLE: &str = "HEADTOHEAD_OWNER";

/// When the run is over no program keeps it waiting longer: all is to be gone within about 10 s.
const STOP_AT_MOST: Duration = Duration::from_secs(5);

impl Supervisor {
    /// This process; the first hello is the run's start.
    pub(super) fn hello(&mut self) -> Response {
        if !self.greeted {
            self.zero_ns = now_ns();
            self.greeted = true;
        }
        let uid = self
            .given
            .account
            .map_or_else(rustix::process::geteuid, |account| account.uid);
        fields(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "run_dir": self.given.run_dir,
            "zero_ns": self.zero_ns,
            "cgroups": self.given.hierarchy().map(crate::cgroup::Hierarchy::version),
            "uid": uid.as_raw(),
            "private_files": self.given.files.is_some(),
            "domains": self.given.domain.is_some(),
        }))
    }

    /// Make a group.
    pub(super) fn group(&mut self, request: &GroupRequest) -> Result<Response, Error> {
        if self.groups.contains_key(&request.name) {
            return Err(taken(&request.name, "group"));
        }
        let group = make_group(&self.given, request)?;
        let _ = self.groups.insert(request.name.clone(), group);
        Ok(Response::new())
    }

    /// The group of that name.
    pub(super) fn group_of(&self, name: &str) -> Result<&Group, Error> {
        self.groups.get(name).ok_or_else(|| {
            Error::failure(
                format!("no group is called {name:?}"),
                "None was made under that name in this run.",
                "Make it first.",
            )
        })
    }

    /// Change settings of the system: once in a run, and before its first program, which would see both values.
    pub(super) fn set(&mut self, asked: BTreeMap<String, String>) -> Result<Response, Error> {
        if self.settings.is_some() || !self.processes.is_empty() {
            return Err(Error::failure(
                "the settings cannot be changed now",
                "They are changed once in a run, before its first program.",
                "Send settings first.",
            ));
        }
        if self.given.account.is_none() {
            return Err(Error::failure(
                "the settings cannot be changed",
                "Only root may.",
                "Run as root, or leave the factor out.",
            ));
        }
        let made = Settings::set(&asked, &self.given.settings, &self.given.id)?;
        self.settings = Some((asked, made));
        Ok(Response::new())
    }

    /// Put the settings back as they were found, if any were changed.
    pub(super) fn put_back_settings(&mut self) -> Result<(), Error> {
        let changed = self.settings.take();
        changed.map_or(Ok(()), |(_, set)| set.put_back())
    }

    /// Start a program in its group.
    pub(super) fn start(&mut self, request: &StartRequest) -> Result<Response, Error> {
        if self.processes.has(&request.name) {
            return Err(taken(&request.name, "program"));
        }
        let signal = signal_of(&request.stop_signal)?;
        let within = duration("stop_within_s", request.stop_within_s)?.min(STOP_AT_MOST);
        let group = self.group_of(&request.group)?;
        let setting = LaunchSettings {
            join: group
                .cgroup
                .as_ref()
                .map_or_else(Vec::new, |cgroup| cgroup.join_files()),
            network: group.network.as_deref(),
            cpus: &group.cpus,
            memory: group.memory.as_ref(),
            nofile: group.nofile,
            account: self.given.account,
            run_dir: &self.given.run_dir,
            files: self.files_of(request.inside)?,
            domain: self.given.domain.as_ref(),
            marks: [
                (OWNER_VARIABLE, &self.given.id),
                (PROCESS_VARIABLE, &request.name),
            ],
        };
        let pid = launch(request, &setting)?;
        let started = Started {
            pid,
            exit: None,
            signal,
            within,
        };
        self.processes.add(&request.name, &request.group, started);
        Ok(fields(json!({"pid": pid})))
    }

    /// Wait for a program to end.
    pub(super) fn wait(&mut self, request: &WaitRequest) -> Result<Response, RequestError> {
        let until = Instant::now() + duration("within_s", request.within_s)?.min(A_DAY);
        loop {
            if let Some(exit) = self.processes.exit_of(&request.name)? {
                let (code, signal) = exit.fields();
                return Ok(fields(
                    json!({"exited": true, "code": code, "signal": signal}),
                ));
            }
            if Instant::now() >= until {
                return Ok(fields(json!({"exited": false})));
            }
            if self.events.pause(until) == Event::Over {
                return Err(RequestError::Over);
            }
        }
    }

    /// Whether a program still runs.
    pub(super) fn alive(&mut self, name: &str) -> Result<Response, Error> {
        let Some(exit) = self.processes.exit_of(name)? else {
            return Ok(fields(json!({"alive": true})));
        };
        let (code, signal) = exit.fields();
        Ok(fields(
            json!({"alive": false, "code": code, "signal": signal}),
        ))
    }

    /// Start the monitors.
    pub(super) fn watch(&mut self, request: &WatchRequest) -> Result<Response, Error> {
        if self.watching.is_some() {
            return Err(Error::failure(
                "the monitors run already",
                "There is one set of them in a run.",
                "Send unwatch first.",
            ));
        }
        let parties = WatchedGroups {
            link: self.link.as_ref().and_then(Link::files),
            ..self.parties()
        };
        let watching =
            RunningMonitors::start(&request.to, request.every_ms, self.zero_ns, parties)?;
        let columns = fields(json!({"columns": watching.columns()}));
        self.watching = Some(watching);
        Ok(columns)
    }

    /// End the monitors.
    pub(super) fn unwatch(&mut self) -> Result<Response, Error> {
        let watching = self.watching.take().ok_or_else(|| {
            Error::failure(
                "the monitors do not run",
                "They were not started, or have ended.",
                "Send watch first.",
            )
        })?;
        let watched = watching.finish()?;
        Ok(fields(
            json!({"readings": watched.readings, "cpu_ns": watched.cpu_ns}),
        ))
    }

    /// Add a path that is removed at the end.
    pub(super) fn own(&mut self, path: PathBuf) -> Result<Response, Error> {
        self.given.own(path)?;
        Ok(Response::new())
    }
}

/// No wait is longer; an `Instant` further away might not exist.
pub(super) const A_DAY: Duration = Duration::from_secs(86_400);

fn taken(name: &str, kind: &str) -> Error {
    Error::failure(
        format!("there is a {kind} {name:?} already"),
        "Each name may be used once in a run.",
        "Choose another.",
    )
}
