//! The calls of customers' programs.

use crate::support::{Case, pdf, png, sha256, text};
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Client, Person, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

/// A principal of a customer, and a program with one of their keys.
pub async fn program(app: &TestApp) -> (Person, Client) {
    let person = app.person(Role::Customer).await;
    let key = key_of(app, &person).await;
    (person, app.anonymous().with("x-api-key", &key))
}

/// A new API key of this principal.
pub async fn key_of(app: &TestApp, person: &Person) -> String {
    text(&app.log_in(person).await.post("/api/v1/generate-apiKey", json!({})).await.ok()["apiKey"])
}

pub fn opening() -> Value {
    json!({"expedientNumber": "EXP-7", "contactPerson": "Luis", "phoneNumber": "600 123 456", "type": 2, "send": "none"})
}

fn with(fields: Value) -> Value {
    let mut body = opening();
    body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    body
}

async fn count(app: &TestApp, table: &str) -> i64 {
    let db = app.db.read();
    let sql = format!("SELECT COUNT(*) FROM {table}");
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await.expect("counted");
    row.expect("a row").try_get_by_index(0).expect("a number")
}

/// This person's conference of one minute, in which the client took a picture and the adjuster added a document.
async fn held(app: &TestApp, owner: Person) -> Case<'_> {
    let case = Case::open_by(app, owner, json!({})).await;
    let key = case.enters([]).await;
    case.capture(&key, &json!({"latitude": 40.4168, "longitude": -3.7038}), &png()).await.ok();
    // What arrives in the same instant has no order.
    app.advance(TimeDelta::milliseconds(1));
    case.upload("parte.pdf", "application/pdf", &pdf()).await.ok();
    app.advance(TimeDelta::seconds(60));
    case.post("conference-close", json!({})).await.ok();
    case
}

