//! The form of a company: which fields, which are required, what is wrong with each (COMPANY-2). Pure.

pub use crate::directory::CompanyField as Field;
use atalaya_checks::iban::{self, Iban};
use atalaya_checks::phone::{self, PhoneError};
use atalaya_checks::{contact, tax_id};
use atalaya_kernel::{CompanyKind, limits};
use atalaya_rest::FieldError;
use serde::{Deserialize, Deserializer};

/// Characters a phone field may hold and still count as empty: a country's prefix (COMPANY-2).
const PREFIX_ONLY: usize = 3;

/// A company as somebody typed it. Keys that are absent stay as they are; null empties what may be empty.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CompanyInput {
    /// The contact person.
    #[serde(deserialize_with = "sent")]
    pub name: Option<Option<String>>,
    /// The firm; the contact person's name when empty.
    #[serde(deserialize_with = "sent")]
    pub company: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub cif: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub address: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub city: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub region: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub postal_code: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub email: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub phone: Option<Option<String>>,
    #[serde(deserialize_with = "sent")]
    pub mobile: Option<Option<String>>,
    /// An IBAN; a masked one means unchanged.
    #[serde(deserialize_with = "sent")]
    pub bank_account: Option<Option<String>>,
}

/// Distinguishes null from an absent key.
pub(crate) fn sent<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl CompanyInput {
    /// Forgets a tax id and a postal code that are in force: those of a taxpayer outside Spain, which only an administrator writes
    /// (ABROAD-1), would not pass the checks of this form, and nobody asks for another one.
    pub fn leave_out_unchanged(&mut self, cif: Option<&str>, postal_code: Option<&str>) {
        for (sent, stored) in [(&mut self.cif, cif), (&mut self.postal_code, postal_code)] {
            let text = sent.as_ref().and_then(Option::as_deref).map(str::trim);
            if text.is_some_and(|text| !text.is_empty() && Some(text) == stored) {
                *sent = None;
            }
        }
    }

    fn text(&self, field: Field) -> Option<Option<&str>> {
        let text = match field {
            Field::Name => &self.name,
            Field::Company => &self.company,
            Field::Cif => &self.cif,
            Field::Address => &self.address,
            Field::City => &self.city,
            Field::Region => &self.region,
            Field::PostalCode => &self.postal_code,
            Field::Email => &self.email,
            Field::Phone => &self.phone,
            Field::Mobile => &self.mobile,
        };
        text.as_ref().map(Option::as_deref)
    }
}

/// What the form is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A new company: what was not sent is empty.
    Create,
    /// A change of a company of this kind: what was not sent stays.
    Update(CompanyKind),
}

/// What happens to the bank account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BankAccount {
    #[default]
    Keep,
    Clear,
    Set(Iban),
}

/// A form without a mistake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Tidied texts of the fields that were sent.
    pub texts: Vec<(Field, Option<String>)>,
    pub bank_account: BankAccount,
}

impl Checked {
    /// The tidied text of a field; `None` when it is empty or was not sent.
    pub fn get(&self, field: Field) -> Option<&str> {
        self.texts.iter().find(|(of, _)| *of == field).and_then(|(_, text)| text.as_deref())
    }
}

/// Checks every field and answers all mistakes together.
///
/// Codes: `REQUIRED`, `TOO_LONG`, `CHARACTERS_NOT_ALLOWED`, `FISCAL_INCORRECT`, `POSTAL_CODE_INVALID`, `EMAIL_INVALID`,
/// `PHONE_INCORRECT`, `PHONE_TOO_LONG`, `PHONE_REQUIRED`, `IBAN_INCORRECT`.
pub fn check(input: &CompanyInput, purpose: Purpose) -> Result<Checked, Vec<FieldError>> {
    let mut checked = Checked::default();
    let mut errors = Vec::new();
    for field in Field::ALL.iter().copied() {
        let text = match (input.text(field), purpose) {
            (Some(text), _) => text.unwrap_or_default(),
            (None, Purpose::Create) => "",
            (None, Purpose::Update(_)) => continue,
        };
        match judge(field, text.trim(), is_required(field, purpose)) {
            Ok(text) => checked.texts.push((field, text)),
            Err(error) => errors.push(error),
        }
    }
    match bank_account(input.bank_account.as_ref().map(Option::as_deref), purpose) {
        Ok(account) => checked.bank_account = account,
        Err(error) => errors.push(error),
    }
    name_the_firm(&mut checked);
    if errors.is_empty() { Ok(checked) } else { Err(errors) }
}

