//! The master key of files in a token: SoftHSM stands for an HSM.

use super::{Command, Duration, Folder, Instant, Path, PathBuf, Server, atalaya, output, password};
use serde_json::{Value, json};

const BOSS: &str = "cliente@demo.atalaya.example";
const SOON: Duration = Duration::from_secs(5);
const MODULES: [&str; 2] = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"];

/// A token of this folder, and the settings that name it.
struct Hsm {
    folder: Folder,
    conf: PathBuf,
    settings: Vec<String>,
}

impl Hsm {
    /// `None` where SoftHSM is not installed.
    fn new(name: &str) -> Option<Self> {
        let module = MODULES.into_iter().find(|module| Path::new(module).exists())?;
        let folder = Folder::new(name);
        let (conf, tokens) = (folder.path("softhsm2.conf"), folder.path("tokens"));
        std::fs::create_dir(&tokens).unwrap();
        let text = format!("directories.tokendir = {}\nobjectstore.backend = file\nlog.level = ERROR\n", tokens.display());
        std::fs::write(&conf, text).unwrap();
        let mut made = Command::new("softhsm2-util");
        made.args(["--init-token", "--free", "--label", "atalaya", "--pin", "1234", "--so-pin", "567890"]);
        let (good, said) = output(made.env("SOFTHSM2_CONF", &conf));
        assert!(good, "{said}");
        let settings = [format!("pkcs11_module={module}"), "pkcs11_token=atalaya".to_owned(), "pkcs11_pin=1234".to_owned()];
        Some(Self { folder, conf, settings: settings.into_iter().flat_map(|one| ["--set".to_owned(), one]).collect() })
    }

    fn start(&self, more: &[&str]) -> Server {
        let all: Vec<&str> = more.iter().copied().chain(self.settings.iter().map(String::as_str)).collect();
        Server::start_in(&self.folder, &all, &[("SOFTHSM2_CONF", self.conf.as_path())])
    }

    /// A command with the token's settings.
    fn run(&self, arguments: &[&str]) -> (bool, String) {
        self.run_with(arguments, &[])
    }

    /// The same with others, which come last and win.
    fn run_with(&self, arguments: &[&str], other: &[&str]) -> (bool, String) {
        let own = self.settings.iter().map(String::as_str);
        let all: Vec<&str> = arguments.iter().copied().chain(own).chain(other.iter().copied()).collect();
        output(atalaya(&self.folder, &all).env("SOFTHSM2_CONF", &self.conf))
    }

    /// Takes the token out of its slot, or puts it back.
    fn take(&self, out: bool) {
        let (here, away) = (self.folder.path("tokens"), self.folder.path("away"));
        let (from, to) = if out { (here, away) } else { (away, here) };
        std::fs::rename(from, to).unwrap();
    }

    fn secrets(&self) -> String {
        std::fs::read_to_string(self.folder.path("data/secrets.toml")).unwrap()
    }
}

/// Status and code of a GET.
fn asked(server: &Server, token: &str, path: &str) -> (u16, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let request = reqwest::Client::new().get(format!("{}{path}", server.url)).bearer_auth(token);
        let answer = request.send().await.unwrap();
        let (status, body) = (answer.status().as_u16(), answer.bytes().await.unwrap());
        let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
        (status, problem["code"].as_str().unwrap_or_default().to_owned())
    })
}

fn opening() -> Value {
    json!({"phoneNumber": "+34600123456", "expedientNumber": "EXP-1", "type": 2, "contactPerson": "Luis"})
}

