//! `link`: subject and driver in networks of their own, and which network a group's processes are in.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::error::Error;
use serde_json::{Value, json};

use super::protocol::Response;
use super::request_fields::LinkRequest;
use super::{Supervisor, fields};
use crate::network::{DEVICE, Id, Link, id_of};

impl Supervisor {
    /// Put the groups `subject` and `driver` into namespaces of their own, joined by a link.
    pub(super) fn link(&mut self, request: &LinkRequest) -> Result<Response, Error> {
        self.may_link()?;
        let link = Link::make(request.rate_mbit)?;
        for end in &link.ends {
            if let Some(group) = self.groups.get_mut(end.group) {
                group.network = Some(Arc::clone(&end.namespace));
            }
        }
        let mut answer = fields(json!({
            "device": DEVICE,
            "mtu": link.seen.mtu,
            "congestion": link.seen.congestion,
            "rate_mbit": link.seen.rate_mbit,
        }));
        for end in &link.ends {
            let _ = answer.insert(end.group.to_owned(), json!(end.address));
        }
        self.link = Some(link);
        Ok(answer)
    }

    fn may_link(&self) -> Result<(), Error> {
        let refused = |why: &str, remedy: &str| {
            Err(Error::failure("the link cannot be made now", why, remedy))
        };
        if self.link.is_some() {
            return refused(
                "There is one already, and a run has only one.",
                "Send link once.",
            );
        }
        if !self.processes.is_empty() {
            return refused(
                "A program was started already: it would not be in the network of its group.",
                "Send link before the first start.",
            );
        }
        if !["subject", "driver"]
            .iter()
            .all(|&end| self.groups.contains_key(end))
        {
            return refused(
                "It joins the groups subject and driver, and not both were made.",
                "Make both groups first.",
            );
        }
        Ok(())
    }

    /// Which network all of these processes are in: `own` is that of their group's end of the link, `host` supervise's
    /// own, `mixed` anything else; null if none of them shows it.
    pub(super) fn network_of(&self, group: &str, members: &[i32]) -> Result<Value, Error> {
        let own = self.group_of(group)?.network.as_ref();
        let own = own.map(|namespace| namespace.id());
        let of_members = members.iter().filter_map(|pid| id_of(&pid.to_string()));
        Ok(named(&of_members.collect(), own, id_of("self")))
    }
}

fn named(found: &BTreeSet<Id>, own: Option<Id>, host: Option<Id>) -> Value {
    let all_in = |one: Option<Id>| found.iter().all(|&each| Some(each) == one);
    if found.is_empty() {
        Value::Null
    } else if all_in(own) {
        json!("own")
    } else if all_in(host) {
        json!("host")
    } else {
        json!("mixed")
    }
}

#[cfg(test)]
mod tests {
    use super::named;
    use serde_json::json;

    const HOST: (u64, u64) = (4, 1);
    const OWN: (u64, u64) = (4, 2);

    #[test]
    fn one_process_elsewhere_shows() {
        let said =
            |found: &[(u64, u64)], own| named(&found.iter().copied().collect(), own, Some(HOST));
        assert_eq!(said(&[OWN, OWN], Some(OWN)), json!("own"));
        assert_eq!(said(&[OWN, HOST], Some(OWN)), json!("mixed"));
        assert_eq!(said(&[HOST], Some(OWN)), json!("host"));
        assert_eq!(said(&[HOST], None), json!("host"));
        assert_eq!(said(&[], Some(OWN)), json!(null));
    }
}
