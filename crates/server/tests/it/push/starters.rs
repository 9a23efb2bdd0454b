//! A starter and the people who answer the request.

use super::browser::{Browser, PushService};
use super::{log_in, register, stored, work};
use crate::support::text;
use crate::video_calls::{Desk, respond};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use serde_json::json;

both_engines! {
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