// KEYS-6
#[test]
fn keys_of_files_are_wrapped_in_a_token_that_may_go_and_come_back() {
    let Some(hsm) = Hsm::new("token") else { return eprintln!("NOT TESTED: SoftHSM is not installed") };
    let server = hsm.start(&["--demo"]);
    let accounts = server.printed();
    let (boss, ana) = (password(&accounts, BOSS), password(&accounts, "ana@demo.atalaya.example"));
    let session = server.token(BOSS, &boss);
    let list = server.call((BOSS, &boss), "POST", "/api/v1/conferences-autos-details/{parent}", json!({})).1;
    let rows = list["conferences"].as_array().unwrap();
    let row = rows.iter().find(|row| row["closed"] == true && row["files"].as_u64() > Some(0)).expect("a closed case with files");
    let zip = format!("/uploads/{}.zip", row["_id"].as_str().unwrap());
    let size = server.download(&session, &zip).len();
    let opens = || server.call(("ana@demo.atalaya.example", &ana), "POST", "/api/v1/getToken", opening());
    let (good, text) = hsm.run(&["doctor", "--set", "media_udp_port=0"]);
    assert!(good && text.contains("note    token") && text.contains("keys rotate --which files"), "{text}");

    // From the file into the token, under the running server.
    let old: toml::Table = hsm.secrets().parse().unwrap();
    let (good, text) = hsm.run(&["keys", "rotate", "--which", "files"]);
    assert!(good, "{text}");
    assert!(hsm.secrets().contains("master_media_key = \"pkcs11:"), "the file names the key, and holds it no more");
    assert!(server.download(&session, &zip).len() >= size, "its chain grows with each download");
    let (good, text) = hsm.run(&["keys", "forget", "--which", "files"]);
    assert!(good && text.contains("1 earlier key(s) forgotten"), "{text}");
    assert!(!hsm.secrets().contains(old["master_media_key"].as_str().unwrap()));
    assert!(server.download(&session, &zip).len() >= size, "its chain grows with each download");
    assert_eq!(opens().0, 200);
    let (good, text) = hsm.run(&["keys", "list"]);
    assert!(good && text.contains("files: one present key (in the token)") && text.contains(", 0 under none"), "{text}");
    let (good, text) = hsm.run(&["doctor", "--set", "media_udp_port=0"]);
    assert!(good && text.contains("ok      token"), "{text}");

    // The token is away: files wait, all else goes on; it comes back, and so do they, without a restart.
    hsm.take(true);
    assert_eq!(asked(&server, &session, &zip), (503, "KEY_TOKEN_UNAVAILABLE".to_owned()));
    let (status, problem) = opens();
    assert_eq!((status, problem["code"].as_str()), (503, Some("KEY_TOKEN_UNAVAILABLE")), "{problem}");
    assert_eq!(asked(&server, &session, "/api/v1/me").0, 200);
    let (good, text) = hsm.run(&["doctor", "--set", "media_udp_port=0"]);
    assert!(!good && text.contains("FAILED  token"), "{text}");
    hsm.take(false);
    let began = Instant::now();
    while asked(&server, &session, &zip).0 != 200 {
        assert!(began.elapsed() < SOON, "the token is back");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(opens().0, 200);

    // From one key in the token to the next.
    let (good, text) = hsm.run(&["keys", "rotate", "--which", "files"]);
    assert!(good, "{text}");
    let (good, text) = hsm.run(&["keys", "forget", "--which", "files"]);
    assert!(good && text.contains("1 earlier key(s) forgotten"), "{text}");
    assert!(server.download(&session, &zip).len() >= size, "its chain grows with each download");
    server.stop();
}

// EVID-54
#[test]
fn the_evidence_key_signs_in_the_token_and_never_leaves_it() {
    let Some(hsm) = Hsm::new("token-evidence") else { return eprintln!("NOT TESTED: SoftHSM is not installed") };
    let server = hsm.start(&["--demo"]);
    let boss = password(&server.printed(), BOSS);
    let session = server.token(BOSS, &boss);
    let key = || std::fs::read_to_string(hsm.folder.path("data/evidence-key.pem")).unwrap();
    std::fs::write(hsm.folder.path("first.pem"), server.get("/.well-known/atalaya-evidence.pem").unwrap().1).unwrap();
    assert!(key().contains("BEGIN PRIVATE KEY"), "the first one is made in the file");

    // From the file into the token, and from one key in the token to the next, under the running server.
    for _ in 0..2 {
        let before = key();
        let (good, text) = hsm.run(&["keys", "rotate", "--which", "evidence"]);
        assert!(good && text.contains("its private half is gone"), "{text}");
        assert!(key().starts_with("pkcs11:") && !key().contains("PRIVATE") && key() != before);
    }
    let (good, text) = hsm.run(&["evidence-key", "list"]);
    assert!(good && text.lines().count() == 3 && text.contains("signs now (in the token)"), "{text}");

    // What it signs from now on is vouched for by the first key, which endorsed it, and by the page.
    let list = server.call((BOSS, &boss), "POST", "/api/v1/conferences-autos-details/{parent}", json!({})).1;
    let rows = list["conferences"].as_array().unwrap();
    let row = rows.iter().find(|row| row["closed"] == true && row["files"].as_u64() > Some(0)).expect("a closed case with files");
    let id = row["_id"].as_str().unwrap();
    server.download(&session, &format!("/api/v1/print-cert/{id}"));
    std::fs::write(hsm.folder.path("case.zip"), server.download(&session, &format!("/uploads/{id}.zip"))).unwrap();
    let (good, text) = output(&mut atalaya(&hsm.folder, &["verify", "case.zip", "--key", "first.pem"]));
    assert!(good, "{text}");
    let (good, text) = output(&mut atalaya(&hsm.folder, &["verify", "case.zip", "--online", &server.url]));
    assert!(good, "{text}");

    // Without its token a server does not start.
    server.stop();
    let (good, text) = output(&mut atalaya(&hsm.folder, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(!good && text.contains("the evidence key is in a token"), "{text}");
    hsm.take(true);
    let (good, text) = hsm.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(!good && text.contains("must answer before the server starts"), "{text}");
    hsm.take(false);
    hsm.start(&[]).stop();
}

// KEYS-6
#[test]
fn a_server_whose_token_does_not_answer_says_so_and_does_not_start() {
    let Some(hsm) = Hsm::new("token-start") else { return eprintln!("NOT TESTED: SoftHSM is not installed") };
    let (good, text) = hsm.run(&["keys", "rotate", "--which", "files"]);
    assert!(good, "{text}");
    let (good, text) = hsm.run_with(&["serve", "--listen", "127.0.0.1:0"], &["--set", "pkcs11_pin=0000"]);
    assert!(!good && text.contains("ATALAYA_PKCS11_MODULE"), "another PIN: {text}");
    let (good, text) = hsm.run_with(&["serve", "--listen", "127.0.0.1:0"], &["--set", "pkcs11_token=other"]);
    assert!(!good && text.contains("ATALAYA_PKCS11_MODULE"), "another token: {text}");
    let (good, text) = output(&mut atalaya(&hsm.folder, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(!good && text.contains("the master key of files is in a token"), "no token: {text}");
    hsm.take(true);
    let (good, text) = hsm.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(!good && text.contains("must answer before the server starts"), "{text}");
}
