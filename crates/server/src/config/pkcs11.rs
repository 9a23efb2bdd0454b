//! The settings of a token that holds the master key of files (KEYS-6).

use super::Pkcs11Config;
use super::load::{ConfigError, Reader};

/// `None` without a module: the key is in `secrets.toml`.
pub(super) fn read(read: &Reader) -> Result<Option<Pkcs11Config>, ConfigError> {
    let given = (read.text("pkcs11_module"), read.text("pkcs11_token"), read.secret("pkcs11_pin"));
    match given {
        (None, None, None) => Ok(None),
        (Some(module), Some(token), Some(pin)) => Ok(Some(Pkcs11Config { module: module.into(), token, pin })),
        (None, ..) => Err(ConfigError::Incomplete { key: "pkcs11_token", why: "and pkcs11_pin need pkcs11_module" }),
        (Some(_), None, _) => Err(ConfigError::Incomplete { key: "pkcs11_module", why: "is set without pkcs11_token" }),
        (Some(_), Some(_), None) => Err(ConfigError::Incomplete { key: "pkcs11_module", why: "is set without pkcs11_pin" }),
    }
}
