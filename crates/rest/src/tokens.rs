//! Tokens: HS256 JWTs with one claim that names their kind, so that none serves for another.

use atalaya_kernel::{CompanyId, Role, SessionId, UserId};
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, PoisonError, RwLock};

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

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Malformed, forged or of another kind.
    #[error("the token is not valid")]
    Invalid,
    #[error("the token has expired")]
    Expired,
}

/// Signs and checks tokens. Clones share their keys, which a running server may be given anew (KEYS-1).
#[derive(Clone)]
pub struct TokenKeys(Arc<RwLock<Keys>>);

struct Keys {
    encoding: EncodingKey,
    /// The signing key first, then those that are accepted beside it.
    decoding: Vec<DecodingKey>,
    validation: Validation,
}

impl TokenKeys {
    /// `secret` is the token key of the secrets file.
    pub fn new(secret: &[u8]) -> Self {
        Self(Arc::new(RwLock::new(Keys::new(secret, &[]))))
    }

    /// Signs with this key from now on, and accepts what it or one of `accepted` signed.
    pub fn replace(&self, secret: &[u8], accepted: &[[u8; 32]]) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Keys::new(secret, accepted);
    }

    pub fn encode(&self, claims: &SessionClaims) -> String {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &keys.encoding).expect("claims are plain data")
    }

    /// The claims of a token of this kind that has not expired.
    ///
    /// Errors: [`TokenError`].
    pub fn decode(&self, token: &str, kind: TokenKind, now: DateTime<Utc>) -> Result<SessionClaims, TokenError> {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let decode = |key| jsonwebtoken::decode::<SessionClaims>(token, key, &keys.validation).ok();
        let claims = keys.decoding.iter().find_map(decode).ok_or(TokenError::Invalid)?.claims;
        if claims.typ != kind {
            return Err(TokenError::Invalid);
        }
        if claims.exp <= now.timestamp() { Err(TokenError::Expired) } else { Ok(claims) }
    }
}

impl Keys {
    fn new(secret: &[u8], accepted: &[[u8; 32]]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        // Time is ours (an injected clock), checked in `decode`.
        validation.validate_exp = false;
        validation.validate_aud = false;
        let accepted = accepted.iter().map(|key| DecodingKey::from_secret(key));
        Self {
            encoding: EncodingKey::from_secret(secret),
            decoding: std::iter::once(DecodingKey::from_secret(secret)).chain(accepted).collect(),
            validation,
        }
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
        assert!(matches!(keys.decode(&token, TokenKind::Session, at(2_000)), Err(TokenError::Expired)));
    }

    // KEYS-1
    #[test]
    fn a_changed_key_ends_no_session() {
        let (old, new) = ([1; 32], [2; 32]);
        let keys = TokenKeys::new(&old);
        let shared = keys.clone();
        let token = keys.encode(&claims(TokenKind::Session));
        keys.replace(&old, &[new]);
        keys.replace(&new, &[old]);
        assert!(shared.decode(&token, TokenKind::Session, at(1_500)).is_ok(), "signed by the key before");
        let fresh = shared.encode(&claims(TokenKind::Session));
        assert!(TokenKeys::new(&new).decode(&fresh, TokenKind::Session, at(1_500)).is_ok(), "the new key signs");
        keys.replace(&new, &[]);
        assert!(shared.decode(&token, TokenKind::Session, at(1_500)).is_err(), "the old one is forgotten");
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
            assert!(matches!(keys.decode(&bad, TokenKind::Session, at(1_500)), Err(TokenError::Invalid)), "{bad}");
        }
    }
}
