//! Known devices: a cookie from an earlier log-in to the same account (AUTH-10).
//!
//! It proves nothing about the person and opens nothing. It puts the device's log-ins into a lane that a flood of strangers
//! cannot fill, and counts its wrong tries separately, so that those of others do not lock it out.

use crate::Identity;
use crate::digest::sha256_hex;
use crate::directory::User;
use atalaya_kernel::{SessionId, UserId, cookies};
use atalaya_rest::tokens::{SessionClaims, TokenKind};
use atalaya_rest::xsrf;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use std::convert::Infallible;

/// The cookies of a request, to find the one that an account has set.
pub(crate) struct Devices(HeaderMap);

impl<S: Send + Sync> FromRequestParts<S> for Devices {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let mut cookies = HeaderMap::new();
        for line in parts.headers.get_all(header::COOKIE) {
            cookies.append(header::COOKIE, line.clone());
        }
        Ok(Self(cookies))
    }
}

/// Where the cookie is sent.
const PATHS: [&str; 2] = ["/api/v1/prelogin", "/api/v1/login"];

/// One cookie per account, so that people who share a computer do not replace each other's. The name reveals nothing.
fn name(user: UserId) -> String {
    format!("{}{}", cookies::DEVICE, &sha256_hex(user.0.as_bytes())[..12])
}

impl Devices {
    /// The device, when it logged in to this account before.
    pub(crate) fn known_at(&self, d: &Identity, user: UserId) -> Option<SessionId> {
        let token = xsrf::own_cookie(&self.0, &name(user))?;
        let claims = d.keys.decode(token, TokenKind::Device, d.sources.now()).ok()?;
        (claims.sub == user).then_some(claims.jti)
    }
}

/// Makes the browser known at the account that it has logged in to.
pub(crate) fn remember(d: &Identity, headers: &mut HeaderMap, user: &User) {
    let now = d.sources.now().timestamp();
    let token = d.keys.encode(&SessionClaims {
        sub: user.id,
        jti: d.sources.id(),
        role: user.role,
        parent: user.parent,
        exp: now + cookies::DEVICE_S,
        iat: now,
        typ: TokenKind::Device,
        sk: String::new(),
    });
    let secure = if d.secure_cookies() { "; Secure" } else { "" };
    let (name, life) = (name(user.id), cookies::DEVICE_S);
    for path in PATHS {
        let name = cookies::sent_name(&name, path, d.secure_cookies());
        let line = format!("{name}={token}; Path={path}; Max-Age={life}; HttpOnly; SameSite=Strict{secure}");
        headers.append(header::SET_COOKIE, HeaderValue::from_str(&line).expect("a token is base64url and dots"));
    }
}
