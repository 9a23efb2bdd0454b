//! `get-details/{id}`: an invoice down to its connections, or a company's running month.

use crate::consumption::ConnectionRow;
use crate::consumption::http::ConnectionView;
use crate::consumption::service::month_of;
use crate::invoices::http::view::{self, InvoiceView};
use crate::invoices::model::{Header, Invoice, InvoiceLine, Party, Payment, Totals};
use crate::invoices::{InvoiceError, service as invoices};
use crate::issuing::{compose, issuer, prints};
use crate::mandates::service as mandates;
use crate::{Billing, BillingResult};
use atalaya_content::prices::{Price, service as prices};
use atalaya_einvoice::Legend;
use atalaya_identity::companies::customers::find_payers;
use atalaya_kernel::{CompanyId, CompanyKind, InvoiceId, Role};
use atalaya_rest::page::{ListQuery, Slice};
use atalaya_rest::{AdminOrCustomer, ApiResult, Json, Path, Problem, Query, RequestLanguage};
use atalaya_tariff::{Cents, Euros, Month, Outcome, Percent};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct DetailsQuery {
    /// Connections at most, 1 to 200.
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// Only connections that this line counts: `connection`, `otherConnections`, `exceededMinute`, `guestMinute`.
    line: Option<String>,
    /// Only those at a price of this table.
    price_id: Option<String>,
}

impl DetailsQuery {
    fn slice(&self) -> ApiResult<Slice> {
        ListQuery { limit: self.limit, cursor: self.cursor.clone(), ..ListQuery::default() }.slice()
    }

    fn is_filtered(&self) -> bool {
        self.line.is_some() || self.price_id.is_some()
    }

    fn admits(&self, row: &ConnectionRow) -> bool {
        let counted = match self.line.as_deref() {
            Some("connection") => row.first,
            Some("otherConnections") => !row.first,
            Some("exceededMinute") => row.exceeded > 0,
            Some("guestMinute") => row.guest_minutes > 0,
            _ => true,
        };
        counted && self.price_id.as_deref().is_none_or(|id| id == row.price_id.to_string())
    }

    fn cut(&self, rows: Vec<ConnectionRow>, slice: Slice) -> (Vec<ConnectionRow>, u64) {
        let all: Vec<ConnectionRow> = rows.into_iter().filter(|row| self.admits(row)).collect();
        let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
        (all.into_iter().skip(count(slice.offset)).take(count(slice.limit)).collect(), total)
    }
}

/// Issuer or recipient, as on the day of issue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoicePartyView)]
struct PartyView {
    company: String,
    cif: String,
    address: String,
    postal_code: String,
    city: String,
    region: String,
    registry_data: Option<String>,
}

impl From<Party> for PartyView {
    fn from(party: Party) -> Self {
        Self {
            company: party.name,
            cif: party.nif,
            address: party.address,
            postal_code: party.postal_code,
            city: party.city,
            region: party.region,
            registry_data: party.registry_data,
        }
    }
}

/// A direct debit; a transfer has `transferIban` instead.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoicePaymentView)]
struct PaymentView {
    /// Masked.
    iban: String,
    umr: Option<String>,
    creditor_id: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceHeader)]
struct HeaderView {
    issuer: PartyView,
    recipient: PartyView,
    payment: Option<PaymentView>,
    /// Where to pay by transfer.
    transfer_iban: Option<String>,
}

/// The numbers that a line was made of.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceFormula)]
struct Formula {
    key: String,
    /// Euros, percent, counts.
    values: BTreeMap<&'static str, Option<f64>>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceLine)]
struct LineView {
    code: String,
    /// In Spanish.
    description: String,
    price_id: Option<String>,
    quantity: i64,
    unit_price: Euros,
    amount: Euros,
    formula: Formula,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceTotals)]
