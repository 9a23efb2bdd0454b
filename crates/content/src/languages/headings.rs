//! Words of the language bundles for workbooks: headings, roles, statuses.

pub use super::model::{find, text};
use atalaya_kernel::{Language, Role, Status};
use atalaya_rest::xlsx::Column;

/// Columns whose headings are texts of one namespace.
pub fn columns(language: Language, namespace: &str, headings: &[(&'static str, u8)]) -> Vec<Column> {
    headings.iter().map(|(key, width)| Column::new(text(language, namespace, key), *width)).collect()
}

/// A role as the screens call it.
pub fn role(language: Language, role: Role) -> &'static str {
    const KEYS: [&str; 9] = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];
    text(language, "roles", KEYS[role as usize])
}

/// A status as its tag on the screens says.
pub fn status(language: Language, status: Status) -> &'static str {
    const KEYS: [&str; 6] = ["status0", "status1", "status2", "status3", "status4", "status5"];
    text(language, "common", KEYS[status as usize])
}
