//! General notifications: audience, start and end to the millisecond, withdrawal, what an administrator may write.

use super::{Recorder, announcement, at, ids, mark, panel, post_general, publish, start_again, starter, unread};
use crate::support::text;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::Role;
use atalaya_kernel::live::{Audience, LiveMessage};
use atalaya_outreach::notifications::{NewGeneral, RoleGroup, create_general};
use atalaya_rest::caller::{Caller, Via};
use atalaya_testkit::{TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::net::Ipv4Addr;

const LIST: &str = "generalNotifications";

fn event(audience: Audience, id: &str) -> LiveMessage {
    LiveMessage::Event { audience, name: "newGeneralNotification".into(), data: json!({"_id": id}) }
}

/// The administrator's list.
async fn listed(app: &TestApp, query: &str) -> Value {
    app.as_role(Role::Admin).await.get(&format!("/api/v1/notifications/general{query}")).await.ok()
}

both_engines! {
    // NOTICE-2, NOTICE-6
    async fn each_audience_sees_its_own_and_nobody_else_s(app) {
        let groups = [(0, "Todos"), (2, "Clientes"), (3, "Peritos"), (4, "Reparadores"), (5, "Operadores"), (6, "Talleres"), (7, "De taller")];
        for (group, words) in groups {
            publish(app, json!({"text": words, "roleGroup": group})).await;
        }
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Empty) {
            let client = app.as_role(role).await;
            let shown = panel(&client).await["notificationsByUser"][LIST].clone();
            let mut seen: Vec<&str> = shown.as_array().unwrap().iter().map(|row| row["text"].as_str().unwrap()).collect();
            seen.sort_by_key(|words| groups.iter().position(|(_, text)| text == words));
            let own = groups.iter().filter(|(group, _)| [0, i16::from(role)].contains(group)).map(|(_, words)| *words);
            assert_eq!(seen, own.collect::<Vec<_>>(), "{role:?}");
            assert_eq!(unread(&client).await, seen.len() as u64, "{role:?}");
        }
    }

    // NOTICE-7
    async fn it_is_in_force_from_its_start_until_its_end(app) {
        let (start, end) = (TimeDelta::minutes(10), TimeDelta::minutes(20));
        let made = publish(app, json!({"startAt": at(app, start), "expiresAt": at(app, end)})).await;
        assert_eq!(made["state"], "scheduled");
        let id = text(&made["_id"]);
        let client = app.as_role(Role::Worker).await;
        let ms = TimeDelta::milliseconds(1);
        for (step, state, shown) in
            [(start - ms, "scheduled", 0), (ms, "active", 1), (end - start - ms, "active", 1), (ms, "expired", 0)]
        {
            app.advance(step);
            assert_eq!(listed(app, "").await["notifications"][0]["state"], state);
            assert_eq!((ids(&client, LIST).await.len(), unread(&client).await), (shown, shown as u64), "{state}");
            assert_eq!(client.get("/api/v1/notifications/has-any").await.ok()["hasAny"], shown == 1);
            for call in ["mark-as-seen-general", "mark-as-unseen-general"] {
                match shown {
                    0 => drop(mark(&client, call, &id).await.problem(404, "NOTIFICATION_NOT_FOUND")),
                    _ => drop(mark(&client, call, &id).await.ok()),
                }
            }
        }
    }

    // NOTICE-8
    async fn screens_are_told_once_at_the_start(app) {
        let recorder = Recorder::default();
        let outreach = recorder.watch(app);
        let worker = starter(app, &outreach);
        let later = publish(app, json!({"startAt": at(app, TimeDelta::minutes(5)), "roleGroup": 7})).await;
        let everybody = publish(app, json!({"startAt": at(app, TimeDelta::minutes(6))})).await;
        let (later, everybody) = (text(&later["_id"]), text(&everybody["_id"]));
        app.advance(TimeDelta::minutes(5) - TimeDelta::milliseconds(1));
        assert!(!worker.run_next().await.unwrap(), "it is not due");
        start_again(&outreach, &later).await;
        assert_eq!(recorder.take(), [], "nor told by a job that runs too early");
        app.advance(TimeDelta::milliseconds(1));
        assert!(worker.run_next().await.unwrap());
        assert!(!worker.run_next().await.unwrap());
        assert_eq!(recorder.take(), [event(Audience::Roles(vec![Role::WorkshopOperator]), &later)]);
        start_again(&outreach, &later).await;
        assert_eq!(recorder.take(), [], "a job that runs twice tells once");
        app.advance(TimeDelta::minutes(1));
        while worker.run_next().await.unwrap() {}
        assert_eq!(recorder.take(), [event(Audience::Everybody, &everybody)]);
    }

    // NOTICE-8
    async fn what_starts_now_is_told_at_once(app) {
        let recorder = Recorder::default();
        let outreach = recorder.watch(app);
        let admin = app.person(Role::Admin).await;
        let caller = Caller {
            user: admin.id, role: Role::Admin, company: admin.company, session: app.sources.id(), support: false, language: None,
            via: Via::Bearer,
        };
        let origin = Origin { address: Ipv4Addr::LOCALHOST.into(), user_agent: None };
        let now = app.sources.now();
        let new = NewGeneral {
            text: "Ya".into(), url: None, body: None, group: RoleGroup::Role(Role::Customer), start_at: now,
            expires_at: now + TimeDelta::hours(1),
        };
        let id = create_general(&outreach, &caller, &origin, &new).await.unwrap();
        assert_eq!(recorder.take(), [event(Audience::Roles(vec![Role::Customer]), &id.to_string())]);
        let worker = starter(app, &outreach);
        while worker.run_next().await.unwrap() {}
        assert_eq!(recorder.take(), [], "and not once more by the job");
    }

    // NOTICE-8
    async fn nobody_is_told_of_what_is_over(app) {
        let recorder = Recorder::default();
        let outreach = recorder.watch(app);
        let worker = starter(app, &outreach);
        let start = at(app, TimeDelta::minutes(5));
        let withdrawn = text(&publish(app, json!({"startAt": start})).await["_id"]);
        let expires = at(app, TimeDelta::minutes(6));
        publish(app, json!({"startAt": start, "expiresAt": expires})).await;
        let admin = app.as_role(Role::Admin).await;
        mark(&admin, "general-withdraw", &withdrawn).await.ok();
        app.advance(TimeDelta::minutes(6));
        while worker.run_next().await.unwrap() {}
        assert_eq!(recorder.take(), [], "the server slept through the whole time of the second");
    }

    // NOTICE-7, NOTICE-9
    async fn an_administrator_takes_it_back(app) {
        let admin = app.as_role(Role::Admin).await;
        let (one, two) = (app.as_role(Role::Worker).await, app.as_role(Role::Customer).await);
        let id = text(&publish(app, json!({"text": "Fuera", "body": "<p>Detalle</p>"})).await["_id"]);
        for client in [&one, &two] {
            mark(client, "mark-as-seen-general", &id).await.ok();
        }
        mark(&two, "mark-as-unseen-general", &id).await.ok();
        let row = listed(app, "").await["notifications"][0].clone();
        assert_eq!((&row["readers"], &row["state"], &row["roleGroup"], &row["type"]), (&json!(1), &json!("active"), &json!(0), &json!(3)));
        let gone = mark(&admin, "general-withdraw", &id).await.ok()["notification"].clone();
        assert_eq!((&gone["state"], &gone["readers"]), (&json!("withdrawn"), &json!(1)));
        assert!(ids(&two, LIST).await.is_empty());
        assert_eq!(unread(&two).await, 0);
        mark(&two, "mark-as-seen-general", &id).await.problem(404, "NOTIFICATION_NOT_FOUND");
        mark(&admin, "general-withdraw", &id).await.problem(409, "NOTIFICATION_OVER");
        mark(&admin, "general-withdraw", "0192f0c1-7d2c-7bbb-8a5e-00000000beef").await.problem(404, "NOTIFICATION_NOT_FOUND");
        mark(&one, "general-withdraw", &id).await.problem(403, "ROLE_NOT_ALLOWED");
        let log = admin.get("/api/v1/audit").await.ok();
        let actions: Vec<&str> = log["logs"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
        assert!(actions.contains(&"GENERAL_NOTIFICATION_CREATED") && actions.contains(&"GENERAL_NOTIFICATION_WITHDRAWN"), "{actions:?}");
    }

    // NOTICE-9
    async fn the_administrator_s_list_is_paged_newest_first(app) {
        for nth in 0..5 {
            publish(app, json!({"text": format!("n {nth}"), "startAt": at(app, TimeDelta::minutes(nth))})).await;
        }
        let first = listed(app, "?limit=2").await;
        assert_eq!((&first["total"], &first["nextCursor"]), (&json!(5), &json!("2")));
        assert_eq!(first["notifications"][0]["text"], "n 4");
        let last = listed(app, "?limit=2&cursor=4").await;
        assert_eq!((&last["notifications"][0]["text"], &last["nextCursor"]), (&json!("n 0"), &json!(null)));
        let admin = app.as_role(Role::Admin).await;
        let refused = admin.get("/api/v1/notifications/general?cursor=x").await.problem(422, "INVALID_FIELDS");
        assert_eq!(refused["errors"][0]["field"], "cursor");
    }

    // NOTICE-10
    async fn each_wrong_field_is_told(app) {
        let admin = app.as_role(Role::Admin).await;
        let long = |n: usize| "ñ".repeat(n);
        let far = at(app, TimeDelta::days(366) + TimeDelta::milliseconds(1));
        let cases = [
            (json!({"text": ""}), "text", "REQUIRED"),
            (json!({"text": "   "}), "text", "REQUIRED"),
            (json!({"text": null}), "text", "REQUIRED"),
            (json!({"text": 7}), "text", "INVALID"),
            (json!({"text": "a\u{0}b"}), "text", "INVALID"),
            (json!({"text": long(251)}), "text", "TOO_LONG"),
            (json!({"expiresAt": ""}), "expiresAt", "REQUIRED"),
            (json!({"expiresAt": "mañana"}), "expiresAt", "INVALID"),
            (json!({"expiresAt": "-262143-01-01T00:00:00Z"}), "expiresAt", "INVALID"),
            (json!({"expiresAt": at(app, TimeDelta::zero())}), "expiresAt", "DATE_ORDER"),
            (json!({"startAt": at(app, TimeDelta::days(2))}), "expiresAt", "DATE_ORDER"),
            (json!({"expiresAt": far}), "expiresAt", "DATE_TOO_FAR"),
            (json!({"startAt": far, "expiresAt": at(app, TimeDelta::days(367))}), "startAt", "DATE_TOO_FAR"),
            (json!({"startAt": "ayer"}), "startAt", "INVALID"),
            (json!({"startAt": 5}), "startAt", "INVALID"),
            (json!({"roleGroup": null}), "roleGroup", "REQUIRED"),
            (json!({"roleGroup": 1}), "roleGroup", "INVALID"),
            (json!({"roleGroup": 8}), "roleGroup", "INVALID"),
            (json!({"roleGroup": -1}), "roleGroup", "INVALID"),
            (json!({"roleGroup": 2.5}), "roleGroup", "INVALID"),
            (json!({"roleGroup": "todos"}), "roleGroup", "INVALID"),
            (json!({"body": long(20_001)}), "body", "TOO_LONG"),
            (json!({"body": "<script>x()</script>"}), "body", "INVALID"),
            (json!({"body": "<p>&nbsp;</p>"}), "body", "INVALID"),
            (json!({"body": ["<p>"]}), "body", "INVALID"),
        ];
        for (fields, field, code) in cases {
            let refused = post_general(&admin, announcement(app, fields.clone())).await.problem(422, "INVALID_FIELDS");
            let error = &refused["errors"][0];
            assert_eq!((error["field"].as_str(), error["code"].as_str()), (Some(field), Some(code)), "{fields}");
            assert!(!error["message"].as_str().unwrap().is_empty());
        }
        let all = post_general(&admin, json!({})).await.problem(422, "INVALID_FIELDS");
        let fields: Vec<_> = all["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
        assert_eq!(fields, ["text", "expiresAt", "roleGroup"]);
        assert_eq!(listed(app, "").await["total"], 0, "nothing of it is there");
    }

    // NOTICE-11
    async fn addresses_are_whole_or_of_ours(app) {
        let admin = app.as_role(Role::Admin).await;
        for url in [
            "https://atalaya.example", "http://www.ejemplo.es/a?b=c#d", "/vp-form", "/expedient/SIN-1?x=1", "HTTPS://A.example/",
            "/",
        ] {
            post_general(&admin, announcement(app, json!({"url": url}))).await.expect(201);
        }
        for url in [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>", "vbscript:x",
            "//evil.example/x", "/\\evil.example", "\\\\evil.example", "https://", "https:///x.y", "https://localhost/x",
            "https://user@evil.example/", "ftp://a.example", "file:///etc/passwd", "blob:https://a.example/1", "users/1",
            "https://a.example/ x", "https://a.example/\"onclick", "https:a.example", "about:blank", "https://.", "/a\nb", "ñ.es",
        ] {
            let refused = post_general(&admin, announcement(app, json!({"url": url}))).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&refused["errors"][0]["field"], &refused["errors"][0]["code"]), (&json!("url"), &json!("URL_INVALID")), "{url}");
        }
    }

    // NOTICE-10
    async fn edges_and_forms_are_taken(app) {
        let admin = app.as_role(Role::Admin).await;
        let fields = json!({"text": format!(" {} ", "ñ".repeat(250)), "expiresAt": at(app, TimeDelta::days(366)),
            "body": format!("<p>{}</p>", "x".repeat(19_993)), "roleGroup": "3"});
        let made = post_general(&admin, announcement(app, fields)).await.expect(201)["notification"].clone();
        assert_eq!(made["text"].as_str().unwrap().chars().count(), 250, "trimmed");
        assert_eq!((&made["roleGroup"], &made["startAt"], &made["type"]), (&json!(3), &at(app, TimeDelta::zero()), &json!(3)));
        let past = json!({"startAt": at(app, TimeDelta::days(-30)), "url": "/vp-form", "body": null});
        let made = post_general(&admin, announcement(app, past)).await.expect(201)["notification"].clone();
        assert_eq!((&made["startAt"], &made["state"]), (&at(app, TimeDelta::zero()), &json!("active")), "the past begins now");
        assert_eq!((&made["type"], &made["targetValue"], &made["url"]), (&json!(2), &json!("/vp-form"), &json!("/vp-form")));
        let madrid = json!({"expiresAt": "2026-11-21T10:00:00+01:00"});
        let made = post_general(&admin, announcement(app, madrid)).await.expect(201)["notification"].clone();
        assert_eq!((&made["expiresAt"], &made["type"], &made["targetValue"]), (&json!("2026-11-21T09:00:00Z"), &json!(0), &json!(null)));
    }
}
