//! Starts runs and reports the state of the months.

use super::model::{self, JobKind, ProcessFault, ProcessState, Run};
use super::{InvoiceProcessError, dispatch, steps, store};
use crate::invoices::model::{Invoice, RunTotals};
use crate::invoices::{count_unsent, list_unsent, service as invoices};
use crate::issuing::{IssuingError, issuer};
use crate::verifactu::service as verifactu;
use crate::{Billing, BillingError, BillingResult};
use atalaya_db::DbError;
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::customers;
use atalaya_kernel::{CompanyId, InvoiceId};
use atalaya_rest::Caller;
use atalaya_tariff::{Cents, Month};
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::json;
use std::collections::HashMap;

/// Reasons against invoices that one answer names at most.
const ERRORS_MAX: u64 = 500;

/// A closed month with its run and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub month: Month,
    pub state: ProcessState,
    pub customers: i64,
    pub to_invoice: i64,
    pub issued: i64,
    pub sent: i64,
    pub remitted: i64,
    pub base: Cents,
    pub vat: Cents,
    pub total: Cents,
    pub late: bool,
    pub deadline: NaiveDate,
    pub calculated_at: Option<DateTime<Utc>>,
    pub errors: Vec<ProcessFault>,
    pub run: Option<Run>,
}

/// Every closed month, the newest first.
pub(crate) async fn list(d: &Billing) -> BillingResult<Vec<Process>> {
    let months = months(d).await?;
    let (Some(newest), Some(oldest)) = (months.first().copied(), months.last().copied()) else { return Ok(Vec::new()) };
    let runs = store::list(d.db.read(), oldest, newest).await?;
    let mut runs: HashMap<Month, Run> = runs.into_iter().map(|run| (run.month, run)).collect();
    let drafts = store::draft_totals(d.db.read(), oldest, newest).await?;
    let issued: HashMap<String, RunTotals> = invoices::totals_by_run(d, oldest, newest).await?.into_iter().collect();
    let mut errors = errors(d, oldest, newest).await?;
    let customers = i64::try_from(customers::count(&d.identity).await?).unwrap_or(i64::MAX);
    let issuer = issuer_errors(d).await?;
    let now = d.sources.now();
    let process = |month: Month| {
        let name = month.name();
        let run = runs.remove(&month);
        let drafts = drafts.get(&name).copied().unwrap_or_default();
        let made = issued.get(&name).cloned().unwrap_or_default();
        let mut errors = errors.remove(&name).unwrap_or_default();
        let uncalculated = customers > 0 && run.as_ref().is_none_or(|run| run.calculated_at.is_none());
        let open = run.as_ref().is_none_or(|run| run.issued_at.is_none());
        if open {
            errors.splice(0..0, issuer.iter().cloned());
        }
        errors.extend(run.as_ref().and_then(|run| run.error.clone()).map(of_run));
        let all_made = made.issued >= drafts.count;
        let (base, vat, total) =
            if all_made { (made.base, made.vat, made.total) } else { (drafts.base, drafts.vat, drafts.total) };
        Process {
            month,
            state: model::state(run.as_ref(), made.issued, made.sent, made.remitted),
            customers,
            to_invoice: drafts.count.max(made.issued),
            issued: made.issued,
            sent: made.sent,
            remitted: made.remitted,
            base,
            vat,
            total,
            // A month in which nothing is to be issued is never late; of one that was never calculated nobody knows.
            late: model::is_late(month, now)
                && (run.as_ref().is_some_and(|run| run.late) || (open && (uncalculated || drafts.count > made.issued))),
            deadline: model::deadline(month),
            calculated_at: run.as_ref().and_then(|run| run.calculated_at),
            errors,
            run,
        }
    };
    Ok(months.into_iter().map(process).collect())
}

/// The one of this month.
pub(crate) async fn find(d: &Billing, month: Month) -> BillingResult<Process> {
    let found = list(d).await?.into_iter().find(|process| process.month == month);
    found.ok_or_else(|| BillingError::Corrupt(format!("the process of {}", month.name())))
}

/// Closed months since the first payment, or since the first run there is.
async fn months(d: &Billing) -> BillingResult<Vec<Month>> {
    let paid = customers::first_payment(&d.identity).await?;
    let run = store::oldest(d.db.read()).await?.map(Month::start);
    Ok(model::closed_since(paid.into_iter().chain(run).min(), d.sources.now()))
}

