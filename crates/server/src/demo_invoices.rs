//! Invoices of the demo data: calls of the last months and what was issued for them.

use crate::app::App;
use anyhow::Result;
use atalaya_assistance::demo::{PastCall, seed_call};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::form::{BankAccount, Checked, Field};
use atalaya_identity::companies::privileged::Privileged;
use atalaya_identity::companies::service::{Change, update_company};
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::caller::Caller;
use chrono::TimeDelta;

/// Calls of each month, the oldest first.
const CALLS: [i64; 6] = [9, 12, 10, 14, 17, 15];
/// Seconds of calls, in turns.
const SECONDS: [i64; 7] = [340, 610, 95, 480, 1290, 260, 720];
/// Calls of the running month.
const RUNNING: i64 = 6;

/// The platform becomes an issuer; the customer called, was invoiced and paid, or not.
pub(crate) async fn seed(app: &App, admin: &Caller, origin: &Origin, customer: CompanyId, workers: &[UserId]) -> Result<()> {
    issuer(app, admin, origin).await?;
    let now = app.billing.sources.now();
    let mut expedient = 26_100;
    for (month, calls) in atalaya_billing::demo::months(now).into_iter().zip(CALLS) {
        for nth in 0..calls {
            // Every third is another call about the case before.
            expedient += i64::from(nth % 3 != 2);
            let at = month.start() + TimeDelta::hours(9) + TimeDelta::minutes(nth * 28 * 24 * 60 / calls + nth * 11);
            call(app, customer, workers, (nth, at, expedient)).await?;
        }
    }
    for nth in 1..=RUNNING {
        let at = now - TimeDelta::hours(nth * 19 + 2);
        if at >= atalaya_billing::demo::running(now).start() {
            expedient += 1;
            call(app, customer, workers, (nth, at, expedient)).await?;
        }
    }
    let seeded = atalaya_billing::demo::seed(&app.billing, admin, origin, customer).await;
    seeded.map_err(|error| plain(&error.into()))
}

fn plain(problem: &atalaya_rest::Problem) -> anyhow::Error {
    anyhow::anyhow!("{problem}: {}", problem.cause().unwrap_or_default())
}

async fn call(
    app: &App,
    customer: CompanyId,
    workers: &[UserId],
    (nth, at, expedient): (i64, chrono::DateTime<chrono::Utc>, i64),
) -> Result<()> {
    let turn = usize::try_from(nth).unwrap_or_default();
    let Some(worker) = workers.get(turn % workers.len().max(1)) else { return Ok(()) };
    let seconds = SECONDS[turn % SECONDS.len()];
    let call = PastCall { at, seconds, expedient: format!("SIN-{expedient}"), guest: nth % 5 == 4 };
    Ok(seed_call(&app.assistance, customer, *worker, &call).await?)
}

/// The platform company with everything that an invoice needs of it.
async fn issuer(app: &App, admin: &Caller, origin: &Origin) -> Result<()> {
    let text = |field, text: &str| (field, Some(text.to_owned()));
    let texts = vec![
        text(Field::Company, "Atalaya Videoasistencia, S.L."),
        text(Field::Cif, "B85626240"),
        text(Field::Address, "Calle de Alcalá, 48"),
        text(Field::City, "Madrid"),
        text(Field::Region, "Madrid"),
        text(Field::PostalCode, "28014"),
        text(Field::Email, "facturacion@demo.atalaya.example"),
    ];
    let iban = atalaya_checks::iban::Iban::parse("ES7921000813610123456789").map_err(|e| anyhow::anyhow!("{e:?}"))?;
    let change = Change {
        checked: Checked { texts, bank_account: BankAccount::Set(iban) },
        privileged: Privileged {
            registry_data: Some(Some("Registro Mercantil de Madrid, tomo 41.205, folio 112, hoja M-730114".into())),
            creditor_suffix: Some(Some("000".into())),
            bic: Some(Some("CAIXESBBXXX".into())),
            ..Privileged::default()
        },
        accepted: None,
        proved: true,
    };
    update_company(&app.identity, admin, origin, admin.company, change).await?;
    Ok(())
}
