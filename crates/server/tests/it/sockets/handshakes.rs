//! Bad input at the door: forged handshakes, floods, too much, too many.

use super::somebody;
use atalaya_kernel::Role;
use atalaya_kernel::live::Audience;
use atalaya_testkit::socket::Refused;
use atalaya_testkit::{SocketClient, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::json;
use std::time::Duration;

const A_WHILE: Duration = Duration::from_secs(5);

both_engines! {
    // PRESENCE-5
    async fn forged_handshakes_are_refused(app) {
        let address = app.listen().await;
        let refused = Err(Refused::Message("UNAUTHENTICATED".into()));
        let (person, other) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let (client, ended) = (app.log_in(&person).await, app.log_in(&other).await);
        let good = client.token.clone().unwrap();
        ended.send(Method::POST, "/api/v1/logout", None).await.expect(204);
        let ended = ended.token.unwrap();
        let (head, signature) = good.rsplit_once('.').unwrap();
        let (_, foreign) = ended.rsplit_once('.').unwrap();
        let none = head.replacen(head.split('.').next().unwrap(), "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0", 1);
        for auth in [
            json!({}),
            json!(null),
            json!([]),
            json!("token"),
            json!({"token": null}),
            json!({"token": 7}),
            json!({"token": ""}),
            json!({"token": "x".repeat(4000)}),
            json!({"token": format!("Bearer {good}")}),
            json!({"token": format!("{head}.{foreign}")}),
            json!({"token": format!("{none}.")}),
            json!({"token": format!("{head}.{}", signature.to_lowercase())}),
            json!({"token": ended}),
            json!({"userId": person.id, "user": {"_id": person.id}}),
        ] {
            let got = SocketClient::connect_with(address, auth.clone(), None).await.map(|_| ());
            assert_eq!(got, refused, "{auth}");
        }
        assert!(SocketClient::connect(address, &good).await.is_ok());
        app.advance(TimeDelta::hours(2));
        assert_eq!(SocketClient::connect(address, &good).await.map(|_| ()), refused, "expired");
    }

    // PRESENCE-5
    async fn pages_of_other_origins_are_sent_away(app) {
        let address = app.listen().await;
        let token = app.as_role(Role::Worker).await.token.unwrap();
        let connect = async |origin: &str| SocketClient::connect_with(address, json!({ "token": token }), Some(origin)).await.map(|_| ());
        assert_eq!(connect("https://evil.example").await, Err(Refused::Status(403)));
        assert_eq!(connect("null").await, Err(Refused::Status(403)));
        assert_eq!(connect(&format!("http://{address}")).await, Ok(()));
        assert_eq!(connect(&app.identity.settings.public_url).await, Ok(()));
        let poll = "/socket.io/?EIO=4&transport=polling";
        let opened = app.anonymous().get(poll).await;
        assert!(opened.status == 200 && opened.body.starts_with(b"0{"), "{opened:?}");
        app.anonymous().with("origin", "https://evil.example").get(poll).await.expect(403);
        app.anonymous().get("/socket.io/?EIO=4&transport=polling&sid=AAAAAAAAAAAAAAAA").await.expect(400);
    }

    // PRESENCE-3, PRESENCE-5
    async fn what_a_socket_says_is_ignored_and_too_much_of_it_ends_it(app) {
        let (mine, _, mut loud) = somebody(app, Role::Worker).await;
        let (_, _, mut quiet) = somebody(app, Role::Worker).await;
        for nth in 0..15 {
            loud.emit("newGeneralNotification", json!({"_id": nth})).await;
        }
        app.outreach.announcer.tell(Audience::Everybody, "end", json!({}));
        for socket in [&mut loud, &mut quiet] {
            assert_eq!(socket.next_event(A_WHILE).await, Some(("end".into(), json!({}))), "nobody hears what others say");
        }
        for nth in 0..60 {
            loud.emit("join", json!([format!("user:{}", mine.id), nth])).await;
        }
        assert!(loud.is_closed_within(A_WHILE).await, "a flood");
        let (_, _, mut large) = somebody(app, Role::Worker).await;
        large.emit("x", json!("y".repeat(17 * 1024))).await;
        assert!(large.is_closed_within(A_WHILE).await, "more than 16 KiB");
        for garbage in ["4", "42", "42[", "42{}", "45-[]", "451-[\"x\",{\"_placeholder\":true,\"num\":9}]", "47", "4\u{0}", "9", "b####"] {
            let (_, _, mut odd) = somebody(app, Role::Worker).await;
            odd.send(garbage).await;
            odd.send("40/other,{}").await;
            odd.is_closed_within(Duration::from_millis(100)).await;
        }
        app.outreach.announcer.tell(Audience::Everybody, "end", json!({}));
        assert_eq!(quiet.next_event(A_WHILE).await, Some(("end".into(), json!({}))), "the others go on");
    }

    // PRESENCE-5
    async fn the_oldest_goes_when_a_user_opens_one_too_many(app) {
        let (person, client, mut first) = somebody(app, Role::Worker).await;
        let mut more = Vec::new();
        for _ in 0..19 {
            app.advance(TimeDelta::milliseconds(10));
            more.push(app.socket(&client).await);
        }
        assert!(!first.is_closed_within(Duration::from_millis(300)).await, "twenty are borne");
        app.advance(TimeDelta::milliseconds(10));
        more.push(app.socket(&client).await);
        assert!(first.is_closed_within(A_WHILE).await);
        app.outreach.announcer.tell(Audience::User(person.id), "end", json!({}));
        for socket in &mut more {
            assert_eq!(socket.next_event(A_WHILE).await, Some(("end".into(), json!({}))));
        }
    }
}
