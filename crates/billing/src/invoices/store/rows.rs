//! Rows become invoices and back.

use super::super::entity::invoice::{ActiveModel, Model};
use super::super::model::{Header, Invoice, InvoiceLine, InvoiceStatus, Kind, State, Totals};
use crate::{BillingError, BillingResult};
use atalaya_kernel::{CompanyId, InvoiceId, collate};
use atalaya_tariff::{Cents, Percent};
use chrono::{Datelike, NaiveDate};
use sea_orm::{ActiveModelTrait, IntoActiveModel};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn date(text: &str) -> BillingResult<NaiveDate> {
    text.parse().map_err(|_| BillingError::Corrupt(format!("`{text}` is no date")))
}

fn percent(hundredths: i32) -> BillingResult<Percent> {
    u32::try_from(hundredths).map(Percent).map_err(|_| BillingError::Corrupt(format!("{hundredths} is no percentage")))
}

fn read<T: DeserializeOwned>(number: &str, value: Value) -> BillingResult<T> {
    serde_json::from_value(value).map_err(|error| BillingError::Corrupt(format!("invoice {number}: {error}")))
}

pub(super) fn to_invoice(row: Model) -> BillingResult<Invoice> {
    let unknown = || BillingError::Corrupt(format!("invoice {}: kind {} or status {}", row.number, row.kind, row.status));
    let optional = |text: &Option<String>| text.as_deref().map(date).transpose();
    let kind = Kind::parse(&row.kind).ok_or_else(unknown)?;
    let status = InvoiceStatus::parse(&row.status).ok_or_else(unknown)?;
    let header: Header = read(&row.number, row.header)?;
    let lines: Vec<InvoiceLine> = read(&row.number, row.lines)?;
    Ok(Invoice {
        id: InvoiceId(row.id),
        kind,
        invoice_type: row.invoice_type,
        customer: CompanyId(row.customer_id),
        period: row.period,
        period_from: date(&row.period_from)?,
        period_to: date(&row.period_to)?,
        issue_date: date(&row.issue_date)?,
        operation_date: date(&row.operation_date)?,
        due_date: date(&row.due_date)?,
        issued_at: row.issued_at,
        connections: row.connections,
        totals: Totals {
            subtotal: Cents(row.subtotal),
            discount: percent(row.discount_percent)?,
            base: Cents(row.base),
            vat_rate: percent(row.vat_rate)?,
            vat: Cents(row.vat),
            total: Cents(row.total),
        },
        header,
        lines,
        state: State {
            status,
            superseded: row.superseded,
            sent_at: row.sent_at,
            mailed: row.message_id.is_some(),
            paid_at: row.paid_at,
            paid_by: row.paid_by,
            charge_date: optional(&row.charge_date)?,
            revocable_until: optional(&row.revocable_until)?,
            return_code: row.return_code,
            returned_at: row.returned_at,
            cancelled_at: row.cancelled_at,
            rectified_by: row.rectified_by.map(InvoiceId),
        },
        number: row.number,
    })
}

/// A fresh row of an invoice that was just issued.
pub(super) fn to_row(invoice: &Invoice) -> BillingResult<ActiveModel> {
    let plain = |value: serde_json::Result<Value>| value.map_err(|error| BillingError::Corrupt(error.to_string()));
    let hundredths = |percent: Percent| i32::try_from(percent.0).unwrap_or(i32::MAX);
    let recipient = &invoice.header.recipient;
    let totals = invoice.totals;
    let series_number = invoice.number.rsplit('-').next().and_then(|number| number.parse().ok());
    let row = Model {
        id: invoice.id.0,
        number: invoice.number.clone(),
        series: invoice.kind.series().to_owned(),
        series_year: invoice.issue_date.year(),
        series_number: series_number.ok_or_else(|| BillingError::Corrupt(format!("number {}", invoice.number)))?,
        kind: invoice.kind.name().to_owned(),
        invoice_type: invoice.invoice_type.clone(),
        customer_id: invoice.customer.0,
        company: recipient.name.clone(),
        search: collate::fold(&format!("{} {} {}", invoice.number, recipient.name, recipient.nif)),
        period: invoice.period.clone(),
        period_from: invoice.period_from.to_string(),
        period_to: invoice.period_to.to_string(),
        issue_date: invoice.issue_date.to_string(),
        operation_date: invoice.operation_date.to_string(),
        due_date: invoice.due_date.to_string(),
        issued_at: invoice.issued_at,
        connections: invoice.connections,
        subtotal: totals.subtotal.0,
        discount_percent: hundredths(totals.discount),
        base: totals.base.0,
        vat_rate: hundredths(totals.vat_rate),
        vat: totals.vat.0,
        total: totals.total.0,
        rectifies: invoice.header.rectified.as_ref().map(|rectified| rectified.id.0),
        reason: invoice.header.rectified.as_ref().map(|rectified| rectified.reason.clone()),
        header: plain(serde_json::to_value(&invoice.header))?,
        lines: plain(serde_json::to_value(&invoice.lines))?,
        status: invoice.state.status.name().to_owned(),
        superseded: false,
        sent_at: None,
        paid_at: None,
        paid_by: None,
        charge_date: None,
        revocable_until: None,
        return_code: None,
        returned_at: None,
        cancelled_at: None,
        rectified_by: None,
        message_id: None,
    };
    Ok(row.into_active_model().reset_all())
}
