//! The statement of a customer's month: lines, discount, minimum, tax (TARIFF-7, TARIFF-9, TARIFF-11, TARIFF-12).

use crate::table::in_force;
use crate::{Accepted, Cents, Connection, Percent, Session, TariffError, VatRegime, connections};
use atalaya_kernel::calendar;
use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc};
use std::collections::HashSet;

/// A calendar month in Europe/Madrid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// The month an instant lies in, in Madrid.
    pub fn of(at: DateTime<Utc>) -> Self {
        let day = calendar::day(at);
        Self::new(day.year(), day.month()).unwrap_or(Self { first: day, next: day })
    }

    /// Reads `2026-10`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        let shaped = digits(year, 4) && digits(month, 2);
        shaped.then(|| Self::new(year.parse().ok()?, month.parse().ok()?).ok()).flatten()
    }

    /// The month before.
    pub fn previous(self) -> Self {
        Self::of(self.start() - TimeDelta::seconds(1))
    }

    /// The month after.
    pub fn following(self) -> Self {
        Self::of(self.end())
    }

    pub fn first_day(self) -> NaiveDate {
        self.first
    }

    pub fn last_day(self) -> NaiveDate {
        self.next - TimeDelta::days(1)
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
    /// `pay_startAt`, else `created_at` (TARIFF-10).
    pub pay_start: DateTime<Utc>,
    /// On the day of the operation, the month's last.
    pub regime: VatRegime,
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

/// A connection with what it costs. The amounts of a month add up to its subtotal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    pub conference: String,
    pub start: DateTime<Utc>,
    pub seconds: i64,
    /// Started minutes.
    pub minutes: i64,
    /// Of its case, in this month.
    pub first: bool,
    /// Minutes above the table's limit.
    pub exceeded: i64,
    pub guest_minutes: i64,
    /// The table in force when it began.
    pub price_id: String,
    /// `connection` or `otherConnections` of that table.
    pub unit: Cents,
    pub exceeded_unit: Cents,
    pub guest_unit: Cents,
    pub amount: Cents,
}

impl Charge {
    fn of(connection: Connection, first: bool, accepted: &Accepted) -> Result<Self, TariffError> {
        let table = &accepted.table;
        let minutes = connection.minutes();
        let exceeded = minutes.saturating_sub(table.minute_limit.unwrap_or(i64::MAX)).max(0);
        let unit = if first { table.connection } else { table.other_connections };
        let extra = table.exceeded_minute.times(exceeded)?.plus(table.guest_minute.times(connection.guest_minutes)?)?;
        Ok(Self {
            conference: connection.conference,
            start: connection.start,
            seconds: connection.seconds,
            minutes,
            first,
            exceeded,
            guest_minutes: connection.guest_minutes,
            price_id: accepted.id.clone(),
            unit,
            exceeded_unit: table.exceeded_minute,
            guest_unit: table.guest_minute,
            amount: unit.plus(extra)?,
        })
    }
}

/// Calculates a customer's month without its connections; see [`detailed`].
pub fn statement(month: Month, customer: &Customer, tables: &[Accepted], sessions: &[Session]) -> Result<Outcome, TariffError> {
    detailed(month, customer, tables, sessions).map(|(outcome, _)| outcome)
}

/// Calculates a customer's month, with each connection in order of start. `sessions` may hold other months' too, so that a connection over midnight is whole.
///
/// A connection that began before any table was accepted has no price and is not billed. Errors: amounts beyond `i64`.
/// Rules: TARIFF-1 to TARIFF-12.
pub fn detailed(
    month: Month,
    customer: &Customer,
    tables: &[Accepted],
    sessions: &[Session],
) -> Result<(Outcome, Vec<Charge>), TariffError> {
    if customer.pay_start >= month.end() {
        return Ok((Outcome::None(Nothing::Trial), Vec::new()));
    }
    let charges = charges(month, customer, tables, sessions)?;
    let outcome = outcome(month, customer, tables, &charges)?;
    Ok((outcome, charges))
}

/// How many billable connections of a month began before any table was accepted: they have no price.
pub fn unpriced(month: Month, customer: &Customer, tables: &[Accepted], sessions: &[Session]) -> usize {
    let from = month.start().max(customer.pay_start);
    let billable = |start: DateTime<Utc>| from <= start && start < month.end();
    connections(sessions).iter().filter(|one| billable(one.start) && in_force(tables, one.start).is_none()).count()
}

/// Discount, minimum and tax on what was used.
fn outcome(month: Month, customer: &Customer, tables: &[Accepted], charges: &[Charge]) -> Result<Outcome, TariffError> {
    let connections = i64::try_from(charges.len()).map_err(|_| TariffError::TooMuch)?;
    let mut lines = lines(tables, charges)?;
    let subtotal = sum(&lines)?;
    let closing = in_force(tables, month.end() - TimeDelta::seconds(1)).map(|accepted| &accepted.table);

    let discount = closing.map_or_else(Percent::default, |table| table.discount(connections));
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
        return Ok(Outcome::None(Nothing::NothingToInvoice { connections }));
    }
    let vat_rate = customer.regime.rate();
    let vat = base.percent(vat_rate)?;
    let total = base.plus(vat)?;
    Ok(Outcome::Invoice(Statement { connections, lines, subtotal, discount, net, minimum, base, vat_rate, vat, total }))
}

/// The month's connections, each with its price.
fn charges(month: Month, customer: &Customer, tables: &[Accepted], sessions: &[Session]) -> Result<Vec<Charge>, TariffError> {
    let from = month.start().max(customer.pay_start);
    let mut cases = HashSet::new();
    let mut charges = Vec::new();
    for mut connection in connections(sessions).into_iter().filter(|one| from <= one.start && one.start < month.end()) {
        let Some(accepted) = in_force(tables, connection.start) else { continue };
        let first = cases.insert(std::mem::take(&mut connection.case));
        charges.push(Charge::of(connection, first, accepted)?);
    }
    Ok(charges)
}

/// The lines of what was used, by code and then by table.
fn lines(tables: &[Accepted], charges: &[Charge]) -> Result<Vec<Line>, TariffError> {
    let mut counted = Counted::default();
    for charge in charges {
        let Some(accepted) = in_force(tables, charge.start) else { continue };
        counted.add(if charge.first { LineCode::Connection } else { LineCode::OtherConnections }, accepted, 1);
        counted.add(LineCode::ExceededMinute, accepted, charge.exceeded);
        counted.add(LineCode::GuestMinute, accepted, charge.guest_minutes);
    }
    counted.0.sort_by_key(|line| (line.0, line.1.accepted_at));
    let line = |(code, accepted, quantity)| {
        let unit = unit_price(code, accepted);
        let amount = unit.times(quantity)?;
        Ok(Line::Consumption { code, price_id: accepted.id.clone(), quantity, unit, amount })
    };
    counted.0.into_iter().map(line).collect()
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
