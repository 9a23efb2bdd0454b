//! Codes: how they are made, read and compared. Pure but for the chance that is passed in.

use crate::digest::sha256_hex;
use atalaya_kernel::{Sources, UserId};
use chrono::{DateTime, Utc};
use totp_rs::{Builder, Totp};

/// Bytes of a secret: as many as HMAC-SHA-1 makes use of (RFC 4226 §4, R6).
pub const SECRET_BYTES: usize = 20;
/// Steps before and after the present one whose codes are accepted (RFC 6238 §5.2).
pub const TOLERANCE_STEPS: u16 = 1;
/// Recovery codes of an account.
pub const RECOVERY_CODES: usize = 10;
/// Characters of a recovery code, without its hyphens: 60 bits, out of reach even for who holds the hashes.
const RECOVERY_LENGTH: usize = 12;
/// Crockford's Base32: no letter that is mistaken for a digit.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// What authenticator apps show above the code.
const ISSUER: &str = "Atalaya";

/// An authenticator's secret.
pub struct Authenticator(Totp);

impl Authenticator {
    /// A fresh secret for an account.
    pub fn generate(sources: &Sources, account: &str) -> Self {
        Self::new(sources.bytes::<SECRET_BYTES>().to_vec(), account)
    }

    /// `None` when the text is no secret of ours.
    pub fn parse(secret: &str, account: &str) -> Option<Self> {
        let bytes = totp_rs::Secret::try_from_base32(secret).ok()?.as_bytes().to_vec();
        (bytes.len() == SECRET_BYTES).then(|| Self::new(bytes, account))
    }

    fn new(secret: Vec<u8>, account: &str) -> Self {
        // A colon would end the issuer in the address (Key URI Format).
        let account = account.replace(':', " ");
        let builder = Builder::new().with_secret(secret).with_skew(TOLERANCE_STEPS).with_account_name(account);
        Self(builder.with_issuer(Some(ISSUER)).build().expect("length, digits and names are within the standard's bounds"))
    }

    /// Base32, as people type it into an app.
    pub fn secret(&self) -> String {
        self.0.secret().to_base32()
    }

    /// `otpauth://…`, the text of the QR code; `None` for an account without a name.
    pub fn url(&self) -> Option<String> {
        self.0.to_url().ok()
    }

    /// The step whose code this is, within the tolerance around `now`.
    pub fn step_of(&self, code: &str, now: DateTime<Utc>) -> Option<i64> {
        let step = self.0.check(code, u64::try_from(now.timestamp()).ok()?)?;
        i64::try_from(step).ok()
    }
}

/// What somebody typed as second factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Six digits.
    Code(String),
    /// Anything else, in the stored form of recovery codes.
    Recovery(String),
}

impl Given {
    /// Spaces and hyphens do not matter, nor case; `O`, `I` and `L` are read as the digits they look like.
    pub fn parse(text: &str) -> Self {
        let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        if plain.len() == 6 && plain.bytes().all(|b| b.is_ascii_digit()) {
            return Self::Code(plain);
        }
        let read = |c: char| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        Self::Recovery(plain.chars().map(read).collect())
    }
}

/// A fresh set of recovery codes as they are shown: `4G7K-9XQ2-M0TB`. No two are the same.
pub fn recovery_codes(sources: &Sources) -> Vec<String> {
    let mut codes: Vec<String> = Vec::with_capacity(RECOVERY_CODES);
    while codes.len() < RECOVERY_CODES {
        let letters = sources.bytes::<RECOVERY_LENGTH>().map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
        let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
        let code = groups.join("-");
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes
}

/// The stored form of a recovery code: salted by its account, so that equal codes of two accounts look different.
pub fn hash_recovery_code(user: UserId, plain: &str) -> String {
    sha256_hex(format!("{user}:{plain}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::sources::{ManualClock, SeededEntropy};

    fn sources() -> Sources {
        Sources::new(ManualClock::at(DateTime::UNIX_EPOCH), SeededEntropy::new(1))
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).unwrap()
    }

    /// RFC 6238 Appendix B: the secret `12345678901234567890`, SHA-1, the last six of its eight digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let app = Authenticator::new(b"12345678901234567890".to_vec(), "ana@ejemplo.es");
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")] {
            assert_eq!(app.step_of(code, at(second)), Some(second / 30), "{second}");
        }
    }

    #[test]
    fn a_code_is_good_one_step_before_and_after_its_own() {
        let app = Authenticator::new(b"12345678901234567890".to_vec(), "ana@ejemplo.es");
        // 081804 is the code of the seconds 1111111080 to 1111111109.
        for (second, good) in [(1_111_111_049, false), (1_111_111_050, true), (1_111_111_139, true), (1_111_111_140, false)] {
            assert_eq!(app.step_of("081804", at(second)).is_some(), good, "{second}");
        }
        for wrong in ["81804", "0818040", "+81804", "08180a", ""] {
            assert_eq!(app.step_of(wrong, at(1_111_111_080)), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_read_again_and_named_for_its_account() {
        let app = Authenticator::generate(&sources(), "ana:1@ejemplo.es");
        let url = app.url().unwrap();
        assert!(url.starts_with("otpauth://totp/Atalaya:ana%201%40ejemplo.es?secret="), "{url}");
        assert!(url.ends_with("&issuer=Atalaya"), "{url}");
        assert_eq!(Authenticator::parse(&app.secret(), "x").unwrap().secret(), app.secret());
        assert!(Authenticator::parse("GEZDGNBV", "x").is_none(), "too short");
    }

    #[test]
    fn recovery_codes_are_read_however_they_are_typed() {
        let codes = recovery_codes(&sources());
        assert_eq!(codes.len(), 10);
        assert!(codes.iter().all(|code| code.len() == 14 && code.as_bytes()[4] == b'-'), "{codes:?}");
        let plain = codes[0].replace('-', "");
        for typed in [codes[0].clone(), codes[0].to_lowercase(), plain.clone(), format!(" {} ", codes[0].replace('-', " "))] {
            assert_eq!(Given::parse(&typed), Given::Recovery(plain.clone()));
        }
        assert_eq!(Given::parse("o1il"), Given::Recovery("0111".into()));
        assert_eq!(Given::parse("123 456"), Given::Code("123456".into()));
        let (a, b) = (uuid::Uuid::from_u128(1).into(), uuid::Uuid::from_u128(2).into());
        assert_ne!(hash_recovery_code(a, &plain), hash_recovery_code(b, &plain));
    }
}
