//! What banks send back, once and twice, in any order, damaged, or meant for others.

use super::{SECRET, one_due, status};
use crate::invoices;
use crate::support::{multipart, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

const BATCH: &str = include_str!("../../../../../vectors/xml/camt053_v08_batch_and_return.xml");
const REFUND: &str = include_str!("../../../../../vectors/xml/camt054_v08_refund_MD06.xml");
pub(super) const RETURN: &str = include_str!("../../../../../vectors/xml/camt054_v08_return_AM04.xml");
const GROUP: &str = include_str!("../../../../../vectors/xml/pain002_v10_group_reject_FF01.xml");

pub async fn send(admin: &Client, bytes: &[u8]) -> Answer {
    let (kind, body) = multipart(None, "banco.xml", "application/xml", bytes);
    admin.send_body(Method::POST, "/api/v1/parse-sepa", Some(&kind), body).await
}

/// The samples are about a file of 5 November and the account of the issuer's bank; ours is another case.
pub fn ours(sample: &str) -> String {
    sample.replace("VP-20261105-0001", "VP-20261102-0001").replace("ES9121000418450200051332", "ES7921000813610123456789")
}

/// A remittance with one debit of 36.30 €.
pub async fn remitted(app: &TestApp) -> (Client, Value) {
    let (admin, _, invoice) = one_due(app).await;
    admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok();
    (admin, invoice)
}

pub async fn count_mails(admin: &Client, subject: &str) -> usize {
    let outbox = admin.get("/api/v1/outbox?channel=email&limit=200").await.ok();
    let all = outbox["outbox"].as_array().expect("a list");
    all.iter().filter(|one| one["subject"].as_str().is_some_and(|text| text.contains(subject))).count()
}

pub fn confirmation() -> String {
    // The batch of one debit, without the foreign return
    let batch = ours(BATCH);
    let (head, rest) = batch.split_once("<TxDtls>").expect("details");
    let (_, tail) = rest.split_once("</NtryDtls>").expect("the end of the details");
    let (tail, _) = tail.split_once("<Ntry>").expect("the second entry");
    let batch = format!("{head}</NtryDtls>{tail}</Stmt></BkToCstmrStmt></Document>");
    batch.replace("73.81", "36.30").replace("<NbOfTxs>2</NbOfTxs>", "<NbOfTxs>1</NbOfTxs>")
}

both_engines! {
    // BANK-1, BANK-6, BANK-8, REMIT-7
    async fn a_return_is_booked_once_told_and_tried_again(app) {
        let (admin, invoice) = remitted(app).await;
        let file = ours(RETURN);
        let answer = send(&admin, file.as_bytes()).await.ok();
        let item = &answer["items"][0];
        assert_eq!((text(&item["kind"]), text(&item["action"]), text(&item["reason"]["label"])), ("return".into(), "retry".into(), "Saldo insuficiente".into()));
        assert_eq!((text(&item["retryOn"]), answer["totals"]["charges"].clone()), ("2026-11-27".into(), json!({"count": 1, "amount": 3})));
        assert_eq!((answer["repeated"].clone(), text(&answer["message"]), answer["unmatched"].clone()), (json!(false), "camt.054".into(), json!([])));
        assert_eq!(status(&admin, &invoice).await, "returned");
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
        // The same bytes again, and the same news in another file: nothing more
        let again = send(&admin, file.as_bytes()).await.ok();
        assert_eq!((again["repeated"].clone(), &again["items"]), (json!(true), &answer["items"]));
        let other = send(&admin, file.replace("BANK-Ntfctn", "BANK-2").as_bytes()).await.ok();
        assert_eq!((text(&other["items"][0]["action"]), other["totals"]["returned"]["count"].clone()), ("known".into(), json!(0)));
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
        let stored = admin.get(&format!("/api/v1/sepa-file/{}", text(&answer["fileId"]))).await.ok();
        assert_eq!(stored["items"], answer["items"]);
        assert_eq!(admin.get("/api/v1/sepa-files").await.ok()["total"], 2);
        // Ten days later it is due again, under another reference; a second return makes it unpaid
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!(text(&due["excluded"][0]["reason"]), "RETRY_LATER");
        app.advance(TimeDelta::days(26));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok();
        let second = ours(RETURN).replace("A2026-000001", "A2026-000001-2").replace("2026-11-17", "2026-12-04");
        let answer = send(&admin, second.as_bytes()).await.ok();
        assert_eq!(text(&answer["items"][0]["action"]), "unpaid");
        assert_eq!(status(&admin, &invoice).await, "unpaid");
    }

    // BANK-3
    async fn only_a_statement_confirms_and_a_refund_takes_it_back(app) {
        let (admin, invoice) = remitted(app).await;
        let answer = send(&admin, confirmation().as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["action"]), answer["totals"]["confirmed"].clone()), ("paid".into(), json!({"count": 1, "amount": 36.3})));
        assert_eq!(status(&admin, &invoice).await, "paid");
        let all = invoices::invoices(&admin, None).await;
        assert_eq!(text(&all[0]["revocableUntil"]), "2027-01-07", "eight weeks");
        assert_eq!(text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["status"]), "settled");
        let answer = send(&admin, ours(REFUND).as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["kind"]), text(&answer["items"][0]["action"])), ("refund".into(), "returned".into()));
        assert_eq!(status(&admin, &invoice).await, "returned");
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!(text(&due["excluded"][0]["reason"]), "NO_RETRY_LEFT");
        app.advance(TimeDelta::days(80));
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap().1, 1);
        assert_eq!(status(&app.as_role(Role::Admin).await, &invoice).await, "unpaid");
    }

    // BANK-4
    async fn a_return_before_the_credit_stays_a_return(app) {
        let (admin, invoice) = remitted(app).await;
        send(&admin, ours(RETURN).as_bytes()).await.ok();
        let answer = send(&admin, confirmation().as_bytes()).await.ok();
        assert_eq!(text(&answer["items"][0]["action"]), "known");
        assert_eq!(status(&admin, &invoice).await, "returned");
    }

    // BANK-5
    async fn a_refused_file_leaves_invoices_as_they_were(app) {
        let (admin, invoice) = remitted(app).await;
        let answer = send(&admin, ours(GROUP).as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["kind"]), text(&answer["items"][0]["action"])), ("reject".into(), "back-to-sent".into()));
        assert_eq!(status(&admin, &invoice).await, "issued");
        assert_eq!((count_mails(&admin, "Recibo devuelto").await, count_mails(&admin, "Fichero del banco").await), (0, 1));
        assert_eq!(admin.get("/api/v1/remittance-due").await.ok()["nbOfTxs"], 1, "after the correction");
    }

    // BANK-5
    async fn reasons_touch_the_mandate(app) {
        let (admin, invoice) = remitted(app).await;
        let answer = send(&admin, ours(RETURN).replace("AM04", "AC04").as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["mandate"]), text(&answer["items"][0]["action"])), ("suspended".into(), "returned".into()));
        let mandate = admin.get("/api/v1/mandates?status=suspended").await.ok()["mandates"][0].clone();
        assert_eq!(text(&mandate["statusReason"]), "AC04");
        admin.post(&format!("/api/v1/mandate-resume/{}", text(&mandate["_id"])), json!({})).await.ok();
        assert_eq!(status(&admin, &invoice).await, "returned");
    }

    // BANK-2, BANK-9
    async fn foreign_and_damaged_files_change_nothing(app) {
        let (admin, invoice) = remitted(app).await;
        let code = |answer: Answer| {
            let problem = answer.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], "file");
            text(&problem["errors"][0]["code"])
        };
        let file = ours(RETURN);
        assert_eq!(code(send(&admin, RETURN.as_bytes()).await), "SEPA_OTHER_CREDITOR", "another account");
        assert_eq!(code(send(&admin, &file.as_bytes()[..file.len() / 2]).await), "SEPA_FILE_INVALID");
        assert_eq!(code(send(&admin, b"<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>").await), "SEPA_DTD_REFUSED");
        assert_eq!(code(send(&admin, b"51 Cuaderno 43").await), "SEPA_FORMAT_NOT_SUPPORTED");
        assert_eq!(code(send(&admin, b"").await), "FILE_EMPTY");
        send(&admin, &vec![b' '; 10 * 1024 * 1024 + 1]).await.problem(413, "FILE_TOO_LARGE");
        let why = async |file: String| text(&send(&admin, file.as_bytes()).await.ok()["unmatched"][0]["why"]);
        assert_eq!(why(file.replace("36.30", "36.32")).await, "AMOUNT_DIFFERS");
        assert_eq!(why(file.replace("A2026-000001", "A2026-000777")).await, "NOT_FOUND");
        assert_eq!(why(file.replacen("36.30", "30.00", 1)).await, "AMOUNTS_DO_NOT_ADD_UP");
        assert_eq!(status(&admin, &invoice).await, "in_remittance");
    }
}
