//! The periodic look: that this node is there, which sessions are good no more, which companies stand differently.

use super::Command;
use super::hub::{Hub, user_room};
use atalaya_identity::IdentityResult;
use atalaya_identity::presence::service as presence;
use atalaya_kernel::live::names;
use atalaya_kernel::{CompanyId, UserId};
use chrono::{DateTime, Utc};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often a node looks. Changes that somebody makes are told at once; this finds what time or a lost message changed.
const LOOK: Duration = Duration::from_secs(5);
/// Every how many looks a node gives a sign of life: well within `presence::model::NODE_DEAD_S`.
const BEAT: u32 = 4;

/// The first sign of life of this node, before it lets anybody in.
pub(super) async fn first(hub: &Hub) -> IdentityResult<()> {
    presence::beat(&hub.identity).await
}

pub(super) async fn run(hub: Hub, stop: CancellationToken) {
    let mut last = hub.identity.sources.now();
    for nth in 1_u32.. {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        if nth.is_multiple_of(BEAT)
            && let Err(error) = presence::beat(&hub.identity).await
        {
            tracing::warn!(%error, "this node could not give a sign of life");
        }
        if let Err(error) = look(&hub, &mut last).await {
            tracing::warn!(%error, "could not look after the open sockets");
        }
    }
}

async fn look(hub: &Hub, last: &mut DateTime<Utc>) -> IdentityResult<()> {
    let mut people: HashMap<CompanyId, BTreeSet<UserId>> = HashMap::new();
    for (user, company) in hub.open.lock().expect("nobody panics holding it").values() {
        people.entry(*company).or_default().insert(*user);
    }
    let companies: Vec<CompanyId> = people.keys().copied().collect();
    let now = hub.identity.sources.now();
    if companies.is_empty() {
        *last = now;
        return Ok(());
    }
    presence::look(&hub.identity).await?;
    for (company, menu) in presence::menus_changed_by_time(&hub.identity, &companies, *last).await? {
        for user in people.get(&company).into_iter().flatten() {
            let (name, data) = (names::unblock_menu(*user), json!({ "state": menu }));
            let _ = hub.commands.send(Command::Here { room: user_room(*user), name, data }).await;
        }
    }
    *last = now;
    Ok(())
}
