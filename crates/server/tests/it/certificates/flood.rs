//! A link that is opened again and again, and a long case whose certificate takes its time.

use super::print;
use crate::support::{Case, text};
use atalaya_cases::conferences;
use atalaya_cases::evidence::{self, Actor, NewTrack};
use atalaya_kernel::events::TrackType;
use atalaya_testkit::{TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::json;
use std::time::{Duration, Instant};

async fn open_often(app: &TestApp, case: &Case<'_>, times: u16) {
    for n in 0..times {
        let [high, low] = n.to_be_bytes();
        let phone = app.anonymous().from([10, 7, high, low]);
        phone.post(&format!("/api/v1/external/{}/track", case.hash), json!({"type": "LINK_OPENED"})).await.expect(204);
    }
}

both_engines! {
    // EVID-32
    async fn openings_without_end_are_counted(app) {
        let case = Case::open(app).await;
        open_often(app, &case, 150).await;
        let opened = |tracks: Vec<String>| tracks.iter().filter(|track| *track == "LINK_OPENED").count();
        assert_eq!(opened(case.tracks().await), 30);
        app.advance(TimeDelta::minutes(59));
        open_often(app, &case, 10).await;
        app.advance(TimeDelta::minutes(2));
        let mut case = case;
        case.log_in_again().await;
        open_often(app, &case, 10).await;
        let details = case.details().await;
        let last = details["tracks"].as_array().unwrap().iter().rfind(|track| track["type"] == "LINK_OPENED").unwrap().clone();
        assert_eq!(last["data"]["repeats"], 130, "the first after an hour says how many there were");
        assert_eq!(opened(case.tracks().await), 31);
        case.post("conference-close", json!({})).await.ok();
        let details = case.details().await;
        let closed = details["tracks"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(closed["data"]["repeated"], json!({"LINK_OPENED": 9}));
        let head = evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap();
        assert!(head.is_ok(), "{head:?}");
        print(&case, "").await;
    }

    // EVID-33
    async fn a_full_conference_takes_nothing_more_from_its_client(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        fill(app, &case, 3000).await;
        case.client_with(&key, "chat", json!({"text": "Hola"})).await.problem(429, "TOO_MANY_TRIES");
        case.capture(&key, &json!({}), &crate::support::png()).await.problem(429, "TOO_MANY_TRIES");
        case.client("legal", case.notice(true).await).await.problem(429, "TOO_MANY_TRIES");
        case.post("conference-chat", json!({"text": "Seguimos"})).await.ok();
        case.post("conference-close", json!({})).await.ok();
    }

    // CERT-25
    async fn others_write_while_a_long_certificate_is_set(app) {
        let (case, other) = (Case::open(app).await, Case::open(app).await);
        fill(app, &case, 800).await;
        case.post("conference-close", json!({})).await.ok();
        let printing = async {
            let started = Instant::now();
            print(&case, "").await;
            started.elapsed()
        };
        let writing = async {
            let mut slowest = Duration::ZERO;
            for _ in 0..40 {
                let started = Instant::now();
                other.post("conference-chat", json!({"text": "sigo"})).await.ok();
                slowest = slowest.max(started.elapsed());
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            slowest
        };
        let (set, slowest) = tokio::join!(printing, writing);
        assert!(slowest < set / 2, "a write waited {slowest:?} while the certificate took {set:?}");
        let again = print(&case, "").await;
        assert_eq!(print(&case, "").await.body, again.body);
    }
}

/// Fills a conference with reconnections of its client, as many events as asked for.
async fn fill(app: &TestApp, case: &Case<'_>, events: usize) {
    let id = case.id.parse().expect("an id");
    let before = case.tracks().await.len();
    let tx = app.db.write().await.unwrap();
    for _ in before..events {
        let data = json!({"browser": "Chrome", "os": "Android", "identity": text(&json!("client:00000000"))});
        conferences::append(&tx, &app.assistance, id, NewTrack::new(TrackType::LinkOpened, Actor::Client, data)).await.unwrap();
    }
    tx.commit().await.unwrap();
}
