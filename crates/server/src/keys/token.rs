//! The master key of files in a token (PKCS#11, KEYS-6): an HSM, a network's key service with such a module, or SoftHSM.
//!
//! A module is foreign code that may block, so one thread of its own talks to it. Whoever asks waits a bounded time; while the
//! token hangs, others are refused at once. A session that ended is opened anew, and a token that was away is found again,
//! without a restart.

use super::wrapping::{InToken, decrypt, encrypt, template};
use crate::config::Pkcs11Config;
use anyhow::{Context, Result};
use atalaya_blobs::{BlobError, KEY_ID_BYTES, Master, TOKEN_NONCE_BYTES};
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error as ModuleError, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long somebody waits for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// After a failure the token is left alone that long.
const REST: Duration = Duration::from_millis(500);
/// Questions that wait for their turn.
const QUEUE: usize = 256;
/// By which people find the keys in the token.
pub(super) const LABEL: &str = "atalaya files";
/// Stands before the key's id in `secrets.toml`, where otherwise the key would be.
pub(super) const PREFIX: &str = "pkcs11:";

pub(super) type KeyId = [u8; KEY_ID_BYTES];
type Work = Box<dyn FnOnce(&mut Window) + Send>;

/// The token. Clones share its thread, which ends with the last of them.
#[derive(Clone)]
pub struct Token(Arc<Desk>);

struct Desk {
    label: String,
    asks: SyncSender<Work>,
    patience: Duration,
    /// A question was not answered in time, and the thread is still at it.
    stuck: Arc<AtomicBool>,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({})", self.0.label)
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("{0}")]
    Module(#[from] ModuleError),
    #[error("no token is labelled \"{0}\"")]
    NoToken(String),
    #[error("the key is not in the token")]
    NoKey,
    #[error("the wrapped key was altered or belongs elsewhere")]
    Altered,
    #[error("what the token signs does not fit its key")]
    Wrong,
}

impl Trouble {
    /// Whether opening everything anew may help.
    fn may_pass(&self) -> bool {
        !matches!(self, Self::Altered) && !self.is_of_the_pin()
    }

    fn is_of_the_pin(&self) -> bool {
        use RvError::{PinExpired, PinIncorrect, PinInvalid, PinLenRange, PinLocked};
        let of_the_pin = |error: &RvError| matches!(error, PinExpired | PinIncorrect | PinInvalid | PinLenRange | PinLocked);
        matches!(self, Self::Module(ModuleError::Pkcs11(error, _)) if of_the_pin(error))
    }
}

impl From<Trouble> for BlobError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::NoKey => Self::UnknownKey,
            Trouble::Altered => Self::Tampered("the wrapped key was altered or belongs elsewhere"),
            other => Self::TokenUnavailable(other.to_string()),
        }
    }
}

impl Token {
    /// The token of the configuration. Nothing is loaded before the first question.
    ///
    /// Errors: no thread can be started.
    pub fn new(config: &Pkcs11Config) -> Result<Self> {
        Self::with_patience(config, PATIENCE)
    }

    fn with_patience(config: &Pkcs11Config, patience: Duration) -> Result<Self> {
        let (asks, work) = sync_channel::<Work>(QUEUE);
        let mut window = Window { config: config.clone(), module: None, ready: false, open: None, resting: None, refused: None };
        let stuck = Arc::new(AtomicBool::new(false));
        let free = stuck.clone();
        let talk = move || {
            for one in work {
                one(&mut window);
                free.store(false, Ordering::Relaxed);
            }
        };
        std::thread::Builder::new().name("token".into()).spawn(talk).context("starting the token's thread")?;
        Ok(Self(Arc::new(Desk { label: config.token.clone(), asks, patience, stuck })))
    }

    /// The master key that a text of `secrets.toml` names; `None` for a text that is a key itself.
    pub fn named(&self, text: &str) -> Option<Master> {
        let id = id_of(text)?;
        Some(Master::Token(Arc::new(InToken { token: self.clone(), id })))
    }

    /// Makes a key that cannot be read out, and tries it; answers its text for `secrets.toml`.
    pub async fn make(&self, id: KeyId) -> Result<String, BlobError> {
        self.ask(move |open| {
            let key = open.session.generate_key(&Mechanism::AesKeyGen, &template(id))?;
            let sealed = encrypt(&open.session, key, [0; TOKEN_NONCE_BYTES], b"trial", b"trial")?;
            match decrypt(&open.session, key, [0; TOKEN_NONCE_BYTES], b"trial", &sealed)?.as_slice() {
                b"trial" => Ok(()),
                _ => Err(Trouble::Altered),
            }
        })
        .await?;
        Ok(format!("{PREFIX}{}", hex::encode(id)))
    }

