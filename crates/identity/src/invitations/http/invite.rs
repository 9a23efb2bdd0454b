//! `activation`, `invitations`, `invitation-resend/{id}`, `invitation-revoke/{id}`.

use super::Door;
use crate::Origin;
use crate::invitations::model::{Filter, Invitation, State as InvitationState};
use crate::invitations::service::invite::{self, Request};
use atalaya_kernel::{CompanyId, Role, UserId};
use atalaya_rest::page::PageQuery;
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Path, Problem, Query, RequestLanguage};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InviteBody {
    /// An e-mail, or a phone.
    #[serde(rename = "emailOPhone")]
    email_o_phone: String,
    /// Number of the role to be created.
    #[serde(rename = "type")]
    kind: i64,
    /// The company of a member, for administrators.
    customer_id: Option<CompanyId>,
}

/// An invitation as its inviter sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Invitation)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationView {
    #[serde(rename = "_id")]
    id: Uuid,
    #[serde(rename = "emailOPhone")]
    email_o_phone: String,
    /// The role of the account to be.
    #[serde(rename = "type")]
    #[schema(value_type = Option<i16>)]
    kind: Option<Role>,
    /// `sent`, `opened`, `activated`, `expired`, or `failed` when the message could not be sent.
    state: &'static str,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    opened_at: Option<DateTime<Utc>>,
    activated_at: Option<DateTime<Utc>>,
    inviter: Option<InviterView>,
    /// The company of the account; for a company to be, the one that was created.
    company: Option<InvitedCompanyView>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Inviter)]
pub(crate) struct InviterView {
    #[serde(rename = "_id")]
    id: UserId,
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = InvitedCompany)]
pub(crate) struct InvitedCompanyView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company: String,
}

impl From<Invitation> for InvitationView {
    fn from(Invitation { link, state, inviter, company }: Invitation) -> Self {
        Self {
            id: link.id,
            email_o_phone: link.address,
            kind: link.role,
            state: state.name(),
            created_at: link.created_at,
            expires_at: link.expires_at,
            opened_at: link.opened_at,
            activated_at: link.used_at,
            inviter: inviter.map(|(id, name)| InviterView { id, name }),
            company: company.map(|(id, company)| InvitedCompanyView { id, company }),
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct InvitationAnswer {
    invitation: InvitationView,
}

/// Invites somebody, by e-mail or SMS, to create an account or a company.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `COMPANY_NOT_FOUND` (404), `USER_NAME_TAKEN` (409), `INVALID_FIELDS` (422) with
/// `EMAIL_INVALID`, `PHONE_INVALID`, `PHONE_TOO_LONG`, `TOO_MANY_REQUESTS` (429) after 100 in an hour. Source: INVITE-1, INVITE-2, INVITE-3.
#[utoipa::path(post, path = "/api/v1/activation", tag = "invitations", request_body = InviteBody,
    responses((status = 200, body = InvitationAnswer), (status = 403), (status = 404), (status = 409), (status = 422)))]
pub(crate) async fn invite(
    State(door): State<Door>,
    caller: Caller,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Json(body): Json<InviteBody>,
) -> ApiResult<Json<InvitationAnswer>> {
    door.admit_invitation(&caller)?;
    let request =
        Request { address: body.email_o_phone, kind: body.kind, company: body.customer_id, language, from: origin.address };
    let invitation = invite::invite(&door.d, &caller, request).await?.into();
    Ok(Json(InvitationAnswer { invitation }))
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct ListQuery {
    /// Number of a role.
    #[serde(rename = "type")]
    kind: Option<i16>,
    /// `sent`, `opened`, `activated`, `expired` or `failed`.
    state: Option<String>,
    /// Part of the address.
    search: Option<String>,
    /// One company's, for administrators.
    company: Option<CompanyId>,
    /// Rows at most, 1 to 200.
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// Characters of a search at most; the rest is ignored.
const SEARCH_MAX: usize = 200;

impl ListQuery {
    fn filter(self) -> Result<Filter, Problem> {
        let wrong = |field: &'static str| Problem::invalid([]).field(field, "INVALID");
        let state = self.state.filter(|state| !state.is_empty());
        Ok(Filter {
            company: self.company,
            role: self.kind.map(|kind| Role::try_from(kind).map_err(|_| wrong("type"))).transpose()?,
            state: state.map(|state| InvitationState::parse(&state).ok_or_else(|| wrong("state"))).transpose()?,
            search: self.search.map(|text| text.chars().filter(|c| !c.is_control()).take(SEARCH_MAX).collect()),
            offset: match self.cursor.filter(|cursor| !cursor.is_empty()) {
                // Bounded, because databases count rows in signed numbers.
                Some(cursor) => cursor.parse::<u32>().map_err(|_| wrong("cursor"))?.into(),
                None => 0,
            },
            limit: PageQuery { limit: self.limit, cursor: None }.limit(),
        })
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationsAnswer {
    invitations: Vec<InvitationView>,
    total: u64,
    next_cursor: Option<String>,
}

/// Invitations, newest first: an administrator's all, a principal's those of its company. One that was sent again is
/// listed once.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `INVALID_FIELDS` (422).
#[utoipa::path(get, path = "/api/v1/invitations", tag = "invitations", params(ListQuery),
    responses((status = 200, body = InvitationsAnswer), (status = 403), (status = 422)))]
pub(crate) async fn list_invitations(
    State(door): State<Door>,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> ApiResult<Json<InvitationsAnswer>> {
    let filter = query.filter()?;
    let next = filter.offset + filter.limit;
    let page = invite::list(&door.d, &caller, filter).await?;
    let next_cursor = (next < page.total).then(|| next.to_string());
    let invitations = page.invitations.into_iter().map(InvitationView::from).collect();
    Ok(Json(InvitationsAnswer { invitations, total: page.total, next_cursor }))
}

/// Sends an invitation again with a fresh link; the earlier one stops working.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `INVITATION_NOT_FOUND` (404, also another company's), `USER_NAME_TAKEN` (409),
/// `TOKEN_USED` (422).
#[utoipa::path(post, path = "/api/v1/invitation-resend/{id}", tag = "invitations", params(("id" = String, Path)),
    responses((status = 200, body = InvitationAnswer), (status = 403), (status = 404), (status = 409), (status = 422)))]
pub(crate) async fn resend_invitation(
    State(door): State<Door>,
    caller: Caller,
    origin: Origin,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<InvitationAnswer>> {
    door.admit_invitation(&caller)?;
    let invitation = invite::resend(&door.d, &caller, id, origin.address).await?.into();
    Ok(Json(InvitationAnswer { invitation }))
}

/// Takes an invitation back: its link stops working, and its holder cannot ask for another.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `INVITATION_NOT_FOUND` (404, also another company's), `TOKEN_USED` (422).
#[utoipa::path(post, path = "/api/v1/invitation-revoke/{id}", tag = "invitations", params(("id" = String, Path)),
    responses((status = 204), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn revoke_invitation(
    State(door): State<Door>,
    caller: Caller,
    origin: Origin,
    Path(id): Path<Uuid>,
) -> ApiResult<NoContent> {
    invite::revoke(&door.d, &caller, id, origin.address).await?;
    Ok(NoContent)
}
