//! An invited company registers itself and is activated by an administrator.

use super::*;
use atalaya_testkit::both_engines;
use sea_orm::Statement;

async fn count(app: &TestApp, table: &str) -> i64 {
    let sql = format!("SELECT count(*) AS n FROM {table}");
    let backend = app.db.read().get_database_backend();
    let row = app.db.read().query_one_raw(Statement::from_string(backend, sql)).await.expect("counted").expect("a row");
    row.try_get("", "n").expect("a number")
}

/// A registered company: its answer, and path and token of the administrator's link.
async fn registered(app: &TestApp, admin: &Person, noun: &str, role: Role) -> (Value, String, String) {
    let to = format!("jefe{}@ejemplo.es", app.next());
    let token = invite(app, admin, &to, role, None).await;
    let body = register(app, noun, company_form(), &token).await.ok();
    let (path, token) = link_of(&message_to(app, MAILBOX).await);
    (body, path, token)
}

both_engines! {
    // INVITE-7
    async fn a_company_of_each_kind_registers_and_is_activated(app) {
        let admin = app.person(Role::Admin).await;
        for (noun, call, role) in [
            ("customer", "activate-customer", Role::Customer),
            ("repairer", "activate-repairer", Role::Repairer),
            ("carReparation", "activate-car-reparation", Role::CarRepairShop),
        ] {
            let (body, path, token) = registered(app, &admin, noun, role).await;
            let (company, user) = (&body[noun], &body["user"]);
            let id = company["_id"].as_str().unwrap().to_owned();
            let number = i16::from(role);
            assert_eq!((company["companyType"].as_str(), company["status"].as_i64()), (Some(number.to_string().as_str()), Some(0)));
            assert_eq!((company["cif"].as_str(), company["mobile"].as_str()), (Some("B64717838"), Some("+34600123456")));
            assert_eq!((company["legal"].as_bool(), &company["pay_startAt"]), (Some(true), &Value::Null));
            assert_eq!(company["email"], user["userName"], "the invitation's address is read-only");
            assert_eq!((user["role"].as_i64(), user["status"].as_i64(), &user["parent"]), (Some(number.into()), Some(0), &json!(id)));
            assert_eq!((user["name"].as_str(), user["surname"].as_str()), (Some("Carmen"), Some("Soler Gil")));
            assert_eq!((body["session"]["login"].as_bool(), body["session"]["user"]["company"]["mayCall"].as_bool()), (Some(true), Some(false)));
            let history = atalaya_identity::companies::legal::history(&app.identity, id.parse().unwrap()).await.unwrap();
            assert_eq!(history.len(), 2, "general and particular conditions");
            assert_eq!(path, format!("/admin-enable/{number}/{id}/{token}"));

            let anybody = app.anonymous();
            let view = anybody.post(&format!("/api/v1/customer-no-login/{id}"), json!({"token": token})).await.ok();
            assert_eq!(view["customer"]["company"], "Peritos Soler S.L.");
            let session = anybody.clone().with_token(body["session"]["token"].as_str().unwrap());
            let mut socket = app.socket(&session).await;
            let done = anybody.put(&format!("/api/v1/{call}/{id}"), json!({"token": token})).await.ok()[noun].clone();
            assert_eq!((done["status"].as_i64(), done["pay_startAt"].as_str()), (Some(2), Some("2026-12-19T23:00:00Z")));
            let told = socket.expect_event(&format!("unblockMenu_{}", user["_id"].as_str().unwrap())).await;
            let state = if role == Role::Customer { "blocked" } else { "unblocked" };
            assert_eq!(told, json!({ "state": state }), "a customer's payment has not started; who asks only has to be active");
            let login = json!({"userName": user["userName"], "password": PASSWORD, "login": true});
            assert_eq!(anybody.post("/api/v1/login", login).await.ok()["user"]["status"], 2);
            anybody.put(&format!("/api/v1/{call}/{id}"), json!({"token": token})).await.problem(422, "TOKEN_USED");
            anybody.post(&format!("/api/v1/customer-no-login/{id}"), json!({"token": token})).await.problem(422, "TOKEN_USED");
        }
    }

    // INVITE-7, LINK-4
    async fn an_administrator_s_session_serves_instead_of_the_link(app) {
        let admin = app.person(Role::Admin).await;
        let (body, _, token) = registered(app, &admin, "customer", Role::Customer).await;
        let id = body["customer"]["_id"].as_str().unwrap().to_owned();
        let principal = app.anonymous().with_token(body["session"]["token"].as_str().unwrap());
        let (view, activate) = (format!("/api/v1/customer-no-login/{id}"), format!("/api/v1/activate-customer/{id}"));
        let none = json!({"token": ""});
        app.anonymous().post(&view, none.clone()).await.problem(401, "SESSION_REQUIRED");
        app.anonymous().put(&activate, none.clone()).await.problem(401, "SESSION_REQUIRED");
        principal.post(&view, none.clone()).await.problem(403, "ROLE_NOT_ALLOWED");
        principal.put(&activate, none.clone()).await.problem(403, "ROLE_NOT_ALLOWED");
        for forged in ["x", "0123456789"] {
            principal.put(&activate, json!({"token": forged})).await.problem(422, "TOKEN_INVALID");
        }
        let (other, _, foreign) = registered(app, &admin, "repairer", Role::Repairer).await;
        app.anonymous().put(&activate, json!({"token": foreign})).await.problem(422, "TOKEN_INVALID");
        let wrong_kind = format!("/api/v1/activate-customer/{}", other["repairer"]["_id"].as_str().unwrap());
        app.anonymous().put(&wrong_kind, json!({"token": foreign})).await.problem(404, "COMPANY_NOT_FOUND");
        let invitation = invite(app, &admin, "z@ejemplo.es", Role::Customer, None).await;
        app.anonymous().put(&activate, json!({"token": invitation})).await.problem(422, "TOKEN_INVALID");

        let client = app.log_in(&admin).await;
        client.post(&view, none.clone()).await.ok();
        client.put(&activate, none.clone()).await.ok();
        app.anonymous().put(&activate, json!({"token": token})).await.problem(422, "TOKEN_USED");
        let start = client.put(&activate, none.clone()).await.ok()["customer"]["pay_startAt"].clone();
        app.advance(TimeDelta::days(3));
        let client = app.log_in(&admin).await;
        assert_eq!(client.put(&activate, none.clone()).await.ok()["customer"]["pay_startAt"], start, "a start that is set is kept");
        let platform = format!("/api/v1/customer-no-login/{}", admin.company);
        client.post(&platform, none).await.problem(404, "COMPANY_NOT_FOUND");
    }

    // INVITE-5, COMPANY-2
    async fn every_wrong_field_is_told_at_once_and_nothing_is_written(app) {
        let admin = app.person(Role::Admin).await;
        let by_phone = invite(app, &admin, "+34600998877", Role::Customer, None).await;
        let before = (count(app, "company").await, count(app, "app_user").await, count(app, "outbox").await);
        let wrong = json!({"cif": "B64717839", "name": "", "company": "x".repeat(201), "address": " ", "city": "", "region": null,
            "postalCode": "99999", "email": "carmen@", "phone": "12345", "mobile": "+34", "bankAccount": "ES0021000418450200051332",
            "password": "12345678", "legal": false});
        let by_email = invite(app, &admin, "otra.empresa@ejemplo.es", Role::Customer, None).await;
        let before = (before.0, before.1, before.2 + 1);
        let all = ["address REQUIRED", "bankAccount IBAN_INCORRECT", "cif FISCAL_INCORRECT", "city REQUIRED", "company TOO_LONG",
            "email EMAIL_INVALID", "legal LEGAL_REQUIRED", "mobile PHONE_REQUIRED", "name REQUIRED", "password PASSWORD_WEAK",
            "phone PHONE_INCORRECT", "postalCode POSTAL_CODE_INVALID", "region REQUIRED"];
        // What the invitation was sent to is read-only, so nothing is wrong with it.
        for (token, own) in [(&by_phone, "mobile "), (&by_email, "email ")] {
            let problem = register(app, "customer", wrong.clone(), token).await.problem(422, "INVALID_FIELDS");
            let mut told = codes(&problem);
            told.sort();
            let expected: Vec<&str> = all.into_iter().filter(|code| !code.starts_with(own)).collect();
            assert_eq!(told, expected);
        }
        let problem = register(app, "customer", json!({}), &by_phone).await.problem(422, "INVALID_FIELDS");
        assert!(codes(&problem).contains(&"cif REQUIRED".to_owned()) && codes(&problem).contains(&"password REQUIRED".to_owned()));
        for (field, value, code) in [
            ("legalId", json!(app.sources.uuid()), "LEGAL_TEXT_CHANGED"),
            ("password", json!("Peritos Soler S.L."), "PASSWORD_WEAK"),
            ("mobile", json!("600 12"), "PHONE_INCORRECT"),
        ] {
            let form = with(company_form(), json!({field: value}));
            let problem = register(app, "customer", form, &by_email).await.problem(422, "INVALID_FIELDS");
            assert_eq!(codes(&problem), [format!("{field} {code}")]);
        }
        assert_eq!(before, (count(app, "company").await, count(app, "app_user").await, count(app, "outbox").await));
        assert_eq!(count(app, "legal_history").await, 0);

        let legal = app.anonymous().get("/api/v1/legalbylanguage/0/en").await.ok()["legal"][1]["_id"].clone();
        let form = with(company_form(), json!({"legalId": legal, "bankAccount": "es91 2100 0418 4502 0005 1332", "language": "en"}));
        let body = register(app, "customer", form, &by_phone).await.ok();
        assert_eq!((body["user"]["userName"].as_str(), body["user"]["email"].as_str()), (Some("+34600998877"), Some("otra@ejemplo.es")));
        assert_eq!((body["customer"]["hasIban"].as_bool(), body["user"]["language"].as_str()), (Some(true), Some("en")));
        assert!(!body.to_string().contains("0418450200051332"), "the IBAN is masked in every answer");
    }

    // INVITE-4
    async fn privileged_keys_are_ignored(app) {
        let admin = app.person(Role::Admin).await;
        let victim = principal(app, CompanyKind::Customer, "Otro").await;
        let token = invite(app, &admin, "jefe@ejemplo.es", Role::Customer, None).await;
        let form = with(company_form(), json!({"_id": victim.company, "role": 1, "status": 2, "parent": victim.company, "support": true,
            "pay_startAt": "2020-01-01T00:00:00Z", "companyType": "1", "priceId": app.sources.uuid(), "retentionDays": 9999,
            "legalHistory": [{"id": "x"}], "created_at": "2020-01-01T00:00:00Z", "users": 9, "kind": 1, "has2fa": true}));
        let body = register(app, "customer", form, &token).await.ok();
        let (company, user) = (&body["customer"], &body["user"]);
        assert_ne!(company["_id"], json!(victim.company));
        assert_eq!((company["companyType"].as_str(), company["status"].as_i64(), &company["pay_startAt"]), (Some("2"), Some(0), &Value::Null));
        assert_eq!((user["role"].as_i64(), user["status"].as_i64(), user["support"].as_bool()), (Some(2), Some(0), Some(false)));
        for role in Role::ALL {
            let caller = app.log_in(&app.person_in(victim.company, role).await).await;
            let token = invite(app, &admin, &format!("por{}@ejemplo.es", i16::from(role)), Role::Repairer, None).await;
            let cif = format!("{}R", 1 + 23 * i64::from(i16::from(role)));
            let form = with(company_form(), json!({"cif": format!("{cif:0>9}"), "status": 2, "pay_startAt": "2020-01-01T00:00:00Z",
                "companyType": "1", "role": 1, "parent": victim.company, "support": true}));
            let body = caller.post("/api/v1/repairer", json!({"repairer": form, "token": token})).await.ok();
            let (company, user) = (&body["repairer"], &body["user"]);
            let got = (company["companyType"].as_str(), company["status"].as_i64(), &company["pay_startAt"]);
            assert_eq!(got, (Some("4"), Some(0), &Value::Null), "sent by {role:?}");
            assert_eq!((user["role"].as_i64(), user["support"].as_bool(), &body["session"]), (Some(4), Some(false), &Value::Null));
        }
        let token = invite(app, &admin, "jefa@ejemplo.es", Role::Repairer, None).await;
        let form = with(company_form(), json!({"legal": false, "legalHistory": [{"id": "x"}]}));
        let problem = register(app, "repairer", form, &token).await.problem(422, "INVALID_FIELDS");
        assert_eq!(codes(&problem), ["legal LEGAL_REQUIRED"], "no acceptance without accepting");
        for noun in ["customer", "carReparation"] {
            register(app, noun, company_form(), &token).await.problem(422, "TOKEN_INVALID");
        }
    }

    // COMPANY-10
    async fn one_company_of_a_kind_per_tax_id_even_at_once(app) {
        let admin = app.person(Role::Admin).await;
        let mut tries = Vec::new();
        for n in 0..6 {
            let token = invite(app, &admin, &format!("jefe{n}@ejemplo.es"), Role::Customer, None).await;
            let client = app.anonymous();
            let body = json!({"customer": company_form(), "token": token});
            tries.push(async move { client.post("/api/v1/customer", body).await });
        }
        let mut good = 0;
        for answer in futures::future::join_all(tries).await {
            if answer.status == 200 {
                good += 1;
            } else {
                assert_eq!(codes(&answer.problem(409, "COMPANY_EXISTS")), ["cif COMPANY_EXISTS"]);
            }
        }
        assert_eq!((good, count(app, "company WHERE cif = 'B64717838'").await), (1, 1));
        let token = invite(app, &admin, "taller@ejemplo.es", Role::CarRepairShop, None).await;
        register(app, "carReparation", company_form(), &token).await.ok();
    }

    // LINK-4
    async fn fifty_registrations_of_one_invitation_make_one_company(app) {
        let admin = app.person(Role::Admin).await;
        let token = invite(app, &admin, "jefe@ejemplo.es", Role::Customer, None).await;
        let tries: Vec<_> = (0..50)
            .map(|_| {
                let (client, body) = (app.anonymous(), json!({"customer": company_form(), "token": token}));
                tokio::spawn(async move { client.post("/api/v1/customer", body).await })
            })
            .collect();
        let mut good = 0;
        for answer in tries {
            let answer = answer.await.expect("an answer");
            if answer.status == 200 { good += 1 } else { answer.problem(422, "TOKEN_USED"); }
        }
        assert_eq!((good, count(app, "company WHERE kind = 2").await), (1, 1));
        assert_eq!((count(app, "app_user WHERE role = 2").await, count(app, "legal_history").await), (1, 2));
        assert_eq!(messages_to(app, MAILBOX).await, 1, "the administrator is told once");
    }

    // INVITE-7
    async fn a_mailed_link_does_not_undo_what_an_administrator_decided(app) {
        let admin = app.person(Role::Admin).await;
        let (body, _, token) = registered(app, &admin, "customer", Role::Customer).await;
        let id = body["customer"]["_id"].as_str().unwrap();
        let refuse = json!({"customer": {"_id": id, "status": 4}});
        app.log_in(&admin).await.put("/api/v1/customer", refuse).await.ok();
        let path = format!("/api/v1/activate-customer/{id}");
        app.anonymous().put(&path, json!({"token": token})).await.problem(422, "TOKEN_USED");
        let seen = app.log_in(&admin).await.get(&format!("/api/v1/customer/{id}")).await.ok();
        assert_eq!(seen["customer"]["status"], 4);
        let session = body["session"]["token"].as_str().unwrap();
        app.anonymous().with_token(session).get("/api/v1/me").await.problem(401, "SESSION_ENDED");
    }

    async fn a_company_invited_by_phone_keeps_it_and_gets_its_notice(app) {
        let admin = app.person(Role::Admin).await;
        let token = invite(app, &admin, "+34611222333", Role::Customer, None).await;
        let form = with(company_form(), json!({"email": "Marta@Gil.ES", "mobile": "+34699999999"}));
        let body = register(app, "customer", form, &token).await.ok();
        assert_eq!((&body["customer"]["mobile"], &body["customer"]["email"]), (&json!("+34611222333"), &json!("marta@gil.es")));
        let notified = app.anonymous().post("/api/v1/activation-ok-email", json!({"email": "Marta@Gil.ES"})).await;
        assert_eq!(notified.ok(), json!({"sent": true}));
        assert_eq!(message_to(app, "marta@gil.es").await.subject.as_deref(), Some("Hemos recibido su alta en Atalaya"));
    }

    // INVITE-8
    async fn the_notice_goes_to_who_was_activated_just_now(app) {
        let admin = app.person(Role::Admin).await;
        let notify = |email: &str| {
            let (client, body) = (app.anonymous().from([10, 1, 1, u8::try_from(app.next() % 250).unwrap()]), json!({"email": email}));
            async move { client.post("/api/v1/activation-ok-email", body).await }
        };
        assert_eq!(codes(&notify("x").await.problem(422, "INVALID_FIELDS")), ["email EMAIL_INVALID"]);
        notify("nadie@ejemplo.es").await.problem(503, "ACTIVATION_EMAIL_FAILED");
        let (body, _, token) = registered(app, &admin, "customer", Role::Customer).await;
        let (id, email) = (body["customer"]["_id"].as_str().unwrap(), body["customer"]["email"].as_str().unwrap());
        let before = messages_to(app, email).await;
        app.advance(TimeDelta::milliseconds(1));
        for _ in 0..2 {
            assert_eq!(notify(&email.to_uppercase()).await.ok(), json!({"sent": true}));
        }
        assert_eq!(messages_to(app, email).await, before + 1, "asking again sends no second one");
        let registered = message_to(app, email).await;
        assert_eq!(registered.subject.as_deref(), Some("Hemos recibido su alta en Atalaya"));
        assert!(registered.text.contains("Peritos Soler S.L."));

        app.advance(TimeDelta::minutes(1));
        app.anonymous().put(&format!("/api/v1/activate-customer/{id}"), json!({"token": token})).await.ok();
        notify(email).await.ok();
        let activated = message_to(app, email).await;
        assert_eq!(activated.subject.as_deref(), Some("Su cuenta de Atalaya está activada"));
        assert!(activated.text.contains("20 de diciembre de 2026"), "{}", activated.text);
        fail(app, email).await;
        notify(email).await.problem(503, "ACTIVATION_EMAIL_FAILED");
        app.advance(TimeDelta::minutes(16));
        notify(email).await.problem(503, "ACTIVATION_EMAIL_FAILED");
        assert_eq!(messages_to(app, email).await, before + 2);
    }
}
