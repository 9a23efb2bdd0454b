//! An invited person creates an account.

use super::*;
use atalaya_identity::links::{LinkKind, NewLink, service as links};
use atalaya_kernel::Language;
use atalaya_testkit::{Client, both_engines};
use sea_orm::Statement;

async fn count(app: &TestApp, sql: &str) -> i64 {
    let backend = app.db.read().get_database_backend();
    let row = app.db.read().query_one_raw(Statement::from_string(backend, sql)).await.expect("counted").expect("a row");
    row.try_get("", "n").expect("a number")
}

async fn users_named(app: &TestApp, user_name: &str) -> i64 {
    count(app, &format!("SELECT count(*) AS n FROM app_user WHERE user_name = '{user_name}'")).await
}

both_engines! {
    // INVITE-6
    async fn an_invited_worker_creates_the_account_and_is_logged_in(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        let answer = app.anonymous().post("/api/v1/user", user_body(customer.company, &token)).await;
        let body = answer.ok();
        let user = &body["user"];
        assert_eq!((user["role"].as_i64(), user["status"].as_i64(), &user["parent"]), (Some(3), Some(2), &json!(customer.company)));
        assert_eq!((user["userName"].as_str(), user["email"].as_str()), (Some("ana@ejemplo.es"), Some("ana@ejemplo.es")));
        assert_eq!((user["phone"].as_str(), user["legal"].as_bool(), user["support"].as_bool()), (Some("+34600112233"), Some(true), Some(false)));
        let session = &body["session"];
        assert_eq!((session["login"].as_bool(), &session["user"]["_id"]), (Some(true), &user["_id"]));
        assert_eq!(session["menu"][0]["url"], "/vp-form");
        assert_eq!((answer.cookies("atalaya_media").len(), answer.cookies("XSRF-TOKEN").len()), (3, 1));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let own = app.anonymous().with_token(session["token"].as_str().unwrap());
        own.get(&format!("/api/v1/user/{}", user["_id"].as_str().unwrap())).await.ok();
        let login = json!({"userName": "ana@ejemplo.es", "password": PASSWORD, "login": true});
        app.anonymous().post("/api/v1/login", login).await.ok();
        is_refused(app, &token, "TOKEN_USED").await;
        app.anonymous().post("/api/v1/user", user_body(customer.company, &token)).await.problem(422, "TOKEN_USED");
        let about = count(app, "SELECT count(*) AS n FROM audit_entry WHERE action IN ('INVITED', 'USER_CREATED')").await;
        assert_eq!(about, 2);
        assert_eq!(count(app, "SELECT count(*) AS n FROM audit_entry WHERE CAST(detail AS text) LIKE '%ana@%'").await, 0);
    }

    // INVITE-6
    async fn who_has_a_session_keeps_it(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        let answer = app.log_in(&customer).await.post("/api/v1/user", user_body(customer.company, &token)).await;
        assert_eq!(answer.ok()["session"], Value::Null);
        assert!(answer.cookies("atalaya_media").is_empty());
    }

    // INVITE-4, INVITE-5
    async fn operators_need_a_phone_and_a_phone_may_be_the_user_name(app) {
        let workshop = principal(app, CompanyKind::CarRepairShop, "Taller").await;
        let by_email = invite(app, &workshop, "op@ejemplo.es", Role::WorkshopOperator, None).await;
        let mut body = user_body(workshop.company, &by_email);
        body["user"]["phone"] = json!("+34");
        let problem = app.anonymous().post("/api/v1/user", body.clone()).await.problem(422, "INVALID_FIELDS");
        assert_eq!(codes(&problem), ["phone PHONE_REQUIRED"]);
        let by_phone = invite(app, &workshop, "+34600123456", Role::WorkshopOperator, None).await;
        body["token"] = json!(by_phone);
        body["user"]["email"] = json!("Op@Ejemplo.es");
        let user = app.anonymous().post("/api/v1/user", body).await.ok()["user"].clone();
        assert_eq!((user["userName"].as_str(), user["phone"].as_str()), (Some("+34600123456"), Some("+34600123456")));
        assert_eq!(user["email"], "op@ejemplo.es");
    }

    // INVITE-5, RECOVER-7
    async fn every_wrong_field_is_told_at_once_and_nothing_is_spent(app) {
        let repairer = principal(app, CompanyKind::Repairer, "Reparador").await;
        let token = invite(app, &repairer, "ana@ejemplo.es", Role::RepairerOperator, None).await;
        let send = |user: Value| {
            let body = json!({"customerId": repairer.company, "token": token, "user": user});
            async move { app.anonymous().post("/api/v1/user", body).await }
        };
        let problem = send(json!({})).await.problem(422, "INVALID_FIELDS");
        let all = ["name REQUIRED", "surname REQUIRED", "phone PHONE_REQUIRED", "password REQUIRED", "legal LEGAL_REQUIRED"];
        assert_eq!(codes(&problem), all);
        assert_eq!(problem["errors"][4]["message"], "Para continuar hay que aceptar los términos de la licencia");
        for (field, value, code) in [
            ("name", json!("  "), "REQUIRED"),
            ("surname", json!("x".repeat(201)), "TOO_LONG"),
            ("name", json!("a\nb"), "CHARACTERS_NOT_ALLOWED"),
            ("phone", json!("12345"), "PHONE_INCORRECT"),
            ("phone", json!("600123123600123123600"), "PHONE_TOO_LONG"),
            ("password", json!("password"), "PASSWORD_WEAK"),
            ("password", json!("ana@ejemplo.es"), "PASSWORD_WEAK"),
            ("password", json!(format!("caballo {}", "x".repeat(300))), "PASSWORD_WEAK"),
            ("legal", json!(false), "LEGAL_REQUIRED"),
        ] {
            let mut user = user_body(repairer.company, &token)["user"].clone();
            user[field] = value;
            assert_eq!(codes(&send(user).await.problem(422, "INVALID_FIELDS")), [format!("{field} {code}")]);
        }
        send(user_body(repairer.company, &token)["user"].clone()).await.ok();
    }

    // INVITE-4, LINK-4, LINK-5
    async fn role_and_company_are_the_invitation_s_whatever_is_sent(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let other = principal(app, CompanyKind::Customer, "Otro").await;
        let admin = app.person(Role::Admin).await;
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        let mut body = user_body(customer.company, &token);
        body["user"] = with(body["user"].clone(), json!({"_id": customer.id, "role": 1, "status": 5, "parent": other.company,
            "support": true, "userName": "otro@ejemplo.es", "email": "otro@ejemplo.es", "has2fa": true, "exp": 9,
            "companyType": "1", "pay_startAt": "2020-01-01T00:00:00Z"}));
        body["role"] = json!(1);
        for wrong in [json!(other.company), json!("x"), json!("")] {
            let mut foreign = body.clone();
            foreign["customerId"] = wrong;
            app.anonymous().post("/api/v1/user", foreign).await.problem(422, "TOKEN_INVALID");
        }
        let user = app.anonymous().post("/api/v1/user", body).await.ok()["user"].clone();
        assert_ne!(user["_id"], json!(customer.id));
        assert_eq!((user["role"].as_i64(), user["status"].as_i64(), user["support"].as_bool()), (Some(3), Some(2), Some(false)));
        assert_eq!((&user["parent"], &user["userName"], &user["email"]), (&json!(customer.company), &json!("ana@ejemplo.es"), &json!("ana@ejemplo.es")));
        assert_eq!(user["has2fa"], false);
        for role in Role::ALL {
            let caller = app.log_in(&app.person_in(customer.company, role).await).await;
            let token = invite(app, &customer, &format!("por{}@ejemplo.es", i16::from(role)), Role::Worker, None).await;
            let mut body = user_body(customer.company, &token);
            body["user"] = with(body["user"].clone(), json!({"role": 1, "status": 5, "parent": other.company, "support": true}));
            let user = caller.post("/api/v1/user", body).await.ok()["user"].clone();
            let got = (user["role"].as_i64(), user["status"].as_i64(), user["support"].as_bool(), &user["parent"]);
            assert_eq!(got, (Some(3), Some(2), Some(false), &json!(customer.company)), "sent by {role:?}");
        }

        let company = invite(app, &admin, "jefe@ejemplo.es", Role::Customer, None).await;
        app.anonymous().post("/api/v1/user", user_body(customer.company, &company)).await.problem(422, "TOKEN_INVALID");
        let reset = other_kind(app, &customer, LinkKind::Reset).await;
        let enable = other_kind(app, &customer, LinkKind::AdminEnable).await;
        for forged in ["", "x", &reset, &enable] {
            app.anonymous().post("/api/v1/user", user_body(customer.company, forged)).await.problem(422, "TOKEN_INVALID");
            is_refused(app, forged, "TOKEN_INVALID").await;
        }
        let kinds = [(&reset, "reset"), (&enable, "admin-enable"), (&company, "activation")];
        for (token, kind) in kinds {
            let known = app.anonymous().post("/api/v1/verify-token", json!({"activationToken": token})).await.ok();
            assert_eq!((known["valid"].as_bool(), known["kind"].as_str()), (Some(true), Some(kind)));
        }
        for (token, page) in [(&reset, "/remember-form/"), (&enable, "/admin-enable/2/"), (&company, "/customer-activation/")] {
            let answer = app.anonymous().get(&format!("/a/{token}")).await;
            assert!(answer.header("location").is_some_and(|to| to.starts_with(page) && to.ends_with(token.as_str())));
        }
    }

    async fn a_name_taken_meanwhile_is_told_and_the_company_s_standing_counts(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        app.person_with(customer.company, Role::Worker, |user| user.user_name = "ana@ejemplo.es".into()).await;
        app.anonymous().post("/api/v1/user", user_body(customer.company, &token)).await.problem(409, "USER_NAME_TAKEN");

        let other = principal(app, CompanyKind::Customer, "Otro").await;
        let token = invite(app, &other, "ana@ejemplo.es", Role::Worker, None).await;
        app.db.read().execute_unprepared("UPDATE company SET status = 1 WHERE company = 'Otro'").await.unwrap();
        let refused = app.anonymous().post("/api/v1/user", user_body(other.company, &token)).await;
        refused.problem(422, "TOKEN_EXPIRED");
    }

    // LINK-4
    async fn fifty_activations_of_one_invitation_make_one_account(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        let body = user_body(customer.company, &token);
        let tries = (0..50).map(|_| {
            let (client, body): (Client, Value) = (app.anonymous(), body.clone());
            tokio::spawn(async move { client.post("/api/v1/user", body).await })
        });
        let tries: Vec<_> = tries.collect();
        let mut good = 0;
        for answer in tries {
            let answer = answer.await.expect("an answer");
            if answer.status == 200 { good += 1 } else { answer.problem(422, "TOKEN_USED"); }
        }
        assert_eq!((good, users_named(app, "ana@ejemplo.es").await), (1, 1));
        assert_eq!(count(app, "SELECT count(*) AS n FROM audit_entry WHERE action = 'USER_CREATED'").await, 1);
        let sessions = "SELECT count(*) AS n FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.user_name = 'ana@ejemplo.es'";
        assert_eq!(count(app, sessions).await, 1);
    }
}

/// A living link of another kind about somebody.
async fn other_kind(app: &TestApp, person: &Person, kind: LinkKind) -> String {
    let new = NewLink {
        kind,
        address: person.user_name.clone(),
        language: Language::Es,
        role: Some(person.role),
        company: Some(person.company),
        user: (kind == LinkKind::Reset).then_some(person.id),
        inviter: None,
    };
    let tx = app.db.write().await.expect("a transaction");
    let (_, token) = links::make(&app.identity, &tx, &new).await.expect("made");
    tx.commit().await.expect("committed");
    token
}
