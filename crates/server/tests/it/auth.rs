//! Log-in, renewal, logout.

use atalaya_identity::companies::NewCompany;
use atalaya_identity::{SessionClaims, TokenKind};
use atalaya_kernel::{CompanyKind, Role, Status};
use atalaya_testkit::{Answer, Client, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn try_password(client: &Client, user_name: &str, password: &str) -> Answer {
    client.post("/api/v1/login", json!({"userName": user_name, "password": password, "login": true})).await
}

async fn logged_in(app: &TestApp, person: &Person) -> (Client, Value) {
    let answer = try_password(&app.anonymous(), &person.user_name, PASSWORD).await.ok();
    let token = answer["token"].as_str().expect("a token").to_owned();
    (app.anonymous().with_token(token), answer)
}

/// The cookies by which a browser is known at an account.
fn device_cookies(answer: &Answer) -> Vec<String> {
    let lines = answer.headers.get_all("set-cookie").iter().filter_map(|line| line.to_str().ok());
    lines.filter(|line| line.starts_with("atalaya_device_")).map(str::to_owned).collect()
}

async fn is_alive(client: &Client, person: &Person) -> u16 {
    client.get(&format!("/api/v1/user/{}", person.id)).await.status
}

async fn renewed(client: &Client) -> String {
    let answer = client.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.ok();
    answer["token"].as_str().expect("a token").to_owned()
}

both_engines! {
    // AUTH-1, SESSION-5
    async fn a_worker_logs_in_and_gets_session_user_menu_and_cookies(app) {
        let worker = app.person(Role::Worker).await;
        let pre = app.anonymous().post("/api/v1/prelogin", json!({"userName": worker.user_name.to_uppercase()})).await.ok();
        assert_eq!(pre["users"].as_array().map(Vec::len), Some(1));
        assert_eq!(pre["users"][0]["company"], Value::Null, "one account: its company is not told");
        assert_ne!(pre["users"][0]["_id"], json!(worker.id), "the id before the password is opaque");

        let body = json!({"userName": worker.user_name, "password": PASSWORD, "login": pre["users"][0]["_id"]});
        let answer = app.anonymous().post("/api/v1/login", body).await;
        let body = answer.ok();
        assert_eq!((body["login"].as_bool(), body["token"].as_str().map(|t| t.split('.').count())), (Some(true), Some(3)));
        let exp = app.sources.now().timestamp() + 3600;
        assert_eq!((body["exp"].as_i64(), body["user"]["exp"].as_i64()), (Some(exp), Some(exp)));
        let user = &body["user"];
        assert_eq!(user["_id"], json!(worker.id));
        assert_eq!((user["role"].as_i64(), user["status"].as_i64()), (Some(3), Some(2)));
        assert_eq!((&user["parent"], &user["company"]["_id"]), (&json!(worker.company), &json!(worker.company)));
        assert_eq!((user["company"]["companyType"].as_str(), user["company"]["mayCall"].as_bool()), (Some("2"), Some(true)));
        assert!(user.get("password").is_none() && user.get("passwordHash").is_none());
        assert_eq!(body["menu"][0]["url"], "/vp-form");

        let media = answer.cookies("atalaya_media");
        assert_eq!(media.len(), 3);
        for (line, path) in media.iter().zip(["Path=/uploads;", "Path=/uploads-documents;", "Path=/api/v1/incidence-image;"]) {
            assert!(line.contains(path) && line.contains("HttpOnly") && line.contains("SameSite=Strict"), "{line}");
        }
        let xsrf = answer.cookies("XSRF-TOKEN");
        assert!(xsrf.len() == 1 && !xsrf[0].contains("HttpOnly"), "{xsrf:?}");
        assert_eq!(is_alive(&app.anonymous().with_token(body["token"].as_str().unwrap()), &worker).await, 200);
    }

    // AUTH-2
    async fn a_phone_is_a_user_name_however_it_is_written(app) {
        let company = app.company(CompanyKind::Repairer, "Reparaciones").await;
        app.person_with(company, Role::RepairerOperator, |user| user.user_name = "+34600123456".into()).await;
        for written in ["600 12 34 56", "+34 600-123-456", "0034600123456"] {
            try_password(&app.anonymous(), written, PASSWORD).await.ok();
        }
    }

    // AUTH-1
    async fn one_user_name_in_two_companies_chooses_a_company(app) {
        let (one, two) = (app.company(CompanyKind::Customer, "Uno").await, app.company(CompanyKind::Customer, "Dos").await);
        let first = app.person_with(one, Role::Worker, |user| user.user_name = "ana@ejemplo.es".into()).await;
        app.advance(TimeDelta::milliseconds(1));
        let second = app.person_with(two, Role::Worker, |user| user.user_name = "ana@ejemplo.es".into()).await;
        let client = app.anonymous();
        let users = client.post("/api/v1/prelogin", json!({"userName": "ana@ejemplo.es"})).await.ok()["users"].clone();
        let companies: Vec<_> = users.as_array().unwrap().iter().map(|u| u["company"].as_str().unwrap()).collect();
        assert_eq!(companies, ["Uno", "Dos"]);
        assert!(users.as_array().unwrap().iter().all(|u| u["last"] == json!(false)), "nobody has logged in yet");

        let log_in = |login: Value| {
            let client = client.clone();
            async move { client.post("/api/v1/login", json!({"userName": "ana@ejemplo.es", "password": PASSWORD, "login": login})).await }
        };
        assert_eq!(log_in(users[1]["_id"].clone()).await.ok()["user"]["_id"], json!(second.id));
        let again = client.post("/api/v1/prelogin", json!({"userName": "ana@ejemplo.es"})).await.ok()["users"].clone();
        assert_eq!((&again[0]["last"], &again[1]["last"]), (&json!(false), &json!(true)), "the last one is marked");
        assert_eq!(log_in(users[0]["_id"].clone()).await.ok()["user"]["_id"], json!(first.id));
        log_in(json!(true)).await.problem(422, "LOGIN_INCORRECT");
        log_in(users[0]["_id"].clone()).await.problem(422, "LOGIN_INCORRECT");
        log_in(json!(first.id)).await.problem(422, "LOGIN_INCORRECT");
    }

    // AUTH-1
    async fn an_offered_id_is_short_lived_and_only_for_its_user_name(app) {
        let (ana, eva) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        let offered = app.anonymous().post("/api/v1/prelogin", json!({"userName": ana.user_name})).await.ok();
        let id = offered["users"][0]["_id"].clone();
        let body = |name: &str| json!({"userName": name, "password": PASSWORD, "login": id});
        app.anonymous().post("/api/v1/login", body(&eva.user_name)).await.problem(422, "LOGIN_INCORRECT");
        app.advance(TimeDelta::minutes(10));
        app.anonymous().post("/api/v1/login", body(&ana.user_name)).await.problem(422, "LOGIN_INCORRECT");
    }

    // AUTH-3
    async fn wrong_name_and_wrong_password_look_the_same(app) {
        let worker = app.person(Role::Worker).await;
        let wrong = try_password(&app.anonymous(), &worker.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
        let unknown = try_password(&app.anonymous(), "nadie@ejemplo.es", "otra").await.problem(422, "LOGIN_INCORRECT");
        assert_eq!((&wrong["detail"], &wrong["title"]), (&unknown["detail"], &unknown["title"]));
        let pre = app.anonymous().post("/api/v1/prelogin", json!({"userName": "nadie@ejemplo.es"})).await;
        pre.problem(422, "LOGIN_INCORRECT");
    }

    // AUTH-3, AUTH-4
    async fn inactive_is_told_only_after_the_right_password(app) {
        let company = app.company(CompanyKind::Customer, "Cliente").await;
        for status in [Status::Inactive, Status::Trial, Status::NotContracted, Status::Unpaid] {
            let user = app.person_with(company, Role::Worker, |user| user.status = status).await;
            try_password(&app.anonymous(), &user.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
            let answer = try_password(&app.anonymous(), &user.user_name, PASSWORD).await;
            answer.problem(403, "ACCOUNT_INACTIVE");
            assert!(answer.cookies("atalaya_media").is_empty(), "no session is stored");
        }
        let pending = app.person_with(company, Role::Worker, |user| user.status = Status::PendingValidation).await;
        try_password(&app.anonymous(), &pending.user_name, PASSWORD).await.ok();
        let nobody = app.person_with(company, Role::Empty, |_| {}).await;
        try_password(&app.anonymous(), &nobody.user_name, PASSWORD).await.problem(422, "LOGIN_INCORRECT");
    }

    // AUTH-4
    async fn a_company_that_is_inactive_or_not_contracted_admits_nobody(app) {
        for (status, expected) in [(Status::Inactive, 403), (Status::NotContracted, 403), (Status::Unpaid, 200), (Status::PendingValidation, 200)] {
            let mut new = NewCompany::named(CompanyKind::Customer, "Empresa");
            new.status = status;
            let company = app.company_with(new).await;
            let user = app.person_in(company, Role::Customer).await;
            try_password(&app.anonymous(), &user.user_name, PASSWORD).await.expect(expected);
        }
    }

    // AUTH-5
    async fn five_wrong_tries_lock_the_account_for_their_network(app) {
        let (ana, eva) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        // Neighbouring networks of one site count together.
        let site = |n: u16| app.anonymous().with_ip(std::net::Ipv6Addr::new(0x2001, 0xdb8, 7, n, 0, 0, 0, 1).into());
        for n in 0..5 {
            try_password(&site(n), &ana.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
            app.advance(TimeDelta::seconds(10));
        }
        // 50 s after the first: it leaves the window in 850 s. The right password does not help.
        let locked = try_password(&site(9), &ana.user_name, PASSWORD).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("850"));
        try_password(&site(9), &eva.user_name, PASSWORD).await.ok();
        try_password(&app.anonymous(), &ana.user_name, PASSWORD).await.ok();
        app.advance(TimeDelta::seconds(849));
        try_password(&site(9), &ana.user_name, PASSWORD).await.problem(429, "LOGIN_LOCKED");
        app.advance(TimeDelta::seconds(1));
        try_password(&site(9), &ana.user_name, PASSWORD).await.ok();
    }

    // AUTH-5
    async fn fifty_wrong_tries_lock_the_account_for_everybody(app) {
        let ana = app.person(Role::Worker).await;
        for n in 0..50u8 {
            let client = app.anonymous().from([198, 51, 100, n]);
            try_password(&client, &ana.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        let locked = try_password(&app.anonymous(), &ana.user_name, PASSWORD).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("900"));
    }

    // AUTH-10
    async fn a_known_device_gets_in_whatever_others_try(app) {
        let ana = app.person(Role::Worker).await;
        let first = try_password(&app.anonymous(), &ana.user_name, PASSWORD).await;
        let cookies = device_cookies(&first);
        assert_eq!(cookies.len(), 2);
        for (line, path) in cookies.iter().zip(["Path=/api/v1/prelogin;", "Path=/api/v1/login;"]) {
            assert!(line.contains(path) && line.contains("HttpOnly") && line.contains("SameSite=Strict"), "{line}");
        }
        let cookie = cookies[0].split(';').next().unwrap().to_owned();
        let token = cookie.split_once('=').unwrap().1.to_owned();
        app.anonymous().with_token(token).get("/api/v1/me").await.problem(401, "SESSION_INVALID");
        for n in 0..50u8 {
            try_password(&app.anonymous().from([198, 51, 100, n]), &ana.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        for n in 0..20 {
            try_password(&app.anonymous(), &format!("victima{n}@ejemplo.es"), "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        try_password(&app.anonymous(), &ana.user_name, PASSWORD).await.problem(429, "LOGIN_LOCKED");
        let known = app.anonymous().with("cookie", &cookie);
        known.post("/api/v1/prelogin", json!({"userName": ana.user_name})).await.ok();
        try_password(&known, &ana.user_name, PASSWORD).await.ok();
        let eva = app.person(Role::Worker).await;
        try_password(&known, &eva.user_name, PASSWORD).await.problem(429, "LOGIN_LOCKED");
        for _ in 0..5 {
            try_password(&known, &ana.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        try_password(&known, &ana.user_name, PASSWORD).await.problem(429, "LOGIN_LOCKED");
    }

    // AUTH-9
    async fn a_full_queue_refuses_strangers_and_serves_known_devices(app) {
        let ana = app.person(Role::Worker).await;
        let first = try_password(&app.anonymous(), &ana.user_name, PASSWORD).await;
        let cookie = device_cookies(&first)[0].split(';').next().unwrap().to_owned();
        let waiting: Vec<_> = std::iter::from_fn(|| app.identity.passwords.enter(atalaya_identity::Lane::Stranger)).collect();
        assert_eq!(waiting.len(), 64);
        let busy = try_password(&app.anonymous(), &ana.user_name, PASSWORD).await;
        let problem = busy.problem(503, "LOGIN_BUSY");
        assert!(problem["detail"].as_str().or(problem["title"].as_str()).is_some_and(|text| text.contains("segundos")), "{problem}");
        assert_eq!(busy.header("retry-after"), Some("3"));
        try_password(&app.anonymous().with("cookie", &cookie), &ana.user_name, PASSWORD).await.ok();
        drop(waiting);
        try_password(&app.anonymous(), &ana.user_name, PASSWORD).await.ok();
    }

    // AUTH-7
    async fn log_ins_and_locks_are_written_down(app) {
        let ana = app.person(Role::Worker).await;
        try_password(&app.anonymous(), &ana.user_name, PASSWORD).await.ok();
        app.advance(TimeDelta::seconds(1));
        for _ in 0..5 {
            try_password(&app.anonymous().from([198, 51, 100, 7]), &ana.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        try_password(&app.anonymous().from([198, 51, 100, 7]), &ana.user_name, PASSWORD).await.problem(429, "LOGIN_LOCKED");
        let admin = app.as_role(Role::Admin).await;
        let logs = admin.get(&format!("/api/v1/audit?user={}", ana.id)).await.ok()["logs"].clone();
        let brief = |n: usize| (logs[n]["action"].clone(), logs[n]["address"].clone(), logs[n]["detail"].clone());
        assert_eq!(logs.as_array().map(Vec::len), Some(2), "once for five tries, and refused ones not: {logs}");
        assert_eq!(brief(0), (json!("LOGIN_LOCKED"), json!("198.51.100.7"), json!({})));
        assert_eq!(brief(1), (json!("LOGGED_IN"), json!("192.0.2.1"), json!({"method": "password"})));
        assert!(!logs.to_string().contains("otra"));
        let users = admin.get(&format!("/api/v1/users/{}", ana.company)).await.ok();
        assert!(users["users"][0]["lastLogin"].is_string(), "{users}");
    }

    // AUTH-5
    async fn a_right_password_forgets_the_wrong_ones(app) {
        let ana = app.person(Role::Worker).await;
        for _ in 0..3 {
            for _ in 0..4 {
                try_password(&app.anonymous(), &ana.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
            }
            try_password(&app.anonymous(), &ana.user_name, PASSWORD).await.ok();
        }
    }

    // AUTH-5
    async fn unknown_user_names_lock_like_known_ones(app) {
        for _ in 0..5 {
            try_password(&app.anonymous(), "nadie@ejemplo.es", "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        try_password(&app.anonymous(), "nadie@ejemplo.es", "otra").await.problem(429, "LOGIN_LOCKED");
        for n in 0..45u8 {
            let client = app.anonymous().from([198, 51, 100, n]);
            try_password(&client, "nadie@ejemplo.es", "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        try_password(&app.anonymous().from([203, 0, 113, 1]), "nadie@ejemplo.es", "otra").await.problem(429, "LOGIN_LOCKED");
    }

    // AUTH-5
    async fn twenty_wrong_tries_lock_the_address_and_no_other(app) {
        let ana = app.person(Role::Worker).await;
        let thief = app.anonymous().from([203, 0, 113, 9]);
        for n in 0..20 {
            try_password(&thief, &format!("victima{n}@ejemplo.es"), "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        let locked = try_password(&thief, &ana.user_name, PASSWORD).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("900"));
        thief.post("/api/v1/prelogin", json!({"userName": ana.user_name})).await.problem(429, "LOGIN_LOCKED");
        try_password(&app.anonymous(), &ana.user_name, PASSWORD).await.ok();
        app.advance(TimeDelta::minutes(15));
        try_password(&thief, &ana.user_name, PASSWORD).await.ok();
    }

    // AUTH-6
    async fn simultaneous_tries_do_not_pass_the_limit_together(app) {
        let ana = app.person(Role::Worker).await;
        let tries = (0..12).map(|_| {
            let client = app.anonymous();
            let name = ana.user_name.clone();
            async move { try_password(&client, &name, "otra").await.status }
        });
        let statuses = futures::future::join_all(tries).await;
        assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 5, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 7, "{statuses:?}");
    }

    // AUTH-6
    async fn right_passwords_at_once_all_get_in(app) {
        let ana = app.person(Role::Worker).await;
        let mut people = vec![ana; 25];
        for _ in 0..25 {
            people.push(app.person(Role::Worker).await);
        }
        // An office in the morning: fifty from one address, half of them one account.
        let client = app.anonymous();
        let tries = people.iter().map(|person| try_password(&client, &person.user_name, PASSWORD));
        let statuses: Vec<u16> = futures::future::join_all(tries).await.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, [200; 50]);
    }

    async fn a_right_password_among_many_wrong_ones_at_once_gains_nothing(app) {
        let ana = app.person(Role::Worker).await;
        let tries = (0..40).map(|n| {
            let (client, name) = (app.anonymous(), ana.user_name.clone());
            async move { try_password(&client, &name, if n == 39 { PASSWORD } else { "otra" }).await.status }
        });
        let statuses = futures::future::join_all(tries).await;
        let count = |status| statuses.iter().filter(|s| **s == status).count();
        if count(200) == 0 {
            assert_eq!((count(422), count(429)), (5, 35), "{statuses:?}");
        } else {
            // It was judged while fewer than five wrong ones were: those are forgotten then.
            assert!(count(422) <= 9, "{statuses:?}");
        }
    }

    async fn log_in_fields_are_checked(app) {
        let client = app.anonymous();
        let missing = client.post("/api/v1/login", json!({"password": "x", "login": true})).await.problem(422, "INVALID_FIELDS");
        assert_eq!((&missing["errors"][0]["field"], &missing["errors"][0]["code"]), (&json!("userName"), &json!("REQUIRED")));
        client.post("/api/v1/login", json!({"userName": "a", "password": "x", "login": false})).await.problem(422, "INVALID_FIELDS");
        client.post("/api/v1/login", json!({"userName": "a", "password": "x", "login": {}})).await.problem(422, "INVALID_FIELDS");
        let long = "x".repeat(1001);
        client.post("/api/v1/login", json!({"userName": "a", "password": long, "login": true})).await.problem(422, "INVALID_FIELDS");
        client.post("/api/v1/prelogin", json!({"userName": 7})).await.problem(422, "INVALID_FIELDS");
    }

    // SESSION-2, SESSION-5
    async fn a_renewed_token_leaves_the_old_one_a_minute(app) {
        let worker = app.person(Role::Worker).await;
        let (old, body) = logged_in(app, &worker).await;
        app.advance(TimeDelta::seconds(3000));
        old.get("/api/v1/renewToken").await.problem(400, "RENEWAL_HEADER_REQUIRED");
        let answer = old.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await;
        let fresh = answer.ok();
        assert_eq!(fresh["exp"].as_i64(), Some(app.sources.now().timestamp() + 3600));
        assert_eq!(answer.cookies("atalaya_media").len(), 3, "the media cookie is renewed too");
        assert_ne!(fresh["token"], body["token"]);
        let claims = |token: &Value| app.identity.keys.decode(token.as_str().unwrap(), TokenKind::Session, app.sources.now()).unwrap();
        assert_eq!(claims(&fresh["token"]).sk, claims(&body["token"]).sk, "another tab's renewal breaks nothing");
        assert_ne!(claims(&fresh["token"]).jti, claims(&body["token"]).jti);

        let new = app.anonymous().with_token(fresh["token"].as_str().unwrap());
        app.advance(TimeDelta::seconds(59));
        assert_eq!((is_alive(&old, &worker).await, is_alive(&new, &worker).await), (200, 200));
        app.advance(TimeDelta::seconds(1));
        old.get(&format!("/api/v1/user/{}", worker.id)).await.problem(401, "SESSION_ENDED");
        assert_eq!(is_alive(&new, &worker).await, 200);
    }

    // SESSION-2
    async fn a_grace_never_outlives_the_token(app) {
        let worker = app.person(Role::Worker).await;
        let (old, _) = logged_in(app, &worker).await;
        app.advance(TimeDelta::seconds(3590));
        renewed(&old).await;
        app.advance(TimeDelta::seconds(10));
        old.get(&format!("/api/v1/user/{}", worker.id)).await.problem(401, "SESSION_EXPIRED");
    }

    // SESSION-1
    async fn a_session_lives_an_hour(app) {
        let worker = app.person(Role::Worker).await;
        let (client, _) = logged_in(app, &worker).await;
        app.advance(TimeDelta::seconds(3599));
        assert_eq!(is_alive(&client, &worker).await, 200);
        app.advance(TimeDelta::seconds(1));
        client.get(&format!("/api/v1/user/{}", worker.id)).await.problem(401, "SESSION_EXPIRED");
        client.clone().with("x-renew-token", "true").get("/api/v1/renewToken").await.problem(401, "SESSION_EXPIRED");
    }

    // SESSION-3, SESSION-5
    async fn logout_ends_the_session_and_its_renewals_at_once(app) {
        let worker = app.person(Role::Worker).await;
        let (old, _) = logged_in(app, &worker).await;
        let (elsewhere, _) = logged_in(app, &worker).await;
        let new = app.anonymous().with_token(renewed(&old).await);
        let answer = new.send(axum::http::Method::POST, "/api/v1/logout", None).await;
        answer.expect(204);
        let cleared = answer.cookies("atalaya_media");
        assert!(cleared.len() == 3 && cleared.iter().all(|line| line.contains("Max-Age=0")), "{cleared:?}");
        for dead in [&old, &new] {
            dead.get(&format!("/api/v1/user/{}", worker.id)).await.problem(401, "SESSION_ENDED");
        }
        assert_eq!(is_alive(&elsewhere, &worker).await, 200, "another log-in of the same person goes on");
        new.send(axum::http::Method::POST, "/api/v1/logout", None).await.problem(401, "SESSION_ENDED");
    }

    async fn a_deactivated_user_is_out_at_once(app) {
        let worker = app.person(Role::Worker).await;
        let (client, _) = logged_in(app, &worker).await;
        let tx = app.db.write().await.unwrap();
        atalaya_identity::sessions::end_all(&app.identity, &tx, worker.id).await.unwrap();
        tx.commit().await.unwrap();
        client.get(&format!("/api/v1/user/{}", worker.id)).await.problem(401, "SESSION_ENDED");
    }

    // SESSION-4
    async fn forged_tokens_are_refused(app) {
        let worker = app.person(Role::Worker).await;
        let (_, body) = logged_in(app, &worker).await;
        let good = body["token"].as_str().unwrap();
        let now = app.sources.now();
        let claims = app.identity.keys.decode(good, TokenKind::Session, now).unwrap();
        let parts: Vec<&str> = good.split('.').collect();
        let mut signature = parts[2].as_bytes().to_vec();
        signature[0] = if signature[0] == b'A' { b'B' } else { b'A' };
        let of_kind = |typ| app.identity.keys.encode(&SessionClaims { typ, ..claims.clone() });
        let path = format!("/api/v1/user/{}", worker.id);
        for (what, token) in [
            ("tampered", format!("{}.{}.{}", parts[0], parts[1], String::from_utf8(signature).unwrap())),
            ("alg none", format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{}.", parts[1])),
            ("other key", atalaya_identity::TokenKeys::new(b"other").encode(&claims)),
            ("media cookie's", of_kind(TokenKind::Media)),
            ("before the second factor", of_kind(TokenKind::Pending2fa)),
            ("two parts", format!("{}.{}", parts[0], parts[1])),
            ("empty", String::new()),
            ("garbage", "garbage".into()),
        ] {
            let answer = app.anonymous().with_token(token).get(&path).await;
            assert_eq!((answer.status, answer.json()["code"].as_str()), (401, Some("SESSION_INVALID")), "{what}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
        let gone = SessionClaims { jti: app.sources.id(), ..claims.clone() };
        app.anonymous().with_token(app.identity.keys.encode(&gone)).get(&path).await.problem(401, "SESSION_ENDED");
        let other = app.person(Role::Worker).await;
        let stolen = SessionClaims { sub: other.id, ..claims.clone() };
        app.anonymous().with_token(app.identity.keys.encode(&stolen)).get(&path).await.problem(401, "SESSION_ENDED");
        // The claims may say what they like: role and company come from the user's row.
        let raised = SessionClaims { role: Role::Admin, ..claims };
        let raised = app.anonymous().with_token(app.identity.keys.encode(&raised));
        raised.get(&format!("/api/v1/user/{}", other.id)).await.problem(404, "USER_NOT_FOUND");
        app.anonymous().get(&path).await.problem(401, "SESSION_REQUIRED");
    }

    // SESSION-6
    async fn verify_token_tells_kind_and_expiry_and_nothing_else(app) {
        let worker = app.person(Role::Worker).await;
        let (client, body) = logged_in(app, &worker).await;
        let verify = |token: Value| {
            let client = app.anonymous();
            async move { client.post("/api/v1/verify-token", json!({"activationToken": token})).await.ok() }
        };
        assert_eq!(verify(body["token"].clone()).await, json!({"valid": true, "kind": "session", "exp": body["exp"]}));
        assert_eq!(verify(json!("x.y.z")).await, json!({"valid": false}));
        client.send(axum::http::Method::POST, "/api/v1/logout", None).await.expect(204);
        assert_eq!(verify(body["token"].clone()).await, json!({"valid": false}));
    }

    async fn a_dead_token_does_not_spoil_public_calls(app) {
        let client = app.anonymous().with_token("garbage");
        client.get("/api/v1/available-languages").await.ok();
    }

    async fn the_sweep_keeps_what_lives(app) {
        let worker = app.person(Role::Worker).await;
        let (client, _) = logged_in(app, &worker).await;
        try_password(&app.anonymous(), &worker.user_name, "otra").await.problem(422, "LOGIN_INCORRECT");
        app.anonymous().post("/api/v1/prelogin", json!({"userName": worker.user_name})).await.ok();
        let sweep = || async { atalaya_identity::tasks::sweep(&app.identity).await.unwrap() };
        assert_eq!(sweep().await, 0);
        app.advance(TimeDelta::minutes(15));
        assert_eq!(sweep().await, 4, "one ticket, and the try by account, by address and by both");
        assert_eq!(is_alive(&client, &worker).await, 200);
        app.advance(TimeDelta::days(31));
        assert_eq!(sweep().await, 1, "the session");
    }
}
