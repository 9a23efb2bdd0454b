//! Media tokens: the LiveKit access token (JWT, HS256), verified and minted.
//!
//! Called by the signalling and twirp routes, and by whoever admits a participant to a room.
//! *Invariant:* time is a parameter; a token is never logged.
//!
//! Source: LiveKit access token claims (`iss` = API key, `sub` = identity, `video` = grants).

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use livekit_protocol::{ParticipantPermission, TrackSource};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Tolerated clock difference in seconds.
const LEEWAY_S: i64 = 10;
/// Longest token that is decoded, in bytes.
const MAX_TOKEN: usize = 16 * 1024;

/// Why a token was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("no media token was given")]
    Missing,
    #[error("the media token is not valid")]
    Invalid,
    #[error("the media token has expired")]
    Expired,
    #[error("the media token does not allow this")]
    NotAllowed,
    #[error("the right behind the media token has ended")]
    Revoked,
    #[error("whether the media token is still good cannot be said now")]
    Unknown,
}

impl TokenError {
    /// Stable code, upper case.
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing => "MEDIA_TOKEN_MISSING",
            Self::Invalid => "MEDIA_TOKEN_INVALID",
            Self::Expired => "MEDIA_TOKEN_EXPIRED",
            Self::NotAllowed => "MEDIA_TOKEN_NOT_ALLOWED",
            Self::Revoked => "MEDIA_TOKEN_REVOKED",
            Self::Unknown => "MEDIA_ADMISSION_UNKNOWN",
        }
    }
}

/// What the bearer may do. As with LiveKit, absent optional rights to publish and subscribe are granted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct VideoGrants {
    #[serde(skip_serializing_if = "is_default")]
    pub room_create: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub room_list: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub room_admin: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub room_join: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub room: String,
    #[serde(skip_serializing_if = "is_default")]
    pub can_publish: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    pub can_subscribe: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    pub can_publish_data: Option<bool>,
    /// `camera`, `microphone`, `screen_share`, `screen_share_audio`; empty = every source.
    #[serde(skip_serializing_if = "is_default")]
    pub can_publish_sources: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub can_update_own_metadata: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    pub hidden: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl VideoGrants {
    pub fn may_publish(&self) -> bool {
        self.can_publish.unwrap_or(true)
    }

    pub fn may_subscribe(&self) -> bool {
        self.can_subscribe.unwrap_or(true)
    }

    pub fn may_publish_data(&self) -> bool {
        self.can_publish_data.unwrap_or_else(|| self.may_publish())
    }

    /// Whether a track of this source may be published.
    pub fn may_publish_source(&self, source: TrackSource) -> bool {
        self.may_publish()
            && (self.can_publish_sources.is_empty() || self.can_publish_sources.iter().any(|s| source_of(s) == Some(source)))
    }

    pub(crate) fn permission(&self) -> ParticipantPermission {
        ParticipantPermission {
            can_subscribe: self.may_subscribe(),
            can_publish: self.may_publish(),
            can_publish_data: self.may_publish_data(),
            can_publish_sources: self.can_publish_sources.iter().filter_map(|s| source_of(s)).map(|s| s as i32).collect(),
            hidden: self.hidden,
            can_update_metadata: self.can_update_own_metadata.unwrap_or(false),
            ..Default::default()
        }
    }
}

fn source_of(name: &str) -> Option<TrackSource> {
    TrackSource::from_str_name(&name.to_ascii_uppercase())
}

/// The claims of a media token. `exp` and `nbf` are Unix seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Claims {
    pub exp: i64,
    pub iss: String,
    pub nbf: i64,
    #[serde(skip_serializing_if = "is_default")]
    pub sub: String,
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    pub video: VideoGrants,
    #[serde(skip_serializing_if = "is_default")]
    pub metadata: String,
    #[serde(skip_serializing_if = "is_default")]
    pub attributes: HashMap<String, String>,
    /// Ours: the log-in that the token was asked for with; the others in the room do not see it.
    #[serde(skip_serializing_if = "is_default")]
    pub session: String,
}

impl Claims {
    /// The claims allow joining the room they name. Errors: `NotAllowed`.
    pub fn require_join(&self) -> Result<(), TokenError> {
        let ok = self.video.room_join && !self.video.room.is_empty() && !self.sub.is_empty();
        if ok { Ok(()) } else { Err(TokenError::NotAllowed) }
    }

    /// The claims administer `room`. Errors: `NotAllowed`.
    pub fn require_admin(&self, room: &str) -> Result<(), TokenError> {
        let ok = self.video.room_admin && (self.video.room == room || self.video.room.is_empty());
        if ok { Ok(()) } else { Err(TokenError::NotAllowed) }
    }
}

/// The key pair that signs and checks tokens. Clones share the secrets, and a running server may be given others.
#[derive(Clone)]
pub struct TokenKeys {
    key: String,
    /// The one that signs first, then those that are accepted beside it.
    secrets: Arc<RwLock<Vec<SecretString>>>,
}

impl TokenKeys {
    pub fn new(key: String, secret: SecretString) -> Self {
        Self { key, secrets: Arc::new(RwLock::new(vec![secret])) }
    }

