//! The media engine of this process: embedded, or a LiveKit server.

use crate::backup;
use crate::config::{Config, LiveKitConfig, Secrets, TlsConfig};
use anyhow::{Context, Result};
use atalaya_assistance::calls::recording::KeyRing;
use atalaya_assistance::calls::{EmbeddedEngine, LiveKitEngine, MediaEngine, Spool};
use atalaya_assistance::{Assistance, calls, tasks};
use atalaya_blobs::BlobName;
use atalaya_cases::connections;
use atalaya_kernel::{ConferenceId, Sources};
use atalaya_rest::Problem;
use atalaya_sfu::{Engine, EngineConfig, EngineEvent, RelayConfig, Route, TurnDoor};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a room without anybody stays open in the engine; the conference's own rule closes it.
const EMPTY_ROOM: Duration = Duration::from_secs(300);

/// An engine that runs, and what it tells.
pub struct Media {
    pub engine: Arc<dyn MediaEngine>,
    pub keys: KeyRing,
    kind: Kind,
}

enum Kind {
    Embedded { engine: Engine, events: Receiver<EngineEvent>, finished: UnboundedReceiver<BlobName> },
    LiveKit(Arc<LiveKitEngine>),
}

impl Media {
    /// Starts the engine that the configuration names.
    ///
    /// Errors: the media port is in use, the spool cannot be opened.
    pub async fn start(config: &Config, secrets: &Secrets, sources: &Sources) -> Result<Self> {
        if let Some(livekit) = &config.media.livekit {
            return Ok(Self::livekit(livekit));
        }
        let any = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let engine = EngineConfig {
            udp_bind: SocketAddr::new(any, config.media.udp_port),
            tcp_bind: Some(SocketAddr::new(any, config.media.tcp_port)),
            announce: config.media.announce_ip.into_iter().collect(),
            api_key: secrets.media_api_key.clone(),
            api_secret: secrets.media_api_secret.present.clone(),
            relay: relay(config),
            empty_room_timeout: EMPTY_ROOM,
        };
        let port = config.media.udp_port;
        Self::embedded(engine, &backup::spool(config), sources)
            .await
            .with_context(|| format!("the media engine cannot start on port {port} (ATALAYA_MEDIA_UDP_PORT)"))
    }

    /// Starts the embedded engine with its recordings spooled in a folder.
    pub async fn embedded(config: EngineConfig, spool: &std::path::Path, sources: &Sources) -> Result<Self> {
        let keys = KeyRing::default();
        let folder = atalaya_blobs::Spool::open(spool, sources.clone()).context("the spool of recordings")?;
        let (sink, finished) = Spool::new(folder, keys.clone());
        let (engine, events) = Engine::start_with(config, Arc::new(sink), sources.clone()).await?;
        let driver = Arc::new(EmbeddedEngine::new(engine.clone()));
        Ok(Self { engine: driver, keys, kind: Kind::Embedded { engine, events, finished } })
    }

    /// Uses a LiveKit server; nothing is asked of it before the first call.
    pub fn livekit(config: &LiveKitConfig) -> Self {
        let engine = Arc::new(LiveKitEngine::new(&calls::LiveKitConfig {
            url: config.url.clone(),
            api_key: config.api_key.clone(),
            api_secret: config.api_secret.clone(),
        }));
        Self { engine: engine.clone(), keys: KeyRing::default(), kind: Kind::LiveKit(engine) }
    }

    /// No engine at all, for the API description: tokens can be made, every call fails.
    pub fn absent() -> Self {
        let (url, api_key) = ("ws://127.0.0.1:9".to_owned(), "absent".to_owned());
        Self::livekit(&LiveKitConfig { url, api_key, api_secret: "absent".repeat(6).into() })
    }

    /// What signs and checks the embedded engine's tokens.
    pub fn token_keys(&self) -> Option<atalaya_sfu::TokenKeys> {
        match &self.kind {
            Kind::Embedded { engine, .. } => Some(engine.keys().clone()),
            Kind::LiveKit(_) => None,
        }
    }

    /// The engine's own doors, and what must run beside it.
    pub(crate) fn wire(self, assistance: &Assistance) -> (Router, MediaTasks) {
        match self.kind {
            Kind::Embedded { engine, events, finished } => {
                engine.set_gate(Arc::new(calls::admission::Admission(assistance.clone())));
                let router = engine.router();
                (router, MediaTasks { assistance: assistance.clone(), embedded: Some((engine, events, finished)) })
            }
            Kind::LiveKit(engine) => {
                let door = Webhooks { assistance: assistance.clone(), engine };
                let router = Router::new().route("/livekit/webhook", post(webhook)).with_state(door);
                (router, MediaTasks { assistance: assistance.clone(), embedded: None })
            }
        }
    }
}

