//! A starter and the people who answer the request.

use super::browser::{Browser, PushService};
use super::{log_in, register, stored, work};
use crate::support::text;
use crate::video_call_requests::{Desk, go_online, respond};
use atalaya_assistance::video_call_requests::jobs;
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::{Value, json};

both_engines! {
    // REQUEST-8
    async fn a_request_that_one_refuses_stays_open_while_others_were_just_called(app) {
        let desk = Desk::new(app).await;
        let colleague = app.person_in(desk.worker.company, Role::Worker).await;
        go_online(app, &desk.worker).await;
        let called = log_in(app, &colleague).await;
        register(&called, &colleague, Browser::at(app, "colleague").token()).await.ok();
        let refuse = async |person, request: &Value| {
            let body = json!({"videoCallRequestId": request["_id"]});
            desk.of(person).await.post("/api/v1/video-call-refuse", body).await.ok()["refused"].clone()
        };
        let state = async || desk.seen_by(&desk.operator).await[0]["state"].clone();
        let request = desk.ask().await;
        assert_eq!(refuse(&desk.worker, &request).await, false, "the colleague was called a moment ago");
        assert_eq!(state().await, "waiting");
        app.advance(TimeDelta::seconds(119));
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(state().await, "waiting", "two minutes to take the telephone out of the pocket");
        app.advance(TimeDelta::seconds(1));
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!((state().await, desk.told(&desk.operator).await), (json!("refused"), vec!["request-refused".to_owned()]));
        // Who is there by then keeps it open, until that person refuses too.
        let request = desk.ask().await;
        assert_eq!(refuse(&desk.worker, &request).await, false);
        go_online(app, &colleague).await;
        app.advance(TimeDelta::minutes(3));
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(state().await, "waiting");
        assert_eq!(refuse(&colleague, &request).await, true);
    }

    // PUSH-7, PUSH-11, PUSH-12, PUSH-14
    async fn a_request_rings_at_devices_and_its_starter_may_ring_again_while_it_is_open(app) {
        let service = PushService::of(app);
        let desk = Desk::new(app).await;
        let browser = Browser::at(app, "worker");
        let worker = log_in(app, &desk.worker).await;
        register(&worker, &desk.worker, browser.token()).await.ok();
        let starter = log_in(app, &desk.operator).await;
        register(&starter, &desk.operator, Browser::at(app, "starter").token()).await.ok();
        let call = json!({"parentId": desk.worker.company});
        starter.post("/api/v1/send-web-push", call.clone()).await.problem(404, "COMPANY_NOT_FOUND");
        let whose = json!({"token": browser.endpoint});
        starter.post("/api/v1/find-token-user", whose.clone()).await.problem(404, "PUSH_TOKEN_NOT_FOUND");

        let request = desk.ask().await;
        work(app).await;
        let pushes = service.take();
        assert_eq!(pushes.iter().map(|push| push.path.as_str()).collect::<Vec<_>>(), ["/send/worker"]);
        let rung = browser.decrypt(&pushes[0].body);
        assert_eq!((&rung["kind"], &rung["tag"]), (&json!("request"), &request["_id"]));
        assert_eq!(text(&rung["url"]), format!("/active-videocall-request/{}", desk.worker.company));

        assert_eq!(starter.post("/api/v1/send-web-push", call.clone()).await.expect(202), json!({"queued": 1}));
        work(app).await;
        let again = service.take();
        assert_eq!((again.len(), again[0].header("topic")), (1, pushes[0].header("topic")), "it replaces the first");
        let expected = json!({"userId": desk.worker.id, "parentId": desk.worker.company});
        assert_eq!(starter.post("/api/v1/find-token-user", whose.clone()).await.ok(), expected);
        let stranger = app.as_role(Role::WorkshopOperator).await;
        stranger.post("/api/v1/send-web-push", call.clone()).await.problem(404, "COMPANY_NOT_FOUND");

        // The request is answered before the next push is sent, which is withdrawn.
        assert_eq!(starter.post("/api/v1/send-web-push", call.clone()).await.expect(202), json!({"queued": 1}));
        assert_eq!(stored(app).await, (2, 1));
        worker.post("/api/v1/video-call-respond", respond(&request)).await.ok();
        assert_eq!(texts(&service, app).await, Vec::<String>::new());
        starter.post("/api/v1/send-web-push", call).await.problem(404, "COMPANY_NOT_FOUND");
        starter.post("/api/v1/find-token-user", whose).await.problem(404, "PUSH_TOKEN_NOT_FOUND");
    }
}

/// The paths of pushes about requests, after the due jobs have run.
async fn texts(service: &PushService, app: &atalaya_testkit::TestApp) -> Vec<String> {
    work(app).await;
    service.take().into_iter().map(|push| push.path).filter(|path| path == "/send/worker").collect()
}