async fn errors(d: &Billing, oldest: Month, newest: Month) -> BillingResult<HashMap<String, Vec<ProcessFault>>> {
    let mut all: HashMap<String, Vec<ProcessFault>> = HashMap::new();
    for (period, fault) in store::list_errors(d.db.read(), oldest, newest, ERRORS_MAX).await? {
        all.entry(period).or_default().push(fault);
    }
    Ok(all)
}

/// Why nobody is invoiced, or what an administrator is warned about.
async fn issuer_errors(d: &Billing) -> BillingResult<Vec<ProcessFault>> {
    let unsent = verifactu::may_issue(d).err().and_then(|error| error.code()).map(|code| of_run(code.to_owned()));
    Ok(unsent.into_iter().chain(issuer_error(d).await?).collect())
}

/// What the issuer lacks: what nothing is issued without, or what a firm has to print (art. 24 Código de Comercio) and an
/// administrator is warned about.
async fn issuer_error(d: &Billing) -> BillingResult<Option<ProcessFault>> {
    match issuer::find(d).await {
        Ok(found) if issuer::lacks_registry(&found.party) => {
            let fields = vec!["registryData".to_owned()];
            Ok(Some(ProcessFault { fields, ..of_run("ISSUER_REGISTRY_MISSING".to_owned()) }))
        }
        Ok(_) => Ok(None),
        Err(BillingError::Issuing(error)) => {
            let code = error.code().to_owned();
            let IssuingError::IssuerIncomplete(fields) = error;
            let fields = fields.into_iter().map(str::to_owned).collect();
            Ok(Some(ProcessFault { fields, ..of_run(code) }))
        }
        Err(error) => Err(error),
    }
}

fn of_run(code: String) -> ProcessFault {
    ProcessFault { customer: None, company: String::new(), code, fields: Vec::new() }
}

/// Recalculates every closed month that is not issued, the newest first. Nothing gets a number. While a job works, nothing
/// more is begun.
pub(crate) async fn update(d: &Billing, caller: &Caller, origin: &Origin) -> BillingResult<()> {
    let months = months(d).await?;
    let runs = match (months.last(), months.first()) {
        (Some(oldest), Some(newest)) => store::list(d.db.read(), *oldest, *newest).await?,
        _ => Vec::new(),
    };
    let is_issued = |month: &Month| runs.iter().any(|run| run.month == *month && run.issued_at.is_some());
    let mut open = months.into_iter().filter(|month| !is_issued(month));
    let Some(first) = open.next() else { return Ok(()) };
    let rest = open.map(Month::name).collect();
    start(d, caller, origin, JobKind::Calculate, first, rest).await?;
    Ok(())
}

/// Issues what a closed month lacks; without a month, the last closed one. Answers that month, also when its job was working
/// already.
///
/// Errors: those of [`InvoiceProcessError`] and [`IssuingError`]; `VerifactuError::SendingRequired`.
pub(crate) async fn generate(d: &Billing, caller: &Caller, origin: &Origin, period: Option<&str>) -> BillingResult<Month> {
    let last = model::last_closed(d.sources.now());
    let month = match period.filter(|text| !text.is_empty()) {
        None => last,
        Some(text) => Month::parse(text).ok_or(InvoiceProcessError::PeriodInvalid)?,
    };
    if month > last {
        return Err(InvoiceProcessError::PeriodOpen.into());
    }
    if !months(d).await?.contains(&month) {
        return Err(InvoiceProcessError::PeriodInvalid.into());
    }
    verifactu::may_issue(d)?;
    issuer::find(d).await?;
    let works = start(d, caller, origin, JobKind::Issue, month, Vec::new()).await?;
    if works == (month, JobKind::Issue) { Ok(month) } else { Err(running(works)) }
}

/// Another job works, so that nothing was begun.
fn running((month, _): (Month, JobKind)) -> BillingError {
    InvoiceProcessError::JobRunning(month).into()
}

/// What `send-all-invoices` set going.
pub(crate) struct Sending {
    pub queued: i64,
    pub failed: Vec<Unsendable>,
}

/// An invoice that cannot go out, and why.
pub(crate) struct Unsendable {
    pub id: InvoiceId,
    pub number: String,
    pub customer: CompanyId,
    pub company: String,
    pub code: &'static str,
}

