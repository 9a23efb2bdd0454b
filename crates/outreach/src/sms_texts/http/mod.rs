//! Calls about a company's SMS; the id in the path is a user's (SMS-9), a company's for its registration.

mod ceilings;
mod senders;

use super::service::{self, DefaultTexts, Registration, TextChange};
use crate::Outreach;
use crate::message_service::http::{SmsLength, sample_link};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::Company;
use atalaya_identity::companies::sms::{self, SenderStatus, SmsProfile};
use atalaya_kernel::limits::{SMS_SENDER_MAX, SMS_TEXT_MAX};
use atalaya_kernel::{CompanyId, UserId};
use atalaya_messaging::Channel;
use atalaya_rest::caller::ConferenceSide;
use atalaya_rest::{AdminOnly, AdminOrCustomer, ApiResult, Json, Path, Problem};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_text))
        .routes(routes!(set_text))
        .routes(routes!(get_sender))
        .routes(routes!(set_sender))
        .routes(routes!(set_sender_status))
        .merge(senders::routes())
        .merge(ceilings::routes())
        .with_state(deps)
}

/// The text of a company's SMS.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsConference)]
struct TextBody {
    /// The text in use, without the link: the company's own, or the default one.
    sms: String,
    /// The company has a text of its own.
    own: bool,
    /// The company's language, in which its own text is written.
    language: &'static str,
    /// Characters at most.
    max: usize,
    default: String,
    /// The default text in each language of a client, by its code.
    defaults: BTreeMap<&'static str, String>,
    /// `Quitar tildes en los SMS` is on: characters that make an SMS dearer are written plainly.
    accents: bool,
    /// A link whose SMS did not arrive may go by WhatsApp.
    whatsapp: bool,
    /// The link goes by WhatsApp first, and by SMS where that does not arrive.
    whatsapp_first: bool,
    /// The platform has a WhatsApp gateway.
    whatsapp_available: bool,
    /// A link like those that follow the text; it counts.
    link: String,
    /// How the text and its link are counted as they are sent.
    encoding: SmsLength,
}

impl TextBody {
    fn of(d: &Outreach, texts: DefaultTexts, profile: SmsProfile) -> Self {
        let DefaultTexts { own: default, all: defaults, language } = texts;
        let link = sample_link(d);
        let (text, own) = profile.text.map_or((default.clone(), false), |text| (text, true));
        Self {
            encoding: SmsLength::of(&sms::composed(&text, &link, profile.fold)),
            sms: text,
            own,
            language: language.code(),
            max: SMS_TEXT_MAX,
            default,
            defaults,
            accents: profile.fold,
            whatsapp: profile.whatsapp,
            whatsapp_first: profile.whatsapp_first,
            whatsapp_available: d.identity.outbox.carries(Channel::Whatsapp),
            link,
        }
    }
}

/// The text of the SMS that invite a company's clients; a company's people read it too, who send them.
///
/// Errors: `USER_NOT_FOUND` (404), also for another company's user.
#[utoipa::path(get, path = "/api/v1/sms-conference-client/{id}", tag = "sms", operation_id = "get_sms_conference_client",
    params(("id" = String, Path)),
    responses((status = 200, body = TextBody), (status = 401), (status = 403), (status = 404)), security(("session" = [])))]
