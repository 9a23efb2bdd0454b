//! Bank accounts: IBANs of every country and the Spanish account inside them.

mod banks;
mod registry;

/// Stable code of the field for every refusal.
pub const CODE: &str = "IBAN_INCORRECT";

/// Why an IBAN was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IbanError {
    Format,
    Country,
    Length,
    /// A letter where the country has a digit, or the other way round.
    Bban,
    /// 00, 01 and 99 are congruent with real check digits and never given out.
    CheckDigits,
    Checksum,
    /// The control digits of the Spanish account.
    Ccc,
}

/// An IBAN that passed every check.
#[derive(Clone, PartialEq, Eq)]
pub struct Iban(String);

/// Never shows the account: this type may end up in logs.
impl std::fmt::Debug for Iban {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Iban({})", self.masked())
    }
}

impl Iban {
    /// Checks an IBAN in any spelling (spaces, hyphens, lower case) as strictly as a bank does.
    pub fn parse(raw: &str) -> Result<Self, IbanError> {
        let text: String = raw.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_uppercase()).collect();
        let bytes = text.as_bytes();
        let formed = (5..=34).contains(&bytes.len())
            && bytes[..2].iter().all(u8::is_ascii_uppercase)
            && bytes[2..4].iter().all(u8::is_ascii_digit)
            && bytes[4..].iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if !formed {
            return Err(IbanError::Format);
        }
        let (_, _, bban) = country(&text[..2]).ok_or(IbanError::Country)?;
        fits(bban, &text[4..])?;
        if !matches!(text[2..4].parse(), Ok(2..=98)) {
            return Err(IbanError::CheckDigits);
        }
        if remainder(&text) != Some(1) {
            return Err(IbanError::Checksum);
        }
        if text.starts_with("ES") && control_digits(&text[4..12], &text[14..]) != text[12..14] {
            return Err(IbanError::Ccc);
        }
        Ok(Self(text))
    }

    /// The Spanish IBAN of an account of twenty digits; `None` when its control digits are wrong.
    pub fn from_ccc(ccc: &str) -> Option<Self> {
        if ccc.len() != 20 || !ccc.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let check = 98 - remainder(&format!("ES00{ccc}"))?;
        Self::parse(&format!("ES{check:02}{ccc}")).ok()
    }

    /// Without spaces: for sealing and for bank files only.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Two capitals.
    pub fn country(&self) -> &str {
        &self.0[..2]
    }

    /// The last four characters.
    pub fn last4(&self) -> &str {
        &self.0[self.0.len() - 4..]
    }

    /// The account behind a Spanish IBAN: entity, office, control and number in twenty digits.
    pub fn ccc(&self) -> Option<&str> {
        self.0.strip_prefix("ES").map(|rest| &rest[2..])
    }

    /// The four digits of a Spanish bank.
    pub fn entity(&self) -> Option<&str> {
        self.ccc().map(|ccc| &ccc[..4])
    }

    /// Whether SEPA direct debits reach this account's country.
    pub fn is_sepa(&self) -> bool {
        country(self.country()).is_some_and(|(_, sepa, _)| *sepa)
    }

    /// As people may see it: `ES91 **** **** **** **** 1332`.
    pub fn masked(&self) -> String {
        mask(&self.0[..4], self.last4(), self.0.len())
    }
}

/// The masked form from its ends and the length of the whole, in groups of four.
pub fn mask(first4: &str, last4: &str, length: usize) -> String {
    let hidden = "*".repeat(length.saturating_sub(8));
    let all: Vec<char> = first4.chars().chain(hidden.chars()).chain(last4.chars()).collect();
    all.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// Whether a value is a masked IBAN sent back: it holds an asterisk, which no IBAN does.
pub fn is_masked(raw: &str) -> bool {
    raw.contains('*')
}

/// The name of a Spanish bank by its four digits; `None` for those the list does not have.
pub fn bank_name(entity: &str) -> Option<&'static str> {
    banks::BANKS.binary_search_by_key(&entity, |(code, _)| code).ok().map(|i| banks::BANKS[i].1)
}

/// Characters of a country's IBAN; `None` for a country without.
pub fn length(code: &str) -> Option<usize> {
    country(code).map(|(_, _, bban)| runs(bban).map(|(count, _)| count).sum::<usize>() + 4)
}

/// The check the specification describes, which the form does while a person types: two letters, and mod 97 leaves 1.
/// It accepts more than [`Iban::parse`], which has the last word.
pub fn passes_form_check(raw: &str) -> bool {
    let text: String = raw.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
    text.len() >= 4 && text.bytes().take(2).all(|b| b.is_ascii_uppercase()) && remainder(&text) == Some(1)
}

fn country(code: &str) -> Option<&'static registry::Country> {
    registry::COUNTRIES.binary_search_by_key(&code, |(c, _, _)| c).ok().map(|i| &registry::COUNTRIES[i])
}

/// The runs of a BBAN: `8n 12c` is 8 digits, then 12 of either.
fn runs(bban: &str) -> impl Iterator<Item = (usize, char)> {
    bban.split(' ').map(|run| {
        let (count, class) = run.split_at(run.len() - 1);
        (count.parse().expect("the registry is ours"), class.chars().next().expect("one letter"))
    })
}

fn fits(bban: &str, text: &str) -> Result<(), IbanError> {
    let classes: Vec<char> = runs(bban).flat_map(|(count, class)| std::iter::repeat_n(class, count)).collect();
    if classes.len() != text.len() {
        return Err(IbanError::Length);
    }
    let right = classes.iter().zip(text.bytes()).all(|(class, b)| match class {
        'n' => b.is_ascii_digit(),
        'a' => b.is_ascii_uppercase(),
        _ => true,
    });
    if right { Ok(()) } else { Err(IbanError::Bban) }
}

/// Mod 97 of the text with its first four characters behind, letters as 10 to 35; `None` for any other character.
fn remainder(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    bytes[4..].iter().chain(&bytes[..4]).try_fold(0, |rest, b| match b {
        b'0'..=b'9' => Some((rest * 10 + u32::from(b - b'0')) % 97),
        b'A'..=b'Z' => Some((rest * 100 + u32::from(b - b'A') + 10) % 97),
        _ => None,
    })
}

/// The two control digits of a Spanish account: one over `00`, entity and office, one over the number.
fn control_digits(entity_and_office: &str, number: &str) -> String {
    const WEIGHTS: [u32; 10] = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];
    let digit = |text: &str, weights: &[u32]| {
        let sum: u32 = text.bytes().zip(weights).map(|(b, w)| u32::from(b - b'0') * w).sum();
        match 11 - sum % 11 {
            11 => 0,
            10 => 1,
            other => other,
        }
    };
    format!("{}{}", digit(entity_and_office, &WEIGHTS[2..]), digit(number, &WEIGHTS))
}

#[cfg(test)]
mod tests;
