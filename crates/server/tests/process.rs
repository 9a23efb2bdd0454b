//! The binary as an operator meets it: start, refusals, stop, backup and restore.

use std::io::Write;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

#[path = "process/evidence.rs"]
mod evidence;
#[path = "process/keys.rs"]
mod keys;
#[path = "process/nodes.rs"]
mod nodes;
#[path = "process/outage.rs"]
mod outage;
#[path = "process/privacy.rs"]
mod privacy;
#[path = "process/token.rs"]
mod token;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("atalaya-process-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn atalaya(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atalaya"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATALAYA_")) {
        command.env_remove(name);
    }
    command.current_dir(&folder.0).args(arguments).stdin(Stdio::null());
    command
}

fn output(command: &mut Command) -> (bool, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.success(), text)
}

/// A port for the web and one for media. The media port is taken from below the kernel's range for outgoing
/// connections and is free for UDP and TCP: another test's connection could hold a number that only UDP was asked for.
fn free_ports() -> (u16, u16) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let web = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let media = (0..1000)
        .map(|_| 20_000 + (std::process::id() + NEXT.fetch_add(1, Ordering::Relaxed)) % 12_000)
        .map(|port| u16::try_from(port).unwrap())
        .find(|port| UdpSocket::bind(("0.0.0.0", *port)).is_ok() && TcpListener::bind(("0.0.0.0", *port)).is_ok());
    (web, media.expect("a free port for media"))
}

/// A running server, killed when dropped.
struct Server {
    child: Child,
    url: String,
    log: PathBuf,
}

impl Server {
    fn start(folder: &Folder, more: &[&str]) -> Self {
        Self::start_in(folder, more, &[])
    }

    /// The same with these variables in its environment.
    fn start_in(folder: &Folder, more: &[&str], environment: &[(&str, &Path)]) -> Self {
        let (web, media) = free_ports();
        let log = folder.path(&format!("out-{web}.log"));
        let out = std::fs::File::create(&log).unwrap();
        let listen = format!("127.0.0.1:{web}");
        let port = format!("media_udp_port={media}");
        let mut arguments = vec!["serve", "--listen", &listen, "--set", &port];
        arguments.extend(more);
        let mut command = atalaya(folder, &arguments);
        command.envs(environment.iter().copied());
        let child = command.stdout(out.try_clone().unwrap()).stderr(out).spawn().unwrap();
        let server = Self { child, url: format!("http://{listen}"), log };
        let until = Instant::now() + Duration::from_secs(30);
        while server.get("/healthz").is_none() {
            assert!(Instant::now() < until, "did not start:\n{}", server.printed());
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    fn get(&self, path: &str) -> Option<(u16, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let answer = reqwest::get(format!("{}{path}", self.url)).await.ok()?;
            Some((answer.status().as_u16(), answer.text().await.ok()?))
        })
    }

