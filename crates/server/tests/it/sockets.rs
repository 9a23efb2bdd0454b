//! Sockets: who is let in, what each hears, and when it is closed.

mod handshakes;
mod session_end;

use atalaya_identity::Identity;
use atalaya_identity::companies::NewCompany;
use atalaya_identity::presence::service as presence;
use atalaya_kernel::live::{Audience, names};
use atalaya_kernel::{CompanyKind, NodeId, Role};
use atalaya_testkit::{Client, Person, SocketClient, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::time::Duration;

/// Somebody with a socket.
async fn somebody(app: &TestApp, role: Role) -> (Person, Client, SocketClient) {
    let person = app.person(role).await;
    let client = app.log_in(&person).await;
    let socket = app.socket(&client).await;
    (person, client, socket)
}

/// Everything up to an event of this name, which must come.
async fn heard_until(socket: &mut SocketClient, last: &str) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    loop {
        let event = socket.next_event(Duration::from_secs(10)).await.expect("the last event is heard");
        if event.0 == last {
            return all;
        }
        all.push(event);
    }
}

both_engines! {
    // PRESENCE-3
    async fn each_event_is_heard_by_whom_it_concerns_and_by_nobody_else(app) {
        let (mine, _, mut socket) = somebody(app, Role::Worker).await;
        let (other, _, mut foreign) = somebody(app, Role::Repairer).await;
        // Of the same company and role, but another person: hears what is the company's and the role's.
        let colleague = app.person_in(mine.company, Role::Worker).await;
        let mut beside = app.socket(&app.log_in(&colleague).await).await;
        let events = [
            (Audience::User(mine.id), names::new_personal_notification(mine.id), json!({"_id": "n1"})),
            (Audience::Roles(vec![Role::Customer, Role::Worker]), names::NEW_GENERAL_NOTIFICATION.into(), json!({"_id": "g1"})),
            (Audience::Company(mine.company), names::videocall_in(mine.company), json!({"_id": "r1", "region": "46"})),
            (Audience::Company(mine.company), names::videocall_out(mine.company), json!({"_id": "r1", "reason": "accepted"})),
            (Audience::Company(mine.company), names::VIDEOCALL_BULK_DELETE.into(), json!({})),
            (Audience::User(mine.id), names::unblock_menu(mine.id), json!({"state": "mobile-unblocked"})),
        ];
        for (audience, name, data) in events.clone() {
            app.outreach.announcer.tell(audience, name, data);
        }
        app.outreach.announcer.tell(Audience::Everybody, "end", json!([1, {"a": null}]));
        let told = |nth: &[usize]| nth.iter().map(|n| (events[*n].1.clone(), events[*n].2.clone())).collect::<Vec<_>>();
        assert_eq!(heard_until(&mut socket, "end").await, told(&[0, 1, 2, 3, 4, 5]));
        assert_eq!(heard_until(&mut beside, "end").await, told(&[1, 2, 3, 4]));
        assert_eq!(heard_until(&mut foreign, "end").await, [], "nothing of {mine:?} for {other:?}");
    }

    // MENU-3
    async fn a_payment_start_that_comes_is_noticed_without_an_announcement(app) {
        let start = app.sources.now() + TimeDelta::minutes(10);
        let company = app.company_with(NewCompany::named(CompanyKind::Customer, "Cliente").paying(start)).await;
        let worker = app.person_in(company, Role::Worker).await;
        let mut socket = app.socket(&app.log_in(&worker).await).await;
        let (_, _, mut foreign) = somebody(app, Role::Worker).await;
        app.advance(TimeDelta::minutes(10));
        let (name, data) = socket.next_event(Duration::from_secs(15)).await.expect("within a look");
        assert_eq!((name, data), (format!("unblockMenu_{}", worker.id), json!({"state": "unblocked"})));
        assert_eq!(socket.next_event(Duration::from_secs(6)).await, None, "told once");
        assert_eq!(foreign.next_event(Duration::from_millis(10)).await, None);
    }

    // PRESENCE-1
    async fn only_one_s_own_socket_is_registered_and_makes_one_be_there(app) {
        let (mine, client, socket) = somebody(app, Role::Worker).await;
        let (other, stranger, foreign) = somebody(app, Role::Worker).await;
        let path = |id: &dyn std::fmt::Display| format!("/api/v1/socket-user/{id}");
        let online = async || presence::online(&app.identity, mine.company).await.unwrap();
        assert_eq!(online().await, [], "a socket is open, but not registered");
        client.get(&path(&socket.sid())).await.problem(404, "SOCKET_NOT_FOUND");
        client.post(&path(&other.id), json!({"socketId": socket.sid()})).await.problem(403, "SOCKET_USER_MISMATCH");
        client.post(&path(&mine.id), json!({"socketId": foreign.sid()})).await.problem(404, "SOCKET_NOT_FOUND");
        client.post(&path(&mine.id), json!({"socketId": "x' OR 1=1 --"})).await.problem(404, "SOCKET_NOT_FOUND");
        client.post(&path(&mine.id), json!({})).await.problem(422, "INVALID_FIELDS");
        client.post(&path(&"nobody"), json!({"socketId": "x"})).await.expect(404);
        assert_eq!(online().await, []);
        let answer = client.post(&path(&mine.id), json!({"socketId": socket.sid()})).await.ok();
        assert_eq!(answer, json!({"socketId": socket.sid(), "userId": mine.id}));
        assert_eq!(online().await, [mine.id]);
        assert_eq!(client.get(&path(&socket.sid())).await.ok(), json!({"userId": mine.id}));
        stranger.get(&path(&socket.sid())).await.problem(404, "SOCKET_NOT_FOUND");
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(admin.get(&path(&socket.sid())).await.ok(), json!({"userId": mine.id}));

        let clean = format!("/api/v1/clean-socket-user/{}", mine.id);
        stranger.get(&clean).await.problem(403, "SOCKET_USER_MISMATCH");
        assert_eq!(client.get(&clean).await.ok(), json!({"removed": 1}));
        assert_eq!(client.post(&clean, json!({})).await.ok(), json!({"removed": 0}));
        assert_eq!(online().await, []);
        client.post(&path(&mine.id), json!({"socketId": socket.sid()})).await.ok();
        drop(socket);
        for _ in 0..100 {
            if online().await.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("a closed socket makes nobody be there");
    }

    // PRESENCE-2
    async fn sockets_of_a_node_that_died_count_no_more(app) {
        let (mine, client, _socket) = {
            let person = app.person(Role::Worker).await;
            let client = app.log_in(&person).await;
            let socket = app.registered_socket(&person, &client).await;
            (person, client, socket)
        };
        let colleague = app.person_in(mine.company, Role::Worker).await;
        let elsewhere = Identity { node: app.sources.id::<NodeId>(), ..app.identity.clone() };
        presence::beat(&elsewhere).await.unwrap();
        let session = app.log_in(&colleague).await;
        presence::enter(&elsewhere, session.token.as_deref().unwrap(), "far").await.unwrap();
        session.post(&format!("/api/v1/socket-user/{}", colleague.id), json!({"socketId": "far"})).await.ok();
        let online = async || presence::online(&app.identity, mine.company).await.unwrap();
        assert_eq!(online().await.len(), 2);
        app.advance(TimeDelta::seconds(61));
        assert_eq!(online().await, [mine.id], "the other node has not beaten for a minute");
        presence::beat(&app.identity).await.unwrap();
        let admin = app.as_role(Role::Admin).await;
        admin.get("/api/v1/socket-user/far").await.problem(404, "SOCKET_NOT_FOUND");
        presence::beat(&elsewhere).await.unwrap();
        assert_eq!(online().await, [mine.id], "its rows were swept: who is there connects again");
        client.get("/api/v1/me").await.ok();
    }
}
