//! Words of the language bundles for workbooks: headings, roles, statuses.

use atalaya_content::languages::model::bundle;
use atalaya_kernel::{Language, Role, Status};
use atalaya_rest::xlsx::Column;

/// A text of a bundle; the key itself when there is none, which a test of the bundles reports.
pub(crate) fn text(language: Language, namespace: &str, key: &'static str) -> &'static str {
    find(language, namespace, key).unwrap_or(key)
}

/// A text of a bundle, if it has this key.
pub(crate) fn find(language: Language, namespace: &str, key: &str) -> Option<&'static str> {
    bundle(language).namespace.get(namespace).and_then(|texts| texts.get(key)).map(String::as_str)
}

/// Columns whose headings are texts of one namespace.
pub(crate) fn columns(language: Language, namespace: &str, headings: &[(&'static str, u8)]) -> Vec<Column> {
    headings.iter().map(|(key, width)| Column::new(text(language, namespace, key), *width)).collect()
}

pub(crate) fn role(language: Language, role: Role) -> &'static str {
    const KEYS: [&str; 9] = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];
    text(language, "roles", KEYS[role as usize])
}

pub(crate) fn status(language: Language, status: Status) -> &'static str {
    const KEYS: [&str; 6] = ["status0", "status1", "status2", "status3", "status4", "status5"];
    text(language, "common", KEYS[status as usize])
}
