//! `contract`: what a company accepted, as a document it can keep (LSSI art. 27.4; DOMAIN §4.8).
//!
//! *Invariant:* the same acceptance gives the same bytes; nothing in it depends on when it is asked for. What was accepted is
//! kept as it was then, whatever becomes of the company's name.

use crate::documents::service as documents;
use crate::{Billing, BillingResult};
use atalaya_content::languages::{format, text};
use atalaya_content::legal::plain::{BlockKind, blocks};
use atalaya_content::legal::{LegalText, service as legal};
use atalaya_content::prices::{Price, service as prices};
use atalaya_identity::companies::legal::{self as acceptance, LegalHistory};
use atalaya_identity::companies::{Company, service as companies};
use atalaya_identity::users::service as users;
use atalaya_identity::{IdentityError, guards};
use atalaya_kernel::{CompanyId, Language, calendar};
use atalaya_pdf::{Block, Cell, Column, Document, Fact, Section, Words};
use atalaya_rest::address::{ClientAddress, subscriber};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{ApiResult, Caller, Problem, Query, RequestLanguage};
use atalaya_tariff::{Cents, Percent};
use aws_lc_rs::digest::{SHA256, digest};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use std::net::IpAddr;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// The kind of kept contracts.
const CONTRACT: &str = "contract";
/// Documents a minute for one address, because anybody may ask.
const A_MINUTE: usize = 20;

#[derive(Clone)]
struct Door {
    d: Billing,
    limit: RateLimiter<IpAddr>,
}

pub(super) fn routes(d: Billing) -> OpenApiRouter {
    let limit = RateLimiter::new(d.sources.clock(), A_MINUTE, TimeDelta::minutes(1));
    OpenApiRouter::new().routes(routes!(get_contract)).with_state(Door { d, limit })
}

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct ContractQuery {
    /// Of a document without an acceptance; an accepted text is printed as it was read.
    language: Option<Language>,
    /// Whose contract, for administrators.
    company: Option<CompanyId>,
}

/// What the document speaks of.
struct Contract {
    language: Language,
    texts: Vec<LegalText>,
    price: Price,
    company: Option<Company>,
    accepted: Option<Acceptance>,
}

struct Acceptance {
    at: DateTime<Utc>,
    by: String,
    address: Option<String>,
}

/// The contract as PDF: for a principal what his company accepted, for everybody else the terms and prices in force.
///
/// Errors: `COMPANY_NOT_FOUND` (404) at another's `company`, `TOO_MANY_REQUESTS` (429). Source: SPEC §7, DOMAIN §4.8.
#[utoipa::path(get, path = "/api/v1/contract", tag = "legal", operation_id = "get_contract", params(ContractQuery), security(()),
    responses((status = 200, description = "The contract", content_type = "application/pdf"), (status = 404), (status = 429)))]
async fn get_contract(
    State(Door { d, limit }): State<Door>,
    RequestLanguage(language): RequestLanguage,
    ClientAddress(address): ClientAddress,
    caller: Option<Caller>,
    Query(query): Query<ContractQuery>,
) -> ApiResult<Response> {
    limit.hit(subscriber(address)).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    let company = whose(&d, caller, query.company).await?;
    let contract = gather(&d, company, query.language.unwrap_or(language)).await?;
    let pdf = contract.pdf(&d).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"contrato.pdf\""),
        (header::CACHE_CONTROL, "private, no-store"),
    ];
    Ok((headers, pdf).into_response())
}

async fn whose(d: &Billing, caller: Option<Caller>, asked: Option<CompanyId>) -> BillingResult<Option<Company>> {
    match (caller, asked) {
        (Some(caller), Some(id)) => Ok(Some(guards::principal_of(&d.identity, caller, id).await?.company)),
        (None, Some(_)) => Err(IdentityError::CompanyNotFound.into()),
        (Some(caller), None) if caller.role.is_principal() => {
            Ok(Some(companies::get_company(&d.identity, caller.company).await?))
        }
        _ => Ok(None),
    }
}

