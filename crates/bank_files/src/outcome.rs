//! What one line does to one debit: its state, the invoice, the mandate, the customer.

use super::model::{Action, DebitEvent, Item, REVOCABLE_DAYS, retry_after};
use super::{notices, store};
use atalaya_billing::invoices::money::{self, MoneyEvent};
use atalaya_billing::mandates::service::{BankVerdict, apply_verdict};
use atalaya_billing::remittances::service as remittances;
use atalaya_billing::{Billing, BillingError, BillingResult, words};
use atalaya_db::Tx;
use atalaya_identity::companies::accounts;
use atalaya_identity::companies::service::{self as companies, StatusChanged};
use atalaya_kernel::{CompanyId, Language, Status, calendar};
use atalaya_outreach::notifications::Told;
use atalaya_sepa::ledger::{Attempt, AttemptState, Reason};
use atalaya_sepa::read::{Kind, Level, Report};
use atalaya_sepa::reasons::{self, InvoiceEffect, MandateEffect, Retry};
use atalaya_sepa::{Scheme, target};
use atalaya_tariff::{Cents, Euros};
use chrono::{Days, TimeDelta};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What to announce after the commit, and what a person has to check.
#[derive(Default)]
pub(super) struct Effects {
    pub told: Told,
    pub statuses: Vec<StatusChanged>,
    pub alarms: Vec<String>,
    pub remittances: BTreeSet<Uuid>,
    /// Numbers of the returned invoices, by customer.
    pub back: BTreeMap<CompanyId, Vec<(String, Action)>>,
}

impl Effects {
    pub(super) fn tell(&mut self, told: Told) {
        self.told = std::mem::take(&mut self.told).and(told);
    }

    /// Call it after the commit: notifies open screens and wakes the dispatcher.
    pub(super) async fn announce(self, d: &Billing) {
        d.outbox.wake();
        d.outreach.announce(self.told);
        for changed in &self.statuses {
            companies::announce_status(&d.identity, changed).await;
        }
    }
}

/// The bank's word for a code, in Spanish: summaries are stored in the language of the platform.
fn label(code: &str) -> String {
    words::reason(code, Language::Es)
}

pub(super) enum Outcome {
    Done(Box<Item>),
    /// The debit is in a state in which this cannot happen.
    Refused,
    /// The line is about a whole block or file, and this debit has an answer of its own already.
    Silent,
}

pub(super) fn reason(code: &str) -> Reason {
    Reason { code: code.to_owned(), label: label(code) }
}

/// Whether a debit is where this can happen to it.
enum Fits {
    Yes,
    Known,
    No,
}

fn fits(kind: Kind, state: AttemptState) -> Fits {
    use AttemptState::{Cancelled, Open, Paid, Rejected, Returned};
    match (kind, state) {
        (_, Cancelled) | (Kind::Incoming | Kind::Outgoing, _) => Fits::No,
        (Kind::Reversal, _) => Fits::Yes,
        (Kind::Reject, Open) | (Kind::Return | Kind::Refund, Open | Paid) | (Kind::Confirmation, Open) => Fits::Yes,
        (Kind::Reject, Rejected | Returned) | (Kind::Return | Kind::Refund, Returned | Rejected) => Fits::Known,
        // A return that was read before the credit it belongs to.
        (Kind::Confirmation, Paid | Returned) => Fits::Known,
        // What was paid is not rejected any more: `told_as` makes a return of it.
        (Kind::Reject, Paid) | (Kind::Confirmation, Rejected) => Fits::No,
    }
}

pub(super) async fn one(
    d: &Billing,
    tx: &Tx,
    file: Uuid,
    report: &Report,
    attempt: Attempt,
    effects: &mut Effects,
) -> BillingResult<Outcome> {
    let kind = told_as(report, &attempt);
    let party = accounts::find(&d.identity, attempt.company).await?;
    let mut item = item(report, kind, &attempt, &party);
    match fits(kind, attempt.state) {
        Fits::No if report.level == Level::Debit => return Ok(Outcome::Refused),
        Fits::No => return Ok(Outcome::Silent),
        Fits::Known if report.level != Level::Debit && kind != Kind::Confirmation => return Ok(Outcome::Silent),
        Fits::Known => {
            store::insert_event(tx, &event(d, file, report, kind, &attempt, Action::Known)).await?;
            return Ok(Outcome::Done(Box::new(item)));
        }
        Fits::Yes => {}
    }
    // A report is applied once, even if it had no effect then. The remittance's row has been locked since the debit was read, so
    // that nobody is about to write the same.
    if store::is_told(&**tx, &event(d, file, report, kind, &attempt, Action::Known)).await? {
        return Ok(Outcome::Done(Box::new(item)));
    }
    effects.remittances.insert(attempt.remittance);
    let change = Change { d, tx, report, kind, party, effects };
    let (attempt, action) = change.run(attempt, &mut item).await?;
    item.action = action;
    if !store::insert_event(tx, &event(d, file, report, kind, &attempt, action)).await? {
        return Err(BillingError::internal("a debit was told of twice at once"));
    }
    Ok(Outcome::Done(Box::new(item)))
}

