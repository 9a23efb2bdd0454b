//! The application under test.

use crate::databases::{self, TestDb};
use crate::{Client, PASSWORD, Person, SocketClient};
use atalaya_assistance::Assistance;
use atalaya_billing::Billing;
use atalaya_blobs::BlobStore;
use atalaya_content::Content;
use atalaya_db::{Db, Engine};
use atalaya_identity::{Identity, PasswordCost, PasswordHash};
use atalaya_integrations::Integrations;
use atalaya_kernel::Sources;
use atalaya_kernel::sources::{ManualClock, SeededEntropy};
use atalaya_messaging::{Dispatcher, Outbox};
use atalaya_outreach::Outreach;
use atalaya_privacy::Privacy;
use atalaya_records::Records;
use atalaya_server::app::{self, App, Parts};
use atalaya_server::assets::{Assets, PagePolicy};
use atalaya_server::config::{self, Config, Origins, Secrets};
use atalaya_server::keys::Rings;
use atalaya_server::media::Media;
use atalaya_server::serve;
use atalaya_server::sockets::SocketTasks;
use atalaya_sfu::{EngineConfig, RelayConfig};
use axum::Router;
use chrono::{DateTime, TimeDelta, Utc};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// When tests begin.
pub fn start() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-20T09:00:00Z").expect("a date").to_utc()
}

/// The application on a fresh database.
pub struct TestApp {
    pub router: Router,
    pub openapi: utoipa::openapi::OpenApi,
    pub identity: Identity,
    pub content: Content,
    /// Everything sent lies here, captured unless a test configures a provider.
    pub outbox: Outbox,
    /// Sends when a test asks it to.
    pub dispatcher: Dispatcher,
    pub outreach: Outreach,
    pub assistance: Assistance,
    pub records: Records,
    pub privacy: Privacy,
    pub integrations: Integrations,
    pub billing: Billing,
    pub db: Db,
    /// Time stands still until a test moves it.
    pub clock: Arc<ManualClock>,
    pub sources: Sources,
    /// As they were made; [`Self::keys`] can be given others.
    pub secrets: Secrets,
    pub keys: Rings,
    /// The embedded engine's.
    pub media_keys: atalaya_sfu::TokenKeys,
    pub engine: Engine,
    /// Stands in for a push service, the only one that this application knows besides the browsers'. Tests listen on it.
    pub push_service: std::net::TcpListener,
    counter: AtomicU32,
    password: OnceCell<PasswordHash>,
    /// Until the application listens.
    sockets: Mutex<Option<SocketTasks>>,
    address: OnceCell<SocketAddr>,
    stop: CancellationToken,
    /// Cancelled, it hears nothing any more; see [`TestApp::hear_changes`].
    pub hearing: CancellationToken,
    // Last: the database goes away after everything that uses it.
    database: TestDb,
}

impl TestApp {
    /// `None` for PostgreSQL when no server is named.
    pub async fn on(engine: Engine) -> Option<Self> {
        Self::configured(engine, |_| ()).await
    }

