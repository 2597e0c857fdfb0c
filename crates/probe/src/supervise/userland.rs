//! `userland`: another root for programs of the run, and which view of files a group's processes have.

use std::collections::BTreeSet;

use base::error::Error;
use serde_json::{Value, json};

use super::Supervisor;
use super::protocol::Response;
use super::request_fields::UserlandRequest;
use crate::private_files::{PrivateFiles, ViewId, view_of};

impl Supervisor {
    /// Make the view of a userland, for the programs started `inside`.
    pub(super) fn userland(&mut self, request: &UserlandRequest) -> Result<Response, Error> {
        let what = format!("the userland {} cannot be entered", request.root.display());
        let refused = |why: &str, remedy: &str| Err(Error::failure(what.clone(), why, remedy));
        if self.userland.is_some() || !self.processes.is_empty() {
            return refused(
                "A run has one, and it is given before the first program.",
                "Send userland once, before the first start.",
            );
        }
        if self.given.account.is_none() {
            return refused("Only root may give programs another root.", "Run as root.");
        }
        if self.given.domain.is_none() {
            return refused(
                "This kernel has no Landlock, so /proc would lead programs to the files of other processes.",
                "Use Linux 5.13 or later, with Landlock.",
            );
        }
        let made = PrivateFiles::of_userland(&request.root, &self.given.shown, &self.given.run_dir);
        let view = made.map_err(|error| {
            Error::io(
                what.clone(),
                &error,
                "Make it again (`headtohead clean --caches`, then setup), or leave the factor out.",
            )
        })?;
        self.userland = Some(view);
        Ok(Response::new())
    }

    /// What a program sees of the file system; `None`: what we see.
    pub(super) fn files_of(&self, inside: bool) -> Result<Option<&PrivateFiles>, Error> {
        if !inside {
            return Ok(self.given.files.as_ref());
        }
        let userland = self.userland.as_ref().ok_or_else(|| {
            Error::failure(
                "a program cannot be started in the userland",
                "This run has none.",
                "Send userland first.",
            )
        })?;
        Ok(Some(userland))
    }

    /// Which view of files all of these processes have: `own` is the userland, `host` any view of the host's files,
    /// `mixed` some of each; null if none of them shows it, or if the run has no userland.
    pub(super) fn userland_of(&self, members: &[i32]) -> Value {
        self.userland.as_ref().map_or(Value::Null, |userland| {
            named(
                &members.iter().filter_map(|&pid| view_of(pid)).collect(),
                userland.id(),
            )
        })
    }
}

fn named(found: &BTreeSet<ViewId>, own: ViewId) -> Value {
    match (found.contains(&own), found.len()) {
        (_, 0) => Value::Null,
        (true, 1) => json!("own"),
        (false, _) => json!("host"),
        (true, _) => json!("mixed"),
    }
}

#[cfg(test)]
mod tests {
    use super::named;
    use serde_json::{Value, json};

    #[test]
    fn where_processes_are_has_a_name() {
        let (own, host) = ((0, 7), (0, 1));
        assert_eq!(named(&[].into(), own), Value::Null);
        assert_eq!(named(&[own].into(), own), json!("own"));
        assert_eq!(named(&[host].into(), own), json!("host"));
        assert_eq!(named(&[own, host].into(), own), json!("mixed"));
    }
}
