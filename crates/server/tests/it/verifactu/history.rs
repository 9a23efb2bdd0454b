//! What records say of those before them, against the office's own book.

use super::office::Whim;
use super::{invoiced, records, send, with_office};
use crate::support::text;
use atalaya_testkit::Client;
use chrono::TimeDelta;
use serde_json::{Value, json};

/// Every sequence of accepted and rejected of that length.
fn sequences(length: u32) -> Vec<Vec<Whim>> {
    let whim = |accepted: bool| if accepted { Whim::Accept } else { Whim::Reject };
    (0..1_u32 << length).map(|bits| (0..length).map(|turn| whim((bits >> turn) & 1 == 1)).collect()).collect()
}

fn number(nth: usize) -> String {
    format!("A2026-{:06}", nth + 1)
}

/// The last record of an invoice.
async fn last(admin: &Client, nth: usize) -> Value {
    records(admin, &format!("?search={}", number(nth))).await.remove(0)
}

// FACTU-1
#[tokio::test]
async fn every_history_of_three_answers_is_told_as_it_was() {
    with_office(async |app, office| {
        let all = sequences(3);
        office.set(|memory| {
            for (nth, sequence) in all.iter().enumerate() {
                // The annulment after them is rejected once.
                let script = [sequence.as_slice(), [Whim::Reject, Whim::Accept].as_slice()].concat();
                memory.scripts.insert(number(nth), script);
            }
        });
        let admin = invoiced(app, all.len()).await;
        assert_eq!(send(app).await, 1);
        let again = async |body: Value| {
            for nth in 0..all.len() {
                let id = text(&last(&admin, nth).await["_id"]);
                admin.post(&format!("/api/v1/verifactu-resend/{id}"), body.clone()).await.ok();
            }
            app.advance(TimeDelta::seconds(60));
            assert_eq!(send(app).await, 1);
        };
        for turn in 1..3 {
            again(json!({"recipientName": format!("Gabinete {turn}, S.L.")})).await;
            for (nth, sequence) in all.iter().enumerate() {
                let state = if sequence[turn] == Whim::Accept { "accepted" } else { "rejected" };
                assert_eq!(last(&admin, nth).await["state"], state, "{sequence:?} {turn}");
            }
        }
        for nth in 0..all.len() {
            let invoice = text(&last(&admin, nth).await["invoiceId"]);
            admin.post(&format!("/api/v1/invoice-cancel/{invoice}"), json!({"reason": "Emitida por error"})).await.ok();
        }
        app.advance(TimeDelta::seconds(60));
        assert_eq!(send(app).await, 1);
        again(json!({})).await;
        for nth in 0..all.len() {
            let record = last(&admin, nth).await;
            assert_eq!((&record["kind"], &record["state"]), (&json!("annulled"), &json!("accepted")));
        }

        assert_eq!(office.wrong(), Vec::<String>::new());
        let said = |element: &str, call: usize| office.calls()[call].matches(&format!("<sum1:{element}<")).count();
        // Of eight invoices four were rejected at first, two of these again; two were accepted, then rejected.
        let flags = |call| (said("Subsanacion>S", call), said("RechazoPrevio>X", call), said("RechazoPrevio>S", call));
        assert_eq!([0, 1, 2].map(flags), [(0, 0, 0), (8, 4, 0), (8, 2, 2)]);
        // One was never accepted, and the annulments of all were rejected.
        assert_eq!([3, 4].map(|call| (said("SinRegistroPrevio>S", call), said("RechazoPrevio>S", call))), [(1, 0), (1, 8)]);
        let check = admin.post("/api/v1/verifactu-check", json!({})).await.ok();
        assert_eq!((&check["ok"], &check["records"]), (&json!(true), &json!(40)));
    })
    .await;
}

// FACTU-1
#[tokio::test]
async fn what_another_environment_accepted_is_unknown_here() {
    with_office(async |app, office| {
        let admin = invoiced(app, 1).await;
        assert_eq!(send(app).await, 1);
        let record = last(&admin, 0).await;
        assert_eq!(record["state"], "accepted");
        let mut parts = (*app.billing).clone();
        parts.settings.verifactu.mode = atalaya_billing::verifactu::Mode::Production;
        let production = atalaya_billing::Billing::new(parts);
        let caller = super::caller(app).await;
        let id = text(&record["_id"]).parse().expect("an id");
        let corrected =
            atalaya_billing::verifactu::model::Corrected { recipient_name: Some("Gabinete, S.L.".into()), ..Default::default() };
        let made = atalaya_billing::verifactu::service::resend(&production, &caller, id, &corrected).await.expect("it is made");
        assert!(made.xml.contains("<sum1:RechazoPrevio>X<"), "{}", made.xml);
        assert_eq!(office.calls().len(), 1);
    })
    .await;
}
