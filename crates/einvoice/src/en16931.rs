//! The invoice in the terms of EN 16931 (`BT-…` business terms, `BG-…` groups), which UBL and CII write down each in its own way.
//!
//! *Invariants:* prices are not negative (BR-27), so that a sign stands in the quantity; what goes back to the customer is a credit note
//! with positive sums; the sums are those of the invoice, which [`Sums`] only puts into the standard's order.

use crate::document::{DocumentLine, InvoiceDocument, Legend, LineKind, Party};
use crate::write::clean;
use atalaya_checks::country;
use atalaya_tariff::{Cents, Percent, VatRegime};

/// BT-24: the standard itself, without a national extension.
pub(crate) const GUIDELINE: &str = "urn:cen.eu:en16931:2017";
/// BT-5.
pub(crate) const EURO: &str = "EUR";
/// BT-98: a discount, of UNCL 5189.
pub(crate) const DISCOUNT: &str = "95";
/// The scheme of e-mail addresses, of the list EAS.
pub(crate) const EMAIL: &str = "EM";
/// BT-122: the document that the QR of the invoice leads to.
pub(crate) const QR: &str = "QR tributario";

/// Names, addresses.
const NAME: usize = 200;
/// Whole sentences.
const TEXT: usize = 1000;

/// Kinds of invoices (BT-3), of UNCL 1001.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Invoice,
    /// A rectification that asks for more.
    DebitNote,
    /// A rectification that gives back.
    CreditNote,
}

impl Kind {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Invoice => "380",
            Self::DebitNote => "383",
            Self::CreditNote => "381",
        }
    }
}

/// How everything on it is taxed: an invoice of ours has one regime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Category {
    /// BT-118, BT-151: `S` VAT, `L` the tax of the Canaries, `AE` reverse charge, `O` not subject.
    pub code: &'static str,
    /// BT-119, BT-152; what is not subject has none.
    pub rate: Option<Percent>,
    /// BT-121.
    pub exemption: Option<&'static str>,
    /// BT-120.
    pub reason: Option<&'static str>,
}

impl Category {
    fn of(invoice: &InvoiceDocument) -> Self {
        let reason = invoice.legend().map(Legend::text);
        let (code, rate, exemption) = match invoice.regime {
            VatRegime::General => ("S", Some(invoice.rate()), None),
            VatRegime::Igic => ("L", Some(invoice.rate()), None),
            VatRegime::ReverseCharge => ("AE", Some(Percent(0)), Some("VATEX-EU-AE")),
            VatRegime::Outside => ("O", None, Some("VATEX-EU-O")),
        };
        Self { code, rate, exemption, reason }
    }

    /// BR-O-02 forbids VAT numbers where nothing is subject.
    fn names_vat_numbers(self) -> bool {
        self.code != "O"
    }
}

/// Seller (BG-4) or buyer (BG-7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trader {
    pub name: String,
    /// BT-30, BT-47: the tax id as it stands on the invoice.
    pub id: Option<String>,
    /// BT-31, BT-48, with the country's prefix.
    pub vat: Option<String>,
    /// BT-33: of the seller.
    pub legal: Option<String>,
    /// BT-34, BT-49.
    pub email: Option<String>,
    pub street: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    pub region: Option<String>,
    /// Two letters.
    pub country: String,
}

impl Trader {
    fn of(party: &Party, category: Category) -> Self {
        let some = |text: &str, most| Some(clean(text, most)).filter(|text| !text.is_empty());
        Self {
            name: clean(&party.name, NAME),
            id: some(&party.nif, 30),
            vat: vat_number(party).filter(|_| category.names_vat_numbers()),
            legal: party.registry_data.as_deref().and_then(|text| some(text, TEXT)),
            email: party.email.as_deref().and_then(|text| some(text, NAME)),
            street: some(&party.address, NAME),
            city: some(&party.city, NAME),
            postal_code: some(&party.postal_code, 20),
            region: some(&party.region, NAME),
            country: party.country.clone().unwrap_or_else(|| country::SPAIN.to_owned()),
        }
    }
}

/// BR-CO-09: with the prefix of its country. Of the Union it is kept with it; elsewhere nobody has one.
fn vat_number(party: &Party) -> Option<String> {
    let id = clean(&party.nif, 30);
    match party.country.as_deref() {
        _ if id.is_empty() => None,
        None => Some(format!("{}{id}", country::SPAIN)),
        Some(code) => country::is_in_union(code).then_some(id),
    }
}

