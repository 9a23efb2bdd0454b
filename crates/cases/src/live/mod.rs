//! Notifies open screens of what happens in a conference, within this process (LIVE-1).
//!
//! Called by services after their transaction has committed; read by the event stream of `conferences::http`.
//! *Invariant:* losing an event is harmless. A screen gets a whole snapshot when it connects, when it fell behind, and
//! when the stored sequence number has moved without an event, because another node wrote (LIVE-4).

use atalaya_kernel::ConferenceId;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

const QUEUE: usize = 64;

/// One thing that happened, as the screens receive it.
#[derive(Clone, Debug)]
pub struct LiveEvent {
    /// Name of the event on the stream: `track`, `progress`, `message`, `recording`, `media`, `chat`, `participant`, `door`, `positions`, `frozen`, `drawing`, `measure`,
    /// `appointment`, `closed`.
    pub name: &'static str,
    pub data: Value,
    /// The conference's sequence number after the event, when it moved.
    pub seq: Option<i32>,
}

impl LiveEvent {
    pub fn new(name: &'static str, data: impl Serialize) -> Self {
        Self { name, data: serde_json::to_value(data).unwrap_or(Value::Null), seq: None }
    }

    pub fn at_seq(mut self, seq: i32) -> Self {
        self.seq = Some(seq);
        self
    }
}

/// The hub. Cheap to clone.
#[derive(Clone, Default)]
pub struct Live {
    rooms: Arc<Mutex<HashMap<ConferenceId, broadcast::Sender<LiveEvent>>>>,
}

impl Live {
    /// Hands an event to whoever watches the conference; having no watcher is no error.
    pub fn publish(&self, conference: ConferenceId, event: LiveEvent) {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = rooms.get(&conference)
            && sender.send(event).is_err()
        {
            rooms.remove(&conference);
        }
    }

    /// Starts watching a conference. Ask first whether the watcher may: watching takes memory.
    pub fn subscribe(&self, conference: ConferenceId) -> Watcher {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let receiver = rooms.entry(conference).or_insert_with(|| broadcast::channel(QUEUE).0).subscribe();
        Watcher { receiver: Some(receiver), live: self.clone(), conference }
    }

    /// Conferences that are watched.
    pub fn watched(&self) -> usize {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Hears what happens in one conference; the last one that leaves takes the conference's queue along (LIVE-5).
pub struct Watcher {
    receiver: Option<broadcast::Receiver<LiveEvent>>,
    live: Live,
    conference: ConferenceId,
}

impl Watcher {
    /// The next event.
    ///
    /// Errors: it fell behind, or the queue is gone.
    pub async fn recv(&mut self) -> Result<LiveEvent, RecvError> {
        match &mut self.receiver {
            Some(receiver) => receiver.recv().await,
            None => Err(RecvError::Closed),
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut rooms = self.live.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        self.receiver = None;
        if rooms.get(&self.conference).is_some_and(|sender| sender.receiver_count() == 0) {
            rooms.remove(&self.conference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // LIVE-2, LIVE-5
    #[tokio::test]
    async fn watchers_hear_their_conference_only() {
        let (live, sources) = (Live::default(), atalaya_kernel::Sources::system());
        let (mine, other): (ConferenceId, ConferenceId) = (sources.id(), sources.id());
        let mut receiver = live.subscribe(mine);
        live.publish(other, LiveEvent::new("chat", "other"));
        live.publish(mine, LiveEvent::new("chat", "mine").at_seq(3));
        let event = receiver.recv().await.expect("an event");
        assert_eq!((event.data, event.seq), (Value::from("mine"), Some(3)));
        let second = live.subscribe(mine);
        drop(receiver);
        assert_eq!(live.watched(), 1);
        drop(second);
        assert_eq!(live.watched(), 0, "LIVE-5: nothing stays of a watcher that left");
    }
}