    /// Whether the token answers, by its name, maker and model, and has this key, when one is named.
    ///
    /// Errors: `KEY_TOKEN_UNAVAILABLE`, `KEY_UNKNOWN`.
    pub async fn check(&self, text: Option<&str>) -> Result<String, BlobError> {
        let id = text.and_then(id_of);
        self.ask(move |open| {
            id.map(|id| open.key(id)).transpose()?;
            Ok(open.name.clone())
        })
        .await
    }

    pub(super) async fn ask<T, Q>(&self, question: Q) -> Result<T, BlobError>
    where
        T: Send + 'static,
        Q: Fn(&mut Open) -> Result<T, Trouble> + Send + 'static,
    {
        let Desk { label, patience, .. } = &*self.0;
        let hangs = || BlobError::TokenUnavailable(format!("no answer from \"{label}\" for {patience:?}"));
        if self.0.stuck.load(Ordering::Relaxed) {
            return Err(hangs());
        }
        let (tell, answer) = oneshot::channel();
        let work: Work = Box::new(move |window| {
            // Whoever went away needs no answer.
            if !tell.is_closed() {
                let _ = tell.send(window.answer(&question));
            }
        });
        self.0.asks.try_send(work).map_err(|_| hangs())?;
        match tokio::time::timeout(*patience, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => {
                self.0.stuck.store(true, Ordering::Relaxed);
                Err(hangs())
            }
        }
    }
}

/// Whether this text of `secrets.toml` names a key in a token.
pub fn is_in_token(text: &str) -> bool {
    text.starts_with(PREFIX)
}

pub(super) fn id_of(text: &str) -> Option<KeyId> {
    let mut id = [0; KEY_ID_BYTES];
    hex::decode_to_slice(text.strip_prefix(PREFIX)?, &mut id).ok()?;
    Some(id)
}

/// What the thread has of the module.
struct Window {
    config: Pkcs11Config,
    /// Stays loaded: libraries do not like to be unloaded.
    module: Option<Pkcs11>,
    /// It is initialised.
    ready: bool,
    open: Option<Open>,
    /// Until when nothing is tried, and why.
    resting: Option<(Instant, String)>,
    /// Why the PIN is not said again: every wrong one brings the token nearer to locking itself (KEYS-8).
    refused: Option<String>,
}

/// A session with the token.
pub(super) struct Open {
    pub(super) session: Session,
    name: String,
    keys: HashMap<KeyId, ObjectHandle>,
}

impl Window {
    /// Asks; when that fails in a way that may pass, once more with everything opened anew.
    fn answer<T>(&mut self, question: &impl Fn(&mut Open) -> Result<T, Trouble>) -> Result<T, BlobError> {
        if let Some(why) = &self.refused {
            return Err(BlobError::TokenUnavailable(why.clone()));
        }
        if let Some((until, why)) = &self.resting
            && Instant::now() < *until
        {
            return Err(BlobError::TokenUnavailable(why.clone()));
        }
        self.resting = None;
        let was_open = self.open.is_some();
        let mut answer = self.open().and_then(question);
        if was_open && answer.as_ref().is_err_and(Trouble::may_pass) {
            self.close();
            answer = self.open().and_then(question);
        }
        let error = match answer {
            Ok(answer) => return Ok(answer),
            Err(trouble) => {
                self.refused = trouble.is_of_the_pin().then(|| trouble.to_string());
                BlobError::from(trouble)
            }
        };
        if let BlobError::TokenUnavailable(why) = &error {
            self.close();
            tracing::error!(token = self.config.token, why, "the token with our keys does not answer");
            self.resting = Some((Instant::now() + REST, why.clone()));
        }
        Err(error)
    }

    fn open(&mut self) -> Result<&mut Open, Trouble> {
        let opened = match self.open.take() {
            Some(open) => open,
            None => self.begin()?,
        };
        Ok(self.open.insert(opened))
    }

