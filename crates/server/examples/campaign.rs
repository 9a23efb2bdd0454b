//! How long a campaign takes: many recipients written into the outbox, then carried by the dispatcher.
//!
//! `cargo run --release -p atalaya-server --example campaign -- [recipients] [postgres]`. PostgreSQL needs
//! `ATALAYA_TEST_POSTGRES`. The mail server of the measurement takes every message at once, so that only our side is
//! measured.

use async_trait::async_trait;
use atalaya_kernel::{CompanyKind, Role};
use atalaya_messaging::{Channel, Dispatcher, Message, Outbox, Provider, Providers, Receipt, SendFailure};
use atalaya_outreach::campaigns::SendCampaigns;
use atalaya_outreach::{Outreach, Parts, marketing};
use atalaya_testkit::{Engine, TestApp, bulk};
use chrono::TimeDelta;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Messages that the outbox takes in a minute: as many as may be configured.
const PER_MINUTE: u32 = 60_000;
/// Messages whose dispatching is measured.
const CARRIED: usize = 1_000;

/// Takes everything.
struct Taker;

#[async_trait]
impl Provider for Taker {
    async fn send(&self, _: &Message) -> Result<Receipt, SendFailure> {
        Ok(Receipt::default())
    }

    async fn check(&self) -> Result<(), SendFailure> {
        Ok(())
    }
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or("?").to_owned();
    format!("{}, {}", line("VmRSS"), line("VmHWM"))
}

/// The same context with an outbox that carries e-mail, as fast as may be.
fn carried(app: &TestApp) -> (Outreach, Outbox) {
    let outbox = Outbox::new(app.sources.clone(), Providers::none().with(Channel::Email, Arc::new(Taker)));
    let mut parts: Parts = (*app.outreach).clone();
    parts.identity.outbox = outbox.clone();
    parts.marketing = marketing::Settings { per_minute: PER_MINUTE, ..parts.marketing };
    (Outreach::new(parts), outbox)
}

#[tokio::main]
async fn main() {
    let recipients: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let engine = if std::env::args().any(|text| text == "postgres") { Engine::Postgres } else { Engine::Sqlite };
    let app = TestApp::on(engine).await.expect("a database; PostgreSQL needs ATALAYA_TEST_POSTGRES");
    let admin = app.as_role(Role::Admin).await;
    let company = app.company(CompanyKind::Customer, "Peritos").await;
    let begun = Instant::now();
    bulk::readers(&app.db, &app.sources, company, recipients).await;
    println!("{recipients} readers written in {:.1?}; {}", begun.elapsed(), memory());

    let (outreach, outbox) = carried(&app);
    let data = json!({"subject": "Novedades", "text": "Hola:\n\nHay novedades.", "audience": {"roles": [3]}});
    let asked = Instant::now();
    admin.post("/api/v1/broadcastEmails", json!({"data": data})).await.expect(202);
    println!("campaign made in {:.1?}", asked.elapsed());
    let begun = Instant::now();
    let mut longest = Duration::ZERO;
    loop {
        let step = Instant::now();
        let written = SendCampaigns::run_due(&outreach).await.expect("the campaign goes on");
        longest = longest.max(step.elapsed());
        let done = usize::try_from(bulk::campaign_messages(&app.db, None).await).unwrap_or_default();
        if written == 0 && done >= recipients {
            break;
        }
        app.clock.advance(TimeDelta::seconds(1));
        if done % 10_000 < usize::try_from(written).unwrap_or_default() {
            println!("  {done} in the outbox after {:.1?}; {}", begun.elapsed(), memory());
        }
    }
    println!("{recipients} messages queued in {:.1?}, longest run {longest:.1?}; {}", begun.elapsed(), memory());

    let dispatcher = Dispatcher::new(app.db.clone(), outbox);
    for part in ["first", "second"] {
        let begun = Instant::now();
        for _ in 0..CARRIED {
            dispatcher.dispatch_next().await.expect("the outbox is read");
        }
        println!("{part} {CARRIED} dispatched by one worker in {:.1?}; {}", begun.elapsed(), memory());
    }
    println!("{} sent", bulk::campaign_messages(&app.db, Some("sent")).await);
}