/// TURN as configured (TURN-10).
fn relay(config: &Config) -> RelayConfig {
    match &config.media.turn {
        Some(turn) => RelayConfig::External { urls: turn.urls.clone(), secret: turn.secret.clone() },
        None => RelayConfig::BuiltIn { tls: tls_address(config) },
    }
}

/// `host:port` of the web server, when its TLS is ours and can pass TURN on.
fn tls_address(config: &Config) -> Option<String> {
    if config.tls == TlsConfig::Off {
        return None;
    }
    let authority = config.public_url.strip_prefix("https://")?.split('/').next()?;
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    Some(if has_port { authority.to_owned() } else { format!("{authority}:443") })
}

/// What runs beside the engine while the server does.
pub struct MediaTasks {
    assistance: Assistance,
    embedded: Option<(Engine, Receiver<EngineEvent>, UnboundedReceiver<BlobName>)>,
}

impl MediaTasks {
    /// Where the web server's connections that speak TURN go; `None` when they go nowhere.
    pub fn turn_door(&self) -> Option<TurnDoor> {
        self.embedded.as_ref().and_then(|(engine, ..)| engine.turn_door())
    }

    /// Starts the tasks. Answers the engine's off switch, to be used after the last request.
    pub fn start(self, tasks: &TaskTracker, stop: CancellationToken) -> MediaStop {
        tasks.spawn(tasks::sweep(self.assistance.clone(), stop.clone()));
        tasks.spawn(tasks::watch_seats(self.assistance.clone(), stop));
        let Some((engine, events, finished)) = self.embedded else { return MediaStop(None) };
        // These end by themselves when the engine has stopped, so that everything it told is written.
        tasks.spawn(follow_engine(self.assistance.clone(), events));
        tasks.spawn(tasks::follow_spool(self.assistance, finished));
        MediaStop(Some(engine))
    }
}

/// Handles the embedded engine's events until it stops, one after the other: a route is of a stay that is known.
async fn follow_engine(assistance: Assistance, mut events: Receiver<EngineEvent>) {
    while let Some(event) = events.recv().await {
        handle_event(&assistance, event).await;
    }
}

/// Handles one event; a failure is logged and does not stop the next.
pub async fn handle_event(assistance: &Assistance, event: EngineEvent) {
    if let EngineEvent::RouteChanged { room, sid, route, .. } = &event
        && let Ok(id) = room.parse()
        && let Err(error) = keep_route(assistance, id, sid, *route).await
    {
        tracing::error!(%error, "the way of a participant's media could not be written");
    }
    if let Some(event) = calls::call_event(event) {
        tasks::handle(assistance, event).await;
    }
}

/// Keeps how a participant's media come with its stay (TURN-6).
async fn keep_route(assistance: &Assistance, id: ConferenceId, sid: &str, route: Route) -> Result<()> {
    let tx = assistance.db.write().await?;
    connections::set_route(&tx, id, sid, route.name()).await?;
    Ok(tx.commit().await?)
}

/// Stops the engine: calls are told that the server leaves, recordings are finished.
pub struct MediaStop(Option<Engine>);

impl MediaStop {
    pub async fn stop(self) {
        if let Some(engine) = self.0 {
            engine.shutdown().await;
        }
    }
}

#[derive(Clone)]
struct Webhooks {
    assistance: Assistance,
    engine: Arc<LiveKitEngine>,
}

/// `POST /livekit/webhook`: what a LiveKit server tells about its rooms, signed with the API secret.
async fn webhook(State(door): State<Webhooks>, headers: HeaderMap, body: String) -> Response {
    let signature = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or("");
    match door.engine.read_webhook(&body, signature) {
        Ok(event) => {
            if let Some(event) = event {
                tasks::handle(&door.assistance, event).await;
            }
            StatusCode::NO_CONTENT.into_response()
        }
        Err(()) => Problem::forbidden("WEBHOOK_SIGNATURE_INVALID").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Origins, collect};

    // TURN-1
    #[test]
    fn turn_over_tls_is_offered_where_tls_is_ours() {
        let mut config = collect(&Origins::default()).expect("the defaults are valid");
        for (tls, url, expected) in [
            (TlsConfig::SelfSigned, "https://atalaya.example", Some("atalaya.example:443")),
            (TlsConfig::SelfSigned, "https://atalaya.example:8443/x", Some("atalaya.example:8443")),
            (TlsConfig::SelfSigned, "https://[2001:db8::1]", Some("[2001:db8::1]:443")),
            (TlsConfig::SelfSigned, "http://atalaya.example", None),
            (TlsConfig::Off, "https://atalaya.example", None),
        ] {
            (config.tls, config.public_url) = (tls, url.to_owned());
            assert_eq!(tls_address(&config).as_deref(), expected, "{url}");
        }
    }
}
