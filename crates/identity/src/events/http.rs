//! The event stream of a shell: what others announce, and what time or another node changed (docs/decisions/0005: server-sent events until the sockets of a later issue).

use super::{AccountEvent, MenuState};
use crate::companies::service::get_company;
use crate::{Identity, auth};
use atalaya_rest::Caller;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use futures::Stream;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// How often the stream looks whether its session still lives and how its company stands, and says that it is alive.
const LOOK: Duration = Duration::from_secs(5);

/// What concerns the caller's account, as `text/event-stream`; ends with the session.
///
/// Events: `sync` first and whenever something was missed (read `me` again), `unblockMenu` with `{state}` (`blocked`,
/// `unblocked`, `mobile-unblocked`), `ping`. Source: SPEC §4 Blocking, DESIGN §5, §6.
#[utoipa::path(get, path = "/api/v1/account-events", tag = "users", operation_id = "account_events",
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 401)), security(("session" = [])))]
pub(crate) async fn account_events(
    State(d): State<Identity>,
    caller: Caller,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let receiver = d.events.listen();
    let watch = Watch { d, caller, receiver, synced: false, known: None };
    Sse::new(futures::stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    }))
}

struct Watch {
    d: Identity,
    caller: Caller,
    receiver: Receiver<AccountEvent>,
    synced: bool,
    /// Blocked or not, as the shell knows it.
    known: Option<MenuState>,
}

impl Watch {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        if !std::mem::replace(&mut self.synced, true) {
            self.known = self.standing().await;
            return Some(named("sync", &json!({})));
        }
        // Events of other people must not put the look off.
        let look = tokio::time::sleep(LOOK);
        tokio::pin!(look);
        loop {
            tokio::select! {
                received = self.receiver.recv() => match received {
                    Ok(event) if event.concerns(self.caller.user, self.caller.company) => {
                        return Some(self.tell(event.menu));
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => return Some(named("sync", &json!({}))),
                    Err(RecvError::Closed) => return None,
                },
                () = &mut look => return self.look().await,
            }
        }
    }

    /// A quiet moment: ends the stream of a session that has ended, and notices what nobody announced here: a payment
    /// start that has come, or a change on another node.
    async fn look(&mut self) -> Option<Event> {
        if !auth::service::is_alive(&self.d, self.caller.session).await.ok()? {
            return None;
        }
        match self.standing().await {
            Some(state) if self.known.is_some_and(|known| known != state) => Some(self.tell(state)),
            _ => Some(named("ping", &json!({}))),
        }
    }

    /// Whether the company is blocked now; `None` when it cannot be read at the moment.
    async fn standing(&self) -> Option<MenuState> {
        let company = get_company(&self.d, self.caller.company).await.ok()?;
        let blocked = company.billing.is_blocked(true, self.d.sources.now());
        Some(if blocked { MenuState::Blocked } else { MenuState::Unblocked })
    }

    fn tell(&mut self, state: MenuState) -> Event {
        // Unblocked on mobiles only is a signal beside the company's facts.
        if state != MenuState::MobileUnblocked {
            self.known = Some(state);
        }
        named("unblockMenu", &json!({ "state": state }))
    }
}

fn named(name: &'static str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
