//! Judging proofs.

use crate::auth::service as log_in;
use crate::{Identity, IdentityError, IdentityResult, Lane, Origin, directory, passkeys, second_factor, sessions};
use atalaya_db::Tx;
use atalaya_rest::Caller;
use passki::AuthenticationCredential;
use uuid::Uuid;

/// What somebody proves himself with.
pub(crate) enum Proof {
    /// Serves only accounts without a second factor.
    Password(String),
    /// A code of the authenticator, or a recovery code.
    Code(String),
    Passkey(Uuid, Box<AuthenticationCredential>),
}

/// Judges a proof of the caller's and notes it on his log-in. Wrong ones count as wrong tries to log in (PROOF-2).
///
/// Errors: 422 `PASSWORD_WRONG` on `password`, 422 `CODE_REQUIRED` on `code` for a password where there is a second factor,
/// 422 `CODE_INVALID`, 409 `SECOND_FACTOR_INACTIVE`, 422 `PASSKEY_INVALID`, [`IdentityError::LoginLocked`].
pub(crate) async fn prove(d: &Identity, caller: &Caller, proof: Proof, origin: &Origin) -> IdentityResult<()> {
    match proof {
        Proof::Password(password) => by_password(d, caller, &password, origin).await,
        Proof::Code(code) => {
            let tx = d.db.write().await?;
            let outcome = second_factor::service::check_own(d, &tx, caller.user, &code, origin).await;
            close(d, tx, caller, outcome).await
        }
        Proof::Passkey(ceremony, credential) => {
            let tx = d.db.write().await?;
            let outcome = passkeys::check_own(d, &tx, caller.user, ceremony, &credential, origin).await;
            close(d, tx, caller, outcome).await
        }
    }
}

async fn by_password(d: &Identity, caller: &Caller, password: &str, origin: &Origin) -> IdentityResult<()> {
    let account = directory::find_account(d.db.read(), caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    if account.user.has2fa {
        return Err(IdentityError::CodeRequired);
    }
    let limits = log_in::limits_of(caller.user, origin);
    let fits = log_in::verify_password(d, password, account.password.as_ref(), &limits, Lane::Known).await?;
    let tx = d.db.write().await?;
    let fits = log_in::admit_try(d, &tx, &limits, Some(&account.user), fits, origin).await?;
    let outcome = match fits {
        true => log_in::unchanged(&tx, account).await.map(|_| ()).map_err(|error| match error {
            IdentityError::LoginIncorrect => IdentityError::PasswordWrong,
            other => other,
        }),
        false => Err(IdentityError::PasswordWrong),
    };
    close(d, tx, caller, outcome).await
}

/// Stores a successful proof. A refused one is committed as well: it counts, and the code that it used is used up.
async fn close(d: &Identity, tx: Tx, caller: &Caller, outcome: IdentityResult<()>) -> IdentityResult<()> {
    match outcome {
        Ok(()) => {
            // A renewal at the same time is either before this proof, or hands it on.
            sessions::lock_owner(&tx, caller.session).await?;
            sessions::mark_proved(&tx, caller.session, d.sources.now()).await?;
        }
        Err(IdentityError::Refused(_) | IdentityError::PasswordWrong) => {}
        Err(other) => return Err(other),
    }
    tx.commit().await?;
    outcome
}
