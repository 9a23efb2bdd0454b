//! The engine alone, for the browser suite and for trying things out. Settings come from the environment:
//! `ATALAYA_LISTEN` (HTTP address), `ATALAYA_MEDIA_UDP_PORT`, `ATALAYA_MEDIA_ANNOUNCE_IP` (comma-separated, optional),
//! `ATALAYA_MEDIA_API_KEY`, `ATALAYA_MEDIA_API_SECRET`, `ATALAYA_MEDIA_TCP=0` to go without ICE-TCP,
//! `ATALAYA_EMPTY_ROOM_S`, `ATALAYA_RECORDINGS` (a folder).
//!
//! Beside the engine's own routes: `GET /healthz`, and `POST /recording/{room}/{start|pause|resume|stop}`.

use atalaya_sfu::{Engine, EngineConfig, RecordingFile, RecordingSink, RecordingWriter, RelayConfig};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

struct Folder(PathBuf);

struct PlainFile(std::fs::File);

impl RecordingSink for Folder {
    fn open(&self, file: RecordingFile) -> io::Result<Box<dyn RecordingWriter>> {
        std::fs::create_dir_all(&self.0)?;
        let safe = |s: &str| s.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let name = format!("{}-{}-{:?}.webm", safe(&file.recording_id), safe(&file.identity), file.source);
        Ok(Box::new(PlainFile(std::fs::File::create(self.0.join(name))?)))
    }
}

impl RecordingWriter for PlainFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.sync_all()
    }
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

async fn recording(State(engine): State<Engine>, Path((room, action)): Path<(String, String)>) -> (StatusCode, String) {
    let done = match action.as_str() {
        "start" => engine.start_recording(&room, &format!("rec-{room}")).await,
        "pause" => engine.pause_recording(&room).await,
        "resume" => engine.resume_recording(&room).await,
        "stop" => engine.stop_recording(&room).await,
        _ => return (StatusCode::NOT_FOUND, String::new()),
    };
    match done {
        Ok(()) => (StatusCode::OK, "ok".into()),
        Err(e) => (StatusCode::CONFLICT, e.code().into()),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let filter = tracing_subscriber::EnvFilter::from_default_env();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(false).init();
    let listen = setting("ATALAYA_LISTEN").unwrap_or("127.0.0.1:8190".into());
    let port = setting("ATALAYA_MEDIA_UDP_PORT").unwrap_or("7900".into()).parse::<u16>()?;
    let announce = setting("ATALAYA_MEDIA_ANNOUNCE_IP").unwrap_or_default();
    let tcp = setting("ATALAYA_MEDIA_TCP").as_deref() != Some("0");
    let config = EngineConfig {
        udp_bind: ([0, 0, 0, 0], port).into(),
        tcp_bind: tcp.then_some(([0, 0, 0, 0], port).into()),
        announce: announce.split(',').filter_map(|a| a.trim().parse().ok()).collect(),
        api_key: setting("ATALAYA_MEDIA_API_KEY").unwrap_or("devkey".into()),
        api_secret: setting("ATALAYA_MEDIA_API_SECRET").unwrap_or("devsecret-devsecret-devsecret-00".into()).into(),
        relay: RelayConfig::BuiltIn { tls: None },
        empty_room_timeout: Duration::from_secs(setting("ATALAYA_EMPTY_ROOM_S").and_then(|s| s.parse().ok()).unwrap_or(20)),
    };
    let folder = setting("ATALAYA_RECORDINGS").unwrap_or("/tmp/atalaya-recordings".into());
    let (engine, mut events) = Engine::start(config, Arc::new(Folder(folder.into()))).await?;
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            eprintln!("{event:?}");
        }
    });
    let control = axum::Router::new()
        .route("/recording/{room}/{action}", post(recording))
        .with_state(engine.clone())
        .route("/healthz", get(async || "ok"));
    let listener = tokio::net::TcpListener::bind(&listen).await?;
    eprintln!("listening on http://{listen}, media port {}", engine.media_port());
    let served = axum::serve(listener, engine.router().merge(control));
    tokio::select! {
        result = served.into_future() => result?,
        _ = tokio::signal::ctrl_c() => {}
    }
    engine.shutdown().await;
    Ok(())
}