    /// Signs with this secret from now on, and accepts what it or one of `accepted` signed.
    pub fn replace(&self, secret: SecretString, accepted: impl IntoIterator<Item = SecretString>) {
        let secrets = std::iter::once(secret).chain(accepted).collect();
        *self.secrets.write().unwrap_or_else(PoisonError::into_inner) = secrets;
    }

    fn secrets(&self) -> RwLockReadGuard<'_, Vec<SecretString>> {
        self.secrets.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks signature, issuer, `exp` and `nbf` at `now_s` (Unix seconds).
    pub fn verify(&self, token: &str, now_s: i64) -> Result<Claims, TokenError> {
        if token.is_empty() {
            return Err(TokenError::Missing);
        }
        if token.len() > MAX_TOKEN {
            return Err(TokenError::Invalid);
        }
        let mut rules = Validation::new(Algorithm::HS256);
        // Time is checked below against the injected clock.
        rules.validate_exp = false;
        rules.validate_aud = false;
        rules.required_spec_claims.clear();
        let decode = |secret: &SecretString| {
            let key = DecodingKey::from_secret(secret.expose_secret().as_bytes());
            jsonwebtoken::decode::<Claims>(token, &key, &rules).ok()
        };
        let claims = self.secrets().iter().find_map(decode).ok_or(TokenError::Invalid)?.claims;
        if claims.iss != self.key {
            return Err(TokenError::Invalid);
        }
        if claims.exp.saturating_add(LEEWAY_S) < now_s {
            return Err(TokenError::Expired);
        }
        if claims.nbf.saturating_sub(LEEWAY_S) > now_s {
            return Err(TokenError::Invalid);
        }
        Ok(claims)
    }

    /// Signs `claims`; the issuer is always this key. `ttl_s` = seconds of validity from `now_s` (Unix seconds).
    pub fn mint(&self, claims: Claims, now_s: i64, ttl_s: i64) -> Result<String, TokenError> {
        let claims = Claims { iss: self.key.clone(), nbf: now_s, exp: now_s.saturating_add(ttl_s), ..claims };
        let secrets = self.secrets();
        let secret = secrets.first().ok_or(TokenError::Invalid)?;
        let key = EncodingKey::from_secret(secret.expose_secret().as_bytes());
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).map_err(|_| TokenError::Invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(secret: &str) -> TokenKeys {
        TokenKeys::new("key".into(), secret.to_string().into())
    }

    fn claims() -> Claims {
        Claims {
            sub: "user:1".into(),
            video: VideoGrants { room_join: true, room: "r".into(), ..Default::default() },
            ..Default::default()
        }
    }

    // KEYS-1
    #[test]
    fn a_changed_secret_ends_no_call() {
        let keys = keys("old");
        let shared = keys.clone();
        let token = keys.mint(claims(), 1_000, 60).expect("mint");
        keys.replace("new".to_string().into(), ["old".to_string().into()]);
        shared.verify(&token, 1_030).expect("signed by the secret before");
        let fresh = shared.mint(claims(), 1_000, 60).expect("mint");
        assert_eq!(super::tests::keys("old").verify(&fresh, 1_030), Err(TokenError::Invalid), "the new one signs");
        keys.replace("new".to_string().into(), []);
        assert_eq!(shared.verify(&token, 1_030), Err(TokenError::Invalid), "the old one is forgotten");
    }

    // ENGINE-4
    #[test]
    fn a_minted_token_is_accepted_until_it_expires() {
        let token = keys("s").mint(claims(), 1_000, 60).expect("mint");
        let read = keys("s").verify(&token, 1_030).expect("valid");
        assert_eq!(read.sub, "user:1");
        read.require_join().expect("may join");
        assert_eq!(keys("s").verify(&token, 1_000 + 60 + LEEWAY_S + 1), Err(TokenError::Expired));
        assert_eq!(keys("s").verify(&token, 1_000 - LEEWAY_S - 1), Err(TokenError::Invalid), "not yet valid");
    }

    // ENGINE-4
    #[test]
    fn a_forged_token_is_refused() {
        let token = keys("other").mint(claims(), 1_000, 60).expect("mint");
        assert_eq!(keys("s").verify(&token, 1_000), Err(TokenError::Invalid));
        let stranger = TokenKeys::new("stranger".into(), "s".to_string().into());
        let token = stranger.mint(claims(), 1_000, 60).expect("mint");
        assert_eq!(keys("s").verify(&token, 1_000), Err(TokenError::Invalid), "foreign issuer");
        assert_eq!(keys("s").verify("", 1_000), Err(TokenError::Missing));
    }

    // ENGINE-4
    #[test]
    fn rights_follow_the_grants() {
        let all = VideoGrants::default();
        assert!(all.may_publish_source(TrackSource::ScreenShare) && all.may_publish_data());
        let some = VideoGrants { can_publish_sources: vec!["camera".into(), "microphone".into()], ..Default::default() };
        assert!(some.may_publish_source(TrackSource::Camera));
        assert!(!some.may_publish_source(TrackSource::ScreenShare));
        let none = VideoGrants { can_publish: Some(false), ..Default::default() };
        assert!(!none.may_publish_source(TrackSource::Camera) && !none.may_publish_data());
        assert_eq!(claims().require_admin("r"), Err(TokenError::NotAllowed));
    }

    proptest! {
        #[test]
        fn any_text_is_refused_without_a_panic(text in ".{0,300}") {
            prop_assert!(keys("s").verify(&text, 0).is_err());
        }
    }
}
