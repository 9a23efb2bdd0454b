//! New versions of terms and prices: published, pending, compared, accepted with proof, declined, printed.

use atalaya_billing::consumption::service as consumption;
use atalaya_identity::companies::legal;
use atalaya_kernel::Role;
use atalaya_tariff::Month;
use atalaya_testkit::{Client, Person, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

const PRICE: &str = r#"{"connection": 9, "otherConnections": 4, "exceededMinute": 1, "guestMinute": 1, "minPayment": 0}"#;

/// A principal who has accepted the terms of today, and an administrator.
async fn people(app: &TestApp) -> (Person, Client, Client) {
    let principal = app.person(Role::Customer).await;
    app.accept_terms(&principal).await;
    app.advance(TimeDelta::minutes(5));
    let client = app.log_in(&principal).await.with("user-agent", "Prueba/1.0");
    (principal, client, app.as_role(Role::Admin).await)
}

async fn publish(admin: &Client, change: Value) -> Value {
    let html =
        "<h3>1. Objeto</h3><p>El plazo es de 60 días desde la fecha.</p><script>alert(1)</script><p onclick=\"x()\">Fin.</p>";
    let mut body = json!({"type": 1, "title": "Condiciones generales", "html": html, "language": "es"});
    body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    admin.post("/api/v1/legal", body).await.expect(201)["legal"].clone()
}

async fn pdf(client: &Client, path: &str) -> Vec<u8> {
    let answer = client.get(path).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/pdf")));
    assert!(answer.body.starts_with(b"%PDF-"));
    answer.body.to_vec()
}

both_engines! {
    // TERMS-1, TERMS-3, TERMS-4, TERMS-5
    async fn a_new_version_is_pending_until_it_is_accepted(app) {
        let (principal, client, admin) = people(app).await;
        let nothing = client.get("/api/v1/legal-pending").await.ok();
        assert_eq!(nothing, json!({"pending": [], "price": null, "declinedAt": null}));
        let old = app.anonymous().get("/api/v1/legal-id/0").await.ok()["legal"][0]["_id"].clone();

        let text = publish(&admin, json!({})).await;
        assert_eq!((&text["version"], &text["language"]), (&json!(2), &json!("es")));
        assert_eq!(text["html"], "<h3>1. Objeto</h3><p>El plazo es de 60 días desde la fecha.</p><p>Fin.</p>", "sanitised");
        let english = client.clone().with("accept-language", "en").get("/api/v1/legal-pending").await.ok();
        assert_eq!(english["pending"][0]["legalId"], text["_id"], "Spanish stands in for a language that is not there yet");
        let translated = publish(&admin, json!({"version": 2, "language": "en", "title": "General terms", "html": "<p>60 days</p>"})).await;
        let english = client.clone().with("accept-language", "en").get("/api/v1/legal-pending").await.ok();
        assert_eq!(english["pending"][0]["legalId"], translated["_id"]);

        let pending = client.get("/api/v1/legal-pending").await.ok();
        assert_eq!(pending["pending"], json!([{"legalId": text["_id"], "type": 1, "title": "Condiciones generales", "version": 2, "previousId": old}]));
        assert!(pending["price"].is_null());
        let wrong = client.post("/api/v1/legal-accept", json!({"legalIds": [old]})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong["errors"], json!([{"field": "legalIds", "code": "LEGAL_TEXT_CHANGED", "message": wrong["errors"][0]["message"]}]));
        client.post("/api/v1/legal-accept", json!({"legalIds": [text["_id"]], "priceId": null})).await.expect(204);
        assert_eq!(client.get("/api/v1/legal-pending").await.ok()["pending"], json!([]));

        let history = legal::history(&app.identity, principal.company).await.unwrap();
        assert_eq!(history.len(), 4, "both texts again: an acceptance is the whole contract");
        assert!(history[..2].iter().all(|entry| entry.expires_at == Some(app.sources.now())));
        let new = history.iter().rev().find(|entry| entry.legal_id.to_string() == text["_id"].as_str().unwrap()).unwrap();
        assert_eq!((new.expires_at, new.price_id.is_some(), new.proof.user), (None, true, Some(principal.id)));
        assert_eq!((new.proof.address.is_some(), new.proof.sha256.as_ref().map(String::len)), (true, Some(64)));
        let company = client.get(&format!("/api/v1/customer/{}", principal.company)).await.ok()["customer"].clone();
        assert_eq!((&company["legalId"], &company["priceId"]), (&text["_id"], &json!(new.price_id)));
        let listed = company["legalHistory"].as_array().unwrap();
        assert!(listed.iter().any(|entry| entry["version"] == 2 && entry["type"] == 1 && entry["expires_at"].is_null()), "{listed:?}");
        client.post("/api/v1/legal-accept", json!({"legalIds": [text["_id"]]})).await.expect(204);
        assert_eq!(legal::history(&app.identity, principal.company).await.unwrap().len(), 4, "accepting again adds nothing");
        for statement in ["DELETE FROM legal_history", "UPDATE legal_history SET user_id = NULL", "UPDATE legal_text SET html = ''"] {
            assert!(app.db.read().execute_unprepared(statement).await.is_err(), "{statement}");
        }
        let rows = admin.get("/api/v1/legals").await.ok()["legals"].clone();
        assert_eq!((&rows[0]["version"], &rows[0]["inForce"], &rows[0]["accepted"], rows[0]["texts"].as_array().unwrap().len()), (&json!(2), &json!(true), &json!(1), 2));
        assert_eq!((&rows[1]["version"], &rows[1]["inForce"], &rows[1]["accepted"]), (&json!(1), &json!(false), &json!(0)));
    }

    // TERMS-5
    async fn only_what_is_in_force_is_accepted_and_each_kind_once(app) {
        let (principal, client, admin) = people(app).await;
        let old = app.anonymous().get("/api/v1/legal-id/0").await.ok()["legal"][0]["_id"].clone();
        let text = publish(&admin, json!({})).await;
        let english = publish(&admin, json!({"version": 2, "language": "en", "title": "General terms", "html": "<p>60 days</p>"})).await;
        let later = publish(&admin, json!({"inForceFrom": (app.sources.now() + TimeDelta::days(30)).format("%Y-%m-%d").to_string()})).await;
        let (text, english, later) = (&text["_id"], &english["_id"], &later["_id"]);
        for ids in [json!([text, old]), json!([old, text]), json!([text, later]), json!([text, english]), json!([text, text])] {
            let problem = client.post("/api/v1/legal-accept", json!({"legalIds": ids})).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("legalIds"), &json!("LEGAL_TEXT_CHANGED")), "{ids}");
        }
        let other = json!({"legalIds": [text], "priceId": app.sources.uuid()});
        let problem = client.post("/api/v1/legal-accept", other).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "priceId", "not the table that would be recorded");
        assert_eq!(legal::history(&app.identity, principal.company).await.unwrap().len(), 2, "nothing was recorded");
        client.post("/api/v1/legal-accept", json!({"legalIds": [english]})).await.expect(204);
        let history = legal::history(&app.identity, principal.company).await.unwrap();
        assert!(history[2..].iter().any(|entry| json!(entry.legal_id) == *english), "what was read is recorded");
    }

    // TERMS-4
    async fn versions_are_compared_word_by_word(app) {
        let (_, client, admin) = people(app).await;
        let first = publish(&admin, json!({"type": 2, "html": "<p>Igual.</p><p>El plazo es de 30 días desde la fecha.</p><p>Sobra esto.</p>"})).await;
        let second = publish(&admin, json!({"type": 2, "html": "<p>Igual.</p><p>El plazo es de 60 días desde la fecha.</p>"})).await;
        let path = |from: &Value, to: &Value| format!("/api/v1/legal-diff/{}/{}", from["_id"].as_str().unwrap(), to["_id"].as_str().unwrap());
        let diff = client.get(&path(&first, &second)).await.ok()["diff"].clone();
        let kinds: Vec<_> = diff.as_array().unwrap().iter().map(|block| block["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["same", "changed", "removed"]);
        assert_eq!(diff[1]["parts"][1], json!({"kind": "removed", "text": "30 "}));
        client.get(&path(&first, &json!({"_id": "x"}))).await.problem(404, "LEGAL_NOT_FOUND");
    }

    // TERMS-3
    async fn what_is_wrong_with_a_text_is_told(app) {
        let admin = app.as_role(Role::Admin).await;
        for (change, field, code) in [
            (json!({"language": "en"}), "language", "LEGAL_LANGUAGE"),
            (json!({"language": "xx"}), "language", "LANGUAGE_UNKNOWN"),
            (json!({"version": 1}), "language", "LEGAL_LANGUAGE"),
            (json!({"version": 9, "language": "en"}), "version", "LEGAL_VERSION_UNKNOWN"),
            (json!({"type": 3}), "type", "INVALID"),
            (json!({"title": " "}), "title", "REQUIRED"),
            (json!({"html": "<script>x</script>"}), "html", "REQUIRED"),
            (json!({"inForceFrom": "2020-01-01"}), "inForceFrom", "DATE_PAST"),
        ] {
            let mut body = json!({"type": 1, "title": "Condiciones", "html": "<p>Texto</p>", "language": "es"});
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let problem = admin.post("/api/v1/legal", body).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!(field), &json!(code)), "{problem}");
        }
    }

    // TERMS-5, TERMS-6, USAGE-2, USAGE-4
    async fn a_new_price_holds_from_its_acceptance(app) {
        let (principal, client, admin) = people(app).await;
        let worker = app.person_in(principal.company, Role::Worker).await;
        crate::consumption::call(app, &worker, "EXP 1", 60).await;
        let body: Value = serde_json::from_str(PRICE).unwrap();
        let price = admin.post("/api/v1/price", body).await.expect(201)["price"].clone();
        crate::consumption::call(app, &worker, "EXP 2", 60).await;
        let pending = client.get("/api/v1/legal-pending").await.ok();
        assert_eq!((&pending["pending"], &pending["price"]["_id"]), (&json!([]), &price["_id"]));
        assert!(pending["price"]["previousId"].is_string());

        client.post("/api/v1/legal-decline", json!({})).await.expect(204);
        let declined = client.get("/api/v1/legal-pending").await.ok();
        assert!(declined["declinedAt"].is_string() && declined["price"]["_id"] == price["_id"], "asked once, still pending");
        let problem = client.post("/api/v1/legal-accept", json!({"legalIds": [], "priceId": app.sources.uuid()})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "priceId");
        client.post("/api/v1/legal-accept", json!({"legalIds": [], "priceId": price["_id"]})).await.expect(204);
        app.advance(TimeDelta::minutes(1));
        crate::consumption::call(app, &worker, "EXP 3", 60).await;

        let now = app.sources.now();
        let month = consumption::month_of(&app.billing, principal.company, Month::of(now), now).await.unwrap();
        let units: Vec<_> = month.connections.iter().map(|row| row.unit.0).collect();
        assert_eq!(units, [600, 600, 900], "what was accepted goes on until the new one is");
        let shown = client.get(&format!("/api/v1/customer-units/{}", principal.company)).await.ok();
        assert_eq!((&shown["connections"], &shown["subtotal"], &shown["total"], &shown["provisional"]), (&json!(3), &json!(21), &json!(25.41), &json!(true)));
        let calls = client.get(&format!("/api/v1/customer-units-calls/{}?limit=2", principal.company)).await.ok();
        assert_eq!((&calls["total"], &calls["nextCursor"], &calls["connections"][1]["unitPrice"]), (&json!(3), &json!("2"), &json!(6)));
        client.get(&format!("/api/v1/customer-units/{}?month=2027-01", principal.company)).await.problem(422, "INVALID_FIELDS");
    }

    async fn a_call_knows_what_it_costs(app) {
        let case = crate::support::Case::open(app).await;
        assert!(case.opened["billing"].is_null() && case.details().await["billing"].is_null(), "no table accepted");
        let principal = app.person_in(case.owner.company, Role::Customer).await;
        app.accept_terms(&principal).await;
        assert_eq!(case.details().await["billing"], json!({"minuteLimit": 10, "exceededMinute": 0.35}));
        let again = crate::support::Case::open_by(app, case.owner.clone(), json!({})).await;
        assert_eq!(again.opened["billing"]["minuteLimit"], 10);
    }

    // TERMS-8
    async fn the_accepted_contract_is_a_document_to_keep(app) {
        let (principal, client, admin) = people(app).await;
        let general = pdf(&app.anonymous(), "/api/v1/contract").await;
        let own = pdf(&client, "/api/v1/contract").await;
        assert_ne!(general, own);
        publish(&admin, json!({})).await;
        app.advance(TimeDelta::minutes(10));
        assert_eq!(pdf(&client, "/api/v1/contract").await, own, "the same bytes until something else is accepted");
        assert_eq!(pdf(&admin, &format!("/api/v1/contract?company={}", principal.company)).await, own);
        assert_ne!(pdf(&app.anonymous(), "/api/v1/contract").await, general, "in force meanwhile");
        let stranger = app.as_role(Role::Customer).await;
        stranger.get(&format!("/api/v1/contract?company={}", principal.company)).await.problem(404, "COMPANY_NOT_FOUND");
        if let Ok(folder) = std::env::var("ATALAYA_SHOW_DOCUMENTS") {
            std::fs::write(format!("{folder}/contrato.pdf"), own).unwrap();
        }
    }
}
