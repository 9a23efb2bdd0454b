//! The root of each day: closed once, linked to the one before, stamped, published, and what an archive proves with it.

use super::archive::{Given, archive, faults, manifest, pack, page_of, said_with, with_manifest};
use super::lived;
use super::stamps::Tsa;
use crate::media::storage::unzip;
use crate::support::{Case, png, text};
use atalaya_cases::evidence::merkle;
use atalaya_cases::evidence_keys::{PublicKey, Statement, key_blocks};
use atalaya_records::evidence_days::jobs::{close, stamp};
use atalaya_testkit::{TestApp, both_engines};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::{DateTime, Days, TimeDelta, Utc};
use serde_json::{Value, json};

async fn roots(app: &TestApp, query: &str) -> Value {
    app.anonymous().get(&format!("/api/v1/evidence-roots{query}")).await.ok()
}

/// Lets the day end.
fn to_next_day(app: &TestApp) {
    let now: DateTime<Utc> = app.sources.now();
    let next = (now.date_naive() + Days::new(1)).and_time(chrono::NaiveTime::MIN).and_utc();
    app.advance(next - now + TimeDelta::minutes(10));
}

async fn published_key(app: &TestApp) -> PublicKey {
    let pem = app.anonymous().get("/.well-known/atalaya-evidence.pem").await;
    key_blocks(std::str::from_utf8(&pem.body).unwrap()).remove(0).0
}

both_engines! {
    // EVID-50, EVID-51, EVID-52
    async fn a_day_is_closed_once_linked_to_the_one_before_and_published(app) {
        assert_eq!(roots(app, "").await, json!({"roots": [], "next": null}));
        let mut case = lived(app).await;
        let first_seal = text(&manifest(&unzip(&archive(&case).await))["seal"]["root"]);
        assert_eq!(close(&app.records).await.unwrap(), 0, "the day is not over");
        let day = app.sources.now().date_naive().to_string();
        to_next_day(app);
        assert_eq!(close(&app.records).await.unwrap(), 1);
        assert_eq!(close(&app.records).await.unwrap(), 0, "once");
        let list = roots(app, "").await;
        let first = list["roots"][0].clone();
        assert_eq!((&first["day"], &first["previous"]), (&json!(day), &json!("00".repeat(32))));
        let seals = first["seals"].as_u64().unwrap();
        assert!(seals >= 1 && list["roots"].as_array().unwrap().len() == 1);
        let statement = [&day, &text(&first["previous"]), &(seals + 1).to_string(), &text(&first["root"]), &text(&first["closedAt"])];
        let signed = Statement::Day(statement.map(String::as_str)).text(&text(&first["key"]));
        assert!(published_key(app).await.signed(&signed, &text(&first["signature"])), "signed by the published key");

        // A day without seals has no root; the next with one follows the first.
        to_next_day(app);
        to_next_day(app);
        case.log_in_again().await;
        case.upload("otro.png", "image/png", &png()).await.ok();
        let second_day = app.sources.now().date_naive().to_string();
        to_next_day(app);
        assert_eq!(close(&app.records).await.unwrap(), 1);
        let list = roots(app, "").await;
        assert_eq!((&list["roots"][0]["day"], &list["roots"][0]["previous"]), (&json!(second_day), &first["root"]));
        assert_eq!(roots(app, &format!("?before={second_day}")).await["roots"], json!([first]));
        let wrong = app.anonymous().get("/api/v1/evidence-roots?before=ayer").await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong["errors"][0]["field"], "before");

        // The archive proves that its seal is under the root.
        case.log_in_again().await;
        let day = manifest(&unzip(&archive(&case).await))["day"].clone();
        assert_eq!(day["root"], list["roots"][0]["root"]);
        assert_ne!(first_seal, text(&day["root"]));
    }

    // EVID-51
    async fn the_root_of_a_day_is_stamped_by_itself(app) {
        let tsa = Tsa::start(app, &["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]).await;
        lived(app).await;
        to_next_day(app);
        close(&app.records).await.unwrap();
        assert_eq!(roots(app, "").await["roots"][0]["timestamp"], Value::Null);
        assert!(stamp(&app.records, &tsa.authority("down")).await.is_err());
        stamp(&app.records, &tsa.authority("tsr")).await.unwrap();
        stamp(&app.records, &tsa.authority("down")).await.expect("nobody is asked when every day has its stamp");
        let root = roots(app, "").await["roots"][0].clone();
        assert_eq!(root["timestamp"]["authority"], "Autoridad de prueba");
        assert!(tsa.verifies(&text(&root["root"]), &BASE64.decode(text(&root["timestamp"]["token"])).unwrap()));
    }

    // EVID-53
    async fn an_archive_is_anchored_by_the_root_that_somebody_kept(app) {
        let mut case = lived(app).await;
        let other = Case::open(app).await;
        other.post("conference-close", json!({})).await.ok();
        let early = archive(&case).await;
        let html = page_of(&unzip(&early));
        to_next_day(app);
        close(&app.records).await.unwrap();
        case.log_in_again().await;
        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let day = manifest(&entries)["day"].clone();
        let root = text(&day["root"]);
        let named = |root: &str| Given { root: Some(root.to_owned()), ..Given::default() };

        let (said, code) = said_with(app, &zip, &html, &named(&root));
        assert!(code == 0 && said.contains(&format!("ANCHOR root {}", text(&day["day"]))), "{said:?}");
        let (said, code) = said_with(app, &zip, &html, &Given::default());
        assert!(code == 3 && said.iter().any(|line| line.starts_with("NOTE under the root of") && line.ends_with(&root)), "{said:?}");
        let (said, code) = said_with(app, &early, &html, &named(&root));
        assert!(code == 3 && said.iter().any(|line| line.contains("under no day's root yet")), "{said:?}");

        // Rebuilt from the seal up, as whoever runs the installation could: its root is not the one that was kept.
        let seal = merkle::parse(&text(&manifest(&entries)["seal"]["root"])).unwrap();
        let (made, beside) = (hex::encode(merkle::root(&[[0; 32], seal])), hex::encode(merkle::root(&[[0; 32]])));
        let rebuilt = with_manifest(&entries, |m| {
            let day = m["day"]["day"].clone();
            m["day"] = json!({"day": day, "root": made, "index": 1, "size": 2, "path": [beside]});
        });
        let path = with_manifest(&entries, |m| m["day"]["path"] = json!([]));
        let swapped = with_manifest(&entries, |m| m["day"]["root"] = json!("ab".repeat(32)));
        let torn = with_manifest(&entries, |m| m["day"]["index"] = json!("x"));
        for (what, forged, fault) in
            [("rebuilt", rebuilt, "FOREIGN_ROOT"), ("path", path, "DAY_PATH"), ("swapped", swapped, "DAY_PATH"), ("torn", torn, "DAY_PATH")]
        {
            let (said, code) = said_with(app, &pack(app, forged).await, &html, &named(&root));
            assert_eq!((faults(said), code), (vec![format!("WRONG {fault} {}", text(&day["day"]))], 1), "{what}");
        }
    }
}
