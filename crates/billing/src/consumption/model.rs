//! A company's calculated month.

use atalaya_cases::usage::Usage;
use atalaya_content::prices::Price;
use atalaya_fiscal::Standing;
use atalaya_identity::companies::model::Company;
use atalaya_identity::terms_acceptance::LegalHistory;
use atalaya_kernel::{CompanyId, ConferenceId, Status};
use atalaya_tariff::{
    Accepted, Cents, Charge, Customer, Month, Outcome, Session, TariffError, VatRegime, detailed, may_grow, unpriced,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use uuid::Uuid;

/// What a company used in a month and what it comes to.
#[derive(Clone, Debug)]
pub struct CompanyMonth {
    pub company: CompanyId,
    pub outcome: Outcome,
    /// In order of start.
    pub connections: Vec<ConnectionRow>,
    /// The table in force at the end of the month, as far as the company has accepted one.
    pub closing: Option<Accepted>,
    /// Billable connections without a price, because no table was accepted before them.
    pub unpriced: usize,
    /// A connection of it may still become longer.
    pub unfinished: bool,
    /// On the day of the operation, the month's last (FISCAL-5).
    pub regime: VatRegime,
    /// Of the customer as of now, two letters; none: Spain.
    pub country: Option<String>,
}

/// One billed connection with the parts of its amount. Issued invoices keep it under these short names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionRow {
    #[serde(rename = "c")]
    pub conference: ConferenceId,
    /// As typed; a word in its place when the conference is erased.
    #[serde(rename = "e")]
    pub expedient: String,
    #[serde(rename = "n")]
    pub user_name: String,
    #[serde(rename = "t")]
    pub start: DateTime<Utc>,
    #[serde(rename = "s")]
    pub seconds: i64,
    /// Started ones.
    #[serde(rename = "m")]
    pub minutes: i64,
    /// The first of its case in the month.
    #[serde(rename = "f")]
    pub first: bool,
    /// Minutes above the limit.
    #[serde(rename = "x")]
    pub exceeded: i64,
    #[serde(rename = "g")]
    pub guest_minutes: i64,
    /// The table in force when it began.
    #[serde(rename = "p")]
    pub price_id: Uuid,
    /// Price of the connection itself.
    #[serde(rename = "u")]
    pub unit: Cents,
    /// Price of a minute above the limit.
    #[serde(rename = "xu")]
    pub exceeded_unit: Cents,
    #[serde(rename = "gu")]
    pub guest_unit: Cents,
    /// With exceeded and guest minutes.
    #[serde(rename = "a")]
    pub amount: Cents,
}

/// Calculates one company's month. Pure.
pub fn calculate(
    (company, standing): (&Company, Standing),
    month: Month,
    history: &[LegalHistory],
    prices: &HashMap<Uuid, Price>,
    usage: &[&Usage],
    until: DateTime<Utc>,
) -> Result<CompanyMonth, TariffError> {
    let Standing { regime, country } = standing;
    let customer = Customer { pay_start: company.billing.pay_start(), regime, active: company.status == Status::Active };
    let tables = accepted(history, prices);
    let by_id: HashMap<String, &Usage> = usage.iter().map(|one| (one.conference.to_string(), *one)).collect();
    let sessions = sessions(usage);
    let unpriced = unpriced(month, &customer, &tables, &sessions);
    let (outcome, charges) = detailed(month, &customer, &tables, &sessions)?;
    let connections = charges.into_iter().filter_map(|charge| row(&by_id, charge)).collect();
    let last = month.end() - chrono::TimeDelta::seconds(1);
    let closing = tables.into_iter().rfind(|table| table.accepted_at <= last);
    let unfinished = may_grow(&sessions, month.start().max(customer.pay_start), month.end(), until);
    Ok(CompanyMonth { company: company.id, outcome, connections, closing, unpriced, unfinished, regime, country })
}

/// The tables in order of acceptance. Both texts of one acceptance carry the same table, and a new text leaves it as it is.
pub fn accepted(history: &[LegalHistory], prices: &HashMap<Uuid, Price>) -> Vec<Accepted> {
    let mut entries: Vec<(DateTime<Utc>, &Price)> =
        history.iter().filter_map(|entry| Some((entry.accepted_at, prices.get(&entry.price_id?)?))).collect();
    entries.sort_by_key(|(at, _)| *at);
    entries.dedup_by_key(|(_, price)| price.id);
    entries.into_iter().map(|(at, price)| price.accepted(at)).collect()
}

fn sessions(usage: &[&Usage]) -> Vec<Session> {
    let of = |one: &&Usage| {
        let (conference, case) = (one.conference.to_string(), one.case.clone());
        let session = move |together: &atalaya_cases::usage::model::Together| Session {
            conference: conference.clone(),
            expedient: case.clone(),
            start: together.start,
            seconds: together.seconds,
            guests: together.guests.clone(),
        };
        one.sessions.iter().map(session).collect::<Vec<_>>()
    };
    usage.iter().flat_map(of).collect()
}

fn row(usage: &HashMap<String, &Usage>, charge: Charge) -> Option<ConnectionRow> {
    let of = usage.get(&charge.conference)?;
    Some(ConnectionRow {
        conference: of.conference,
        expedient: of.expedient.clone(),
        user_name: of.user_name.clone(),
        start: charge.start,
        seconds: charge.seconds,
        minutes: charge.minutes,
        first: charge.first,
        exceeded: charge.exceeded,
        guest_minutes: charge.guest_minutes,
        price_id: Uuid::parse_str(&charge.price_id).ok()?,
        unit: charge.unit,
        exceeded_unit: charge.exceeded_unit,
        guest_unit: charge.guest_unit,
        amount: charge.amount,
    })
}