/// A line (BG-25). Its sign is that of its quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub name: String,
    pub quantity: i64,
    /// BT-130, of UN/ECE Recommendation 20: `C62` one, `MIN` minutes.
    pub unit_code: &'static str,
    pub price: Cents,
    pub amount: Cents,
}

/// A discount or surcharge on the whole (BG-20, BG-21).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Adjustment {
    pub charge: bool,
    pub percent: Percent,
    /// What the percentage is of.
    pub base: Cents,
    pub amount: Cents,
    pub reason: String,
}

/// How it is paid (BG-16).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// `59`. The debtor's account is known masked only on the day of issue; the mandate names it.
    Debit { mandate: String, creditor: Option<String> },
    /// `58`, to this account.
    Transfer { iban: String },
}

impl Means {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Debit { .. } => "59",
            Self::Transfer { .. } => "58",
        }
    }

    fn of(invoice: &InvoiceDocument) -> Option<Self> {
        match &invoice.payment {
            Some(payment) => payment.umr.as_ref().map(|umr| Self::Debit {
                mandate: clean(umr, 35),
                creditor: payment.creditor_id.as_deref().map(|id| clean(id, 35)),
            }),
            None => invoice.transfer_iban.as_deref().map(|iban| Self::Transfer { iban: clean(iban, 34).replace(' ', "") }),
        }
    }
}

/// The totals (BG-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    /// BT-106.
    pub lines: Cents,
    /// BT-107.
    pub allowances: Cents,
    /// BT-108.
    pub charges: Cents,
    /// BT-109, BT-116.
    pub base: Cents,
    /// BT-110, BT-117.
    pub vat: Cents,
    /// BT-112, BT-115.
    pub total: Cents,
}

/// The invoice.
pub(crate) struct Model<'a> {
    pub invoice: &'a InvoiceDocument,
    pub kind: Kind,
    pub number: String,
    pub category: Category,
    /// BT-22.
    pub notes: Vec<String>,
    pub seller: Trader,
    pub buyer: Trader,
    /// BT-10.
    pub reference: Option<String>,
    pub lines: Vec<Line>,
    pub adjustments: Vec<Adjustment>,
    pub means: Option<Means>,
    /// BT-20, where no day of payment is said.
    pub terms: Option<&'static str>,
    pub sums: Sums,
    /// BT-124.
    pub qr: Option<String>,
}

impl<'a> Model<'a> {
    /// `qr` is the address of the invoice's QR, which a structured invoice carries in a field (Orden HAC/1177/2024 art. 20.2).
    pub(crate) fn of(invoice: &'a InvoiceDocument, qr: Option<&str>) -> Self {
        let kind = match (&invoice.rectifies, invoice.total < Cents(0)) {
            (_, true) => Kind::CreditNote,
            (Some(_), false) => Kind::DebitNote,
            (None, false) => Kind::Invoice,
        };
        let credit = kind == Kind::CreditNote;
        let signed = |amount: Cents| Cents(if credit { -amount.0 } else { amount.0 });
        let category = Category::of(invoice);
        let (discounts, items): (Vec<_>, Vec<_>) =
            invoice.lines.iter().partition(|line| matches!(line.kind, LineKind::Discount { .. }));
        let lines: Vec<Line> = items.into_iter().map(|one| line(one, credit)).collect();
        let consumed = invoice.lines.iter().filter(|line| is_consumption(&line.kind)).map(|line| line.amount.0).sum();
        let adjustments: Vec<Adjustment> =
            discounts.into_iter().map(|one| adjustment(one, signed(one.amount), signed(Cents(consumed)))).collect();
        let sum = |charge: bool| Cents(adjustments.iter().filter(|one| one.charge == charge).map(|one| one.amount.0).sum());
        let sums = Sums {
            lines: Cents(lines.iter().map(|line| line.amount.0).sum()),
            allowances: sum(false),
            charges: sum(true),
            base: signed(invoice.base),
            vat: signed(invoice.vat),
            total: signed(invoice.total),
        };
        Self {
            invoice,
            kind,
            number: clean(&invoice.number, 60),
            category,
            notes: notes(invoice, category),
            seller: Trader::of(&invoice.issuer, category),
            buyer: Trader { legal: None, ..Trader::of(&invoice.recipient, category) },
            reference: invoice.buyer.reference.as_deref().map(|text| clean(text, NAME)).filter(|text| !text.is_empty()),
            lines,
            adjustments,
            means: Means::of(invoice).filter(|_| !credit),
            terms: credit.then_some("Importe a favor del cliente"),
            sums,
            qr: qr.map(|qr| clean(qr, TEXT)).filter(|qr| !qr.is_empty()),
        }
    }
}

