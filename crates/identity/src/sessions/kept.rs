//! Living sessions with their user and company, as this process has read them (SESSION-13).
//!
//! `sessions::verify` puts them in; the stores of sessions, users and companies say what they change ([`atalaya_db::Tx::changed`]).

use super::model::LiveSession;
use crate::directory::{Company, User};
use atalaya_db::{Changes, Keep, Kept, Moment};
use atalaya_kernel::{CompanyId, SessionId, UserId};
use chrono::{DateTime, Utc};
use std::sync::Arc;
use uuid::Uuid;

/// The sessions kept by this process. Cheap to clone.
#[derive(Clone)]
pub struct KeptSessions(Kept<LiveSession>);

impl Keep for LiveSession {
    const TABLES: [&'static str; 2] = ["app_user", "company"];
    fn id(&self) -> Uuid {
        self.id.0
    }
    fn owner(&self) -> Uuid {
        self.user.id.0
    }
    fn group(&self) -> Uuid {
        self.company.id.0
    }
}

impl KeptSessions {
    pub fn new(changes: &Changes) -> Self {
        Self(Kept::new(changes))
    }

    pub(super) fn find(&self, id: SessionId, now: DateTime<Utc>) -> Option<Arc<LiveSession>> {
        self.0.find(id.0).filter(|session| session.expires_at > now)
    }

    pub(super) fn moment(&self) -> Moment {
        self.0.moment()
    }

    pub(super) fn keep(&self, since: Moment, session: &Arc<LiveSession>) {
        self.0.keep(since, session);
    }

    /// A company, if somebody of it has a session that is kept.
    pub(crate) fn company(&self, id: CompanyId) -> Option<Company> {
        self.0.of_group(id.0).map(|session| session.company.clone())
    }

    /// A user with a session that is kept, and the company.
    pub(crate) fn account(&self, id: UserId) -> Option<(User, Company)> {
        self.0.of_owner(id.0).map(|session| (session.user.clone(), session.company.clone()))
    }
}
