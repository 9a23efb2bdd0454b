//! The media engine of this process: embedded, or a LiveKit server.

use crate::backup;
use crate::config::{Config, LiveKitConfig, Secrets};
use anyhow::{Context, Result};
use atalaya_assistance::calls::recording::KeyRing;
use atalaya_assistance::calls::{EmbeddedEngine, LiveKitEngine, MediaEngine, Spool};
use atalaya_assistance::{Assistance, calls, tasks};
use atalaya_blobs::BlobName;
use atalaya_kernel::Sources;
use atalaya_rest::Problem;
use atalaya_sfu::{Engine, EngineConfig, EngineEvent};
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
            api_secret: secrets.media_api_secret.clone(),
            ice_servers: Vec::new(),
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

/// What runs beside the engine while the server does.
pub struct MediaTasks {
    assistance: Assistance,
    embedded: Option<(Engine, Receiver<EngineEvent>, UnboundedReceiver<BlobName>)>,
}

impl MediaTasks {
    /// Starts the tasks. Answers the engine's off switch, to be used after the last request.
    pub fn start(self, tasks: &TaskTracker, stop: CancellationToken) -> MediaStop {
        tasks.spawn(tasks::sweep(self.assistance.clone(), stop.clone()));
        tasks.spawn(tasks::watch_seats(self.assistance.clone(), stop));
        let Some((engine, events, finished)) = self.embedded else { return MediaStop(None) };
        // These end by themselves when the engine has stopped, so that everything it told is written.
        tasks.spawn(tasks::follow_engine(self.assistance.clone(), events));
        tasks.spawn(tasks::follow_spool(self.assistance, finished));
        MediaStop(Some(engine))
    }
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
