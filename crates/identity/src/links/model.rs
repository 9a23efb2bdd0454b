//! What a link is for and where it stands.

use crate::{IdentityError, IdentityResult};
use atalaya_kernel::{CompanyId, Language, OutboxId, Role, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// What a link opens. The names are those that `verify-token` answers (DESIGN §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// Creates an account or a company.
    Activation,
    /// Lets an administrator activate a company that registered itself.
    AdminEnable,
    /// Sets a new password.
    Reset,
}

impl LinkKind {
    pub const ALL: [LinkKind; 3] = [LinkKind::Activation, LinkKind::AdminEnable, LinkKind::Reset];

    pub fn name(self) -> &'static str {
        match self {
            Self::Activation => "activation",
            Self::AdminEnable => "admin-enable",
            Self::Reset => "reset",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How long a link of this kind may be used (DESIGN §3: seven days, a reset one hour).
    pub fn life(self) -> TimeDelta {
        match self {
            Self::Activation | Self::AdminEnable => TimeDelta::days(7),
            Self::Reset => TimeDelta::hours(1),
        }
    }
}

/// Characters of a token that travels by e-mail.
pub const TOKEN_LENGTH: usize = 32;
/// Characters of a token that travels by SMS, where every character costs (DESIGN §7: short links).
pub const SHORT_TOKEN_LENGTH: usize = 10;

/// A stored link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub id: Uuid,
    pub kind: LinkKind,
    /// Where it was sent: an e-mail, or a phone in E.164.
    pub address: String,
    pub language: Language,
    /// The role of the account to be created.
    pub role: Option<Role>,
    /// The company the account will belong to, or the company to be activated.
    pub company: Option<CompanyId>,
    /// Whose password it resets.
    pub user: Option<UserId>,
    pub inviter: Option<UserId>,
    pub message: Option<OutboxId>,
    pub created_user: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub opened_at: Option<DateTime<Utc>>,
    pub used_at: Option<DateTime<Utc>>,
    /// A newer link took its place.
    pub replaced_at: Option<DateTime<Utc>>,
}

/// What the inviter sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    Sent,
    Opened,
    Used,
    Expired,
}

impl Link {
    pub fn state(&self, now: DateTime<Utc>) -> LinkState {
        match () {
            () if self.used_at.is_some() => LinkState::Used,
            () if self.replaced_at.is_some() || self.expires_at <= now => LinkState::Expired,
            () if self.opened_at.is_some() => LinkState::Opened,
            () => LinkState::Sent,
        }
    }

    /// Whether it may still be used.
    ///
    /// Errors: [`IdentityError::LinkUsed`], [`IdentityError::LinkExpired`].
    pub fn check(&self, now: DateTime<Utc>) -> IdentityResult<()> {
        match self.state(now) {
            LinkState::Used => Err(IdentityError::LinkUsed),
            LinkState::Expired => Err(IdentityError::LinkExpired),
            LinkState::Sent | LinkState::Opened => Ok(()),
        }
    }
}

/// A link to be made.
#[derive(Clone, Debug)]
pub struct NewLink {
    pub kind: LinkKind,
    pub address: String,
    pub language: Language,
    pub role: Option<Role>,
    pub company: Option<CompanyId>,
    pub user: Option<UserId>,
    pub inviter: Option<UserId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    #[test]
    fn a_link_lives_until_its_second_and_is_used_once() {
        let link = Link {
            id: Uuid::from_u128(1),
            kind: LinkKind::Reset,
            address: "a@b.es".into(),
            language: Language::Es,
            role: None,
            company: None,
            user: None,
            inviter: None,
            message: None,
            created_user: None,
            created_at: at(0),
            expires_at: at(0) + LinkKind::Reset.life(),
            opened_at: None,
            used_at: None,
            replaced_at: None,
        };
        assert_eq!(link.state(at(3599)), LinkState::Sent);
        assert_eq!(link.state(at(3600)), LinkState::Expired);
        let opened = Link { opened_at: Some(at(1)), ..link.clone() };
        assert_eq!(opened.state(at(3599)), LinkState::Opened);
        assert!(opened.check(at(3599)).is_ok());
        let used = Link { used_at: Some(at(2)), ..opened };
        assert!(matches!(used.check(at(3)), Err(IdentityError::LinkUsed)));
        assert!(matches!(used.check(at(9999)), Err(IdentityError::LinkUsed)), "a used link says so for ever");
        let replaced = Link { replaced_at: Some(at(2)), ..link };
        assert!(matches!(replaced.check(at(3)), Err(IdentityError::LinkExpired)));
    }
}
