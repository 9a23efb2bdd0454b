//! Opening and running a conference.

use crate::support::{Case, opening, opening_with, text};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::{Value, json};

both_engines! {
    // CASE-1, CASE-4, CASE-5, CASE-6, CASE-10
    async fn opening_answers_conference_token_url_and_link_and_sends_an_sms(app) {
        let case = Case::open_with(app, json!({"type": "1", "carId": "1234 bcd", "phoneNumber": "600 12 34 56"})).await;
        let conference = &case.opened["conference"];
        assert_eq!((&conference["expedientNumber"], &conference["phoneNumber"]), (&json!("EXP-1"), &json!("+34600123456")));
        assert_eq!((&conference["type"], &conference["carId"]), (&json!(1), &json!("1234 BCD")));
        assert_eq!((&conference["closed"], &conference["sid"], &conference["duration"]), (&json!(false), &Value::Null, &Value::Null));
        assert_eq!(conference["userId"], json!(case.owner.id));
        assert_eq!(conference["customerId"], json!(case.owner.company));
        assert!(case.hash.len() == 32 && case.hash.bytes().all(|b| b.is_ascii_hexdigit()), "128 bits: {}", case.hash);
        let expiry = (app.sources.now() + TimeDelta::hours(24)).to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        assert_eq!(conference["expiredAt"].as_str().map(|t| t.parse::<chrono::DateTime<chrono::Utc>>().unwrap()), Some(expiry.parse().unwrap()));
        assert_eq!(case.opened["token"].as_str().map(|token| token.split('.').count()), Some(3));
        assert!(text(&case.opened["url"]).starts_with("ws"), "{}", case.opened["url"]);
        let link = text(&case.opened["link"]);
        let (_, code) = link.split_once("/c/").expect("a short link");
        assert!(code.len() == 10 && code.bytes().all(|b| b.is_ascii_alphanumeric()), "{link}");

        let outbox = app.as_role(Role::Admin).await.get("/api/v1/outbox").await.ok()["outbox"].clone();
        assert_eq!(outbox.as_array().map(Vec::len), Some(1));
        assert_eq!((&outbox[0]["channel"], &outbox[0]["to"], &outbox[0]["state"]), (&json!("sms"), &json!("+34600123456"), &json!("captured")));
        let sms = text(&outbox[0]["text"]);
        assert!(sms.ends_with(&link), "the link is added after the text: {sms}");
        assert!(!sms.contains(&case.hash), "the secret itself is never in an SMS");
        assert_eq!(case.tracks().await[0], "CONFERENCE_CREATED");
    }

    // CASE-2
    async fn every_wrong_field_is_named_at_once_and_nothing_is_written(app) {
        let worker = app.as_role(Role::Worker).await;
        let body = json!({"phoneNumber": "123", "type": 3, "postalCode": "99", "carId": "<b>1</b>", "channel": "email"});
        let answer = worker.post("/api/v1/getToken", body).await.problem(422, "INVALID_FIELDS");
        let mut fields: Vec<String> = answer["errors"].as_array().unwrap().iter().map(|e| text(&e["field"])).collect();
        fields.sort();
        assert_eq!(fields, ["carId", "email", "expedientNumber", "phoneNumber", "postalCode", "type"]);
        assert!(answer["errors"].as_array().unwrap().iter().all(|e| !text(&e["message"]).is_empty()));
        let outbox = app.as_role(Role::Admin).await.get("/api/v1/outbox").await.ok();
        assert_eq!(outbox["outbox"], json!([]));
    }

    // CASE-50
    async fn a_landline_gets_no_sms(app) {
        let worker = app.as_role(Role::Worker).await;
        let landline = |fields: Value| {
            let mut body = opening_with(json!({"phoneNumber": "912 345 678", "email": "ana@ejemplo.es"}));
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            worker.post("/api/v1/getToken", body)
        };
        let refused = landline(json!({})).await.problem(422, "INVALID_FIELDS");
        assert_eq!((&refused["errors"][0]["field"], &refused["errors"][0]["code"]), (&json!("phoneNumber"), &json!("PHONE_LANDLINE")));
        assert!(text(&refused["errors"][0]["message"]).contains("correo"), "the e-mail is offered: {refused}");
        assert_eq!(app.as_role(Role::Admin).await.get("/api/v1/outbox").await.ok()["outbox"], json!([]), "nothing is written");
        for channel in ["email", "none"] {
            assert_eq!(landline(json!({"channel": channel})).await.ok()["conference"]["phoneNumber"], "+34912345678");
        }
        let case = Case::open_with(app, json!({"phoneNumber": "912 345 678", "channel": "none"})).await;
        for to in [Value::Null, json!("+34 902 123 456")] {
            let refused = case.post("conference-resend", json!({"channel": "sms", "to": to})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(refused["errors"][0]["code"], "PHONE_LANDLINE");
        }
    }

    // CASE-53
    async fn a_call_opened_without_a_message_is_entered_by_qr_or_code(app) {
        let case = Case::open_with(app, json!({"channel": "none"})).await;
        let details = case.details().await;
        assert_eq!(details["messages"], json!([]));
        assert_eq!(case.step("sent").await, ("skipped".into(), None));
        let code = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        let redeemed = app.anonymous().post("/api/v1/external/code", json!({"code": code})).await.ok();
        assert_eq!(text(&redeemed["hash"]), case.hash);
        assert_eq!(app.as_role(Role::Admin).await.get("/api/v1/outbox").await.ok()["outbox"], json!([]));
    }

    // CASE-3
    async fn single_bad_fields_have_their_codes(app) {
        let worker = app.as_role(Role::Worker).await;
        for (fields, field) in [
            (json!({"phoneNumber": ""}), "phoneNumber"),
            (json!({"phoneNumber": null}), "phoneNumber"),
            (json!({"phoneNumber": "+34 600"}), "phoneNumber"),
            (json!({"phoneNumber": "6".repeat(25)}), "phoneNumber"),
            (json!({"phoneNumber": "600123456<script>"}), "phoneNumber"),
            (json!({"expedientNumber": "   "}), "expedientNumber"),
            (json!({"expedientNumber": "x".repeat(61)}), "expedientNumber"),
            (json!({"expedientNumber": "<img src=x>"}), "expedientNumber"),
            (json!({"type": null}), "type"),
            (json!({"type": 0}), "type"),
            (json!({"type": "autos"}), "type"),
            (json!({"type": 1, "carId": "<b>1234</b>"}), "carId"),
            (json!({"postalCode": "2800"}), "postalCode"),
            (json!({"smsText": "x".repeat(101)}), "smsText"),
            (json!({"contactPerson": "a\u{0}b"}), "contactPerson"),
            (json!({"email": "no-es-un-correo", "channel": "email"}), "email"),
            (json!({"email": format!("{}@ejemplo.es", "x".repeat(350)), "channel": "email"}), "email"),
            (json!({"appType": "fax"}), "appType"),
            (json!({"contactId": "7"}), "contactId"),
            (json!({"channel": "pigeon"}), "channel"),
            (json!({"language": "xx"}), "language"),
        ] {
            let answer = worker.post("/api/v1/getToken", opening_with(fields.clone())).await.problem(422, "INVALID_FIELDS");
            assert_eq!(answer["errors"][0]["field"], field, "{fields}: {answer}");
        }
        // Exactly the maximum is allowed.
        worker.post("/api/v1/getToken", opening_with(json!({"smsText": "x".repeat(100), "expedientNumber": "x".repeat(60)}))).await.ok();
    }

    // CASE-6
    async fn the_link_goes_by_email_or_not_at_all_when_asked(app) {
        let case = Case::open_with(app, json!({"channel": "email", "email": "luis@ejemplo.es"})).await;
        let message = case.details().await["messages"][0].clone();
        assert_eq!(message["channel"], "email");
        assert!(text(&message["text"]).contains(&text(&case.opened["link"])));
        assert_eq!(case.step("sent").await.0, "done");

        let silent = Case::open_with(app, json!({"channel": "none"})).await;
        assert_eq!(silent.details().await["messages"], json!([]));
        assert_eq!(silent.step("sent").await.0, "skipped");
    }

    // CASE-7
    async fn the_link_is_sent_again_to_another_number_or_by_email(app) {
        let case = Case::open(app).await;
        assert_eq!(case.step("sent").await, ("done".into(), Some("NO_SMS_PROVIDER".into())));
        let again = case.post("conference-resend", json!({"channel": "sms", "to": "611 22 33 44"})).await.ok();
        assert!(text(&again["message"]["text"]).ends_with(&text(&case.opened["link"])));
        assert_eq!(case.details().await["conference"]["phoneNumber"], "+34611223344");
        case.post("conference-resend", json!({"channel": "email", "to": "luis@ejemplo.es"})).await.ok();
        assert_eq!(case.details().await["messages"].as_array().map(Vec::len), Some(3));
        for bad in [json!({"channel": "sms", "to": "12"}), json!({"channel": "email", "to": "x"})] {
            let answer = case.post("conference-resend", bad.clone()).await.problem(422, "INVALID_FIELDS");
            assert_eq!(answer["errors"][0]["field"], "to", "{bad}");
        }
        let without = Case::open(app).await;
        without.post("conference-resend", json!({"channel": "email"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(case.details().await["messages"].as_array().map(Vec::len), Some(3));
    }

    // CASE-11
    async fn the_progress_follows_the_client_step_by_step(app) {
        let case = Case::open(app).await;
        let current = || async { text(&case.details().await["progress"]["current"]) };
        let names: Vec<String> = case.details().await["progress"]["steps"].as_array().unwrap().iter().map(|s| text(&s["step"])).collect();
        assert_eq!(names, ["sent", "delivered", "opened", "legal", "permissions", "connected"]);
        assert_eq!((case.step("opened").await.0.as_str(), case.step("legal").await.0.as_str()), ("active", "pending"));
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        assert_eq!((case.step("opened").await.0.as_str(), current().await.as_str()), ("done", "legal"));
        let key = case.accept().await;
        assert_eq!((case.step("legal").await.0.as_str(), current().await.as_str()), ("done", "permissions"));
        let denied = json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "CAMERA_DENIED"}});
        case.client_with(&key, "track", denied).await.expect(204);
        assert_eq!(case.step("permissions").await, ("failed".into(), Some("CAMERA_DENIED".into())));
        for permission in ["camera", "microphone"] {
            let granted = json!({"type": "PERMISSION_GRANTED", "data": {"permission": permission}});
            case.client_with(&key, "track", granted).await.expect(204);
        }
        assert_eq!(case.step("permissions").await.0, "done");
        let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        case.joins(&text(&joined["identity"]), "PA_client").await;
        assert_eq!((case.step("connected").await.0.as_str(), current().await.as_str()), ("done", "connected"));
    }

    // CASE-12, CASE-13, CASE-15
    async fn duration_counts_while_both_sides_are_there(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let client = text(&case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok()["identity"]);
        let staff = case.staff_identity();
        case.room_starts("RM_1").await;
        case.joins(&staff, "PA_1").await;
        assert_eq!(case.details().await["conference"]["sid"], Value::Null, "null until the client first joins");
        app.advance(TimeDelta::seconds(100));
        case.joins(&client, "PA_2").await;
        app.advance(TimeDelta::seconds(30));
        case.leaves(&client, "PA_2").await;
        app.advance(TimeDelta::seconds(50));
        case.joins(&client, "PA_3").await;
        app.advance(TimeDelta::seconds(12));
        let closed = case.post("conference-close", json!({})).await.ok()["conference"].clone();
        assert_eq!((&closed["closed"], &closed["duration"]), (&json!(true), &json!(42)));
        assert!(closed["sid"].is_string(), "{closed}");
        let details = case.details().await;
        assert_eq!((&details["conference"]["duration"], &details["conference"]["jwt"]), (&json!(42), &Value::Null));
        let again = case.post("conference-close", json!({})).await.ok()["conference"].clone();
        assert_eq!(again["closedAt"], closed["closedAt"], "closing twice changes nothing");
        let tracks = case.tracks().await;
        assert_eq!(tracks.iter().filter(|t| *t == "CONFERENCE_CLOSED").count(), 1, "{tracks:?}");
    }

    // CASE-14
    async fn an_abandoned_conference_closes_after_five_minutes(app) {
        let mut case = Case::open(app).await;
        let key = case.accept().await;
        let client = text(&case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok()["identity"]);
        let sweep = || async { atalaya_assistance::call_page::closing::close_idle(&app.assistance).await.unwrap() };
        app.advance(TimeDelta::hours(1));
        assert_eq!(sweep().await, 0, "nobody has been there yet: it waits for its client");
        case.joins(&client, "PA_1").await;
        case.joins(&case.staff_identity(), "PA_2").await;
        app.advance(TimeDelta::minutes(30));
        assert_eq!(sweep().await, 0, "somebody is there");
        case.leaves(&client, "PA_1").await;
        case.leaves(&case.staff_identity(), "PA_2").await;
        app.advance(TimeDelta::minutes(5) - TimeDelta::seconds(1));
        assert_eq!(sweep().await, 0);
        app.advance(TimeDelta::seconds(1));
        assert_eq!(sweep().await, 1);
        case.log_in_again().await;
        assert_eq!(case.details().await["conference"]["closed"], true);
    }

    // CASE-16
    async fn nothing_happens_in_a_closed_conference(app) {
        let case = Case::open(app).await;
        case.post("conference-close", json!({})).await.ok();
        case.post("conference-resend", json!({"channel": "sms"})).await.problem(410, "CONFERENCE_CLOSED");
        case.post("conference-code", json!({})).await.problem(410, "CONFERENCE_CLOSED");
        case.post("conference-recording", json!({"action": "start"})).await.problem(410, "CONFERENCE_CLOSED");
        case.post("conference-chat", json!({"text": "Hola"})).await.problem(410, "CONFERENCE_CLOSED");
    }

    // CHAT-1, CHAT-2
    async fn chat_is_kept_with_the_case_and_checked(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let from_staff = case.post("conference-chat", json!({"text": "Hola"})).await.ok()["message"].clone();
        assert_eq!((&from_staff["kind"], &from_staff["text"]), (&json!("staff"), &json!("Hola")));
        app.advance(TimeDelta::milliseconds(1));
        let from_client = case.client_with(&key, "chat", json!({"text": "<b>Buenas</b>"})).await.ok()["message"].clone();
        assert_eq!(from_client["kind"], "client");
        let all = case.staff.get(&format!("/api/v1/conference-chat/{}", case.id)).await.ok()["messages"].clone();
        assert_eq!(all.as_array().map(Vec::len), Some(2));
        assert_eq!((&all[0]["text"], &all[1]["text"]), (&json!("Hola"), &json!("<b>Buenas</b>")), "kept as written");
        // CHAT-3
        let ready = case.post("conference-chat", json!({"text": "Más cerca", "phrase": "closer"})).await.ok()["message"].clone();
        assert_eq!((&ready["phrase"], &from_staff["phrase"]), (&json!("closer"), &Value::Null));
        let unknown = case.post("conference-chat", json!({"text": "x", "phrase": "x"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(unknown["errors"][0]["field"], "phrase");
        for bad in ["", "   ", &"x".repeat(1001)] {
            case.post("conference-chat", json!({"text": bad})).await.problem(422, "INVALID_FIELDS");
        }
        case.post("conference-chat", json!({"text": "x".repeat(1000)})).await.ok();
        case.client("chat", json!({"text": "Hola"})).await.problem(403, "CLIENT_KEY_INVALID");
    }

    // CASE-17
    async fn two_workers_of_one_company_have_their_own_conferences(app) {
        let case = Case::open(app).await;
        let colleague = app.person_in(case.owner.company, Role::Worker).await;
        let other = Case::open_by(app, colleague, json!({"expedientNumber": "EXP-2"})).await;
        case.staff.get(&format!("/api/v1/conferences-details/{}", other.id)).await.problem(404, "CONFERENCE_NOT_FOUND");
        let principal = app.person_in(case.owner.company, Role::Customer).await;
        let principal = app.log_in(&principal).await;
        for id in [&case.id, &other.id] {
            principal.get(&format!("/api/v1/conferences-details/{id}")).await.ok();
        }
    }

    async fn oversize_and_malformed_bodies_open_nothing(app) {
        let worker = app.as_role(Role::Worker).await;
        worker.post("/api/v1/getToken", opening_with(json!({"address": "x".repeat(300_000)}))).await.problem(413, "BODY_TOO_LARGE");
        let send = |kind, body: String| {
            let worker = worker.clone();
            async move { worker.send_body(axum::http::Method::POST, "/api/v1/getToken", kind, body).await }
        };
        send(Some("application/json"), "{\"phoneNumber\":".into()).await.problem(400, "MALFORMED_JSON");
        send(Some("application/x-www-form-urlencoded"), "phoneNumber=1".into()).await.problem(415, "JSON_CONTENT_TYPE_REQUIRED");
        send(Some("application/json"), "[]".into()).await.expect(422);
        send(Some("application/json"), opening().to_string()).await.ok();
    }
}
