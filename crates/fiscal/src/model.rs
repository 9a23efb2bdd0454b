//! The block of fiscal data, its versions, and requests for another one. Pure.

use crate::FiscalError;
use atalaya_checks::country;
use atalaya_identity::companies::form::Field;
use atalaya_identity::companies::model::Company;
use atalaya_kernel::limits::FISCAL_REASON_MAX;
use atalaya_kernel::{CompanyId, CompanyKind, UserId};
use atalaya_tariff::{Place, VatRegime};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The fields of the block, in the order of the screen.
pub(crate) const FIELDS: [Field; 6] = [Field::Cif, Field::Company, Field::Address, Field::PostalCode, Field::City, Field::Region];

/// How invoices name a taxpayer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub cif: Option<String>,
    /// The firm's name.
    pub company: String,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    pub city: Option<String>,
    pub region: Option<String>,
    /// Two letters (ISO 3166-1); none: Spain (ABROAD-1).
    pub country: Option<String>,
}

impl Block {
    /// The one that is in force, as the company's own row has it: of a Spanish taxpayer.
    pub fn of(company: &Company) -> Self {
        Self {
            cif: company.cif.clone(),
            company: company.name.clone(),
            address: company.address.clone(),
            postal_code: company.postal_code.clone(),
            city: company.city.clone(),
            region: company.region.clone(),
            country: None,
        }
    }

    /// A field of it; `None` when it is empty, and of fields that are not part of it.
    pub(crate) fn get(&self, field: Field) -> Option<&str> {
        match field {
            Field::Cif => self.cif.as_deref(),
            Field::Company => Some(self.company.as_str()),
            Field::Address => self.address.as_deref(),
            Field::PostalCode => self.postal_code.as_deref(),
            Field::City => self.city.as_deref(),
            Field::Region => self.region.as_deref(),
            Field::Name | Field::Email | Field::Phone | Field::Mobile => None,
        }
    }

    /// The same with these texts; those of other fields are ignored.
    pub(crate) fn with(&self, texts: &[(Field, Option<String>)]) -> Self {
        let mut block = self.clone();
        for (field, text) in texts {
            match field {
                Field::Cif => block.cif.clone_from(text),
                Field::Company => block.company = text.clone().unwrap_or_default(),
                Field::Address => block.address.clone_from(text),
                Field::PostalCode => block.postal_code.clone_from(text),
                Field::City => block.city.clone_from(text),
                Field::Region => block.region.clone_from(text),
                Field::Name | Field::Email | Field::Phone | Field::Mobile => {}
            }
        }
        block
    }

    /// The fields in which two differ.
    pub(crate) fn differing(&self, other: &Self) -> Vec<Field> {
        FIELDS.into_iter().filter(|field| self.get(*field) != other.get(*field)).collect()
    }

    /// Two letters.
    pub(crate) fn country(&self) -> &str {
        self.country.as_deref().unwrap_or(country::SPAIN)
    }

    /// Where it is, as far as the tax asks.
    pub(crate) fn place(&self) -> Place {
        match self.country.as_deref() {
            None => Place::of_postal_code(self.postal_code.as_deref().unwrap_or_default()),
            Some(code) if country::is_in_union(code) => Place::Union,
            Some(_) => Place::World,
        }
    }

    /// The regime that its place makes, with an issuer in that one.
    pub(crate) fn regime(&self, issuer: Place) -> VatRegime {
        VatRegime::between(issuer, self.place())
    }

    /// The same in Spain, if its tax id is another one that the Spanish check has passed: nobody but an administrator's change of
    /// the block keeps a country (ABROAD-1).
    pub(crate) fn home_with(mut self, before: &Self) -> Self {
        if self.cif != before.cif {
            self.country = None;
        }
        self
    }
}

/// Whether a company that was `before` is another taxpayer now. A first tax id is no other one, and the platform signs and
/// accepts nothing of its own.
pub(crate) fn is_another_taxpayer(kind: CompanyKind, before: &Block, after: &Block) -> bool {
    kind != CompanyKind::Platform && before.cif.is_some() && before.cif != after.cif
}

/// A confirmation of VIES (ABROAD-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consultation {
    pub at: DateTime<Utc>,
    /// VIES' number of it; it gives none to who does not say who asks.
    pub reference: Option<String>,
}

/// What held from a day on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    pub company: CompanyId,
    /// From 1, in the order in which they were approved.
    pub number: i32,
    /// In Madrid; `None`: since always.
    pub valid_from: Option<NaiveDate>,
    pub block: Block,
    pub regime: VatRegime,
    pub reason: Option<String>,
    /// What VIES answered about the VAT number, if it was asked.
    pub vies: Option<Consultation>,
    pub asked_by: Option<UserId>,
    pub approved_by: Option<UserId>,
    pub request: Option<Uuid>,
    pub created_at: DateTime<Utc>,
}

/// The version that held on a day: the last of those that had begun, and of several of one day the one approved last.
pub(crate) fn on(versions: &[Version], day: NaiveDate) -> Option<&Version> {
    let begun = versions.iter().filter(|version| version.valid_from.is_none_or(|from| from <= day));
    begun.max_by_key(|version| (version.valid_from, version.number))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalRequestStatus)]
pub enum Status {
    Open,
    Approved,
    Refused,
    Withdrawn,
}

impl Status {
    const ALL: [Self; 4] = [Self::Open, Self::Approved, Self::Refused, Self::Withdrawn];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Refused => "refused",
            Self::Withdrawn => "withdrawn",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// The document that proves a change, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub name: String,
    /// Its media type.
    pub kind: String,
    pub size_bytes: i64,
    /// Lower-case hex.
    pub sha256: String,
}

