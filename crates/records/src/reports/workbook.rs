//! Reports as workbooks: headings and events in the request's language.

use super::view::{CustomerCount, ReportedLog, ReportedMedia, ReportedTrack};
use atalaya_content::languages::model::bundle;
use atalaya_content::languages::text;
use atalaya_kernel::Language;
use atalaya_rest::xlsx::{Cell, Column, WorkbookError, build, workbook};
use chrono::{DateTime, Utc};

/// A line of a workbook.
pub(super) trait Line: Send + 'static {
    /// Namespace and key of each heading, and the column's width.
    const COLUMNS: &'static [(&'static str, &'static str, u8)];
    /// Name of the file before its day.
    const STEM: &'static str;
    fn cells(&self, language: Language) -> Vec<Cell>;
}

/// The workbook of these lines, built on a blocking thread.
pub(super) async fn of<L: Line>(lines: Vec<L>, language: Language, now: DateTime<Utc>) -> Result<Vec<u8>, WorkbookError> {
    build(move || {
        let heading =
            |(namespace, key, width): &(&'static str, &'static str, u8)| Column::new(text(language, namespace, key), *width);
        let columns: Vec<Column> = L::COLUMNS.iter().map(heading).collect();
        let cells: Vec<Vec<Cell>> = lines.iter().map(|line| line.cells(language)).collect();
        workbook(&columns, &cells, now)
    })
    .await
}

/// A text whose key is built from a value; the value itself when there is no such text.
fn named(language: Language, namespace: &str, key: &str, value: &str) -> Cell {
    let texts = bundle(language).namespace.get(namespace);
    Cell::text(texts.and_then(|texts| texts.get(key)).map_or(value, String::as_str))
}

fn count(number: u64) -> Cell {
    Cell::count(i64::try_from(number).unwrap_or(i64::MAX))
}

impl Line for ReportedLog {
    const COLUMNS: &'static [(&'static str, &'static str, u8)] = &[
        ("reports", "at", 17),
        ("reports", "expedient", 18),
        ("reports", "company", 28),
        ("reports", "user", 22),
        ("outbox", "channel", 10),
        ("outbox", "to", 24),
        ("reports", "purpose", 28),
        ("outbox", "state", 14),
        ("reports", "error", 30),
    ];
    const STEM: &'static str = "mensajes";

    fn cells(&self, language: Language) -> Vec<Cell> {
        vec![
            Cell::time(self.at),
            Cell::text(&self.expedient_number),
            Cell::text(&self.company),
            Cell::text(&self.user),
            named(language, "outbox", &self.channel, &self.channel),
            Cell::text(&self.to),
            named(language, "reports", &format!("purpose_{}", self.purpose.replace('-', "_")), &self.purpose),
            named(language, "outbox", &format!("st_{}", self.state), &self.state),
            Cell::optional(self.error.as_deref()),
        ]
    }
}

impl Line for ReportedTrack {
    const COLUMNS: &'static [(&'static str, &'static str, u8)] = &[
        ("reports", "at", 17),
        ("reports", "expedient", 18),
        ("reports", "company", 28),
        ("reports", "event", 28),
        ("reports", "actor", 14),
        ("reports", "data", 60),
    ];
    const STEM: &'static str = "sucesos";

    fn cells(&self, language: Language) -> Vec<Cell> {
        let actor = match self.actor.as_str() {
            "client" => text(language, "reports", "actorClient"),
            "system" => text(language, "reports", "actorSystem"),
            _ => text(language, "reports", "actorStaff"),
        };
        let fact = |(key, value): (&String, &serde_json::Value)| match value.as_str() {
            Some(text) => format!("{key}: {text}"),
            None => format!("{key}: {value}"),
        };
        let facts: Vec<String> = self.data.iter().map(fact).collect();
        vec![
            Cell::time(self.at),
            Cell::text(&self.expedient_number),
            Cell::text(&self.company),
            named(language, "call", &format!("track_{}", self.track_type.to_lowercase()), &self.track_type),
            Cell::text(actor),
            Cell::text(facts.join(", ")),
        ]
    }
}

impl Line for ReportedMedia {
    const COLUMNS: &'static [(&'static str, &'static str, u8)] = &[
        ("reports", "at", 17),
        ("reports", "expedient", 18),
        ("reports", "company", 28),
        ("reports", "user", 22),
        ("reports", "type", 12),
        ("media", "factOrigin", 14),
        ("media", "factSize", 12),
        ("media", "hash", 66),
    ];
    const STEM: &'static str = "archivos";

    fn cells(&self, language: Language) -> Vec<Cell> {
        let media = &self.media;
        vec![
            Cell::time(media.created_at),
            Cell::text(&media.expedient_number),
            Cell::text(&self.company),
            Cell::text(&self.user_name),
            named(language, "media", &media.media_type.to_lowercase(), &media.media_type),
            named(language, "media", &format!("origin_{}", media.origin), &media.origin),
            Cell::count(media.size),
            Cell::text(&media.hash),
        ]
    }
}

impl Line for CustomerCount {
    const COLUMNS: &'static [(&'static str, &'static str, u8)] = &[
        ("reports", "company", 32),
        ("reports", "conferences", 14),
        ("reports", "autos", 10),
        ("reports", "diversos", 10),
        ("reports", "lastAt", 17),
    ];
    const STEM: &'static str = "clientes";

    fn cells(&self, _: Language) -> Vec<Cell> {
        let numbers = [self.conferences, self.autos, self.diversos].map(count);
        [Cell::text(&self.company)].into_iter().chain(numbers).chain([Cell::time(self.last_at)]).collect()
    }
}