/// E-mails every issued invoice that was not sent. While that job runs already, it answers as if it had started it.
///
/// Errors: [`InvoiceProcessError::JobRunning`] while another job works: what it issues would be missing.
pub(crate) async fn send(d: &Billing, caller: &Caller, origin: &Origin) -> BillingResult<Sending> {
    let now = d.sources.now();
    let other = |works: &(Month, JobKind)| works.1 != JobKind::Send;
    if let Some(works) = store::find_running(d.db.read()).await?.and_then(|run| working(&run)).filter(other) {
        return Err(running(works));
    }
    let waiting = i64::try_from(count_unsent(d).await?).unwrap_or(i64::MAX);
    let failed = unsendable(d, now).await?;
    let queued = waiting - i64::try_from(failed.len()).unwrap_or(waiting);
    if queued > 0 {
        let month = model::last_closed(now);
        let tx = d.db.write().await?;
        let run = store::provide(&tx, d.sources.uuid(), month).await?;
        let works = begin(d, tx, caller, origin, (run, JobKind::Send, queued, Vec::new())).await?;
        if other(&works) {
            return Err(running(works));
        }
    }
    Ok(Sending { queued, failed })
}

/// Invoices of customers without an e-mail address.
async fn unsendable(d: &Billing, now: DateTime<Utc>) -> BillingResult<Vec<Unsendable>> {
    let mut found: Vec<Unsendable> = Vec::new();
    let mut after = None;
    loop {
        let unsent = list_unsent(d, after, now, ERRORS_MAX).await?;
        let Some(last) = unsent.last() else { return Ok(found) };
        after = Some(last.id.0);
        let ids: Vec<CompanyId> = unsent.iter().map(|invoice| invoice.customer).collect();
        let payers = customers::find_payers(&d.identity, &ids).await?;
        let reachable = |invoice: &Invoice| {
            payers.iter().any(|payer| payer.company.id == invoice.customer && dispatch::address(payer).is_some())
        };
        found.extend(unsent.into_iter().filter(|invoice| !reachable(invoice)).map(|invoice| Unsendable {
            id: invoice.id,
            number: invoice.number,
            customer: invoice.customer,
            company: invoice.header.recipient.name,
            code: "EMAIL_MISSING",
        }));
    }
}

async fn start(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    kind: JobKind,
    month: Month,
    rest: Vec<String>,
) -> BillingResult<(Month, JobKind)> {
    let of = i64::try_from(customers::count(&d.identity).await?).unwrap_or(i64::MAX);
    let tx = d.db.write().await?;
    let run = store::provide(&tx, d.sources.uuid(), month).await?;
    begin(d, tx, caller, origin, (run, kind, of, rest)).await
}

/// The job that works on a run.
fn working(run: &Run) -> Option<(Month, JobKind)> {
    run.running.map(|running| (run.month, running.kind))
}

/// Begins a job with its audit entry, unless one works already. Answers the month and kind of the one that works.
async fn begin(
    d: &Billing,
    tx: atalaya_db::Tx,
    caller: &Caller,
    origin: &Origin,
    (run, kind, of, rest): (Run, JobKind, i64, Vec<String>),
) -> BillingResult<(Month, JobKind)> {
    if let Some(works) = store::find_running(&*tx).await?.and_then(|run| working(&run)) {
        return Ok(works);
    }
    match steps::begin(d, &tx, &run, kind, of, rest).await {
        Ok(()) => {}
        // Somebody else's began between our look and our write; the database lets only one.
        Err(BillingError::Db(DbError::Duplicate(_))) => {
            tx.rollback().await?;
            let works = store::find_running(d.db.read()).await?.and_then(|run| working(&run));
            return Ok(works.unwrap_or((run.month, kind)));
        }
        Err(error) => return Err(error),
    }
    let action = match kind {
        JobKind::Calculate => Action::InvoicesCalculated,
        JobKind::Issue => Action::InvoicesIssued,
        JobKind::Send => Action::InvoicesSent,
    };
    let entry = Entry::company(action, caller.company).by(caller).from(origin.address);
    audit::record(&d.identity, &tx, entry.detail(json!({"period": run.month.name()}))).await?;
    tx.commit().await?;
    d.jobs.wake();
    Ok((run.month, kind))
}
