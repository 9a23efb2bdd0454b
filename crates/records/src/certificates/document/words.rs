//! Words and formats of the certificate in a language.

use atalaya_cases::evidence::Track;
use atalaya_content::languages::{format, text};
use atalaya_kernel::{Language, calendar};
use atalaya_pdf::{Cell, Fact};
use chrono::{DateTime, SecondsFormat, Utc};

/// Texts of the namespace `certificate`.
pub(super) struct Words(pub Language);

impl Words {
    pub fn of(&self, key: &'static str) -> &'static str {
        text(self.0, "certificate", key)
    }

    pub fn fact(&self, label: &'static str, value: Cell) -> Fact {
        Fact { label: self.of(label).to_owned(), value }
    }

    /// A fact whose value may be missing.
    pub fn maybe(&self, label: &'static str, value: Option<&str>) -> Fact {
        self.fact(label, Cell::new(value.filter(|text| !text.trim().is_empty()).unwrap_or("–")))
    }

    /// Local time with its offset, UTC below.
    pub fn time(&self, at: DateTime<Utc>) -> Cell {
        let local = calendar::local(at);
        let minutes = (local - at.naive_utc()).num_minutes();
        let offset = format!("{}{:02}:{:02}", if minutes < 0 { '-' } else { '+' }, minutes.abs() / 60, minutes.abs() % 60);
        let utc = at.to_rfc3339_opts(SecondsFormat::Millis, true).replace('T', " ").replace('Z', " UTC");
        Cell::with_detail(format!("{} {offset}", local.format("%d/%m/%Y %H:%M:%S")), utc)
    }

    pub fn maybe_time(&self, label: &'static str, at: Option<DateTime<Utc>>) -> Fact {
        self.fact(label, at.map_or_else(|| Cell::new("–"), |at| self.time(at)))
    }

    /// A personal value of a track: itself, or that it was erased, or a dash.
    pub fn personal(&self, track: &Track, field: &str) -> String {
        match track.data.get(field).and_then(|v| v.as_str()) {
            Some(value) => value.to_owned(),
            None if track.data.contains_key(&format!("{field}C")) => self.of("erased").to_owned(),
            None => "–".to_owned(),
        }
    }

    /// Bytes as people read them.
    pub fn size(&self, bytes: i64) -> String {
        let point = |number: f64, unit: &str| format::decimal(&format!("{number:.1} {unit}"), self.0);
        match bytes {
            ..1_000 => format!("{bytes} B"),
            1_000..1_000_000 => point(bytes as f64 / 1e3, "kB"),
            1_000_000..1_000_000_000 => point(bytes as f64 / 1e6, "MB"),
            _ => point(bytes as f64 / 1e9, "GB"),
        }
    }

    /// Seconds as minutes and seconds.
    pub fn duration(&self, seconds: Option<i64>) -> String {
        match seconds {
            None => "–".to_owned(),
            Some(s) if s < 60 => format!("{s} s"),
            Some(s) if s < 3600 => format!("{} min {:02} s", s / 60, s % 60),
            Some(s) => format!("{} h {:02} min {:02} s", s / 3600, s / 60 % 60, s % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // CERT-2
    #[test]
    fn times_are_local_with_offset_and_utc() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let winter = Words(Language::Es).time(at("2026-11-20T09:00:07.123Z"));
        assert_eq!(winter.lines, ["20/11/2026 10:00:07 +01:00"]);
        assert_eq!(winter.detail.as_deref(), Some("2026-11-20 09:00:07.123 UTC"));
        assert_eq!(Words(Language::En).time(at("2026-07-01T22:30:00Z")).lines, ["02/07/2026 00:30:00 +02:00"]);
    }

    #[test]
    fn sizes_and_durations() {
        let (es, en) = (Words(Language::Es), Words(Language::En));
        assert_eq!(
            [es.size(999), es.size(1_234), en.size(12_345_678), es.size(2_500_000_000)],
            ["999 B", "1,2 kB", "12.3 MB", "2,5 GB"]
        );
        assert_eq!(
            [es.duration(Some(9)), es.duration(Some(65)), es.duration(Some(3_661))],
            ["9 s", "1 min 05 s", "1 h 01 min 01 s"]
        );
    }
}
