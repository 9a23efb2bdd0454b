//! The same thing sent twice: the second time it is worth nothing.

use crate::client_files::Asked;
use crate::messaging::gateway::{Gateway, Say};
use crate::messaging::gateways::{dispatch, http_receipt, with_http};
use crate::passkeys::device::Says;
use crate::passkeys::{device_of, question};
use crate::second_factor::{code, enrol};
use crate::sepa::bank_files::{confirmation, count_mails, remitted, send};
use crate::support::{Case, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Engine, PASSWORD, both_engines};
use chrono::TimeDelta;
use serde_json::json;

both_engines! {
    // FACTOR-3
    async fn a_code_that_was_seen_opens_nothing_from_elsewhere_or_later(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let waiting = |n: u8| {
            let client = app.anonymous().from([203, 0, 113, n]);
            let body = json!({"userName": me.person.user_name, "password": PASSWORD, "login": true});
            async move {
                let token = text(&client.post("/api/v1/login", body).await.ok()["token"]);
                client.with_token(token)
            }
        };
        let give = |code: String| json!({"userId": me.person.id, "token": code});
        let typed = code(app, &me.secret, 0);
        waiting(1).await.post("/api/v1/verify2fa", give(typed.clone())).await.ok();
        for (n, later) in [(2, 0), (3, 20), (4, 20)] {
            app.advance(TimeDelta::seconds(later));
            waiting(n).await.post("/api/v1/verify2fa", give(typed.clone())).await.problem(422, "CODE_INVALID");
        }
        // Nor does it prove anything in the session that it opened.
        me.session.post("/api/v1/fresh-proof", json!({"code": typed})).await.expect(422);
    }

    // PASSKEY-2
    async fn an_assertion_that_was_seen_opens_nothing_and_proves_nothing(app) {
        let person = app.person(Role::Worker).await;
        let mut device = device_of(app, &person).await;
        let asked = question(app).await;
        let credential = device.prove(&Says::proving(&asked["publicKey"]));
        let body = json!({"ceremony": asked["ceremony"], "credential": credential});
        app.anonymous().post("/api/v1/passkey-login", body.clone()).await.ok();
        app.anonymous().from([203, 0, 113, 1]).post("/api/v1/passkey-login", body.clone()).await.problem(422, "PASSKEY_INVALID");
        // Under another question it is the answer to the first.
        let other = question(app).await;
        let moved = json!({"ceremony": other["ceremony"], "credential": body["credential"]});
        app.anonymous().post("/api/v1/passkey-login", moved).await.problem(422, "PASSKEY_INVALID");
        let session = app.log_in(&person).await;
        let proof = session.post("/api/v1/fresh-proof", body).await;
        assert!(matches!(proof.status, 403 | 422), "{}", proof.status);
    }

    // BANK-1
    async fn a_payment_file_pays_once_in_whatever_order_it_comes_again(app) {
        let (admin, invoice) = remitted(app).await;
        let file = confirmation();
        let first = send(&admin, file.as_bytes()).await.ok();
        assert_eq!(first["totals"]["confirmed"]["count"], 1);
        let mails = count_mails(&admin, "").await;
        for copy in [file.clone(), file.replace("BANK-Stmt", "BANK-2"), format!("{file}\n")] {
            let again = send(&admin, copy.as_bytes()).await.ok();
            let booked = again["repeated"] == json!(true) || again["totals"]["confirmed"]["count"] == json!(0);
            assert!(booked, "{again}");
        }
        assert_eq!(count_mails(&admin, "").await, mails);
        let list = crate::invoices::invoices(&admin, None).await;
        assert_eq!((list.len(), &list[0]["_id"], text(&list[0]["status"])), (1, &invoice["_id"], "paid".into()));
    }

    // FILES-15
    async fn a_part_at_an_old_offset_changes_nothing(app) {
        let asked = Asked::new(app, json!({})).await;
        let picture = png();
        let begun = asked.begin(0, "foto.png", "image/png", picture.len(), "replay").await;
        let address = begun.header("location").expect("an address").to_owned();
        let half = picture.len() / 2;
        asked.patch(&address, 0, &picture[..half]).await.expect(204);
        for (offset, bytes) in [(0, &picture[..half]), (0, &[0_u8; 8][..]), (half - 1, &picture[half - 1..]), (half + 1, &picture[half + 1..])] {
            let answer = asked.patch(&address, offset, bytes).await;
            assert_eq!(answer.status, 409, "at {offset}");
            let kept = asked.head(&address).await;
            assert_eq!(kept.header("upload-offset"), Some(half.to_string().as_str()), "after {offset}");
        }
        let last = asked.patch(&address, half, &picture[half..]).await;
        last.expect(204);
        let media = last.header("upload-media").expect("a media item").to_owned();
        // Complete, it takes nothing more, at no offset.
        for offset in [0, half, picture.len()] {
            let answer = asked.patch(&address, offset, &picture[offset.min(half)..]).await;
            assert!(matches!(answer.status, 204 | 404 | 409 | 410 | 413), "at {offset}: {}", answer.status);
            assert!(answer.status != 204 || answer.header("upload-media") == Some(media.as_str()));
        }
        let list = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"].clone();
        let kept = list.as_array().expect("a list").iter().find(|one| one["_id"] == json!(media)).expect("kept").clone();
        assert_eq!(kept["hash"], json!(crate::support::sha256(&picture)));
        assert_eq!(asked.page().await["items"][0]["files"], 1);
    }

    // SESSION-3
    async fn a_token_of_an_ended_log_in_is_worth_nothing_anywhere(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        client.post("/api/v1/logout", json!({})).await.expect(204);
        let address = app.listen().await;
        for path in ["/api/v1/me", "/api/v1/renewToken", "/api/v1/passkeys", "/api/v1/push-devices"] {
            client.clone().with("x-renew-token", "true").get(path).await.problem(401, "SESSION_ENDED");
        }
        let told = app.anonymous().post("/api/v1/verify-token", json!({"activationToken": client.token})).await.ok();
        assert_eq!(told, json!({"valid": false}));
        let refused = atalaya_testkit::SocketClient::connect(address, client.token.as_deref().expect("a token")).await;
        assert!(refused.is_err());
    }
}

// MSG-12
#[tokio::test]
async fn a_receipt_counts_once_however_often_and_at_once_it_comes() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let gateway = Gateway::start().await;
        gateway.says("/send", [Say::Json(200, json!({"message": {"id": "m-1"}}))]);
        let Some(app) = with_http(engine, &gateway).await else { continue };
        let case = Case::open(&app).await;
        dispatch(&app).await;
        let delivered = json!({"id": "m-1", "status": "delivered"});
        for _ in 0..2 {
            let statuses = futures::future::join_all((0..8).map(|_| http_receipt(&app, "h00k", 0, delivered.clone()))).await;
            assert_eq!(statuses, [204; 8]);
            dispatch(&app).await;
        }
        let tracks = case.tracks().await;
        assert_eq!(tracks.iter().filter(|track| *track == "SMS_DELIVERED").count(), 1, "{tracks:?}");
        assert_eq!(gateway.asked().len(), 1, "sent once");
    }
}
