//! The secret under which customers' accounts lie: Argon2id makes its key, XChaCha20-Poly1305
//! seals with it, each account for its company. The secret and its key live only as long as one call.

use super::{MandateError, store};
use crate::{Billing, BillingError, BillingResult};
use argon2::{Algorithm, Argon2, Params, Version};
use atalaya_checks::password::{MIN_SECRET_CHARS, is_unguessable};
use atalaya_db::Tx;
use atalaya_identity::companies::accounts::Account;
use atalaya_kernel::{CompanyId, Sources};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

const LONGEST: usize = 200;
const NONCE: usize = 24;
/// What the verifier holds.
const PROOF: &[u8] = b"atalaya sepa secret 1";
const PROOF_FOR: &str = "verifier";

/// The key of the secret, proven right.
pub struct SecretKey(Zeroizing<[u8; 32]>);

impl SecretKey {
    /// 19 MiB, two passes, as for passwords; in a thread that may be busy for that long.
    async fn derive(secret: &SecretString, salt: &[u8]) -> BillingResult<Self> {
        let (secret, salt) = (secret.clone(), salt.to_vec());
        let derived = tokio::task::spawn_blocking(move || {
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default());
            let mut key = Zeroizing::new([0; 32]);
            argon2.hash_password_into(secret.expose_secret().as_bytes(), &salt, key.as_mut_slice()).map(|()| Self(key))
        });
        derived.await.map_err(BillingError::internal)?.map_err(BillingError::internal)
    }

    fn seal(&self, sources: &Sources, of: &str, text: &[u8]) -> Vec<u8> {
        let nonce = sources.bytes::<NONCE>();
        let mut body = text.to_vec();
        let cipher = XChaCha20Poly1305::new((&*self.0).into());
        cipher.encrypt_in_place(&XNonce::from(nonce), of.as_bytes(), &mut body).expect("a short text can be sealed");
        [&nonce[..], &body].concat()
    }

    fn open(&self, of: &str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, body) = sealed.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let mut body = Zeroizing::new(body.to_vec());
        let cipher = XChaCha20Poly1305::new((&*self.0).into());
        cipher.decrypt_in_place(&XNonce::from(nonce), of.as_bytes(), &mut *body).ok()?;
        Some(body)
    }

    /// An account's number under this key, for its company.
    pub fn seal_iban(&self, sources: &Sources, company: CompanyId, iban: &str) -> String {
        STANDARD_NO_PAD.encode(self.seal(sources, &company.to_string(), iban.as_bytes()))
    }

    /// The number again; `None` when it was sealed with another secret, or for another company.
    pub fn open_iban(&self, company: CompanyId, account: &Account) -> Option<String> {
        let sealed = STANDARD_NO_PAD.decode(account.under_secret()?).ok()?;
        let text = self.open(&company.to_string(), &sealed)?;
        String::from_utf8(text.to_vec()).ok()
    }
}

/// Whether there is a secret already.
pub async fn is_set(d: &Billing) -> BillingResult<bool> {
    Ok(store::find_secret(d.db.read()).await?.is_some())
}

/// Proves the secret, or makes it the secret when it is the first one, in a transaction of its own.
///
/// Errors: [`MandateError`] `SecretMismatch`, `SecretRequired`, `SecretTooLong`; of a first one `SecretTooShort`, `SecretWeak`.
pub async fn unlock(d: &Billing, secret: &SecretString) -> BillingResult<SecretKey> {
    let typed = secret.expose_secret();
    if typed.is_empty() {
        return Err(MandateError::SecretRequired.into());
    }
    if typed.chars().count() > LONGEST {
        return Err(MandateError::SecretTooLong { max: LONGEST }.into());
    }
    if let Some(known) = store::find_secret(d.db.read()).await? {
        return prove(secret, &known).await;
    }
    if typed.chars().count() < MIN_SECRET_CHARS {
        return Err(MandateError::SecretTooShort { min: MIN_SECRET_CHARS }.into());
    }
    // It locks the ZIP for the bank too, whose format fixes a quick derivation: nothing but chance protects it there.
    if !is_unguessable(typed) {
        return Err(MandateError::SecretWeak.into());
    }
    let salt = d.sources.bytes::<16>();
    let key = SecretKey::derive(secret, &salt).await?;
    let verifier = key.seal(&d.sources, PROOF_FOR, PROOF);
    let tx = d.db.write().await?;
    if store::insert_secret(&tx, d.sources.uuid(), &salt, verifier, d.sources.now()).await? {
        tx.commit().await?;
        return Ok(key);
    }
    // Somebody else's was first.
    let known = store::find_secret(&*tx).await?.ok_or_else(|| BillingError::internal("no secret"))?;
    tx.rollback().await?;
    prove(secret, &known).await
}

async fn prove(secret: &SecretString, known: &store::Verifier) -> BillingResult<SecretKey> {
    let key = SecretKey::derive(secret, &known.salt).await?;
    match key.open(PROOF_FOR, &known.verifier) {
        Some(proof) if proof.as_slice() == PROOF => Ok(key),
        _ => Err(MandateError::SecretMismatch.into()),
    }
}

/// Puts a customer's account under the secret, in the caller's transaction. Answers false when it lay there already.
///
/// Errors: [`MandateError`] `IbanMissing`, `IbanUnreadable`, `IbanChanged`.
pub async fn protect(d: &Billing, tx: &Tx, key: &SecretKey, company: CompanyId) -> BillingResult<bool> {
    use atalaya_identity::companies::accounts;
    let party = accounts::find(&d.identity, company).await?;
    let account = party.account.as_ref().ok_or(MandateError::IbanMissing)?;
    if account.protected {
        return match key.open_iban(company, account) {
            Some(_) => Ok(false),
            None => Err(MandateError::IbanUnreadable.into()),
        };
    }
    let iban = accounts::iban(&d.identity, &party).ok_or(MandateError::IbanUnreadable)?;
    let sealed = key.seal_iban(&d.sources, company, iban.as_str());
    if accounts::protect(&d.identity, tx, company, account.id, &sealed).await? {
        return Ok(true);
    }
    Err(MandateError::IbanChanged.into())
}
