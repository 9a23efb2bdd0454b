//! Inviting, the list, sending again, what readers of links see.

use super::*;
use atalaya_testkit::{Client, both_engines};

both_engines! {
    // INVITE-1
    async fn creators_are_held_to_the_specification_s_table(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let repairer = principal(app, CompanyKind::Repairer, "Reparador").await;
        let workshop = principal(app, CompanyKind::CarRepairShop, "Taller").await;
        let (admin, operator) = (app.person(Role::Admin).await, app.person(Role::PasswordOperator).await);
        let worker = app.person_in(customer.company, Role::Worker).await;
        for (creator, may) in [
            (&admin, &[2, 4, 6][..]),
            (&customer, &[3]),
            (&repairer, &[5]),
            (&workshop, &[7]),
            (&worker, &[]),
            (&operator, &[]),
        ] {
            let client = app.log_in(creator).await;
            for role in Role::ALL.map(i16::from) {
                let to = format!("r{role}-{}@ejemplo.es", app.next());
                let answer = client.post("/api/v1/activation", json!({"emailOPhone": to, "type": role})).await;
                if may.contains(&role) {
                    let invitation = answer.ok()["invitation"].clone();
                    assert_eq!((invitation["type"].as_i64(), invitation["emailOPhone"].as_str()), (Some(role.into()), Some(to.as_str())));
                    assert_eq!((invitation["state"].as_str(), &invitation["inviter"]["_id"]), (Some("sent"), &json!(creator.id)));
                } else if creator.role == Role::Admin && [3, 5, 7].contains(&role) {
                    assert_eq!(codes(&answer.problem(422, "INVALID_FIELDS")), ["customerId REQUIRED"]);
                } else {
                    answer.problem(403, "ROLE_NOT_ALLOWED");
                }
            }
        }
        let client = app.log_in(&admin).await;
        let ask = |role: i16, company: Value| client.post("/api/v1/activation", json!({"emailOPhone": "x@ejemplo.es", "type": role, "customerId": company}));
        let invited = ask(5, json!(repairer.company)).await.ok()["invitation"].clone();
        assert_eq!(invited["company"], json!({"_id": repairer.company, "company": "Reparador"}));
        assert_eq!(codes(&ask(3, json!(repairer.company)).await.problem(422, "INVALID_FIELDS")), ["customerId INVALID"]);
        ask(3, json!(app.sources.uuid())).await.problem(404, "COMPANY_NOT_FOUND");
        let other = app.log_in(&customer).await;
        let body = json!({"emailOPhone": "x@ejemplo.es", "type": 3, "customerId": repairer.company});
        other.post("/api/v1/activation", body).await.problem(404, "COMPANY_NOT_FOUND");
    }

    // INVITE-2, LINK-1
    async fn an_invitation_goes_by_email_or_by_sms(app) {
        let customer = principal(app, CompanyKind::Customer, "Peritos & Cía").await;
        let client = app.log_in(&customer).await;
        let ask = |to: &str| client.post("/api/v1/activation", json!({"emailOPhone": to, "type": 3}));
        ask(" Ana@Ejemplo.ES ").await.ok();
        let email = message_to(app, "ana@ejemplo.es").await;
        assert_eq!(email.subject.as_deref(), Some("Peritos & Cía le invita a Atalaya"));
        let (path, token) = link_of(&email);
        assert_eq!((path, token.len()), (format!("/user-activation/3/{}/{token}", customer.company), 32));
        assert!(email.text.contains("Nombre Apellido, de Peritos & Cía,") && email.text.contains("7 días"));

        ask("600 12 34 56").await.ok();
        let sms = message_to(app, "+34600123456").await;
        let (path, token) = link_of(&sms);
        assert_eq!((path, token.len()), (format!("/a/{token}"), 10));
        assert!(sms.text.starts_with("Peritos & Cía le invita"), "{}", sms.text);
        let english = app.log_in(&customer).await.with("accept-language", "en");
        english.post("/api/v1/activation", json!({"emailOPhone": "bob@ejemplo.es", "type": 3})).await.ok();
        assert_eq!(message_to(app, "bob@ejemplo.es").await.subject.as_deref(), Some("Peritos & Cía invites you to Atalaya"));

        for (to, code) in [("", "REQUIRED"), ("ana@", "EMAIL_INVALID"), ("ana", "EMAIL_INVALID"), ("12345", "PHONE_INVALID"),
            ("600123123600123123600", "PHONE_TOO_LONG"), ("a@b.es\r\nBcc: x@y.es", "EMAIL_INVALID")] {
            assert_eq!(codes(&ask(to).await.problem(422, "INVALID_FIELDS")), [format!("emailOPhone {code}")], "{to}");
        }
        let taken = app.person_in(customer.company, Role::Worker).await;
        ask(&taken.user_name.to_uppercase()).await.problem(409, "USER_NAME_TAKEN");
    }

    // INVITE-9
    async fn an_invitation_is_taken_back(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let client = app.log_in(&customer).await;
        let first = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        app.advance(TimeDelta::seconds(1));
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        let listed = client.get("/api/v1/invitations").await.ok()["invitations"][0].clone();
        let path = format!("/api/v1/invitation-revoke/{}", listed["_id"].as_str().unwrap());
        let stranger = app.log_in(&principal(app, CompanyKind::Customer, "Otro").await).await;
        stranger.post(&path, json!({})).await.problem(404, "INVITATION_NOT_FOUND");
        client.post(&path, json!({})).await.expect(204);
        client.post(&path, json!({})).await.problem(404, "INVITATION_NOT_FOUND");
        assert_eq!(client.get("/api/v1/invitations").await.ok()["total"], 0);
        let before = message_to(app, "ana@ejemplo.es").await.text;
        for token in [first, token] {
            let body = json!({"activationToken": token});
            app.anonymous().post("/api/v1/verify-token-activation", body.clone()).await.problem(422, "TOKEN_INVALID");
            // Whoever holds it cannot ask for another either.
            app.anonymous().post("/api/v1/activation-renew", body).await.expect(204);
        }
        assert_eq!(message_to(app, "ana@ejemplo.es").await.text, before);
    }

    // LINK-2, LINK-3, LINK-5, SESSION-6
    async fn readers_of_a_link_consume_nothing(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "+34600123456", Role::Worker, None).await;
        let anybody = app.anonymous();
        for _ in 0..3 {
            let answer = anybody.get(&format!("/a/{token}")).await;
            answer.expect(302);
            let page = format!("/user-activation/3/{}/{token}", customer.company);
            assert_eq!(answer.header("location"), Some(page.as_str()));
        }
        let listed = |client: Client| async move { client.get("/api/v1/invitations").await.ok()["invitations"][0].clone() };
        let owner = app.log_in(&customer).await;
        assert_eq!(listed(owner.clone()).await["state"], "sent", "a robot that follows the link opens nothing");
        let body = json!({"activationToken": token});
        for _ in 0..2 {
            let known = anybody.post("/api/v1/verify-token-activation", body.clone()).await.ok();
            assert_eq!(known, json!({"userParent": customer.company, "userId": null, "role": 3}));
            let address = anybody.post("/api/v1/activation-email-token", body.clone()).await.ok();
            assert_eq!(address, json!({"emailOPhone": "+34600123456"}));
        }
        assert_eq!(listed(owner.clone()).await["state"], "opened");
        let valid = anybody.post("/api/v1/verify-token", body.clone()).await.ok();
        let exp = (app.sources.now() + TimeDelta::days(7)).timestamp();
        assert_eq!(valid, json!({"valid": true, "kind": "activation", "exp": exp}), "nothing personal");

        for unknown in ["x", "0123456789", "..", "%2e%2e%2fapi", "javascript:alert(1)"] {
            let answer = anybody.get(&format!("/a/{unknown}")).await;
            if answer.status == 302 {
                assert_eq!(answer.header("location"), Some("/"), "{unknown}");
            }
        }
        assert_eq!(anybody.get("/a/0123456789").await.status, 302);
        for forged in ["", "x", "0123456789", owner.token.as_deref().unwrap()] {
            is_refused(app, forged, "TOKEN_INVALID").await;
        }
        app.advance(TimeDelta::days(7));
        is_refused(app, &token, "TOKEN_EXPIRED").await;
        assert_eq!(anybody.post("/api/v1/verify-token", body).await.ok(), json!({"valid": false}));
    }

    // INVITE-10
    async fn an_expired_invitation_is_sent_again_to_its_address_only(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "ana@ejemplo.es", Role::Worker, None).await;
        let renew = |token: &str| {
            let (client, body) = (app.anonymous(), json!({"activationToken": token}));
            async move { client.post("/api/v1/activation-renew", body).await }
        };
        renew(&token).await.expect(204);
        assert_eq!(messages_to(app, "ana@ejemplo.es").await, 1, "a living link is not renewed");
        renew("unknown").await.expect(204);
        app.advance(TimeDelta::days(8));
        renew(&token).await.expect(204);
        assert_eq!(messages_to(app, "ana@ejemplo.es").await, 2);
        let fresh = link_of(&message_to(app, "ana@ejemplo.es").await).1;
        assert_ne!(fresh, token);
        is_refused(app, &token, "TOKEN_EXPIRED").await;
        app.anonymous().post("/api/v1/user", user_body(customer.company, &fresh)).await.ok();
        renew(&token).await.expect(204);
        assert_eq!(messages_to(app, "ana@ejemplo.es").await, 2, "who has an account needs no invitation");
        for _ in 0..8 {
            renew("unknown").await.expect(204);
        }
        renew("unknown").await.problem(429, "TOO_MANY_REQUESTS");
    }

    // INVITE-3
    async fn a_company_invites_so_often(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let client = app.log_in(&customer).await;
        for n in 0..100 {
            let body = json!({"emailOPhone": format!("persona{n}@ejemplo.es"), "type": 3});
            client.post("/api/v1/activation", body).await.ok();
        }
        let body = json!({"emailOPhone": "una.mas@ejemplo.es", "type": 3});
        client.post("/api/v1/activation", body.clone()).await.problem(429, "TOO_MANY_REQUESTS");
        app.advance(TimeDelta::hours(1));
        app.log_in(&customer).await.post("/api/v1/activation", body).await.ok();
    }

    // INVITE-10
    async fn who_may_not_invite_any_more_renews_nothing(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let token = invite(app, &customer, "tarde@ejemplo.es", Role::Worker, None).await;
        app.advance(TimeDelta::days(8));
        let admin = app.as_role(Role::Admin).await;
        admin.put("/api/v1/user", json!({"user": {"_id": customer.id, "status": 1}})).await.ok();
        let before = messages_to(app, "tarde@ejemplo.es").await;
        app.anonymous().post("/api/v1/activation-renew", json!({"activationToken": token})).await.expect(204);
        assert_eq!(messages_to(app, "tarde@ejemplo.es").await, before);
    }

    async fn hostile_pages_are_refused(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let client = app.log_in(&customer).await;
        for cursor in ["18446744073709551615", "-1", "x"] {
            let problem = client.get(&format!("/api/v1/invitations?cursor={cursor}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], "cursor");
        }
        client.get(&format!("/api/v1/invitations?search={}%00", "a".repeat(60_000))).await.ok();
        app.anonymous().post("/api/v1/prelogin", json!({"userName": "a\u{0}"})).await.problem(422, "LOGIN_INCORRECT");
        for day in ["-9999-01-01", "+20000-01-01"] {
            let problem = client.get(&format!("/api/v1/audit?from={}", day.replace('+', "%2B"))).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], "from");
        }
    }

    // INVITE-9
    async fn the_inviter_lists_filters_and_sends_again(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let other = principal(app, CompanyKind::Customer, "Otro").await;
        let admin = app.person(Role::Admin).await;
        let used = invite(app, &customer, "usada@ejemplo.es", Role::Worker, None).await;
        app.anonymous().post("/api/v1/user", user_body(customer.company, &used)).await.ok();
        let old = invite(app, &customer, "vieja@ejemplo.es", Role::Worker, None).await;
        app.advance(TimeDelta::days(7));
        let opened = invite(app, &customer, "abierta@ejemplo.es", Role::Worker, None).await;
        app.anonymous().post("/api/v1/verify-token-activation", json!({"activationToken": opened})).await.ok();
        invite(app, &customer, "+34600123456", Role::Worker, None).await;
        invite(app, &customer, "fallida@ejemplo.es", Role::Worker, None).await;
        fail(app, "fallida@ejemplo.es").await;
        invite(app, &admin, "empresa@ejemplo.es", Role::Customer, None).await;
        invite(app, &other, "ajena@ejemplo.es", Role::Worker, None).await;

        let list = |person: &Person, query: &str| {
            let (person, path) = (person.clone(), format!("/api/v1/invitations{query}"));
            async move {
                let answer = app.log_in(&person).await.get(&path).await.ok();
                let rows = answer["invitations"].as_array().unwrap().iter();
                let states: Vec<String> = rows.map(|row| format!("{} {}", row["emailOPhone"].as_str().unwrap(), row["state"].as_str().unwrap())).collect();
                (states, answer)
            }
        };
        let (all, answer) = list(&customer, "").await;
        assert_eq!(all, ["fallida@ejemplo.es failed", "+34600123456 sent", "abierta@ejemplo.es opened", "vieja@ejemplo.es expired", "usada@ejemplo.es activated"]);
        assert_eq!((answer["total"].as_i64(), &answer["nextCursor"]), (Some(5), &Value::Null));
        let used_row = &answer["invitations"][4];
        assert_eq!(used_row["inviter"], json!({"_id": customer.id, "name": "Nombre Apellido"}));
        assert!(used_row["activatedAt"].is_string() && used_row["company"]["company"] == "Cliente");
        for (query, expected) in [
            ("?state=sent", &["+34600123456 sent"][..]),
            ("?state=opened", &["abierta@ejemplo.es opened"]),
            ("?state=failed", &["fallida@ejemplo.es failed"]),
            ("?state=expired", &["vieja@ejemplo.es expired"]),
            ("?state=activated&type=3", &["usada@ejemplo.es activated"]),
            ("?search=ABIERTA", &["abierta@ejemplo.es opened"]),
            ("?search=600%2012", &["+34600123456 sent"]),
            ("?search=%25", &[]),
            ("?search=_", &[]),
            ("?type=2", &[]),
        ] {
            assert_eq!(list(&customer, query).await.0, expected, "{query}");
        }
        let (first, answer) = list(&customer, "?limit=2").await;
        assert_eq!((first.len(), answer["nextCursor"].as_str()), (2, Some("2")));
        assert_eq!(list(&customer, "?limit=2&cursor=4").await.0, ["usada@ejemplo.es activated"]);
        assert_eq!(list(&other, &format!("?company={}", customer.company)).await.0, ["ajena@ejemplo.es sent"], "one's own company, whatever is asked");
        assert_eq!(list(&admin, "").await.1["total"], 7);
        assert_eq!(list(&admin, &format!("?company={}", other.company)).await.0, ["ajena@ejemplo.es sent"]);
        assert_eq!(list(&admin, "?type=2").await.0, ["empresa@ejemplo.es sent"]);
        let client = app.log_in(&customer).await;
        for bad in ["?state=x", "?type=99", "?cursor=x"] {
            client.get(&format!("/api/v1/invitations{bad}")).await.problem(422, "INVALID_FIELDS");
        }

        let rows = client.get("/api/v1/invitations").await.ok();
        let resend = |client: Client, nth: usize| {
            let path = format!("/api/v1/invitation-resend/{}", rows["invitations"][nth]["_id"].as_str().unwrap());
            async move { client.post(&path, json!({})).await }
        };
        resend(app.log_in(&other).await, 3).await.problem(404, "INVITATION_NOT_FOUND");
        let fresh = resend(client.clone(), 3).await.ok()["invitation"].clone();
        assert_eq!((fresh["emailOPhone"].as_str(), fresh["state"].as_str()), (Some("vieja@ejemplo.es"), Some("sent")));
        is_refused(app, &old, "TOKEN_EXPIRED").await;
        assert_eq!(list(&customer, "").await.1["total"], 5, "sent again, listed once");
        resend(client.clone(), 4).await.problem(422, "TOKEN_USED");
        resend(app.log_in(&admin).await, 0).await.ok();
    }
}
