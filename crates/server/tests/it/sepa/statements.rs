//! Statements of banks: what comes back after it was paid, several accounts, entries of every kind, and transfers that quote an
//! invoice.

use super::bank_files::{confirmation, count_mails, ours, remitted, send};
use super::status;
use crate::invoices::{self, one_invoice};
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

const REJECT: &str = include_str!("../../../../../vectors/xml/pain002_v10_tx_reject_AC04.xml");
const GROUP: &str = include_str!("../../../../../vectors/xml/pain002_v10_group_reject_FF01.xml");
/// The issuer's.
const OWN: &str = "ES7921000813610123456789";
const OTHER: &str = "ES9121000418450200051332";

/// A pain.002 that rejects the debit of the only invoice.
fn rejected(code: &str) -> String {
    ours(REJECT)
        .replace("AC04", code)
        .replace("A2026-000002", "A2026-000001")
        .replace("VP-000023-01", "VP-000001-01")
        .replace("37.51", "36.30")
}

/// A statement of these accounts, each with its entries.
fn statement(id: &str, accounts: &[(&str, &str)]) -> String {
    let parts: String = accounts
        .iter()
        .map(|(account, entries)| format!("<Stmt><Id>S</Id><Acct><Id><IBAN>{account}</IBAN></Id></Acct>{entries}</Stmt>"))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\">\
         <BkToCstmrStmt><GrpHdr><MsgId>{id}</MsgId><CreDtTm>2026-11-02T06:00:00</CreDtTm></GrpHdr>{parts}</BkToCstmrStmt></Document>"
    )
}

/// A booked entry; `details` go after its bank code.
fn entry(amount: &str, sign: &str, family: &str, details: &str) -> String {
    format!(
        "<Ntry><Amt Ccy=\"EUR\">{amount}</Amt><CdtDbtInd>{sign}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
         <BookgDt><Dt>2026-11-02</Dt></BookgDt><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>{family}</Cd></Fmly></Domn></BkTxCd>{details}</Ntry>"
    )
}

/// A transfer of somebody who writes this along with it.
fn transfer(reference: &str, amount: &str, words: &str) -> String {
    let details = format!(
        "<AcctSvcrRef>{reference}</AcctSvcrRef><NtryDtls><TxDtls><Amt Ccy=\"EUR\">{amount}</Amt><RltdPties><Dbtr><Pty>\
         <Nm>PERITACIONES LEVANTE SL</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>{words}</Ustrd></RmtInf></TxDtls></NtryDtls>"
    );
    entry(amount, "CRDT", "RCDT", &details)
}

async fn read(admin: &Client, file: &str) -> Value {
    send(admin, file.as_bytes()).await.ok()
}

async fn decide(admin: &Client, proposal: &Value, accept: bool) -> Answer {
    admin.post(&format!("/api/v1/payment-proposal/{}", text(&proposal["_id"])), json!({"accept": accept})).await
}

