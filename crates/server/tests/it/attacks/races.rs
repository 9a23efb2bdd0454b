//! Many at once after one thing: exactly one gets it.

use super::{all_at_once, at_once, one_wins};
use crate::client_files::Asked;
use crate::invitations::{MAILBOX, company_form, invite, link_of, message_to, principal, register, user_body};
use crate::invoices::{self, id, one_invoice};
use crate::marketing::{allow, count, own};
use crate::notifications::publish;
use crate::sepa::bank_files::{count_mails, ours, remitted, send};
use crate::sepa::{SECRET, signed};
use crate::support::{Case, png, text};
use atalaya_identity::companies::legal;
use atalaya_kernel::{CompanyKind, Language, Role};
use atalaya_outreach::marketing::{Permission, issue_token};
use atalaya_testkit::both_engines;
use axum::http::Method;
use futures::future::join_all;
use serde_json::json;

const TIMES: usize = 12;
const RETURN: &str = include_str!("../../../../../vectors/xml/camt054_v08_return_AM04.xml");

both_engines! {
    // CLIENT-11
    async fn a_dictated_code_opens_one_browser(app) {
        let case = Case::open(app).await;
        let code = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        let redeem = |n: u8| {
            let (client, body) = (app.anonymous().from([10, 2, n, 1]), json!({"code": code}));
            async move { client.post("/api/v1/external/code", body).await }
        };
        one_wins(&join_all((0..8).map(redeem)).await, 200, 422, "CODE_INVALID");
    }

    // CLIENT-40, CLIENT-43
    async fn of_many_devices_that_come_at_once_one_is_in_the_call(app) {
        let case = Case::open(app).await;
        let mut keys = Vec::new();
        for _ in 0..6 {
            keys.push(case.accept().await);
        }
        let joins = keys.iter().map(|key| case.client_with(key, "join", json!({"camera": true, "microphone": true})));
        let answers = join_all(joins).await;
        assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 202)), "{answers:?}");
        case.room_starts("RM_1").await;
        case.joins(&case.staff_identity(), "PA_staff").await;
        let identities: Vec<String> =
            answers.iter().filter_map(|answer| answer.json()["identity"].as_str().map(str::to_owned)).collect();
        for (nth, identity) in identities.iter().enumerate() {
            case.joins(identity, &format!("PA_{nth}")).await;
        }
        let shown = case.details().await["participants"].to_string();
        let inside = identities.iter().filter(|identity| shown.contains(identity.as_str())).count();
        assert_eq!(inside, 1, "of {}: {shown}", identities.len());
    }

    // CASE-15
    async fn a_conference_is_closed_once(app) {
        let case = Case::open(app).await;
        case.enters([]).await;
        let answers = at_once(TIMES, &case.staff, &format!("/api/v1/conference-close/{}", case.id), &json!({})).await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        let closed = case.tracks().await.iter().filter(|track| *track == "CONFERENCE_CLOSED").count();
        assert_eq!(closed, 1);
        crate::evidence::verified(app, &case).await.expect("the chain is whole");
    }

    // LINK-4
    async fn an_invitation_is_used_or_revoked(app) {
        let customer = principal(app, CompanyKind::Customer, "Cliente").await;
        let client = app.log_in(&customer).await;
        for nth in 0..6 {
            let token = invite(app, &customer, &format!("ana{nth}@ejemplo.es"), Role::Worker, None).await;
            let list = client.get("/api/v1/invitations").await.ok();
            let path = format!("/api/v1/invitation-revoke/{}", text(&list["invitations"][0]["_id"]));
            let stranger = app.anonymous();
            let used = stranger.post("/api/v1/user", user_body(customer.company, &token));
            let revoked = client.post(&path, json!({}));
            // In either order of arrival.
            let (used, revoked) = if nth % 2 == 0 {
                tokio::join!(used, revoked)
            } else {
                let (revoked, used) = tokio::join!(revoked, used);
                (used, revoked)
            };
            let won = (used.status == 200, revoked.status < 300);
            assert!(won.0 != won.1, "used {} {:?}, revoked {} {:?}", used.status, used.json(), revoked.status, revoked.json());
        }
    }

    // INVITE-7, LINK-4
    async fn a_company_is_activated_once(app) {
        let admin = app.person(Role::Admin).await;
        for (noun, call, role) in [
            ("customer", "activate-customer", Role::Customer),
            ("repairer", "activate-repairer", Role::Repairer),
            ("carReparation", "activate-car-reparation", Role::CarRepairShop),
        ] {
            let invitation = invite(app, &admin, &format!("{call}@ejemplo.es"), role, None).await;
            let made = register(app, noun, company_form(), &invitation).await.ok();
            let body = json!({"token": link_of(&message_to(app, MAILBOX).await).1});
            let path = format!("/api/v1/{call}/{}", text(&made[noun]["_id"]));
            let tries = (0..TIMES).map(|_| (Method::PUT, app.anonymous(), path.clone(), body.clone()));
            one_wins(&all_at_once(tries).await, 200, 422, "TOKEN_USED");
        }
        assert_eq!(count(app, "SELECT COUNT(*) FROM audit_entry WHERE action = 'COMPANY_ACTIVATED'").await, 3);
    }

    // USER-5, LINK-4
    async fn each_mailbox_confirms_a_log_in_name_once(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        let asked = json!({"user": {"_id": person.id, "email": "nueva@ejemplo.es"}});
        client.put("/api/v1/user", asked).await.ok();
        let mut tokens = Vec::new();
        for to in [person.user_name.as_str(), "nueva@ejemplo.es"] {
            tokens.push(link_of(&message_to(app, to).await).1);
        }
        let confirm = |nth: usize| {
            (Method::POST, app.anonymous(), "/api/v1/user-name-confirm".to_owned(), json!({"token": tokens[nth % 2]}))
        };
        let answers = all_at_once((0..TIMES).map(confirm)).await;
        let seen: Vec<_> = answers.iter().map(|one| (one.status, one.json()["code"].clone(), one.json()["done"].clone())).collect();
        let ended = seen.iter().filter(|(status, _, done)| *status == 200 && *done == json!(true)).count();
        let won = seen.iter().filter(|(status, ..)| *status == 200).count();
        let used = seen.iter().filter(|(status, code, _)| *status == 422 && *code == json!("TOKEN_USED")).count();
        assert_eq!((won, ended, used), (2, 1, TIMES - 2), "{seen:?}");
        assert_eq!(client.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"]["userName"], "nueva@ejemplo.es");
        assert_eq!(count(app, "SELECT COUNT(*) FROM audit_entry WHERE action = 'USER_NAME_CHANGED'").await, 1);
    }

    // PROMO-4, PROMO-5, PROMO-6
    async fn many_presses_of_one_unsubscription_leave_one_refusal_and_every_proof(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        allow(&client, "YES").await.ok();
        app.advance(chrono::TimeDelta::seconds(1));
        let link = issue_token(&app.outreach, &person.user_name, Permission::No, Language::Es).await.expect("it is written");
        let press = |nth: usize| {
            let (client, path) = (app.anonymous(), format!("/u/{link}"));
            let (page, body) = (app.anonymous().with_token(link.as_str()), json!({"email": person.user_name, "allow": "NO"}));
            tokio::spawn(async move {
                if nth.is_multiple_of(2) {
                    let form = Some("application/x-www-form-urlencoded");
                    client.send_body(Method::POST, &path, form, "List-Unsubscribe=One-Click").await
                } else {
                    page.post("/api/v1/marketing-response", body).await
                }
            })
        };
        let answers = join_all((0..TIMES).map(press).collect::<Vec<_>>()).await;
        let statuses: Vec<_> = answers.into_iter().map(|one| one.expect("an answer").status).collect();
        assert_eq!(statuses, [200; TIMES]);
        let now = own(&client).await;
        assert_eq!((&now["allow"], &now["suppressed"]), (&json!("NO"), &json!(true)));
        assert_eq!(count(app, "SELECT COUNT(*) FROM marketing_suppression").await, 1);
        assert_eq!(count(app, "SELECT COUNT(*) FROM marketing_answer").await, 13, "the switch of the profile, and each press");
    }

    // MAND-1, MAND-2
    async fn a_mandate_is_signed_once(app) {
        let (_, principal, _) = one_invoice(app).await;
        let client = app.log_in(&principal).await;
        let made = client.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok();
        let path = format!("/api/v1/mandate-sign/{}", text(&made["mandate"]["_id"]));
        one_wins(&at_once(TIMES, &client, &path, &json!({"accept": true})).await, 200, 409, "MANDATE_SIGNED");
    }

    // RECT-1, RECT-5
    async fn an_invoice_goes_back_to_zero_once(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-rectify/{}", id(&invoice));
        let answers = at_once(TIMES, &admin, &path, &json!({"reason": "Cliente equivocado", "kind": "to-zero"})).await;
        one_wins(&answers, 201, 409, "INVOICE_NOT_RECTIFIABLE");
        let numbers: Vec<_> = invoices::invoices(&admin, None).await.iter().map(|one| text(&one["number"])).collect();
        assert_eq!(numbers.iter().filter(|number| number.starts_with('R')).count(), 1, "{numbers:?}");
    }

    // RECT-7, INV-7
    async fn an_invoice_is_annulled_or_paid_and_once(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let cancel = format!("/api/v1/invoice-cancel/{}", id(&invoice));
        let paid = format!("/api/v1/invoice-paid/{}", id(&invoice));
        let both = (0..TIMES).map(|nth| {
            let (admin, cancel, paid) = (admin.clone(), cancel.clone(), paid.clone());
            tokio::spawn(async move {
                if nth % 2 == 0 { admin.post(&cancel, json!({})).await } else { admin.post(&paid, json!({"paidAt": "2026-11-02"})).await }
            })
        });
        let answers: Vec<_> = join_all(both.collect::<Vec<_>>()).await.into_iter().map(|one| one.expect("an answer")).collect();
        one_wins(&answers, 200, 409, "INVOICE_STATUS_REFUSED");
    }

    // REMIT-6, REMIT-9
    async fn a_remittance_is_cancelled_once(app) {
        let (admin, _) = remitted(app).await;
        let list = admin.get("/api/v1/remittances").await.ok();
        let path = format!("/api/v1/remittance-cancel/{}", text(&list["remittances"][0]["_id"]));
        one_wins(&at_once(TIMES, &admin, &path, &json!({"reason": "rechazado"})).await, 200, 409, "REMITTANCE_ENDED");
        app.advance(chrono::TimeDelta::seconds(1));
        let again = at_once(TIMES, &admin, "/api/v1/mail-xml-sepa", &json!({"secret": SECRET})).await;
        assert_eq!(again.iter().filter(|answer| answer.status == 200).count(), 1, "{again:?}");
    }

    // BANK-1, BANK-8
    async fn a_bank_file_counts_once_however_many_send_it(app) {
        let (admin, _) = remitted(app).await;
        let file = ours(RETURN);
        let answers = join_all((0..8).map(|_| send(&admin, file.as_bytes()))).await;
        let first = answers.iter().filter(|answer| answer.ok()["repeated"] == json!(false)).count();
        assert_eq!(first, 1);
        assert!(answers.iter().all(|answer| answer.json()["items"] == answers[0].json()["items"]), "all are told the same");
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
        assert_eq!(admin.get("/api/v1/sepa-files").await.ok()["total"], 1);
    }

    // BANK-10
    async fn a_debit_is_booked_by_hand_once(app) {
        let (_, principal, _) = one_invoice(app).await;
        signed(app, &principal).await;
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok();
        let remittance = text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["_id"]);
        let attempt = admin.get(&format!("/api/v1/remittance/{remittance}")).await.ok()["attempts"][0].clone();
        app.advance(chrono::TimeDelta::days(20));
        let admin = app.as_role(Role::Admin).await;
        let path = format!("/api/v1/remittance-attempt/{}", text(&attempt["_id"]));
        let answers = at_once(TIMES, &admin, &path, &json!({"outcome": "returned", "reason": "AM04", "at": "2026-11-16"})).await;
        one_wins(&answers, 200, 409, "DEBIT_NOT_OPEN");
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
    }

    // LEGAL-7, TERMS-5
    async fn terms_are_accepted_once(app) {
        let principal = app.person(Role::Customer).await;
        app.accept_terms(&principal).await;
        app.advance(chrono::TimeDelta::minutes(5));
        let admin = app.as_role(Role::Admin).await;
        let text = admin.post("/api/v1/legal", json!({"type": 1, "title": "Condiciones", "html": "<p>Nuevas.</p>", "language": "es"})).await;
        let text = text.expect(201)["legal"]["_id"].clone();
        let client = app.log_in(&principal).await;
        let answers = at_once(TIMES, &client, "/api/v1/legal-accept", &json!({"legalIds": [text]})).await;
        assert!(answers.iter().all(|answer| answer.status == 204), "{answers:?}");
        assert_eq!(legal::history(&app.identity, principal.company).await.unwrap().len(), 4, "two texts before and two now");
    }

    // NOTICE-9
    async fn a_general_notification_is_withdrawn_once(app) {
        let admin = app.as_role(Role::Admin).await;
        let made = publish(app, json!({})).await;
        let path = format!("/api/v1/notifications/general-withdraw/{}", text(&made["_id"]));
        one_wins(&at_once(TIMES, &admin, &path, &json!({})).await, 200, 409, "NOTIFICATION_OVER");
    }

    // FILES-15, FILES-19
    async fn a_file_that_is_completed_by_many_is_one_file(app) {
        let asked = Asked::new(app, json!({})).await;
        let picture = png();
        let begun = asked.begin(0, "foto.png", "image/png", picture.len(), "race").await;
        let address = begun.header("location").expect("an address").to_owned();
        let phone = asked.phone().with("upload-offset", "0");
        let one = |_| {
            let (phone, address, picture) = (phone.clone(), address.clone(), picture.clone());
            tokio::spawn(async move {
                phone.send_body(Method::PATCH, &address, Some("application/offset+octet-stream"), picture).await
            })
        };
        let answers: Vec<_> = join_all((0..TIMES).map(one).collect::<Vec<_>>()).await.into_iter().map(|one| one.expect("an answer")).collect();
        let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        assert!(statuses.iter().all(|status| matches!(status, 204 | 404 | 409 | 410 | 423 | 429)), "{statuses:?}");
        if !statuses.contains(&204) {
            // Each was overtaken by a later one; the file goes on where it stopped.
            let offset: usize = asked.head(&address).await.header("upload-offset").expect("an offset").parse().expect("a number");
            asked.patch(&address, offset, &picture[offset..]).await.expect(204);
        }
        assert_eq!(asked.page().await["items"][0]["files"], 1);
        assert_eq!(asked.case.tracks().await.iter().filter(|track| *track == "FILE_UPLOADED").count(), 1);
    }

    // FILES-12, NOTICE-15
    async fn a_request_is_finished_once(app) {
        let asked = Asked::new(app, json!({})).await;
        asked.upload(0, "foto.png", "image/png", &png()).await.expect(204);
        let before = asked.case.tracks().await.len();
        let answers = at_once(TIMES, &app.anonymous(), &asked.path("/finish"), &json!({})).await;
        assert!(answers.iter().all(|answer| answer.status == 204), "{answers:?}");
        assert_eq!(asked.page().await["state"], "finished");
        let events = asked.case.tracks().await.len() - before;
        assert!(events <= 1, "{events} events of one end");
    }
}
