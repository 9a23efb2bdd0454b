//! Keys that change under a running server, and under two of them.

use super::{Command, Duration, Folder, Instant, Server, atalaya, output, password};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

const BOSS: &str = "cliente@demo.atalaya.example";
const ADMIN: &str = "admin@demo.atalaya.example";
const ANA: &str = "ana@demo.atalaya.example";
/// A second, on a machine that may be busy.
const SOON: Duration = Duration::from_secs(2);
const KINDS: [(&str, &str); 4] =
    [("session", "token_key"), ("media", "media_api_secret"), ("fields", "field_key"), ("files", "master_media_key")];

/// `atalaya keys`, over this database.
fn keys(folder: &Folder, set: &[&str], arguments: &[&str]) -> (bool, String) {
    output(&mut atalaya(folder, &[&["keys"][..], arguments, set].concat()))
}

fn secrets(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("data/secrets.toml")).unwrap()
}

/// A present key.
fn present(folder: &Folder, name: &str) -> String {
    let table: toml::Table = secrets(folder).parse().unwrap();
    table[name].as_str().unwrap().to_owned()
}

impl Server {
    fn status(&self, token: &str, path: &str) -> u16 {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let request = reqwest::Client::new().get(format!("{}{path}", self.url)).bearer_auth(token);
        runtime.block_on(async { request.send().await.unwrap().status().as_u16() })
    }

    /// Whether the media engine lets somebody in with this token.
    fn joins(&self, token: &str) -> u16 {
        self.get(&format!("/rtc/v1/validate?access_token={token}")).unwrap().0
    }
}

/// What lives while keys change.
struct Lives {
    session: String,
    media: String,
    /// The archive of a closed case.
    zip: String,
    bytes: Vec<u8>,
}

impl Lives {
    fn begin(server: &Server, accounts: &str) -> Self {
        let secret = password(accounts, BOSS);
        let session = server.token(BOSS, &secret);
        let list = server.call((BOSS, &secret), "POST", "/api/v1/conferences-autos-details/{parent}", json!({})).1;
        let rows = list["conferences"].as_array().unwrap();
        let row =
            rows.iter().find(|row| row["closed"] == true && row["files"].as_u64() > Some(0)).expect("a closed case with files");
        let id = row["_id"].as_str().unwrap();
        server.download(&session, &format!("/api/v1/print-cert/{id}"));
        let zip = format!("/uploads/{id}.zip");
        let opening = json!({"phoneNumber": "+34600123456", "expedientNumber": "EXP-1", "type": 2, "contactPerson": "Luis"});
        let (status, opened) = server.call((ANA, &password(accounts, ANA)), "POST", "/api/v1/getToken", opening);
        assert_eq!(status, 200, "{opened}");
        let bytes = server.download(&session, &zip);
        Self { session, media: opened["token"].as_str().unwrap().to_owned(), zip, bytes }
    }

    /// Nobody is logged out, no call ends, every file opens, at each of these servers.
    fn go_on(&self, servers: &[&Server], what: &str) {
        for server in servers {
            assert_eq!(server.status(&self.session, "/api/v1/me"), 200, "{what}");
            assert_eq!(server.joins(&self.media), 200, "{what}");
            // What happens to the case and to the evidence key is added to its archive.
            assert!(server.download(&self.session, &self.zip).len() >= self.bytes.len(), "{what}");
        }
    }
}

/// Each change is in the audit log, once, and the chain is whole.
fn told(folder: &Folder, set: &[&str], server: &Server, accounts: &str) {
    let boss = (ADMIN, password(accounts, ADMIN));
    let boss = (boss.0, boss.1.as_str());
    for (action, entries) in [("KEY_PREPARED", 4), ("KEY_ROTATED", 5), ("KEY_FORGOTTEN", 2), ("KEY_RESEALED", 0)] {
        let (status, found) = server.call(boss, "GET", &format!("/api/v1/audit?action={action}"), json!({}));
        assert_eq!((status, &found["total"]), (200, &json!(entries)), "{action}: {found}");
    }
    let (good, text) = output(&mut atalaya(folder, &[&["audit", "verify"][..], set].concat()));
    assert!(good && text.contains("last entry"), "{text}");
}

