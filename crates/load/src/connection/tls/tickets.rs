//! The tickets of one thread. There is one server, so its name makes no difference.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;

/// More are not kept. rustls itself keeps 8, which is too few for hundreds of handshakes at once.
const MOST: usize = 4096;

/// Tickets for later handshakes: of TLS 1.3 each is used once, that of TLS 1.2 until there is a newer one.
#[derive(Debug, Default)]
pub struct Tickets {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    group: Option<NamedGroup>,
    old: Option<Tls12ClientSessionValue>,
    new: VecDeque<Tls13ClientSessionValue>,
}

impl Tickets {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientSessionStore for Tickets {
    fn set_kx_hint(&self, _: ServerName<'static>, group: NamedGroup) {
        self.kept().group = Some(group);
    }

    fn kx_hint(&self, _: &ServerName<'_>) -> Option<NamedGroup> {
        self.kept().group
    }

    fn set_tls12_session(&self, _: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.kept().old = Some(session);
    }

    fn tls12_session(&self, _: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.kept().old.clone()
    }

    fn remove_tls12_session(&self, _: &ServerName<'static>) {
        self.kept().old = None;
    }

    fn insert_tls13_ticket(&self, _: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        let mut kept = self.kept();
        if kept.new.len() == MOST {
            let _ = kept.new.pop_front();
        }
        kept.new.push_back(ticket);
    }

    /// The newest, as tickets grow old.
    fn take_tls13_ticket(&self, _: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.kept().new.pop_back()
    }
}
