//! The calendar file of an agreed appointment (RFC 5545).

use super::model::REMIND_BEFORE;
use chrono::{DateTime, TimeDelta, Utc};
use icalendar::{Alarm, Calendar, Component, Event, EventLike, EventStatus, Trigger};
use uuid::Uuid;

/// How long a call is noted down for.
const LENGTH: TimeDelta = TimeDelta::minutes(30);

/// What a calendar shows.
pub struct Entry<'a> {
    pub id: Uuid,
    /// Grows with every change, so that a calendar replaces what it has.
    pub sequence: u32,
    pub at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
    pub title: &'a str,
    pub text: &'a str,
    pub link: &'a str,
    /// The host of this installation, which makes the entry's name unique.
    pub host: &'a str,
}

/// The file, with lines of CRLF. Values are escaped, and control characters are spaces, so that no value becomes a line of its own.
pub fn file(entry: &Entry<'_>) -> String {
    let text = |value: &str| value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let uid = format!("{}@{}", entry.id, entry.host);
    let mut alarm = Alarm::display(&text(entry.title), Trigger::before_start(REMIND_BEFORE));
    // Of their own these would be drawn by chance and by the clock.
    alarm.uid(&format!("alarm-{uid}")).timestamp(entry.changed_at);
    let event = Event::new()
        .uid(&uid)
        .sequence(entry.sequence)
        .timestamp(entry.changed_at)
        .starts(entry.at)
        .ends(entry.at + LENGTH)
        .summary(&text(entry.title))
        .description(&text(&format!("{} {}", entry.text, entry.link)))
        .url(&text(entry.link))
        .status(EventStatus::Confirmed)
        .alarm(alarm)
        .done();
    Calendar::new().push(event).done().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    // VISIT-4
    #[test]
    fn values_are_escaped_and_never_a_line_of_their_own() {
        let at = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let title = "Perito; <b>Ana</b>, S.L.\r\nBEGIN:VALARM\\";
        let entry = Entry {
            id: Uuid::nil(),
            sequence: 3,
            at,
            changed_at: at,
            title,
            text: &"ñ".repeat(200),
            link: "https://v.example.es/c/a1B2c3D4e5",
            host: "v.example.es",
        };
        let file = file(&entry);
        let unfolded = file.replace("\r\n ", "");
        assert!(unfolded.contains("\r\nSUMMARY:Perito\\; <b>Ana</b>\\, S.L.  BEGIN:VALARM\\\\\r\n"), "{unfolded}");
        assert_eq!(unfolded.matches("\r\nBEGIN:VALARM\r\n").count(), 1, "{unfolded}");
        for line in ["DTSTART:20270115T080000Z", "DTEND:20270115T083000Z", "SEQUENCE:3", "STATUS:CONFIRMED"] {
            assert!(unfolded.contains(&format!("\r\n{line}\r\n")), "{line}: {unfolded}");
        }
        assert!(unfolded.contains(&"ñ".repeat(200)) && unfolded.contains("00000000-0000-0000-0000-000000000000@v.example.es"));
        assert_eq!(file, super::file(&entry), "nothing of it is drawn by chance");
        assert!(file.split("\r\n").all(|line| line.len() <= 75 && !line.contains('\n')), "{file}");
    }
}
