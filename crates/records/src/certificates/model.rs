//! Numbers, codes and states of certificates: pure rules (CERT-5, CERT-6, CERT-12, CERT-14).

use atalaya_cases::conferences::ConferenceError;
use chrono::{DateTime, Datelike, Utc};
use serde::Serialize;

/// Why a certificate cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// `CERTIFICATE_NOT_FOUND` (404)
    #[error("no such certificate for this caller")]
    NotFound,
    /// `INVALID_FIELDS` (422) about `reason`.
    #[error("the reason is missing or too long")]
    Reason(&'static str),
    /// `MEDIA_EXPIRED` (410)
    #[error("the files' time is over")]
    FilesExpired,
    #[error(transparent)]
    Pdf(#[from] atalaya_pdf::PdfError),
    #[error("setting the certificate was interrupted")]
    Interrupted,
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<atalaya_db::DbError> for CertificateError {
    fn from(error: atalaya_db::DbError) -> Self {
        Self::Conference(error.into())
    }
}

/// Characters of the reason for voiding a certificate.
pub const REASON_MAX: usize = 250;

/// Crockford's base32: no I, L, O, U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code without its dashes.
const CODE_LETTERS: usize = 20;

/// A verification code of 100 random bits, `XXXXX-XXXXX-XXXXX-XXXXX`. Of the 13 bytes the last four bits are not used.
pub fn code(random: [u8; 13]) -> String {
    let bits = random.iter().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte)) >> 4;
    let letter = |i: usize| char::from(ALPHABET[(bits >> (5 * (CODE_LETTERS - 1 - i)) & 31) as usize]);
    let letters: Vec<char> = (0..CODE_LETTERS).map(letter).collect();
    letters.chunks(5).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Reads a code as people type it: lower case, O for 0, I and L for 1, with or without dashes and spaces.
pub fn read_code(typed: &str) -> Option<String> {
    // No way of typing a code is longer.
    if typed.len() > 60 {
        return None;
    }
    let mut letters = String::with_capacity(CODE_LETTERS + 3);
    let mut count = 0;
    for typed in typed.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '–' | '—' | '.' | '_')) {
        let letter = match typed.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        if !letter.is_ascii() || !ALPHABET.contains(&(letter as u8)) {
            return None;
        }
        if count > 0 && count % 5 == 0 {
            letters.push('-');
        }
        letters.push(letter);
        count += 1;
    }
    (count == CODE_LETTERS).then_some(letters)
}

/// `CE-2026-000001`: the year is Madrid's.
pub fn number(at: DateTime<Utc>, sequence: i32) -> String {
    format!("CE-{}-{sequence:06}", year(at))
}

/// The year whose numbers a moment belongs to.
pub fn year(at: DateTime<Utc>) -> i32 {
    atalaya_kernel::calendar::day(at).year()
}

/// Masks a case number so that only its owner recognises it: the last third is shown, at most four characters.
pub fn mask_expedient(number: &str) -> String {
    let letters: Vec<char> = number.chars().collect();
    let shown = (letters.len() / 3).min(4);
    let hidden = letters.len() - shown;
    letters.iter().enumerate().map(|(i, c)| if i < hidden { '•' } else { *c }).collect()
}

/// What a certificate is worth now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CertificateState {
    Valid,
    Void,
    /// It stands, and the files it speaks of are no longer kept.
    FilesExpired,
    /// What is kept is no longer what was sealed.
    Broken,
}

/// The state: void takes precedence over expired files.
pub fn state(voided: bool, files_gone: bool) -> CertificateState {
    match (voided, files_gone) {
        (true, _) => CertificateState::Void,
        (false, true) => CertificateState::FilesExpired,
        (false, false) => CertificateState::Valid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // CERT-5
    #[test]
    fn codes_are_twenty_letters_of_the_alphabet() {
        assert_eq!(code([0; 13]), "00000-00000-00000-00000");
        assert_eq!(code([255; 13]), "ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ");
        assert_eq!(code([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]), "04106-1050R-3GG28-A1C60");
        assert_ne!(code([7; 13]), code([8; 13]));
    }

    // CERT-5
    #[test]
    fn codes_are_read_forgivingly() {
        let right = "7H2KQ-9VX0M-RT4CA-PZ81D";
        for typed in [right, "7h2kq9vxomrt4capz8ld", " 7H2KQ 9VXOM RT4CA PZ8ID ", "7H2KQ–9VX0M–RT4CA–PZ81D"] {
            assert_eq!(read_code(typed).as_deref(), Some(right), "{typed}");
        }
        for typed in
            ["", "7H2KQ-9VX0M-RT4CA-PZ81", "7H2KQ-9VX0M-RT4CA-PZ81DD", "7H2KQ-9VX0M-RT4CA-PZ81U", "ñH2KQ-9VX0M-RT4CA-PZ81D"]
        {
            assert_eq!(read_code(typed), None, "{typed}");
        }
        assert_eq!(read_code(&"-".repeat(100_000)), None);
        let made = code([9; 13]);
        assert_eq!(read_code(&made), Some(made.clone()));
    }

    // CERT-12
    #[test]
    fn case_numbers_are_masked() {
        for (number, masked) in
            [("EXP-2026-001234", "•••••••••••1234"), ("EXP-1", "••••1"), ("7", "•"), ("12", "••"), ("", ""), ("ñandú", "••••ú")]
        {
            assert_eq!(mask_expedient(number), masked);
        }
    }

    // CERT-6
    #[test]
    fn numbers_count_by_madrid_s_years() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(number(at("2026-12-31T22:59:59Z"), 7), "CE-2026-000007");
        assert_eq!(number(at("2026-12-31T23:00:00Z"), 1), "CE-2027-000001");
    }

    // CERT-14
    #[test]
    fn taken_back_goes_before_gone() {
        assert_eq!(state(true, true), CertificateState::Void);
        assert_eq!(state(false, true), CertificateState::FilesExpired);
        assert_eq!(state(false, false), CertificateState::Valid);
    }
}
