//! Sessions: the rows that tokens stand for.
//!
//! Called by `auth`, which opens them, by `presence` and `devices`, and by every room that ends somebody's access.
//! *Invariant:* a session is as good as its row: a token whose row has ended or expired is refused whatever it says.

mod entity;
mod kept;
mod model;
mod service;
mod store;
mod watch;

pub use kept::KeptSessions;
pub(crate) use model::{LiveSession, LogIn, Token};
pub use service::{Issued, end_all, has_left_since, is_alive, living, open_session, renew, require_fresh_proof};
pub(crate) use service::{issue, require_fresh_proof_within, verify};
pub use store::has_fresh_proof;
pub(crate) use store::{
    agent_of, delete_expired, end_family, end_of_company, end_of_user, end_others, find_live, is_dead, list_tokens, lock_owner,
    mark_proved, owner_of,
};
pub use watch::{LivingLogIn, SessionWatch, watch};
