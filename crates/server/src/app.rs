//! Everything built once and put together: the router, its background workers and their health.

use crate::about::{self, About};
use crate::assets::{Assets, PagePolicy};
use crate::client_pages::{self, ClientPages};
use crate::compression;
use crate::config::{Config, MapTiles, Secrets};
use crate::health::{self, Health};
use crate::keys::{self, Rings};
use crate::media::{Media, MediaTasks};
use crate::outbox::{self, OutboxRoom};
use crate::reads::{self, Owners};
use crate::schedule::{
    AdvanceFileRequests, AdvanceVideoCallRequests, ExpireFiscalDocuments, ExpireMedia, RemindOfAppointments, ReplaceLate,
    SweepSessions,
};
use crate::setup::{self, Setup};
use crate::sockets::{SocketTasks, Sockets};
use crate::{backup, start, telemetry};
use atalaya_assistance::Assistance;
use atalaya_assistance::media_items::Unseen;
use atalaya_assistance::places::Geocoder;
use atalaya_assistance::video_call_requests::StarterRequests;
use atalaya_billing::Billing;
use atalaya_blobs::BlobStore;
use atalaya_cases::Cases;
use atalaya_content::Content;
use atalaya_db::Db;
use atalaya_fiscal::Fiscal;
use atalaya_identity::{Identity, PasswordCost, auth};
use atalaya_integrations::Integrations;
use atalaya_integrations::webhooks::Queue;
use atalaya_integrations::webhooks::{DeliverWebhooks, TidyWebhooks};
use atalaya_jobs::{Jobs, Worker};
use atalaya_kernel::{Hook, Sources};
use atalaya_messaging::{Dispatcher, Outbox, Providers};
use atalaya_outreach::Outreach;
use atalaya_outreach::campaigns::SendCampaigns;
use atalaya_outreach::marketing::TidyMarketing;
use atalaya_outreach::notifications::{AnnounceGeneral, TidyNotifications};
use atalaya_outreach::push::{CleanUpPush, DeliverPush};
use atalaya_outreach::sms_texts::TellCeiling;
use atalaya_privacy::Privacy;
use atalaya_records::Records;
use atalaya_records::certificates::stamping::StampSeals;
use atalaya_records::evidence_days::jobs::CloseDays;
use atalaya_rest::address::TrustedProxies;
use atalaya_rest::edge::Edge;
use atalaya_rest::headers::HeaderOptions;
use atalaya_rest::{JSON_LIMIT_BYTES, openapi, routing};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use futures::StreamExt;
use metrics_exporter_prometheus::PrometheusHandle;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;

/// What the outside gives: a running server opens it from the configuration, a test makes it by hand.
pub struct Parts {
    pub config: Config,
    pub secrets: Secrets,
    pub sources: Sources,
    /// Migrated.
    pub db: Db,
    pub blobs: BlobStore,
    pub media: Media,
    pub providers: Providers,
    pub password_cost: PasswordCost,
    /// `None` loads the embedded files.
    pub assets: Option<Assets>,
    /// Set: `GET /metrics` answers on the main address.
    pub metrics: Option<PrometheusHandle>,
    /// Cancelled when the process is asked to stop.
    pub stop: CancellationToken,
}

/// The finished application.
pub struct App {
    /// Ready to be served; needs `ConnectInfo<SocketAddr>`.
    pub router: Router,
    pub openapi: utoipa::openapi::OpenApi,
    pub health: Health,
    pub identity: Identity,
    pub content: Content,
    pub outbox: Outbox,
    pub jobs: Jobs,
    pub worker: Worker,
    /// Sends pushes, beside the other work: a push service that hangs holds nothing else up.
    pub push_worker: Worker,
    /// Sends webhooks, beside the other work: a customer's program that hangs holds nothing of ours up. Two, so that it
    /// does not hold another customer's up either.
    pub webhook_workers: [Worker; 2],
    /// Billing's runs are long; they do not stand in anybody's way.
    pub billing_worker: Worker,
    /// Sends records to the tax office, beside billing's runs; `None` while nothing is sent.
    pub records_worker: Option<Worker>,
    pub dispatcher: Dispatcher,
    pub outreach: Outreach,
    pub assistance: Assistance,
    pub records: Records,
    pub privacy: Privacy,
    pub integrations: Integrations,
    pub billing: Billing,
    pub media: MediaTasks,
    /// To be replaced while the server runs.
    pub keys: Rings,
    /// The embedded engine's; `None` with LiveKit.
    pub media_keys: Option<atalaya_sfu::TokenKeys>,
    pub sockets: SocketTasks,
}

