//! Users of a company: lists, changes, who may set what, questions about user names.

use crate::support::text;
use atalaya_identity::links::model::{LinkKind, NewLink};
use atalaya_identity::links::service::make;
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, Status};
use atalaya_testkit::{Client, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn named(app: &TestApp, company: CompanyId, name: &str, surname: &str) -> Person {
    let (name, surname) = (name.to_owned(), surname.to_owned());
    app.person_with(company, Role::Worker, |user| (user.name, user.surname) = (name, surname)).await
}

async fn surnames(client: &Client, company: CompanyId, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/api/v1/users/{company}{query}")).await.ok();
    answer["users"].as_array().expect("a list").iter().map(|user| text(&user["surname"])).collect()
}

async fn put(client: &Client, person: &Person, mut fields: Value) -> atalaya_testkit::Answer {
    fields["_id"] = json!(person.id);
    client.put("/api/v1/user", json!({ "user": fields })).await
}

/// The account as an administrator sees it.
async fn seen(admin: &Client, person: &Person) -> Value {
    admin.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"].clone()
}

/// What was sent to an address, newest first.
async fn mails(app: &TestApp, to: &str) -> Vec<Value> {
    let to = to.replace('+', "%2B");
    let outbox = app.as_role(Role::Admin).await.get(&format!("/api/v1/outbox?to={to}")).await.ok();
    outbox["outbox"].as_array().expect("a list").clone()
}

/// The token of the newest message to an address.
async fn token_to(app: &TestApp, to: &str) -> String {
    text(&mails(app, to).await[0]["link"]).rsplit('/').next().expect("a token").to_owned()
}

/// Every key that the caller may not set, and then some.
fn privileged() -> Value {
    json!({
        "role": 1, "status": 3, "support": true, "parent": "00000000-0000-7000-8000-000000000000", "legal": false,
        "pay_startAt": "2030-01-01T00:00:00Z", "companyType": "4", "has2fa": true, "userName": "root@ejemplo.es",
        "password": "otra-clave-larguísima", "exp": 1, "createdAt": "2000-01-01T00:00:00Z", "lastLogin": null,
        "company": {"legal": true}, "search": "x", "sort_key": "x",
    })
}

both_engines! {
    // USER-1
    async fn a_list_is_searched_filtered_sorted_and_paged(app) {
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let principal = app.person_with(company, Role::Customer, |user| user.surname = "Aguirre".into()).await;
        for (name, surname) in [("Óscar", "Núñez"), ("Ana", "Ñuño"), ("Luis", "Zapata"), ("Eva", "Nubla")] {
            named(app, company, name, surname).await;
        }
        let stranger = app.company(CompanyKind::Customer, "Otros").await;
        named(app, stranger, "Óscar", "Núñez").await;
        let client = app.log_in(&principal).await;
        assert_eq!(surnames(&client, company, "").await, ["Aguirre", "Nubla", "Núñez", "Ñuño", "Zapata"]);
        assert_eq!(surnames(&client, company, "?sort=-name").await[0], "Zapata");
        assert_eq!(surnames(&client, company, "?search=NUNEZ%20oscar").await, ["Núñez"], "accents, case and order do not matter");
        assert_eq!(surnames(&client, company, "?search=nu").await, ["Nubla", "Núñez", "Ñuño"]);
        assert!(surnames(&client, company, "?search=%25").await.len() == 5, "a pattern's sign searches for nothing");
        let first = client.get(&format!("/api/v1/users/{company}?limit=2")).await.ok();
        assert_eq!((first["total"].as_u64(), first["users"].as_array().map(Vec::len)), (Some(5), Some(2)));
        let cursor = text(&first["nextCursor"]);
        assert_eq!(surnames(&client, company, &format!("?limit=2&cursor={cursor}")).await, ["Núñez", "Ñuño"]);
        assert_eq!(client.get(&format!("/api/v1/users/{company}?limit=2&cursor=4")).await.ok()["nextCursor"], Value::Null);
        for (query, field) in [("?sort=password", "sort"), ("?status=9", "status"), ("?cursor=x", "cursor"), ("?format=pdf", "format")] {
            let problem = client.get(&format!("/api/v1/users/{company}{query}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
        let book = client.get(&format!("/api/v1/users/{company}?format=xlsx")).await;
        assert_eq!((book.status, &book.body[..2]), (200, &b"PK"[..]));
        assert_eq!(book.header("content-disposition"), Some("attachment; filename=\"usuarios-2026-11-20.xlsx\""));
    }

    // USER-1
    async fn a_listed_user_tells_last_login_and_second_factor_and_no_secret(app) {
        let company = app.company(CompanyKind::Repairer, "Taller").await;
        let principal = app.person_in(company, Role::Repairer).await;
        let member = app.person_in(company, Role::RepairerOperator).await;
        let body = json!({"userName": member.user_name, "password": PASSWORD, "login": true});
        app.anonymous().post("/api/v1/login", body).await.ok();
        let answer = app.log_in(&principal).await.get(&format!("/api/v1/users/{company}?sort=lastLogin")).await.ok();
        let user = &answer["users"][0];
        assert_eq!(user["_id"], json!(member.id), "those who never logged in come last: {answer}");
        assert_eq!((&user["lastLogin"], &user["has2fa"]), (&json!("2026-11-20T09:00:00Z"), &json!(false)));
        assert_eq!((&answer["users"][1]["lastLogin"], &user["createdAt"]), (&Value::Null, &json!("2026-11-20T09:00:00Z")));
        assert!(!answer.to_string().contains("argon2"));
    }

    // USER-3
    async fn nobody_assigns_himself_anything_privileged(app) {
        let admin = app.as_role(Role::Admin).await;
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Empty) {
            let person = app.person(role).await;
            let before = seen(&admin, &person).await;
            let client = app.log_in(&person).await;
            let answer = put(&client, &person, privileged()).await.ok();
            assert_eq!(answer["user"], before, "{role:?}");
            assert_eq!(seen(&admin, &person).await, before, "{role:?}");
            let mut wrong = privileged();
            for key in ["role", "status", "support"] {
                wrong[key] = json!({"$ne": null});
            }
            put(&client, &person, wrong).await.ok();
            assert_eq!(seen(&admin, &person).await, before, "{role:?}: garbage in ignored keys is no error");
            app.log_in(&person).await.get("/api/v1/me").await.ok();
        }
    }

    // USER-3, SESSION-7
    async fn principals_set_the_status_of_members_and_nothing_else(app) {
        let admin = app.as_role(Role::Admin).await;
        for (kind, principal_role, member_role) in [
            (CompanyKind::Customer, Role::Customer, Role::Worker),
            (CompanyKind::Repairer, Role::Repairer, Role::RepairerOperator),
            (CompanyKind::CarRepairShop, Role::CarRepairShop, Role::WorkshopOperator),
        ] {
            let company = app.company(kind, "Empresa").await;
            let principal = app.log_in(&app.person_in(company, principal_role).await).await;
            let (member, second) = (app.person_in(company, member_role).await, app.person_in(company, principal_role).await);
            let before = seen(&admin, &member).await;
            let mut body = privileged();
            body["status"] = json!(2);
            assert_eq!(put(&principal, &member, body).await.ok()["user"], before, "{kind:?}");
            for status in [0, 3, 4, 5, 9] {
                let refused = put(&principal, &member, json!({"status": status})).await.problem(422, "INVALID_FIELDS");
                assert_eq!(refused["errors"][0]["field"], "status", "only inactive and active are offered");
            }
            let session = app.log_in(&member).await;
            assert_eq!(put(&principal, &member, json!({"status": 1})).await.ok()["user"]["status"], 1);
            session.get("/api/v1/me").await.problem(401, "SESSION_ENDED");
            let body = json!({"userName": member.user_name, "password": PASSWORD, "login": true});
            app.anonymous().post("/api/v1/login", body.clone()).await.problem(403, "ACCOUNT_INACTIVE");
            assert_eq!(put(&principal, &member, json!({"status": "2"})).await.ok()["user"]["status"], 2);
            session.get("/api/v1/me").await.problem(401, "SESSION_ENDED");
            app.anonymous().post("/api/v1/login", body).await.ok();
            // Another principal's account is the administrator's business, its profile is not.
            assert_eq!(put(&principal, &second, json!({"status": 1, "name": "Eva"})).await.ok()["user"]["status"], 2);
            assert_eq!(seen(&admin, &second).await["name"], "Eva");
        }
    }

    // USER-3, SESSION-7
    async fn administrators_set_role_status_and_support(app) {
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let worker = app.person(Role::Worker).await;
        let session = app.log_in(&worker).await;
        let user = put(&admin, &worker, json!({"support": true})).await.ok()["user"].clone();
        assert_eq!(user["support"], true);
        session.get("/api/v1/me").await.ok();
        assert_eq!(put(&admin, &worker, json!({"role": 2})).await.ok()["user"]["role"], 2);
        session.get("/api/v1/me").await.problem(401, "SESSION_ENDED");
        for status in Status::ALL {
            let number = i16::from(status);
            assert_eq!(put(&admin, &worker, json!({"status": number})).await.ok()["user"]["status"], number);
        }
        for (key, value) in [("role", json!(9)), ("role", json!("x")), ("status", json!(6)), ("support", json!("yes"))] {
            let mut fields = json!({});
            fields[key] = value;
            let refused = put(&admin, &worker, fields).await.problem(422, "INVALID_FIELDS");
            assert_eq!(refused["errors"][0]["field"], key);
        }
        let mine = put(&admin, &admin_person, json!({"status": 1, "role": 3})).await.ok()["user"].clone();
        assert_eq!((&mine["status"], &mine["role"]), (&json!(2), &json!(1)), "nobody locks himself out");
    }

    // USER-2, USER-3
    async fn the_support_flag_edits_profiles_of_its_company_only(app) {
        let company = app.company(CompanyKind::Customer, "Cliente").await;
        let supporter = app.log_in(&app.person_with(company, Role::Worker, |user| user.support = true).await).await;
        let (colleague, stranger) = (app.person_in(company, Role::Worker).await, app.person(Role::Worker).await);
        let user = put(&supporter, &colleague, json!({"name": "Eva", "status": 1, "support": true})).await.ok()["user"].clone();
        assert_eq!((&user["name"], &user["status"], &user["support"]), (&json!("Eva"), &json!(2), &json!(false)));
        put(&supporter, &stranger, json!({"name": "Eva"})).await.problem(404, "USER_NOT_FOUND");
        put(&app.log_in(&colleague).await, &app.person_in(company, Role::Worker).await, json!({"name": "Eva"})).await
            .problem(403, "OWN_ID_REQUIRED");
    }

    // USER-4
    async fn a_profile_tells_all_its_wrong_fields_and_keeps_what_is_missing(app) {
        let person = app.person(Role::WorkshopOperator).await;
        let client = app.log_in(&person).await;
        let wrong = json!({"name": " ", "surname": "x".repeat(201), "email": "nadie@", "phone": "123456789012", "language": "xx"});
        let problem = put(&client, &person, wrong).await.problem(422, "INVALID_FIELDS");
        let found: Vec<String> = problem["errors"].as_array().expect("errors").iter()
            .map(|error| format!("{} {}", text(&error["field"]), text(&error["code"]))).collect();
        assert_eq!(found, ["name REQUIRED", "surname TOO_LONG", "email EMAIL_INVALID", "phone PHONE_INCORRECT", "language INVALID"]);
        assert!(problem["errors"].as_array().expect("errors").iter().all(|error| !text(&error["message"]).is_empty()));
        let user = put(&client, &person, json!({"name": " Eva ", "phone": "600 123 123", "language": "en"})).await.ok()["user"].clone();
        assert_eq!((&user["name"], &user["surname"]), (&json!("Eva"), &json!("Apellido")));
        assert_eq!((&user["phone"], &user["language"], &user["email"]), (&json!("+34600123123"), &json!("en"), &json!(person.user_name)));
        let cleared = put(&client, &person, json!({"phone": null})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(cleared["errors"][0]["code"], "PHONE_REQUIRED", "operators keep a phone");
        client.put("/api/v1/user", json!({"user": {"_id": "no-id"}})).await.problem(422, "INVALID_FIELDS");
        put(&client, &app.person(Role::Worker).await, json!({"name": " "})).await.problem(404, "USER_NOT_FOUND");
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(surnames(&admin, person.company, "?search=eva%20%2B34600").await, ["Apellido"], "the search knows the new values");
    }

    // USER-5
    async fn both_mailboxes_confirm_another_log_in_name(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        let old = person.user_name.as_str();
        let answer = put(&client, &person, json!({"email": "Nueva@Ejemplo.es", "name": "Eva"})).await.ok();
        assert_eq!((&answer["pendingUserName"], &answer["user"]["userName"]), (&json!("nueva@ejemplo.es"), &json!(old)));
        assert_eq!((&answer["user"]["email"], &answer["user"]["name"]), (&json!(old), &json!("Eva")), "the rest is saved");
        let confirm = async |token: &str| app.anonymous().post("/api/v1/user-name-confirm", json!({"token": token})).await;
        let known = async |token: &str| {
            app.anonymous().post("/api/v1/verify-token", json!({"activationToken": token})).await.ok()["kind"].clone()
        };
        let (first, second) = (token_to(app, old).await, token_to(app, "nueva@ejemplo.es").await);
        assert_eq!((known(&first).await, known(&second).await), (json!("user-name"), json!("user-name")));
        assert_eq!(confirm(&second).await.ok(), json!({"done": false, "userName": "nueva@ejemplo.es"}));
        confirm(&second).await.problem(422, "TOKEN_USED");
        assert_eq!(seen(&client, &person).await["userName"], old, "one mailbox proves nothing");
        app.advance(TimeDelta::seconds(1));
        assert_eq!(confirm(&first).await.ok()["done"], true);
        let user = seen(&client, &person).await;
        assert_eq!((&user["userName"], &user["email"]), (&json!("nueva@ejemplo.es"), &json!("nueva@ejemplo.es")));
        let body = |name: &str| json!({"userName": name, "password": PASSWORD, "login": true});
        app.anonymous().post("/api/v1/login", body(old)).await.problem(422, "LOGIN_INCORRECT");
        app.anonymous().post("/api/v1/login", body("nueva@ejemplo.es")).await.ok();
        // Recovery and notices follow.
        for to in [old, "nueva@ejemplo.es"] {
            assert_eq!(text(&mails(app, to).await[0]["subject"]), "Ha cambiado su usuario de Atalaya", "{to}");
        }
        app.advance(TimeDelta::seconds(1));
        app.anonymous().post("/api/v1/remember-email", json!({"email": "nueva@ejemplo.es"})).await.expect(204);
        assert!(text(&mails(app, "nueva@ejemplo.es").await[0]["link"]).contains("/remember-form/"));
        // The old address opens nothing any more: nobody is written to there.
        let known = mails(app, old).await.len();
        app.anonymous().post("/api/v1/remember-email", json!({"email": old})).await.expect(204);
        let after = mails(app, old).await;
        assert_eq!(after.len(), known, "{after:?}");
        assert!(after.iter().all(|mail| !mail["link"].as_str().unwrap_or_default().contains("/remember-form/")), "{after:?}");
    }

    // USER-5
    async fn both_links_belong_together_while_time_passes(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        app.clock.run();
        put(&client, &person, json!({"email": "nueva@ejemplo.es"})).await.ok();
        for (to, done) in [("nueva@ejemplo.es", false), (person.user_name.as_str(), true)] {
            let token = token_to(app, to).await;
            let answer = app.anonymous().post("/api/v1/user-name-confirm", json!({"token": token})).await.ok();
            assert_eq!(answer["done"], done, "{to}");
        }
        assert_eq!(seen(&client, &person).await["userName"], "nueva@ejemplo.es");
    }

    // USER-5, LINK-2
    async fn a_change_of_the_log_in_name_is_replaced_expires_and_meets_a_taken_name(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        let colleague = app.person_in(person.company, Role::Worker).await;
        put(&client, &person, json!({"email": colleague.user_name})).await.problem(409, "USER_NAME_TAKEN");
        put(&client, &person, json!({"email": "uno@ejemplo.es"})).await.ok();
        let first = token_to(app, "uno@ejemplo.es").await;
        app.advance(TimeDelta::seconds(1));
        put(&client, &person, json!({"email": "dos@ejemplo.es"})).await.ok();
        let confirm = async |token: &str| app.anonymous().post("/api/v1/user-name-confirm", json!({"token": token})).await;
        confirm(&first).await.problem(422, "TOKEN_EXPIRED");
        let second = token_to(app, "dos@ejemplo.es").await;
        confirm(&second).await.ok();
        app.advance(TimeDelta::days(1));
        confirm(&token_to(app, &person.user_name).await).await.problem(422, "TOKEN_EXPIRED");
        let reset = async { app.anonymous().post("/api/v1/remember-email", json!({"email": person.user_name})).await.expect(204) };
        reset.await;
        confirm(&token_to(app, &person.user_name).await).await.problem(422, "TOKEN_INVALID");
    }

    // USER-5
    async fn an_administrator_changes_a_log_in_name_at_once(app) {
        let (person, admin_person) = (app.person(Role::Worker).await, app.person(Role::Admin).await);
        let admin = app.log_in(&admin_person).await;
        let answer = put(&admin, &person, json!({"email": "otra@ejemplo.es"})).await.ok();
        assert_eq!((&answer["pendingUserName"], &answer["user"]["userName"]), (&Value::Null, &json!("otra@ejemplo.es")));
        assert_eq!(text(&mails(app, &person.user_name).await[0]["subject"]), "Ha cambiado su usuario de Atalaya");
        let own = put(&admin, &admin_person, json!({"email": "jefa@ejemplo.es"})).await.ok();
        assert_eq!(own["pendingUserName"], "jefa@ejemplo.es", "one's own needs both mailboxes");
        // Somebody who logs in with a phone.
        let operator = app.person_with(app.company(CompanyKind::Repairer, "R").await, Role::RepairerOperator, |user| {
            (user.user_name, user.email, user.phone) = ("+34600123456".into(), None, Some("+34600123456".into()));
        }).await;
        let client = app.log_in(&operator).await;
        let answer = put(&client, &operator, json!({"phone": "600 123 457", "email": "op@ejemplo.es"})).await.ok();
        assert_eq!((&answer["pendingUserName"], &answer["user"]["phone"]), (&json!("+34600123457"), &json!("+34600123456")));
        assert_eq!(answer["user"]["email"], "op@ejemplo.es", "an address that is no name needs no proof");
        assert!(text(&mails(app, "+34600123457").await[0]["link"]).contains("/a/"));
    }

    async fn a_contact_without_a_surname_saves_the_profile(app) {
        let person = app.person_with(app.company(CompanyKind::Customer, "C").await, Role::Customer, |user| {
            (user.name, user.surname) = ("Nuria".into(), String::new());
        }).await;
        let client = app.log_in(&person).await;
        let user = put(&client, &person, json!({"name": "Núria", "surname": "", "language": "ca"})).await.ok()["user"].clone();
        assert_eq!((&user["name"], &user["surname"]), (&json!("Núria"), &json!("")));
        put(&client, &person, json!({"surname": "Ferrer"})).await.ok();
        put(&client, &person, json!({"surname": " "})).await.problem(422, "INVALID_FIELDS");
    }

    async fn the_platform_s_people_get_its_roles_in_the_app(app) {
        let admin = app.as_role(Role::Admin).await;
        let platform = app.platform().await;
        let invite = json!({"emailOPhone": "nueva@ejemplo.es", "type": 3, "customerId": platform});
        admin.post("/api/v1/activation", invite).await.ok();
        let new = app.person_in(platform, Role::Worker).await;
        for role in [8, 1] {
            assert_eq!(put(&admin, &new, json!({"role": role})).await.ok()["user"]["role"], role);
        }
        app.log_in(&new).await.get("/api/v1/customers").await.ok();
    }

    async fn the_support_flag_reaches_the_users_it_may_edit(app) {
        let company = app.company(CompanyKind::Customer, "Cliente").await;
        let person = app.person_with(company, Role::Worker, |user| user.support = true).await;
        let client = app.log_in(&person).await;
        assert_eq!(client.get(&format!("/api/v1/users/{company}")).await.ok()["total"], 1);
        let menu = client.get("/api/v1/me").await.ok()["menu"].to_string();
        assert!(menu.contains(&format!("/users/{company}")), "{menu}");
        client.get(&format!("/api/v1/users/{}", app.company(CompanyKind::Customer, "Otro").await)).await.problem(404, "COMPANY_NOT_FOUND");
        let colleague = app.as_role(Role::Worker).await;
        assert!(!colleague.get("/api/v1/me").await.ok()["menu"].to_string().contains("/users/"));
    }

    // USER-6
    async fn a_user_name_is_asked_for_by_members_and_by_invited_people(app) {
        let person = app.person(Role::Worker).await;
        let path = format!("/api/v1/exist-userName/{}", person.user_name.to_uppercase());
        let body = json!({"customerId": person.company, "role": 3});
        assert_eq!(app.log_in(&person).await.post(&path, body.clone()).await.ok(), json!({"exist": true}));
        let free = app.log_in(&person).await.post("/api/v1/exist-userName/nadie@ejemplo.es", body.clone()).await.ok();
        assert_eq!(free, json!({"exist": false}));
        let stranger = app.as_role(Role::Customer).await;
        stranger.post(&path, body.clone()).await.problem(404, "COMPANY_NOT_FOUND");
        assert_eq!(stranger.post(&path, json!({})).await.ok(), json!({"exist": false}), "one's own company when none is named");
        app.anonymous().post(&path, body.clone()).await.problem(401, "SESSION_REQUIRED");

        let link = |company: Option<CompanyId>, role| NewLink {
            kind: LinkKind::Activation,
            address: "nueva@ejemplo.es".into(),
            language: Language::Es,
            role: Some(role),
            company,
            user: None,
            inviter: None,
        };
        let token = async |new: NewLink| {
            let tx = app.db.write().await.unwrap();
            let (_, token) = make(&app.identity, &tx, &new).await.unwrap();
            tx.commit().await.unwrap();
            app.anonymous().with_token(token)
        };
        let invited = token(link(Some(person.company), Role::Worker)).await;
        assert_eq!(invited.post(&path, body.clone()).await.ok(), json!({"exist": true}));
        let other = app.company(CompanyKind::Customer, "Otra").await;
        invited.post(&path, json!({"customerId": other})).await.problem(404, "COMPANY_NOT_FOUND");
        let founder = token(link(None, Role::Customer)).await;
        assert_eq!(founder.post(&path, json!({"customerId": ""})).await.ok(), json!({"exist": false}), "a company to be has nobody");
        founder.post(&path, body.clone()).await.problem(404, "COMPANY_NOT_FOUND");
        app.anonymous().with_token("no-such-token").post(&path, body.clone()).await.problem(422, "TOKEN_INVALID");
        app.advance(TimeDelta::days(7));
        invited.post(&path, body).await.problem(422, "TOKEN_EXPIRED");
    }

    // USER-7, MENU-2
    async fn the_shell_reads_itself_anew(app) {
        let person = app.person(Role::Customer).await;
        let me = app.log_in(&person).await.get("/api/v1/me").await.ok();
        assert_eq!((&me["user"]["_id"], &me["user"]["exp"]), (&json!(person.id), &Value::Null));
        let users = me["menu"].as_array().expect("a menu").iter().find(|item| item["page"] == "users").expect("a page");
        assert_eq!(users["url"], json!(format!("/users/{}", person.company)));
        let configuration = me["menu"].as_array().expect("a menu").last().expect("an entry");
        assert_eq!(configuration["idSubmenu"], "configuration");
        let own = |page: &str| {
            let all = configuration["submenu"].as_array().expect("a submenu");
            all.iter().find(|item| item["page"] == page).map(|item| item["url"].clone())
        };
        assert_eq!(own("password"), Some(json!(format!("/password/{}", person.id))));
        assert_eq!(own("smsConference"), Some(json!(format!("/sms-client-conference/{}", person.id))));
    }
}
