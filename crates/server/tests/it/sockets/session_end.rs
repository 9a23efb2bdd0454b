//! A socket ends with its session.

use super::somebody;
use atalaya_kernel::Role;
use atalaya_kernel::live::Audience;
use atalaya_testkit::{PASSWORD, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::json;
use std::time::Duration;

/// How soon sockets of an ended session are closed.
const AT_ONCE: Duration = Duration::from_secs(1);

both_engines! {
    // PRESENCE-4
    async fn a_logout_closes_that_session_s_sockets_only(app) {
        let (person, client, mut socket) = somebody(app, Role::Worker).await;
        let mut second = app.socket(&client).await;
        let mut elsewhere = app.socket(&app.log_in(&person).await).await;
        client.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        assert!(socket.is_closed_within(AT_ONCE).await && second.is_closed_within(AT_ONCE).await);
        app.outreach.announcer.tell(Audience::User(person.id), "still", json!({}));
        assert_eq!(elsewhere.next_event(AT_ONCE).await, Some(("still".into(), json!({}))));
    }

    async fn a_renewed_session_keeps_its_sockets_and_its_logout_closes_them(app) {
        let (_, client, mut socket) = somebody(app, Role::Worker).await;
        let renewed = client.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
        let renewed = client.with_token(renewed["token"].as_str().unwrap());
        app.advance(TimeDelta::minutes(5));
        assert!(!socket.is_closed_within(Duration::from_secs(6)).await, "the look finds the renewal alive");
        renewed.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        assert!(socket.is_closed_within(AT_ONCE).await);
    }

    // PRESENCE-4
    async fn dismissal_and_closing_of_devices_close_sockets(app) {
        let principal = app.person(Role::Customer).await;
        let (boss, member) = (app.log_in(&principal).await, app.person_in(principal.company, Role::Worker).await);
        let mut dismissed = app.socket(&app.log_in(&member).await).await;
        boss.put("/api/v1/user", json!({"user": {"_id": member.id, "status": 1}})).await.ok();
        assert!(dismissed.is_closed_within(AT_ONCE).await, "deactivated");

        let mut own = app.socket(&boss).await;
        let other = app.log_in(&principal).await;
        let mut others = app.socket(&other).await;
        boss.post(&format!("/api/v1/sessions-end/{}", principal.id), json!({})).await.expect(204);
        assert!(others.is_closed_within(AT_ONCE).await, "all devices but this one");
        assert!(!own.is_closed_within(Duration::from_millis(200)).await);

        let admin = app.as_role(Role::Admin).await;
        admin.put("/api/v1/customer", json!({"customer": {"_id": principal.company, "status": 1}})).await.ok();
        assert!(own.is_closed_within(AT_ONCE).await, "the company may not log in");
    }

    async fn a_changed_password_closes_the_other_sockets_and_a_reset_all(app) {
        let (person, client, mut own) = somebody(app, Role::Worker).await;
        let mut other = app.socket(&app.log_in(&person).await).await;
        let body = json!({"params": {"oldPassword": PASSWORD, "password": "tejado rojo bajo la lluvia"}});
        client.put(&format!("/api/v1/change-password-perfil/{}", person.id), body).await.expect(204);
        assert!(other.is_closed_within(AT_ONCE).await && !own.is_closed_within(Duration::from_millis(200)).await);

        app.anonymous().post("/api/v1/remember-email", json!({"email": person.user_name})).await.expect(204);
        let admin = app.as_role(Role::Admin).await;
        let outbox = admin.get(&format!("/api/v1/outbox?to={}", person.user_name)).await.ok()["outbox"].clone();
        let links = outbox.as_array().expect("a list").iter().filter_map(|message| message["link"].as_str());
        let token = links.filter(|link| link.contains("/remember-form/")).find_map(|link| link.rsplit('/').next());
        let body = json!({"change": {"token": token, "password": "una clave distinta y larga"}});
        app.anonymous().put("/api/v1/change-password", body).await.expect(204);
        assert!(own.is_closed_within(AT_ONCE).await);
    }

    // PRESENCE-4
    async fn a_session_that_runs_out_is_found_by_the_look(app) {
        let (_, _, mut socket) = somebody(app, Role::Worker).await;
        app.advance(TimeDelta::hours(2));
        assert!(socket.is_closed_within(Duration::from_secs(8)).await);
    }
}