/// Builds the application. Opens no port and starts no task.
pub fn build(parts: Parts) -> App {
    let Parts { config, secrets, sources, db, blobs, media, providers, password_cost, assets, metrics, stop } = parts;
    let keys = Rings::new(&secrets);
    let media_keys = media.token_keys();
    if let Some(media) = &media_keys {
        keys::replace_media(media, &secrets);
    }
    let outbox = start::outbox(&keys, &sources, providers).with_ceiling(config.sms_ceiling);
    let outbox = outbox.with_conference_ceiling(config.conference_messages);
    let sockets = Sockets::new(&db);
    let mut identity = start::identity(&config, &keys, &sources, &db, outbox.clone(), password_cost);
    identity.announcer = sockets.announcer();
    let content = identity.content.clone();
    let jobs = Jobs::new(sources.clone());
    let health = Health::of(&db, &blobs, &media.engine);
    let outreach = Outreach::new(atalaya_outreach::Parts {
        db: db.clone(),
        sources: sources.clone(),
        identity: identity.clone(),
        content: content.clone(),
        jobs: jobs.clone(),
        announcer: sockets.announcer(),
        marketing: start::marketing(&config),
        push_gateway: start::push_gateway(&config, &secrets, &sources),
        open_requests: Arc::new(StarterRequests { db: db.clone(), sources: sources.clone() }),
    });
    let cases = Cases::new(atalaya_cases::Parts {
        db: db.clone(),
        sources: sources.clone(),
        identity: identity.clone(),
        outbox: outbox.clone(),
        templates: identity.templates.clone(),
        master: keys.files.clone(),
        evidence_key: secrets.evidence_key.clone(),
        public_url: config.public_url.clone(),
        observers: vec![Arc::new(Queue)],
        unseen: Arc::new(Unseen(db.clone())),
    });
    let assistance = Assistance::new(atalaya_assistance::Parts {
        cases: cases.clone(),
        outreach: outreach.clone(),
        content: content.clone(),
        blobs: blobs.clone(),
        spool: backup::spool(&config),
        engine: media.engine.clone(),
        keys: media.keys.clone(),
        geocoder: config.geocoder_url.clone().map(|url| Arc::new(Geocoder::new(url))),
    });
    let records = Records::new(atalaya_records::Parts {
        assistance: assistance.clone(),
        observers: vec![Arc::new(Queue)],
        day_observers: vec![Arc::new(Queue)],
    });
    let privacy = Privacy { records: records.clone(), erasures: backup::erasures(&config) };
    let integrations = Integrations::new(records.clone(), config.webhooks_inside);
    let fiscal = Fiscal::new(atalaya_fiscal::Parts {
        db: db.clone(),
        sources: sources.clone(),
        identity: identity.clone(),
        outreach: outreach.clone(),
        blobs: blobs.clone(),
        master: keys.files.clone(),
        tax_id_watch: Hook::default(),
        vies: Hook::default(),
    });
    if let Some(url) = &config.vies_url {
        fiscal.vies.set(Arc::new(atalaya_fiscal::Vies::new(url.as_str())));
    }
    let billing = Billing::new(atalaya_billing::Parts {
        db: db.clone(),
        sources: sources.clone(),
        identity: identity.clone(),
        content: content.clone(),
        outreach: outreach.clone(),
        fiscal: fiscal.clone(),
        cases: cases.clone(),
        jobs: jobs.clone(),
        outbox: outbox.clone(),
        templates: identity.templates.clone(),
        blobs,
        master: keys.files.clone(),
        settings: config.billing.clone(),
        public_url: config.public_url.clone(),
    });
    identity.marketing_tokens.set(Arc::new(atalaya_outreach::marketing::Tokens(outreach.clone())));
    identity.more_records.set(Arc::new(atalaya_outreach::AccountRecords(outreach.clone())));
    identity.fiscal_desk.set(Arc::new(atalaya_fiscal::Desk(fiscal.clone())));
    fiscal.tax_id_watch.set(atalaya_billing::mandates::service::tax_id_watcher());
    identity.account_watch.set(atalaya_billing::mandates::service::account_watcher());
    let (doors, media) = media.wire(&assistance);

    let (socket_doors, sockets) = sockets.wire(&identity, &config.public_url, &stop);
    let connect = connect_sources(&config);
    let about = About::new(&config, identity.clone());
    let (api, openapi) = OpenApiRouter::with_openapi(openapi::base())
        .merge(atalaya_content::routes(content.clone()))
        .merge(atalaya_identity::routes(identity.clone()))
        .merge(atalaya_outreach::routes(outreach.clone()))
        .merge(atalaya_cases::routes(cases.clone()))
        .merge(atalaya_assistance::routes(assistance.clone()))
        .merge(atalaya_client_files::routes(assistance.clone()))
        .merge(atalaya_records::routes(records.clone()))
        .merge(atalaya_privacy::routes(privacy.clone()))
        .merge(atalaya_integrations::routes(integrations.clone()))
        .merge(atalaya_fiscal::routes(fiscal.clone()))
        .merge(atalaya_billing::routes(billing.clone()))
        .merge(atalaya_bank_files::routes(billing.clone()))
        .merge(outbox::routes(OutboxRoom {
            db: db.clone(),
            outbox: outbox.clone(),
            identity: identity.clone(),
            open: config.shows_outbox(),
        }))
        .merge(about::routes(about.clone()))
        .merge(setup::routes(Setup::new(&config, &identity)))
        .split_for_parts();
    about.describe(&openapi);
    let images = config.links.map.iter().map(MapTiles::origin).collect();
    let assets = assets.unwrap_or_else(|| Assets::load(&PagePolicy { connect: connect.clone(), images }));
    let pages = ClientPages { assets, assistance: assistance.clone(), templates: identity.templates.clone() };
    let mut router = api
        .layer(from_fn_with_state(Owners { records: records.clone(), billing: billing.clone() }, reads::note))
        .layer(from_fn_with_state(identity.clone(), auth::authenticate))
        .layer(compression::of_calls())
        .merge(doors)
        .merge(socket_doors)
        .merge(health::routes(health.clone()))
        .method_not_allowed_fallback(routing::wrong_method)
        .fallback_service(Router::new().fallback(client_pages::serve).with_state(pages).layer(client_pages::compression()));
    if let Some(handle) = metrics {
        router = router.merge(health::metrics_routes(handle, db.statements().clone()));
    }
    let router = router
        .layer(from_fn(telemetry::count_requests))
        .layer(from_fn_with_state(stop, end_streams))
        .layer(DefaultBodyLimit::max(JSON_LIMIT_BYTES));
    let edge = Edge {
        sources: sources.clone(),
        headers: HeaderOptions { tls: config.public_url.starts_with("https://"), preload: config.hsts_preload, connect },
        trusted_proxies: TrustedProxies::new(&config.trusted_proxies),
        pace: config.guards.pace,
        uploads: config.guards.uploads,
    };
    App {
        router: edge.wrap(router),
        openapi,
        health,
        billing_worker: billing_worker(&billing, Worker::new(db.clone(), jobs.clone())),
        records_worker: atalaya_billing::records_worker(&billing, Worker::new(db.clone(), jobs.clone())),
        webhook_workers: [(); 2].map(|()| {
            let worker = Worker::new(db.clone(), jobs.clone());
            worker.handle(DeliverWebhooks::KIND, Arc::new(DeliverWebhooks(integrations.clone())))
        }),
        push_worker: Worker::new(db.clone(), jobs.clone()).handle(DeliverPush::KIND, Arc::new(DeliverPush(outreach.clone()))),
        worker: worker(&db, &jobs, (&identity, &outreach, &integrations, &fiscal, &privacy), &config),
        identity,
        content,
        dispatcher: Dispatcher::new(db, outbox.clone()).observe(Arc::new(cases)),
        outreach,
        assistance,
        records,
        privacy,
        integrations,
        billing,
        media,
        keys,
        media_keys,
        sockets,
        outbox,
        jobs,
    }
}

