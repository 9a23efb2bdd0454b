//! The printed invoice: facts become texts on a sheet. Pure.

use crate::in_fours;
use crate::words::{Words, words};
use atalaya_checks::country;
use atalaya_content::languages::format;
use atalaya_einvoice::{DocumentLine, InvoiceDocument, Legend, LineKind, Party};
use atalaya_kernel::{Language, calendar};
use atalaya_pdf::{Detail, DetailColumn, InvoiceSheet, Labelled, PdfError, SheetLine, SheetPayment, Who, render_invoice};
use atalaya_tariff::{Cents, Percent};
use chrono::{DateTime, NaiveDate, Utc};

/// The legend of documents that are not for the tax office.
const TRIAL: &str = "ENTORNO DE PRUEBAS";

/// Everything printed on an invoice.
#[derive(Clone, Debug, PartialEq)]
pub struct InvoiceFacts {
    pub invoice: InvoiceDocument,
    pub language: Language,
    pub issued_at: DateTime<Utc>,
    pub is_rectifying: bool,
    /// The issuer's account, when it is paid by transfer.
    pub transfer_iban: Option<String>,
    pub seal: Seal,
    /// In order of their start.
    pub connections: Vec<ConnectionLine>,
}

/// What the invoice says of the tax office.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seal {
    /// The address in its QR code; `None`: its record is not sent there.
    pub qr_url: Option<String>,
    /// Its customer is made up.
    pub trial: bool,
}

/// A connection of the detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionLine {
    pub start: DateTime<Utc>,
    pub expedient: String,
    pub user_name: String,
    pub seconds: i64,
    pub minutes: i64,
    pub exceeded: i64,
    pub guest_minutes: i64,
    pub unit: Cents,
    pub amount: Cents,
}

/// The invoice as PDF. Takes computing time: call it where blocking is allowed.
pub fn invoice_pdf(facts: &InvoiceFacts) -> Result<Vec<u8>, PdfError> {
    render_invoice(&sheet(facts))
}

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

fn sheet(of: &InvoiceFacts) -> InvoiceSheet {
    let invoice = &of.invoice;
    let (words, format) = (&words(of.language), Format(of.language));
    let title = if of.is_rectifying { words.rectifying } else { words.invoice };
    let rectifies = invoice.rectifies.as_ref().map(|rectified| {
        let text = words.rectifies.replace("{number}", &rectified.number).replace("{date}", &day(rectified.issue_date));
        // Last, so that braces in the values stay as they are.
        text.replace("{reason}", &rectified.reason)
    });
    let rate = format.percent(invoice.rate());
    let tax = if invoice.is_igic() { words.igic } else { words.vat };
    InvoiceSheet {
        language: of.language.code().to_owned(),
        title: title.to_owned(),
        number: invoice.number.clone(),
        issued_at: of.issued_at,
        qr_url: of.seal.qr_url.clone(),
        qr_above: "QR tributario:".to_owned(),
        qr_below: "VERI*FACTU".to_owned(),
        trial: of.seal.trial.then(|| TRIAL.to_owned()),
        facts: facts(words, invoice),
        issuer: who(words, words.issuer, &invoice.issuer),
        recipient: who(words, words.recipient, &invoice.recipient),
        rectifies,
        columns: words.columns.map(str::to_owned),
        lines: invoice.lines.iter().map(|one| line(words, format, one)).collect(),
        payment: payment(words, of),
        totals: vec![
            Labelled::new(words.base, format.money(invoice.base)),
            Labelled::new(tax.replace("{rate}", &rate), format.money(invoice.vat)),
        ],
        total: Labelled::new(words.total, format.money(invoice.total)),
        notes: invoice.legend().map(|of| legend(words, of).to_owned()).into_iter().collect(),
        footer: footer(words, &invoice.issuer),
        page: words.page.to_owned(),
        detail: (!of.connections.is_empty()).then(|| detail(words, format, of)),
    }
}

