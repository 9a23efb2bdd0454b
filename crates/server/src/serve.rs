//! `atalaya serve`: start, run, orderly stop.

use crate::admin::{self, MadeAccount};
use crate::app::{self, App, Parts};
use crate::config::{Config, Secrets, SmsConfig, WhatsappConfig};
use crate::head::Watched;
use crate::lock::DataLock;
use crate::media::Media;
use crate::{demo, evidence_key, health, keys, start, telemetry, tls};
use anyhow::{Context, Result};
use atalaya_billing::verifactu::Mode;
use atalaya_cases::evidence_keys::service;
use atalaya_content::legal::service as content_legal;
use atalaya_content::prices::service as prices;
use atalaya_db::{Db, Statements};
use atalaya_identity::PasswordCost;
use atalaya_kernel::Sources;
use atalaya_messaging::{Channel, HttpGateway, Provider, Providers, Smtp, Twilio, Waha};
use atalaya_sfu::TurnDoor;
use axum::Router;
use axum_server::Handle;
use axum_server::accept::DefaultAcceptor;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How often a connection that carries several requests is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);

/// Runs the server until it is told to stop.
///
/// Errors: anything that prevents the start, named; an orderly stop is no error.
pub async fn serve(mut config: Config, demo: bool) -> Result<()> {
    // Nobody real has an account of a demo, and its flows go on with the links of the outbox.
    config.outbox_open = config.outbox_open.or(demo.then_some(true));
    if demo {
        let sending = config.billing.verifactu.mode == Mode::Production;
        anyhow::ensure!(
            !sending,
            "--demo and ATALAYA_VERIFACTU_MODE=production exclude each other: made-up invoices are not reported"
        );
        config.billing.verifactu.trial = true;
    }
    start::data_dir(&config)?;
    let lock = config.sqlite_file().map(|file| DataLock::take(&file)).transpose()?;
    let sources = Sources::system();
    let secrets = Secrets::load_or_create(&config, &sources)?;
    if keys::examine(&config, &secrets).await?.is_some_and(|token| !token.holds) {
        tracing::warn!("the master key of files is in secrets.toml: `atalaya keys rotate --which files` makes one in the token");
    }
    let db = start::database(&config).await?;
    evidence_key::settle(&config.data_dir, &db).await?;
    atalaya_ledger::begin(&db, &sources).await.context("beginning the chain of the audit log")?;
    service::register(&db, &sources, secrets.evidence_key.current().public()).await.context("publishing the evidence key")?;
    let stop = CancellationToken::new();
    let metrics = metrics(&config, db.statements(), &stop).await?;
    let listener = bind(config.listen)?;
    let blobs = start::storage(&config, &sources)?;
    // Without the lock another node may be writing.
    if lock.is_some() {
        match blobs.remove_unfinished().await {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "files that the last run had not finished are removed"),
            Err(error) => tracing::warn!(%error, "what the last run left in the storage cannot be removed"),
        }
    }
    let app = app::build(Parts {
        blobs,
        media: Media::start(&config, &secrets, &sources).await?,
        providers: providers(&config)?,
        config: config.clone(),
        secrets: secrets.clone(),
        sources,
        db: db.clone(),
        password_cost: PasswordCost::Standard,
        assets: None,
        metrics,
        stop: stop.clone(),
    });
    let accounts = first_data(&config, &app, demo).await?;
    let (rings, media_keys) = (app.keys.clone(), app.media_keys.clone());
    tokio::spawn(keys::follow(config.clone(), secrets, rings, media_keys, stop.clone()));
    run(&config, app, listener, db, stop, &Accounts { demo, list: accounts }).await
}

/// Opens the port before anything slow happens, so that a busy one is told at once.
fn bind(address: SocketAddr) -> Result<TcpListener> {
    let listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address} (ATALAYA_LISTEN)"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// The carriers of messages that are configured.
