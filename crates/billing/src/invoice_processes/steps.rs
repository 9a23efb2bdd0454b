//! The job of a run: a few hundred customers or a few invoices at a time, each part in one transaction with its progress, so
//! that a killed run resumes where it was and repeats nothing.

use super::model::{self, Draft, JobKind, Run, Running};
use super::{dispatch, store};
use crate::consumption::CompanyMonth;
use crate::consumption::service::calculate_months;
use crate::invoices::service as invoices;
use crate::issuing::issue::{self, Ready};
use crate::issuing::{compose, issuer};
use crate::mandates::service as mandates;
use crate::{Billing, BillingError, BillingResult};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_identity::companies::customers::{self, Payer};
use atalaya_identity::companies::model::Company;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, NewJob};
use atalaya_kernel::CompanyId;
use atalaya_tariff::{Cents, Month, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use uuid::Uuid;

/// Customers of one step: few enough that others get to write in between, and that some thousand connections at a time are in
/// memory, however many there are.
const CUSTOMERS: u64 = 50;

/// Where the job resumes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub run: Uuid,
    pub step: i32,
    /// Months to process after this one.
    pub rest: Vec<String>,
}

/// Does one step of the run that works.
pub struct RunStep(pub Billing);

impl RunStep {
    pub const KIND: &'static str = "invoice-run";
}

#[async_trait]
impl Handler for RunStep {
    async fn run(&self, job: &Job) -> JobResult {
        let d = &self.0;
        let step: Step = serde_json::from_value(job.payload.clone()).map_err(|error| JobFailure::GiveUp(error.to_string()))?;
        let Err(error) = take(d, &step).await else {
            d.jobs.wake();
            return Ok(());
        };
        let code = match error.code() {
            // A refusal is permanent: another attempt would be refused too.
            Some(code) => code,
            None if job.attempt < job.max_attempts => return Err(JobFailure::Retry(error.to_string())),
            None => {
                tracing::error!(%error, "a run of invoices was given up");
                "INTERNAL"
            }
        };
        let given_up = async {
            let tx = d.db.write().await?;
            store::end(&tx, step.run, None, Some(code)).await?;
            tx.commit().await
        };
        given_up.await.map_err(|error| JobFailure::Retry(error.to_string()))?;
        Err(JobFailure::GiveUp(code.to_owned()))
    }
}

/// Enqueues the next step. With `again` its key differs from that of a job lost in a restart, which may still be in the table.
pub(crate) async fn enqueue(d: &Billing, tx: &Tx, step: &Step, again: &str) -> BillingResult<()> {
    let payload = serde_json::to_value(step).map_err(|error| BillingError::Corrupt(error.to_string()))?;
    let job = NewJob::new(RunStep::KIND, payload).dedup(format!("invoice-run:{}:{}{again}", step.run, step.step));
    d.jobs.enqueue(tx, job).await?;
    Ok(())
}

/// Resumes the run that a crash stopped.
pub(crate) async fn recover(d: &Billing) -> BillingResult<()> {
    let Some(run) = store::find_running(d.db.read()).await? else { return Ok(()) };
    let Some(running) = run.running else { return Ok(()) };
    tracing::info!(period = run.month.name(), kind = running.kind.name(), done = running.done, "going on with a run of invoices");
    let tx = d.db.write().await?;
    let step = Step { run: run.id, step: running.step, rest: run.rest };
    enqueue(d, &tx, &step, &format!(":{}", d.sources.now().timestamp_millis())).await?;
    Ok(tx.commit().await?)
}

async fn take(d: &Billing, step: &Step) -> BillingResult<()> {
    let Some(run) = store::find(d.db.read(), step.run).await? else { return Ok(()) };
    // The step was already done by the job's former worker.
    let Some(running) = run.running.filter(|running| running.step == step.step) else { return Ok(()) };
    match running.kind {
        JobKind::Calculate | JobKind::Issue => customers_step(d, &run, running, step).await,
        JobKind::Send => dispatch::step(d, &run, running, step).await,
    }
}

/// The next customers: their month calculated, and issued when the run issues.
async fn customers_step(d: &Billing, run: &Run, running: Running, step: &Step) -> BillingResult<()> {
    let payers = customers::list_payers(&d.identity, running.after.map(CompanyId), CUSTOMERS).await?;
    let Some(last) = payers.last().map(|payer| payer.company.id) else { return finish(d, run, running, step).await };
    let issuer = match running.kind {
        JobKind::Issue => Some(issuer::find(d).await?),
        JobKind::Calculate | JobKind::Send => None,
    };
    let done = running.done.saturating_add(i64::try_from(payers.len()).unwrap_or(i64::MAX));
    let part = calculate(d, run.month, payers, issuer.is_some()).await?;

    let now = d.sources.now();
    let tx = d.db.write().await?;
    if !store::advance(&tx, run, step.step, done, Some(last.0)).await? {
        return Ok(());
    }
    if issuer.is_some() && !are_unchanged(d, &tx, &part.ready).await? {
        return Err(BillingError::internal("customers changed while they were calculated"));
    }
    store::replace_drafts(&tx, run.month, &part.customers, &part.drafts, now).await?;
    if let Some(issuer) = issuer {
        issue::issue(d, &tx, &issuer, run.month, part.ready).await?;
    }
    enqueue(d, &tx, &Step { step: step.step + 1, ..step.clone() }, "").await?;
    Ok(tx.commit().await?)
}

