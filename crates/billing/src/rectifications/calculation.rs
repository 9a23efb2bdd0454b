//! The content of a rectifying invoice: differences with their sign, or everything back to zero. Pure.

use super::RectificationError;
use crate::BillingResult;
use crate::invoices::InvoiceError;
use crate::invoices::model::{Invoice, InvoiceLine, InvoiceStatus, Kind, Totals};
use atalaya_tariff::{Cents, Ground, Percent, Relief, Unpaid};
use chrono::{Months, NaiveDate};

/// Months within which an invoice may be rectified (RD 1619/2012 art. 15.3).
const MONTHS: u32 = 48;
/// Far above any invoice, far below where sums could overflow.
const MOST: i64 = 100_000_000_000;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub reason: String,
    /// Of the tax office's list: `R1` to `R4`.
    pub invoice_type: &'static str,
    pub to_zero: bool,
    /// Its month may then be invoiced again; of `to_zero` only.
    pub reissue: bool,
    /// Differences of the taxable base, each with what it is for; of differences only.
    pub lines: Vec<(String, Cents)>,
    /// The field that named them.
    pub field: &'static str,
    /// What art. 80 asks for; of `R2` and `R3` only.
    pub relief: Relief,
}

/// What the rectifying invoice has of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rectification {
    pub lines: Vec<InvoiceLine>,
    pub totals: Totals,
    pub connections: i64,
    /// The conditions under which the base was lowered, checked.
    pub relief: Option<Relief>,
}

/// Calculates it. `before` are the rectifying invoices that there are already.
///
/// Errors: those of [`RectificationError`], [`InvoiceError::InRemittance`].
pub(crate) fn rectification(
    original: &Invoice,
    before: &[Invoice],
    wanted: &Wanted,
    today: NaiveDate,
) -> BillingResult<Rectification> {
    may_rectify(original, today)?;
    if before.iter().any(|invoice| invoice.state.status == InvoiceStatus::InRemittance) {
        return Err(InvoiceError::InRemittance.into());
    }
    let ground = Ground::of(wanted.invoice_type);
    let left = left(original, before)?;
    // Nothing is unpaid, or no tax was charged that could come back.
    let nothing_to_lower = original.state.status == InvoiceStatus::Paid || !original.totals.is_subject();
    if ground.is_some() && nothing_to_lower {
        return Err(RectificationError::NotRectifiable.into());
    }
    if wanted.to_zero {
        if left.base == Cents(0) {
            return Err(RectificationError::NotRectifiable.into());
        }
        let relief = ground.map(|ground| conditions(ground, original, wanted, today)).transpose()?;
        let whole = before.iter().all(|invoice| invoice.state.status == InvoiceStatus::Cancelled);
        let lines = if ground.is_some() {
            vec![adjustment(&lowered(original), Cents(-left.base.0))]
        } else if whole {
            mirrored(original)
        } else {
            vec![adjustment(&remainder(original), Cents(-left.base.0))]
        };
        let totals = Totals {
            subtotal: Cents(-left.base.0),
            discount: Percent(0),
            base: Cents(-left.base.0),
            vat_rate: original.totals.vat_rate,
            vat: Cents(-left.vat.0),
            total: Cents(-left.base.0).minus(left.vat)?,
        };
        let connections = if ground.is_some() { 0 } else { -original.connections };
        return Ok(Rectification { lines, totals, connections, relief });
    }
    let field = wanted.field;
    if wanted.lines.iter().any(|(_, amount)| amount.0.abs() > MOST) {
        return Err(RectificationError::AmountOutOfRange { field, max_euros: MOST / 100 }.into());
    }
    let base = wanted.lines.iter().try_fold(Cents(0), |sum, (_, amount)| sum.plus(*amount))?;
    if base == Cents(0) || wanted.lines.iter().any(|(_, amount)| *amount == Cents(0)) {
        return Err(RectificationError::AmountZero { field }.into());
    }
    if base.plus(left.base)? < Cents(0) {
        return Err(RectificationError::AmountTooLow { field }.into());
    }
    let mut relief = None;
    if let Some(ground) = ground {
        let lowered = before.iter().filter(|one| one.lowers_base_only() && one.state.status != InvoiceStatus::Cancelled);
        if lowered.map(|one| one.totals.base.0).sum::<i64>() + base.0 > 0 {
            return Err(RectificationError::AmountTooHigh { field }.into());
        }
        if base < Cents(0) {
            relief = Some(conditions(ground, original, wanted, today)?);
        }
    }
    // Of the whole group's base, so that many small differences do not drift from its tax.
    let vat = left.base.plus(base)?.percent(original.totals.vat_rate)?.minus(left.vat)?;
    let totals =
        Totals { subtotal: base, discount: Percent(0), base, vat_rate: original.totals.vat_rate, vat, total: base.plus(vat)? };
    let lines = wanted.lines.iter().map(|(text, amount)| adjustment(text, *amount)).collect();
    Ok(Rectification { lines, totals, connections: 0, relief })
}