///
/// Errors: settings that a carrier cannot be made of, by name and without their values.
pub fn providers(config: &Config) -> Result<Providers> {
    let mut providers = Providers::none();
    if let Some(url) = &config.messaging.smtp_url {
        let smtp = Smtp::new(url, &config.messaging.mail_from).context("ATALAYA_SMTP_URL or ATALAYA_MAIL_FROM")?;
        providers = providers.with(Channel::Email, Arc::new(smtp));
    }
    let sms: Option<Arc<dyn Provider>> = match config.messaging.sms.clone() {
        None => None,
        Some(SmsConfig::Twilio { url, sender }) => {
            Some(Arc::new(Twilio::new(&url, &config.public_url, sender).context("ATALAYA_SMS_URL")?))
        }
        Some(SmsConfig::Http(options)) => Some(Arc::new(HttpGateway::new(options).context("the SMS gateway (ATALAYA_SMS_…)")?)),
    };
    if let Some(sms) = sms {
        providers = providers.with(Channel::Sms, sms);
    }
    if let Some(WhatsappConfig { url, key, receipt_secret }) = config.messaging.whatsapp.clone() {
        providers = providers.with_whatsapp(Arc::new(Waha::new(&url, key, receipt_secret).context("ATALAYA_WHATSAPP_URL")?));
    }
    Ok(providers)
}

/// Starts metrics when asked for. Answers the handle when they belong on the main address.
async fn metrics(config: &Config, statements: &Statements, stop: &CancellationToken) -> Result<Option<PrometheusHandle>> {
    if !config.metrics.enabled && config.metrics.listen.is_none() {
        return Ok(None);
    }
    let handle = telemetry::start_metrics()?;
    let Some(address) = config.metrics.listen else { return Ok(Some(handle)) };
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address} (ATALAYA_METRICS_LISTEN)"))?;
    let (router, stop) = (health::metrics_routes(handle, statements.clone()), stop.clone());
    tokio::spawn(async move {
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move { stop.cancelled().await });
        if let Err(error) = serving.await {
            tracing::error!(%error, "the metrics address stopped");
        }
    });
    Ok(None)
}

/// Legal texts, the first administrator, demo data.
async fn first_data(config: &Config, app: &App, demo: bool) -> Result<Vec<MadeAccount>> {
    content_legal::seed(&app.content).await.context("the legal texts")?;
    prices::seed(&app.content).await.context("the price table")?;
    atalaya_privacy::tasks::recover(&app.privacy).await.context("what the last run left open")?;
    atalaya_billing::recover(&app.billing).await.context("what the last run left half done")?;
    if demo {
        if let Some(accounts) = demo::prepare(config, app).await? {
            return Ok(accounts);
        }
        tracing::warn!("--demo adds nothing: the database holds other data");
    }
    Ok(admin::first(config, &app.identity).await?.into_iter().collect())
}

async fn run(
    config: &Config,
    app: App,
    listener: TcpListener,
    db: Db,
    stop: CancellationToken,
    accounts: &Accounts,
) -> Result<()> {
    let tasks = TaskTracker::new();
    tasks.spawn(db.clone().listen(app.identity.node.0, stop.clone()));
    tasks.spawn(app.dispatcher.run(stop.clone()));
    tasks.spawn(app.worker.run(stop.clone()));
    tasks.spawn(app.push_worker.run(stop.clone()));
    for worker in app.webhook_workers {
        tasks.spawn(worker.run(stop.clone()));
    }
    tasks.spawn(app.billing_worker.run(stop.clone()));
    if let Some(worker) = app.records_worker {
        tasks.spawn(worker.run(stop.clone()));
    }
    let turn = app.media.turn_door();
    let media = app.media.start(&tasks, stop.clone());
    app.sockets.start(&tasks, &stop).await.context("the sockets")?;
    tasks.close();

    let handle = Handle::new();
    let mut serving = Box::pin(listen(config, app.router, listener, handle.clone(), turn));
    print_banner(config, &db, accounts);
    let mut signals = Signals::new()?;
    tokio::select! {
        outcome = &mut serving => return outcome.context("the web server stopped"),
        () = signals.next() => {}
    }

    tracing::info!("stopping: no new connections, calls are told, running work finishes");
    app.health.stop();
    stop.cancel();
    handle.graceful_shutdown(Some(config.shutdown_timeout));
    let orderly = async {
        media.stop().await;
        let _ = serving.await;
        tasks.wait().await;
    };
    tokio::select! {
        outcome = tokio::time::timeout(config.shutdown_timeout + Duration::from_secs(1), orderly) => match outcome {
            Ok(()) => tracing::info!("stopped"),
            Err(_) => tracing::warn!("stopped with work unfinished: the time allowed for stopping was over"),
        },
        () = signals.next() => tracing::warn!("stopped at once: a second signal came"),
    }
    // Waits for running queries only; whatever still holds a connection loses it.
    let _ = tokio::time::timeout(Duration::from_secs(2), db.close()).await;
    Ok(())
}

