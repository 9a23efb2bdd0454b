//! Lists as workbooks: extension xlsx, one sheet named `data`.

use crate::problem::Problem;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

/// Name of the sheet.
pub const SHEET: &str = "data";
pub(crate) const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// Characters that fit into one cell.
const CELL_MAX: usize = 32_767;

/// A heading and how wide its column is, in characters.
#[derive(Clone, Debug)]
pub struct Column {
    pub heading: String,
    pub width: f64,
}

impl Column {
    pub fn new(heading: impl Into<String>, width: u8) -> Self {
        Self { heading: heading.into(), width: width.into() }
    }
}

/// What a cell holds. Texts stay texts: one that begins with `=` is no formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Empty,
    Text(String),
    Number(f64),
    Flag(bool),
    Day(NaiveDate),
    /// A moment, shown on Madrid's clock.
    Time(NaiveDateTime),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Empty when there is none.
    pub fn optional(text: Option<impl Into<String>>) -> Self {
        text.map_or(Self::Empty, Self::text)
    }

    /// A whole number of things.
    pub fn count(number: i64) -> Self {
        // Exact up to 2^53, more than we count.
        #[allow(clippy::cast_precision_loss)]
        let number = number as f64;
        Self::Number(number)
    }

    pub fn time(at: DateTime<Utc>) -> Self {
        Self::Time(atalaya_kernel::calendar::local(at))
    }

    /// The day it was in Madrid.
    pub fn day(at: DateTime<Utc>) -> Self {
        Self::Day(atalaya_kernel::calendar::day(at))
    }
}

/// Why a workbook could not be written: the rows do not fit into a sheet (a million of them), or its thread failed. A 500.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WorkbookError(String);

impl From<WorkbookError> for Problem {
    fn from(error: WorkbookError) -> Self {
        Self::internal(error)
    }
}

/// A workbook's bytes. Takes a while for thousands of rows: call it within [`build`].
pub fn workbook(columns: &[Column], rows: &[Vec<Cell>], now: DateTime<Utc>) -> Result<Vec<u8>, WorkbookError> {
    write(columns, rows, now).map_err(|error| WorkbookError(error.to_string()))
}

/// Makes a workbook where blocking is allowed.
pub async fn build(make: impl FnOnce() -> Result<Vec<u8>, WorkbookError> + Send + 'static) -> Result<Vec<u8>, WorkbookError> {
    tokio::task::spawn_blocking(make).await.map_err(|error| WorkbookError(error.to_string()))?
}

fn write(columns: &[Column], rows: &[Vec<Cell>], now: DateTime<Utc>) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let created = ExcelDateTime::from_timestamp(now.timestamp())?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let sheet = book.add_worksheet();
    sheet.set_name(SHEET)?;
    let bold = Format::new().set_bold();
    let formats =
        Formats { day: Format::new().set_num_format("dd/mm/yyyy"), time: Format::new().set_num_format("dd/mm/yyyy hh:mm") };
    for (at, column) in (0..).zip(columns) {
        sheet.write_string_with_format(0, at, &column.heading, &bold)?;
        sheet.set_column_width(at, column.width)?;
    }
    for (line, row) in (1..).zip(rows) {
        for (at, cell) in (0..).zip(row) {
            put(sheet, line, at, cell, &formats)?;
        }
    }
    sheet.set_freeze_panes(1, 0)?;
    if let (Some(last), Ok(lines)) = (columns.len().checked_sub(1).and_then(|n| u16::try_from(n).ok()), u32::try_from(rows.len()))
    {
        sheet.autofilter(0, 0, lines, last)?;
    }
    book.save_to_buffer()
}

struct Formats {
    day: Format,
    time: Format,
}

fn put(sheet: &mut Worksheet, line: u32, at: u16, cell: &Cell, formats: &Formats) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(text) => {
            sheet.write_string(line, at, fitting(text).collect::<String>())?;
        }
        Cell::Number(number) => drop(sheet.write_number(line, at, *number)?),
        Cell::Flag(flag) => drop(sheet.write_boolean(line, at, *flag)?),
        Cell::Day(day) => drop(sheet.write_datetime_with_format(line, at, day, &formats.day)?),
        Cell::Time(time) => drop(sheet.write_datetime_with_format(line, at, time, &formats.time)?),
    }
    Ok(())
}

/// What of a text a cell can hold.
pub(crate) fn fitting(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).take(CELL_MAX)
}

/// A workbook as an answer that is saved as `{stem}-{day}.xlsx`. The stem is a word of ours, never of a person.
pub fn attachment(stem: &'static str, now: DateTime<Utc>, bytes: Vec<u8>) -> Response {
    saved_as(stem, now, bytes.into_response())
}

/// The headers of a workbook that is saved as `{stem}-{day}.xlsx`.
pub(crate) fn saved_as(stem: &'static str, now: DateTime<Utc>, mut response: Response) -> Response {
    let name = format!("attachment; filename=\"{stem}-{}.xlsx\"", atalaya_kernel::calendar::day(now));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("our words and a date are ASCII"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_is_a_zip_of_its_name() {
        let now = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
        let columns = [Column::new("Empresa", 30), Column::new("Alta", 16)];
        let rows = [
            vec![Cell::text("=1+1"), Cell::time(now)],
            vec![Cell::Empty, Cell::day(now)],
            vec![Cell::Flag(true), Cell::Number(2.5)],
        ];
        let bytes = workbook(&columns, &rows, now).unwrap();
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        let response = attachment("clientes", now, bytes);
        assert_eq!(response.headers()["content-disposition"], "attachment; filename=\"clientes-2026-11-18.xlsx\"");
        assert!(workbook(&columns, &[vec![Cell::text("x\u{0}y".repeat(40_000))]], now).is_ok());
    }
}
