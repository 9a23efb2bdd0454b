//! An invoice as texts, ready to be printed (DOMAIN §4.1); the same invoice as structured data. Pure.

use super::words::{Words, words};
use crate::invoices::model::{DetailRow, Invoice, InvoiceDocument, InvoiceLine, Kind, Party};
use crate::verifactu::Mode;
use atalaya_content::languages::format;
use atalaya_einvoice as einvoice;
use atalaya_kernel::{Language, calendar};
use atalaya_pdf::{Detail, DetailColumn, InvoiceSheet, Labelled, SheetLine, SheetPayment, Who};
use atalaya_tariff::{Cents, Percent};
use chrono::NaiveDate;

/// The legend of documents that are not for the tax office (DOMAIN §4.5).
const TRIAL: &str = "ENTORNO DE PRUEBAS";

/// How amounts and days are written.
#[derive(Clone, Copy)]
pub(super) struct Format(pub Language);

impl Format {
    /// `-1.234,50`.
    fn number(self, cents: Cents) -> String {
        format::cents(cents.0, self.0).replace('-', "−")
    }

    /// With the currency.
    pub fn money(self, cents: Cents) -> String {
        format!("{}\u{a0}€", self.number(cents))
    }

    /// `21`, `10,5`.
    fn percent(self, percent: Percent) -> String {
        let text = self.number(Cents(percent.0.into()));
        let text = text.trim_end_matches('0');
        text.trim_end_matches([',', '.']).to_owned()
    }

    fn count(self, count: i64) -> String {
        let text = self.number(Cents(count.saturating_mul(100)));
        text.split_at_checked(text.len() - 3).map_or(text.clone(), |(whole, _)| whole.to_owned())
    }
}

/// `31/10/2026`.
pub(super) fn day(date: NaiveDate) -> String {
    date.format("%d/%m/%Y").to_string()
}

/// The printed invoice. `qr_url`: where its QR leads.
pub fn sheet(document: &InvoiceDocument, mode: Mode, qr_url: String) -> InvoiceSheet {
    let invoice = &document.invoice;
    let language = invoice.header.language;
    let (words, format) = (&words(language), Format(language));
    let trial = mode != Mode::Production;
    let title = if invoice.kind == Kind::Normal { words.invoice } else { words.rectifying };
    let rectifies = invoice.header.rectified.as_ref().map(|rectified| {
        let text = words.rectifies.replace("{number}", &rectified.number).replace("{date}", &day(rectified.issue_date));
        // Last, so that braces which somebody typed stay what they are.
        text.replace("{reason}", &rectified.reason)
    });
    let rate = format.percent(invoice.totals.vat_rate);
    InvoiceSheet {
        language: language.code().to_owned(),
        title: title.to_owned(),
        number: invoice.number.clone(),
        issued_at: invoice.issued_at,
        qr_url,
        qr_above: "QR tributario:".to_owned(),
        qr_below: if mode == Mode::Off { TRIAL.to_owned() } else { "VERI*FACTU".to_owned() },
        trial: (trial && mode != Mode::Off).then(|| TRIAL.to_owned()),
        facts: facts(words, invoice),
        issuer: who(words, words.issuer, &invoice.header.issuer),
        recipient: who(words, words.recipient, &invoice.header.recipient),
        rectifies,
        columns: words.columns.map(str::to_owned),
        lines: invoice.lines.iter().map(|one| line(words, format, one)).collect(),
        payment: payment(words, invoice),
        totals: vec![
            Labelled::new(words.base, format.money(invoice.totals.base)),
            Labelled::new(words.vat.replace("{rate}", &rate), format.money(invoice.totals.vat)),
        ],
        total: Labelled::new(words.total, format.money(invoice.totals.total)),
        notes: if invoice.totals.is_subject() { vec![] } else { vec![words.outside.to_owned()] },
        footer: footer(words, &invoice.header.issuer),
        page: words.page.to_owned(),
        detail: (!document.connections.is_empty()).then(|| detail(words, format, document)),
    }
}

fn facts(words: &Words, invoice: &Invoice) -> Vec<Labelled> {
    let mut facts = vec![Labelled::new(words.issue_date, day(invoice.issue_date))];
    if invoice.operation_date != invoice.issue_date {
        facts.push(Labelled::new(words.operation_date, day(invoice.operation_date)));
    }
    facts.push(Labelled::new(words.period, format!("{} – {}", day(invoice.period_from), day(invoice.period_to))));
    // Money that goes back is due on no day.
    if invoice.totals.total >= Cents(0) {
        facts.push(Labelled::new(words.due_date, day(invoice.due_date)));
    }
    facts
}

