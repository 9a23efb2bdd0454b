//! What a link is for and where it stands.

use crate::{IdentityError, IdentityResult};
use atalaya_kernel::{CompanyId, Language, OutboxId, Role, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// What a link opens. The names are those that `verify-token` answers (SESSION-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// Creates an account or a company.
    Activation,
    /// Lets an administrator activate a company that registered itself.
    AdminEnable,
    /// Sets a new password.
    Reset,
    /// Confirms a change of the log-in name from where the old one leads.
    NameOld,
    /// Confirms it from where the new one leads.
    NameNew,
}

impl LinkKind {
    pub const ALL: [LinkKind; 5] =
        [LinkKind::Activation, LinkKind::AdminEnable, LinkKind::Reset, LinkKind::NameOld, LinkKind::NameNew];

    pub fn name(self) -> &'static str {
        match self {
            Self::Activation => "activation",
            Self::AdminEnable => "admin-enable",
            Self::Reset => "reset",
            Self::NameOld => "name-old",
            Self::NameNew => "name-new",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How long a link of this kind may be used (LINK-2).
    pub fn life(self) -> TimeDelta {
        match self {
            Self::Activation | Self::AdminEnable => TimeDelta::days(7),
            Self::NameOld | Self::NameNew => TimeDelta::days(1),
            Self::Reset => TimeDelta::hours(1),
        }
    }
}

/// Characters of a token that travels by e-mail.
pub const TOKEN_LENGTH: usize = 32;
/// Characters of a token that travels by SMS, where every character costs (LINK-1).
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

/// What may be done with it.
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

/// What the inviter sees of an invitation: its link and what became of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationState {
    Sent,
    Opened,
    Activated,
    Expired,
    /// The message could not be sent.
    Failed,
}

impl InvitationState {
    pub const ALL: [InvitationState; 5] = [
        InvitationState::Sent,
        InvitationState::Opened,
        InvitationState::Activated,
        InvitationState::Expired,
        InvitationState::Failed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Opened => "opened",
            Self::Activated => "activated",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// A link that somebody opened did arrive, whatever became of its message.
    pub fn of(link: &Link, message_failed: bool, now: DateTime<Utc>) -> Self {
        match link.state(now) {
            LinkState::Used => Self::Activated,
            LinkState::Expired => Self::Expired,
            LinkState::Opened => Self::Opened,
            LinkState::Sent if message_failed => Self::Failed,
            LinkState::Sent => Self::Sent,
        }
    }
}

/// Which invitations to list.
#[derive(Clone, Debug, Default)]
pub struct InvitationFilter {
    /// Whose; every company's and those of new companies without it.
    pub company: Option<CompanyId>,
    pub role: Option<Role>,
    pub state: Option<InvitationState>,
    /// Part of the address.
    pub search: Option<String>,
    pub offset: u64,
    pub limit: u64,
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

    // LINK-2
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
