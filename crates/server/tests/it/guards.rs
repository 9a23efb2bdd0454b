//! The video-call guard at its call, profiles, and what the shell is told about billing.

use crate::support::opening;
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyKind, Role, Status};
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::{Value, json};

both_engines! {
    // CASE-25
    async fn only_companies_in_order_may_open_calls(app) {
        let now = app.sources.now();
        let paying = || NewCompany::named(CompanyKind::Customer, "Cliente").paying(now - TimeDelta::days(1));
        let data = ["VIDEO_CALL_NOT_ALLOWED_CUSTOMER", "VIDEO_CALL_NOT_ALLOWED_WORKER"];
        let only = |code| [code, code];
        let cases: Vec<(&str, NewCompany, Option<[&str; 2]>)> = vec![
            ("in order", paying(), None),
            ("no IBAN", NewCompany { iban: None, ..paying() }, Some(data)),
            ("terms not accepted", NewCompany { legal: false, ..paying() }, Some(data)),
            ("unpaid", NewCompany { status: Status::Unpaid, ..paying() }, Some(only("VIDEO_CALL_NOT_ALLOWED_UNPAID"))),
            ("trial", NewCompany { status: Status::Unpaid, pay_start_at: Some(now + TimeDelta::days(1)), ..paying() }, None),
            ("without a payment start", NewCompany { pay_start_at: None, ..paying() }, None),
            (
                "never activated",
                NewCompany { pay_start_at: None, status: Status::PendingValidation, ..paying() },
                Some(only("VIDEO_CALL_NOT_ALLOWED_INACTIVE")),
            ),
        ];
        for (what, new, refused) in cases {
            let (company, may) = (app.company_with(new).await, refused.is_none());
            for (n, role) in [Role::Customer, Role::Worker].into_iter().enumerate() {
                let person = app.person_in(company, role).await;
                let client = app.log_in(&person).await;
                let answer = client.post("/api/v1/getToken", opening()).await;
                match refused {
                    None => answer.ok(),
                    Some(codes) => answer.problem(403, codes[n]),
                };
                let told = client.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"]["company"]["mayCall"].clone();
                assert_eq!(told, json!(may), "{what}, {role:?}");
            }
        }
    }

    async fn the_trial_ends_at_its_second(app) {
        let start = app.sources.now() + TimeDelta::days(30);
        let mut new = NewCompany::named(CompanyKind::Customer, "Cliente").paying(start);
        new.status = Status::Trial;
        let company = app.company_with(new).await;
        let person = app.person_in(company, Role::Customer).await;
        app.advance(TimeDelta::days(30) - TimeDelta::milliseconds(1));
        app.log_in(&person).await.post("/api/v1/getToken", opening()).await.ok();
        app.advance(TimeDelta::milliseconds(1));
        let refused = app.log_in(&person).await.post("/api/v1/getToken", opening()).await;
        refused.problem(403, "VIDEO_CALL_NOT_ALLOWED_INACTIVE");
    }

    // CASE-25: guard, banner and invoices know one payment start.
    async fn a_customer_set_active_without_a_payment_start_may_call(app) {
        let mut new = NewCompany::named(CompanyKind::Customer, "Cliente").paying(app.sources.now());
        (new.pay_start_at, new.status) = (None, Status::PendingValidation);
        let company = app.company_with(new).await;
        let person = app.person_in(company, Role::Customer).await;
        let client = app.log_in(&person).await;
        client.post("/api/v1/getToken", opening()).await.problem(403, "VIDEO_CALL_NOT_ALLOWED_INACTIVE");
        let admin = app.log_in(&app.person(Role::Admin).await).await;
        admin.put("/api/v1/customer", json!({"customer": {"_id": company, "status": 2}})).await.ok();
        client.post("/api/v1/getToken", opening()).await.ok();
        let told = client.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"]["company"].clone();
        assert_eq!((&told["mayCall"], &told["blocked"], &told["banner"]["kind"]), (&json!(true), &json!(false), &json!("BILLING")));
    }

    // COMPANY-8
    async fn the_banner_follows_the_payment_start(app) {
        let start = app.sources.now() + TimeDelta::days(5);
        let company = app.company_with(NewCompany::named(CompanyKind::Customer, "Cliente").paying(start)).await;
        let person = app.person_in(company, Role::Customer).await;
        let banner = || async {
            let client = app.log_in(&person).await;
            client.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"]["company"]["banner"].clone()
        };
        let date = start.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        assert_eq!(banner().await, json!({"kind": "TRIAL", "link": false, "date": date}));
        app.advance(TimeDelta::days(5));
        assert_eq!(banner().await, json!({"kind": "BILLING", "link": false, "date": date}));
        app.advance(TimeDelta::days(10));
        assert_eq!(banner().await, Value::Null);
    }

    // USER-2
    async fn profiles_show_no_secrets_and_colleagues_only_to_the_right_people(app) {
        let company = app.company(CompanyKind::Customer, "Cliente").await;
        let principal = app.person_in(company, Role::Customer).await;
        let worker = app.person_in(company, Role::Worker).await;
        let supporter = app.person_with(company, Role::Worker, |user| user.support = true).await;
        let path = format!("/api/v1/user/{}", worker.id);
        for reader in [&worker, &principal, &supporter] {
            let user = app.log_in(reader).await.get(&path).await.ok()["user"].clone();
            assert_eq!((&user["userName"], &user["exp"]), (&json!(worker.user_name), &Value::Null));
            let text = user.to_string();
            assert!(!text.contains("argon2") && !text.contains("ES91"), "{text}");
        }
        let stranger = app.person(Role::Worker).await;
        let foreign = format!("/api/v1/user/{}", stranger.id);
        app.log_in(&stranger).await.get(&foreign).await.ok();
        for reader in [&worker, &principal, &supporter] {
            app.log_in(reader).await.get(&foreign).await.problem(404, "USER_NOT_FOUND");
        }
    }

    // USER-6
    async fn a_user_name_is_unique_in_its_company_only(app) {
        use atalaya_identity::users::{NewUser, service::create_user};
        let (one, two) = (app.company(CompanyKind::Customer, "Uno").await, app.company(CompanyKind::Customer, "Dos").await);
        let hash = app.identity.passwords.hash("caballo").await;
        let create = |company, name: &'static str| {
            let new = NewUser::active(company, Role::Worker, "Ana", "Ruiz", name, hash.clone());
            async move {
                let tx = app.db.write().await.unwrap();
                let made = create_user(&app.identity, &tx, new).await;
                if made.is_ok() { tx.commit().await.unwrap() }
                made.map(|_| ()).map_err(|error| error.to_string())
            }
        };
        assert_eq!(create(one, "ana@ejemplo.es").await, Ok(()));
        assert_eq!(create(one, "ANA@ejemplo.es ").await, Err("the user name is taken in this company".into()));
        assert_eq!(create(two, "ana@ejemplo.es").await, Ok(()));
    }

    // ACCOUNT-1
    async fn an_iban_is_sealed_in_the_database(app) {
        use sea_orm::{ConnectionTrait, Statement};
        app.company(CompanyKind::Customer, "Cliente").await;
        let backend = app.db.read().get_database_backend();
        let sql = "SELECT bank_account, iban_last4 FROM company WHERE has_iban";
        let row = app.db.read().query_one_raw(Statement::from_string(backend, sql)).await.unwrap().expect("one company");
        let (sealed, last4): (String, String) = (row.try_get("", "bank_account").unwrap(), row.try_get("", "iban_last4").unwrap());
        assert!(!sealed.contains("2100") && sealed.len() > 40, "{sealed}");
        assert_eq!(last4, "1332");
    }
}
