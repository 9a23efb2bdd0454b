//! Who gets into a media room with a token whose time is not over, and who has to leave it.

use crate::messaging::gateway::{Gateway, Say};
use crate::support::{Case, parts_of, text};
use atalaya_assistance::calls::{CallEvent, LiveKitConfig, LiveKitEngine, admission};
use atalaya_assistance::{Assistance, Parts, tasks};
use atalaya_testkit::{TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use futures::StreamExt;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// What the engine says about a token: the status, and the code of a refusal.
async fn said(app: &TestApp, token: &str) -> (u16, String) {
    let answer = app.anonymous().get(&format!("/rtc/v1/validate?access_token={token}")).await;
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

fn good() -> (u16, String) {
    (200, String::new())
}

fn refused(code: &str) -> (u16, String) {
    (401, code.to_owned())
}

/// A seat in the room, as a page that has only begun to join has it.
struct Sitting(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Sitting {
    /// `None` when the engine lets nobody in with this token.
    async fn down(app: &TestApp, token: &str) -> Option<Self> {
        let url = format!("ws://{}/rtc/v1?access_token={token}&join_request=", app.listen().await);
        let (mut socket, _) = connect_async(url).await.ok()?;
        // The engine's first word: the seat is taken.
        socket.next().await?.ok()?;
        Some(Self(socket))
    }

    async fn has_to_go(mut self) -> bool {
        let end = async { while let Some(Ok(_)) = self.0.next().await {} };
        tokio::time::timeout(Duration::from_secs(5), end).await.is_ok()
    }
}

async fn client_token(case: &Case<'_>, key: &str) -> String {
    text(&case.client_with(key, "join", json!({"camera": true, "microphone": true})).await.ok()["token"])
}

both_engines! {
    // CALL-50, ENGINE-29
    async fn a_token_lives_minutes_and_admits_while_its_conference_is_open(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let (ours, theirs) = (text(&case.opened["token"]), client_token(&case, &key).await);
        assert_eq!((said(app, &ours).await, said(app, &theirs).await), (good(), good()));
        app.advance(TimeDelta::minutes(11));
        let expired = refused("MEDIA_TOKEN_EXPIRED");
        assert_eq!((said(app, &ours).await, said(app, &theirs).await), (expired.clone(), expired));
        let (ours, theirs) = (text(&case.details().await["conference"]["jwt"]), client_token(&case, &key).await);
        assert_eq!((said(app, &ours).await, said(app, &theirs).await), (good(), good()));
        case.post("conference-close", json!({})).await.ok();
        let revoked = refused("MEDIA_TOKEN_REVOKED");
        assert_eq!((said(app, &ours).await, said(app, &theirs).await), (revoked.clone(), revoked));
        assert!(Sitting::down(app, &theirs).await.is_none(), "no free relay after the call");
    }

    // CALL-50
    async fn whoever_was_removed_needs_a_new_token(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        let (token, identity) = (text(&joined["token"]), text(&joined["identity"]));
        case.post("conference-remove", json!({"identity": identity})).await.problem(404, "PARTICIPANT_NOT_FOUND");
        assert_eq!(said(app, &token).await, good(), "who is not there is not removed");
        let seat = Sitting::down(app, &token).await.expect("a seat");
        case.post("conference-remove", json!({"identity": identity})).await.expect(204);
        assert!(seat.has_to_go().await);
        assert_eq!(said(app, &token).await, refused("MEDIA_TOKEN_REVOKED"));
        assert!(Sitting::down(app, &token).await.is_none());
        app.advance(TimeDelta::seconds(1));
        let fresh = client_token(&case, &key).await;
        assert!(Sitting::down(app, &fresh).await.is_some(), "who asks again and is let in, is in");
    }

    // CALL-51, SESSION-12
    async fn a_log_out_ends_the_call_and_a_renewal_or_an_old_token_does_not(app) {
        let case = Case::open(app).await;
        let token = text(&case.opened["token"]);
        let seat = Sitting::down(app, &token).await.expect("a seat");
        assert_eq!(admission::end_seats(&app.assistance).await.unwrap(), 0);
        let renewed = case.staff.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
        app.advance(TimeDelta::minutes(50));
        assert_eq!(said(app, &token).await, refused("MEDIA_TOKEN_EXPIRED"));
        assert_eq!(admission::end_seats(&app.assistance).await.unwrap(), 0, "neither token nor renewal ends a call");
        let fresh = app.anonymous().with_token(text(&renewed["token"]));
        let young = text(&fresh.get(&format!("/api/v1/conferences-details/{}", case.id)).await.ok()["conference"]["jwt"]);
        assert_eq!(said(app, &young).await, good());
        fresh.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        assert_eq!(said(app, &young).await, refused("MEDIA_TOKEN_REVOKED"));
        assert_eq!(admission::end_seats(&app.assistance).await.unwrap(), 1);
        assert!(seat.has_to_go().await);
    }

    // CALL-51
    async fn another_log_in_that_has_taken_the_seat_stays(app) {
        let case = Case::open(app).await;
        let first = Sitting::down(app, &text(&case.opened["token"])).await.expect("a seat");
        let elsewhere = app.log_in(&case.owner).await;
        let jwt = text(&elsewhere.get(&format!("/api/v1/conferences-details/{}", case.id)).await.ok()["conference"]["jwt"]);
        let _second = Sitting::down(app, &jwt).await.expect("a seat");
        assert!(first.has_to_go().await, "one seat for each person");
        case.staff.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        assert_eq!(admission::end_seats(&app.assistance).await.unwrap(), 0);
    }

    // CALL-50, CALL-51
    async fn a_cluster_is_told_who_has_to_leave_and_an_old_token_brings_nobody_back(app) {
        let cluster = Gateway::start().await;
        cluster.says("/twirp", [Say::Page(200, "")]);
        let config = LiveKitConfig {
            url: format!("ws://{}", cluster.host()),
            api_key: "key".into(),
            api_secret: app.secrets.media_api_secret.present.clone(),
        };
        let deps = Assistance::new(Parts { engine: Arc::new(LiveKitEngine::new(&config)), ..parts_of(app) });
        let case = Case::open(app).await;
        let joins = async |sid: &str| {
            let (room, identity) = (case.id.clone(), case.staff_identity());
            let event = CallEvent::Joined { room, identity, participant_sid: sid.into(), name: "Ana".into() };
            tasks::handle(&deps, event).await;
        };
        let removals = || cluster.asked().iter().filter(|asked| asked.path.ends_with("/RemoveParticipant")).count();
        case.room_starts("RM_1").await;
        joins("PA_1").await;
        assert_eq!((admission::end_seats(&deps).await.unwrap(), removals()), (0, 0));
        app.advance(TimeDelta::seconds(1));
        case.staff.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        assert_eq!((admission::end_seats(&deps).await.unwrap(), removals()), (1, 1));
        // The cluster admits by the token alone, as long as it lives.
        app.advance(TimeDelta::minutes(9));
        joins("PA_2").await;
        assert_eq!(removals(), 2, "sent out again as soon as the cluster tells");
        app.log_in(&case.owner).await;
        joins("PA_3").await;
        assert_eq!(removals(), 2, "whoever has logged in again stays");
    }
}