/// What art. 80 asks for, checked.
fn conditions(ground: Ground, original: &Invoice, wanted: &Wanted, today: NaiveDate) -> BillingResult<Relief> {
    let of = Unpaid { operation: original.operation_date, base: original.totals.base, today };
    Ok(wanted.relief.checked(ground, of).map_err(RectificationError::Relief)?)
}

fn lowered(original: &Invoice) -> String {
    format!("Reducción de la base imponible de la factura {} (art. 80 Ley 37/1992)", original.number)
}

fn may_rectify(original: &Invoice, today: NaiveDate) -> BillingResult<()> {
    let gone = matches!(original.state.status, InvoiceStatus::Rectified | InvoiceStatus::Cancelled | InvoiceStatus::Draft);
    if original.kind != Kind::Normal || gone {
        return Err(RectificationError::NotRectifiable.into());
    }
    if original.state.status == InvoiceStatus::InRemittance {
        return Err(InvoiceError::InRemittance.into());
    }
    let last = original.issue_date.checked_add_months(Months::new(MONTHS)).unwrap_or(NaiveDate::MAX);
    if today > last { Err(RectificationError::TooOld.into()) } else { Ok(()) }
}

struct Left {
    base: Cents,
    vat: Cents,
}

/// What is left of an invoice after those that rectify it.
fn left(original: &Invoice, before: &[Invoice]) -> BillingResult<Left> {
    let mut left = Left { base: original.totals.base, vat: original.totals.vat };
    for invoice in before.iter().filter(|invoice| invoice.state.status != InvoiceStatus::Cancelled) {
        left = Left { base: left.base.plus(invoice.totals.base)?, vat: left.vat.plus(invoice.totals.vat)? };
    }
    Ok(left)
}

fn remainder(original: &Invoice) -> String {
    format!("Resto de la factura {}", original.number)
}

/// Every line with the other sign.
fn mirrored(original: &Invoice) -> Vec<InvoiceLine> {
    let mirror = |line: &InvoiceLine| InvoiceLine { quantity: -line.quantity, amount: Cents(-line.amount.0), ..line.clone() };
    original.lines.iter().map(mirror).collect()
}