fn facts(words: &Words, invoice: &InvoiceDocument) -> Vec<Labelled> {
    let mut facts = vec![Labelled::new(words.issue_date, day(invoice.issue_date))];
    if invoice.operation_date != invoice.issue_date {
        facts.push(Labelled::new(words.operation_date, day(invoice.operation_date)));
    }
    facts.push(Labelled::new(words.period, format!("{} – {}", day(invoice.period_from), day(invoice.period_to))));
    // A refund has no due date.
    if invoice.total >= Cents(0) {
        facts.push(Labelled::new(words.due_date, day(invoice.due_date)));
    }
    facts
}

/// Why there is no tax.
fn legend(words: &Words, of: Legend) -> &'static str {
    match of {
        Legend::Outside => words.outside,
        Legend::ReverseUnion => words.reverse_union,
        Legend::OutsideIgic => words.outside_igic,
        Legend::ReverseUnionIgic => words.reverse_union_igic,
        Legend::ReversePeninsula => words.reverse_peninsula,
    }
}

fn who(words: &Words, heading: &str, party: &Party) -> Who {
    let country = party.country.as_deref();
    let brackets = [Some(party.region.trim()).filter(|region| !region.is_empty()), country];
    let brackets = brackets.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let town = match brackets.as_str() {
        "" => format!("{} {}", party.postal_code, party.city),
        more => format!("{} {} ({more})", party.postal_code, party.city),
    };
    let id = match country {
        None => words.nif,
        Some(code) if country::is_in_union(code) => words.vat_number,
        Some(_) => words.tax_id,
    };
    let lines = vec![format!("{id} {}", party.nif), party.address.clone(), town.trim().to_owned()];
    Who { heading: heading.to_owned(), name: party.name.clone(), lines }
}

