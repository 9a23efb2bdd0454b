//! Calls of invited people: `verify-token-activation`, `activation-email-token`, `activation-renew`, `user`, `customer`,
//! `repairer`, `carReparation`, `activation-ok-email`.

use super::Door;
use crate::auth::http::{SessionAnswer, UserView, no_store, set_cookies};
use crate::companies::form::CompanyInput;
use crate::companies::http::CompanyView;
use crate::invitations::model::{CompanyForm, UserForm};
use crate::invitations::service::{Created, accounts, invite, notice, register};
use crate::{Identity, IdentityError, Origin};
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role};
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = ActivationTokenBody)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenBody {
    activation_token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivationAnswer {
    /// The company the account will belong to; null for a company to be.
    user_parent: Option<CompanyId>,
    /// Always null: the account does not exist yet.
    user_id: Option<String>,
    #[schema(value_type = i16, minimum = 2, maximum = 7)]
    role: Role,
}

/// What an invitation is for. Notes that its page was opened, consumes nothing.
///
/// Errors: `TOKEN_INVALID`, `TOKEN_EXPIRED`, `TOKEN_USED` (422), `TOO_MANY_REQUESTS` (429).
/// Source: LINK-2, LINK-3.
#[utoipa::path(post, path = "/api/v1/verify-token-activation", tag = "invitations", request_body = TokenBody, security(()),
    responses((status = 200, body = ActivationAnswer), (status = 422), (status = 429)))]
pub(crate) async fn verify_activation(
    State(door): State<Door>,
    origin: Origin,
    Json(body): Json<TokenBody>,
) -> ApiResult<Json<ActivationAnswer>> {
    door.admit_token(origin.address)?;
    let (link, role) = accounts::open(&door.d, &body.activation_token).await?;
    Ok(Json(ActivationAnswer { user_parent: link.company, user_id: None, role }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AddressAnswer {
    /// An e-mail if it contains `@`, else a phone in E.164.
    #[serde(rename = "emailOPhone")]
    email_o_phone: String,
}

/// Where an invitation was sent: the user name of the account to be.
///
/// Errors: as `verify-token-activation`. Source: LINK-2, LINK-3.
#[utoipa::path(post, path = "/api/v1/activation-email-token", tag = "invitations", request_body = TokenBody, security(()),
    responses((status = 200, body = AddressAnswer), (status = 422), (status = 429)))]
pub(crate) async fn activation_address(
    State(door): State<Door>,
    origin: Origin,
    Json(body): Json<TokenBody>,
) -> ApiResult<Json<AddressAnswer>> {
    door.admit_token(origin.address)?;
    let (link, _) = accounts::read(&door.d, &body.activation_token).await?;
    Ok(Json(AddressAnswer { email_o_phone: link.address }))
}

/// Sends an expired invitation again, to the same address. Answers the same whatever the token is.
///
/// Errors: `TOO_MANY_REQUESTS` (429).
#[utoipa::path(post, path = "/api/v1/activation-renew", tag = "invitations", request_body = TokenBody, security(()),
    responses((status = 204), (status = 429)))]
pub(crate) async fn renew_activation(
    State(door): State<Door>,
    origin: Origin,
    Json(body): Json<TokenBody>,
) -> ApiResult<NoContent> {
    door.admit_mail(origin.address)?;
    invite::renew(&door.d, &body.activation_token, origin.address).await?;
    Ok(NoContent)
}

/// The form of an invited user. Keys beyond these are ignored: role, status, company and support flag are not the
/// caller's to set.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewUserView {
    name: Option<String>,
    surname: Option<String>,
    /// Ignored when the invitation was sent to an e-mail.
    email: Option<String>,
    /// Ignored when the invitation was sent to a phone; required for roles 5 and 7.
    phone: Option<String>,
    password: Option<String>,
    #[serde(default)]
    legal: bool,
    language: Option<Language>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewUserBody {
    /// The company of the invitation.
    customer_id: String,
    user: NewUserView,
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct NewUserAnswer {
    user: UserView,
    /// As `login` answers it; null when the caller has a session.
    session: Option<SessionAnswer>,
}

/// The session of an answer, with its cookies put on by `respond`.
fn session(d: &Identity, created: &Created) -> Option<SessionAnswer> {
    created.opened.as_ref().map(|opened| SessionAnswer::new(d, opened))
}

fn respond(d: &Identity, created: &Created, body: impl Serialize) -> Response {
    let mut response = no_store(Json(body));
    if let Some(opened) = &created.opened {
        set_cookies(d, response.headers_mut(), &opened.issued);
    }
    response
}

/// Creates the account of an invitation and logs it in, unless the caller is logged in already.
///
/// Errors: `TOKEN_INVALID` (also for another company's invitation), `TOKEN_EXPIRED`, `TOKEN_USED`, `INVALID_FIELDS` with
/// `REQUIRED`, `TOO_LONG`, `EMAIL_INVALID`, `PHONE_INCORRECT`, `PHONE_REQUIRED`, `PASSWORD_WEAK`, `LEGAL_REQUIRED` (422),
/// `USER_NAME_TAKEN` (409), `TOO_MANY_REQUESTS` (429). Source: INVITE-4, INVITE-5, INVITE-6.
#[utoipa::path(post, path = "/api/v1/user", tag = "invitations", request_body = NewUserBody, security(()),
    responses((status = 200, body = NewUserAnswer), (status = 409), (status = 422), (status = 429)))]