async fn get_text(State(d): State<Outreach>, caller: ConferenceSide, Path(id): Path<UserId>) -> ApiResult<Json<TextBody>> {
    let company = service::company_of(&d, &caller, id).await?;
    let profile = sms::get(&d.identity, company.id).await?;
    let texts = service::default_texts(&d, &company, id).await?;
    Ok(Json(TextBody::of(&d, texts, profile)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsConferenceChange)]
struct TextChangeBody {
    /// 100 characters at most; empty or the default text gives one's own up.
    sms: String,
    /// `Quitar tildes en los SMS`; absent stays.
    accents: Option<bool>,
    /// Absent stays.
    whatsapp: Option<bool>,
    /// Absent stays.
    whatsapp_first: Option<bool>,
}

/// Changes the text of the SMS that invite a company's clients.
///
/// Errors: those of the GET; `INVALID_FIELDS` (422) on `sms` with `SMS_TEXT_TOO_LONG`, `CHARACTERS_NOT_ALLOWED`.
#[utoipa::path(post, path = "/api/v1/sms-conference-client/{id}", tag = "sms", operation_id = "post_sms_conference_client",
    params(("id" = String, Path)), request_body = TextChangeBody,
    responses((status = 200, body = TextBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn set_text(
    State(d): State<Outreach>,
    caller: AdminOrCustomer,
    origin: Origin,
    Path(id): Path<UserId>,
    Json(body): Json<TextChangeBody>,
) -> ApiResult<Json<TextBody>> {
    let company = service::company_of(&d, &caller, id).await?;
    let change = TextChange { text: body.sms, fold: body.accents, whatsapp: body.whatsapp, whatsapp_first: body.whatsapp_first };
    let texts = service::default_texts(&d, &company, id).await?;
    let profile = service::set_text(&d, (&caller, &origin), &company, &texts.own, change).await?;
    Ok(Json(TextBody::of(&d, texts, profile)))
}

/// The sender name of a company's SMS.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsSender)]
struct SenderBody {
    /// The name; empty when there is none.
    sms: String,
    /// Characters at most.
    max: usize,
    /// `draft`, `requested`, `registered` or `rejected`. Only a registered one is used.
    status: &'static str,
    /// Tax id of the holder: the company's, fixed once the registration is asked for.
    holder_nif: Option<String>,
    /// Date of the Registry's answer.
    evidence_at: Option<DateTime<Utc>>,
    /// The messaging provider named in the registration.
    provider: Option<String>,
    /// The company whose name it is; what `sms-sender-status` asks for.
    company_id: CompanyId,
}

impl SenderBody {
    fn of(company: &Company, profile: SmsProfile) -> Self {
        let sender = profile.sender;
        Self {
            sms: sender.as_ref().map(|sender| sender.name.clone()).unwrap_or_default(),
            max: SMS_SENDER_MAX,
            status: sender.as_ref().map_or(SenderStatus::Draft, |sender| sender.status).name(),
            holder_nif: sender.as_ref().and_then(|sender| sender.holder_nif.clone()).or_else(|| company.cif.clone()),
            evidence_at: sender.as_ref().and_then(|sender| sender.evidence_at),
            provider: sender.and_then(|sender| sender.provider),
            company_id: company.id,
        }
    }
}

/// The sender name of a company's SMS and where its registration stands.
///
/// Errors: `USER_NOT_FOUND` (404), also for another company's user.
#[utoipa::path(get, path = "/api/v1/sms-conference-sender-client/{id}", tag = "sms", operation_id = "get_sms_conference_sender",
    params(("id" = String, Path)),
    responses((status = 200, body = SenderBody), (status = 401), (status = 403), (status = 404)), security(("session" = [])))]
async fn get_sender(State(d): State<Outreach>, caller: AdminOrCustomer, Path(id): Path<UserId>) -> ApiResult<Json<SenderBody>> {
    let company = service::company_of(&d, &caller, id).await?;
    let profile = sms::get(&d.identity, company.id).await?;
    Ok(Json(SenderBody::of(&company, profile)))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = SmsSenderChange)]
struct SenderChangeBody {
    /// 3 to 11 characters, at least one letter; empty gives the name up.
    sms: String,
    /// The company has applied for it at the Registry: `draft` or `rejected` becomes `requested`.
    #[serde(default)]
    requested: bool,
}

/// Changes the sender name. Another name than before is a draft until it is registered.
///
/// Errors: those of the GET; `INVALID_FIELDS` (422) on `sms` with `SMS_SENDER_TOO_LONG`, `SMS_SENDER_INVALID`,
/// `SMS_SENDER_GENERIC`.
#[utoipa::path(post, path = "/api/v1/sms-conference-sender/{id}", tag = "sms", operation_id = "post_sms_conference_sender",
    params(("id" = String, Path)), request_body = SenderChangeBody,
    responses((status = 200, body = SenderBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn set_sender(
    State(d): State<Outreach>,
    caller: AdminOrCustomer,
    origin: Origin,
    Path(id): Path<UserId>,
    Json(body): Json<SenderChangeBody>,
) -> ApiResult<Json<SenderBody>> {
    let company = service::company_of(&d, &caller, id).await?;
    let profile = service::set_sender(&d, (&caller, &origin), &company, &body.sms, body.requested).await?;
    Ok(Json(SenderBody::of(&company, profile)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsSenderRegistration)]
struct StatusBody {
    /// `draft`, `requested`, `registered` or `rejected`.
    status: String,
    /// Day (`2026-11-20`) or moment of the Registry's answer; now without it.
    evidence_at: Option<String>,
    /// The messaging provider named in the registration; absent stays.
    provider: Option<String>,
}

/// Moves the registration of a company's sender name: `draft` → `requested` → `registered` or `rejected`.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `SMS_SENDER_MISSING` (409), `SMS_SENDER_STATUS` (409), `INVALID_FIELDS` (422) on
/// `status`, `evidenceAt`, `provider`.
#[utoipa::path(post, path = "/api/v1/sms-sender-status/{companyId}", tag = "sms", operation_id = "post_sms_sender_status",
    params(("companyId" = String, Path)), request_body = StatusBody,
    responses((status = 200, body = SenderBody), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn set_sender_status(
    State(d): State<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Path(id): Path<CompanyId>,
    Json(body): Json<StatusBody>,
) -> ApiResult<Json<SenderBody>> {
    let status = SenderStatus::parse(&body.status).ok_or_else(|| Problem::invalid([]).field("status", "INVALID"))?;
    let registration = Registration { status, evidence_at: body.evidence_at.as_deref(), provider: body.provider.as_deref() };
    let (company, profile) = service::register(&d, (&caller, &origin), id, &registration).await?;
    Ok(Json(SenderBody::of(&company, profile)))
}