    fn log_in(&self, user_name: &str, password: &str) -> u16 {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let body = serde_json::json!({"userName": user_name, "password": password, "login": true});
            let url = format!("{}/api/v1/login", self.url);
            reqwest::Client::new().post(url).json(&body).send().await.unwrap().status().as_u16()
        })
    }

    fn printed(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Sends SIGTERM and answers whether it ended well, and how long that took.
    fn stop(mut self) -> (bool, Duration) {
        let began = Instant::now();
        let done = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status().unwrap();
        assert!(done.success());
        let status = self.child.wait().unwrap();
        (status.success(), began.elapsed())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The password printed after a user name.
fn password(printed: &str, user_name: &str) -> String {
    let line = printed.lines().find(|line| line.trim_start().starts_with(user_name)).expect("the account is printed");
    line.split_whitespace().nth(1).unwrap().to_owned()
}

#[test]
fn starts_with_nothing_configured_and_stops_in_order() {
    let folder = Folder::new("start");
    let server = Server::start(&folder, &[]);
    assert_eq!(server.get("/readyz").unwrap().0, 200);
    assert_eq!(server.get("/metrics").unwrap().0, 404, "metrics are off unless enabled");
    let first = password(&server.printed(), "admin@localhost");
    assert_eq!(server.log_in("admin@localhost", &first), 200);
    assert!(folder.path("data/secrets.toml").exists() && folder.path("data/atalaya.db").exists());

    let (good, text) = output(&mut atalaya(&folder, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(!good && text.contains("is in use by process"), "a second one on the same folder: {text}");

    let (good, took) = server.stop();
    assert!(good, "exit code 0");
    assert!(took < Duration::from_secs(5), "{took:?}");

    // DEEP-14
    let left = ["data/files/conferences/left/half.jpg#1", "data/files/check/0123456789abcdef"].map(|name| folder.path(name));
    for file in &left {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "half").unwrap();
    }
    let again = Server::start(&folder, &[]);
    assert!(left.iter().all(|file| !file.exists()), "what a killed process had not finished is gone");
    assert!(!again.printed().contains("admin@localhost"), "the password is printed once");
    assert_eq!(again.log_in("admin@localhost", &first), 200);
}

#[test]
fn the_named_administrator_is_made_and_metrics_answer_when_asked_for() {
    let folder = Folder::new("admin");
    let more = ["--set", "admin_email=jefa@example.org", "--set", "admin_password=correct horse 42", "--set", "metrics=true"];
    let server = Server::start(&folder, &more);
    assert_eq!(server.log_in("jefa@example.org", "correct horse 42"), 200);
    assert!(!server.printed().contains("correct horse"), "a given password is not printed");
    let (status, text) = server.get("/metrics").unwrap();
    assert!(status == 200 && text.contains("http_requests_total"), "{text}");
    let mut create = atalaya(&folder, &["admin", "create", "--email", "otra@example.org"]);
    let mut child = create.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"another secret 7\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(server.log_in("otra@example.org", "another secret 7"), 200, "made beside the running server");
    // SETUP-7
    let mut create = atalaya(&folder, &["admin", "create", "--email", "tercera@example.org"]);
    let mut child = create.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"password1\n").unwrap();
    let refused = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && text.contains("easy to guess"), "{text}");
    assert_ne!(server.log_in("tercera@example.org", "password1"), 200);
}

#[test]
fn demo_accounts_are_printed_at_every_start() {
    let folder = Folder::new("demo");
    let first = {
        let server = Server::start(&folder, &["--demo"]);
        let printed = server.printed();
        assert_eq!(printed.matches("@demo.atalaya.example").count(), 8, "{printed}");
        for name in ["admin@demo.atalaya.example", "ana@demo.atalaya.example", "taller@demo.atalaya.example"] {
            assert_eq!(server.log_in(name, &password(&printed, name)), 200, "{name}");
        }
        assert!(server.stop().0);
        password(&printed, "luis@demo.atalaya.example")
    };
    let server = Server::start(&folder, &["--demo"]);
    assert_eq!(password(&server.printed(), "luis@demo.atalaya.example"), first);
}

#[test]
fn wrong_configuration_stops_the_start_and_names_the_key() {
    let folder = Folder::new("config");
    for (name, value, expected) in [
        ("ATALAYA_LISTNE", "127.0.0.1:1", "unknown setting `ATALAYA_LISTNE`"),
        ("ATALAYA_TURN_URL", "turn:turn.example", "turn_url and turn_secret belong together"),
        ("ATALAYA_SMS_URL", "smpp://sms.example", "ATALAYA_SMS_URL"),
        ("ATALAYA_SMS_URL", "twilio://AC1:secret@api.twilio.com", "ATALAYA_SMS_URL"),
        ("ATALAYA_WHATSAPP_URL", "http://waha?session=../x", "ATALAYA_WHATSAPP_URL"),
        ("ATALAYA_TIMESTAMP_URL", "ldap://tsa.example", "expected an address beginning with http:// or https://"),
        ("ATALAYA_MEDIA_UDP_PORT", "seven", "ATALAYA_MEDIA_UDP_PORT"),
        ("ATALAYA_DATABASE_URL", "postgres://nobody@127.0.0.1:9/none", "PostgreSQL cannot be reached"),
        ("ATALAYA_SMTP_URL", "smtp://mail.example.org?tls=perhaps", "ATALAYA_SMTP_URL"),
    ] {
        let (good, text) = output(atalaya(&folder, &["serve", "--listen", "127.0.0.1:0"]).env(name, value));
        assert!(!good && text.contains(expected), "{name}: {text}");
    }
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    let (good, text) = output(&mut atalaya(&folder, &["serve", "--listen", &address]));
    assert!(!good && text.contains("ATALAYA_LISTEN"), "{text}");
}

#[test]
fn a_damaged_database_is_refused_and_left_alone() {
    let folder = Folder::new("damaged");
    std::fs::create_dir(folder.path("data")).unwrap();
    let file = folder.path("data/atalaya.db");
    let rubbish = vec![7_u8; 8192];
    std::fs::write(&file, &rubbish).unwrap();
    let (good, text) = output(&mut atalaya(&folder, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(!good && text.contains("damaged") && text.contains("restore"), "{text}");
    assert_eq!(std::fs::read(&file).unwrap(), rubbish);
}

#[test]
fn a_backup_of_a_running_server_can_be_put_back_elsewhere() {
    let folder = Folder::new("backup");
    let server = Server::start(&folder, &["--demo"]);
    let ana = password(&server.printed(), "ana@demo.atalaya.example");
    let (good, text) = output(&mut atalaya(&folder, &["backup", "copy"]));
    assert!(good, "{text}");
    let files = count(&folder.path("data/files"));
    assert!(files > 0, "the demo's closed conferences have media");
    assert_eq!(count(&folder.path("copy/files")), files);
    let (good, text) = output(&mut atalaya(&folder, &["backup", "copy"]));
    assert!(!good && text.contains("not empty"), "{text}");
    let (good, text) = output(&mut atalaya(&folder, &["restore", "copy"]));
    assert!(!good && text.contains("--force"), "{text}");
    let (good, text) = output(&mut atalaya(&folder, &["restore", "copy", "--force"]));
    assert!(!good && text.contains("in use"), "not under a running server: {text}");
    drop(server);
    let (good, text) = output(&mut atalaya(&folder, &["doctor", "--rebuild", "--deep", "--set", "media_udp_port=0"]));
    assert!(good && text.contains("every chain is whole"), "{text}");
    // DEEP-1
    assert!(text.contains("ok      deep") && !text.contains("FILE_STRAY"), "{text}");
    std::fs::remove_dir_all(folder.path("data/files/conferences")).unwrap();
    let (good, text) = output(&mut atalaya(&folder, &["doctor", "--deep", "--set", "media_udp_port=0"]));
    assert!(!good && text.contains("FAILED  deep           FILE_MISSING media_item"), "{text}");

    let (good, text) = output(&mut atalaya(&folder, &["restore", "copy", "--data-dir", "elsewhere"]));
    assert!(good, "{text}");
    assert_eq!(count(&folder.path("elsewhere/files")), files);
    let server = Server::start(&folder, &["--data-dir", "elsewhere"]);
    assert_eq!(server.log_in("ana@demo.atalaya.example", &ana), 200);
}

impl Server {
    /// Calls as this user: status and answer.
    fn call(
        &self,
        (user, password): (&str, &str),
        method: &str,
        path: &str,
        body: serde_json::Value,
    ) -> (u16, serde_json::Value) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = reqwest::Client::new();
            let login = serde_json::json!({"userName": user, "password": password, "login": true});
            let session = client.post(format!("{}/api/v1/login", self.url)).json(&login).send().await.unwrap();
            let session: serde_json::Value = session.json().await.unwrap();
            let token = session["token"].as_str().expect("a session").to_owned();
            let path = path.replace("{parent}", session["user"]["parent"].as_str().unwrap_or_default());
            let request = client.request(method.parse().unwrap(), format!("{}{path}", self.url)).bearer_auth(token);
            let request = if method == "GET" { request } else { request.json(&body) };
            let answer = request.send().await.unwrap();
            (answer.status().as_u16(), answer.json().await.unwrap_or_default())
        })
    }
}

