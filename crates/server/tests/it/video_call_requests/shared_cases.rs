//! What the repair side reads of the conferences that its requests became.

use super::{Desk, respond, run};
use crate::media::storage::unzip;
use crate::privacy::dump;
use crate::support::{Case, multipart, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use axum::http::Method;
use serde_json::{Value, json};

/// What the chain, the case and the files of the conference below say of the client, and of what was said and sent.
const PRIVATE: &[&str] = &[
    "600123456",
    "600 123 456",
    "Remedios",
    "Desenga",
    "Utrera",
    "41710",
    "192.0.2.1",
    "40.4168",
    "-3.7038",
    "@",
    "Debe dos",
    "Rotura",
    "client:0001",
];

/// The request of a desk as a conference with a chat, a position and a described picture.
async fn full_case<'a>(desk: &Desk<'a>) -> Case<'a> {
    let request = desk.ask().await;
    let staff = desk.of(&desk.worker).await;
    let opened = staff.post("/api/v1/video-call-respond", respond(&request)).await.ok();
    let of = |key: &str| text(&opened["conference"][key]);
    let (id, hash) = (of("_id"), of("hash"));
    let case = Case { app: desk.app, owner: desk.worker.clone(), staff, opened, id, hash };
    let sql = "UPDATE conference SET contact_person = 'Remedios', email = 'r@correo.example', city = 'Utrera', \
               full_address = 'Calle Desengaño 21', address = 'Desengaño', city_region = 'Utrera', postal_code = '41710'";
    run(desk.app, sql, vec![]).await;
    let key = case.accept().await;
    let fix = json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 5}});
    case.client_with(&key, "track", fix).await.expect(204);
    case.client_with(&key, "chat", json!({"text": "Me llamo Remedios"})).await.ok();
    let meta = json!({"method": "takePhoto", "latitude": 40.4168, "longitude": -3.7038, "accuracy": 5});
    let item = text(&case.capture(&key, &meta, &png()).await.ok()["media"]["_id"]);
    let change = json!({"media": {"label": "Rotura", "note": "Debe dos recibos"}});
    case.staff.put(&format!("/api/v1/media/{item}"), change).await.ok();
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_1").await;
    case.joins("client:0001", "PA_2").await;
    case
}

/// The customer's principal closes a conference and erases it.
async fn erase(desk: &Desk<'_>, id: &str) {
    let boss = desk.of(&desk.app.person_in(desk.worker.company, Role::Customer).await).await;
    boss.post(&format!("/api/v1/conference-close/{id}"), json!({})).await.ok();
    boss.post(&format!("/api/v1/conference-erase/{id}"), json!({"reason": "Lo pide la clienta"})).await.ok();
}