async fn gather(d: &Billing, company: Option<Company>, language: Language) -> BillingResult<Contract> {
    let now = d.sources.now();
    if let Some(company) = &company {
        let history = acceptance::history(&d.identity, company.id).await?;
        let open: Vec<&LegalHistory> = history.iter().filter(|entry| entry.expires_at.is_none()).collect();
        let mut texts = Vec::new();
        for entry in &open {
            texts.extend(legal::find(&d.content, entry.legal_id).await?);
        }
        texts.sort_by_key(|text| text.kind as i16);
        let price = match open.iter().find_map(|entry| entry.price_id) {
            Some(id) => prices::find(&d.content, id).await?,
            None => None,
        };
        if let (Some(first), Some(language)) = (open.first(), texts.first().map(|text| text.language)) {
            let price = match price {
                Some(price) => price,
                // Accepted before there were tables.
                None => prices::in_force(&d.content, Some(company.id), now).await?,
            };
            let user = users::list_by_ids(&d.identity, first.proof.user).await?.pop();
            let by = user.map(|user| user.display_name()).unwrap_or_default();
            let accepted = Some(Acceptance { at: first.accepted_at, by, address: first.proof.address.clone() });
            return Ok(Contract { language, texts, price, company: Some(company.clone()), accepted });
        }
    }
    let texts = legal::conditions_in_force(&d.content, language).await?;
    let price = prices::in_force(&d.content, company.as_ref().map(|company| company.id), now).await?;
    Ok(Contract { language, texts, price, company, accepted: None })
}

/// Keeps what a company accepted; nothing where it was kept, or nothing is accepted.
pub(crate) async fn keep(d: &Billing, company: CompanyId) -> BillingResult<()> {
    let company = companies::get_company(&d.identity, company).await?;
    let language = company.language;
    let contract = gather(d, Some(company), language).await?;
    if contract.accepted.is_some() {
        contract.pdf(d).await?;
    }
    Ok(())
}

impl Contract {
    /// The document: of an acceptance made once and kept, else made for whoever asks.
    async fn pdf(&self, d: &Billing) -> BillingResult<Vec<u8>> {
        let subject = self.accepted.as_ref().map(|_| self.subject());
        if let Some(subject) = subject
            && let Some(kept) = documents::kept(d, CONTRACT, subject).await?
        {
            return Ok(kept.bytes);
        }
        let document = self.document(&d.public_url);
        let bytes = documents::set(move || atalaya_pdf::render(&document)).await?;
        match subject {
            Some(subject) => Ok(documents::keep(d, CONTRACT, subject, "contrato.pdf".to_owned(), bytes).await?.bytes),
            None => Ok(bytes),
        }
    }