    fn begin(&mut self) -> Result<Open, Trouble> {
        let module = match self.module.take() {
            Some(module) => module,
            None => Pkcs11::new(&self.config.module)?,
        };
        let module = &*self.module.insert(module);
        if !self.ready {
            match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
                Ok(()) | Err(ModuleError::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => self.ready = true,
                Err(error) => return Err(error.into()),
            }
        }
        let mut found = None;
        for slot in module.get_slots_with_token()? {
            let info = module.get_token_info(slot)?;
            if info.label().trim_end() == self.config.token {
                let name = format!("{} ({}, {})", self.config.token, info.manufacturer_id().trim(), info.model().trim());
                found = Some((slot, name));
            }
        }
        let (slot, name) = found.ok_or_else(|| Trouble::NoToken(self.config.token.clone()))?;
        // A session that may write: `make` puts keys into the token.
        let session = module.open_rw_session(slot)?;
        match session.login(UserType::User, Some(&self.config.pin)) {
            Ok(()) | Err(ModuleError::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {
                Ok(Open { session, name, keys: HashMap::new() })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Leaves the module, so that a token that comes back is found.
    fn close(&mut self) {
        self.open = None;
        let ready = std::mem::replace(&mut self.ready, false);
        if let Some(module) = self.module.clone().filter(|_| ready)
            && let Err(error) = module.finalize()
        {
            tracing::debug!(%error, "the token's module was not left in order");
        }
    }
}

impl Open {
    /// A key that is destroyed is not looked for by its old handle.
    pub(super) fn forget(&mut self, id: KeyId) {
        self.keys.remove(&id);
    }

    pub(super) fn key(&mut self, id: KeyId) -> Result<ObjectHandle, Trouble> {
        self.find(ObjectClass::SECRET_KEY, id)
    }

    /// The key of this class and id, which no two keys share.
    pub(super) fn find(&mut self, class: ObjectClass, id: KeyId) -> Result<ObjectHandle, Trouble> {
        if let Some(known) = self.keys.get(&id) {
            return Ok(*known);
        }
        let wanted = [Attribute::Class(class), Attribute::Token(true), Attribute::Id(id.to_vec())];
        let handle = self.session.find_objects(&wanted)?.first().copied().ok_or(Trouble::NoKey)?;
        self.keys.insert(id, handle);
        Ok(handle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> Token {
        let (module, token) = ("/nonexistent/module.so".into(), "none".to_owned());
        let config = Pkcs11Config { module, token, pin: "1234".to_owned().into() };
        Token::with_patience(&config, Duration::from_millis(100)).expect("a thread")
    }

    // KEYS-6
    #[tokio::test]
    async fn a_module_that_cannot_be_loaded_is_said_and_not_asked_again_at_once() {
        let token = nowhere();
        for _ in 0..3 {
            let error = token.check(None).await.expect_err("no such file");
            assert_eq!(error.code(), "KEY_TOKEN_UNAVAILABLE");
            assert!(error.to_string().contains("module.so"), "{error}");
        }
        assert_eq!(format!("{token:?}"), "Token(none)");
    }

    // KEYS-6
    #[tokio::test]
    async fn while_a_token_hangs_nobody_waits_in_line() {
        let token = nowhere();
        let (go, wait) = sync_channel::<()>(1);
        let work: Work = Box::new(move |_| {
            let _ = wait.recv();
        });
        token.0.asks.try_send(work).expect("room");
        let error = token.check(None).await.expect_err("it hangs");
        assert!(error.to_string().contains("no answer"), "{error}");
        assert!(token.0.stuck.load(Ordering::Relaxed));
        assert!(token.check(None).await.expect_err("at once").to_string().contains("no answer"));
        go.send(()).expect("somebody waits");
        while token.0.stuck.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(token.check(None).await.expect_err("asked again").to_string().contains("module.so"));
    }

    // KEYS-8
    #[test]
    fn a_refused_pin_is_told_from_what_may_pass() {
        use cryptoki::context::Function;
        let trouble = |error| Trouble::from(ModuleError::Pkcs11(error, Function::Login));
        for error in [RvError::PinIncorrect, RvError::PinLocked, RvError::PinExpired] {
            let trouble = trouble(error);
            assert!(trouble.is_of_the_pin() && !trouble.may_pass(), "{trouble}");
        }
        for error in [RvError::DeviceRemoved, RvError::SessionHandleInvalid] {
            let trouble = trouble(error);
            assert!(!trouble.is_of_the_pin() && trouble.may_pass(), "{trouble}");
        }
    }

    // KEYS-8
    #[tokio::test]
    async fn after_a_refused_pin_the_token_is_left_alone() {
        let token = nowhere();
        let refuse: Work = Box::new(|window| window.refused = Some("the PIN is refused".to_owned()));
        token.0.asks.try_send(refuse).expect("room");
        let error = token.check(None).await.expect_err("it is not asked");
        assert!(error.to_string().contains("the PIN is refused"), "{error}");
    }

    // KEYS-6
    #[test]
    fn a_text_names_a_key_in_the_token_or_is_one() {
        let token = nowhere();
        assert!(token.named("pkcs11:0123456789abcdef").is_some());
        assert!(token.named(&"00".repeat(32)).is_none() && token.named("pkcs11:01").is_none());
        assert!(is_in_token("pkcs11:0123456789abcdef") && !is_in_token(&"00".repeat(32)));
    }
}
