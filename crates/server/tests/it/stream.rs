//! The event stream of one conference: a snapshot, then what happens.

use crate::support::{Case, png, text};
use atalaya_testkit::{TestApp, both_engines};
use axum::body::{Body, BodyDataStream};
use axum::extract::ConnectInfo;
use axum::http::{Request, header};
use futures::StreamExt;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tower::ServiceExt;

/// Somebody reading the stream.
struct Feed {
    stream: BodyDataStream,
    buffer: String,
}

impl Feed {
    async fn open(app: &TestApp, case: &Case<'_>) -> Self {
        let token = case.staff.token.as_deref().expect("logged in");
        let mut request = Request::get(format!("/api/v1/conference-events/{}", case.id))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::empty())
            .expect("a request");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 40000))));
        let response = app.router.clone().oneshot(request).await.expect("the router always answers");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Self { stream: response.into_body().into_data_stream(), buffer: String::new() }
    }

    /// The next event's name and data.
    async fn next(&mut self) -> (String, Value) {
        loop {
            if let Some((event, rest)) = self.buffer.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(|v| v.trim().to_owned());
                let found = (field("event:").unwrap_or_default(), field("data:").unwrap_or_default());
                self.buffer = rest.to_owned();
                return (found.0, serde_json::from_str(&found.1).expect("data is JSON"));
            }
            let piece = tokio::time::timeout(Duration::from_secs(20), self.stream.next()).await.expect("an event in time");
            let piece = piece.expect("the stream goes on").expect("readable");
            self.buffer.push_str(std::str::from_utf8(&piece).expect("UTF-8"));
        }
    }

    async fn ends_within(&mut self, limit: Duration) {
        let end = async {
            while let Some(piece) = self.stream.next().await {
                piece.expect("readable");
            }
        };
        tokio::time::timeout(limit, end).await.expect("the stream ends soon after the log-in");
    }

    /// The next event of this name.
    async fn until(&mut self, name: &str) -> Value {
        for _ in 0..20 {
            let (found, data) = self.next().await;
            if found == name {
                return data;
            }
        }
        panic!("no event {name}");
    }
}

both_engines! {
    // LIVE-1
    async fn a_screen_gets_the_whole_and_then_every_change(app) {
        let case = Case::open(app).await;
        let mut feed = Feed::open(app, &case).await;
        let (name, snapshot) = feed.next().await;
        assert_eq!(name, "snapshot");
        let mut details = case.details().await;
        assert_eq!(snapshot["conference"]["_id"], json!(case.id));
        for body in [&mut details, &mut snapshot.clone()] {
            body["conference"]["jwt"] = Value::Null;
        }
        assert_eq!(snapshot["tracks"], details["tracks"], "the same shape as the details");
        assert_eq!(snapshot["progress"], details["progress"]);

        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let track = feed.until("track").await;
        assert_eq!((&track["type"], &track["seq"], &track["actor"]), (&json!("LINK_OPENED"), &json!(2), &json!("client")));
        assert_eq!(feed.until("progress").await["current"], "legal");
        let key = case.accept().await;
        assert_eq!(feed.until("progress").await["current"], "permissions");

        case.client_with(&key, "chat", json!({"text": "Ya veo"})).await.ok();
        assert_eq!(feed.until("chat").await["text"], "Ya veo");
        case.capture(&key, &json!({"method": "takePhoto"}), &png()).await.ok();
        let media = feed.until("media").await;
        assert_eq!((&media["type"], &media["origin"]), (&json!("PICTURE"), &json!("call")));
        case.post("conference-resend", json!({"channel": "sms"})).await.ok();
        assert_eq!(text(&feed.until("message").await["state"]), "captured");

        case.room_starts("RM_1").await;
        case.joins("client:0a0b0c0d", "PA_1").await;
        let people = feed.until("participant").await;
        assert!(people.to_string().contains("client:0a0b0c0d"), "{people}");
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(feed.until("closed").await, json!({}));
        let mut late = Feed::open(app, &case).await;
        assert_eq!(late.next().await.1["conference"]["closed"], true, "a closed one can be watched too");
    }

    // LIVE-2
    async fn watchers_hear_their_own_conference_only(app) {
        let (mine, other) = (Case::open(app).await, Case::open(app).await);
        let mut feed = Feed::open(app, &mine).await;
        feed.until("snapshot").await;
        other.post("conference-chat", json!({"text": "de otro"})).await.ok();
        mine.post("conference-chat", json!({"text": "mío"})).await.ok();
        assert_eq!(feed.until("chat").await["text"], "mío");
    }

    // LIVE-5
    async fn an_id_of_nobody_or_of_others_costs_nothing(app) {
        let (mine, other) = (Case::open(app).await, Case::open(app).await);
        for id in [app.sources.uuid().to_string(), other.id.clone()] {
            mine.staff.get(&format!("/api/v1/conference-events/{id}")).await.problem(404, "CONFERENCE_NOT_FOUND");
        }
        assert_eq!(app.assistance.live.watched(), 0);
        let mut feed = Feed::open(app, &mine).await;
        feed.until("snapshot").await;
        assert_eq!(app.assistance.live.watched(), 1);
        drop(feed);
        assert_eq!(app.assistance.live.watched(), 0);
    }

    // LIVE-3, SESSION-12
    async fn a_stream_lasts_over_a_renewal_and_ends_with_the_whole_log_in(app) {
        let case = Case::open(app).await;
        let mut feed = Feed::open(app, &case).await;
        feed.until("snapshot").await;
        let renewed = case.staff.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
        app.advance(chrono::TimeDelta::seconds(70));
        tokio::time::sleep(Duration::from_millis(800)).await;
        let fresh = app.anonymous().with_token(text(&renewed["token"]));
        fresh.post(&format!("/api/v1/conference-chat/{}", case.id), json!({"text": "sigo"})).await.ok();
        assert_eq!(feed.until("chat").await["text"], "sigo");
        fresh.send(axum::http::Method::POST, "/api/v1/logout", None).await.expect(204);
        feed.ends_within(Duration::from_secs(1)).await;
    }

    // LIVE-3, SESSION-12
    async fn a_session_that_ends_takes_its_stream_along(app) {
        let case = Case::open(app).await;
        let mut feed = Feed::open(app, &case).await;
        feed.until("snapshot").await;
        case.staff.send(axum::http::Method::POST, "/api/v1/logout", None).await.expect(204);
        feed.ends_within(Duration::from_secs(1)).await;
    }

    // LIVE-4
    async fn what_another_node_wrote_is_noticed(app) {
        // A second context on the same database: its events do not reach this process's screens.
        let case = Case::open(app).await;
        let mut feed = Feed::open(app, &case).await;
        feed.until("snapshot").await;
        let id = case.id.parse().expect("an id");
        let tx = app.db.write().await.unwrap();
        let new = atalaya_cases::evidence::NewTrack::new(
            atalaya_kernel::events::TrackType::LinkOpened,
            atalaya_cases::evidence::Actor::Client,
            json!({}),
        );
        atalaya_cases::conferences::append(&tx, &app.assistance, id, new).await.unwrap();
        tx.commit().await.unwrap();
        let snapshot = feed.until("snapshot").await;
        assert_eq!(snapshot["seq"], 2);
    }
}