    /// Under which an acceptance's document is kept.
    fn subject(&self) -> Uuid {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.digest()[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }

    fn word(&self, key: &'static str) -> String {
        text(self.language, "contract", key).to_owned()
    }

    fn fact(&self, label: &'static str, value: impl Into<String>) -> Fact {
        Fact { label: self.word(label), value: Cell::new(value) }
    }

    fn document(&self, public_url: &str) -> Document {
        let code = self.code();
        let mut sections = vec![self.parties()];
        sections.extend(self.texts.iter().map(|text| self.text(text)));
        sections.push(self.prices());
        let since = self.texts.iter().map(|text| text.in_force_from).max().unwrap_or(self.price.valid_from);
        Document {
            language: self.language.code().to_owned(),
            title: self.word("title"),
            subtitle: self.company.as_ref().map_or_else(|| self.word("general"), |company| company.name.clone()),
            number: code[..9].to_owned(),
            issued_at: self.accepted.as_ref().map_or(since.max(self.price.valid_from), |accepted| accepted.at),
            code,
            url: format!("{public_url}/"),
            words: Words { page: self.word("page"), code: self.word("code"), qr: self.word("qr") },
            sections,
        }
    }

    /// Tells contracts apart: of whom, when, which texts, which prices.
    fn code(&self) -> String {
        let code = hex::encode_upper(self.digest());
        [&code[..4], &code[4..8], &code[8..12], &code[12..16]].join("-")
    }

    fn digest(&self) -> [u8; 32] {
        let mut facts = self.price.id.to_string();
        for text in &self.texts {
            facts.push_str(&text.sha256);
        }
        if let Some(company) = &self.company {
            facts.push_str(&company.id.to_string());
        }
        if let Some(accepted) = &self.accepted {
            facts.push_str(&accepted.at.timestamp_millis().to_string());
        }
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, facts.as_bytes()).as_ref());
        bytes
    }

    fn parties(&self) -> Section {
        let mut facts = Vec::new();
        if let Some(company) = &self.company {
            facts.push(self.fact("company", &company.name));
            facts.push(self.fact("cif", company.cif.as_deref().unwrap_or("–")));
        }
        match &self.accepted {
            Some(accepted) => {
                facts.push(self.fact("acceptedAt", moment(accepted.at)));
                facts.push(self.fact("acceptedBy", &accepted.by));
                if let Some(address) = &accepted.address {
                    facts.push(self.fact("address", address));
                }
            }
            None => facts.push(self.fact("state", self.word("notAccepted"))),
        }
        Section { title: self.word("acceptance"), blocks: vec![Block::Facts { heading: None, facts }] }
    }

    fn text(&self, of: &LegalText) -> Section {
        let facts = vec![
            self.fact("version", of.version.to_string()),
            self.fact("inForceFrom", day(of.in_force_from)),
            Fact { label: self.word("sha256"), value: Cell::hash(&of.sha256) },
        ];
        let mut all = vec![Block::Facts { heading: None, facts }];
        all.extend(blocks(&of.html).into_iter().map(|block| match block.kind {
            BlockKind::Heading => Block::Facts { heading: Some(block.text), facts: Vec::new() },
            BlockKind::Item => Block::Text { text: format!("•  {}", block.text), strong: false },
            BlockKind::Paragraph | BlockKind::Row => Block::Text { text: block.text, strong: false },
        }));
        Section { title: of.title.clone(), blocks: all }
    }

    fn prices(&self) -> Section {
        let table = &self.price.table;
        let limit = table.minute_limit.map_or_else(|| self.word("noLimit"), |minutes| format!("{minutes} min"));
        let facts = vec![
            self.fact("validFrom", day(self.price.valid_from)),
            self.fact("connection", self.euros(table.connection)),
            self.fact("otherConnections", self.euros(table.other_connections)),
            self.fact("minuteLimit", limit),
            self.fact("exceededMinute", self.euros(table.exceeded_minute)),
            self.fact("guestMinute", self.euros(table.guest_minute)),
            self.fact("minPayment", self.euros(table.min_payment)),
        ];
        let mut all = vec![Block::Facts { heading: None, facts }];
        let mut tiers = table.discounts.clone();
        tiers.sort_by_key(|tier| (tier.percent, tier.to));
        if !tiers.is_empty() {
            let column = |key, width_mm| Column { title: self.word(key), width_mm, right: true };
            let row =
                |tier: &atalaya_tariff::Discount| vec![Cell::new(tier.to.to_string()), Cell::new(self.percent(tier.percent))];
            all.push(Block::Facts { heading: Some(self.word("discounts")), facts: Vec::new() });
            let columns = vec![
                column("upTo", Some(60)),
                column("percent", Some(40)),
                Column { title: String::new(), width_mm: None, right: false },
            ];
            let rows = tiers.iter().map(row).map(|mut cells| {
                cells.push(Cell::default());
                cells
            });
            all.push(Block::Table { columns, rows: rows.collect() });
        }
        all.push(Block::Text { text: self.word("withoutVat"), strong: false });
        Section { title: self.word("prices"), blocks: all }
    }

    fn euros(&self, amount: Cents) -> String {
        format!("{} €", format::decimal(&amount.to_string(), self.language))
    }

    fn percent(&self, of: Percent) -> String {
        let text = Cents(of.0.into()).to_string();
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{} %", format::decimal(text, self.language))
    }
}

fn day(at: DateTime<Utc>) -> String {
    calendar::local(at).format("%d/%m/%Y").to_string()
}

fn moment(at: DateTime<Utc>) -> String {
    calendar::local(at).format("%d/%m/%Y %H:%M:%S").to_string()
}
