//! Previews of the messages that the product writes. Their texts live in `locales/`, so they are read-only.

use super::super::MessageServiceError;
use crate::Outreach;
use atalaya_kernel::Language;
use atalaya_messaging::{Preview, TemplateInfo, sms, standalone};
use atalaya_rest::{AdminOnly, ApiResult, Json, Path, Problem, Query, RequestLanguage};
use axum::extract::State;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum length of a value.
const VALUE_MAX: usize = 400;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new().routes(routes!(message_templates)).routes(routes!(message_template))
}

#[derive(Serialize, ToSchema)]
struct TemplatesBody {
    templates: Vec<TemplateBody>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = MessageTemplate)]
struct TemplateBody {
    /// `session.sms`, or the purpose of an e-mail.
    key: String,
    /// `sms` or `email`.
    channel: &'static str,
    /// Names of the values in it.
    variables: Vec<String>,
}

/// Every message that the product can write.
#[utoipa::path(get, path = "/api/v1/message-templates", tag = "messaging",
    responses((status = 200, body = TemplatesBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn message_templates(State(d): State<Outreach>, _admin: AdminOnly) -> Json<TemplatesBody> {
    let body = |info: TemplateInfo| TemplateBody { key: info.key, channel: info.channel.name(), variables: info.variables };
    Json(TemplatesBody { templates: d.identity.templates.list().into_iter().map(body).collect() })
}

/// A message with invented values.
#[derive(Serialize, ToSchema)]
#[schema(as = MessagePreview)]
struct PreviewBody {
    /// Of e-mails.
    subject: Option<String>,
    text: String,
    /// Of e-mails.
    html: Option<String>,
    /// Of SMS: how it is counted together with a link.
    sms: Option<SmsLength>,
}

/// How an SMS is counted.
#[derive(Serialize, ToSchema)]
pub(crate) struct SmsLength {
    /// `GSM-7` or `UCS-2`.
    pub encoding: &'static str,
    pub units: usize,
    /// SMS that are billed.
    pub segments: usize,
}

impl SmsLength {
    pub(crate) fn of(text: &str) -> Self {
        let sms::Count { encoding, units, segments } = sms::count(text);
        Self { encoding: encoding.name(), units, segments }
    }
}

/// A message in one language (`language`; the request's without it) with invented values. Any of its variables may be given
/// as a query parameter of its name.
///
/// Errors: `TEMPLATE_NOT_FOUND` (404); `INVALID_FIELDS` (422) with `LANGUAGE_UNKNOWN`, with `MESSAGE_VARIABLE_UNKNOWN` on a
/// parameter that the message does not have, with `TOO_LONG`.
#[utoipa::path(get, path = "/api/v1/message-template/{key}", tag = "messaging",
    params(("key" = String, Path), ("language" = Option<String>, Query, description = "`es`, `en` …")),
    responses((status = 200, body = PreviewBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn message_template(
    State(d): State<Outreach>,
    _admin: AdminOnly,
    Path(key): Path<String>,
    RequestLanguage(language): RequestLanguage,
    Query(mut query): Query<BTreeMap<String, String>>,
) -> ApiResult<Json<PreviewBody>> {
    let templates = &d.identity.templates;
    let info =
        templates.list().into_iter().find(|info| info.key == key).ok_or_else(|| Problem::not_found("TEMPLATE_NOT_FOUND"))?;
    let language = match query.remove("language").filter(|code| !code.is_empty()) {
        None => language,
        Some(code) => Language::parse(&code).ok_or_else(|| Problem::invalid([]).field("language", "LANGUAGE_UNKNOWN"))?,
    };
    let values = values(&info, query)?;
    let preview = templates.preview(language, &info, &values).map_err(MessageServiceError::from)?;
    Ok(Json(match preview {
        Preview::Email(email) => {
            PreviewBody { subject: Some(email.subject), text: email.text, html: Some(standalone(&email.html)), sms: None }
        }
        Preview::Sms(text) => {
            let sms = SmsLength::of(&format!("{text} {}", sample_link(&d)));
            PreviewBody { subject: None, text, html: None, sms: Some(sms) }
        }
    }))
}

/// A link like those that are sent, because its length counts in an SMS.
pub(crate) fn sample_link(d: &Outreach) -> String {
    format!("{}/c/a1B2c3D4e5", d.identity.settings.public_url)
}

fn values(info: &TemplateInfo, query: BTreeMap<String, String>) -> Result<Map<String, Value>, Problem> {
    let mut values = Map::new();
    for (name, value) in query {
        if !info.variables.contains(&name) {
            return Err(Problem::invalid([]).field(name, "MESSAGE_VARIABLE_UNKNOWN"));
        }
        if value.chars().count() > VALUE_MAX {
            return Err(Problem::invalid([atalaya_rest::FieldError::new(name, "TOO_LONG").param("max", VALUE_MAX)]));
        }
        values.insert(name, value.into());
    }
    Ok(values)
}
