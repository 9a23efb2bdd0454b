//! The queue to the tax office: the records that wait, in the order of the chain, at most 1,000 a call (art. 16).

use super::model::{Chain, State};
use super::service::issuer_of;
use super::store::{self, Failure, Verdict, Waiting};
use super::suspects::{self, Blame};
use crate::tax_office::Mode;
use crate::tax_office::gateway::{Gateway, SendError};
use crate::{Billing, BillingResult};
use async_trait::async_trait;
use atalaya_einvoice::verifactu::{Answer, AnswerLine, LineState, MOST_PER_CALL, Remittance, flaw, soap};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Time between calls until an answer sets another.
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(60);
/// After failures calls are made at least so often.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(1);
/// A record that is older than this when it is sent reports an incident; the tax office's own limit is 240 seconds.
const LATE: TimeDelta = TimeDelta::seconds(200);
/// The code of a record that was not sent because the schema refuses it; its message is the element.
const FLAWED: &str = "VERIFACTU_FLAWED";
/// Calls of one run at most, so that it ends within the lease of its job.
const CALLS_PER_RUN: usize = 4;

/// The recurring job.
pub struct SendRecords(pub Billing);

impl SendRecords {
    pub const KIND: &'static str = "send_verifactu";
}

#[async_trait]
impl Handler for SendRecords {
    async fn run(&self, _: &Job) -> JobResult {
        send_waiting(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

/// Sends what waits and may be sent by now. Answers how many calls were made.
///
/// A failed call is retried after a minute, then two, four … at most an hour; records that were sent without an answer are
/// sent again, and the tax office reports them as duplicates.
pub async fn send_waiting(d: &Billing) -> BillingResult<usize> {
    if d.settings.verifactu.mode == Mode::Off {
        return Ok(0);
    }
    let mut calls = 0;
    for chain in store::list_chains(d.db.read()).await? {
        let mut chain = Some(chain);
        while let Some(due) = chain.filter(|_| calls < CALLS_PER_RUN) {
            chain = call(d, &due).await?;
            calls += usize::from(chain.is_some());
        }
    }
    Ok(calls)
}

/// Makes one call when it is time. Answers the new state of the chain; `None` when nothing was to be sent.
async fn call(d: &Billing, chain: &Chain) -> BillingResult<Option<Chain>> {
    let environment = d.settings.verifactu.mode.name();
    let waiting = store::count_waiting(d.db.read(), chain.id, environment).await?;
    let full = waiting >= MOST_PER_CALL as u64 && chain.failures == 0;
    let early = chain.next_at.is_some_and(|at| d.sources.now() < at);
    if waiting == 0 || (early && !full) {
        return Ok(None);
    }
    let records = sound(d, choose(d, chain, environment).await?).await?;
    if records.is_empty() {
        return Ok(None);
    }
    let ids: Vec<Uuid> = records.iter().map(|record| record.id).collect();
    let at = d.sources.now();
    let tx = d.db.write().await?;
    store::mark_sent(&tx, &ids, at).await?;
    tx.commit().await?;
    let text = remittance(d, chain, &records, at).await?;
    let answered = match Gateway::new(&d.settings.verifactu) {
        Ok(gateway) => gateway.send(text).await,
        Err(error) => Err(error),
    };
    let now = d.sources.now();
    let chain = match answered {
        Ok(answer) => settle(d, chain, &records, &answer, now).await?,
        Err(error) => failed(d, chain, &records, &error, now).await?,
    };
    Ok(Some(chain))
}

/// The records of the next call: those of no refused call so far, else some of the suspects.
async fn choose(d: &Billing, chain: &Chain, environment: &str) -> BillingResult<Vec<Waiting>> {
    let (db, most) = (d.db.read(), MOST_PER_CALL as u64);
    let fresh = store::list_waiting(db, (chain.id, environment), false, most).await?;
    if !fresh.is_empty() {
        return Ok(fresh);
    }
    Ok(suspects::next(store::list_waiting(db, (chain.id, environment), true, most).await?))
}

/// These records without those that the tax office's schema would refuse, the others with them: those stay here, to be put right.
async fn sound(d: &Billing, records: Vec<Waiting>) -> BillingResult<Vec<Waiting>> {
    let flaws: Vec<(Uuid, &'static str)> = records.iter().filter_map(|one| flaw(&one.xml).map(|what| (one.id, what))).collect();
    if flaws.is_empty() {
        return Ok(records);
    }
    tracing::error!(records = flaws.len(), "records that the tax office's schema refuses are not sent");
    let tx = d.db.write().await?;
    for (id, what) in &flaws {
        store::answer(&tx, *id, set_aside(FLAWED, what), d.sources.now()).await?;
    }
    tx.commit().await?;
    Ok(records.into_iter().filter(|one| flaws.iter().all(|(id, _)| *id != one.id)).collect())
}

/// The tax office does not have the record, and it goes there no more.
fn set_aside(code: &str, message: &str) -> Verdict {
    Verdict { state: State::Rejected, csv: None, code: Some(code.to_owned()), message: Some(message.to_owned()) }
}

/// The call that carries these records.
async fn remittance(d: &Billing, chain: &Chain, records: &[Waiting], at: DateTime<Utc>) -> BillingResult<String> {
    let fragments: Vec<String> = records.iter().map(|record| record.xml.clone()).collect();
    let issuer = issuer_of(d, chain, &fragments).await?;
    let incident = records.iter().any(|record| at - record.at > LATE);
    Ok(soap(&Remittance { issuer: &issuer, incident, inquiry: None, fragments: &fragments }))
}

/// Stores the tax office's answer, record by record.
async fn settle(d: &Billing, chain: &Chain, records: &[Waiting], answer: &Answer, now: DateTime<Utc>) -> BillingResult<Chain> {
    let mut lines: Vec<Option<&AnswerLine>> = answer.lines.iter().map(Some).collect();
    let (mut answered, mut refused) = (0, 0);
    let tx = d.db.write().await?;
    for record in records {
        // The answers come in the order of the records; an invoice may stand in one call twice.
        let fits = |line: &AnswerLine| line.number == record.number && line.annulment == record.annulment;
        let Some(line) = lines.iter_mut().find(|line| line.is_some_and(fits)).and_then(Option::take) else { continue };
        let verdict = verdict(line, answer.csv.as_deref());
        answered += 1;
        refused += usize::from(verdict.state == State::Rejected);
        store::answer(&tx, record.id, verdict, now).await?;
    }
    let wait = TimeDelta::seconds(answer.wait_s);
    store::schedule(&tx, chain.id, now + wait, None).await?;
    tx.commit().await?;
    tracing::info!(records = records.len(), answered, refused, wait_s = answer.wait_s, "records were sent to the tax office");
    Ok(Chain { next_at: Some(now + wait), failures: 0, ..chain.clone() })
}

fn verdict(line: &AnswerLine, csv: Option<&str>) -> Verdict {
    // A record whose first answer was lost is a duplicate the second time.
    let state = match (line.state, line.duplicate_of) {
        (LineState::Accepted, _) | (LineState::Rejected, Some(LineState::Accepted)) => State::Accepted,
        (LineState::AcceptedWithErrors, _) | (LineState::Rejected, Some(LineState::AcceptedWithErrors)) => State::WithErrors,
        (LineState::Rejected, _) => State::Rejected,
    };
    let csv = (state != State::Rejected).then(|| csv.map(str::to_owned)).flatten();
    Verdict { state, csv, code: line.code.clone(), message: line.description.clone() }
}

/// Stores the time of the next attempt, and which records are suspected of having the call refused.
async fn failed(d: &Billing, chain: &Chain, records: &[Waiting], error: &SendError, now: DateTime<Utc>) -> BillingResult<Chain> {
    let failures = chain.failures.saturating_add(1);
    let blame = if error.is_about_records() { suspects::blame(records, chain.failures) } else { Blame::Nobody };
    let doublings = failures.saturating_sub(1).clamp(0, 6);
    let wait = if blame == Blame::Nobody { LONGEST_WAIT.min(FIRST_WAIT * (1 << doublings)) } else { FIRST_WAIT };
    let ids: Vec<Uuid> = records.iter().map(|record| record.id).collect();
    let tx = d.db.write().await?;
    match blame {
        Blame::Nobody => {}
        Blame::Suspects(faults) => store::suspect(&tx, &ids, faults).await?,
        Blame::Culprit => {
            for id in ids {
                store::answer(&tx, id, set_aside(error.code(), error.text().unwrap_or_default()), now).await?;
            }
        }
    }
    let failure = Failure { code: error.code(), text: error.text(), at: now, in_a_row: failures };
    store::schedule(&tx, chain.id, now + wait, Some(failure)).await?;
    tx.commit().await?;
    tracing::warn!(%error, failures, wait_s = wait.num_seconds(), "records could not be sent to the tax office");
    Ok(Chain { next_at: Some(now + wait), failures, ..chain.clone() })
}
