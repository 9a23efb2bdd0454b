//! The statement of a customer's month: lines, discount, minimum, tax (DOMAIN §4.4, §4.7 Formula).

use super::table::in_force;
use super::{Accepted, Cents, Percent, Session, TariffError, connections};
use atalaya_kernel::calendar;
use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc};
use std::collections::HashSet;

/// Tax rate where VAT applies.
const VAT: Percent = Percent(2100);
/// Postal codes beginning so lie outside the territory of VAT: Canaries, Ceuta, Melilla.
const OUTSIDE_VAT: [&str; 4] = ["35", "38", "51", "52"];

/// A calendar month in Europe/Madrid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    first: NaiveDate,
    next: NaiveDate,
}

impl Month {
    /// Errors: [`TariffError::NoSuchMonth`].
    pub fn new(year: i32, month: u32) -> Result<Self, TariffError> {
        let next = if month == 12 { (year.saturating_add(1), 1) } else { (year, month.saturating_add(1)) };
        let day = |(year, month)| NaiveDate::from_ymd_opt(year, month, 1);
        let found = day((year, month)).filter(|_| (1..=9999).contains(&year)).zip(day(next));
        found.map(|(first, next)| Self { first, next }).ok_or(TariffError::NoSuchMonth { year, month })
    }

    pub fn start(self) -> DateTime<Utc> {
        calendar::start_of(self.first)
    }

    /// The first instant after it.
    pub fn end(self) -> DateTime<Utc> {
        calendar::start_of(self.next)
    }

    pub fn days(self) -> i64 {
        (self.next - self.first).num_days()
    }

    /// `2026-10`.
    pub fn name(self) -> String {
        format!("{:04}-{:02}", self.first.year(), self.first.month())
    }
}

/// What is known of the customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// `pay_startAt`, else `created_at` (SPEC §4).
    pub pay_start: DateTime<Utc>,
    pub postal_code: String,
    /// Only active customers owe the minimum.
    pub active: bool,
}

/// Which line, in the order of the invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineCode {
    Connection,
    OtherConnections,
    ExceededMinute,
    GuestMinute,
    Discount,
    Minimum,
}

/// One line of the invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// So many at a price of this table.
    Consumption {
        code: LineCode,
        price_id: String,
        quantity: i64,
        unit: Cents,
        amount: Cents,
    },
    Discount {
        percent: Percent,
        amount: Cents,
    },
    /// What is missing up to the minimum, which counts `days` of the month's `days_in_month`.
    Minimum {
        amount: Cents,
        days: i64,
        days_in_month: i64,
        minimum: Cents,
    },
}

impl Line {
    pub fn amount(&self) -> Cents {
        match self {
            Line::Consumption { amount, .. } | Line::Discount { amount, .. } | Line::Minimum { amount, .. } => *amount,
        }
    }
}

/// The calculated month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub connections: i64,
    pub lines: Vec<Line>,
    pub subtotal: Cents,
    pub discount: Percent,
    pub net: Cents,
    pub minimum: Cents,
    /// Taxable base.
    pub base: Cents,
    pub vat_rate: Percent,
    pub vat: Cents,
    pub total: Cents,
}

/// Why there is no invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nothing {
    /// Payment starts after the month.
    Trial,
    /// The base would be 0, with so many connections.
    NothingToInvoice { connections: i64 },
}

/// What a month comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Invoice(Statement),
    None(Nothing),
}