both_engines! {
    // BANK-15
    async fn a_rejection_of_a_paid_debit_takes_it_back(app) {
        let (admin, invoice) = remitted(app).await;
        read(&admin, &confirmation()).await;
        assert_eq!(status(&admin, &invoice).await, "paid");
        let file = rejected("MS03");
        let answer = read(&admin, &file).await;
        assert_eq!(answer["unmatched"], json!([]), "{answer}");
        let item = &answer["items"][0];
        assert_eq!((text(&item["kind"]), text(&item["action"])), ("return".into(), "retry".into()));
        assert_eq!(status(&admin, &invoice).await, "returned");
        let seen = invoices::invoices(&admin, None).await.remove(0);
        assert_eq!((&seen["paidAt"], &seen["revocableUntil"]), (&Value::Null, &Value::Null));
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
        // The same news in another file, and the credit once more: nothing happens twice
        let again = read(&admin, &file.replace("<MsgId>", "<MsgId>2-")).await;
        assert_eq!((text(&again["items"][0]["action"]), again["unmatched"].clone()), ("known".into(), json!([])));
        let credit = read(&admin, &confirmation().replace("BANK-Stmt", "BANK-2")).await;
        assert_eq!(text(&credit["items"][0]["action"]), "known");
        assert_eq!((status(&admin, &invoice).await, count_mails(&admin, "Recibo devuelto").await), ("returned".into(), 1));
    }

    // BANK-15
    async fn a_refund_and_a_refused_file_after_payment_come_back_too(app) {
        let (admin, invoice) = remitted(app).await;
        read(&admin, &confirmation()).await;
        let answer = read(&admin, &rejected("MD06")).await;
        assert_eq!((text(&answer["items"][0]["kind"]), status(&admin, &invoice).await), ("refund".into(), "returned".into()));
        // Everything of a file that was paid before: its invoices are owed again, not as if they had never been sent
        let (admin, invoice) = remitted_anew(app).await;
        let answer = read(&admin, &GROUP.replace("VP-20261105-0001", "VP-20261102-0002")).await;
        assert_eq!((text(&answer["items"][0]["kind"]), text(&answer["items"][0]["action"])), ("return".into(), "correct".into()), "{answer}");
        assert_eq!(status(&admin, &invoice).await, "returned");
    }

    // BANK-10, BANK-15
    async fn a_paid_debit_comes_back_by_hand(app) {
        let (admin, invoice) = remitted(app).await;
        let id = text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["_id"]);
        let attempt = admin.get(&format!("/api/v1/remittance/{id}")).await.ok()["attempts"][0].clone();
        let path = format!("/api/v1/remittance-attempt/{}", text(&attempt["_id"]));
        app.advance(TimeDelta::days(20));
        let admin2 = app.as_role(Role::Admin).await;
        drop(admin);
        admin2.post(&path, json!({"outcome": "paid", "at": "2026-11-09"})).await.ok();
        for (body, field, code) in [
            (json!({"outcome": "returned", "at": "2026-11-12"}), "reason", "REQUIRED"),
            (json!({"outcome": "returned", "reason": "AM04", "at": "2026-11-08"}), "at", "DATE_BEFORE_DEBIT"),
            (json!({"outcome": "returned", "reason": "AM04", "at": "2026-11-23"}), "at", "DATE_IN_FUTURE"),
        ] {
            let problem = admin2.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!((text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"])), (field.into(), code.into()));
        }
        let back = admin2.post(&path, json!({"outcome": "returned", "reason": "MD06", "at": "2026-11-16"})).await.ok();
        assert_eq!((text(&back["attempt"]["status"]), text(&back["action"])), ("returned".into(), "returned".into()));
        assert_eq!(status(&admin2, &invoice).await, "returned");
        assert_eq!(count_mails(&admin2, "Recibo devuelto").await, 1);
        admin2.post(&path, json!({"outcome": "returned", "reason": "MD06", "at": "2026-11-16"})).await.problem(409, "DEBIT_NOT_OPEN");
    }

    // BANK-9
    async fn statements_of_other_accounts_are_left_aside(app) {
        let (admin, invoice) = remitted(app).await;
        let batch = "<NtryDtls><Btch><PmtInfId>VP-20261102-0001-RCUR</PmtInfId><NbOfTxs>1</NbOfTxs></Btch></NtryDtls>";
        let credit = entry("36.30", "CRDT", "IDDT", batch);
        let foreign = statement("A", &[(OTHER, &credit)]);
        let problem = send(&admin, foreign.as_bytes()).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["code"], "SEPA_OTHER_CREDITOR", "nothing of it is ours");
        assert_eq!(status(&admin, &invoice).await, "in_remittance");
        // The other account's credit of our block is not ours either
        let answer = read(&admin, &statement("B", &[(OTHER, &credit), (OWN, &transfer("T1", "5.00", "hola"))])).await;
        assert_eq!((&answer["items"], &answer["otherAccounts"]), (&json!([]), &json!(["ES91 … 1332"])), "{answer}");
        assert_eq!(answer["unmatched"].as_array().map(Vec::len), Some(1));
        assert_eq!(status(&admin, &invoice).await, "in_remittance");
        let answer = read(&admin, &statement("C", &[(OTHER, &transfer("T2", "5.00", "hola")), (OWN, &credit)])).await;
        assert_eq!((text(&answer["items"][0]["action"]), answer["unmatched"].clone()), ("paid".into(), json!([])));
        assert_eq!(status(&admin, &invoice).await, "paid");
        // The number inside the IBAN is the account too
        let named = statement("D", &[(OWN, "")]).replace(&format!("<IBAN>{OWN}</IBAN>"), &format!("<Othr><Id>{}</Id></Othr>", &OWN[4..]));
        assert_eq!(read(&admin, &named).await["otherAccounts"], json!([]));
    }

    // BANK-2, BANK-16
    async fn every_booked_entry_is_answered(app) {
        let (admin, invoice) = remitted(app).await;
        let other = "<NtryDtls><TxDtls><Refs><EndToEndId>LUZ-1</EndToEndId><MndtId>LUZ</MndtId></Refs><Amt Ccy=\"EUR\">80.00</Amt><RltdPties>\
             <Cdtr><Id><PrvtId><Othr><Id>ES19003B11541109</Id></Othr></PrvtId></Id></Cdtr></RltdPties><RtrInf><Rsn><Cd>AM04</Cd></Rsn></RtrInf></TxDtls></NtryDtls>";
        let entries = [
            entry("12.00", "CRDT", "RCDT", "<AddtlNtryInf>ABONO</AddtlNtryInf>"),
            entry("3.50", "DBIT", "OTHR", "<AddtlNtryInf>COMISION</AddtlNtryInf>"),
            entry("20.00", "DBIT", "ICDT", "<NtryDtls></NtryDtls>"),
            entry("9.00", "CRDT", "RCDT", "").replace("EUR", "USD"),
            entry("80.00", "DBIT", "RDDT", other),
            entry("7.00", "CRDT", "RCDT", "").replace("BOOK", "PDNG"),
        ]
        .concat();
        let answer = read(&admin, &statement("A", &[(OWN, &entries)])).await;
        let all = answer["unmatched"].as_array().expect("a list");
        let lines: Vec<(String, String, f64)> =
            all.iter().map(|one| (text(&one["kind"]), text(&one["why"]), one["amount"].as_f64().expect("euros"))).collect();
        let line = |kind: &str, why: &str, amount: f64| (kind.to_owned(), why.to_owned(), amount);
        assert_eq!(lines, [
            line("incoming", "NO_INVOICE", 12.0),
            line("outgoing", "NOT_OURS", 3.5),
            line("outgoing", "NOT_OURS", 20.0),
            line("incoming", "NO_INVOICE", 0.0),
            line("return", "OTHER_CREDITOR", 80.0),
        ]);
        assert_eq!((text(&all[0]["text"]), text(&all[0]["bookingDate"])), ("ABONO".into(), "2026-11-02".into()));
        assert_eq!((answer["totals"]["unmatched"]["count"].clone(), status(&admin, &invoice).await), (json!(5), "in_remittance".into()));
    }

    // BANK-14
    async fn a_transfer_that_quotes_an_invoice_is_proposed_and_a_person_confirms(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let file = statement("A", &[(OWN, &transfer("T1", "36.30", "Pago fra a2026/1 octubre"))]);
        let answer = read(&admin, &file).await;
        let proposal = answer["proposals"][0].clone();
        assert_eq!((&answer["unmatched"], &answer["totals"]["proposed"]), (&json!([]), &json!({"count": 1, "amount": 36.3})), "{answer}");
        assert_eq!((text(&proposal["invoice"]), text(&proposal["status"]), text(&proposal["payer"])), ("A2026-000001".into(), "open".into(), "PERITACIONES LEVANTE SL".into()));
        assert_eq!((text(&proposal["company"]), text(&proposal["bookingDate"])), ("Peritaciones Levante, S.L.".into(), "2026-11-02".into()));
        assert_eq!(status(&admin, &invoice).await, "issued", "nothing is paid before somebody says so");
        // In a second file it is the same proposal
        let again = read(&admin, &file.replace("<MsgId>A", "<MsgId>B")).await;
        assert_eq!((&again["proposals"][0]["_id"], &again["totals"]["proposed"]["count"]), (&proposal["_id"], &json!(0)));
        app.log_in(&principal).await.post(&format!("/api/v1/payment-proposal/{}", text(&proposal["_id"])), json!({"accept": true})).await.problem(403, "ROLE_NOT_ALLOWED");
        let decided = decide(&admin, &proposal, true).await.ok();
        assert_eq!(text(&decided["proposal"]["status"]), "accepted");
        let paid = invoices::invoices(&admin, None).await.remove(0);
        assert_eq!((text(&paid["status"]), text(&paid["paidBy"]), text(&paid["paidAt"])), ("paid".into(), "transfer".into(), "2026-11-01T23:00:00Z".into()));
        decide(&admin, &proposal, false).await.problem(409, "PROPOSAL_DECIDED");
        let seen = admin.get(&format!("/api/v1/sepa-file/{}", text(&answer["fileId"]))).await.ok();
        assert_eq!(text(&seen["proposals"][0]["status"]), "accepted", "as it stands now");
        // Another transfer for what is paid
        let second = read(&admin, &statement("C", &[(OWN, &transfer("T2", "36.30", "A2026-000001"))])).await;
        assert_eq!((&second["proposals"], text(&second["unmatched"][0]["why"])), (&json!([]), "INVOICE_NOT_OPEN".into()));
    }

    // BANK-14
    async fn of_many_who_decide_at_once_one_does(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let file = statement("A", &[(OWN, &transfer("T1", "36.30", "Pago fra a2026/1 octubre"))]);
        let proposal = read(&admin, &file).await["proposals"][0].clone();
        let answers = futures::future::join_all((0..10).map(|nth| decide(&admin, &proposal, nth % 2 == 0))).await;
        let won: Vec<_> = answers.iter().filter(|answer| answer.status == 200).map(Answer::json).collect();
        let lost = answers.iter().filter(|answer| answer.status == 409 && answer.json()["code"] == "PROPOSAL_DECIDED").count();
        assert_eq!((won.len(), lost), (1, 9), "{answers:?}");
        let expected = if won[0]["proposal"]["status"] == "accepted" { "paid" } else { "issued" };
        assert_eq!(status(&admin, &invoice).await, expected);
    }

    // BANK-14
    async fn what_does_not_fit_is_not_proposed(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let why = async |file: &str, transfer: String| text(&read(&admin, &statement(file, &[(OWN, &transfer)])).await["unmatched"][0]["why"]);
        assert_eq!(why("A", transfer("T1", "36.29", "A2026-000001")).await, "AMOUNT_DIFFERS");
        assert_eq!(why("B", transfer("T2", "36.30", "A2026-000001").replace("EUR", "USD")).await, "AMOUNT_DIFFERS");
        assert_eq!(why("C", transfer("T3", "36.30", "A2026-000777")).await, "NO_INVOICE");
        assert_eq!(why("D", transfer("T4", "36.30", "A2026-000001").replacen("36.30", "30.00", 1)).await, "AMOUNTS_DO_NOT_ADD_UP");
        // Money that the bank does not number, twice in one file: a person looks which it is
        let bare = transfer("T9", "36.30", "A2026-000001").replace("<AcctSvcrRef>T9</AcctSvcrRef>", "");
        let twice = read(&admin, &statement("Z", &[(OWN, &[bare.clone(), bare].concat())])).await;
        let counts = (twice["proposals"].as_array().map(Vec::len), text(&twice["unmatched"][0]["why"]));
        assert_eq!(counts, (Some(1), "AMBIGUOUS".into()), "{twice}");
        // A part of it was taken off: what is left open counts
        let less = json!({"reason": "Ajuste", "kind": "differences", "amount": -5.0});
        admin.post(&format!("/api/v1/invoice-rectify/{}", text(&invoice["_id"])), less.clone()).await.expect(201);
        let answer = read(&admin, &statement("E", &[(OWN, &transfer("T5", "30.25", "A2026-000001 R2026-000001"))])).await;
        let proposal = answer["proposals"][0].clone();
        assert_eq!(proposal["amount"], 30.25, "{answer}");
        admin.post(&format!("/api/v1/invoice-rectify/{}", text(&invoice["_id"])), less).await.expect(201);
        decide(&admin, &proposal, true).await.problem(409, "PROPOSAL_OUTDATED");
        assert_eq!(text(&decide(&admin, &proposal, false).await.ok()["proposal"]["status"]), "dismissed");
        assert_eq!(status(&admin, &invoice).await, "issued");
    }

    // BANK-14
    async fn a_transfer_under_a_debit_s_name_confirms_no_debit(app) {
        let (admin, invoice) = remitted(app).await;
        let named = transfer("T1", "36.30", "octubre").replace("<NtryDtls><TxDtls>", "<NtryDtls><TxDtls><Refs><EndToEndId>A2026-000001</EndToEndId></Refs>");
        let answer = read(&admin, &statement("A", &[(OWN, &named)])).await;
        assert_eq!((&answer["items"], text(&answer["unmatched"][0]["why"])), (&json!([]), "INVOICE_NOT_OPEN".into()), "{answer}");
        assert_eq!(status(&admin, &invoice).await, "in_remittance");
    }
}

/// The returned invoice in a second remittance, which was paid.
async fn remitted_anew(app: &atalaya_testkit::TestApp) -> (Client, Value) {
    use sea_orm::ConnectionTrait;
    // As if it had never come back: a second file under another name
    for statement in [
        "UPDATE debit_attempt SET state = 'cancelled'",
        "UPDATE invoice SET status = 'issued', returned_at = NULL, return_code = NULL",
        "UPDATE mandate SET status = 'active'",
    ] {
        app.db.read().execute_unprepared(statement).await.expect(statement);
    }
    app.advance(TimeDelta::seconds(1));
    let admin = app.as_role(Role::Admin).await;
    admin.post("/api/v1/mail-xml-sepa", json!({"secret": super::SECRET})).await.ok();
    let credit = confirmation().replace("VP-20261102-0001", "VP-20261102-0002").replace("BANK-Stmt", "BANK-3");
    assert_eq!(text(&read(&admin, &credit).await["items"][0]["action"]), "paid");
    let invoice = invoices::invoices(&admin, None).await.remove(0);
    (admin, invoice)
}
