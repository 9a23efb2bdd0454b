//! Call-backs at an agreed time, and who is free.

use super::{Desk, REQUESTS, go_online, respond, run};
use crate::support::text;
use atalaya_assistance::calls::CallEvent;
use atalaya_assistance::tasks;
use atalaya_assistance::video_call_requests::jobs;
use atalaya_kernel::{Role, Status};
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::{Value, json};

const CALLBACK: &str = "/api/v1/video-call-callback";
const RESPOND: &str = "/api/v1/video-call-respond";

both_engines! {
    // REQUEST-12, REQUEST-13
    async fn an_agreed_call_back_reminds_and_rings_for_half_an_hour(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let body = |at: &str| json!({"videoCallRequestId": request["_id"], "callbackAt": at});
        let operator = desk.of(&desk.operator).await;
        operator.post(CALLBACK, body("2026-11-20T09:04:59Z")).await.problem(422, "INVALID_FIELDS");
        operator.post(CALLBACK, json!({"videoCallRequestId": request["_id"]})).await.problem(422, "INVALID_FIELDS");
        let scheduled = operator.post(CALLBACK, body("2026-11-20T10:00:00Z")).await.ok()["videoCallRequest"].clone();
        assert_eq!((text(&scheduled["state"]), &scheduled["position"]), ("scheduled".into(), &Value::Null));
        assert_eq!(scheduled["expiresAt"], "2026-11-20T10:30:00Z");
        assert_eq!((desk.count(&desk.worker).await, desk.told(&desk.worker).await), (0, vec!["callback-agreed".to_owned()]));
        let told = async |minutes: i64| {
            app.advance(TimeDelta::minutes(minutes));
            for _ in 0..2 {
                jobs::run(&app.assistance).await.unwrap();
            }
            (desk.told(&desk.worker).await.first().cloned(), desk.told(&desk.operator).await.first().cloned(), desk.count(&desk.worker).await)
        };
        let both = |id: &str| (Some(id.to_owned()), Some(id.to_owned()));
        assert_eq!(told(49).await, (Some("callback-agreed".into()), None, 0));
        assert_eq!(told(1).await, (both("callback-near").0, both("callback-near").1, 0), "ten minutes before");
        assert_eq!(told(10).await, (both("callback-due").0, both("callback-due").1, 1), "it rings");
        assert_eq!(desk.told(&desk.operator).await, ["callback-due", "callback-near"], "each once");
        assert_eq!(desk.seen_by(&desk.worker).await[0]["position"], 1);
        assert_eq!(told(29).await.2, 1);
        assert_eq!(told(1).await, (Some("callback-due".into()), Some("request-expired".into()), 0));
        desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await.problem(409, "REQUEST_CLOSED");
        // Nobody answered: another time is agreed, and answered before it.
        let again = desk.of(&desk.operator).await.post(CALLBACK, body("2026-11-20T12:00:00Z")).await.ok();
        assert_eq!(again["videoCallRequest"]["state"], "scheduled");
        desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await.ok();
        desk.of(&desk.operator).await.post(CALLBACK, body("2026-11-20T13:00:00Z")).await.problem(409, "ALREADY_TAKEN");
    }

    // REQUEST-2, REQUEST-12
    async fn a_call_back_is_of_the_same_day_and_of_a_customer_that_still_works_for_the_insurer(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let at = |days: i64| json!({"videoCallRequestId": request["_id"], "callbackAt": app.sources.now() + TimeDelta::days(days)});
        app.advance(TimeDelta::minutes(10) + TimeDelta::days(1));
        let admin = app.as_role(Role::Admin).await;
        let path = format!("/api/v1/company-insurers/{}", desk.worker.company);
        admin.put(&path, json!({"insuranceCompanies": []})).await.ok();
        let problem = desk.of(&desk.operator).await.post(CALLBACK, at(1)).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "customerId");
        admin.put(&path, json!({"insuranceCompanies": [desk.insurer]})).await.ok();
        desk.of(&desk.operator).await.post(CALLBACK, at(1)).await.ok();
        app.advance(TimeDelta::days(1) + TimeDelta::minutes(30));
        jobs::run(&app.assistance).await.unwrap();
        app.advance(TimeDelta::days(1) + TimeDelta::milliseconds(1));
        desk.of(&desk.operator).await.post(CALLBACK, at(1)).await.problem(409, "REQUEST_CLOSED");
    }

    // REQUEST-13, REQUEST-18
    async fn a_blocked_customer_is_not_reminded_and_a_starter_who_left_not_called_back(app) {
        let desk = Desk::new(app).await;
        let mut later = desk.asking();
        later["callbackAt"] = json!("2026-11-20T10:00:00Z");
        desk.of(&desk.operator).await.post(REQUESTS, later).await.expect(201);
        app.advance(TimeDelta::minutes(50));
        let status = async |table: &str, status: Status, id: uuid::Uuid| {
            run(app, &format!("UPDATE {table} SET status = $1 WHERE id = $2"), vec![i16::from(status).into(), id.into()]).await;
        };
        status("company", Status::Unpaid, desk.worker.company.0).await;
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(desk.told(&desk.worker).await, ["callback-agreed"]);
        status("company", Status::Active, desk.worker.company.0).await;
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(desk.told(&desk.worker).await, ["callback-near", "callback-agreed"]);
        status("app_user", Status::Inactive, desk.operator.id.0).await;
        app.advance(TimeDelta::minutes(10));
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(desk.told(&desk.worker).await.len(), 2, "nobody waits");
        assert_eq!(desk.seen_by(&desk.worker).await[0]["state"], "expired");
    }

    // REQUEST-14
    async fn agreed_times_leave_room_for_a_request_and_are_five_at_most(app) {
        let desk = Desk::new(app).await;
        let operator = desk.of(&desk.operator).await;
        let mut later = desk.asking();
        later["callbackAt"] = json!("2026-11-21T10:00:00Z");
        for _ in 0..5 {
            let made = operator.post(REQUESTS, later.clone()).await.expect(201);
            assert_eq!(made["videoCallRequest"]["state"], "scheduled");
        }
        operator.post(REQUESTS, later).await.problem(409, "CALLBACKS_FULL");
        let request = desk.ask().await;
        let only = json!({"videoCallRequestId": request["_id"]});
        let path = format!("/api/v1/delete-active-request-user/{}", desk.operator.id);
        assert_eq!(operator.post(&path, only).await.ok()["removed"], 1, "the agreed ones stay");
        assert_eq!(operator.post(&path, json!({})).await.ok()["removed"], 5);
    }

    // REQUEST-15
    async fn another_s_request_is_not_there(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let body = json!({"videoCallRequestId": request["_id"], "callbackAt": "2026-11-20T10:00:00Z"});
        let colleague = app.person_in(desk.operator.company, Role::WorkshopOperator).await;
        desk.of(&colleague).await.post(CALLBACK, body).await.problem(404, "REQUEST_NOT_FOUND");
        let stranger = app.person(Role::Worker).await;
        for call in [RESPOND, "/api/v1/video-call-refuse"] {
            let body = json!({"activeVideoCallRequest": request["_id"], "videoCallRequestId": request["_id"]});
            desk.of(&stranger).await.post(call, body).await.problem(404, "REQUEST_NOT_FOUND");
        }
        assert!(desk.seen_by(&stranger).await.is_empty() && desk.seen_by(&colleague).await.is_empty());
        assert_eq!(desk.seen_by(&app.person(Role::Admin).await).await.len(), 1);
    }

    // REQUEST-17
    async fn availability_is_free_in_a_call_or_away(app) {
        let desk = Desk::new(app).await;
        let path = format!("/api/v1/availability/{}", desk.worker.company);
        let seen = async |person| desk.of(person).await.get(&path).await.ok();
        let nobody = json!({"available": false, "waiting": 0, "averageWaitSeconds": null});
        assert_eq!(seen(&desk.operator).await, nobody, "no persons for the repair side");
        go_online(app, &desk.worker).await;
        let person = |state| json!([{"_id": desk.worker.id, "name": "Nombre Apellido", "role": 3, "state": state}]);
        assert_eq!(seen(&desk.worker).await["people"], person("free"));
        assert_eq!(seen(&desk.operator).await["available"], true);
        let request = desk.ask().await;
        app.advance(TimeDelta::seconds(40));
        assert_eq!(seen(&desk.operator).await["waiting"], 1);
        let offered = format!("/api/v1/customer-insurance/{}", desk.insurer);
        assert_eq!(desk.of(&desk.operator).await.get(&offered).await.ok()[0]["waiting"], 1);
        let answered = desk.of(&desk.worker).await.post(RESPOND, respond(&request)).await.ok();
        let room = text(&answered["conference"]["_id"]);
        tasks::handle(&app.assistance, CallEvent::RoomStarted { room: room.clone(), sid: "RM_1".into() }).await;
        let identity = format!("user:{}", desk.worker.id);
        let joined = CallEvent::Joined { room, identity, participant_sid: "PA_1".into(), name: "Ana".into() };
        tasks::handle(&app.assistance, joined).await;
        let now = seen(&desk.worker).await;
        assert_eq!((&now["people"], &now["available"]), (&person("call"), &json!(false)));
        assert_eq!((&now["waiting"], &now["averageWaitSeconds"]), (&json!(0), &json!(40)));
        let offer = desk.of(&desk.operator).await.get(&offered).await.ok()[0].clone();
        assert_eq!((&offer["state"], &offer["available"]), (&json!("call"), &json!(false)));
    }
}