/// Calculates a customer's month. `sessions` may hold other months' too, so that a connection over midnight is whole.
///
/// A connection that began before any table was accepted has no price and is not billed. Errors: amounts beyond `i64`.
/// Source: DOMAIN §4.7.
pub fn statement(month: Month, customer: &Customer, tables: &[Accepted], sessions: &[Session]) -> Result<Outcome, TariffError> {
    if customer.pay_start >= month.end() {
        return Ok(Outcome::None(Nothing::Trial));
    }
    let consumption = consumption(month, customer, tables, sessions)?;
    let mut lines = consumption.lines;
    let subtotal = sum(&lines)?;
    let closing = in_force(tables, month.end() - TimeDelta::seconds(1)).map(|accepted| &accepted.table);

    let discount = closing.map_or_else(Percent::default, |table| table.discount(consumption.connections));
    let off = subtotal.percent(discount)?;
    if off != Cents(0) {
        lines.push(Line::Discount { percent: discount, amount: Cents(-off.0) });
    }
    let net = subtotal.minus(off)?;

    let days = days_owed(month, customer);
    let whole = closing.filter(|_| customer.active).map_or(Cents(0), |table| table.min_payment);
    let minimum = whole.share(days, month.days())?;
    if minimum > net {
        lines.push(Line::Minimum { amount: minimum.minus(net)?, days, days_in_month: month.days(), minimum });
    }
    let base = net.max(minimum);
    if base == Cents(0) {
        return Ok(Outcome::None(Nothing::NothingToInvoice { connections: consumption.connections }));
    }
    let vat_rate = vat_rate(&customer.postal_code);
    let vat = base.percent(vat_rate)?;
    let connections = consumption.connections;
    let total = base.plus(vat)?;
    Ok(Outcome::Invoice(Statement { connections, lines, subtotal, discount, net, minimum, base, vat_rate, vat, total }))
}

struct Consumption {
    connections: i64,
    lines: Vec<Line>,
}

/// The lines of what was used, by code and then by table.
fn consumption(month: Month, customer: &Customer, tables: &[Accepted], sessions: &[Session]) -> Result<Consumption, TariffError> {
    let from = month.start().max(customer.pay_start);
    let mut cases = HashSet::new();
    let mut counted = Counted::default();
    let mut total = 0;
    for connection in connections(sessions).iter().filter(|one| from <= one.start && one.start < month.end()) {
        let Some(accepted) = in_force(tables, connection.start) else { continue };
        total += 1;
        let first = cases.insert(connection.case.clone());
        counted.add(if first { LineCode::Connection } else { LineCode::OtherConnections }, accepted, 1);
        let limit = accepted.table.minute_limit.unwrap_or(i64::MAX);
        counted.add(LineCode::ExceededMinute, accepted, connection.minutes().saturating_sub(limit).max(0));
        counted.add(LineCode::GuestMinute, accepted, connection.guest_minutes);
    }
    counted.0.sort_by_key(|line| (line.0, line.1.accepted_at));
    let lines = counted.0.into_iter().map(|(code, accepted, quantity)| {
        let unit = unit_price(code, accepted);
        let amount = unit.times(quantity)?;
        Ok(Line::Consumption { code, price_id: accepted.id.clone(), quantity, unit, amount })
    });
    Ok(Consumption { connections: total, lines: lines.collect::<Result<_, _>>()? })
}

/// How many of what at which table's price.
#[derive(Default)]
struct Counted<'a>(Vec<(LineCode, &'a Accepted, i64)>);

impl<'a> Counted<'a> {
    fn add(&mut self, code: LineCode, accepted: &'a Accepted, quantity: i64) {
        match self.0.iter_mut().find(|line| line.0 == code && line.1.id == accepted.id) {
            Some(line) => line.2 += quantity,
            None if quantity > 0 => self.0.push((code, accepted, quantity)),
            None => {}
        }
    }
}

fn unit_price(code: LineCode, accepted: &Accepted) -> Cents {
    let table = &accepted.table;
    match code {
        LineCode::Connection => table.connection,
        LineCode::OtherConnections => table.other_connections,
        LineCode::ExceededMinute => table.exceeded_minute,
        LineCode::GuestMinute => table.guest_minute,
        LineCode::Discount | LineCode::Minimum => Cents(0),
    }
}

fn sum(lines: &[Line]) -> Result<Cents, TariffError> {
    lines.iter().try_fold(Cents(0), |sum, line| sum.plus(line.amount()))
}

/// Days of the month for which the minimum is owed: from the local day of the payment start to the end, both included.
fn days_owed(month: Month, customer: &Customer) -> i64 {
    match customer.pay_start <= month.start() {
        true => month.days(),
        false => (month.next - calendar::day(customer.pay_start)).num_days(),
    }
}

/// DOMAIN §4.4.
fn vat_rate(postal_code: &str) -> Percent {
    let outside = OUTSIDE_VAT.iter().any(|province| postal_code.trim().starts_with(province));
    if outside { Percent(0) } else { VAT }
}