/// Billing's runs and the daily deadlines of debits.
fn billing_worker(billing: &Billing, worker: Worker) -> Worker {
    atalaya_bank_files::worker(billing, atalaya_billing::worker(billing, worker))
}

/// Periods of work that comes back by itself, if there is any.
const OFTEN: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);

/// Work that comes back by itself.
fn worker(
    db: &Db,
    jobs: &Jobs,
    (identity, outreach, integrations, fiscal, privacy): (&Identity, &Outreach, &Integrations, &Fiscal, &Privacy),
    config: &Config,
) -> Worker {
    let records = &integrations.records;
    let assistance = &records.assistance;
    let hourly = |worker: Worker, kind| worker.every(kind, Duration::from_secs(3600), serde_json::Value::Null);
    let mut worker = Worker::new(db.clone(), jobs.clone());
    worker = hourly(worker.handle(SweepSessions::KIND, Arc::new(SweepSessions(identity.clone()))), SweepSessions::KIND);
    let clean_up_push = Arc::new(CleanUpPush(outreach.clone()));
    worker = worker.handle(CleanUpPush::KIND, clean_up_push.clone()).every_when(CleanUpPush::KIND, MINUTE, clean_up_push);
    worker = hourly(worker.handle(ExpireMedia::KIND, Arc::new(ExpireMedia(privacy.clone()))), ExpireMedia::KIND);
    let documents = Arc::new(ExpireFiscalDocuments(fiscal.clone()));
    worker = hourly(worker.handle(ExpireFiscalDocuments::KIND, documents), ExpireFiscalDocuments::KIND);
    let campaigns = Arc::new(SendCampaigns(outreach.clone()));
    worker = worker.handle(SendCampaigns::KIND, campaigns.clone()).every_when(SendCampaigns::KIND, OFTEN, campaigns);
    let tidying = Arc::new(TidyNotifications(outreach.clone()));
    worker = hourly(worker.handle(TidyNotifications::KIND, tidying), TidyNotifications::KIND);
    worker = hourly(worker.handle(TidyMarketing::KIND, Arc::new(TidyMarketing(outreach.clone()))), TidyMarketing::KIND);
    worker = hourly(worker.handle(TidyWebhooks::KIND, Arc::new(TidyWebhooks(integrations.clone()))), TidyWebhooks::KIND);
    worker = worker.handle(TellCeiling::KIND, Arc::new(TellCeiling(outreach.clone())));
    worker = worker.handle(ReplaceLate::KIND, Arc::new(ReplaceLate(assistance.cases.clone())));
    let reminding = Arc::new(RemindOfAppointments(assistance.cases.clone()));
    worker =
        worker.handle(RemindOfAppointments::KIND, reminding.clone()).every_when(RemindOfAppointments::KIND, OFTEN, reminding);
    worker = worker.handle(AnnounceGeneral::KIND, Arc::new(AnnounceGeneral(outreach.clone())));
    let closing = CloseDays { deps: records.clone(), authority: config.timestamp.clone() };
    worker = hourly(worker.handle(CloseDays::KIND, Arc::new(closing)), CloseDays::KIND);
    if let Some(authority) = config.timestamp.clone() {
        let stamping = StampSeals { deps: records.clone(), authority };
        worker = hourly(worker.handle(StampSeals::KIND, Arc::new(stamping)), StampSeals::KIND);
    }
    let calls = Arc::new(AdvanceVideoCallRequests(assistance.clone()));
    worker =
        worker.handle(AdvanceVideoCallRequests::KIND, calls.clone()).every_when(AdvanceVideoCallRequests::KIND, OFTEN, calls);
    let files = Arc::new(AdvanceFileRequests(assistance.clone()));
    worker.handle(AdvanceFileRequests::KIND, files.clone()).every_when(AdvanceFileRequests::KIND, MINUTE, files)
}