/// Changes every key while `servers` run, forgets the earlier ones, and answers what lived through it.
fn change_all(folder: &Folder, set: &[&str], servers: &[&Server], accounts: &str) -> Lives {
    let lives = Lives::begin(servers[0], accounts);

    // A dry run says what would be done, and does nothing.
    // How many rows there are may change meanwhile; the demo lives.
    let listed =
        || keys(folder, set, &["list"]).1.lines().map(|line| line.split(';').next().unwrap().to_owned()).collect::<Vec<_>>();
    let before = (secrets(folder), listed());
    for which in ["session", "media", "fields", "files", "evidence"] {
        let (good, text) = keys(folder, set, &["rotate", "--which", which, "--dry-run"]);
        assert!(good && text.contains("would be made") && text.contains("Nothing was changed"), "{text}");
    }
    assert_eq!((secrets(folder), listed()), before);

    for (which, name) in KINDS {
        let old = present(folder, name);
        let (good, text) = keys(folder, set, &["rotate", "--which", which]);
        assert!(good && text.contains("the new key is used"), "{text}");
        assert_ne!(present(folder, name), old);
        lives.go_on(servers, which);
        // Whoever comes in by one server is known at the other.
        let fresh = servers[servers.len() - 1].token(BOSS, &password(accounts, BOSS));
        assert_eq!(servers[0].status(&fresh, "/api/v1/me"), 200, "{which}");
    }
    let mode = std::fs::metadata(folder.path("data/secrets.toml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (good, text) = keys(folder, set, &["rotate", "--which", "evidence"]);
    assert!(good && text.contains("signs from now on"), "{text}");
    lives.go_on(servers, "evidence");

    let (good, text) = keys(folder, set, &["list"]);
    assert!(good && text.lines().filter(|line| line.contains("accepted since")).count() == 4, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("evidence: ")).count(), 2, "{text}");
    for which in ["fields", "files"] {
        let line = text.lines().find(|line| line.starts_with(which)).expect("a line");
        assert!(!line.contains("; 0 row(s)") && line.contains(", 0 under an earlier one, 0 under none"), "{line}");
    }

    // What nothing needs is forgotten, what somebody may need is not.
    for which in ["session", "media"] {
        let (good, text) = keys(folder, set, &["forget", "--which", which]);
        assert!(!good && text.contains("wait until"), "{text}");
    }
    for which in ["fields", "files"] {
        let (good, text) = keys(folder, set, &["forget", "--which", which]);
        assert!(good && text.contains("1 earlier key(s) forgotten"), "{text}");
    }
    lives.go_on(servers, "forgotten");
    told(folder, set, servers[0], accounts);
    lives
}

/// A stolen key is forgotten at once: every server refuses what it signed within a second.
fn stolen(folder: &Folder, set: &[&str], servers: &[&Server], lives: &Lives) {
    for which in ["session", "media"] {
        let (good, text) = keys(folder, set, &["forget", "--which", which, "--now"]);
        assert!(good && text.contains("1 earlier key(s) forgotten"), "{text}");
        let began = Instant::now();
        for server in servers {
            while (if which == "session" { server.status(&lives.session, "/api/v1/me") } else { server.joins(&lives.media) })
                != 401
            {
                assert!(began.elapsed() < SOON, "{which} at {}", server.url);
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

// KEYS-1, KEYS-2, KEYS-3, KEYS-4, KEYS-5
#[test]
fn keys_change_under_a_running_server_and_nobody_notices() {
    let folder = Folder::new("keys");
    let server = Server::start(&folder, &["--demo"]);
    let accounts = server.printed();
    std::fs::write(folder.path("first.pem"), server.get("/.well-known/atalaya-evidence.pem").unwrap().1).unwrap();
    let lives = change_all(&folder, &[], &[&server], &accounts);
    std::fs::write(folder.path("case.zip"), &lives.bytes).unwrap();
    let (good, text) = output(&mut atalaya(&folder, &["verify", "case.zip", "--key", "first.pem"]));
    assert!(good, "sealed before the change: {text}");
    let (good, text) = output(&mut atalaya(&folder, &["verify", "case.zip", "--online", &server.url]));
    assert!(good, "the page vouches for the key that is retired: {text}");
    stolen(&folder, &[], &[&server], &lives);
    server.stop();
    let server = Server::start(&folder, &[]);
    let session = server.token(BOSS, &password(&accounts, BOSS));
    assert!(server.download(&session, &lives.zip).len() >= lives.bytes.len(), "after a restart with the new keys alone");
    server.stop();
}

// KEYS-3, KEYS-4
#[test]
fn a_change_cut_short_is_taken_up_and_no_key_is_forgotten_that_a_row_needs() {
    let folder = Folder::new("keys-cut");
    let server = Server::start(&folder, &["--demo"]);
    let old = present(&folder, "field_key");
    let (good, text) = keys(&folder, &[], &["rotate", "--which", "fields", "--prepare"]);
    assert!(good && text.contains("Copy secrets.toml"), "{text}");
    assert_eq!(present(&folder, "field_key"), old, "made, accepted, not used");
    let made: toml::Table = secrets(&folder).parse().unwrap();
    let made = made["accepted"][0]["key"].as_str().unwrap().to_owned();
    let (good, text) = keys(&folder, &[], &["forget", "--which", "fields"]);
    assert!(good && text.contains("there is no earlier key"), "{text}");
    let (good, text) = keys(&folder, &[], &["rotate", "--which", "fields"]);
    assert!(good, "{text}");
    assert_eq!(present(&folder, "field_key"), made, "the one that was prepared");

    // As a node that was late leaves it, or a run that ended before its rows were sealed anew: they lie under another key.
    let swapped = secrets(&folder).replace(&made, "…").replace(&old, &made).replace('…', &old);
    let path = folder.path("data/secrets.toml");
    std::fs::write(&path, swapped).unwrap();
    for dry in [&["--dry-run"][..], &[]] {
        let (good, text) = keys(&folder, &[], &[&["forget", "--which", "fields"][..], dry].concat());
        assert!(!good && text.contains("lie under an earlier key"), "{text}");
    }
    let before = secrets(&folder);
    let (good, text) = keys(&folder, &[], &["reseal", "--which", "fields", "--dry-run"]);
    assert!(good && text.contains("would be sealed anew") && !text.contains(" 0 row(s)"), "{text}");
    let (good, text) = keys(&folder, &[], &["forget", "--which", "fields"]);
    assert!(!good, "nothing was changed: {text}");
    let (good, text) = keys(&folder, &[], &["reseal", "--which", "fields"]);
    assert!(good, "{text}");
    assert_eq!(secrets(&folder), before);
    let (good, text) = keys(&folder, &[], &["forget", "--which", "fields"]);
    assert!(good && text.contains("1 earlier key(s) forgotten"), "{text}");
    let (good, text) = keys(&folder, &[], &["reseal", "--which", "session"]);
    assert!(!good && text.contains("only signs"), "{text}");
    server.stop();
}

// KEYS-1, KEYS-3
#[test]
fn keys_change_under_two_nodes() {
    let Ok(postgres) = std::env::var("ATALAYA_TEST_POSTGRES_URL").or_else(|_| std::env::var("ATALAYA_TEST_POSTGRES")) else {
        return eprintln!("NOT TESTED: no PostgreSQL server is named");
    };
    let (base, _) = postgres.rsplit_once('/').unwrap();
    let name = format!("atalaya_keys_{}", std::process::id());
    let psql = |sql: String| {
        let (good, text) = output(Command::new("psql").args([postgres.as_str(), "-c", &sql]));
        assert!(good, "{text}");
    };
    psql(format!("CREATE DATABASE {name}"));
    let folder = Folder::new("keys-nodes");
    let database = format!("database_url={base}/{name}");
    let set = ["--set", database.as_str()];
    let one = Server::start(&folder, &[&["--demo"][..], &set].concat());
    let two = Server::start(&folder, &set);
    // A call is at the node where its media engine is, but a token is known at both.
    let lives = change_all(&folder, &set, &[&one, &two], &one.printed());
    stolen(&folder, &set, &[&one, &two], &lives);
    one.stop();
    two.stop();
    psql(format!("DROP DATABASE {name} WITH (FORCE)"));
}
