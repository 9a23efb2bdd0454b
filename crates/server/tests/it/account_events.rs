//! The event stream of a shell: the unblock signal, and its end with the session (SPEC §4 Blocking).

use atalaya_identity::companies::NewCompany;
use atalaya_identity::events::{AccountEvent, Audience, MenuState};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Client, TestApp, both_engines};
use axum::body::{Body, BodyDataStream};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, header};
use chrono::TimeDelta;
use futures::StreamExt;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tower::ServiceExt;

struct Feed {
    stream: BodyDataStream,
    buffer: String,
}

impl Feed {
    async fn open(app: &TestApp, client: &Client) -> Self {
        let token = client.token.as_deref().expect("logged in");
        let mut request = Request::get("/api/v1/account-events")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::empty())
            .expect("a request");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 40000))));
        let response = app.router.clone().oneshot(request).await.expect("the router always answers");
        assert_eq!(
            (response.status().as_u16(), &response.headers()[header::CONTENT_TYPE]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self { stream: response.into_body().into_data_stream(), buffer: String::new() }
    }

    /// The next event's name and data; `None` at the end of the stream.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.buffer.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(|v| v.trim().to_owned());
                let found = (field("event:").unwrap_or_default(), field("data:").unwrap_or_default());
                self.buffer = rest.to_owned();
                return Some((found.0, serde_json::from_str(&found.1).expect("data is JSON")));
            }
            let piece = tokio::time::timeout(Duration::from_secs(20), self.stream.next()).await.expect("an event in time")?;
            self.buffer.push_str(std::str::from_utf8(&piece.expect("readable")).expect("UTF-8"));
        }
    }
}

both_engines! {
    async fn a_shell_is_told_what_concerns_it_and_nothing_else(app) {
        let (mine, other) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let mut feed = Feed::open(app, &app.log_in(&mine).await).await;
        assert_eq!(feed.next().await, Some(("sync".into(), json!({}))), "read `me` first");
        let tell = |audience, menu| app.identity.events.publish(AccountEvent { audience, menu });
        tell(Audience::Company(other.company), MenuState::Blocked);
        tell(Audience::User(other.id), MenuState::Blocked);
        tell(Audience::Company(mine.company), MenuState::Blocked);
        assert_eq!(feed.next().await, Some(("unblockMenu".into(), json!({"state": "blocked"}))));
        tell(Audience::User(mine.id), MenuState::MobileUnblocked);
        assert_eq!(feed.next().await, Some(("unblockMenu".into(), json!({"state": "mobile-unblocked"}))));
        tell(Audience::Company(mine.company), MenuState::Unblocked);
        assert_eq!(feed.next().await, Some(("unblockMenu".into(), json!({"state": "unblocked"}))));
    }

    async fn a_payment_start_that_comes_is_noticed_without_an_announcement(app) {
        let start = app.sources.now() + TimeDelta::minutes(10);
        let company = app.company_with(NewCompany::named(CompanyKind::Customer, "Cliente").paying(start)).await;
        let worker = app.person_in(company, Role::Worker).await;
        let mut feed = Feed::open(app, &app.log_in(&worker).await).await;
        assert_eq!(feed.next().await.expect("an event").0, "sync");
        assert_eq!(feed.next().await.expect("an event").0, "ping", "nothing has changed yet");
        app.advance(TimeDelta::minutes(10));
        assert_eq!(feed.next().await, Some(("unblockMenu".into(), json!({"state": "unblocked"}))));
        assert_eq!(feed.next().await.expect("an event").0, "ping", "told once");
    }

    async fn a_piece_that_opens_calls_is_told_although_requests_stay_blocked(app) {
        let start = app.sources.now() + TimeDelta::days(10);
        let trial = NewCompany { iban: None, ..NewCompany::named(CompanyKind::Customer, "Cliente").paying(start) };
        let company = app.company_with(trial).await;
        let (principal, worker) = (app.person_in(company, Role::Customer).await, app.person_in(company, Role::Worker).await);
        let mut feed = Feed::open(app, &app.log_in(&worker).await).await;
        assert_eq!(feed.next().await.expect("an event").0, "sync");
        let principal = app.log_in(&principal).await;
        let body = json!({"customer": {"_id": company, "bankAccount": "ES9121000418450200051332"}});
        principal.put("/api/v1/customer", body).await.ok();
        assert_eq!(feed.next().await, Some(("unblockMenu".into(), json!({"state": "blocked"}))), "read `me` again");
        principal.put("/api/v1/customer", json!({"customer": {"_id": company, "city": "Sagunto"}})).await.ok();
        assert_eq!(feed.next().await.expect("an event").0, "ping", "a new address is nobody's menu");
    }

    async fn a_session_that_ends_takes_its_stream_along(app) {
        let principal = app.person(Role::Customer).await;
        let member = app.person_in(principal.company, Role::Worker).await;
        let (leaver, dismissed) = (app.log_in(&principal).await, app.log_in(&member).await);
        let (mut one, mut two) = (Feed::open(app, &leaver).await, Feed::open(app, &dismissed).await);
        let body = json!({"user": {"_id": member.id, "status": 1}});
        leaver.put("/api/v1/user", body).await.ok();
        leaver.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        for feed in [&mut one, &mut two] {
            let mut last = None;
            while let Some((name, _)) = feed.next().await {
                last = Some(name);
            }
            assert_eq!(last.as_deref(), Some("sync"), "no sign of life after the end");
        }
    }
}