fn footer(words: &Words, issuer: &Party) -> String {
    let parts = [Some(issuer.name.clone()), Some(format!("{} {}", words.nif, issuer.nif)), issuer.registry_data.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn line(words: &Words, format: Format, line: &DocumentLine) -> SheetLine {
    let pair = |[text, detail]: [&str; 2]| (text.to_owned(), Some(detail.to_owned()));
    let (text, detail) = match &line.kind {
        LineKind::Connection => pair(words.connection),
        LineKind::OtherConnections => pair(words.other),
        LineKind::ExceededMinute => pair(words.exceeded),
        LineKind::GuestMinute => pair(words.guest),
        LineKind::Discount { percent } => {
            let percent = format.percent(Percent(*percent));
            (words.discount[0].replace("{percent}", &percent), Some(words.discount[1].to_owned()))
        }
        LineKind::Minimum { days, days_in_month, minimum } => {
            (words.minimum[0].to_owned(), Some(prorated(words, *days, *days_in_month, &format.money(Cents(*minimum)))))
        }
        LineKind::Text { text } => (text.clone(), None),
    };
    let whole = matches!(line.kind, LineKind::Discount { .. } | LineKind::Minimum { .. });
    SheetLine {
        text,
        detail,
        quantity: line.quantity.filter(|_| !whole).map(|quantity| format.count(quantity)).unwrap_or_default(),
        unit: line.unit.filter(|_| !whole).map(|unit| format.money(unit)).unwrap_or_default(),
        amount: format.money(line.amount),
    }
}

fn prorated(words: &Words, days: i64, days_in_month: i64, minimum: &str) -> String {
    let text = if days < days_in_month {
        words.minimum[2].replace("{days}", &days.to_string()).replace("{all}", &days_in_month.to_string())
    } else {
        words.minimum[1].to_owned()
    };
    text.replace("{minimum}", minimum)
}

fn payment(words: &Words, of: &InvoiceFacts) -> SheetPayment {
    let invoice = &of.invoice;
    if invoice.total < Cents(0) {
        return SheetPayment { heading: words.payment.to_owned(), facts: vec![], note: Some(words.credit_note.to_owned()) };
    }
    let debit = invoice.payment.as_ref();
    let (means, note) = if debit.is_some() { (words.debit, words.debit_note) } else { (words.transfer, words.transfer_note) };
    let account = match debit {
        Some(debit) => debit.iban_masked.clone(),
        None => of.transfer_iban.as_deref().map(in_fours),
    };
    let mut facts = vec![Labelled::new(words.means, means)];
    facts.extend(account.map(|account| Labelled::new(words.account, account)));
    facts.extend(debit.and_then(|debit| debit.umr.as_ref()).map(|umr| Labelled::new(words.mandate, umr)));
    facts.extend(debit.and_then(|debit| debit.creditor_id.as_ref()).map(|id| Labelled::new(words.creditor, id)));
    let note = note.replace("{date}", &day(invoice.due_date)).replace("{number}", &invoice.number);
    SheetPayment { heading: words.payment.to_owned(), facts, note: Some(note) }
}

fn detail(words: &Words, format: Format, of: &InvoiceFacts) -> Detail {
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
    let invoice = &of.invoice;
    let period = format!("{} – {}", day(invoice.period_from), day(invoice.period_to));
    let count = format.count(i64::try_from(of.connections.len()).unwrap_or(i64::MAX));
    Detail {
        title: words.detail.to_owned(),
        subtitle: words.detail_note.replace("{period}", &period).replace("{n}", &count),
        columns: columns.collect(),
        rows: of.connections.iter().map(|row| detail_row(format, row)).collect(),
    }
}

fn detail_row(format: Format, row: &ConnectionLine) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_tariff::VatRegime;

    fn example(seal: Seal, vat_rate: Percent) -> InvoiceFacts {
        let day = NaiveDate::from_ymd_opt(2026, 11, 3).expect("a day");
        InvoiceFacts {
            invoice: InvoiceDocument {
                number: "A2026-000001".into(),
                issue_date: day,
                operation_date: day,
                period_from: day,
                period_to: day,
                due_date: day,
                issuer: Party::default(),
                recipient: Party { postal_code: "35001".into(), ..Party::default() },
                language: "es".into(),
                lines: vec![],
                base: Cents(3000),
                vat_rate: vat_rate.0,
                regime: if vat_rate == Percent(0) { VatRegime::Outside } else { VatRegime::General },
                vat: Cents(0),
                total: Cents(3000),
                payment: None,
                transfer_iban: None,
                buyer: atalaya_einvoice::BuyerCodes::default(),
                rectifies: None,
            },
            language: Language::Es,
            issued_at: DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
            is_rectifying: false,
            transfer_iban: None,
            seal,
            connections: vec![],
        }
    }

    // FACTU-2
    #[test]
    fn what_is_not_subject_says_so() {
        let islands = sheet(&example(Seal::default(), Percent(0)));
        assert_eq!(islands.notes, ["Operación no sujeta al IVA por reglas de localización (art. 69 Ley 37/1992)."]);
        assert_eq!(sheet(&example(Seal::default(), Percent(2100))).notes, Vec::<String>::new());
    }

    // FACTU-7
    #[test]
    fn a_code_and_a_legend_only_where_they_belong() {
        let url = || Some("https://www2.agenciatributaria.gob.es/x".to_owned());
        for (qr_url, trial) in [(None, false), (None, true), (url(), false), (url(), true)] {
            let facts = example(Seal { qr_url: qr_url.clone(), trial }, Percent(2100));
            let sheet = sheet(&facts);
            assert_eq!((sheet.qr_url, sheet.trial.is_some()), (qr_url, trial));
            assert!(invoice_pdf(&facts).expect("it is set").starts_with(b"%PDF"));
        }
    }

    // PRINT-3
    #[test]
    fn amounts_are_written_as_people_write_them() {
        let (es, en) = (Format(Language::Es), Format(Language::En));
        assert_eq!(es.money(Cents(123_456_789)), "1.234.567,89\u{a0}€");
        assert_eq!(en.money(Cents(-4959)), "−49.59\u{a0}€");
        assert_eq!(
            (es.percent(Percent(2100)), es.percent(Percent(1250)), es.percent(Percent(0))),
            ("21".into(), "12,5".into(), "0".into())
        );
        assert_eq!((es.count(1234), es.count(-3), es.count(0)), ("1.234".into(), "−3".into(), "0".into()));
    }
}