struct TotalsView {
    subtotal: Euros,
    #[schema(value_type = f64)]
    discount_percent: Percent,
    base: Euros,
    #[schema(value_type = f64)]
    vat_rate: Percent,
    vat: Euros,
    total: Euros,
    /// Why no tax is charged.
    exempt: Option<&'static str>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvoiceDetailsBody {
    /// None of a running month.
    invoice: Option<InvoiceView>,
    provisional: bool,
    header: HeaderView,
    lines: Vec<LineView>,
    /// A page of them, in order of start.
    connections: Vec<ConnectionView>,
    /// Of all pages.
    connections_total: u64,
    next_cursor: Option<String>,
    totals: TotalsView,
}

/// An invoice, or by a company's id its running month as it stands now: header, lines with what they were made of, a page
/// of the connections, totals.
///
/// Errors: `INVOICE_NOT_FOUND` (404), also of another tenant's; `INVALID_FIELDS` (422) on `cursor`.
#[utoipa::path(get, path = "/api/v1/get-details/{id}", tag = "invoices", operation_id = "get_details",
    params(("id" = String, Path, description = "An invoice, or a company"), DetailsQuery),
    responses((status = 200, body = InvoiceDetailsBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
pub(super) async fn get_details(
    State(d): State<Billing>,
    caller: AdminOrCustomer,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<Uuid>,
    Query(query): Query<DetailsQuery>,
) -> ApiResult<Json<InvoiceDetailsBody>> {
    let slice = query.slice()?;
    let own = (caller.role != Role::Admin).then_some(caller.company);
    if let Some(invoice) = invoices::find(&d, InvoiceId(id), own).await? {
        let (rows, total) = connections(&d, &invoice, &query, slice).await?;
        let view = view::one(&d, invoice.clone(), language).await?;
        let parts =
            Parts { lines: invoice.lines, totals: invoice.totals, header: invoice.header, connections: invoice.connections };
        return Ok(Json(body(&d, Some(view), parts, (rows, total), slice).await?));
    }
    let company = CompanyId(id);
    if own.is_some_and(|own| own != company) {
        return Err(not_found());
    }
    let Some((parts, rows)) = running(&d, company).await? else { return Err(not_found()) };
    let page = query.cut(rows, slice);
    Ok(Json(body(&d, None, parts, page, slice).await?))
}

fn not_found() -> Problem {
    InvoiceError::NotFound.into()
}

async fn connections(
    d: &Billing,
    invoice: &Invoice,
    query: &DetailsQuery,
    slice: Slice,
) -> BillingResult<(Vec<ConnectionRow>, u64)> {
    if query.is_filtered() {
        return Ok(query.cut(invoices::all_connections(d, invoice.id).await?, slice));
    }
    let total = u64::try_from(invoice.connections).unwrap_or(0);
    Ok((invoices::connections(d, invoice.id, slice).await?, total))
}

/// What lines, totals and header are made of.
struct Parts {
    lines: Vec<InvoiceLine>,
    totals: Totals,
    header: Header,
    connections: i64,
}

/// A customer's month up to now; `None` when there is no such customer.
async fn running(d: &Billing, id: CompanyId) -> BillingResult<Option<(Parts, Vec<ConnectionRow>)>> {
    let payers = find_payers(&d.identity, &[id]).await?;
    let mandate = mandates::references(d, &payers).await?.remove(&id);
    let Some(payer) = payers.into_iter().next() else { return Ok(None) };
    debug_assert_eq!(payer.company.kind, CompanyKind::Customer);
    let now = d.sources.now();
    let used = month_of(d, id, Month::of(now), now).await?;
    let (lines, totals, connections) = match &used.outcome {
        Outcome::Invoice(statement) => {
            (statement.lines.iter().map(compose::line).collect(), compose::totals(statement), statement.connections)
        }
        Outcome::None(_) => (Vec::new(), Totals { vat_rate: used.regime.rate(), ..Totals::default() }, 0),
    };
    let issuer = issuer::present(d).await?;
    let header = Header {
        recipient: compose::recipient(&payer.company, used.country.clone()),
        payment: compose::payment(&issuer, payer.masked_iban, mandate),
        language: payer.company.language,
        rectified: None,
        regime: Some(used.regime),
        issuer: issuer.party,
    };
    Ok(Some((Parts { lines, totals, header, connections }, used.connections)))
}

async fn body(
    d: &Billing,
    invoice: Option<InvoiceView>,
    parts: Parts,
    (rows, total): (Vec<ConnectionRow>, u64),
    slice: Slice,
) -> ApiResult<InvoiceDetailsBody> {
    let ids: Vec<Uuid> = parts.lines.iter().filter_map(|line| line.price_id.as_deref()?.parse().ok()).collect();
    let tables = prices::find_many(&d.content, &ids).await?;
    let exempt = prints::legend(&parts.header, parts.totals.vat_rate).map(Legend::text);
    let facts = Facts { subtotal: parts.totals.subtotal, connections: parts.connections, net: net(&parts.lines), tables };
    let Totals { subtotal, discount, base, vat_rate, vat, total: sum } = parts.totals;
    Ok(InvoiceDetailsBody {
        provisional: invoice.is_none(),
        invoice,
        header: header(parts.header),
        lines: parts.lines.into_iter().map(|line| facts.line(line)).collect(),
        connections: rows.into_iter().map(ConnectionView::from).collect(),
        connections_total: total,
        next_cursor: slice.next_cursor(total),
        totals: TotalsView {
            subtotal: subtotal.into(),
            discount_percent: discount,
            base: base.into(),
            vat_rate,
            vat: vat.into(),
            total: sum.into(),
            exempt,
        },
    })
}

/// What was used, after the discount.
fn net(lines: &[InvoiceLine]) -> Cents {
    Cents(lines.iter().filter(|line| line.code != "minimum").map(|line| line.amount.0).sum())
}

fn header(header: Header) -> HeaderView {
    let Payment { direct_debit, iban, umr, creditor_id, transfer_iban, notice_days: _ } = header.payment;
    let payment = iban.filter(|_| direct_debit).map(|iban| PaymentView { iban, umr, creditor_id });
    HeaderView { issuer: header.issuer.into(), recipient: header.recipient.into(), payment, transfer_iban }
}

/// What formulas take from the whole.
struct Facts {
    subtotal: Cents,
    connections: i64,
    net: Cents,
    tables: HashMap<Uuid, Price>,
}

impl Facts {
    fn line(&self, line: InvoiceLine) -> LineView {
        // Amounts and counts of invoices are far below 2^53.
        #[expect(clippy::cast_precision_loss)]
        let number = |n: i64| n as f64;
        let euros = |amount: Cents| number(amount.0) / 100.0;
        let table = line.price_id.as_deref().and_then(|id| id.parse().ok()).and_then(|id: Uuid| self.tables.get(&id));
        let mut values = BTreeMap::from([("quantity", Some(number(line.quantity))), ("unitPrice", Some(euros(line.unit)))]);
        match line.code.as_str() {
            "exceededMinute" => {
                values.insert("minuteLimit", table.and_then(|price| price.table.minute_limit).map(number));
            }
            "discount" => {
                values.insert("percent", line.percent.map(|percent| f64::from(percent.0) / 100.0));
                values.insert("subtotal", Some(euros(self.subtotal)));
                values.insert("connections", Some(number(self.connections)));
            }
            "minimum" => {
                values.insert("minimum", line.minimum.map(euros));
                values.insert("net", Some(euros(self.net)));
                values.insert("days", line.days.map(number));
                values.insert("daysInMonth", line.days_in_month.map(number));
            }
            _ => {}
        }
        LineView {
            formula: Formula { key: line.code.clone(), values },
            code: line.code,
            description: line.description,
            price_id: line.price_id,
            quantity: line.quantity,
            unit_price: line.unit.into(),
            amount: line.amount.into(),
        }
    }
}