fn who(words: &Words, heading: &str, party: &Party) -> Who {
    let town = match party.region.trim() {
        "" => format!("{} {}", party.postal_code, party.city),
        region => format!("{} {} ({region})", party.postal_code, party.city),
    };
    let lines = vec![format!("{} {}", words.nif, party.nif), party.address.clone(), town];
    Who { heading: heading.to_owned(), name: party.name.clone(), lines }
}

fn footer(words: &Words, issuer: &Party) -> String {
    let parts = [Some(issuer.name.clone()), Some(format!("{} {}", words.nif, issuer.nif)), issuer.registry_data.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn line(words: &Words, format: Format, line: &InvoiceLine) -> SheetLine {
    let pair = |[text, detail]: [&str; 2]| (text.to_owned(), Some(detail.to_owned()));
    let (text, detail) = match line.code.as_str() {
        "connection" => pair(words.connection),
        "otherConnections" => pair(words.other),
        "exceededMinute" => pair(words.exceeded),
        "guestMinute" => pair(words.guest),
        "discount" => {
            let percent = format.percent(line.percent.unwrap_or_default());
            (words.discount[0].replace("{percent}", &percent), Some(words.discount[1].to_owned()))
        }
        "minimum" => (words.minimum[0].to_owned(), minimum(words, format, line)),
        _ => (line.description.clone(), None),
    };
    let whole = matches!(line.code.as_str(), "discount" | "minimum");
    SheetLine {
        text,
        detail,
        quantity: if whole { String::new() } else { format.count(line.quantity) },
        unit: if whole { String::new() } else { format.money(line.unit) },
        amount: format.money(line.amount),
    }
}

fn minimum(words: &Words, format: Format, line: &InvoiceLine) -> Option<String> {
    let minimum = format.money(line.minimum?);
    let prorated = line.days.zip(line.days_in_month).filter(|(days, all)| days < all);
    let text = match prorated {
        Some((days, all)) => words.minimum[2].replace("{days}", &days.to_string()).replace("{all}", &all.to_string()),
        None => words.minimum[1].to_owned(),
    };
    Some(text.replace("{minimum}", &minimum))
}

fn payment(words: &Words, invoice: &Invoice) -> SheetPayment {
    let payment = &invoice.header.payment;
    if invoice.totals.total < Cents(0) {
        return SheetPayment { heading: words.payment.to_owned(), facts: vec![], note: Some(words.credit_note.to_owned()) };
    }
    let means = if payment.direct_debit { words.debit } else { words.transfer };
    let account = if payment.direct_debit { payment.iban.clone() } else { payment.transfer_iban.as_deref().map(in_fours) };
    let mut facts = vec![Labelled::new(words.means, means)];
    for (label, value) in
        [(words.account, account.as_ref()), (words.mandate, payment.umr.as_ref()), (words.creditor, payment.creditor_id.as_ref())]
    {
        facts.extend(value.map(|value| Labelled::new(label, value)));
    }
    let note = if payment.direct_debit { words.debit_note } else { words.transfer_note };
    let note = note.replace("{date}", &day(invoice.due_date)).replace("{number}", &invoice.number);
    SheetPayment { heading: words.payment.to_owned(), facts, note: Some(note) }
}

/// An IBAN as it stands on paper.
fn in_fours(iban: &str) -> String {
    let letters: Vec<char> = iban.chars().filter(|c| !c.is_whitespace()).collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

fn detail(words: &Words, format: Format, document: &InvoiceDocument) -> Detail {
    // Millimetres, to the right, letters that fit.
    let shapes = [
        (Some(26), false, 16),
        (None, false, 26),
        (Some(38), false, 25),
        (Some(16), true, 9),
        (Some(11), true, 6),
        (Some(13), true, 6),
        (Some(12), true, 6),
        (Some(14), true, 9),
        (Some(17), true, 11),
    ];
    let columns = words.detail_columns.iter().zip(shapes);
    let columns = columns.map(|(title, (width, right, letters))| {
        let title = (*title).to_owned();
        DetailColumn { title, width, right, letters }
    });
    let invoice = &document.invoice;
    let period = format!("{} – {}", day(invoice.period_from), day(invoice.period_to));
    let count = format.count(i64::try_from(document.connections.len()).unwrap_or(i64::MAX));
    Detail {
        title: words.detail.to_owned(),
        subtitle: words.detail_note.replace("{period}", &period).replace("{n}", &count),
        columns: columns.collect(),
        rows: document.connections.iter().map(|row| detail_row(format, row)).collect(),
    }
}

fn detail_row(format: Format, row: &DetailRow) -> Vec<String> {
    let some = |count: i64| if count == 0 { "–".to_owned() } else { count.to_string() };
    vec![
        calendar::local(row.start).format("%d/%m/%Y %H:%M").to_string(),
        row.expedient.clone(),
        row.user_name.clone(),
        format!("{}:{:02}", row.seconds / 60, row.seconds % 60),
        row.minutes.to_string(),
        some(row.exceeded),
        some(row.guest_minutes),
        format.number(row.unit),
        format.number(row.amount),
    ]
}

/// The same invoice as structured data.
pub fn structured(invoice: &Invoice) -> einvoice::InvoiceDocument {
    let payment = &invoice.header.payment;
    let rectified = invoice.header.rectified.as_ref();
    einvoice::InvoiceDocument {
        number: invoice.number.clone(),
        issue_date: invoice.issue_date,
        operation_date: invoice.operation_date,
        period_from: invoice.period_from,
        period_to: invoice.period_to,
        due_date: invoice.due_date,
        issuer: party(&invoice.header.issuer),
        recipient: party(&invoice.header.recipient),
        language: invoice.header.language.code().to_owned(),
        lines: invoice.lines.iter().map(structured_line).collect(),
        base: invoice.totals.base,
        vat_rate: invoice.totals.vat_rate.0,
        vat: invoice.totals.vat,
        total: invoice.totals.total,
        payment: payment.direct_debit.then(|| einvoice::Payment {
            iban_masked: payment.iban.clone(),
            umr: payment.umr.clone(),
            creditor_id: payment.creditor_id.clone(),
        }),
        rectifies: rectified.map(|rectified| einvoice::Rectified {
            number: rectified.number.clone(),
            issue_date: rectified.issue_date,
            reason: rectified.reason.clone(),
        }),
    }
}

fn party(party: &Party) -> einvoice::Party {
    einvoice::Party {
        name: party.name.clone(),
        nif: party.nif.clone(),
        address: party.address.clone(),
        postal_code: party.postal_code.clone(),
        city: party.city.clone(),
        region: party.region.clone(),
        registry_data: party.registry_data.clone(),
        email: party.email.clone(),
    }
}

fn structured_line(line: &InvoiceLine) -> einvoice::DocumentLine {
    use einvoice::LineKind;
    let kind = match line.code.as_str() {
        "connection" => LineKind::Connection,
        "otherConnections" => LineKind::OtherConnections,
        "exceededMinute" => LineKind::ExceededMinute,
        "guestMinute" => LineKind::GuestMinute,
        "discount" => LineKind::Discount { percent: line.percent.unwrap_or_default().0 },
        "minimum" => LineKind::Minimum {
            days: line.days.unwrap_or_default(),
            days_in_month: line.days_in_month.unwrap_or_default(),
            minimum: line.minimum.unwrap_or_default().0,
        },
        _ => LineKind::Text { text: line.description.clone() },
    };
    einvoice::DocumentLine { kind, quantity: Some(line.quantity), unit: Some(line.unit), amount: line.amount }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_people_write_them() {
        let (es, en) = (Format(Language::Es), Format(Language::En));
        assert_eq!(es.money(Cents(123_456_789)), "1.234.567,89\u{a0}€");
        assert_eq!(en.money(Cents(-4959)), "−49.59\u{a0}€");
        assert_eq!(
            (es.percent(Percent(2100)), es.percent(Percent(1250)), es.percent(Percent(0))),
            ("21".into(), "12,5".into(), "0".into())
        );
        assert_eq!(in_fours("ES7921000813610123456789"), "ES79 2100 0813 6101 2345 6789");
        assert_eq!((es.count(1234), es.count(-3), es.count(0)), ("1.234".into(), "−3".into(), "0".into()));
    }
}
