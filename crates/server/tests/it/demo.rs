//! The example conferences of `serve --demo`: made by the services, under dates of the past.

use crate::support::text;
use atalaya_assistance::demo;
use atalaya_cases::evidence;
use atalaya_kernel::{CompanyKind, ConferenceId, Role};
use atalaya_rest::caller::{Caller, Via};
use atalaya_testkit::{TestApp, both_engines};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

/// Ids of every conference, the oldest first.
async fn conferences(app: &TestApp) -> Vec<ConferenceId> {
    let backend = app.db.read().get_database_backend();
    let statement = Statement::from_string(backend, "SELECT id FROM conference ORDER BY created_at");
    let rows = app.db.read().query_all_raw(statement).await.expect("the query runs");
    rows.iter().map(|row| ConferenceId(row.try_get::<Uuid>("", "id").expect("an id"))).collect()
}

both_engines! {
    // DEMO-1, DEMO-2, DEMO-3
    async fn the_examples_agree_with_themselves(app) {
        let company = app.company(CompanyKind::Customer, "Peritaciones Levante").await;
        let principal = app.log_in(&app.person_in(company, Role::Customer).await).await;
        let (ana, luis) = (app.person_in(company, Role::Worker).await, app.person_in(company, Role::Worker).await);
        assert!(conferences(app).await.is_empty(), "nothing without being asked");
        let made = demo::seed(&app.assistance, &atalaya_client_files::demo::Requests, company, &[ana.id, luis.id]).await.unwrap();
        let ids = conferences(app).await;
        assert_eq!((made, ids.len()), (6, 6));

        let now = app.sources.now();
        let mut seen = Vec::new();
        for id in ids {
            let details = principal.get(&format!("/api/v1/conferences-details/{id}")).await.ok();
            let conference = &details["conference"];
            assert_eq!(conference["closed"], true);
            seen.push((conference["type"].as_i64().unwrap(), text(&conference["observation"]), conference["duration"].as_i64()));
            assert!(evidence::verify(app.db.read(), id).await.unwrap().is_ok());
            let tx = app.db.write().await.unwrap();
            assert!(evidence::rebuild(&tx, id).await.unwrap(), "the summary fits the tracks");
            tx.commit().await.unwrap();

            let times: Vec<String> = details["tracks"].as_array().unwrap().iter().map(|t| text(&t["at"])).collect();
            assert!(times.is_sorted(), "{times:?}");
            let first: chrono::DateTime<chrono::Utc> = times[0].parse().unwrap();
            let last: chrono::DateTime<chrono::Utc> = times.last().unwrap().parse().unwrap();
            assert!(first < last && last < now);
            assert_eq!(conference["createdAt"], json!(first));
            assert!(details["messages"].as_array().unwrap().iter().all(|m| m["state"] == "captured"), "nothing is sent");
        }
        let expected = [
            (1, "noLink", None),
            (2, "noLegal", None),
            (1, "permissions", None),
            (2, "correct", Some(203)),
            (1, "unknown", Some(8)),
            (1, "correct", Some(284)),
        ];
        assert_eq!(seen, expected.map(|(kind, state, duration)| (kind, state.to_owned(), duration)));
    }

    // DEMO-4
    async fn the_last_example_has_pictures_a_video_and_a_document(app) {
        let company = app.company(CompanyKind::Customer, "Peritaciones Levante").await;
        let worker = app.person_in(company, Role::Worker).await;
        demo::seed(&app.assistance, &atalaya_client_files::demo::Requests, company, &[worker.id]).await.unwrap();
        let client = app.log_in(&worker).await;
        let id = *conferences(app).await.last().unwrap();
        let list = client.get(&format!("/api/v1/conference-media/{id}")).await.ok();
        assert_eq!(list["conference"]["isNewMedia"], true);
        let media = list["media"].as_array().unwrap().clone();
        let of = |kind: &str| media.iter().filter(|item| item["type"] == kind).count();
        assert_eq!((of("PICTURE"), of("VIDEO"), of("DOCUMENT")), (7, 1, 1));
        let total: usize = media.iter().map(|item| item["size"].as_u64().unwrap() as usize).sum();
        assert!(total < 1 << 20, "small: {total} bytes");
        for item in &media {
            let file = client.get(&text(&item["url"])).await;
            file.expect(200);
            assert_eq!(json!(crate::support::sha256(&file.body)), item["hash"]);
            if item["type"] == "PICTURE" {
                client.get(&text(&item["thumbnail"])).await.expect(200);
                assert_eq!((&item["origin"], &item["method"]), (&json!("call"), &json!("takePhoto")));
                assert!(item["latitude"].is_string() && item["accuracy"] == 8, "{item}");
            }
        }
        let video = media.iter().find(|item| item["type"] == "VIDEO").unwrap();
        assert!(video["durationMs"].as_i64().is_some_and(|ms| ms > 13_000), "{video}");
        let document = media.iter().find(|item| item["type"] == "DOCUMENT").unwrap();
        assert_eq!(document["originalFileName"], "Parte amistoso.pdf");
        let chat = client.get(&format!("/api/v1/conference-chat/{id}")).await.ok()["messages"].clone();
        assert_eq!(chat.as_array().map(Vec::len), Some(3));
        let old = conferences(app).await[3];
        let looked = client.get(&format!("/api/v1/conference-media/{old}")).await.ok();
        assert_eq!(looked["conference"]["isNewMedia"], Value::Bool(false), "looked at then");
    }

    // DEMO-5
    async fn example_incidences_stand_in_every_status(app) {
        let admin = app.person(Role::Admin).await;
        let company = app.company(CompanyKind::Customer, "Peritaciones Levante").await;
        let (ana, luis) = (app.person_in(company, Role::Worker).await, app.person_in(company, Role::Worker).await);
        let workshop = app.person(Role::CarRepairShop).await;
        demo::seed(&app.assistance, &atalaya_client_files::demo::Requests, company, &[ana.id, luis.id]).await.unwrap();
        let [admin_by, ana, luis, workshop] = [&admin, &ana, &luis, &workshop].map(|person| Caller {
            user: person.id,
            role: person.role,
            company: person.company,
            session: app.sources.id(),
            support: false,
            language: None,
            via: Via::Bearer,
        });
        atalaya_records::demo::seed_incidences(&app.records, &admin_by, [&ana, &luis], &workshop).await.unwrap();
        let client = app.log_in(&admin).await;
        let list = client.get(&format!("/api/v1/incidences/{}", admin.id)).await.ok();
        let rows = list["incidences"].as_array().unwrap();
        let mut seen: Vec<(i64, i64)> = rows.iter().map(|row| (row["status"].as_i64().unwrap(), row["type"].as_i64().unwrap())).collect();
        seen.sort_unstable();
        assert_eq!(seen, [(1, 2), (2, 1), (3, 2), (4, 2)]);
        assert!(rows.iter().all(|row| text(&row["updatedAt"]).parse::<chrono::DateTime<chrono::Utc>>().unwrap() <= app.sources.now()));
        let about = rows.iter().find(|row| row["type"] == 1).unwrap();
        let detail = client.get(&format!("/api/v1/incidence/{}", text(&about["_id"]))).await.ok()["incidence"].clone();
        assert_eq!((&detail["imageCount"], detail["notes"].as_array().map(Vec::len)), (&json!(1), Some(1)));
        assert!(detail["diagnostics"]["tracks"].as_array().is_some_and(|tracks| tracks.len() > 3));
    }

    // DEMO-1
    async fn without_workers_there_are_no_examples(app) {
        let company = app.company(CompanyKind::Customer, "Vacía").await;
        assert_eq!(demo::seed(&app.assistance, &atalaya_client_files::demo::Requests, company, &[]).await.unwrap(), 0);
        assert!(conferences(app).await.is_empty());
    }
}