/// Somebody who trades under the own name leaves the firm's empty. Without that name in the form the firm's stays.
fn name_the_firm(checked: &mut Checked) {
    let name = checked.get(Field::Name).map(str::to_owned);
    let Some(at) = checked.texts.iter().position(|(field, text)| *field == Field::Company && text.is_none()) else { return };
    match name {
        Some(name) => checked.texts[at].1 = Some(name),
        None => _ = checked.texts.remove(at),
    }
}

/// COMPANY-2: contact name, tax id, address, city, region, postal code, e-mail and mobile. The platform's own data may be
/// completed step by step (COMPANY-5).
fn is_required(field: Field, purpose: Purpose) -> bool {
    match purpose {
        Purpose::Update(CompanyKind::Platform) => field == Field::Name,
        _ => !matches!(field, Field::Company | Field::Phone),
    }
}

fn judge(field: Field, text: &str, required: bool) -> Result<Option<String>, FieldError> {
    let wrong = |code: &'static str| Err(FieldError::new(field.wire(), code));
    if matches!(field, Field::Phone | Field::Mobile) {
        return judge_phone(field, text, required);
    }
    if text.is_empty() {
        return if required { wrong("REQUIRED") } else { Ok(None) };
    }
    let max = if field == Field::Email { limits::EMAIL_MAX } else { limits::LINE_MAX };
    if text.chars().count() > max {
        return Err(FieldError::new(field.wire(), "TOO_LONG").param("max", max));
    }
    match field {
        Field::Cif => return tax_id::check(text).map(|id| Some(id.value)).or(wrong(tax_id::CODE)),
        Field::PostalCode if !contact::is_postal_code(text) => return wrong("POSTAL_CODE_INVALID"),
        Field::Email if !contact::is_email(text) => return wrong("EMAIL_INVALID"),
        Field::Email => return Ok(Some(text.to_lowercase())),
        _ if text.chars().any(char::is_control) => return wrong("CHARACTERS_NOT_ALLOWED"),
        _ => {}
    }
    Ok(Some(text.to_owned()))
}

fn judge_phone(field: Field, text: &str, required: bool) -> Result<Option<String>, FieldError> {
    let wrong = |code: &'static str| Err(FieldError::new(field.wire(), code));
    if text.chars().count() <= PREFIX_ONLY {
        return if required { wrong("PHONE_REQUIRED") } else { Ok(None) };
    }
    match phone::to_e164(text) {
        Ok(number) => Ok(Some(number)),
        Err(PhoneError::TooLong) => wrong("PHONE_TOO_LONG"),
        Err(PhoneError::TooShort | PhoneError::Invalid | PhoneError::Landline) => wrong("PHONE_INCORRECT"),
    }
}

fn bank_account(sent: Option<Option<&str>>, purpose: Purpose) -> Result<BankAccount, FieldError> {
    let Some(text) = sent.map(|text| text.unwrap_or_default().trim()) else { return Ok(BankAccount::Keep) };
    if text.is_empty() {
        return Ok(BankAccount::Clear);
    }
    if iban::is_masked(text) && purpose != Purpose::Create {
        return Ok(BankAccount::Keep);
    }
    Iban::parse(text).map(BankAccount::Set).map_err(|_| FieldError::new("bankAccount", iban::CODE))
}

#[cfg(test)]
mod tests;