both_engines! {
    // REQUEST-19, REQUEST-20
    async fn a_conference_is_in_both_lists_and_only_its_starter_s_side_reads_it(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let worker = desk.of(&desk.worker).await;
        let opened = worker.post("/api/v1/video-call-respond", respond(&request)).await.ok()["conference"].clone();
        let id = text(&opened["_id"]);
        let (kind, body) = multipart(None, "golpe.png", "image/png", &png());
        let media = format!("/api/v1/conference-media/{id}");
        let picture = text(&worker.send_body(Method::POST, &media, Some(&kind), body).await.ok()["media"]["url"]);

        let boss = app.person_in(desk.operator.company, Role::CarRepairShop).await;
        let colleague = app.person_in(desk.operator.company, Role::WorkshopOperator).await;
        let stranger = app.person(Role::CarRepairShop).await;
        let admin = app.person(Role::Admin).await;
        let path = |company| format!("/api/v1/conferences-autos-details/{company}");
        let listed = async |person, company| {
            let found = desk.of(person).await.post(&path(company), json!({})).await.ok();
            found["conferences"].as_array().unwrap().clone()
        };
        let shops = desk.operator.company;
        for (person, company, rows) in [
            (&desk.worker, desk.worker.company, 1), (&desk.operator, shops, 1), (&boss, shops, 1), (&colleague, shops, 0),
            (&stranger, stranger.company, 0), (&admin, shops, 1), (&admin, desk.worker.company, 1),
        ] {
            assert_eq!(listed(person, company).await.len(), rows, "{:?} of {company}", person.role);
        }
        desk.of(&stranger).await.post(&path(shops), json!({})).await.problem(404, "COMPANY_NOT_FOUND");
        desk.of(&boss).await.post(&path(desk.worker.company), json!({})).await.problem(404, "COMPANY_NOT_FOUND");

        let details = format!("/api/v1/conferences-details/{id}");
        for person in [&desk.operator, &boss] {
            let browser = desk.of(person).await;
            let seen = browser.get(&details).await.ok();
            assert_eq!(seen["conference"]["expedientNumber"], "EXP-7");
            for hidden in [&seen["conference"]["hash"], &seen["link"]] {
                assert_eq!(hidden, "", "the client's secret is not handed on");
            }
            assert_eq!((&seen["conference"]["jwt"], &seen["conference"]["mayRequestFiles"]), (&Value::Null, &json!(false)));
            assert_eq!(listed(person, shops).await[0]["hash"], "");
            let files = browser.get(&media).await.ok();
            assert_eq!((files["media"].as_array().map(Vec::len), &files["conference"]["hash"]), (Some(1), &json!("")));
            assert_eq!(browser.get(&picture).await.status, 200);
            assert_eq!(browser.get(&format!("/uploads/{id}.zip")).await.status, 200);
            for call in ["conference-close", "conference-resend", "conference-code", "conference-chat"] {
                browser.post(&format!("/api/v1/{call}/{id}"), json!({"channel": "sms", "text": "x"})).await.problem(403, "ROLE_NOT_ALLOWED");
            }
            for call in ["conference-events", "print-cert", "client-files"] {
                browser.get(&format!("/api/v1/{call}/{id}")).await.problem(403, "ROLE_NOT_ALLOWED");
            }
        }
        assert_eq!(listed(&desk.worker, desk.worker.company).await[0]["newFiles"], 1, "their looking makes nothing seen");
        for person in [&colleague, &stranger] {
            let browser = desk.of(person).await;
            browser.get(&details).await.problem(404, "CONFERENCE_NOT_FOUND");
            browser.get(&media).await.problem(404, "CONFERENCE_NOT_FOUND");
            browser.get(&picture).await.problem(404, "MEDIA_NOT_FOUND");
            browser.get(&format!("/uploads/{id}.zip")).await.problem(404, "CONFERENCE_NOT_FOUND");
        }
    }

    // REQUEST-19
    async fn a_conference_that_nobody_asked_for_is_the_customer_s_alone(app) {
        let desk = Desk::new(app).await;
        let other = Case::open_by(app, desk.worker.clone(), json!({})).await;
        let boss = app.person_in(desk.operator.company, Role::CarRepairShop).await;
        for person in [&desk.operator, &boss] {
            let details = format!("/api/v1/conferences-details/{}", other.id);
            desk.of(person).await.get(&details).await.problem(404, "CONFERENCE_NOT_FOUND");
        }
    }

    // REQUEST-20
    async fn the_repair_side_reads_nothing_private_of_the_client(app) {
        let desk = Desk::new(app).await;
        let case = full_case(&desk).await;
        let boss = app.person_in(desk.operator.company, Role::CarRepairShop).await;
        let list = |person: &atalaya_testkit::Person| format!("/api/v1/conferences-autos-details/{}", person.company);
        let (details, media) = (format!("/api/v1/conferences-details/{}", case.id), format!("/api/v1/conference-media/{}", case.id));
        let whole = format!("{}{}", case.details().await, case.staff.get(&media).await.ok());
        for word in PRIVATE.iter().filter(|word| !["@", "600 123 456", "client:0001"].contains(word)) {
            assert!(whole.contains(word), "its own company reads {word}");
        }
        for person in [&desk.operator, &boss] {
            let browser = desk.of(person).await;
            let seen = browser.get(&details).await.ok();
            let rows = browser.post(&list(person), json!({})).await.ok();
            let files = browser.get(&media).await.ok();
            for (what, answer) in [("details", &seen), ("rows", &rows), ("files", &files)] {
                let said = answer.to_string().replace("\"identity\":\"client:0001\"", "");
                for word in PRIVATE {
                    assert!(!said.contains(word), "{what} say {word}: {said}");
                }
            }
            let tracks = seen["tracks"].as_array().unwrap();
            assert!(tracks.iter().any(|track| track["type"] == "CHAT" && track["actor"] == "client" && track["at"].is_string()));
            assert!(tracks.iter().all(|track| track["data"] == json!({}) && track["hash"] == ""));
            assert_eq!((&seen["positions"], &seen["messages"]), (&json!([]), &json!([])));
            assert_eq!((&seen["conference"]["phoneNumber"], &seen["conference"]["carId"]), (&json!(""), &json!("1234 BCD")));
            let file = &files["media"][0];
            for hidden in ["note", "label", "reviewNote", "participant", "requestId", "itemId", "latitude", "longitude", "accuracy"] {
                assert_eq!(file[hidden], Value::Null, "{hidden}");
            }
            assert_eq!((&file["isNewMedia"], &file["type"]), (&json!(false), &json!("PICTURE")));
        }
    }

    // REQUEST-21
    async fn the_repair_side_finds_by_what_it_is_shown(app) {
        let desk = Desk::new(app).await;
        let _case = full_case(&desk).await;
        let (operator, worker) = (desk.of(&desk.operator).await, desk.of(&desk.worker).await);
        let (shops, customers) = (desk.operator.company, desk.worker.company);
        let path = |company, query: &str| format!("/api/v1/conferences-autos-details/{company}?{query}");
        for (query, repair, customer) in
            [("search=600123456", 0, 1), ("search=EXP-7", 1, 1), ("search=1234%20bcd", 1, 1), ("search=apellido", 1, 1), ("search=nadie", 0, 0)]
        {
            assert_eq!(operator.post(&path(shops, query), json!({})).await.ok()["total"], repair, "{query}");
            assert_eq!(worker.post(&path(customers, query), json!({})).await.ok()["total"], customer, "{query}");
        }
        operator.post(&path(shops, "sort=phoneNumber"), json!({})).await.problem(422, "INVALID_FIELDS");
        worker.post(&path(customers, "sort=phoneNumber"), json!({})).await.ok();
        operator.post(&path(shops, "sort=-carId"), json!({})).await.ok();
        assert_eq!(operator.post(&path(shops, "format=xlsx"), json!({})).await.status, 200);
    }

    // REQUEST-22
    async fn the_repair_side_s_archive_holds_the_files_alone(app) {
        let desk = Desk::new(app).await;
        let case = full_case(&desk).await;
        let names = |answer: atalaya_testkit::Answer| -> Vec<String> {
            assert_eq!(answer.status, 200);
            unzip(&answer.body).into_iter().map(|(name, _)| name).collect()
        };
        let operator = desk.of(&desk.operator).await;
        let place = text(&operator.get(&format!("/api/v1/zip/{}", case.id)).await.ok()["zip"]);
        let whole = names(case.staff.get(&place).await);
        assert!(whole.contains(&"manifest.json".to_owned()) && whole.len() == 3, "{whole:?}");
        let archive = operator.get(&place).await;
        assert_eq!(unzip(&archive.body)[0].1, png());
        assert_eq!(names(archive), whole[..1], "the picture");
    }

    // REQUEST-23
    async fn an_erasure_takes_what_people_said_and_heard_of_the_request(app) {
        let desk = Desk::new(app).await;
        let colleague = app.person_in(desk.worker.company, Role::Worker).await;
        let (other, kept) = (Desk::new(app).await, "Pasado a otra persona");
        for desk in [&desk, &other] {
            let request = desk.ask().await;
            let id = &request["_id"];
            let agreed = json!({"videoCallRequestId": id, "callbackAt": "2026-11-20T10:00:00Z"});
            desk.of(&desk.operator).await.post("/api/v1/video-call-callback", agreed).await.ok();
            assert_eq!(desk.told(&desk.worker).await, ["callback-agreed"]);
        }
        let request = desk.seen_by(&desk.operator).await[0].clone();
        let reason = json!({"videoCallRequestId": request["_id"], "reason": "Conozco a Remedios"});
        desk.of(&colleague).await.post("/api/v1/video-call-refuse", reason).await.ok();
        let theirs = other.seen_by(&other.operator).await[0].clone();
        let reason = json!({"videoCallRequestId": theirs["_id"], "reason": kept});
        other.of(&other.worker).await.post("/api/v1/video-call-refuse", reason).await.ok();
        let opened = desk.of(&desk.worker).await.post("/api/v1/video-call-respond", respond(&request)).await.ok();
        erase(&desk, &text(&opened["conference"]["_id"])).await;
        let refusals = dump(app, "video_call_refusal").await;
        assert!(!refusals.contains("Remedios") && refusals.contains(kept), "{refusals}");
        assert_eq!(desk.seen_by(&desk.operator).await[0]["region"], "");
        assert!(desk.told(&desk.worker).await.is_empty() && desk.told(&desk.operator).await.is_empty(), "they named the case");
        assert_eq!(other.told(&other.worker).await, ["callback-agreed"], "another's stays");
    }

    // REQUEST-23
    async fn an_erasure_takes_the_case_out_of_its_request(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let opened = desk.of(&desk.worker).await.post("/api/v1/video-call-respond", respond(&request)).await.ok();
        erase(&desk, &text(&opened["conference"]["_id"])).await;
        let seen = desk.seen_by(&desk.operator).await[0].clone();
        assert_eq!((&seen["expedient"], &seen["plate"], &seen["starterPhone"]), (&json!(""), &Value::Null, &Value::Null));
        assert_eq!(seen["url"], Value::Null);
        assert!(desk.told(&desk.operator).await.is_empty(), "the notice named the case");
    }
}
