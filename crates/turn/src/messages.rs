//! Reading requests and writing answers.

use stun_types::attribute::{AttributeType, ErrorCode, Fingerprint, Nonce, Realm, UnknownAttributes};
use stun_types::message::{IntegrityAlgorithm, IntegrityKey, Message, MessageWriteVec};
use stun_types::prelude::*;

/// The realm of our credentials.
pub(crate) const REALM: &str = "atalaya";

/// A refusal.
pub(crate) fn refusal(request: &Message<'_>, code: u16) -> MessageWriteVec {
    let mut answer = Message::builder_error(request, MessageWriteVec::new());
    if let Ok(error) = ErrorCode::builder(code).build() {
        add(&mut answer, &error);
    }
    answer
}

/// A refusal that says how to come again: realm and nonce.
pub(crate) fn challenge(request: &Message<'_>, code: u16, nonce: &str) -> MessageWriteVec {
    let mut answer = refusal(request, code);
    if let (Ok(realm), Ok(nonce)) = (Realm::new(REALM), Nonce::new(nonce)) {
        add(&mut answer, &realm);
        add(&mut answer, &nonce);
    }
    answer
}

/// Names the attributes that a request must not carry here.
pub(crate) fn unknown(request: &Message<'_>, attributes: &[AttributeType]) -> MessageWriteVec {
    let mut answer = refusal(request, ErrorCode::UNKNOWN_ATTRIBUTE);
    add(&mut answer, &UnknownAttributes::new(attributes));
    answer
}

pub(crate) fn success(request: &Message<'_>) -> MessageWriteVec {
    Message::builder_success(request, MessageWriteVec::new())
}

/// Adds an attribute. The writer refuses only ends of messages and doubles, of which we write none.
pub(crate) fn add(answer: &mut MessageWriteVec, attribute: &dyn AttributeWrite) {
    let added = answer.add_attribute(attribute);
    debug_assert!(added.is_ok(), "{added:?}");
}

/// The bytes of an answer: with the key's integrity for whoever has proved to know it, with a fingerprint for whoever
/// sent one.
pub(crate) fn seal(request: &Message<'_>, mut answer: MessageWriteVec, key: Option<&IntegrityKey>) -> Vec<u8> {
    if let Some(key) = key {
        let _ = answer.add_message_integrity_with_key(key, IntegrityAlgorithm::Sha1);
    }
    if request.has_attribute(Fingerprint::TYPE) {
        let _ = answer.add_fingerprint();
    }
    answer.finish()
}

/// The value of an attribute that is there and readable.
pub(crate) fn value<'a, A: AttributeFromRaw<'a> + AttributeStaticType>(message: &'a Message<'a>) -> Option<A> {
    message.attribute::<A>().ok()
}
