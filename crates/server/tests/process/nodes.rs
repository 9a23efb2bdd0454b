//! Sockets of real processes: two over one PostgreSQL, one of them killed; and that they do not hold a stop up.

use super::{Command, Duration, Folder, Instant, Server, output, password};
use atalaya_testkit::SocketClient;
use serde_json::{Value, json};

/// How soon what one node does is seen at the other; the machine may be busy.
const SOON: Duration = Duration::from_secs(5);

/// Somebody logged in.
struct Session {
    token: String,
    user: Value,
}

impl Session {
    async fn open(server: &Server, accounts: &str, name: &str) -> Self {
        let name = format!("{name}@demo.atalaya.example");
        let body = json!({"userName": name, "password": password(accounts, &name), "login": true});
        let answer = reqwest::Client::new().post(format!("{}/api/v1/login", server.url)).json(&body).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        Self { token: answer["token"].as_str().expect("a session").to_owned(), user: answer["user"].clone() }
    }

    /// A call at this node: status and answer.
    async fn call(&self, server: &Server, method: &str, path: &str, body: Value) -> (u16, Value) {
        let request = reqwest::Client::new().request(method.parse().unwrap(), format!("{}/api/v1/{path}", server.url));
        let answer = request.bearer_auth(&self.token).json(&body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    async fn socket(&self, server: &Server) -> SocketClient {
        let address = server.url.trim_start_matches("http://").parse().unwrap();
        SocketClient::connect(address, &self.token).await.expect("let in")
    }

    fn id(&self) -> &str {
        self.user["_id"].as_str().unwrap()
    }

    fn menu(&self) -> String {
        format!("unblockMenu_{}", self.id())
    }
}

/// The principal takes the bank account away or puts it back.
async fn toggle(boss: &Session, server: &Server, account: &str) {
    let body = json!({"customer": {"_id": boss.user["parent"], "bankAccount": account}});
    let (status, answer) = boss.call(server, "PUT", "customer", body).await;
    assert_eq!(status, 200, "{answer}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

#[test]
fn two_nodes_tell_each_other_and_one_goes_on_alone() {
    let Ok(postgres) = std::env::var("ATALAYA_TEST_POSTGRES_URL").or_else(|_| std::env::var("ATALAYA_TEST_POSTGRES")) else {
        return eprintln!("NOT TESTED: no PostgreSQL server is named");
    };
    let (base, _) = postgres.rsplit_once('/').unwrap();
    let name = format!("atalaya_nodes_{}", std::process::id());
    let psql = |sql: String| {
        let (good, text) = output(Command::new("psql").args([postgres.as_str(), "-c", &sql]));
        assert!(good, "{text}");
    };
    psql(format!("CREATE DATABASE {name}"));
    let folder = Folder::new("nodes");
    let database = format!("database_url={base}/{name}");
    // One folder: both have the same keys, as nodes must.
    let one = Server::start(&folder, &["--demo", "--set", &database]);
    let accounts = one.printed();
    let two = Server::start(&folder, &["--set", &database]);
    runtime().block_on(tell_each_other(one, two, &accounts));
    psql(format!("DROP DATABASE {name} WITH (FORCE)"));
}

async fn tell_each_other(one: Server, mut two: Server, accounts: &str) {
    let boss = Session::open(&one, accounts, "cliente").await;
    let (ana, luis) = (Session::open(&two, accounts, "ana").await, Session::open(&one, accounts, "luis").await);
    let workshop = Session::open(&two, accounts, "taller").await;
    let (mut here, mut there) = (luis.socket(&one).await, ana.socket(&two).await);
    let mut foreign = workshop.socket(&two).await;

    toggle(&boss, &one, "").await;
    assert_eq!(here.expect_event(&luis.menu()).await, json!({"state": "blocked"}));
    assert_eq!(there.expect_event(&ana.menu()).await, json!({"state": "blocked"}), "told by the other node");
    assert_eq!(foreign.next_event(Duration::from_millis(300)).await, None, "nothing for another company");

    let path = format!("socket-user/{}", ana.id());
    let (status, answer) = ana.call(&one, "POST", &path, json!({"socketId": there.sid()})).await;
    assert_eq!((status, &answer["userId"]), (200, &ana.user["_id"]), "registered at the node where the socket is not");
    let (status, _) = luis.call(&two, "GET", &format!("socket-user/{}", there.sid()), Value::Null).await;
    assert_eq!(status, 404, "another's socket");

    let second = Session::open(&one, accounts, "ana").await;
    let mut leaving = second.socket(&two).await;
    assert_eq!(second.call(&one, "POST", "logout", Value::Null).await.0, 204);
    assert!(leaving.is_closed_within(SOON).await, "a logout at one node closes the socket at the other");

    // SESSION-14
    let third = Session::open(&one, accounts, "ana").await;
    for _ in 0..5 {
        assert_eq!(third.call(&two, "GET", "me", Value::Null).await.0, 200, "kept by the other node");
    }
    assert_eq!(third.call(&one, "POST", "logout", Value::Null).await.0, 204);
    let ended = Instant::now();
    while third.call(&two, "GET", "me", Value::Null).await.0 != 401 {
        assert!(ended.elapsed() < SOON, "a logout at one node is known at the other");
    }

    two.child.kill().unwrap();
    two.child.wait().unwrap();
    assert!(there.is_closed_within(SOON).await);
    let mut back = ana.socket(&one).await;
    toggle(&boss, &one, "ES9121000418450200051332").await;
    assert_eq!(here.expect_event(&luis.menu()).await, json!({"state": "unblocked"}), "the other node goes on");
    assert_eq!(back.expect_event(&ana.menu()).await, json!({"state": "unblocked"}));
    let (good, took) = one.stop();
    assert!(good && took < SOON, "{took:?}");
    assert!(back.is_closed_within(SOON).await);
}

#[test]
fn open_sockets_and_polls_do_not_hold_a_stop_up() {
    let folder = Folder::new("sockets");
    let server = Server::start(&folder, &["--demo"]);
    let accounts = server.printed();
    let runtime = runtime();
    let (mut socket, poll) = runtime.block_on(async {
        let ana = Session::open(&server, &accounts, "ana").await;
        let socket = ana.socket(&server).await;
        let base = format!("{}/socket.io/?EIO=4&transport=polling", server.url);
        let hello = reqwest::get(&base).await.unwrap().text().await.unwrap();
        let hello: Value = serde_json::from_str(&hello[1..]).expect("Engine.IO opens");
        let url = format!("{base}&sid={}", hello["sid"].as_str().unwrap());
        let auth = format!("40{}", json!({"token": ana.token}));
        assert_eq!(reqwest::Client::new().post(&url).body(auth).send().await.unwrap().status(), 200);
        // A ping may come first, together or alone.
        let mut answer = reqwest::get(&url).await.unwrap().text().await.unwrap();
        if answer == "2" {
            answer = reqwest::get(&url).await.unwrap().text().await.unwrap();
        }
        assert!(answer.contains("40{\"sid\""), "let in by polling: {answer}");
        (socket, tokio::spawn(async move { reqwest::get(&url).await.is_ok() }))
    });
    std::thread::sleep(Duration::from_millis(200));
    assert!(!poll.is_finished(), "nothing to say: the poll waits");
    let began = Instant::now();
    let (good, took) = server.stop();
    assert!(good && took < Duration::from_secs(5), "{took:?}");
    assert!(runtime.block_on(socket.is_closed_within(SOON)), "{:?}", began.elapsed());
}

/// Statements of this server so far.
fn statements(server: &Server) -> u64 {
    let (_, text) = server.get("/metrics").expect("it answers");
    let line = text.lines().find_map(|line| line.strip_prefix("database_statements_total ")).expect("they are counted");
    line.trim().parse().expect("a number")
}

// JOBS-1
#[test]
fn an_idle_server_makes_no_more_than_a_statement_a_second() {
    let folder = Folder::new("idle");
    let server = Server::start(&folder, &["--set", "metrics=true"]);
    let until = Instant::now() + Duration::from_secs(90);
    // What a start has to do is done some time; then ten seconds are watched.
    loop {
        let (began, before) = (Instant::now(), statements(&server));
        std::thread::sleep(Duration::from_secs(10));
        let (made, took) = (statements(&server) - before, began.elapsed());
        if made <= took.as_secs() {
            return;
        }
        assert!(Instant::now() < until, "{made} statements in {took:?}");
    }
}