/// What a line means for this debit.
fn told_as(report: &Report, attempt: &Attempt) -> Kind {
    let code = report.reason.as_deref();
    // A pain.002 about a debit that was paid takes the money back, whatever it is called.
    let kind = match report.kind {
        Kind::Reject if attempt.state == AttemptState::Paid && code == Some("MD06") => Kind::Refund,
        Kind::Reject if attempt.state == AttemptState::Paid => Kind::Return,
        other => other,
    };
    // An unauthorised debit that is returned after the banks' own period is a refund to the debtor.
    let late = |day| kind == Kind::Return && code == Some("MD01") && day > target::plus(attempt.collection, 5);
    if report.booked.is_some_and(late) { Kind::Refund } else { kind }
}

fn item(report: &Report, kind: Kind, attempt: &Attempt, party: &accounts::Party) -> Item {
    Item {
        end_to_end_id: attempt.end_to_end.clone(),
        invoice_id: attempt.invoice,
        invoice: attempt.number.clone(),
        customer_id: attempt.company,
        company: party.company.name.clone(),
        kind: kind.word().to_owned(),
        reason: report.reason.as_deref().map(reason),
        amount: Euros(Cents(attempt.amount)),
        booking_date: report.booked,
        action: Action::Known,
        retry_on: None,
        mandate: None,
        blocked: false,
    }
}

/// A person's statement about a debit, without a file; the caller has locked its remittance.
pub(super) async fn by_hand(
    d: &Billing,
    tx: &Tx,
    report: &Report,
    attempt: Attempt,
    effects: &mut Effects,
) -> BillingResult<(Attempt, Action)> {
    let party = accounts::find(&d.identity, attempt.company).await?;
    let kind = told_as(report, &attempt);
    let mut item = item(report, kind, &attempt, &party);
    effects.remittances.insert(attempt.remittance);
    Change { d, tx, report, kind, party, effects }.run(attempt, &mut item).await
}

fn event(d: &Billing, file: Uuid, report: &Report, kind: Kind, attempt: &Attempt, action: Action) -> DebitEvent {
    DebitEvent {
        id: d.sources.uuid(),
        file,
        attempt: attempt.id,
        end_to_end: attempt.end_to_end.clone(),
        kind: kind.word(),
        reason: report.reason.clone().unwrap_or_default(),
        booked: report.booked,
        action,
        amount: attempt.amount,
        charges: report.charges,
        at: d.sources.now(),
    }
}

struct Change<'a> {
    d: &'a Billing,
    tx: &'a Tx,
    report: &'a Report,
    kind: Kind,
    party: accounts::Party,
    effects: &'a mut Effects,
}

