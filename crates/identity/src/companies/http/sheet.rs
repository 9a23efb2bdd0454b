//! A list of companies as a workbook.

use crate::companies::profile::Profile;
use atalaya_content::languages::headings::{status, text};
use atalaya_kernel::Language;
use atalaya_rest::xlsx::{Cell, Column};
use chrono::{DateTime, Utc};

/// Columns, in the words of the screen: namespace and key, width in characters.
const COLUMNS: &[(&str, &str, u8)] = &[
    ("companies", "company", 36),
    ("companies", "cif", 12),
    ("companies", "status", 20),
    ("companies", "name", 28),
    ("companies", "email", 32),
    ("companies", "mobile", 16),
    ("companies", "phone", 16),
    ("companies", "address", 36),
    ("companies", "postalCode", 13),
    ("companies", "city", 20),
    ("companies", "region", 20),
    ("companies", "createdAt", 16),
    ("companies", "payStart", 20),
    ("companies", "sheetLegal", 20),
    ("companies", "sheetIban", 16),
    ("companies", "sheetBank", 22),
    ("companies", "sheetBlocked", 12),
    ("companies", "sheetUsers", 10),
];

pub(super) fn columns(language: Language) -> Vec<Column> {
    COLUMNS.iter().map(|(space, key, width)| Column::new(text(language, space, key), *width)).collect()
}

/// The account is told as being there, never shown.
pub(super) fn rows(profiles: Vec<Profile>, language: Language, now: DateTime<Utc>) -> Vec<Vec<Cell>> {
    profiles.into_iter().map(|profile| row(profile, language, now)).collect()
}

fn row(profile: Profile, language: Language, now: DateTime<Utc>) -> Vec<Cell> {
    let company = profile.company;
    vec![
        Cell::text(company.name),
        Cell::optional(company.cif),
        Cell::text(status(language, company.status)),
        Cell::text(company.contact_name),
        Cell::optional(company.email),
        Cell::optional(company.mobile),
        Cell::optional(company.phone),
        Cell::optional(company.address),
        Cell::optional(company.postal_code),
        Cell::optional(company.city),
        Cell::optional(company.region),
        Cell::time(company.billing.created_at),
        company.billing.pay_start_at.map_or(Cell::Empty, Cell::day),
        Cell::Flag(company.billing.legal),
        Cell::Flag(company.billing.has_iban),
        Cell::optional(profile.bank_name),
        Cell::Flag(company.billing.is_blocked(true, now)),
        Cell::count(profile.users),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::Status;

    #[test]
    fn every_heading_and_status_is_written() {
        for language in Language::ALL {
            for ((_, key, _), column) in COLUMNS.iter().zip(columns(language)) {
                assert_ne!(column.heading, *key, "{language:?}");
            }
            for value in Status::ALL {
                assert!(!status(language, value).starts_with("status"), "{language:?} {value:?}");
            }
        }
    }
}
