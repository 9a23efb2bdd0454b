//! The list as a workbook (INCID-23).

use crate::incidences::view::IncidenceRow;
use atalaya_content::languages::text;
use atalaya_kernel::Language;
use atalaya_rest::problem::Problem;
use atalaya_rest::xlsx::{Cell, Column, build, workbook};
use chrono::{DateTime, Utc};

/// Heading (key of namespace `incidences`) and width of each column; the company is the administrator's.
const COLUMNS: [(&str, u8); 10] = [
    ("number", 14),
    ("created", 17),
    ("updated", 17),
    ("status", 16),
    ("type", 14),
    ("reason", 16),
    ("expedient", 18),
    ("comments", 60),
    ("author", 26),
    ("answers", 12),
];
const COMPANY: (&str, u8) = ("company", 30);

/// The workbook of these rows under translated headings, made where blocking is allowed.
pub(super) async fn of(rows: Vec<IncidenceRow>, admin: bool, language: Language, now: DateTime<Utc>) -> Result<Vec<u8>, Problem> {
    let made = build(move || {
        let heading = |(key, width): &(&'static str, u8)| Column::new(text(language, "incidences", key), *width);
        let columns: Vec<Column> = COLUMNS.iter().chain(admin.then_some(&COMPANY)).map(heading).collect();
        let lines: Vec<Vec<Cell>> = rows.iter().map(|row| line(row, admin, language)).collect();
        workbook(&columns, &lines, now)
    });
    Ok(made.await?)
}

fn line(row: &IncidenceRow, admin: bool, language: Language) -> Vec<Cell> {
    let named = |keys: &[&'static str], number: i16| {
        let key = usize::try_from(number - 1).ok().and_then(|at| keys.get(at));
        key.map_or(Cell::Empty, |key| Cell::text(text(language, "incidences", key)))
    };
    let comments = if row.erased { text(language, "incidences", "erased") } else { &row.comments };
    let mut cells = vec![
        Cell::text(&row.number),
        Cell::time(row.created_at),
        Cell::time(row.updated_at),
        named(&["status1", "status2", "status3", "status4"], row.status),
        named(&["t1", "t2"], row.kind),
        named(&["r1", "r2", "r3", "r4", "r5"], row.reason),
        Cell::optional(row.expedient_number.as_deref()),
        Cell::text(comments),
        Cell::text(&row.author.name),
        Cell::count(row.answer_count.into()),
    ];
    if admin {
        cells.push(Cell::text(&row.company.company));
    }
    cells
}
