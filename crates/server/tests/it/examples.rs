//! The example scripts do what they say, against a server that listens (issue 7).

use crate::public_api::{key_of, program};
use crate::support::text;
use atalaya_integrations::webhooks::DeliverWebhooks;
use atalaya_jobs::{Jobs, Worker};
use atalaya_testkit::{Engine, TestApp};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Runs a script; answers what it printed. Panics when it fails.
async fn run(program: &'static str, script: &'static str, variables: Vec<(&'static str, String)>) -> String {
    let done = tokio::task::spawn_blocking(move || Command::new(program).arg(example(script)).envs(variables).output());
    let output = done.await.expect("not interrupted").unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{script}: {printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

#[tokio::test(flavor = "multi_thread")]
async fn each_script_opens_a_conference_once() {
    let app = TestApp::configured(Engine::Sqlite, |config| config.webhooks_inside = true).await.expect("SQLite needs nothing");
    let (person, reader) = program(&app).await;
    let key = key_of(&app, &person).await;
    let address = app.listen().await;
    let variables = || {
        vec![
            ("ATALAYA_URL", format!("http://{address}")),
            ("ATALAYA_KEY", key.clone()),
            ("ATALAYA_HOOK", format!("http://{address}/alive")),
        ]
    };
    let scripts = [("bash", "calls.sh"), ("python3", "calls.py"), ("node", "calls.mjs")];
    for (n, (program, script)) in scripts.into_iter().enumerate() {
        let printed = run(program, script, variables()).await;
        assert!(printed.trim_end().ends_with("done") && printed.contains("status: invited"), "{script}: {printed}");
        assert!(printed.contains("webhook: "), "{script}: {printed}");
        assert_eq!(reader.get("/ext-api/v1/conferences").await.ok()["total"], json!(n + 1), "{script} opened one");
    }
    assert_eq!(reader.get("/ext-api/v1/webhooks").await.ok()["webhooks"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_believes_what_is_signed() {
    let app = TestApp::configured(Engine::Sqlite, |config| config.webhooks_inside = true).await.expect("SQLite needs nothing");
    let (_, program) = program(&app).await;
    // The port must be known before the secret is, which the receiver needs at its start.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("bound").port();
    let added = program.post("/ext-api/v1/webhooks", json!({"url": format!("http://127.0.0.1:{port}/")})).await.expect(201);
    let mut receiver = Command::new("python3")
        .arg(example("receiver.py"))
        .env("ATALAYA_SECRET", text(&added["secret"]))
        .env("PORT", port.to_string())
        // Tests have a time of their own.
        .env("MAX_AGE_S", "9999999999")
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 can be run");
    let mut lines = BufReader::new(receiver.stdout.take().expect("piped")).lines();
    assert!(lines.next().expect("it listens").expect("a line").starts_with("listening"));
    let hook = text(&added["webhook"]["_id"]);
    program.post(&format!("/ext-api/v1/webhooks/{hook}/test"), json!({})).await.ok();
    let worker = Worker::new(app.db.clone(), Jobs::new(app.sources.clone()));
    let worker = worker.handle(DeliverWebhooks::KIND, Arc::new(DeliverWebhooks(app.integrations.clone())));
    while worker.run_next().await.expect("the job table") {}
    let log = program.get(&format!("/ext-api/v1/webhooks/{hook}/deliveries")).await.ok();
    assert_eq!(log["deliveries"][0]["status"], 204, "{log}");
    let line = lines.next().expect("it tells").expect("a line");
    assert!(line.starts_with("webhook.test") && line.contains(&hook), "{line}");
    // What is not signed with its secret is refused.
    let sent =
        reqwest::Client::new().post(format!("http://127.0.0.1:{port}/")).header("Atalaya-Signature", "t=1,v1=00").body("{}");
    assert_eq!(sent.send().await.expect("answered").status().as_u16(), 401);
    receiver.kill().expect("it ends");
    receiver.wait().expect("it ended");
}