/// Whether the customers are still those that were calculated; they stay so until the end of the transaction (FISCAL-7).
async fn are_unchanged(d: &Billing, tx: &Tx, ready: &[Ready]) -> BillingResult<bool> {
    let ids: Vec<CompanyId> = ready.iter().map(|ready| ready.payer.company.id).collect();
    let held = customers::hold_payers(&d.identity, tx, &ids).await?;
    let now: HashMap<CompanyId, Payer> = held.into_iter().map(|payer| (payer.company.id, payer)).collect();
    Ok(ready.iter().all(|ready| now.get(&ready.payer.company.id) == Some(&ready.payer)))
}

/// What some customers' month comes to.
struct Part {
    /// Whose drafts are replaced.
    customers: Vec<CompanyId>,
    drafts: Vec<Draft>,
    ready: Vec<Ready>,
}

/// Calculates those who have no invoice of the month yet. Everything is computed from the customers as they were read.
async fn calculate(d: &Billing, month: Month, payers: Vec<Payer>, issues: bool) -> BillingResult<Part> {
    let ids: Vec<CompanyId> = payers.iter().map(|payer| payer.company.id).collect();
    let taken = invoices::invoiced(d, month, &ids).await?;
    let open: Vec<Payer> = payers.into_iter().filter(|payer| !taken.contains(&payer.company.id)).collect();
    let companies: Vec<&Company> = open.iter().map(|payer| &payer.company).collect();
    let months = calculate_months(d, &companies, month, d.sources.now()).await?;
    let mut mandates = if issues { mandates::references(d, &open).await? } else { HashMap::new() };
    let mut part =
        Part { customers: companies.iter().map(|company| company.id).collect(), drafts: Vec::new(), ready: Vec::new() };
    for (payer, month) in open.into_iter().zip(months) {
        let Some(draft) = draft(&payer, &month) else { continue };
        if draft.code.is_none() {
            let mandate = mandates.remove(&payer.company.id);
            part.ready.push(Ready { payer, mandate, month });
        }
        part.drafts.push(draft);
    }
    Ok(part)
}

/// `None` when nothing is to be invoiced. Connections of a customer who accepted no prices are an error instead, which an
/// administrator has to see.
fn draft(payer: &Payer, month: &CompanyMonth) -> Option<Draft> {
    let Outcome::Invoice(statement) = &month.outcome else { return unpriced(payer, month) };
    let mut fields = compose::missing(&payer.company);
    // Some countries have no postal codes.
    fields.retain(|field| month.country.is_none() || *field != "postalCode");
    // What is issued is not issued again: a call that goes on over the end of the month is awaited and billed whole.
    let running = month.unfinished.then_some("CALL_RUNNING");
    Some(Draft {
        customer: payer.company.id,
        company: payer.company.name.clone(),
        code: (!fields.is_empty()).then_some("CUSTOMER_INCOMPLETE").or(running),
        fields,
        connections: statement.connections,
        base: statement.base,
        vat: statement.vat,
        total: statement.total,
    })
}

/// What was used without any table to price it.
fn unpriced(payer: &Payer, month: &CompanyMonth) -> Option<Draft> {
    let unpriced = (month.unpriced > 0 && month.closing.is_none()).then_some("NO_PRICE");
    unpriced.or(month.unfinished.then_some("CALL_RUNNING")).map(|code| Draft {
        customer: payer.company.id,
        company: payer.company.name.clone(),
        code: Some(code),
        fields: Vec::new(),
        connections: i64::try_from(month.unpriced).unwrap_or(i64::MAX),
        base: Cents(0),
        vat: Cents(0),
        total: Cents(0),
    })
}

/// Ends a run, and begins the next month's when there is one.
pub(super) async fn finish(d: &Billing, run: &Run, running: Running, step: &Step) -> BillingResult<()> {
    let now = d.sources.now();
    let tx = d.db.write().await?;
    if !store::advance(&tx, run, step.step, running.of, running.after).await? {
        return Ok(());
    }
    let late = model::is_late(run.month, now);
    store::end(&tx, run.id, Some((running.kind, now, late)), None).await?;
    let mut rest = step.rest.iter().filter_map(|name| Month::parse(name));
    if let Some(month) = rest.next() {
        let next = store::provide(&tx, d.sources.uuid(), month).await?;
        let rest = rest.map(Month::name).collect();
        begin(d, &tx, &next, running.kind, running.of, rest).await?;
    }
    Ok(tx.commit().await?)
}

/// Makes a run the one that works and writes its first step.
pub(super) async fn begin(d: &Billing, tx: &Tx, run: &Run, kind: JobKind, of: i64, rest: Vec<String>) -> BillingResult<()> {
    store::begin(tx, run.id, kind, of, &rest, d.sources.now()).await?;
    let begun = store::find(&**tx, run.id).await?.and_then(|run| run.running);
    let step = begun.map(|running| running.step).ok_or_else(|| BillingError::Corrupt("a run that was just begun".into()))?;
    enqueue(d, tx, &Step { run: run.id, step, rest }, "").await
}