/// Origins besides `'self'` that pages connect to: our own websocket origin (not every browser counts it as `'self'`)
/// and the LiveKit server.
fn connect_sources(config: &Config) -> Vec<String> {
    let websocket = |url: &str| {
        let origin: String = url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        origin.replacen("http", "ws", 1)
    };
    let mut origins = vec![websocket(&config.public_url)];
    if let Some(livekit) = &config.media.livekit {
        let ws = websocket(&livekit.url);
        origins.push(ws.replacen("ws", "http", 1));
        origins.push(ws);
    }
    origins
}

/// Middleware: an event stream ends when the process is asked to stop, so that it does not hold the stop up.
async fn end_streams(State(stop): State<CancellationToken>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.headers().get(header::CONTENT_TYPE) != Some(&HeaderValue::from_static("text/event-stream")) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let stream = body.into_data_stream().take_until(async move { stop.cancelled().await });
    Response::from_parts(parts, Body::from_stream(stream))
}

/// The API description as JSON. Built over an empty database in memory, so that no server is needed.
pub fn openapi_json() -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    let app = runtime.block_on(async {
        let sources = Sources::system();
        let config = crate::config::collect(&crate::config::Origins::default()).expect("the defaults are valid");
        let options = atalaya_db::DbOptions::new("sqlite::memory:");
        build(Parts {
            secrets: Secrets::generate(&sources),
            db: Db::connect(options).await.expect("a database in memory can be opened"),
            blobs: BlobStore::in_memory(sources.clone()),
            media: Media::absent(),
            providers: Providers::none(),
            password_cost: PasswordCost::Test,
            assets: None,
            metrics: None,
            stop: CancellationToken::new(),
            config,
            sources,
        })
    });
    app.openapi.to_pretty_json().expect("a description is plain data") + "\n"
}
