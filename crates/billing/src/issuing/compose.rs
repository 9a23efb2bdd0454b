//! A calculated month becomes an invoice. Pure.

use crate::invoices::model::{Header, Invoice, InvoiceLine, Kind, Number, Party, Payment, State, Totals};
use crate::mandates::service::InForce;
use atalaya_identity::companies::model::Company;
use atalaya_kernel::InvoiceId;
use atalaya_tariff::{Line, LineCode, Month, Percent, Statement};
use chrono::{DateTime, NaiveDate, Utc};

/// Who issues and how he is paid, as it is today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerFacts {
    pub party: Party,
    /// His account, whole.
    pub iban: Option<String>,
    pub creditor_id: Option<String>,
}

/// When and as what it is issued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issue {
    pub id: InvoiceId,
    pub number: Number,
    pub at: DateTime<Utc>,
    pub date: NaiveDate,
    pub due_date: NaiveDate,
}

/// Names of the fields without which nobody can be on an invoice (RD 1619/2012 art. 6), as in the company's form.
pub(crate) fn missing(company: &Company) -> Vec<&'static str> {
    let lacks = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
    [
        ("company", lacks(Some(&company.name))),
        ("cif", lacks(company.cif.as_deref())),
        ("address", lacks(company.address.as_deref())),
        ("city", lacks(company.city.as_deref())),
        ("postalCode", lacks(company.postal_code.as_deref())),
    ]
    .into_iter()
    .filter_map(|(field, lacking)| lacking.then_some(field))
    .collect()
}

/// The recipient as it is printed, with its country (none: Spain).
pub(crate) fn recipient(company: &Company, country: Option<String>) -> Party {
    Party { country, ..party(company) }
}

/// The company as it is printed.
pub(crate) fn party(company: &Company) -> Party {
    let text = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_owned();
    Party {
        name: company.name.trim().to_owned(),
        nif: text(&company.cif),
        address: text(&company.address),
        postal_code: text(&company.postal_code),
        city: text(&company.city),
        region: text(&company.region),
        registry_data: None,
        email: company.email.clone(),
        country: None,
    }
}

/// The invoice of a customer's month.
pub(crate) fn invoice(issue: Issue, month: Month, company: &Company, header: Header, statement: &Statement) -> Invoice {
    Invoice {
        id: issue.id,
        number: issue.number.to_string(),
        kind: Kind::Normal,
        invoice_type: "F1".to_owned(),
        customer: company.id,
        period: Some(month.name()),
        period_from: month.first_day(),
        period_to: month.last_day(),
        issue_date: issue.date,
        operation_date: month.last_day(),
        due_date: issue.due_date,
        issued_at: issue.at,
        connections: statement.connections,
        totals: totals(statement),
        header,
        lines: statement.lines.iter().map(line).collect(),
        state: State::issued(),
    }
}

pub(crate) fn totals(statement: &Statement) -> Totals {
    Totals {
        subtotal: statement.subtotal,
        discount: statement.discount,
        base: statement.base,
        vat_rate: statement.vat_rate,
        vat: statement.vat,
        total: statement.total,
    }
}

/// How this customer pays: by debit once it has an account and a mandate with us, else to the issuer's account.
pub(crate) fn payment(issuer: &IssuerFacts, iban: Option<String>, mandate: Option<InForce>) -> Payment {
    let direct_debit = iban.is_some() && mandate.is_some() && issuer.creditor_id.is_some();
    let mandate = mandate.filter(|_| direct_debit);
    Payment {
        direct_debit,
        creditor_id: issuer.creditor_id.clone().filter(|_| direct_debit),
        transfer_iban: issuer.iban.clone().filter(|_| !direct_debit),
        iban: iban.filter(|_| direct_debit),
        notice_days: mandate.as_ref().map(|mandate| mandate.notice_days),
        umr: mandate.map(|mandate| mandate.umr),
    }
}

/// The name of a line on the wire.
pub(crate) fn code(code: LineCode) -> &'static str {
    match code {
        LineCode::Connection => "connection",
        LineCode::OtherConnections => "otherConnections",
        LineCode::ExceededMinute => "exceededMinute",
        LineCode::GuestMinute => "guestMinute",
        LineCode::Discount => "discount",
        LineCode::Minimum => "minimum",
    }
}

/// `12,5`, as percentages are written in Spanish.
fn percent_text(percent: Percent) -> String {
    match (percent.0 / 100, percent.0 % 100) {
        (whole, 0) => whole.to_string(),
        (whole, part) if part % 10 == 0 => format!("{whole},{}", part / 10),
        (whole, part) => format!("{whole},{part:02}"),
    }
}

/// The line as it is stored and printed.
pub(crate) fn line(line: &Line) -> InvoiceLine {
    let plain = |code: &str, description: String, quantity, unit, amount| InvoiceLine {
        code: code.to_owned(),
        description,
        price_id: None,
        quantity,
        unit,
        amount,
        percent: None,
        days: None,
        days_in_month: None,
        minimum: None,
    };
    match line {
        Line::Consumption { code: of, price_id, quantity, unit, amount } => {
            let description = match of {
                LineCode::Connection => "Conexiones",
                LineCode::OtherConnections => "Otras conexiones",
                LineCode::ExceededMinute => "Minutos excedidos",
                LineCode::GuestMinute => "Minutos de invitados",
                LineCode::Discount => "Descuento por volumen",
                LineCode::Minimum => "Complemento hasta el consumo mínimo",
            };
            InvoiceLine {
                price_id: Some(price_id.clone()),
                ..plain(code(*of), description.to_owned(), *quantity, *unit, *amount)
            }
        }
        Line::Discount { percent, amount } => {
            let description = format!("Descuento por volumen ({} %)", percent_text(*percent));
            InvoiceLine { percent: Some(*percent), ..plain("discount", description, 1, *amount, *amount) }
        }
        Line::Minimum { amount, days, days_in_month, minimum } => InvoiceLine {
            days: Some(*days),
            days_in_month: Some(*days_in_month),
            minimum: Some(*minimum),
            ..plain("minimum", "Complemento hasta el consumo mínimo".to_owned(), 1, *amount, *amount)
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRINT-3
    #[test]
    fn percentages_are_written_as_in_spain() {
        assert_eq!([500, 1250, 1205, 7].map(|hundredths| percent_text(Percent(hundredths))), ["5", "12,5", "12,05", "0,07"]);
    }

    fn in_force(umr: &str) -> InForce {
        InForce { umr: umr.to_owned(), notice_days: 14 }
    }

    // ISSUE-4
    #[test]
    fn who_pays_by_transfer_reads_where_to() {
        let issuer =
            IssuerFacts { party: Party::default(), iban: Some("ES91".into()), creditor_id: Some("ES77000B85626240".into()) };
        let by_debit = payment(&issuer, Some("ES12 **** 1332".into()), Some(in_force("VP-000001-01")));
        assert_eq!(by_debit.notice_days, Some(14));
        assert!(by_debit.direct_debit && by_debit.transfer_iban.is_none() && by_debit.creditor_id.is_some());
        for (iban, mandate) in [(None, None), (Some("ES12".to_owned()), None), (None, Some(in_force("VP")))] {
            let by_transfer = payment(&issuer, iban, mandate);
            assert_eq!(by_transfer.transfer_iban.as_deref(), Some("ES91"));
            assert_eq!((by_transfer.umr, by_transfer.iban, by_transfer.creditor_id), (None, None, None));
        }
    }
}
