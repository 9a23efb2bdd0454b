//! Sending: contents, times, retries and expiry.

use super::browser::{Browser, PushService};
use super::{devices, greeting, log_in, queue, register, stored, work};
use crate::support::text;
use atalaya_kernel::{Language, Role};
use atalaya_outreach::push::{PushKind, PushMessage, PushText, service};
use atalaya_testkit::{Client, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// Somebody with one device.
async fn reached(app: &TestApp, name: &str) -> (Person, Client, Browser) {
    let person = app.person(Role::Worker).await;
    let client = log_in(app, &person).await;
    let browser = Browser::at(app, name);
    register(&client, &person, browser.token()).await.ok();
    (person, client, browser)
}

both_engines! {
    // PUSH-5, PUSH-6, PUSH-7
    async fn a_push_is_encrypted_for_the_browser_and_signed_by_the_server(app) {
        let service = PushService::of(app);
        let (person, client, browser) = reached(app, "a").await;
        let key = text(&client.get("/api/v1/push-key").await.ok()["key"]);
        assert_eq!(queue(app, &[&person], &greeting("request-1")).await, 1);
        assert!(service.take().is_empty(), "nothing is sent inside the transaction");
        work(app).await;
        let pushes = service.take();
        assert_eq!(pushes.len(), 1);
        let push = &pushes[0];
        assert_eq!(push.path, "/send/a");
        let expected = json!({
            "title": "Solicitud de videollamada", "body": "Alguien está esperando a que le atiendan.",
            "url": "/active-videocall-request/x", "tag": "request-1", "kind": "request",
        });
        assert_eq!(browser.decrypt(&push.body), expected);
        let claims = push.claims(&key);
        let origin = format!("http://{}", app.push_service.local_addr().expect("bound"));
        assert_eq!((text(&claims["aud"]), text(&claims["sub"])), (origin, "mailto:admin@localhost".into()));
        let lasts = claims["exp"].as_i64().expect("a time") - app.sources.now().timestamp();
        assert!((1..=24 * 3600).contains(&lasts), "{lasts}");
        assert_eq!((push.header("ttl"), push.header("urgency")), ("600", "high"));
        assert_eq!((push.header("content-encoding"), push.header("topic").len()), ("aes128gcm", 32));
        assert!(devices(&client).await[0]["lastOkAt"].is_string());
        work(app).await;
        assert!(service.take().is_empty(), "once");
    }

    // PUSH-7
    async fn every_device_hears_it_in_its_owner_s_language(app) {
        let service = PushService::of(app);
        let (spanish, client, desk) = reached(app, "es").await;
        let phone = Browser::at(app, "es-phone");
        register(&client, &spanish, phone.token()).await.ok();
        let english = app.person_with(spanish.company, Role::Worker, |new| new.language = Language::En).await;
        let tablet = Browser::at(app, "en");
        register(&log_in(app, &english).await, &english, tablet.token()).await.ok();
        let nobody = app.person(Role::Worker).await;
        assert_eq!(queue(app, &[&spanish, &english, &nobody], &greeting("t")).await, 3);
        work(app).await;
        let mut pushes = service.take();
        pushes.sort_by(|a, b| a.path.cmp(&b.path));
        let titles: Vec<_> = [&tablet, &desk, &phone].iter().zip(&pushes).map(|(b, p)| text(&b.decrypt(&p.body)["title"])).collect();
        assert_eq!(titles, ["Video-call request", "Solicitud de videollamada", "Solicitud de videollamada"]);
    }

    // PUSH-8
    async fn a_device_that_is_gone_is_forgotten(app) {
        let service = PushService::of(app);
        for status in [404, 410] {
            let (person, client, _browser) = reached(app, "a").await;
            queue(app, &[&person], &greeting("one")).await;
            queue(app, &[&person], &greeting("two")).await;
            service.answer(status);
            work(app).await;
            assert_eq!(service.take().len(), 1, "{status}: the second is not even tried");
            assert!(devices(&client).await.is_empty(), "{status}");
            assert_eq!(queue(app, &[&person], &greeting("t")).await, 0);
        }
    }

    // PUSH-8
    async fn a_push_service_that_is_busy_is_asked_again_until_the_message_is_old(app) {
        let service = PushService::of(app);
        let (person, client, _browser) = reached(app, "a").await;
        service.answer(503);
        service.answer_with(429, Some(("retry-after", "120".into())));
        queue(app, &[&person], &greeting("t")).await;
        work(app).await;
        assert_eq!(service.take().len(), 1);
        app.advance(TimeDelta::seconds(4));
        work(app).await;
        assert!(service.take().is_empty(), "not at once");
        app.advance(TimeDelta::seconds(1));
        work(app).await;
        assert_eq!(service.take().len(), 1);
        app.advance(TimeDelta::seconds(119));
        work(app).await;
        assert!(service.take().is_empty(), "the push service named two minutes");
        app.advance(TimeDelta::seconds(1));
        work(app).await;
        let third = service.take();
        assert_eq!(third.len(), 1);
        assert_eq!(third[0].header("ttl"), (600 - 125).to_string(), "what is left of its ten minutes");
        assert_eq!(devices(&client).await.len(), 1, "a busy push service costs no device");

        // A push service that never recovers: the tries end with the message's lifetime.
        for _ in 0..20 {
            service.answer(500);
        }
        queue(app, &[&person], &greeting("t")).await;
        let mut tries = 0;
        for _ in 0..200 {
            work(app).await;
            tries += service.take().len();
            app.advance(TimeDelta::seconds(5));
        }
        assert!((5..=9).contains(&tries), "{tries}");
        assert_eq!(stored(app).await, (1, 0));
    }

    // PUSH-6
    async fn what_is_old_or_withdrawn_is_not_sent(app) {
        let service = PushService::of(app);
        let (person, ..) = reached(app, "a").await;
        queue(app, &[&person], &greeting("old")).await;
        app.advance(TimeDelta::minutes(10));
        work(app).await;
        queue(app, &[&person], &greeting("answered")).await;
        let tx = app.db.write().await.expect("a transaction");
        assert_eq!(service::withdraw(&tx, "answered").await.expect("withdrawn"), 1);
        tx.commit().await.expect("committed");
        work(app).await;
        // A change that is rolled back sends nothing.
        let tx = app.db.write().await.expect("a transaction");
        service::queue(&app.outreach, &tx, &[person.id], &greeting("undone")).await.expect("queued");
        tx.rollback().await.expect("rolled back");
        work(app).await;
        assert!(service.take().is_empty());
    }

    // PUSH-5, PUSH-8
    async fn a_refusal_is_not_repeated_and_a_redirection_not_followed(app) {
        let service = PushService::of(app);
        let (person, client, _browser) = reached(app, "a").await;
        let inside = format!("http://{}/stolen", app.push_service.local_addr().expect("bound"));
        for status in [301, 302, 307, 308] {
            service.answer_with(status, Some(("location", inside.clone())));
        }
        service.answer(403);
        service.answer(413);
        for n in 0..6 {
            queue(app, &[&person], &greeting(&n.to_string())).await;
            work(app).await;
            app.advance(TimeDelta::minutes(1));
            work(app).await;
        }
        let paths: Vec<_> = service.take().into_iter().map(|push| push.path).collect();
        assert_eq!(paths, ["/send/a"; 6]);
        assert_eq!(devices(&client).await.len(), 1);
    }

    // PUSH-6, PUSH-7
    async fn plain_words_are_cut_to_what_a_push_takes(app) {
        let service = PushService::of(app);
        let (person, _client, browser) = reached(app, "a").await;
        let long = "ñ\"🚗".repeat(2000);
        let message = PushMessage {
            kind: PushKind::Notification,
            text: PushText::Plain { title: long.clone(), body: long },
            url: "/x".into(),
            tag: "t".into(),
        };
        queue(app, &[&person], &message).await;
        work(app).await;
        let push = service.take().remove(0);
        let payload = browser.decrypt(&push.body);
        assert!(payload.to_string().len() <= 3072 && text(&payload["body"]).ends_with('…'));
        assert_eq!((push.header("ttl"), push.header("urgency")), ("86400", "normal"));
    }

    // PUSH-13
    async fn the_test_button_tells_what_the_push_service_said(app) {
        let service = PushService::of(app);
        let (person, client, browser) = reached(app, "a").await;
        let test = async |token: Value| client.post("/api/v1/push-test", json!({"token": token})).await;
        assert_eq!(test(browser.token()).await.ok(), json!({"state": "delivered", "status": 201}));
        let push = service.take().remove(0);
        let payload = browser.decrypt(&push.body);
        assert_eq!((text(&payload["title"]), text(&payload["kind"])), ("Los avisos funcionan".into(), "test".into()));
        assert_eq!(text(&payload["url"]), format!("/password/{}", person.id));
        service.answer(503);
        assert_eq!(test(json!(browser.endpoint)).await.ok(), json!({"state": "failed", "status": 503}));
        let other = reached(app, "b").await;
        test(other.2.token()).await.problem(404, "PUSH_TOKEN_NOT_FOUND");
        service.answer(410);
        assert_eq!(test(browser.token()).await.ok(), json!({"state": "failed", "status": 410}));
        assert!(devices(&client).await.is_empty());
        test(browser.token()).await.problem(404, "PUSH_TOKEN_NOT_FOUND");
    }

    // PUSH-12
    async fn nobody_is_called_more_than_ten_times_a_minute(app) {
        let service = PushService::of(app);
        let (person, client, browser) = reached(app, "a").await;
        let call = async || client.post("/api/v1/send-web-push", json!({"parentId": person.company})).await;
        for _ in 0..10 {
            assert_eq!(call().await.expect(202), json!({"queued": 1}));
        }
        let refused = call().await;
        refused.problem(429, "TOO_MANY_REQUESTS");
        assert!(refused.header("retry-after").is_some());
        work(app).await;
        let pushes = service.take();
        assert_eq!(pushes.len(), 10);
        assert_eq!(text(&browser.decrypt(&pushes[0].body)["kind"]), "test", "one's own company: one's own devices");
        app.advance(TimeDelta::minutes(1));
        assert_eq!(call().await.expect(202), json!({"queued": 1}));
    }

    // PUSH-12
    async fn an_administrator_calls_a_company_and_strangers_nobody(app) {
        let service = PushService::of(app);
        let (person, _client, browser) = reached(app, "a").await;
        let admin = app.as_role(Role::Admin).await;
        let body = json!({"parentId": person.company});
        assert_eq!(admin.post("/api/v1/send-web-push", body.clone()).await.expect(202), json!({"queued": 1}));
        work(app).await;
        let push = service.take().remove(0);
        assert_eq!(text(&browser.decrypt(&push.body)["title"]), "Tiene un aviso");
        for role in [Role::Customer, Role::Worker, Role::Repairer, Role::WorkshopOperator, Role::PasswordOperator] {
            let stranger = app.as_role(role).await;
            stranger.post("/api/v1/send-web-push", body.clone()).await.problem(404, "COMPANY_NOT_FOUND");
        }
        for unknown in [json!(app.sources.uuid()), json!("x")] {
            let answer = admin.post("/api/v1/send-web-push", json!({"parentId": unknown})).await;
            answer.problem(404, "COMPANY_NOT_FOUND");
        }
        work(app).await;
        assert!(service.take().is_empty());
    }

    // PUSH-15, INCID-16
    async fn an_incidence_reaches_the_administrators_devices_and_its_answer_the_author_s(app) {
        let service = PushService::of(app);
        let (person, author, browser) = reached(app, "author").await;
        let admin_person = app.person(Role::Admin).await;
        let admin = log_in(app, &admin_person).await;
        let device = Browser::at(app, "admin");
        register(&admin, &admin_person, device.token()).await.ok();
        let sent = json!({"type": 2, "reason": 5, "comments": "Remedios espera"});
        let made = crate::incidences::send(&author, sent, json!([])).await.expect(201)["incidence"].clone();
        let id = crate::incidences::id(&made);
        work(app).await;
        let pushes = service.take();
        assert_eq!(pushes.iter().map(|push| push.path.as_str()).collect::<Vec<_>>(), ["/send/admin"]);
        let shown = device.decrypt(&pushes[0].body);
        assert_eq!((&shown["title"], &shown["kind"], &shown["tag"]), (&json!("Nueva incidencia"), &json!("notification"), &json!(format!("incidence-{id}"))));
        assert!(!shown.to_string().contains("Remedios") && text(&shown["url"]).ends_with(&id));
        admin.put("/api/v1/incidence/", json!({"incidence": {"_id": id, "answer": "Remedios debe esperar"}})).await.ok();
        work(app).await;
        let pushes = service.take();
        assert_eq!(pushes.iter().map(|push| push.path.as_str()).collect::<Vec<_>>(), ["/send/author"]);
        let shown = browser.decrypt(&pushes[0].body);
        assert_eq!(text(&shown["url"]), format!("/incidences/{}?incidence={id}", person.id));
        assert!(!shown.to_string().contains("Remedios"));
        admin.put("/api/v1/incidence/", json!({"incidence": {"_id": id, "status": 2}})).await.ok();
        work(app).await;
        assert!(service.take().is_empty(), "a status alone wakes nobody");
    }
}
