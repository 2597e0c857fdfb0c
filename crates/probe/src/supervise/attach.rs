//! `attach`: a group that counts processes which already run.

use base::error::Error;
use serde_json::json;

use super::protocol::Response;
use super::request_fields::AttachRequest;
use super::{Supervisor, fields};
use crate::tree::attached::Attached;

impl Supervisor {
    /// Count processes that already run as a group's.
    pub(super) fn attach(&mut self, request: &AttachRequest) -> Result<Response, Error> {
        let attached = Attached::to(&request.pids)?;
        let processes = attached.processes().len();
        let group = self.group_of(&request.group)?;
        group.attached.set(attached).map_err(|_| {
            Error::failure(
                format!("{} already counts processes", request.group),
                "A run attaches once to each group.",
                "Name all processes at once.",
            )
        })?;
        Ok(fields(json!({"processes": processes})))
    }
}
