//! Example invoices for `serve --demo`: earlier months issued, each at a different point of its way.
//! The last closed month has calls and no invoice, so that people who try the product can issue it.
//!
//! *Invariant:* nothing is written past the services: runs, payments and corrections are those of real administrators, made
//! again under a clock of their own.

use crate::invoices::money::{self, MoneyEvent};
use crate::invoices::{payments, service as invoices};
use crate::mandates::service as mandates;
use crate::rectifications::{Wanted, service as rectifications};
use crate::{Billing, BillingError, BillingResult, Parts, invoice_processes, worker};
use atalaya_identity::Identity;
use atalaya_identity::auth::service::Origin;
use atalaya_jobs::{Jobs, Worker};
use atalaya_kernel::sources::{ManualClock, SystemEntropy};
use atalaya_kernel::{CompanyId, InvoiceId, Sources};
use atalaya_rest::Caller;
use atalaya_tariff::{Cents, Month, Relief};
use chrono::{DateTime, TimeDelta, Utc};
use std::sync::Arc;

/// Steps of one run at most: the demo has few customers.
const STEPS: usize = 200;

/// What becomes of the invoice of a month.
#[derive(Clone, Copy)]
enum Fate {
    Paid,
    /// Partly rectified.
    Corrected,
    /// The bank gave the debit back.
    Returned,
    /// Debited, and for a while revocable.
    Debited,
    /// On its way.
    Sent,
}

/// The oldest first; the last closed month comes after these and is not issued yet.
const FATES: [Fate; 5] = [Fate::Paid, Fate::Corrected, Fate::Debited, Fate::Returned, Fate::Sent];

/// Months that have examples, the oldest first.
pub fn months(now: DateTime<Utc>) -> Vec<Month> {
    let mut months = vec![Month::of(now).previous()];
    while months.len() <= FATES.len() {
        let oldest = months.last().copied().map_or_else(|| Month::of(now), Month::previous);
        months.push(oldest);
    }
    months.reverse();
    months
}

/// The month that runs.
pub fn running(now: DateTime<Utc>) -> Month {
    Month::of(now)
}

/// Issues the months before the last closed one, whose calls are there already, and lets happen to each what happens. So
/// every clock of theirs stands before now, whatever day it is.
pub async fn seed(d: &Billing, caller: &Caller, origin: &Origin, customer: CompanyId) -> BillingResult<()> {
    direct_debit(d, caller, origin, customer).await?;
    for (month, fate) in months(d.sources.now()).into_iter().zip(FATES) {
        let clock = ManualClock::at(month.end() + TimeDelta::hours(34));
        let past = under(&clock, d);
        invoice_processes::service::generate(&past, caller, origin, Some(&month.name())).await?;
        work(&past).await?;
        invoice_processes::service::send(&past, caller, origin).await?;
        work(&past).await?;
        let found = invoices::find_of_month(&past, customer, month).await?;
        let Some(id) = found else { continue };
        clock.advance(TimeDelta::days(9));
        befall(&past, caller, origin, id, fate).await?;
    }
    Ok(())
}

/// The customer signed its mandate before the first of these months ended.
async fn direct_debit(d: &Billing, caller: &Caller, origin: &Origin, customer: CompanyId) -> BillingResult<()> {
    let Some(first) = months(d.sources.now()).first().copied() else { return Ok(()) };
    let past = under(&ManualClock::at(first.start() + TimeDelta::hours(58)), d);
    let mandate = mandates::make(&past, Some((caller, origin)), customer).await?;
    mandates::sign(&past, caller, origin, mandate.id, None).await.map(drop)
}

async fn befall(d: &Billing, caller: &Caller, origin: &Origin, id: InvoiceId, fate: Fate) -> BillingResult<()> {
    let now = d.sources.now();
    let today = atalaya_kernel::calendar::day(now);
    match fate {
        Fate::Sent => {}
        Fate::Paid => drop(payments::pay(d, caller, origin, id, today).await?),
        Fate::Corrected => {
            let wanted = Wanted {
                reason: "Descuento acordado por la interrupción del servicio".into(),
                invoice_type: "R1",
                to_zero: false,
                reissue: false,
                lines: vec![("Descuento por interrupción del servicio".into(), Cents(-600))],
                field: "lines",
                relief: Relief::default(),
            };
            rectifications::rectify(d, caller, origin, id, &wanted).await?;
            payments::pay(d, caller, origin, id, today).await?;
        }
        Fate::Returned | Fate::Debited => {
            let tx = d.db.write().await?;
            money::record(&tx, id, MoneyEvent::Remitted { charge_date: today }).await?;
            let collected = MoneyEvent::Collected { at: now, revocable_until: Some(today + TimeDelta::days(56)) };
            money::record(&tx, id, collected).await?;
            if matches!(fate, Fate::Returned) {
                money::record(&tx, id, MoneyEvent::Returned { at: now, code: "AM04" }).await?;
            }
            tx.commit().await?;
        }
    }
    Ok(())
}

/// The same context under another clock, sending nothing: its examples are nobody's invoices, so that no law keeps them from being
/// made.
fn under(clock: &Arc<ManualClock>, d: &Billing) -> Billing {
    let sources = Sources::new(clock.clone(), Arc::new(SystemEntropy));
    let outbox = d.outbox.unsent(sources.clone());
    let identity = Identity { sources: sources.clone(), outbox: outbox.clone(), ..d.identity.clone() };
    let jobs = Jobs::new(sources.clone());
    let mut settings = d.settings.clone();
    settings.verifactu.binding_from = chrono::NaiveDate::MAX;
    Billing::new(Parts { sources, identity, jobs, outbox, settings, ..(**d).clone() })
}

/// Does what is due under this clock.
async fn work(d: &Billing) -> BillingResult<()> {
    let worker = worker(d, Worker::new(d.db.clone(), d.jobs.clone()));
    for _ in 0..STEPS {
        if !worker.run_next().await? {
            return Ok(());
        }
    }
    Err(BillingError::Corrupt("the jobs of the examples do not end".into()))
}
