//! Watches log-ins, for answers that outlive their request: event streams, calls (SESSION-12).
//!
//! One query twice a second for all log-ins that are watched on this node, so that it does not matter what ended them and on
//! which node; no query while nothing is watched.

use super::store;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::SessionId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The interval of the query.
const LOOK: Duration = Duration::from_millis(500);

/// The log-ins watched on this node. Cheap to clone.
#[derive(Clone, Default)]
pub struct SessionWatch(Arc<Mutex<Watched>>);

#[derive(Default)]
struct Watched {
    /// By the key of a log-in, which stays the same over renewals.
    log_ins: HashMap<String, watch::Sender<bool>>,
    runs: bool,
}

/// A log-in that is watched.
#[derive(Clone, Debug)]
pub struct LivingLogIn(watch::Receiver<bool>);

impl LivingLogIn {
    /// Resolves when the log-in has ended.
    pub async fn ended(&mut self) {
        // A sender that was dropped has sent so before.
        let _ = self.0.wait_for(|ended| *ended).await;
    }

    pub fn has_ended(&self) -> bool {
        *self.0.borrow()
    }
}

/// Watches the log-in of a session, with all its renewals.
///
/// Errors: [`IdentityError::SessionEnded`].
pub async fn watch(d: &Identity, session: SessionId) -> IdentityResult<LivingLogIn> {
    let key = store::living_key(d.db.read(), session, d.sources.now()).await?.ok_or(IdentityError::SessionEnded)?;
    let mut watched = d.session_watch.0.lock().unwrap_or_else(PoisonError::into_inner);
    let receiver = watched.log_ins.entry(key).or_insert_with(|| watch::Sender::new(false)).subscribe();
    if !watched.runs {
        watched.runs = true;
        tokio::spawn(run(d.clone()));
    }
    Ok(LivingLogIn(receiver))
}

async fn run(d: Identity) {
    loop {
        tokio::time::sleep(LOOK).await;
        let keys = {
            let mut watched = d.session_watch.0.lock().unwrap_or_else(PoisonError::into_inner);
            watched.log_ins.retain(|_, sender| sender.receiver_count() > 0);
            if watched.log_ins.is_empty() {
                watched.runs = false;
                return;
            }
            watched.log_ins.keys().cloned().collect::<Vec<_>>()
        };
        let living = match store::living_keys(d.db.read(), &keys, d.sources.now()).await {
            Ok(living) => living,
            Err(error) => {
                tracing::warn!(%error, "could not look after the log-ins of open streams");
                continue;
            }
        };
        let mut watched = d.session_watch.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys.iter().filter(|key| !living.contains(*key)) {
            if let Some(sender) = watched.log_ins.remove(key) {
                sender.send_replace(true);
            }
        }
    }
}