fn notes(invoice: &InvoiceDocument, category: Category) -> Vec<String> {
    let rectified = invoice.rectifies.as_ref().map(|rectified| {
        clean(&format!("Factura rectificativa por diferencias de la factura {}: {}", rectified.number, rectified.reason), TEXT)
    });
    rectified.into_iter().chain(category.reason.map(str::to_owned)).collect()
}

/// What a discount is a percentage of.
fn is_consumption(kind: &LineKind) -> bool {
    !matches!(kind, LineKind::Discount { .. } | LineKind::Minimum { .. })
}

fn line(line: &DocumentLine, credit: bool) -> Line {
    let amount = if credit { -line.amount.0 } else { line.amount.0 };
    // Whole lines have no quantity of their own; a quantity that the amount does not follow from is no quantity.
    let parts = line.quantity.zip(line.unit).filter(|(quantity, unit)| unit.times(*quantity) == Ok(line.amount));
    let (quantity, price) = match parts {
        Some((quantity, unit)) => (quantity.abs(), Cents(unit.0.abs())),
        None => (1, Cents(amount.abs())),
    };
    let unit_code = match line.kind {
        LineKind::ExceededMinute | LineKind::GuestMinute => "MIN",
        _ => "C62",
    };
    let name = Some(clean(line.kind.text(), TEXT)).filter(|name| !name.is_empty()).unwrap_or_else(|| "-".to_owned());
    Line { name, quantity: quantity * if amount < 0 { -1 } else { 1 }, unit_code, price, amount: Cents(amount) }
}

fn adjustment(line: &DocumentLine, amount: Cents, base: Cents) -> Adjustment {
    let percent = match line.kind {
        LineKind::Discount { percent } => Percent(percent),
        _ => Percent(0),
    };
    let reason = clean(line.kind.text(), TEXT);
    Adjustment { charge: amount > Cents(0), percent, base, amount: Cents(amount.0.abs()), reason }
}

/// `21.00`.
pub(crate) fn rate(percent: Percent) -> String {
    Cents(percent.0.into()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(quantity: Option<i64>, unit: Option<i64>, amount: i64) -> DocumentLine {
        DocumentLine { kind: LineKind::Connection, quantity, unit: unit.map(Cents), amount: Cents(amount) }
    }

    // EINV-11
    #[test]
    fn the_sign_of_a_line_is_in_its_quantity() {
        for (given, credit, expected) in [
            (of(Some(3), Some(600), 1800), false, (3, 600, 1800)),
            (of(Some(-3), Some(600), -1800), true, (3, 600, 1800)),
            (of(Some(1), Some(-500), -500), true, (1, 500, 500)),
            (of(Some(1), Some(-500), -500), false, (-1, 500, -500)),
            (of(Some(1), Some(200), 200), true, (-1, 200, -200)),
            (of(None, None, 3300), false, (1, 3300, 3300)),
            (of(Some(7), Some(3), 20), false, (1, 20, 20)),
        ] {
            let line = line(&given, credit);
            assert_eq!((line.quantity, line.price.0, line.amount.0), expected, "{given:?} {credit}");
            assert_eq!(line.price.times(line.quantity), Ok(line.amount));
        }
    }

    // EINV-10
    #[test]
    fn vat_numbers_have_the_prefix_of_their_country() {
        let party =
            |nif: &str, country: Option<&str>| Party { nif: nif.into(), country: country.map(Into::into), ..Party::default() };
        for (party, expected) in [
            (party("B12345674", None), Some("ESB12345674")),
            (party("PT501964843", Some("PT")), Some("PT501964843")),
            (party("GB123456789", Some("GB")), None),
            (party("", None), None),
        ] {
            assert_eq!(vat_number(&party).as_deref(), expected, "{party:?}");
        }
    }
}
