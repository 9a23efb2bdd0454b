//! What open screens receive, and that nobody else does.

use super::{Desk, respond};
use atalaya_assistance::video_call_requests::jobs;
use atalaya_kernel::Role;
use atalaya_testkit::socket::SocketClient;
use atalaya_testkit::{Person, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::time::Duration;

/// Every event about requests received by now.
async fn heard(socket: &mut SocketClient) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    while let Some((name, data)) = socket.next_event(Duration::from_millis(250)).await {
        if name.starts_with("videocall") {
            all.push((name, data));
        }
    }
    all
}

both_engines! {
    // REQUEST-24
    async fn each_company_hears_what_concerns_it_and_strangers_nothing(app) {
        let desk = Desk::new(app).await;
        let screen = async |person: &Person| app.socket(&app.log_in(person).await).await;
        let boss = app.person_in(desk.worker.company, Role::Customer).await;
        let (mut worker, mut principal) = (screen(&desk.worker).await, screen(&boss).await);
        let mut operator = screen(&desk.operator).await;
        let mut strangers = Vec::new();
        for role in [Role::Worker, Role::Customer, Role::WorkshopOperator, Role::Repairer, Role::Admin] {
            strangers.push(screen(&app.person(role).await).await);
        }
        let (rings, customers) = (format!("videocallIn_{}", desk.worker.company), format!("videocallOut_{}", desk.worker.company));
        let starters = format!("videocallOut_{}", desk.operator.company);
        let gone = |request: &Value, reason: &str| json!({"_id": request["_id"], "reason": reason});

        let request = desk.ask().await;
        for socket in [&mut worker, &mut principal] {
            assert_eq!(socket.expect_event(&rings).await, request);
        }
        assert!(heard(&mut operator).await.is_empty(), "it does not ring at those who ask");
        desk.of(&desk.worker).await.post("/api/v1/video-call-respond", respond(&request)).await.ok();
        for (socket, name) in [(&mut worker, &customers), (&mut principal, &customers), (&mut operator, &starters)] {
            assert_eq!(heard(socket).await, [(name.clone(), gone(&request, "accepted"))]);
        }

        let withdrawn = desk.ask().await;
        let path = format!("/api/v1/delete-active-request-user/{}", desk.operator.id);
        desk.of(&desk.operator).await.post(&path, json!({})).await.ok();
        let refused = desk.ask().await;
        let all = json!({"videoCallRequestId": refused["_id"], "all": true});
        desk.of(&boss).await.post("/api/v1/video-call-refuse", all).await.ok();
        let expired = desk.ask().await;
        app.advance(TimeDelta::minutes(10));
        jobs::run(&app.assistance).await.unwrap();
        let outs = [gone(&withdrawn, "withdrawn"), gone(&refused, "refused"), gone(&expired, "expired")];
        let told: Vec<Value> = heard(&mut operator).await.into_iter().map(|(name, data)| { assert_eq!(name, starters); data }).collect();
        assert_eq!(told, outs);
        let told = heard(&mut worker).await;
        let names: Vec<&str> = told.iter().map(|(name, _)| name.split('_').next().unwrap()).collect();
        assert_eq!(names, ["videocallIn", "videocallOut", "videocallIn", "videocallOut", "videocallIn", "videocallOut"]);

        desk.ask().await;
        heard(&mut worker).await;
        app.advance(TimeDelta::minutes(12));
        jobs::run(&app.assistance).await.unwrap();
        for socket in [&mut worker, &mut operator] {
            assert_eq!(heard(socket).await, [("videocallBulkDelete_".to_owned(), json!({}))], "swept in bulk");
        }
        for socket in &mut strangers {
            assert!(heard(socket).await.is_empty());
        }
    }
}