/// Backup, erasure, restore on this database: what was erased stays erased.
fn erased_stays_erased(name: &str, url: [Option<&str>; 2]) {
    let folder = Folder::new(name);
    let at = |data: &'static str, url: Option<&str>, arguments: &[&str]| {
        let mut all: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        all.extend(["--data-dir".to_owned(), data.to_owned()]);
        all.extend(url.iter().flat_map(|url| ["--set".to_owned(), format!("database_url={url}")]));
        all
    };
    let run = |data, url, arguments: &[&str]| {
        let all = at(data, url, arguments);
        output(&mut atalaya(&folder, &all.iter().map(String::as_str).collect::<Vec<_>>()))
    };
    let serve = |data, url, more: &[&str]| {
        let all = at(data, url, more);
        Server::start(&folder, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let server = serve("data", url[0], &["--demo"]);
    let boss = ("cliente@demo.atalaya.example", &*password(&server.printed(), "cliente@demo.atalaya.example"));
    let none = serde_json::Value::Null;
    let (status, list) = server.call(boss, "POST", "/api/v1/conferences-autos-details/{parent}", serde_json::json!({}));
    assert_eq!(status, 200, "{list}");
    let all = list["conferences"].as_array().unwrap();
    let wanted =
        all.iter().find(|row| row["closed"] == true && row["files"].as_u64() > Some(0)).expect("a closed case with files");
    let id = wanted["_id"].as_str().unwrap().to_owned();
    let phone = wanted["phoneNumber"].as_str().unwrap().to_owned();
    let media = |server: &Server| {
        let (status, list) = server.call(boss, "GET", &format!("/api/v1/conference-media/{id}"), none.clone());
        assert_eq!(status, 200, "{list}");
        let url = list["media"][0]["url"].as_str().unwrap().to_owned();
        (server.call(boss, "GET", &url, none.clone()).0, list["conference"]["phoneNumber"].as_str().unwrap().to_owned())
    };
    assert_eq!(media(&server), (200, phone.clone()));
    let (good, text) = run("data", url[0], &["backup", "copy"]);
    assert!(good, "{text}");
    let path = format!("/api/v1/conference-erase/{id}");
    let (status, proof) = server.call(boss, "POST", &path, serde_json::json!({"reason": "Derecho de supresión"}));
    assert_eq!(status, 200, "{proof}");
    assert_eq!(media(&server), (410, String::new()));
    assert_eq!(count(&folder.path(&format!("data/files/conferences/{id}"))), 0);
    assert!(count(&folder.path(&format!("copy/files/conferences/{id}"))) > 0, "the backup has them still");
    let (good, text) = run("data", url[0], &["backup", "later"]);
    assert!(good && !folder.path("later/erasures.jsonl").exists(), "the register is in no backup: {text}");
    server.stop();
    let (_, text) = run("data", url[0], &["doctor", "--rebuild", "--set", "media_udp_port=0"]);
    assert!(text.contains("ok      erasures       1,") && text.contains("every chain is whole"), "{text}");

    // On a new machine without the register: told so. Wrong file: nothing happens. With it: gone before anything is read.
    if url[1].is_none() {
        let (good, text) = run("blind", url[1], &["restore", "copy"]);
        assert!(good && text.contains("NO REGISTER OF ERASURES"), "{text}");
    }
    let (good, text) = run("new", url[1], &["restore", "copy", "--erasures", "nowhere.jsonl"]);
    assert!(!good && text.contains("nowhere.jsonl") && text.contains("nothing was restored"), "{text}");
    let (good, text) = run("new", url[1], &["restore", "copy", "--force", "--erasures", "data/erasures.jsonl"]);
    assert!(good && text.contains("1 named, 1 erased anew"), "{text}");
    assert!(!folder.path(&format!("new/files/conferences/{id}")).exists(), "not copied back");
    if url[1].is_none() {
        let bytes = std::fs::read(folder.path("new/atalaya.db")).unwrap();
        assert!(!bytes.windows(phone.len()).any(|w| w == phone.as_bytes()), "no page of the file remembers the phone");
    }
    let server = serve("new", url[1], &[]);
    assert_eq!(media(&server), (410, String::new()));
    server.stop();
    let (_, text) = run("new", url[1], &["doctor", "--set", "media_udp_port=0"]);
    assert!(text.contains("ok      erasures       1,"), "the new machine has the register too: {text}");

    // In place: the data folder's own register is found by itself.
    let (good, text) = run("data", url[0], &["restore", "copy", "--force"]);
    assert!(good && text.contains("1 named, 1 erased anew"), "{text}");
    let server = serve("data", url[0], &[]);
    assert_eq!(media(&server), (410, String::new()));
}

#[test]
fn a_backup_put_back_brings_no_erased_conference_back() {
    erased_stays_erased("erased", [None, None]);
}

#[test]
fn a_backup_of_postgres_brings_no_erased_conference_back() {
    let Ok(server) = std::env::var("ATALAYA_TEST_POSTGRES_URL").or_else(|_| std::env::var("ATALAYA_TEST_POSTGRES")) else {
        return eprintln!("NOT TESTED on PostgreSQL: no server is named");
    };
    if Command::new("pg_dump").arg("--version").output().is_err() {
        return eprintln!("NOT TESTED: pg_dump is not installed");
    }
    let (base, _) = server.rsplit_once('/').unwrap();
    let names = ["old", "new"].map(|which| format!("atalaya_erased_{which}_{}", std::process::id()));
    let psql = |sql: String| {
        let (good, text) = output(Command::new("psql").args([server.as_str(), "-c", &sql]));
        assert!(good, "{text}");
    };
    for name in &names {
        psql(format!("CREATE DATABASE {name}"));
    }
    let urls = names.clone().map(|name| format!("{base}/{name}"));
    erased_stays_erased("erased-postgres", [Some(&*urls[0]), Some(&*urls[1])]);
    for name in &names {
        psql(format!("DROP DATABASE {name} WITH (FORCE)"));
    }
}

fn count(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
}

#[test]
fn doctor_says_how_things_are() {
    let folder = Folder::new("doctor");
    let (web, media) = free_ports();
    let port = format!("media_udp_port={media}");
    let (good, text) = output(&mut atalaya(&folder, &["doctor", "--set", &port]));
    assert!(good, "{text}");
    for what in ["configuration", "database", "storage", "mail", "media", "secrets"] {
        assert!(text.contains(what), "{what}: {text}");
    }
    let mail = format!("smtp_url=smtp://127.0.0.1:{web}");
    let (good, text) = output(&mut atalaya(&folder, &["doctor", "--set", &port, "--set", &mail]));
    assert!(!good && text.contains("FAILED  mail"), "{text}");
    let (good, text) = output(&mut atalaya(&folder, &["doctor", "--set", "tls=maybe"]));
    assert!(!good && text.contains("FAILED  configuration"), "{text}");
}

#[test]
fn self_signed_tls_answers() {
    let folder = Folder::new("tls");
    let (web, media) = free_ports();
    let (listen, port) = (format!("127.0.0.1:{web}"), format!("media_udp_port={media}"));
    let arguments = ["serve", "--listen", &listen, "--set", &port, "--set", "tls=self-signed"];
    let child = atalaya(&folder, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let server = Server { child, url: String::new(), log: PathBuf::new() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let until = Instant::now() + Duration::from_secs(30);
        let certificate = folder.path("data/tls/cert.pem");
        while !certificate.exists() {
            assert!(Instant::now() < until);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let root = reqwest::Certificate::from_pem(&std::fs::read(certificate).unwrap()).unwrap();
        let client = reqwest::Client::builder().tls_certs_merge([root]).build().unwrap();
        let answer = loop {
            match client.get(format!("https://localhost:{web}/healthz")).send().await {
                Ok(answer) => break answer,
                Err(error) => assert!(Instant::now() < until, "{error:?}"),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        assert_eq!(answer.status(), 200);
        assert!(answer.headers().contains_key("strict-transport-security"));
    });
    assert!(server.stop().0);
}

// DEEP-11
#[test]
fn doctor_says_when_the_certificate_ended_and_the_server_goes_on() {
    let folder = Folder::new("certificate");
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = |end: (i32, u8, u8)| {
        let mut about = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        about.not_after = rcgen::date_time_ymd(end.0, end.1, end.2);
        std::fs::write(folder.path("cert.pem"), about.self_signed(&key).unwrap().pem()).unwrap();
    };
    std::fs::write(folder.path("key.pem"), key.serialize_pem()).unwrap();
    let tls = ["--set", "tls=files", "--set", "tls_cert=cert.pem", "--set", "tls_key=key.pem"];
    let examine = || output(atalaya(&folder, &["doctor", "--set", "media_udp_port=0"]).args(tls));
    certificate((4000, 1, 1));
    let (good, text) = examine();
    assert!(good && text.contains("ok      certificate    until 4000-01-01"), "{text}");
    certificate((2020, 1, 1));
    let (good, text) = examine();
    assert!(!good && text.contains("FAILED  certificate    it ended on 2020-01-01"), "{text}");

    let (web, media) = free_ports();
    let (listen, port) = (format!("127.0.0.1:{web}"), format!("media_udp_port={media}"));
    let mut command = atalaya(&folder, &["serve", "--listen", &listen, "--set", &port]);
    let child = command.args(tls).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let server = Server { child, url: String::new(), log: PathBuf::new() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().tls_danger_accept_invalid_certs(true).build().unwrap();
        let until = Instant::now() + Duration::from_secs(30);
        while client.get(format!("https://localhost:{web}/healthz")).send().await.is_err() {
            assert!(Instant::now() < until, "it did not start");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    assert!(server.stop().0);
}
