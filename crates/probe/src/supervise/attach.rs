//! `attach`: a group that counts processes which already run.

use base::error::Error;
use serde_json::json;

use super::protocol::{AttachRequest, Response};
use super::{Supervisor, fields};
use crate::tree::attached::Attached;

impl Supervisor {
    /// Count processes that already run as a group's.
    pub(super) fn attach(&mut self, request: &AttachRequest) -> Result<Response, Error> {
        let attached = Attached::to(&request.pids)?;
        let processes = attached.processes().len();
        let _ = self.group_of(&request.group)?;
        if let Some(group) = self.groups.get_mut(&request.group) {
            group.attached = Some(attached);
        }
        Ok(fields(json!({"processes": processes})))
    }
}