pub(crate) async fn create_user(
    State(door): State<Door>,
    caller: Option<Caller>,
    origin: Origin,
    Json(body): Json<NewUserBody>,
) -> ApiResult<Response> {
    door.admit_token(origin.address)?;
    let NewUserView { name, surname, email, phone, password, legal, language } = body.user;
    let form = UserForm { name, surname, email, phone, password, legal, language };
    let d = &door.d;
    let created = accounts::create(d, &body.token, &body.customer_id, &form, &origin, caller.is_none()).await?;
    let user = UserView::new(&created.user, &created.company, None, d.sources.now());
    Ok(respond(d, &created, NewUserAnswer { user, session: session(d, &created) }))
}

/// The form of a company that registers itself. Keys beyond these are ignored: status, kind, payment start and
/// acceptance history are not the caller's to set.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewCompanyView {
    #[serde(flatten)]
    company: CompanyInput,
    password: Option<String>,
    /// The conditions are accepted.
    #[serde(default)]
    legal: bool,
    /// The text that was shown, of `legal-id/0`; the general conditions in force without it.
    legal_id: Option<Uuid>,
    language: Option<Language>,
}

impl From<NewCompanyView> for CompanyForm {
    fn from(sent: NewCompanyView) -> Self {
        let NewCompanyView { company, password, legal, legal_id, language } = sent;
        Self { company, password, legal, legal_id, language }
    }
}

/// What a registration became.
struct Registered {
    created: Created,
    company: CompanyView,
    user: UserView,
    session: Option<SessionAnswer>,
}

async fn register(
    door: &Door,
    kind: CompanyKind,
    sent: NewCompanyView,
    token: &str,
    caller: Option<Caller>,
    origin: &Origin,
) -> ApiResult<Registered> {
    door.admit_token(origin.address)?;
    let d = &door.d;
    let created = register::register(d, token, kind, &sent.into(), origin, caller.is_none()).await.map_err(creation_problem)?;
    let company = CompanyView::of(d, created.company.id).await.map_err(creation_problem)?;
    let user = UserView::new(&created.user, &created.company, None, d.sources.now());
    let session = session(d, &created);
    Ok(Registered { created, company, user, session })
}

/// A failure of the server has one code of its own on these pages, whatever its cause.
fn creation_problem(error: IdentityError) -> Problem {
    let problem = Problem::from(error);
    if !problem.status().is_server_error() {
        return problem;
    }
    let cause = problem.cause().unwrap_or_default().to_owned();
    let status =
        if problem.status() == StatusCode::SERVICE_UNAVAILABLE { problem.status() } else { StatusCode::INTERNAL_SERVER_ERROR };
    Problem::new(status, "ERROR_CREAR_CLIENTE").because(cause)
}

macro_rules! registrations {
    ($($(#[$doc:meta])* $handler:ident $path:literal $kind:ident $field:ident $Body:ident $Answer:ident;)+) => {$(
        #[derive(Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $Body {
            $field: NewCompanyView,
            token: String,
        }

        #[derive(Serialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $Answer {
            $field: CompanyView,
            user: UserView,
            /// As `login` answers it; null when the caller has a session.
            session: Option<SessionAnswer>,
        }

        $(#[$doc])*
        ///
        /// Errors: `TOKEN_INVALID` (also for an invitation of another kind), `TOKEN_EXPIRED`, `TOKEN_USED`, `INVALID_FIELDS`
        /// with a code per field (422), `COMPANY_EXISTS` (409), `TOO_MANY_REQUESTS` (429), `ERROR_CREAR_CLIENTE` (500, 503).
        /// Source: INVITE-4, INVITE-5, INVITE-7, COMPANY-10.
        #[utoipa::path(post, path = $path, tag = "invitations", request_body = $Body, security(()),
            responses((status = 200, body = $Answer), (status = 409), (status = 422), (status = 429), (status = 503)))]
        pub(crate) async fn $handler(
            State(door): State<Door>,
            caller: Option<Caller>,
            origin: Origin,
            Json(body): Json<$Body>,
        ) -> ApiResult<Response> {
            let Registered { created, company, user, session } =
                register(&door, CompanyKind::$kind, body.$field, &body.token, caller, &origin).await?;
            Ok(respond(&door.d, &created, $Answer { $field: company, user, session }))
        }
    )+};
}

registrations! {
    /// Registers a customer with its principal; both wait for an administrator. Logs the principal in.
    create_customer "/api/v1/customer" Customer customer NewCustomerBody NewCustomerAnswer;
    /// Registers a repairer with its principal; both wait for an administrator. Logs the principal in.
    create_repairer "/api/v1/repairer" Repairer repairer NewRepairerBody NewRepairerAnswer;
    /// Registers a workshop with its principal; both wait for an administrator. Logs the principal in.
    create_workshop "/api/v1/carReparation" CarRepairShop car_reparation NewCarReparationBody NewCarReparationAnswer;
}

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = ActivationNoticeBody)]
pub(crate) struct NoticeBody {
    email: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ActivationNoticeAnswer)]
pub(crate) struct NoticeAnswer {
    /// Always true.
    sent: bool,
}

/// Sends the notice of an activation to an address activated within the last 15 minutes, and waits up to two seconds to
/// tell a failure.
///
/// Errors: `INVALID_FIELDS` (422), `TOO_MANY_REQUESTS` (429), `ACTIVATION_EMAIL_FAILED` (503). Source: INVITE-8.
#[utoipa::path(post, path = "/api/v1/activation-ok-email", tag = "invitations", request_body = NoticeBody, security(()),
    responses((status = 200, body = NoticeAnswer), (status = 422), (status = 429), (status = 503)))]
pub(crate) async fn notify_activation(
    State(door): State<Door>,
    origin: Origin,
    Json(body): Json<NoticeBody>,
) -> ApiResult<Json<NoticeAnswer>> {
    // Only who was activated just now is written to, and once: a room full of new colleagues behind one address may ask.
    door.admit_token(origin.address)?;
    notice::send(&door.d, &body.email).await?;
    Ok(Json(NoticeAnswer { sent: true }))
}