fn adjustment(description: &str, amount: Cents) -> InvoiceLine {
    InvoiceLine {
        code: "adjustment".to_owned(),
        description: description.to_owned(),
        price_id: None,
        quantity: 1,
        unit: amount,
        amount,
        percent: None,
        days: None,
        days_in_month: None,
        minimum: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invoices::model::{Header, Party, Payment, State};
    use atalaya_kernel::{CompanyId, InvoiceId, Language};

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn invoice(base: i64, vat: i64) -> Invoice {
        let line = InvoiceLine { code: "connection".into(), ..adjustment("Conexiones", Cents(base)) };
        Invoice {
            id: InvoiceId(uuid::Uuid::nil()),
            number: "A2026-000001".into(),
            kind: Kind::Normal,
            invoice_type: "F1".into(),
            customer: CompanyId(uuid::Uuid::nil()),
            period: Some("2026-10".into()),
            period_from: date("2026-10-01"),
            period_to: date("2026-10-31"),
            issue_date: date("2026-11-02"),
            operation_date: date("2026-10-31"),
            due_date: date("2026-11-09"),
            issued_at: chrono::DateTime::UNIX_EPOCH,
            connections: 4,
            totals: Totals {
                subtotal: Cents(base),
                discount: Percent(0),
                base: Cents(base),
                vat_rate: Percent(2100),
                vat: Cents(vat),
                total: Cents(base + vat),
            },
            header: Header {
                regime: None,
                issuer: Party::default(),
                recipient: Party::default(),
                payment: Payment::default(),
                language: Language::Es,
                rectified: None,
            },
            lines: vec![line],
            state: State { status: InvoiceStatus::Sent, ..State::issued() },
        }
    }

    fn differences(amounts: &[i64]) -> Wanted {
        let lines = amounts.iter().map(|amount| ("Ajuste".to_owned(), Cents(*amount))).collect();
        Wanted {
            reason: "Precio".into(),
            invoice_type: "R1",
            to_zero: false,
            reissue: false,
            lines,
            field: "amount",
            relief: Relief::default(),
        }
    }

    fn to_zero() -> Wanted {
        Wanted { to_zero: true, ..differences(&[]) }
    }

    fn code(result: BillingResult<Rectification>) -> &'static str {
        result.expect_err("it is refused").code().expect("a refusal")
    }

    // RECT-5
    #[test]
    fn everything_goes_back_to_zero_to_the_cent() {
        let original = invoice(3100, 651);
        let made = rectification(&original, &[], &to_zero(), date("2026-11-20")).unwrap();
        assert_eq!((made.totals.base, made.totals.vat, made.totals.total), (Cents(-3100), Cents(-651), Cents(-3751)));
        assert_eq!((made.lines[0].quantity, made.lines[0].unit, made.lines[0].amount), (-1, Cents(3100), Cents(-3100)));
        assert_eq!(made.connections, -4);
        // After two differences of one cent each, whose tax rounds to nothing, the rest of both goes back.
        let before = [invoice(-1, 0), invoice(-1, 0)];
        let made = rectification(&original, &before, &to_zero(), date("2026-11-20")).unwrap();
        assert_eq!((made.totals.base, made.totals.vat), (Cents(-3098), Cents(-651)));
        assert_eq!(made.lines.iter().map(|line| line.amount.0).sum::<i64>(), -3098);
    }

    // RECT-1, RECT-3
    #[test]
    fn differences_have_their_sign_and_their_tax() {
        let original = invoice(3100, 651);
        let made = rectification(&original, &[], &differences(&[-500, -100]), date("2026-11-20")).unwrap();
        assert_eq!((made.totals.base, made.totals.vat, made.totals.total), (Cents(-600), Cents(-126), Cents(-726)));
        let more = rectification(&original, &[], &differences(&[250]), date("2026-11-20")).unwrap();
        assert_eq!((more.totals.vat, more.totals.total), (Cents(53), Cents(303)));
        // One cent has no tax of its own; of the third the tax of all three is due.
        let before = [invoice(-1, 0), invoice(-1, 0)];
        let made = rectification(&original, &before, &differences(&[-1]), date("2026-11-20")).unwrap();
        assert_eq!((made.totals.base, made.totals.vat, made.totals.total), (Cents(-1), Cents(-1), Cents(-2)));
    }

    // RECT-8
    #[test]
    fn for_want_of_payment_the_base_goes_down_and_nothing_else() {
        let original = invoice(3100, 651);
        let relief = Relief {
            order_date: Some(date("2026-11-10")),
            published_on: Some(date("2026-11-12")),
            reference: Some("Autos 1/2026".into()),
            not_excluded: true,
            ..Relief::default()
        };
        let today = date("2026-11-20");
        let wanted = Wanted { invoice_type: "R2", relief: relief.clone(), ..to_zero() };
        let made = rectification(&original, &[], &wanted, today).unwrap();
        assert_eq!((made.totals.base, made.totals.vat, made.connections), (Cents(-3100), Cents(-651), 0), "calls stay");
        assert_eq!(made.relief.unwrap().deadline, Some(date("2027-02-12")));
        assert_eq!((made.lines.len(), made.lines[0].code.as_str()), (1, "adjustment"));
        let paid = Invoice { state: State { status: InvoiceStatus::Paid, ..State::issued() }, ..original.clone() };
        assert_eq!(code(rectification(&paid, &[], &wanted, today)), "INVOICE_NOT_RECTIFIABLE", "nothing is unpaid");
        let outside = Invoice { totals: Totals { vat_rate: Percent(0), vat: Cents(0), ..original.totals }, ..original.clone() };
        assert_eq!(code(rectification(&outside, &[], &wanted, today)), "INVOICE_NOT_RECTIFIABLE", "without tax");
        let bare = Wanted { invoice_type: "R2", ..differences(&[-100]) };
        assert_eq!(code(rectification(&original, &[], &bare, today)), "INVALID_FIELDS", "its conditions are asked for");
        // Up again, as far as it went down
        let up = |amount| Wanted { invoice_type: "R2", ..differences(&[amount]) };
        let before = [Invoice { invoice_type: "R2".into(), ..invoice(-1000, -210) }];
        assert!(rectification(&original, &before, &up(1000), today).is_ok());
        assert_eq!(code(rectification(&original, &before, &up(1001), today)), "AMOUNT_TOO_HIGH");
    }

    // RECT-4, RECT-6
    #[test]
    fn what_cannot_be_is_refused() {
        let original = invoice(3100, 651);
        let today = date("2026-11-20");
        let of = |status| Invoice { state: State { status, ..State::issued() }, ..original.clone() };
        assert_eq!(code(rectification(&original, &[], &differences(&[-3101]), today)), "AMOUNT_TOO_LOW");
        assert_eq!(code(rectification(&original, &[invoice(-3000, -630)], &differences(&[-101]), today)), "AMOUNT_TOO_LOW");
        assert_eq!(code(rectification(&original, &[], &differences(&[0]), today)), "AMOUNT_ZERO");
        assert_eq!(code(rectification(&original, &[], &differences(&[5, -5]), today)), "AMOUNT_ZERO");
        assert_eq!(code(rectification(&original, &[], &differences(&[i64::MIN + 1]), today)), "NUMBER_RANGE");
        assert_eq!(code(rectification(&of(InvoiceStatus::Cancelled), &[], &to_zero(), today)), "INVOICE_NOT_RECTIFIABLE");
        assert_eq!(code(rectification(&of(InvoiceStatus::Rectified), &[], &to_zero(), today)), "INVOICE_NOT_RECTIFIABLE");
        assert_eq!(code(rectification(&of(InvoiceStatus::InRemittance), &[], &to_zero(), today)), "INVOICE_IN_REMITTANCE");
        let debited = [of(InvoiceStatus::InRemittance)];
        assert_eq!(code(rectification(&original, &debited, &to_zero(), today)), "INVOICE_IN_REMITTANCE");
        let rectifying = Invoice { kind: Kind::Rectifying, ..original.clone() };
        assert_eq!(code(rectification(&rectifying, &[], &to_zero(), today)), "INVOICE_NOT_RECTIFIABLE");
        assert!(rectification(&original, &[], &to_zero(), date("2030-11-02")).is_ok(), "four years to the day");
        assert_eq!(code(rectification(&original, &[], &to_zero(), date("2030-11-03"))), "INVOICE_TOO_OLD");
    }
}
