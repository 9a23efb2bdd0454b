//! Answers, notes, statuses, lists; who may do what and who is notified.

use super::{bell, change, general, id, log, mails, picture, read, send, sent};
use crate::support::{png, text};
use atalaya_kernel::{CompanyKind, Role};
use atalaya_testkit::{Client, both_engines};
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::{Value, json};

async fn list(client: &Client, user: impl std::fmt::Display, query: &str) -> Value {
    client.get(&format!("/api/v1/incidences/{user}?{query}")).await.ok()
}

fn numbers(list: &Value) -> Vec<String> {
    list["incidences"].as_array().expect("a list").iter().map(|row| text(&row["number"])).collect()
}

both_engines! {
    // INCID-10, INCID-13, INCID-14, INCID-15
    async fn an_incidence_goes_its_way(app) {
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let worker = app.person(Role::Worker).await;
        let author = app.log_in(&worker).await;
        let made = id(&sent(&author).await);
        let before = mails(app).await.len();

        app.advance(TimeDelta::minutes(1));
        let review = change(&admin, &made, json!({"status": 2, "note": "Es el caso de ayer"})).await.ok()["incidence"].clone();
        assert_eq!((&review["status"], &review["moves"], &review["notes"][0]["text"]), (&json!(2), &json!([4]), &json!("Es el caso de ayer")));
        app.advance(TimeDelta::minutes(1));
        change(&admin, &made, json!({"answer": "¿Puede mandar otra captura?"})).await.ok();
        let seen = read(&author, &made).await;
        assert_eq!((&seen["notes"], &seen["answers"][0]["text"]), (&json!([]), &json!("¿Puede mandar otra captura?")));
        assert_eq!((&seen["answers"][0]["author"]["role"], &seen["moves"]), (&json!(1), &json!([])));

        app.advance(TimeDelta::minutes(1));
        let reply = json!({"incidenceId": made, "comments": "Aquí está"});
        let answered = send(&author, reply, json!([picture("otra.png", "image/png", &png())])).await.expect(201)["incidence"].clone();
        assert_eq!((&answered["answerCount"], &answered["imageCount"]), (&json!(2), &json!(2)));
        assert_eq!(answered["answers"][1]["images"][0]["name"], "otra.png");
        assert_eq!(answered["images"].as_array().map(Vec::len), Some(1), "those of the incidence itself");

        app.advance(TimeDelta::seconds(1));
        change(&admin, &made, json!({"status": 4})).await.ok();
        change(&author, &made, json!({"status": 3})).await.problem(422, "INCIDENCE_FIELDS_MISSING");
        app.advance(TimeDelta::seconds(1));
        let again = change(&author, &made, json!({"status": 3, "answer": "Vuelve a pasar"})).await.ok()["incidence"].clone();
        assert_eq!(again["status"], 3);
        app.advance(TimeDelta::seconds(1));
        change(&admin, &made, json!({"status": 2})).await.ok();

        let logged: Vec<(String, Value, Value)> = log(&admin, &made).await;
        let actions: Vec<&str> = logged.iter().map(|(action, ..)| action.as_str()).collect();
        assert_eq!(actions, ["created", "image", "note", "status", "answer", "answer", "image", "status", "answer", "status", "status"]);
        let moved: Vec<(i64, i64)> = logged.iter().filter(|(action, ..)| action == "status").map(|(_, from, to)| (from.as_i64().unwrap(), to.as_i64().unwrap())).collect();
        assert_eq!(moved, [(1, 2), (2, 4), (4, 3), (3, 2)]);
        assert!(log(&author, &made).await.iter().all(|(action, ..)| action != "note"));

        let told: Vec<(String, String)> = mails(app).await.split_off(before).into_iter().map(|(purpose, to, _)| (purpose, to)).collect();
        let to_author = ("incidence-changed".to_owned(), worker.user_name.clone());
        let to_admin = ("incidence-reply".to_owned(), "admin@localhost".to_owned());
        assert_eq!(told, [to_author.clone(), to_author.clone(), to_admin.clone(), to_author.clone(), to_admin, to_author]);
        let keys = |bell: Vec<(String, String, String)>| bell.into_iter().map(|(key, ..)| key).collect::<Vec<_>>();
        assert_eq!(keys(bell(&author).await), ["incidence-status", "incidence-status", "incidence-answered", "incidence-status"]);
        assert_eq!(keys(bell(&admin).await), ["incidence-reopened", "incidence-reply", "incidence-new"]);
    }

    // INCID-16
    async fn messages_say_that_and_not_what(app) {
        let admin = app.as_role(Role::Admin).await;
        let author = app.as_role(Role::Worker).await;
        let made = id(&send(&author, json!({"type": 2, "reason": 5, "comments": "Remedios vive en Desengaño 21"}), json!([])).await.expect(201)["incidence"]);
        change(&admin, &made, json!({"answer": "Llame a Remedios", "note": "Remedios otra vez", "status": 2})).await.ok();
        let sql = "SELECT text, html FROM outbox WHERE purpose LIKE 'incidence%'";
        let rows = crate::incidences::rows(app, sql).await;
        assert_eq!(rows.len(), 3);
        for row in rows {
            let all = row.try_get::<String>("", "text").unwrap() + &row.try_get::<String>("", "html").unwrap();
            assert!(!all.contains("Remedios") && all.contains("/incidences/"), "{all}");
        }
    }

    // INCID-10, INCID-11, INCID-12, INCID-13
    async fn illegal_moves_and_strangers_are_refused(app) {
        let admin = app.as_role(Role::Admin).await;
        let worker = app.person(Role::Worker).await;
        let author = app.log_in(&worker).await;
        let made = id(&sent(&author).await);
        for status in [1, 3, 4] {
            change(&admin, &made, json!({"status": status, "answer": "x"})).await.problem(409, "INCIDENCE_STATUS");
        }
        assert_eq!(read(&admin, &made).await["answerCount"], 0, "all or nothing");
        for status in [2, 3, 4] {
            change(&author, &made, json!({"status": status, "answer": "x"})).await.problem(409, "INCIDENCE_STATUS");
        }
        change(&author, &made, json!({"note": "x"})).await.problem(403, "ROLE_NOT_ALLOWED");
        change(&author, &made, json!({})).await.problem(422, "INCIDENCE_FIELDS_MISSING");
        change(&author, &made, json!({"status": 9})).await.problem(422, "INVALID_FIELDS");
        change(&admin, "no-id", json!({"answer": "x"})).await.problem(404, "INCIDENCE_NOT_FOUND");
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        change(&principal, &made, json!({"answer": "Lo hemos visto también"})).await.ok();
        assert_eq!(bell(&author).await.len(), 1, "the author hears of his principal's answer");
        change(&principal, &made, json!({"status": 2})).await.problem(409, "INCIDENCE_STATUS");
        change(&admin, &made, json!({"status": 2})).await.ok();
        change(&admin, &made, json!({"status": 4})).await.ok();
        change(&principal, &made, json!({"answer": "¿Y ahora?"})).await.problem(409, "INCIDENCE_STATUS");
        for stranger in [app.log_in(&app.person_in(worker.company, Role::Worker).await).await, app.as_role(Role::Customer).await] {
            change(&stranger, &made, json!({"answer": "x"})).await.problem(404, "INCIDENCE_NOT_FOUND");
            send(&stranger, json!({"incidenceId": made, "comments": "x"}), json!([])).await.problem(404, "INCIDENCE_NOT_FOUND");
            stranger.get(&format!("/api/v1/incidence/{made}")).await.problem(404, "INCIDENCE_NOT_FOUND");
            stranger.get(&format!("/api/v1/logs/{made}")).await.problem(404, "INCIDENCE_NOT_FOUND");
        }
        let answered = send(&author, json!({"incidenceId": made, "comments": "Sigue igual"}), json!([])).await.expect(201);
        assert_eq!(answered["incidence"]["status"], 3, "its author's answer reopens it");
    }

    // INCID-11
    async fn of_two_at_once_one_moves_it(app) {
        let author = app.as_role(Role::Worker).await;
        let made = id(&sent(&author).await);
        let admins = [app.as_role(Role::Admin).await, app.as_role(Role::Admin).await];
        let all = join_all(admins.iter().map(|admin| change(admin, &made, json!({"status": 2, "answer": "Lo miro"})))).await;
        let mut got: Vec<u16> = all.iter().map(|answer| answer.status).collect();
        got.sort_unstable();
        assert_eq!(got, [200, 409]);
        assert_eq!(read(&author, &made).await["answerCount"], 1);
    }

    // INCID-12, INCID-13, INCID-17, INCID-18
    async fn lists_show_what_each_may_see(app) {
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let company = app.company(CompanyKind::Customer, "Gabinete Ñandú").await;
        let (ana, luis) = (app.person_in(company, Role::Worker).await, app.person_in(company, Role::Worker).await);
        let (ana_client, luis_client) = (app.log_in(&ana).await, app.log_in(&luis).await);
        let other = app.person(Role::Repairer).await;
        let first = id(&send(&ana_client, json!({"type": 2, "reason": 1, "comments": "Se oye con eco", "expedientId": "SIN 77"}), json!([])).await.expect(201)["incidence"]);
        app.advance(TimeDelta::minutes(1));
        sent(&luis_client).await;
        app.advance(TimeDelta::minutes(1));
        sent(&app.log_in(&other).await).await;
        assert_eq!(numbers(&list(&admin, admin_person.id, "").await), ["INC-000003", "INC-000002", "INC-000001"]);
        assert_eq!(numbers(&list(&admin, ana.id, "").await), ["INC-000001"], "of one user");
        assert_eq!(numbers(&list(&ana_client, ana.id, "").await), ["INC-000001"]);
        let principal_person = app.person_in(company, Role::Customer).await;
        let principal = app.log_in(&principal_person).await;
        assert_eq!(numbers(&list(&principal, principal_person.id, "").await), ["INC-000002", "INC-000001"]);
        assert_eq!(numbers(&list(&principal, luis.id, "").await), ["INC-000002"]);
        ana_client.get(&format!("/api/v1/incidences/{}", luis.id)).await.problem(403, "OWN_ID_REQUIRED");
        ana_client.get(&format!("/api/v1/incidences/{}", other.id)).await.problem(404, "USER_NOT_FOUND");
        let operator = app.person(Role::PasswordOperator).await;
        let own = format!("/api/v1/incidences/{}", operator.id);
        app.log_in(&operator).await.get(&own).await.problem(403, "ROLE_NOT_ALLOWED");

        for (query, expected) in [("q=ECO", 1), ("q=inc-000002", 1), ("q=%C3%B1andu", 2), ("q=sin%2077", 1), ("q=nada", 0),
            ("status=1", 3), ("status=2,3", 0), ("status=1&q=eco", 1), ("page=2", 0)] {
            let found = list(&admin, admin_person.id, query).await;
            assert_eq!(found["incidences"].as_array().map(Vec::len), Some(expected), "{query}");
        }
        let paged = list(&admin, admin_person.id, "page=1").await;
        assert_eq!((&paged["total"], &paged["page"], &paged["pages"]), (&json!(3), &json!(1), &json!(1)));
        admin.get(&format!("/api/v1/incidences/{}?status=x", admin_person.id)).await.problem(422, "INVALID_FIELDS");

        app.advance(chrono::TimeDelta::seconds(1));
        change(&admin, &first, json!({"answer": "Pruebe con auriculares"})).await.ok();
        let row = list(&ana_client, ana.id, "").await["incidences"][0].clone();
        assert_eq!((&row["unread"], &row["answerCount"]), (&json!(true), &json!(1)));
        assert_eq!(row["lastAnswerAt"], row["updatedAt"]);
        read(&ana_client, &first).await;
        assert_eq!(list(&ana_client, ana.id, "").await["incidences"][0]["unread"], false);
        assert_eq!(numbers(&list(&admin, admin_person.id, "").await)[0], "INC-000001", "the latest change first");
        change(&admin, &first, json!({"note": "Nada más"})).await.ok();
        assert_eq!(list(&ana_client, ana.id, "").await["incidences"][0]["unread"], false, "a note shows nowhere");
    }

    // INCID-17
    async fn many_pages(app) {
        let worker = app.person(Role::Worker).await;
        let client = app.log_in(&worker).await;
        for _ in 0..23 {
            send(&client, general(), json!([])).await.expect(201);
        }
        let second = list(&client, worker.id, "page=2").await;
        assert_eq!((numbers(&second), &second["total"], &second["pages"]), (vec!["INC-000003".into(), "INC-000002".into(), "INC-000001".into()], &json!(23), &json!(2)));
    }
}
