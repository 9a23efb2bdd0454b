//! What the guards cost: the same requests through the router, whose guards stand once (`once`) or twice (`twice`).
//!
//! `bench/guards.mjs EXAMPLE` counts the instructions of both with callgrind; the difference is the price of one set of guards.
//!
//!     guards once|twice COUNT

use atalaya_kernel::Role;
use atalaya_rest::address::{self, TrustedProxies};
use atalaya_rest::pace::{self, PaceLimits};
use atalaya_rest::uploads::{UploadLimits, Uploads};
use atalaya_rest::xsrf::{self, Xsrf};
use atalaya_testkit::{Client, Engine, TestApp};
use axum::Extension;
use axum::middleware::from_fn_with_state;
use serde_json::json;

/// As many requests of each kind; answers how many bytes came back, so that nothing is left out.
async fn ask(client: &Client, conference: &str, count: usize) -> usize {
    let mut bytes = 0;
    let (chat, details) = (format!("/api/v1/conference-chat/{conference}"), format!("/api/v1/conferences-details/{conference}"));
    for nth in 0..count {
        let written = client.post(&chat, json!({"text": format!("Mensaje {nth}")})).await;
        let read = client.get(&details).await;
        let own = client.get("/api/v1/me").await;
        assert!(
            written.status < 300 && read.status == 200 && own.status == 200,
            "{} {} {}",
            written.status,
            read.status,
            own.status
        );
        bytes += written.body.len() + read.body.len() + own.body.len();
    }
    bytes
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mode, count) = (arguments.next().unwrap_or_default(), arguments.next().and_then(|text| text.parse().ok()));
    let (true, Some(count)) = (["once", "twice"].contains(&mode.as_str()), count) else {
        panic!("usage: guards once|twice COUNT");
    };
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    let worker = app.person(Role::Worker).await;
    let own = app.log_in(&worker).await;
    let opening = json!({"phoneNumber": "+34600123456", "expedientNumber": "GUARDS", "type": 2});
    let opened = own.post("/api/v1/getToken", opening).await.ok();
    let conference = opened["conference"]["_id"].as_str().expect("an id").to_owned();
    let router = if mode == "once" {
        app.router.clone()
    } else {
        app.router
            .clone()
            .layer(Extension(Uploads::new(UploadLimits::default())))
            .layer(from_fn_with_state(PaceLimits::default(), pace::guard))
            .layer(from_fn_with_state(Xsrf { sources: app.sources.clone(), secure: false }, xsrf::issue))
            .layer(from_fn_with_state(TrustedProxies::new(&[]), address::resolve))
    };
    let client = Client::new(router, own.token.clone());
    println!("{mode}: {} bytes of {} requests", ask(&client, &conference, count).await, 3 * count);
}