both_engines! {
    // PUBLIC-2
    async fn a_program_opens_a_conference_as_a_worker_does(app) {
        let (person, program) = program(app).await;
        let worker = app.person_in(person.company, Role::Worker).await;
        let body = with(json!({"send": "sms", "worker": worker.user_name.to_uppercase(), "externalId": "crm-1", "carId": "1234-BCD"}));
        let made = program.post("/ext-api/v1/conferences", body).await.expect(201)["conference"].clone();
        assert_eq!((text(&made["expedientNumber"]), text(&made["phoneNumber"])), ("EXP-7".into(), "+34600123456".into()));
        assert_eq!((text(&made["status"]), text(&made["externalId"])), ("invited".into(), "crm-1".into()));
        assert_eq!((&made["type"], &made["worker"]["_id"]), (&json!(2), &json!(worker.id)));
        let id = text(&made["_id"]);
        assert!(text(&made["adjusterUrl"]).ends_with(&format!("/conference/{id}")));
        let link = text(&made["link"]);
        assert!(link.contains("/c/"));
        // The worker finds it in the web app, a colleague does not, and the client got the message.
        let own = app.log_in(&worker).await.get(&format!("/api/v1/conferences-details/{id}")).await.ok();
        assert_eq!(own["conference"]["appType"], "api");
        assert!(own["messages"][0]["to"].is_string() && own["messages"].as_array().expect("messages").len() == 1);
        assert_eq!(own["tracks"][0]["type"], "CONFERENCE_CREATED");
        let colleague = app.person_in(person.company, Role::Worker).await;
        let hidden = app.log_in(&colleague).await.get(&format!("/api/v1/conferences-details/{id}")).await;
        hidden.problem(404, "CONFERENCE_NOT_FOUND");
        let read = program.get(&format!("/ext-api/v1/conferences/{id}")).await.ok()["conference"].clone();
        assert_eq!(read, made);
        // A worker can also be named by id; without a name it is the principal's conference.
        let by_id = program.post("/ext-api/v1/conferences", with(json!({"worker": worker.id}))).await.expect(201);
        assert_eq!(by_id["conference"]["worker"]["_id"], json!(worker.id));
        let own = program.post("/ext-api/v1/conferences", opening()).await.expect(201);
        assert_eq!(own["conference"]["worker"]["_id"], json!(person.id));
    }

    // PUBLIC-2, PUBLIC-3, PUBLIC-6
    async fn all_that_is_wrong_is_named_at_once(app) {
        let (_, program) = program(app).await;
        let stranger = app.person(Role::Worker).await;
        let body = json!({"phoneNumber": "12", "worker": stranger.id, "externalId": "x".repeat(101), "send": "email"});
        let problem = program.post("/ext-api/v1/conferences", body).await.problem(422, "INVALID_FIELDS");
        let errors: Vec<(String, String)> =
            problem["errors"].as_array().expect("errors").iter().map(|e| (text(&e["field"]), text(&e["code"]))).collect();
        for (field, code) in [
            ("expedientNumber", "REQUIRED"),
            ("type", "REQUIRED"),
            ("email", "REQUIRED"),
            ("externalId", "TOO_LONG"),
            ("worker", "WORKER_UNKNOWN"),
        ] {
            assert!(errors.contains(&(field.into(), code.into())), "{field}: {errors:?}");
        }
        assert!(errors.iter().any(|(field, _)| field == "phoneNumber"), "{errors:?}");
        let wrong = program.post("/ext-api/v1/conferences", json!({"send": "pigeon"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong["errors"][0]["field"], "send");
        for wrong in ["ñ".to_owned(), "x".repeat(201)] {
            let key = program.clone().with("idempotency-key", &wrong);
            let problem = key.post("/ext-api/v1/conferences", opening()).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], "Idempotency-Key");
        }
        assert_eq!(count(app, "conference").await, 0);
    }

    // PUBLIC-5, PUBLIC-6
    async fn one_idempotency_key_opens_one_conference(app) {
        let (_, program) = program(app).await;
        let named = program.clone().with("idempotency-key", "call-1");
        let all = futures::future::join_all((0..6).map(|_| named.post("/ext-api/v1/conferences", with(json!({"send": "sms"}))))).await;
        let ids: Vec<String> = all.iter().map(|answer| text(&answer.expect(201)["conference"]["_id"])).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(all.iter().filter(|answer| answer.header("idempotency-replayed") == Some("true")).count(), 5);
        assert_eq!((count(app, "conference").await, count(app, "outbox").await), (1, 1), "and one message");
        named.post("/ext-api/v1/conferences", opening()).await.problem(409, "IDEMPOTENCY_KEY_REUSED");
        // The same key of another customer is a different one.
        let (_, other) = self::program(app).await;
        let theirs = other.with("idempotency-key", "call-1").post("/ext-api/v1/conferences", opening()).await.expect(201);
        assert_ne!(text(&theirs["conference"]["_id"]), ids[0]);
        // A refused call does not use up its key.
        let again = program.clone().with("idempotency-key", "call-2");
        again.post("/ext-api/v1/conferences", json!({})).await.problem(422, "INVALID_FIELDS");
        again.post("/ext-api/v1/conferences", opening()).await.expect(201);
    }

    // PUBLIC-4
    async fn a_blocked_customer_s_program_is_refused_as_its_people_are(app) {
        let company = app.company_with(NewCompany::named(CompanyKind::Customer, "Sin datos")).await;
        let person = app.person_in(company, Role::Customer).await;
        let worker = app.person_in(company, Role::Worker).await;
        let program = app.anonymous().with("x-api-key", &key_of(app, &person).await);
        let told = program.get("/ext-api/v1/account").await.ok();
        assert_eq!(told["company"]["mayCall"], json!(false));
        let refused = program.post("/ext-api/v1/conferences", opening()).await;
        refused.problem(403, "VIDEO_CALL_NOT_ALLOWED_CUSTOMER");
        let refused = program.post("/ext-api/v1/conferences", with(json!({"worker": worker.id}))).await;
        refused.problem(403, "VIDEO_CALL_NOT_ALLOWED_WORKER");
        assert_eq!(count(app, "conference").await, 0);
    }

    // PUBLIC-7
    async fn a_revoked_key_opens_nothing_from_then_on(app) {
        let (person, program) = program(app).await;
        program.post("/ext-api/v1/conferences", opening()).await.expect(201);
        let staff = app.log_in(&person).await;
        let key = text(&staff.get("/api/v1/get-apiKey").await.ok()["apiKeys"][0]["_id"]);
        staff.post(&format!("/api/v1/revoke-apiKey/{key}"), json!({})).await.expect(204);
        program.post("/ext-api/v1/conferences", opening()).await.problem(401, "API_KEY_INVALID");
        program.get("/ext-api/v1/conferences").await.problem(401, "API_KEY_INVALID");
    }

    // PUBLIC-8
    async fn conferences_are_listed_by_page_day_case_and_own_name(app) {
        let (_, program) = program(app).await;
        for n in 0..52 {
            let body = with(json!({"expedientNumber": format!("L-{n}"), "externalId": format!("crm-{n}")}));
            program.post("/ext-api/v1/conferences", body).await.expect(201);
            app.advance(TimeDelta::seconds(1));
        }
        let list = async |query: &str| program.get(&format!("/ext-api/v1/conferences{query}")).await.ok();
        let first = list("").await;
        assert_eq!((&first["total"], &first["page"], &first["pages"]), (&json!(52), &json!(1), &json!(2)));
        assert_eq!((first["conferences"].as_array().expect("a page").len(), text(&first["conferences"][0]["externalId"])), (50, "crm-51".into()));
        let second = list("?page=2").await;
        assert_eq!(text(&second["conferences"][1]["expedientNumber"]), "L-0");
        assert_eq!(list("?page=9").await["conferences"], json!([]));
        assert_eq!(list("?expedient=l-%203").await["total"], 1);
        assert_eq!(list("?externalId=crm-7").await["conferences"][0]["expedientNumber"], "L-7");
        assert_eq!(list("?from=2026-11-20&to=2026-11-20").await["total"], 52);
        assert_eq!(list("?from=2026-11-21").await["total"], 0);
        for (query, field) in [("?from=ayer", "from"), ("?to=2026-13-01", "to"), ("?from=2027-01-01&to=2026-01-01", "to")] {
            let problem = program.get(&format!("/ext-api/v1/conferences{query}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
        program.get("/ext-api/v1/conferences?page=x").await.problem(400, "MALFORMED_QUERY");
    }

    // PUBLIC-1, PUBLIC-9, CERT-8
    async fn files_certificate_and_requests_of_a_conference(app) {
        let (person, program) = program(app).await;
        let worker = app.person_in(person.company, Role::Worker).await;
        let case = held(app, worker).await;
        let read = program.get(&format!("/ext-api/v1/conferences/{}", case.id)).await.ok()["conference"].clone();
        assert_eq!((text(&read["status"]), &read["durationSeconds"]), ("closed".into(), &json!(60)));
        assert_eq!(read["files"], json!({"pictures": 1, "videos": 0, "documents": 1}));
        let media = program.get(&format!("/ext-api/v1/conferences/{}/media", case.id)).await.ok()["media"].clone();
        let (picture, document) = (&media[0], &media[1]);
        assert_eq!((text(&picture["type"]), text(&picture["latitude"])), ("PICTURE".into(), "40.416800".into()));
        assert_eq!(text(&document["fileName"]), "parte.pdf");
        let url = text(&document["contentUrl"]);
        let path = &url[url.find("/ext-api").expect("under the API")..];
        let whole = program.get(path).await;
        assert_eq!((whole.status, sha256(&whole.body)), (200, text(&document["sha256"])));
        assert_eq!(whole.header("content-type"), Some("application/pdf"));
        let part = program.clone().with("range", "bytes=0-3").get(path).await;
        assert_eq!((part.status, part.body.as_ref()), (206, &b"%PDF"[..]));
        program.clone().with("range", "bytes=99999-").get(path).await.expect(416);
        let tag = whole.header("etag").expect("a tag").to_owned();
        program.clone().with("if-none-match", &tag).get(path).await.expect(304);

        let certificate = program.get(&format!("/ext-api/v1/conferences/{}/certificate", case.id)).await;
        assert_eq!((certificate.status, certificate.header("content-type")), (200, Some("application/pdf")));
        assert!(certificate.body.starts_with(b"%PDF"));
        let again = program.get(&format!("/ext-api/v1/conferences/{}/certificate", case.id)).await;
        assert_eq!(again.body, certificate.body, "nothing happened since");

        let requests = format!("/ext-api/v1/conferences/{}/file-requests", case.id);
        let body = json!({"contactType": 1, "contactText": "Necesitamos fotos.", "to": "600 123 456", "pageShowText": "De cerca."});
        let request = program.post(&requests, body.clone()).await.expect(201)["request"].clone();
        assert_eq!((text(&request["conferenceId"]), text(&request["state"])), (case.id.clone(), "sent".into()));
        assert_eq!(program.get(&requests).await.ok()["requests"][0]["_id"], request["_id"]);
        program.post(&requests, json!({})).await.problem(422, "INVALID_FIELDS");

        // Another customer's program finds none of it.
        let (_, other) = self::program(app).await;
        other.get(&format!("/ext-api/v1/conferences/{}", case.id)).await.problem(404, "CONFERENCE_NOT_FOUND");
        other.get(&format!("/ext-api/v1/conferences/{}/media", case.id)).await.problem(404, "CONFERENCE_NOT_FOUND");
        other.get(&format!("/ext-api/v1/conferences/{}/certificate", case.id)).await.problem(404, "CONFERENCE_NOT_FOUND");
        other.get(path).await.problem(404, "MEDIA_NOT_FOUND");
        other.get(&requests).await.problem(404, "CONFERENCE_NOT_FOUND");
        other.post(&requests, body).await.problem(404, "CONFERENCE_NOT_FOUND");
        assert_eq!(other.get("/ext-api/v1/conferences").await.ok()["total"], 0);
    }
}
