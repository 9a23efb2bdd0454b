//! Long-term credentials (RFC 8489, section 9.2) with passwords of limited time.

use super::{Client, Moment, Server, ip_of};
use crate::credentials;
use crate::messages::{self, REALM, challenge, refusal};
use stun_types::attribute::{ErrorCode, MessageIntegrity, Nonce, Realm, Username};
use stun_types::message::{IntegrityAlgorithm, IntegrityKey, LongTermKeyCredentials, Message, MessageWriteVec};
use stun_types::prelude::*;

/// Who has proved the credentials.
pub(super) struct Proved {
    pub username: String,
    pub subject: String,
    pub key: IntegrityKey,
}

impl Server {
    /// Checks the credentials of a request; the refusal is the answer to be sent (TURN-3).
    pub(super) fn authenticate(
        &mut self,
        at: Moment,
        client: Client,
        message: &Message<'_>,
        is_live: &dyn Fn(&str) -> bool,
    ) -> Result<Proved, MessageWriteVec> {
        let ask = |code| challenge(message, code, &self.nonces.make(ip_of(client), at.unix_s));
        if !message.has_attribute(MessageIntegrity::TYPE) {
            return Err(ask(ErrorCode::UNAUTHORIZED));
        }
        let (username, realm, nonce) =
            (messages::value::<Username>(message), messages::value::<Realm>(message), messages::value::<Nonce>(message));
        let (Some(username), Some(realm), Some(nonce)) = (username, realm, nonce) else {
            return Err(refusal(message, ErrorCode::BAD_REQUEST));
        };
        if !self.nonces.is_good(nonce.nonce(), ip_of(client), at.unix_s) {
            return Err(ask(ErrorCode::STALE_NONCE));
        }
        let proved = self.proved(at, client, message, username.username(), realm.realm(), is_live);
        if proved.is_none() {
            self.stats.refused_credentials += 1;
        }
        proved.ok_or_else(|| challenge(message, ErrorCode::UNAUTHORIZED, &self.nonces.make(ip_of(client), at.unix_s)))
    }

    fn proved(
        &self,
        at: Moment,
        client: Client,
        message: &Message<'_>,
        username: &str,
        realm: &str,
        is_live: &dyn Fn(&str) -> bool,
    ) -> Option<Proved> {
        let (expiry, subject) = credentials::parts(username).filter(|_| realm == REALM)?;
        // What was begun in time may go on as long as its subject is there.
        let goes_on = self.allocations.get(&client).is_some_and(|a| a.username == username);
        if (expiry < at.unix_s && !goes_on) || !is_live(subject) {
            return None;
        }
        let password = self.config.secret.password(username);
        let key = LongTermKeyCredentials::new(username.to_owned(), password, realm.to_owned()).make_key(IntegrityAlgorithm::Sha1);
        message.validate_integrity_with_key(&key).ok()?;
        Some(Proved { username: username.to_owned(), subject: subject.to_owned(), key })
    }
}
