//! The switch of one's own profile, and the suppression list.

use super::{allow, count, messages_to, own, read, respond, token_of, value};
use crate::marketing::links::leave;
use atalaya_kernel::Role;
use atalaya_outreach::marketing::TidyMarketing;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::json;

both_engines! {
    // PROMO-1
    async fn the_switch_of_the_profile_leaves_proof(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await.with("user-agent", "Firefox");
        let before = own(&client).await;
        assert_eq!((&before["allow"], &before["at"], &before["pending"]), (&json!("NO"), &json!(null), &json!(false)));
        assert_eq!(before["email"], json!(person.user_name));
        let after = allow(&client, "YES").await.ok();
        assert_eq!((&after["allow"], &after["source"]), (&json!("YES"), &json!("profile")));
        app.advance(TimeDelta::seconds(1));
        assert_eq!(allow(&client, false).await.ok()["allow"], "NO");
        app.advance(TimeDelta::seconds(1));
        assert_eq!(allow(&client, true).await.ok()["allow"], "YES", "whoever left here comes back here");
        assert_eq!(count(app, "SELECT COUNT(*) FROM marketing_answer").await, 3);
        let sql = "SELECT email || ' ' || allow || ' ' || ip || ' ' || user_agent || ' ' || text_version || ' ' || language || ' ' || source \
                   FROM marketing_answer ORDER BY at DESC LIMIT 1";
        assert_eq!(value(app, sql).await, format!("{} YES 192.0.2.1 Firefox 2026-11 es profile", person.user_name));
        allow(&client, "perhaps").await.problem(422, "INVALID_FIELDS");
        use sea_orm::ConnectionTrait;
        let changed = app.db.read().execute_unprepared("UPDATE marketing_answer SET allow = 'NO'").await;
        assert!(changed.is_err(), "a proof is never changed");
    }

    // PROMO-8
    async fn an_account_without_an_address_cannot_agree(app) {
        let company = app.company(atalaya_kernel::CompanyKind::Customer, "Peritos").await;
        let person = app.person_with(company, Role::Worker, |new| {
            new.email = None;
            new.user_name = "+34600111222".into();
        }).await;
        let client = app.log_in(&person).await;
        assert_eq!(own(&client).await["email"], json!(null));
        let problem = allow(&client, "YES").await.problem(422, "MARKETING_NO_EMAIL");
        assert_eq!(problem["errors"][0]["field"], "email");
    }

    // PROMO-2, PROMO-6, PROMO-10
    async fn whoever_left_by_a_link_confirms_from_the_mailbox(app) {
        let person = app.person(Role::Worker).await;
        let (client, email) = (app.log_in(&person).await, person.user_name.as_str());
        allow(&client, "YES").await.ok();
        leave(app, email).await;
        assert_eq!((own(&client).await["allow"].clone(), own(&client).await["suppressed"].clone()), (json!("NO"), json!(true)));
        app.advance(TimeDelta::minutes(1));
        let asked = allow(&client, "YES").await.ok();
        assert_eq!((&asked["allow"], &asked["pending"]), (&json!("NO"), &json!(true)));
        allow(&client, "YES").await.ok();
        let letters = messages_to(app, email).await;
        assert_eq!(letters.len(), 1, "one letter, however often it is pressed");
        assert_eq!((letters[0].purpose.as_str(), &letters[0].unsubscribe), ("marketing-confirm", &None));
        let token = token_of(letters[0].link.as_deref().unwrap());
        assert_eq!(read(app, &token).await.ok()["permission"], "YES");
        assert_eq!(own(&client).await["allow"], "NO", "reading the link says nothing");
        let done = respond(app, &token, email, "YES").await.ok();
        assert_eq!((&done["allow"], &done["redirectUrl"]), (&json!("YES"), &json!("https://atalaya.example")));
        let now = own(&client).await;
        assert_eq!((&now["allow"], &now["pending"], &now["suppressed"]), (&json!("YES"), &json!(false), &json!(false)));
    }

    // PROMO-7
    async fn the_administrator_s_list_wins(app) {
        let admin = app.as_role(Role::Admin).await;
        let person = app.person(Role::Worker).await;
        let (client, email) = (app.log_in(&person).await, person.user_name.as_str());
        allow(&client, "YES").await.ok();
        let enter = json!({"email": format!(" {} ", email.to_uppercase())});
        assert_eq!(admin.post("/api/v1/marketing-suppression", enter).await.ok()["email"], json!(email));
        assert_eq!(own(&client).await["allow"], "NO");
        allow(&client, "YES").await.problem(409, "MARKETING_SUPPRESSED");
        let list = admin.get(&format!("/api/v1/marketing-suppressions?search={}", &email[..4])).await.ok();
        assert_eq!((&list["total"], &list["suppressions"][0]["reason"]), (&json!(1), &json!("blocked")));
        admin.post("/api/v1/marketing-suppression", json!({"email": email, "suppressed": false})).await.ok();
        assert_eq!(own(&client).await["allow"], "YES");
        let wrong = admin.post("/api/v1/marketing-suppression", json!({"email": "nobody"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong["errors"][0]["field"], "email");
    }

    // PROMO-9
    async fn proofs_are_kept_for_three_years_after_they_ended(app) {
        let (stays, left) = (app.person(Role::Worker).await, app.person(Role::Worker).await);
        allow(&app.log_in(&stays).await, "YES").await.ok();
        allow(&app.log_in(&left).await, "YES").await.ok();
        app.advance(TimeDelta::days(300));
        leave(app, &left.user_name).await;
        app.advance(TimeDelta::days(3 * 365));
        TidyMarketing::tidy(&app.outreach).await.unwrap();
        assert_eq!(count(app, "SELECT COUNT(*) FROM marketing_answer").await, 3, "they ended less than three years ago");
        app.advance(TimeDelta::days(3));
        assert_eq!(TidyMarketing::tidy(&app.outreach).await.unwrap(), 2, "a yes that was taken back, and the no");
        assert_eq!(value(app, "SELECT email FROM marketing_answer").await, stays.user_name, "what is in force stays");
        assert_eq!(value(app, "SELECT email FROM marketing_suppression").await, left.user_name, "and so does the refusal");
        assert_eq!(count(app, "SELECT COUNT(*) FROM marketing_token").await, 0);
    }
}
