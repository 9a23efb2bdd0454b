//! Tokens: HS256 JWTs with one claim that names their kind, so that none serves for another.

use crate::{IdentityError, IdentityResult};
use atalaya_kernel::{CompanyId, Role, SessionId, UserId};
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a token allows. The wire names are those `verify-token` answers (SESSION-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    Session,
    /// In the media cookie: reads files, nothing else.
    Media,
    /// Between password and second factor.
    Pending2fa,
    /// In the cookie of a device that logged in: opens nothing.
    Device,
}

/// Claims of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionClaims {
    pub sub: UserId,
    /// The row of the sessions table.
    pub jti: SessionId,
    pub role: Role,
    pub parent: CompanyId,
    /// Seconds since 1970.
    pub exp: i64,
    pub iat: i64,
    pub typ: TokenKind,
    /// Random and the same over renewals: the browser derives from it the key of its encrypted user and menu.
    pub sk: String,
}

/// Signs and checks tokens.
#[derive(Clone)]
pub struct TokenKeys(Arc<Keys>);

struct Keys {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

impl TokenKeys {
    /// `secret` is the token key of the secrets file.
    pub fn new(secret: &[u8]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        // Time is ours (an injected clock), checked in `decode`.
        validation.validate_exp = false;
        validation.validate_aud = false;
        Self(Arc::new(Keys {
            encoding: EncodingKey::from_secret(secret),
            decoding: DecodingKey::from_secret(secret),
            validation,
        }))
    }

    pub fn encode(&self, claims: &SessionClaims) -> String {
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.0.encoding).expect("claims are plain data")
    }

    /// The claims of a token of this kind that has not expired.
    ///
    /// Errors: [`IdentityError::TokenInvalid`], [`IdentityError::TokenExpired`].
    pub fn decode(&self, token: &str, kind: TokenKind, now: DateTime<Utc>) -> IdentityResult<SessionClaims> {
        let data = jsonwebtoken::decode::<SessionClaims>(token, &self.0.decoding, &self.0.validation);
        let claims = data.map_err(|_| IdentityError::TokenInvalid)?.claims;
        if claims.typ != kind {
            return Err(IdentityError::TokenInvalid);
        }
        if claims.exp <= now.timestamp() { Err(IdentityError::TokenExpired) } else { Ok(claims) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    fn claims(typ: TokenKind) -> SessionClaims {
        let id = uuid::Uuid::from_u128(1);
        SessionClaims {
            sub: id.into(),
            jti: id.into(),
            role: Role::Worker,
            parent: id.into(),
            exp: 2_000,
            iat: 1_000,
            typ,
            sk: "k".into(),
        }
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    // SESSION-1
    #[test]
    fn a_token_lives_until_its_second() {
        let keys = TokenKeys::new(b"secret");
        let token = keys.encode(&claims(TokenKind::Session));
        assert_eq!(keys.decode(&token, TokenKind::Session, at(1_999)).unwrap(), claims(TokenKind::Session));
        assert!(matches!(keys.decode(&token, TokenKind::Session, at(2_000)), Err(IdentityError::TokenExpired)));
    }

    // SESSION-4
    #[test]
    fn forged_unsigned_and_foreign_tokens_are_refused() {
        let keys = TokenKeys::new(b"secret");
        let good = keys.encode(&claims(TokenKind::Session));
        let mut parts = good.split('.');
        let (_, body, signature) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
        let raised = URL_SAFE_NO_PAD
            .encode(serde_json::to_vec(&SessionClaims { role: Role::Admin, ..claims(TokenKind::Session) }).unwrap());
        let head = good.split('.').next().unwrap();
        for bad in [
            format!("{none}.{body}."),
            format!("{none}.{body}.{signature}"),
            format!("{head}.{raised}.{signature}"),
            format!("{head}.{body}"),
            TokenKeys::new(b"other").encode(&claims(TokenKind::Session)),
            keys.encode(&claims(TokenKind::Media)),
            String::new(),
        ] {
            assert!(matches!(keys.decode(&bad, TokenKind::Session, at(1_500)), Err(IdentityError::TokenInvalid)), "{bad}");
        }
    }
}
