//! Asking, answering, refusing, withdrawing, expiring.

use super::{Desk, REQUESTS, asking, go_online, insurer_of, respond, run};
use crate::support::text;
use atalaya_assistance::video_call_requests::jobs;
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyKind, Role, Status};
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::{Value, json};

const RESPOND: &str = "/api/v1/video-call-respond";
const REFUSE: &str = "/api/v1/video-call-refuse";

both_engines! {
    // CASE-27
    async fn a_call_after_an_answered_request_names_it(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let again = crate::support::opening_with(json!({"contactId": request["_id"]}));
        let worker = desk.of(&desk.worker).await;
        let problem = worker.post("/api/v1/getToken", again.clone()).await.problem(422, "INVALID_FIELDS");
        assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("contactId"), &json!("REQUEST_NOT_FOUND")));
        worker.post(RESPOND, respond(&request)).await.ok();
        assert_eq!(worker.post("/api/v1/getToken", again.clone()).await.ok()["conference"]["contactId"], request["_id"]);
        let stranger = app.as_role(Role::Worker).await;
        stranger.post("/api/v1/getToken", again).await.problem(422, "INVALID_FIELDS");
    }

    // REQUEST-6
    async fn a_request_becomes_a_conference(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let id = text(&request["_id"]);
        let expected = json!({"region": "Valencia/València", "starterId": desk.operator.id, "starterName": "Nombre Apellido",
            "starterPhone": "+34600123456", "customerId": desk.worker.company, "insuranceCompanyId": desk.insurer,
            "expedient": "EXP-7", "type": 1, "state": "waiting", "createdAt": "2026-11-20T09:00:00Z",
            "expiresAt": "2026-11-20T09:10:00Z", "callbackAt": null, "position": 1, "acceptedBy": null, "conferenceId": null,
            "url": null, "refusals": 0, "plate": "1234 BCD", "endedAt": null});
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(&request[field], value, "{field}");
        }
        assert_eq!((desk.count(&desk.worker).await, desk.count(&desk.operator).await), (1, 0));
        assert_eq!(desk.seen_by(&desk.worker).await, std::slice::from_ref(&request));
        let worker = desk.of(&desk.worker).await;
        let open = worker.get(&format!("{REQUESTS}/{}", desk.worker.company)).await.ok();
        assert_eq!(open["videoCallRequests"], json!([request]));
        app.advance(TimeDelta::seconds(30));
        let answered = worker.post(RESPOND, respond(&request)).await.ok();
        assert!(!text(&answered["token"]).is_empty() && text(&answered["url"]).starts_with("ws"));
        let conference = &answered["conference"];
        for (field, value) in [("expedientNumber", "EXP-7"), ("phoneNumber", "+34600123456"), ("appType", "web"),
            ("contactId", &id), ("contactPerson", "Nombre Apellido"), ("carId", "1234 BCD"), ("region", "Valencia/València")]
        {
            assert_eq!(conference[field], value, "{field}");
        }
        assert_eq!(conference["type"], 1);
        assert_eq!(desk.count(&desk.worker).await, 0);
        let problem = worker.post(RESPOND, json!({"activeVideoCallRequest": id})).await.problem(409, "ALREADY_TAKEN");
        assert_eq!(problem["errors"][0]["field"], "acceptedBy");
        assert_eq!(problem["errors"][0]["message"], "Nombre Apellido");
        let seen = &desk.seen_by(&desk.operator).await[0];
        assert_eq!((text(&seen["state"]), &seen["conferenceId"]), ("accepted".into(), &conference["_id"]));
        assert_eq!(seen["acceptedBy"], json!({"_id": desk.worker.id, "name": "Nombre Apellido"}));
        assert_eq!(seen["url"], format!("/external/{}", text(&conference["hash"])));
        assert_eq!(app.anonymous().get(&format!("/api/v1{}", text(&seen["url"]))).await.ok()["state"], "open");
        assert_eq!(desk.seen_by(&desk.worker).await[0]["url"], Value::Null, "the way in is the starter's");
        assert_eq!(desk.told(&desk.operator).await, ["request-accepted"]);
        let outbox = desk.of(&app.person(Role::Admin).await).await.get("/api/v1/outbox").await.ok();
        assert_eq!(outbox["messages"].as_array().map_or(0, Vec::len), 0, "nobody gets an SMS");
        worker.post(&format!("/api/v1/conference-close/{}", text(&conference["_id"])), json!({})).await.ok();
        assert_eq!(desk.seen_by(&desk.operator).await[0]["url"], Value::Null, "the call is over");
        app.advance(TimeDelta::hours(1));
        assert!(desk.seen_by(&desk.operator).await.is_empty() && desk.seen_by(&desk.worker).await.is_empty());
    }

    // REQUEST-5
    async fn of_fifty_at_once_one_wins(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let mut browsers = Vec::new();
        for _ in 0..10 {
            let colleague = app.person_in(desk.worker.company, Role::Worker).await;
            browsers.push(app.log_in(&colleague).await);
        }
        let tries = (0..50).map(|n| { let browser = browsers[n % 10].clone(); let body = respond(&request); async move { browser.post(RESPOND, body).await } });
        let answers = futures::future::join_all(tries).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        let lost = answers.iter().filter(|answer| answer.status == 409 && answer.json()["code"] == "ALREADY_TAKEN").count();
        assert_eq!((won, lost), (1, 49));
        let path = format!("/api/v1/conferences-autos-details/{}", desk.worker.company);
        let principal = app.log_in(&app.person_in(desk.worker.company, Role::Customer).await).await;
        assert_eq!(principal.post(&path, json!({})).await.ok()["total"], 1);
    }

    // REQUEST-3, REQUEST-10
    async fn a_request_waits_ten_minutes(app) {
        let desk = Desk::new(app).await;
        for (wait, status) in [(TimeDelta::seconds(599), 200), (TimeDelta::seconds(600), 409), (TimeDelta::seconds(601), 409)] {
            let request = desk.ask().await;
            app.advance(wait);
            assert_eq!(desk.count(&desk.worker).await, u64::from(status == 200));
            let answer = desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await;
            assert_eq!(answer.status, status, "after {wait}");
            if status == 409 {
                answer.problem(409, "REQUEST_CLOSED");
                let seen = &desk.seen_by(&desk.operator).await[0];
                assert_eq!((&seen["state"], &seen["position"]), (&json!("expired"), &Value::Null));
            }
            // The job has not run, and another request can be started all the same.
        }
        assert_eq!(desk.told(&desk.operator).await, ["request-expired", "request-accepted"], "the one before was ended by the next");
        for _ in 0..2 {
            jobs::run(&app.assistance).await.unwrap();
            assert_eq!(desk.told(&desk.operator).await.len(), 3, "each told once");
        }
    }

    // REQUEST-18
    async fn nobody_answers_for_a_starter_who_has_left(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let values = vec![i16::from(Status::Inactive).into(), desk.operator.id.0.into()];
        run(app, "UPDATE app_user SET status = $1 WHERE id = $2", values).await;
        let worker = desk.of(&desk.worker).await;
        worker.post(RESPOND, respond(&request)).await.problem(409, "REQUEST_CLOSED");
        assert_eq!((desk.count(&desk.worker).await, &desk.seen_by(&desk.worker).await[0]["state"]), (0, &json!("expired")));
    }

    // REQUEST-11
    async fn what_a_stop_left_is_swept_without_a_word(app) {
        let desk = Desk::new(app).await;
        desk.ask().await;
        app.advance(TimeDelta::minutes(11) + TimeDelta::seconds(1));
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(desk.seen_by(&desk.operator).await[0]["state"], "expired");
        assert!(desk.told(&desk.operator).await.is_empty());
    }

    // REQUEST-4, REQUEST-7, REQUEST-10
    async fn one_waits_at_a_time_and_can_be_withdrawn(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let operator = desk.of(&desk.operator).await;
        operator.post(REQUESTS, desk.asking()).await.problem(409, "REQUEST_OPEN");
        let other = app.person_in(desk.operator.company, Role::WorkshopOperator).await;
        app.advance(TimeDelta::seconds(1));
        let second = desk.of(&other).await.post(REQUESTS, desk.asking()).await.expect(201)["videoCallRequest"].clone();
        assert_eq!(second["position"], 2);
        let path = format!("/api/v1/delete-active-request-user/{}", desk.operator.id);
        desk.of(&other).await.post(&path, json!({})).await.problem(403, "OWN_ID_REQUIRED");
        desk.of(&desk.worker).await.post(&path, json!({})).await.problem(404, "USER_NOT_FOUND");
        let another = json!({"videoCallRequestId": second["_id"]});
        assert_eq!(operator.post(&path, another).await.ok()["removed"], 0, "another's");
        assert_eq!(operator.get(&path).await.ok()["removed"], 1);
        assert_eq!(operator.post(&path, json!({})).await.ok()["removed"], 0);
        desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await.problem(409, "REQUEST_CLOSED");
        assert_eq!(desk.seen_by(&other).await[0]["position"], 1, "the queue moves up");
        // The starter's principal and administrators may withdraw it too.
        let boss = app.person_in(desk.operator.company, Role::CarRepairShop).await;
        let path = format!("/api/v1/delete-active-request-user/{}", other.id);
        assert_eq!(desk.of(&boss).await.post(&path, json!({})).await.ok()["removed"], 1);
        assert!(desk.told(&desk.operator).await.is_empty(), "he did it himself");
        desk.ask().await;
    }

    // REQUEST-8, REQUEST-10
    async fn passing_on_hides_and_refuses_when_nobody_is_left(app) {
        let desk = Desk::new(app).await;
        let colleague = app.person_in(desk.worker.company, Role::Worker).await;
        go_online(app, &desk.worker).await;
        go_online(app, &colleague).await;
        app.person_in(desk.worker.company, Role::Customer).await;
        let request = desk.ask().await;
        let body = |fields: Value| { let mut body = json!({"videoCallRequestId": request["_id"]}); body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone()); body };
        let worker = desk.of(&desk.worker).await;
        worker.post(REFUSE, body(json!({"all": true}))).await.problem(403, "ROLE_NOT_ALLOWED");
        worker.post(REFUSE, body(json!({"reason": "a".repeat(201)}))).await.problem(422, "INVALID_FIELDS");
        worker.post(REFUSE, json!({})).await.problem(422, "INVALID_FIELDS");
        for _ in 0..2 {
            assert_eq!(worker.post(REFUSE, body(json!({"reason": "a".repeat(200)}))).await.ok()["refused"], false);
        }
        assert_eq!((desk.count(&desk.worker).await, desk.count(&colleague).await), (0, 1));
        assert!(desk.seen_by(&desk.worker).await.is_empty());
        assert_eq!(desk.seen_by(&colleague).await[0]["refusals"], 1);
        assert_eq!(desk.of(&colleague).await.post(REFUSE, body(json!({}))).await.ok()["refused"], true);
        assert_eq!(desk.seen_by(&desk.operator).await[0]["state"], "refused");
        assert_eq!(desk.told(&desk.operator).await, ["request-refused"]);
        worker.post(RESPOND, respond(&request)).await.problem(409, "REQUEST_CLOSED");
        // The principal refuses for all.
        let request = desk.ask().await;
        let boss = desk.of(&app.person_in(desk.worker.company, Role::Customer).await).await;
        let all = json!({"videoCallRequestId": request["_id"], "all": true});
        assert_eq!(boss.post(REFUSE, all.clone()).await.ok()["refused"], true);
        boss.post(REFUSE, all).await.problem(409, "REQUEST_CLOSED");
    }

    // REQUEST-9
    async fn either_party_can_be_blocked(app) {
        let now = app.sources.now();
        let desk = Desk::new(app).await;
        type Change = fn(&mut NewCompany, chrono::DateTime<chrono::Utc>);
        // Only the company that is called needs all of it; who asks needs to be active.
        let blocked: [(Change, bool); 4] = [
            (|new, _| new.status = Status::Unpaid, true),
            (|new, _| new.iban = None, false),
            (|new, _| new.legal = false, false),
            (|new, now| new.pay_start_at = Some(now + TimeDelta::seconds(1)), false),
        ];
        for (change, asking_too) in blocked {
            let company = |kind| { let mut new = NewCompany::named(kind, "Empresa").paying(now - TimeDelta::days(60)); change(&mut new, now); new };
            let customer = app.company_with(company(CompanyKind::Customer)).await;
            let insurer = insurer_of(app, customer).await;
            let problem = desk.of(&desk.operator).await.post(REQUESTS, asking(customer, &insurer)).await.problem(409, "VIDEO_CALL_BLOCKED");
            assert_eq!(problem["errors"][0]["field"], "customerId");
            let starters = app.company_with(company(CompanyKind::Repairer)).await;
            let person = app.person_in(starters, Role::RepairerOperator).await;
            let starter = desk.of(&person).await;
            let candidates = starter.get(&format!("/api/v1/customer-insurance/{}", desk.insurer)).await.ok();
            assert_eq!(candidates.as_array().unwrap().is_empty(), asking_too, "the choice and the call have one rule");
            let told = starter.get("/api/v1/me").await.ok()["user"]["company"]["blocked"].clone();
            assert_eq!(told, json!(asking_too));
            let answer = starter.post(REQUESTS, desk.asking()).await;
            match asking_too {
                true => assert_eq!(answer.problem(409, "VIDEO_CALL_BLOCKED")["errors"][0]["field"], "starterId"),
                false => {
                    answer.expect(201);
                    starter.post(&format!("/api/v1/delete-active-request-user/{}", person.id), json!({})).await.ok();
                }
            }
        }
        // Blocked in between: the claim is refused, the counter is empty.
        for (company, field) in [(desk.worker.company, "customerId"), (desk.operator.company, "starterId")] {
            let request = desk.ask().await;
            let status = async |status: Status| {
                let values = vec![i16::from(status).into(), company.0.into()];
                run(app, "UPDATE company SET status = $1 WHERE id = $2", values).await;
            };
            status(Status::Unpaid).await;
            let problem = desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await.problem(409, "VIDEO_CALL_BLOCKED");
            assert_eq!(problem["errors"][0]["field"], field);
            assert_eq!(desk.count(&desk.worker).await, u64::from(field == "starterId"));
            status(Status::Active).await;
            desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await.ok();
        }
    }

    // REQUEST-1, REQUEST-2
    async fn what_is_asked_is_checked(app) {
        let desk = Desk::new(app).await;
        let operator = desk.of(&desk.operator).await;
        let with = |field: &str, value: Value| { let mut body = desk.asking(); body[field] = value; body };
        let wrong = |body: Value| { let operator = operator.clone(); async move {
            let problem = operator.post(REQUESTS, body).await.problem(422, "INVALID_FIELDS");
            (text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"]))
        }};
        let stranger = app.person(Role::Customer).await.company;
        let other = insurer_of(app, stranger).await;
        let nobody = "018f3b2a-0000-7000-8000-00000000dead";
        for (field, value, code) in [
            ("region", json!("a".repeat(61)), "TOO_LONG"),
            ("expedient", json!("a".repeat(61)), "TOO_LONG"),
            ("expedient", json!(" "), "REQUIRED"),
            ("type", json!(3), "INVALID"),
            ("starterPhone", json!("123456"), "PHONE_INVALID"),
            ("starterPhone", json!("+34 600 123 123 0000"), "PHONE_TOO_LONG"),
            ("customerId", json!(stranger), "CUSTOMER_NOT_LINKED"),
            ("customerId", json!(nobody), "CUSTOMER_NOT_LINKED"),
            ("insuranceCompanyId", json!(nobody), "INSURANCE_UNKNOWN"),
            ("callbackAt", json!("2026-11-20T09:04:59Z"), "CALLBACK_TOO_SOON"),
            ("callbackAt", json!("2026-12-04T09:00:01Z"), "CALLBACK_TOO_LATE"),
        ] {
            assert_eq!(wrong(with(field, value.clone())).await, (field.to_owned(), code.to_owned()), "{value}");
        }
        assert_eq!(wrong(asking(desk.worker.company, &other)).await.1, "CUSTOMER_NOT_LINKED");
        // Without the insurance company: the customer's first by name, and none where it has none.
        let mut body = desk.asking();
        body.as_object_mut().unwrap().remove("insuranceCompanyId");
        let made = operator.post(REQUESTS, body.clone()).await.expect(201)["videoCallRequest"].clone();
        assert_eq!(made["insuranceCompanyId"], json!(desk.insurer));
        operator.post(&format!("/api/v1/delete-active-request-user/{}", desk.operator.id), json!({})).await.ok();
        body["customerId"] = json!(app.person(Role::Customer).await.company);
        assert_eq!(wrong(body).await, ("customerId".to_owned(), "CUSTOMER_NOT_LINKED".to_owned()));
        // A request with everything at its limit.
        let mut body = with("region", json!("ñ".repeat(60)));
        body["expedient"] = json!("é".repeat(60));
        operator.post(REQUESTS, body).await.expect(201);
        desk.of(&desk.worker).await.post(RESPOND, respond(&json!(nobody))).await.problem(404, "REQUEST_NOT_FOUND");
        desk.of(&desk.worker).await.post(RESPOND, respond(&json!("x"))).await.problem(404, "REQUEST_NOT_FOUND");
        desk.of(&desk.worker).await.post(RESPOND, json!({})).await.problem(422, "INVALID_FIELDS");
    }

    // REQUEST-16
    async fn thirty_an_hour(app) {
        let desk = Desk::new(app).await;
        let operator = desk.of(&desk.operator).await;
        for _ in 0..30 {
            operator.post(REQUESTS, json!({})).await.problem(422, "INVALID_FIELDS");
        }
        let answer = operator.post(REQUESTS, desk.asking()).await;
        answer.problem(429, "TOO_MANY_REQUESTS");
        assert_eq!(answer.header("retry-after"), Some("3600"));
        app.advance(TimeDelta::hours(1));
        desk.ask().await;
    }
}