/// A request for another block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub id: Uuid,
    pub company: CompanyId,
    pub status: Status,
    /// From which day it is so.
    pub since: NaiveDate,
    /// The fields that are to change.
    pub wanted: Vec<(Field, Option<String>)>,
    pub note: Option<String>,
    pub proof: Option<Proof>,
    pub asked_by: UserId,
    pub asked_at: DateTime<Utc>,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<DateTime<Utc>>,
    pub answer: Option<String>,
}

/// A day from which a change may hold: it has come, and is not before the version in force.
///
/// Errors: [`FiscalError`] `DateInFuture`, `DateBeforeVersion`.
pub(crate) fn check_since(since: NaiveDate, today: NaiveDate, last: Option<NaiveDate>) -> Result<(), FiscalError> {
    if since > today {
        return Err(FiscalError::DateInFuture);
    }
    if last.is_some_and(|last| since < last) {
        return Err(FiscalError::DateBeforeVersion);
    }
    Ok(())
}

/// A reason or a note, tidied; `None` when it is empty.
///
/// Errors: [`FiscalError::TooLong`].
pub(crate) fn tidy(field: &'static str, text: Option<&str>) -> Result<Option<String>, FiscalError> {
    let text: String = text.unwrap_or_default().trim().chars().filter(|c| !c.is_control() || *c == '\n').collect();
    if text.chars().count() > FISCAL_REASON_MAX {
        return Err(FiscalError::TooLong { field, max: FISCAL_REASON_MAX });
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn block(cif: Option<&str>, postal_code: &str) -> Block {
        Block { cif: cif.map(Into::into), company: "Uno".into(), postal_code: Some(postal_code.into()), ..Block::default() }
    }

    fn version(number: i32, from: Option<&str>, regime: VatRegime) -> Version {
        Version {
            company: CompanyId(Uuid::from_u128(1)),
            number,
            valid_from: from.map(day),
            block: Block::default(),
            regime,
            reason: None,
            vies: None,
            asked_by: None,
            approved_by: None,
            request: None,
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    // FISCAL-5
    #[test]
    fn the_version_of_a_day_is_the_last_that_had_begun() {
        let all = [
            version(1, None, VatRegime::General),
            version(2, Some("2026-11-10"), VatRegime::Outside),
            version(3, Some("2026-11-10"), VatRegime::General),
            version(4, Some("2026-12-01"), VatRegime::Outside),
        ];
        for (on_day, number) in [("1990-01-01", 1), ("2026-11-09", 1), ("2026-11-10", 3), ("2026-11-30", 3), ("2026-12-01", 4)] {
            assert_eq!(on(&all, day(on_day)).map(|version| version.number), Some(number), "{on_day}");
        }
        assert!(on(&all[1..], day("2026-11-09")).is_none());
    }

    // FISCAL-6
    #[test]
    fn a_day_has_come_and_is_not_before_what_holds() {
        let (today, last) = (day("2026-11-27"), Some(day("2026-11-10")));
        assert!(check_since(today, today, last).is_ok() && check_since(day("2026-11-10"), today, last).is_ok());
        assert!(matches!(check_since(day("2026-11-28"), today, None), Err(FiscalError::DateInFuture)));
        assert!(matches!(check_since(day("2026-11-09"), today, last), Err(FiscalError::DateBeforeVersion)));
    }

    // FISCAL-8
    #[test]
    fn another_tax_id_is_another_taxpayer_and_a_first_one_is_not() {
        let (one, other) = (block(Some("B64717838"), "46001"), block(Some("A58818501"), "46001"));
        assert!(is_another_taxpayer(CompanyKind::Customer, &one, &other));
        assert!(is_another_taxpayer(CompanyKind::Repairer, &one, &block(None, "46001")));
        assert!(!is_another_taxpayer(CompanyKind::Customer, &one, &block(Some("B64717838"), "51001")));
        assert!(!is_another_taxpayer(CompanyKind::Customer, &block(None, "46001"), &one));
        assert!(!is_another_taxpayer(CompanyKind::Platform, &one, &other));
    }

    // ABROAD-1, ABROAD-2
    #[test]
    fn a_country_decides_before_the_postal_code() {
        let abroad = |code: &str| Block { country: Some(code.into()), ..block(Some("X"), "35001") };
        assert_eq!(
            (abroad("PT").place(), abroad("GB").place(), block(None, "35001").place()),
            (Place::Union, Place::World, Place::Canaries)
        );
        assert_eq!((abroad("PT").country(), block(None, "1").country()), ("PT", "ES"));
        assert_eq!(abroad("PT").regime(Place::Peninsula), VatRegime::ReverseCharge);
        let before = abroad("PT");
        let moved = before.with(&[(Field::City, Some("Porto".into()))]).home_with(&before);
        assert_eq!(moved.country(), "PT", "the same tax id is the same country");
        let spanish = before.with(&[(Field::Cif, Some("B64717838".into()))]).home_with(&before);
        assert_eq!(spanish.country(), "ES");
    }

    #[test]
    fn only_fields_of_the_block_are_compared() {
        let one = block(None, "46001");
        let texts = [(Field::Email, Some("a@b.es".into())), (Field::PostalCode, Some("51001".into()))];
        let other = one.with(&texts);
        assert_eq!(one.differing(&other), [Field::PostalCode]);
        let regime = |block: &Block| block.regime(Place::Peninsula);
        assert_eq!((regime(&one), regime(&other)), (VatRegime::General, VatRegime::Outside));
        assert_eq!(tidy("reason", Some("  a\u{0}b ")).unwrap().as_deref(), Some("ab"));
        assert!(tidy("reason", Some(&"x".repeat(501))).is_err());
    }
}
