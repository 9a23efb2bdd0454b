//! The master key of files in a token: how it wraps (AES-GCM, KEYS-6).

use super::token::{KeyId, LABEL, Open, Token, Trouble};
use atalaya_blobs::{Sealed, TOKEN_NONCE_BYTES, TokenKey};
use cryptoki::error::Error as ModuleError;
use cryptoki::mechanism::Mechanism;
use cryptoki::mechanism::aead::GcmParams;
use cryptoki::object::{Attribute, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::types::Ulong;
use futures::FutureExt;
use futures::future::BoxFuture;
use secrecy::{ExposeSecret, SecretSlice};
use std::fmt;

/// Of the tag, which is as long as that of keys in the file.
const TAG_BITS: Ulong = Ulong::new(128);

/// One key in the token.
pub(super) struct InToken {
    pub(super) token: Token,
    pub(super) id: KeyId,
}

impl fmt::Debug for InToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {:?}", hex::encode(self.id), self.token)
    }
}

impl TokenKey for InToken {
    fn id(&self) -> KeyId {
        self.id
    }

    fn seal<'a>(
        &'a self,
        nonce: [u8; TOKEN_NONCE_BYTES],
        owner: &'a str,
        key: SecretSlice<u8>,
    ) -> BoxFuture<'a, Sealed<Vec<u8>>> {
        let (id, owner) = (self.id, owner.to_owned());
        let question = move |open: &mut Open| -> Result<Vec<u8>, Trouble> {
            let by = open.key(id)?;
            Ok(encrypt(&open.session, by, nonce, owner.as_bytes(), key.expose_secret())?)
        };
        self.token.ask(question).boxed()
    }

    fn open<'a>(
        &'a self,
        nonce: [u8; TOKEN_NONCE_BYTES],
        owner: &'a str,
        sealed: Vec<u8>,
    ) -> BoxFuture<'a, Sealed<SecretSlice<u8>>> {
        let (id, owner) = (self.id, owner.to_owned());
        let question = move |open: &mut Open| -> Result<SecretSlice<u8>, Trouble> {
            let by = open.key(id)?;
            match decrypt(&open.session, by, nonce, owner.as_bytes(), &sealed) {
                Ok(plain) => Ok(SecretSlice::from(plain)),
                // Modules differ in what they call a tag that does not fit; one whose key still works means just that.
                Err(error) => match encrypt(&open.session, by, nonce, b"trial", b"trial") {
                    Ok(_) => Err(Trouble::Altered),
                    Err(_) => Err(error.into()),
                },
            }
        };
        self.token.ask(question).boxed()
    }
}

pub(super) fn template(id: KeyId) -> [Attribute; 11] {
    [
        Attribute::Class(ObjectClass::SECRET_KEY),
        Attribute::KeyType(KeyType::AES),
        Attribute::ValueLen(Ulong::new(32)),
        Attribute::Token(true),
        Attribute::Private(true),
        Attribute::Sensitive(true),
        Attribute::Extractable(false),
        Attribute::Encrypt(true),
        Attribute::Decrypt(true),
        Attribute::Label(LABEL.as_bytes().to_vec()),
        Attribute::Id(id.to_vec()),
    ]
}

pub(super) fn encrypt(
    session: &Session,
    key: ObjectHandle,
    mut nonce: [u8; TOKEN_NONCE_BYTES],
    owner: &[u8],
    plain: &[u8],
) -> Result<Vec<u8>, ModuleError> {
    let gcm = GcmParams::new(&mut nonce, owner, TAG_BITS)?;
    session.encrypt(&Mechanism::AesGcm(gcm), key, plain)
}

pub(super) fn decrypt(
    session: &Session,
    key: ObjectHandle,
    mut nonce: [u8; TOKEN_NONCE_BYTES],
    owner: &[u8],
    sealed: &[u8],
) -> Result<Vec<u8>, ModuleError> {
    let gcm = GcmParams::new(&mut nonce, owner, TAG_BITS)?;
    session.decrypt(&Mechanism::AesGcm(gcm), key, sealed)
}
