//! Verifies the request's token once and leaves the caller in its extensions.

use super::cookies;
use crate::guards::CallerAccount;
use crate::sessions::{self, LiveSession};
use crate::{Identity, IdentityError, TokenKind};
use atalaya_rest::caller::{NoCaller, Via};
use atalaya_rest::{Caller, Problem, edge, xsrf};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Middleware. A bearer token counts everywhere, the media cookie under the folders of files only; a request without
/// either continues without a caller, and so does one with an invalid token: public calls must not fail on it.
pub async fn authenticate(State(d): State<Identity>, mut req: Request, next: Next) -> Response {
    let (token, via) = match credentials(&req) {
        Some(found) => found,
        None => return next.run(req).await,
    };
    if via == Via::Cookie && !xsrf::is_safe(req.method()) && !xsrf::matches(req.headers()) {
        return Problem::forbidden("XSRF_MISMATCH").into_response();
    }
    let kind = if via == Via::Bearer { TokenKind::Session } else { TokenKind::Media };
    let mut caller = None;
    match sessions::verify(&d, &token, kind).await {
        Ok(session) => {
            let found = to_caller(&session, via);
            req.extensions_mut().insert(found);
            req.extensions_mut().insert(CallerAccount(session));
            caller = Some(found);
        }
        Err(IdentityError::TokenExpired) => _ = req.extensions_mut().insert(NoCaller("SESSION_EXPIRED")),
        Err(IdentityError::SessionEnded) => _ = req.extensions_mut().insert(NoCaller("SESSION_ENDED")),
        Err(IdentityError::TokenInvalid) => _ = req.extensions_mut().insert(NoCaller("SESSION_INVALID")),
        Err(other) => return Problem::from(other).into_response(),
    }
    let mut response = next.run(req).await;
    if let Some(caller) = caller {
        edge::mark_language(&mut response, &caller);
    }
    response
}

fn to_caller(session: &LiveSession, via: Via) -> Caller {
    Caller {
        user: session.user.id,
        role: session.user.role,
        company: session.user.parent,
        session: session.id,
        support: session.user.support,
        language: Some(session.user.language),
        via,
    }
}

fn credentials(req: &Request) -> Option<(String, Via)> {
    if let Some(token) = bearer(req.headers()) {
        return Some((token.to_owned(), Via::Bearer));
    }
    let path = req.uri().path();
    let is_file = cookies::PATHS.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
    let reads = matches!(*req.method(), Method::GET | Method::HEAD) || !xsrf::is_safe(req.method());
    let token = xsrf::own_cookie(req.headers(), cookies::MEDIA).filter(|_| is_file && reads)?;
    Some((token.to_owned(), Via::Cookie))
}

/// The token of `Authorization: Bearer …`.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
