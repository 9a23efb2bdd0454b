//! What a company used in a month: from people in a call to amounts.

use crate::support::Case;
use atalaya_billing::consumption::{CompanyMonth, service};
use atalaya_kernel::{CompanyId, Role};
use atalaya_tariff::{Cents, Month, Nothing, Outcome, Statement};
use atalaya_testkit::{Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::json;

/// A worker of a new customer whose principal has accepted the terms.
async fn worker(app: &TestApp) -> Person {
    let worker = app.person(Role::Worker).await;
    let principal = app.person_in(worker.company, Role::Customer).await;
    app.accept_terms(&principal).await;
    worker
}

async fn month(app: &TestApp, company: CompanyId) -> CompanyMonth {
    let now = app.sources.now();
    service::month_of(&app.billing, company, Month::of(now), now).await.unwrap()
}

fn statement(month: &CompanyMonth) -> &Statement {
    match &month.outcome {
        Outcome::Invoice(statement) => statement,
        Outcome::None(why) => panic!("nothing to invoice: {why:?}"),
    }
}

/// A call of so many seconds in a new conference about a case.
pub async fn call<'a>(app: &'a TestApp, owner: &Person, expedient: &str, seconds: i64) -> Case<'a> {
    let case = Case::open_by(app, owner.clone(), json!({"expedientNumber": expedient})).await;
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_1").await;
    case.joins("client:00000001", "PA_2").await;
    app.advance(TimeDelta::seconds(seconds));
    case.leaves("client:00000001", "PA_2").await;
    case.leaves(&case.staff_identity(), "PA_1").await;
    case
}

both_engines! {
    // USAGE-1, USAGE-3
    async fn calls_become_connections_with_amounts(app) {
        let owner = worker(app).await;
        call(app, &owner, "EXP 77", 601).await;
        call(app, &owner, "exp77", 300).await;
        call(app, &owner, "EXP 78", 10).await;
        // Two guests: a colleague, and a second device of the client's side.
        let case = Case::open_by(app, owner.clone(), json!({"expedientNumber": "EXP 79"})).await;
        case.joins(&case.staff_identity(), "PA_1").await;
        case.joins("client:00000001", "PA_2").await;
        case.joins("client:00000002", "PA_3").await;
        app.advance(TimeDelta::seconds(90));
        case.leaves("client:00000002", "PA_3").await;
        case.joins(&format!("user:{}", app.sources.uuid()), "PA_4").await;
        app.advance(TimeDelta::seconds(30));

        let found = month(app, owner.company).await;
        let invoice = statement(&found);
        let rows: Vec<_> = found.connections.iter().map(|row| (row.expedient.as_str(), row.first, row.minutes, row.exceeded, row.guest_minutes, row.amount)).collect();
        assert_eq!(rows, [
            ("EXP 77", true, 11, 1, 0, Cents(635)),
            ("exp77", false, 5, 0, 0, Cents(300)),
            ("EXP 79", true, 2, 0, 3, Cents(660)),
        ], "ten seconds are not billed; the last call still runs");
        assert_eq!((invoice.connections, invoice.subtotal, invoice.base), (3, Cents(1595), Cents(3000)));
        assert_eq!(rows.iter().map(|row| row.5.0).sum::<i64>(), invoice.subtotal.0);
        assert_eq!(found.closing.as_ref().map(|table| table.table.min_payment), Some(Cents(3000)));

        let nobody = app.person(Role::Worker).await;
        call(app, &nobody, "EXP 1", 60).await;
        let found = month(app, nobody.company).await;
        assert_eq!(found.outcome, Outcome::None(Nothing::NothingToInvoice { connections: 0 }), "no table accepted, no price");
        let both = service::months_of(&app.billing, &[nobody.company, owner.company], Month::of(app.sources.now()), app.sources.now()).await.unwrap();
        assert_eq!(both.iter().map(|one| one.connections.len()).collect::<Vec<_>>(), [0, 3], "in the order asked for");
    }

    // CALL-14, USAGE-5
    async fn an_erased_conference_is_billed_as_it_was(app) {
        let owner = worker(app).await;
        let principal = app.person_in(owner.company, Role::Customer).await;
        let first = call(app, &owner, "EXP 77", 120).await;
        call(app, &owner, "Exp 77", 700).await;
        call(app, &owner, "EXP 78", 60).await;
        let before = month(app, owner.company).await;
        first.post("conference-close", json!({})).await.ok();
        let client = app.log_in(&principal).await;
        client.post(&format!("/api/v1/conference-erase/{}", first.id), json!({"reason": "Lo pide el asegurado"})).await.ok();
        let after = month(app, owner.company).await;
        assert_eq!(after.outcome, before.outcome, "the same connections of the same cases");
        assert_eq!(after.connections[0].expedient, "Eliminado");
        assert_eq!(after.connections.iter().map(|row| row.first).collect::<Vec<_>>(), [true, false, true]);
    }
}