    /// The same with other settings than the defaults.
    pub async fn configured(engine: Engine, change: impl FnOnce(&mut Config)) -> Option<Self> {
        let database = databases::fresh(engine).await?;
        let clock = ManualClock::at(start());
        let sources = Sources::new(clock.clone(), SeededEntropy::new(42));
        let mut config = config::collect(&Origins::default()).expect("the defaults are valid");
        config.data_dir = database.folder.clone();
        let push_service = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        config.push.services = vec![format!("http://{}", push_service.local_addr().expect("bound"))];
        config.links.admin_mailbox = "admin@localhost".into();
        // Tests about other things run in years to come; those about this day name it themselves.
        config.billing.verifactu.binding_from = chrono::NaiveDate::MAX;
        change(&mut config);
        let stop = CancellationToken::new();
        let secrets = Secrets::generate(&sources);
        let engine_config = EngineConfig {
            udp_bind: ([127, 0, 0, 1], 0).into(),
            tcp_bind: None,
            announce: Vec::new(),
            api_key: secrets.media_api_key.clone(),
            api_secret: secrets.media_api_secret.present.clone(),
            relay: RelayConfig::BuiltIn { tls: None },
            empty_room_timeout: Duration::from_secs(300),
        };
        let spool = database.folder.join("spool");
        let media = Media::embedded(engine_config, &spool, &sources);
        let App {
            router,
            openapi,
            identity,
            content,
            outbox,
            dispatcher,
            outreach,
            assistance,
            records,
            privacy,
            integrations,
            billing,
            keys,
            media_keys,
            sockets,
            ..
        } = app::build(Parts {
            media: media.await.expect("the engine starts on any port"),
            secrets: secrets.clone(),
            db: database.db.clone(),
            blobs: BlobStore::in_memory(sources.clone()),
            providers: serve::providers(&config).expect("the providers of a test can be made"),
            password_cost: PasswordCost::Test,
            // The web app is not what these tests are about, and need not be built for them.
            assets: Some(Assets::from_folder(Path::new("no-such-folder"), &PagePolicy::default())),
            metrics: None,
            stop: stop.clone(),
            sources: sources.clone(),
            config,
        });
        atalaya_content::legal::service::seed(&content).await.expect("the legal texts are written");
        atalaya_content::prices::service::seed(&content).await.expect("the price table is written");
        let key = records.evidence_key.current();
        atalaya_cases::evidence_keys::service::register(&database.db, &sources, key.public())
            .await
            .expect("the key is published");
        Some(Self {
            router,
            openapi,
            identity,
            content,
            outbox,
            dispatcher,
            outreach,
            assistance,
            records,
            privacy,
            integrations,
            billing,
            db: database.db.clone(),
            clock,
            sources,
            secrets,
            keys,
            media_keys: media_keys.expect("the engine is embedded"),
            engine,
            push_service,
            counter: AtomicU32::new(1),
            password: OnceCell::new(),
            sockets: Mutex::new(Some(sockets)),
            address: OnceCell::new(),
            stop,
            hearing: CancellationToken::new(),
            database,
        })
    }

    /// Hears the changes of other nodes from now on, as a running server does. Without it nobody is kept on PostgreSQL, so
    /// that tests may write to tables behind the application's back.
    pub fn hear_changes(&self) {
        tokio::spawn(self.db.clone().listen(self.identity.node.0, self.hearing.clone()));
    }

    /// A browser without a session.
    pub fn anonymous(&self) -> Client {
        Client::new(self.router.clone(), None)
    }

    /// Opens a port and lets sockets in, once. Answers its address.
    pub async fn listen(&self) -> SocketAddr {
        *self.address.get_or_init(|| self.open_port()).await
    }

    async fn open_port(&self) -> SocketAddr {
        let sockets = self.sockets.lock().expect("nobody panics holding it").take().expect("the port is opened once");
        sockets.start(&TaskTracker::new(), &self.stop).await.expect("the sockets start");
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let service = self.router.clone().into_make_service_with_connect_info::<SocketAddr>();
        let stop = self.stop.clone();
        tokio::spawn(async move {
            axum::serve(listener, service).with_graceful_shutdown(async move { stop.cancelled().await }).await
        });
        address
    }

    /// A socket of whoever has this session, as his page opens it.
    ///
    /// Panics when it is refused; see [`SocketClient::connect`] for tests of that.
    pub async fn socket(&self, client: &Client) -> SocketClient {
        let token = client.token.as_deref().expect("logged in");
        SocketClient::connect(self.listen().await, token).await.expect("the socket is let in")
    }

    /// The same, registered: its user is online.
    pub async fn registered_socket(&self, person: &Person, client: &Client) -> SocketClient {
        let socket = self.socket(client).await;
        let body = serde_json::json!({"socketId": socket.sid()});
        client.post(&format!("/api/v1/socket-user/{}", person.id), body).await.ok();
        socket
    }

    /// Moves the clock.
    pub fn advance(&self, by: TimeDelta) {
        self.clock.advance(by);
    }

    /// The folder of everything this application writes to disk.
    pub fn folder(&self) -> &Path {
        &self.database.folder
    }

    /// A number that was not used before in this application.
    pub fn next(&self) -> u32 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    /// The hash of [`PASSWORD`].
    pub(crate) async fn password_hash(&self) -> PasswordHash {
        self.password.get_or_init(|| self.identity.passwords.hash(PASSWORD)).await.clone()
    }
}

impl TestApp {
    /// Closes its database. Rooms that know each other keep their handles for as long as the process lives, and a thousand
    /// applications would have more files open than one may.
    pub async fn close(self) {
        self.hearing.cancel();
        self.stop.cancel();
        let closing = self.db.clone().close();
        // A task that still has a connection keeps nobody waiting.
        tokio::time::timeout(std::time::Duration::from_secs(2), closing).await.ok();
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.hearing.cancel();
        self.stop.cancel();
    }
}