async fn listen(
    config: &Config,
    router: Router,
    listener: TcpListener,
    handle: Handle<SocketAddr>,
    turn: Option<TurnDoor>,
) -> Result<()> {
    let tls = tls::configure(config).await?.map(|rustls| (rustls, turn));
    Ok(answer(router, listener, tls, config.guards.head, handle).await?)
}

/// Answers connections until the handle stops it. A connection gets `head` for each request's head (EDGE-6). Inside TLS,
/// those that speak TURN go through the door beside it (TURN-1).
pub async fn answer(
    router: Router,
    listener: TcpListener,
    tls: Option<(RustlsConfig, Option<TurnDoor>)>,
    head: Duration,
    handle: Handle<SocketAddr>,
) -> std::io::Result<()> {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let server = axum_server::from_tcp(listener)?.handle(handle);
    match tls {
        Some((rustls, turn)) => {
            let mut server = server.acceptor(Watched::new(RustlsAcceptor::new(rustls).handshake_timeout(head), head, turn));
            limit(server.http_builder(), head);
            server.serve(service).await
        }
        None => {
            let mut server = server.acceptor(Watched::new(DefaultAcceptor::new(), head, None));
            limit(server.http_builder(), head);
            server.serve(service).await
        }
    }
}

fn limit(builder: &mut Builder<TokioExecutor>, head: Duration) {
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(PING).keep_alive_timeout(head);
}

/// Accounts to be shown at the start.
struct Accounts {
    demo: bool,
    list: Vec<MadeAccount>,
}

/// SIGTERM and Ctrl-C.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// What the person at the terminal needs; everything else is logged.
fn print_banner(config: &Config, db: &Db, accounts: &Accounts) {
    use std::fmt::Write as _;
    let mut text = format!("\nAtalaya {} is ready: {}\n", env!("CARGO_PKG_VERSION"), config.public_url);
    let _ = writeln!(text, "  data      {} ({})", config.data_dir.display(), start::describe(config, db));
    let media = match &config.media.livekit {
        Some(livekit) => format!("LiveKit server {}", livekit.url),
        None => format!("embedded engine, UDP port {}, TCP port {}", config.media.udp_port, config.media.tcp_port),
    };
    let _ = writeln!(text, "  media     {media}");
    let carried = [config.messaging.smtp_url.is_some(), config.messaging.sms.is_some()];
    if carried != [true, true] {
        let held = match carried {
            [true, false] => "SMS are held in the outbox (no gateway is configured)",
            [false, true] => "e-mails are held in the outbox (no mail server is configured)",
            _ => "held in the outbox (no provider is configured)",
        };
        let _ = writeln!(text, "  messages  {held}");
    }
    if !accounts.list.is_empty() {
        let hint = if accounts.demo { "user name and password" } else { "the password is shown only now" };
        let _ = writeln!(text, "  accounts  ({hint})");
    }
    for account in &accounts.list {
        let _ = writeln!(text, "    {:<42} {}   {}", account.user_name, account.password, account.role);
    }
    println!("{text}");
}