impl Change<'_> {
    async fn run(mut self, mut attempt: Attempt, item: &mut Item) -> BillingResult<(Attempt, Action)> {
        attempt.changed_at = self.d.sources.now();
        let before = attempt.state;
        let action = match self.kind {
            Kind::Confirmation => self.confirm(&mut attempt).await?,
            Kind::Reversal | Kind::Incoming | Kind::Outgoing => {
                self.effects.alarms.push(format!("{} · {}", attempt.end_to_end, self.kind.word()));
                Action::Review
            }
            Kind::Reject | Kind::Return | Kind::Refund => self.back(&mut attempt, item).await?,
        };
        if attempt.state != before {
            remittances::update_attempt(self.tx, &attempt).await?;
        }
        if matches!(action, Action::Returned | Action::Retry | Action::Correct | Action::Unpaid) {
            notices::returned(self.d, self.tx, &self.party, &attempt, action).await?;
            self.effects.back.entry(attempt.company).or_default().push((attempt.number.clone(), action));
        }
        Ok((attempt, action))
    }

    /// The money is there; a CORE debit can still be given back for eight weeks.
    async fn confirm(&mut self, attempt: &mut Attempt) -> BillingResult<Action> {
        let day = self.report.booked.unwrap_or_else(|| calendar::day(self.d.sources.now()));
        attempt.state = AttemptState::Paid;
        attempt.settled = Some(day);
        let revocable_until = (attempt.scheme == Scheme::Core).then(|| day + Days::new(REVOCABLE_DAYS.unsigned_abs()));
        let collected = MoneyEvent::Collected { at: calendar::start_of(day), revocable_until };
        if !money::record(self.tx, attempt.invoice, collected).await? {
            self.effects.alarms.push(format!("{} · paid, but its invoice stands elsewhere", attempt.end_to_end));
        }
        Ok(Action::Paid)
    }

    /// The debit was returned, or was never made.
    async fn back(&mut self, attempt: &mut Attempt, item: &mut Item) -> BillingResult<Action> {
        let code = self.report.reason.clone().unwrap_or_else(|| "MS03".into());
        let row = reasons::action(&code);
        if row.alert {
            self.effects.alarms.push(format!("{} · {code} · {}", attempt.end_to_end, label(&code)));
        }
        if row.invoice == InvoiceEffect::Review {
            return Ok(Action::Review);
        }
        let was_paid = attempt.state == AttemptState::Paid;
        attempt.state = if self.kind == Kind::Reject { AttemptState::Rejected } else { AttemptState::Returned };
        attempt.reason = Some(code.clone());
        attempt.booked = self.report.booked;
        attempt.charges = attempt.charges.saturating_add(self.report.charges);
        if row.invoice == InvoiceEffect::BackToSent && !was_paid {
            attempt.retry = Some("correct".into());
            money::record(self.tx, attempt.invoice, MoneyEvent::Withdrawn).await?;
            return Ok(Action::BackToSent);
        }
        let day = self.report.booked.unwrap_or_else(|| calendar::day(self.d.sources.now()));
        let returned = MoneyEvent::Returned { at: calendar::start_of(day), code: &code };
        let moved = money::record(self.tx, attempt.invoice, returned).await?;
        self.mandate(row.mandate, attempt, &code, item).await?;
        if row.forget_bic {
            accounts::forget_bic(&self.d.identity, self.tx, attempt.company).await?;
        }
        if !moved {
            // It was settled in another way: nothing is owed for this debit.
            self.effects.alarms.push(format!("{} · returned, but its invoice stands elsewhere", attempt.end_to_end));
            return Ok(Action::Review);
        }
        let earlier = self.earlier(attempt).await?;
        let returns = u32::try_from(earlier.len()).unwrap_or(u32::MAX).saturating_add(1);
        let max = self.d.settings.sepa.max_returns;
        let before = if row.twice_unpaid { remittances::find_before(self.tx, attempt).await? } else { None };
        let again = before.is_some_and(|before| before.reason.as_deref() == Some(code.as_str()));
        attempt.retry = retry_after(row.retry, returns, max).map(str::to_owned);
        match attempt.retry.as_deref() {
            Some("correct") => Ok(Action::Correct),
            Some(_) => {
                let days = if let Retry::Once { days } = row.retry { days } else { 0 };
                let at = calendar::start_of(day) + TimeDelta::days(i64::from(days));
                attempt.retry_at = Some(at);
                item.retry_on = Some(calendar::day(at));
                Ok(Action::Retry)
            }
            None if again || returns >= max => {
                let Some(blocked) = give_up(self.d, self.tx, attempt, self.effects).await? else { return Ok(Action::Returned) };
                item.blocked = blocked;
                Ok(Action::Unpaid)
            }
            None => Ok(Action::Returned),
        }
    }

    /// Returns of the same invoice before this one, oldest first; files that the bank refused as such do not count.
    async fn earlier(&self, attempt: &Attempt) -> BillingResult<Vec<Attempt>> {
        let all = remittances::list_of_invoice(self.tx, attempt.invoice).await?;
        let counts = |one: &Attempt| {
            matches!(one.state, AttemptState::Returned | AttemptState::Rejected)
                && one.id != attempt.id
                && one.reason.as_deref().is_none_or(|code| reasons::action(code).invoice == InvoiceEffect::Returned)
        };
        Ok(all.into_iter().filter(counts).collect())
    }

    async fn mandate(&mut self, effect: MandateEffect, attempt: &Attempt, code: &str, item: &mut Item) -> BillingResult<()> {
        let (verdict, word) = match effect {
            MandateEffect::None => return Ok(()),
            MandateEffect::SuspendAndAsk | MandateEffect::Suspend => (BankVerdict::Suspended, "suspended"),
            MandateEffect::Cancel => (BankVerdict::Cancelled, "cancelled"),
            MandateEffect::ToCore => (BankVerdict::Core, "core"),
        };
        apply_verdict(self.tx, attempt.mandate, verdict, code, self.d.sources.now()).await?;
        item.mandate = Some(word.to_owned());
        Ok(())
    }
}

/// The invoice is unpaid from now on; its customer too where that is configured. Answers whether the customer was blocked;
/// `None` when the invoice has another status by now, and nothing is done.
pub(super) async fn give_up(d: &Billing, tx: &Tx, attempt: &Attempt, effects: &mut Effects) -> BillingResult<Option<bool>> {
    if !money::record(tx, attempt.invoice, MoneyEvent::GivenUp).await? {
        return Ok(None);
    }
    if !d.settings.sepa.auto_suspend {
        return Ok(Some(false));
    }
    let party = accounts::find(&d.identity, attempt.company).await?;
    if party.company.status != Status::Active {
        return Ok(Some(false));
    }
    effects.statuses.push(companies::set_status(&d.identity, tx, attempt.company, Status::Unpaid).await?);
    Ok(Some(true))
}
