//! A Socket.IO peer over a websocket, as small as tests need (Engine.IO 4, Socket.IO 5).

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long anything that must come is waited for.
const SOON: Duration = Duration::from_secs(10);

/// A connected socket.
#[derive(Debug)]
pub struct SocketClient {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    sid: String,
}

/// Why a socket was not let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The status of the answer to the upgrade.
    Status(u16),
    /// The message of `connect_error`.
    Message(String),
    /// The connection was cut.
    Closed,
}

impl SocketClient {
    /// Connects with a session token.
    pub async fn connect(address: SocketAddr, token: &str) -> Result<Self, Refused> {
        Self::connect_with(address, json!({ "token": token }), None).await
    }

    /// Connects with any `auth` and, as a page of it would, an origin.
    pub async fn connect_with(address: SocketAddr, auth: Value, origin: Option<&str>) -> Result<Self, Refused> {
        let url = format!("ws://{address}/socket.io/?EIO=4&transport=websocket");
        let mut request = url.into_client_request().expect("an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("an origin"));
        }
        let stream = match connect_async(request).await {
            Ok((stream, _)) => stream,
            Err(Error::Http(answer)) => return Err(Refused::Status(answer.status().as_u16())),
            Err(error) => panic!("the port answers: {error}"),
        };
        let mut socket = Self { stream, sid: String::new() };
        let hello = socket.packet(Instant::now() + SOON).await.ok_or(Refused::Closed)?;
        assert!(hello.starts_with('0'), "Engine.IO opens: {hello}");
        socket.send(&format!("40{auth}")).await;
        let answer = socket.packet(Instant::now() + SOON).await.ok_or(Refused::Closed)?;
        let body: Value = serde_json::from_str(answer.get(2..).unwrap_or_default()).unwrap_or_default();
        match answer.get(..2) {
            Some("40") => body["sid"].as_str().expect("an id").clone_into(&mut socket.sid),
            Some("44") => return Err(Refused::Message(body["message"].as_str().unwrap_or_default().to_owned())),
            _ => panic!("not an answer to the handshake: {answer}"),
        }
        Ok(socket)
    }

    /// The id that `socket-user` takes.
    pub fn sid(&self) -> &str {
        &self.sid
    }

    /// Says an event, as no page of ours does.
    pub async fn emit(&mut self, name: &str, data: Value) {
        self.send(&format!("42{}", json!([name, data]))).await;
    }

    /// The next event's name and data; `None` when none came in time or the socket was closed.
    pub async fn next_event(&mut self, timeout: Duration) -> Option<(String, Value)> {
        let until = Instant::now() + timeout;
        loop {
            let packet = self.packet(until).await?;
            if let Some(body) = packet.strip_prefix("42") {
                let mut parts: Vec<Value> = serde_json::from_str(body).expect("an event is a list");
                let data = if parts.len() > 1 { parts.remove(1) } else { Value::Null };
                return Some((parts[0].as_str().expect("a name").to_owned(), data));
            }
            if packet.starts_with("41") {
                return None;
            }
        }
    }

    /// The data of the next event of this name; others are passed over. Panics when it does not come.
    pub async fn expect_event(&mut self, name: &str) -> Value {
        let until = Instant::now() + SOON;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (found, data) = self.next_event(left).await.unwrap_or_else(|| panic!("{name} was not heard"));
            if found == name {
                return data;
            }
        }
    }

    /// Whether the server closes the socket within this time; events that come before are passed over.
    pub async fn is_closed_within(&mut self, timeout: Duration) -> bool {
        let until = Instant::now() + timeout;
        loop {
            match self.packet(until).await {
                Some(packet) if packet.starts_with("41") => return true,
                Some(_) => {}
                None => return Instant::now() < until,
            }
        }
    }

    /// Sends a packet as it is; one that cannot be sent any more is lost.
    pub async fn send(&mut self, packet: &str) {
        let _ = self.stream.send(Message::text(packet.to_owned())).await;
    }

    /// The next packet that is no ping; `None` at the end of the connection or of the time.
    async fn packet(&mut self, until: Instant) -> Option<String> {
        loop {
            let message = timeout_at(until, self.stream.next()).await.ok()??.ok()?;
            match message {
                Message::Text(text) if text.as_str() == "2" => self.send("3").await,
                Message::Text(text) => return Some(text.as_str().to_owned()),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }
}
