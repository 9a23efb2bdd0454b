//! A workbook of any length as a stream: rows are written, compressed and sent as they come, so that memory stays flat.
//!
//! The parts of SpreadsheetML (ECMA-376) that our sheets use; texts stand in their cells, because a table of shared ones
//! would have to be kept until the end. The library behind `xlsx` can only write into memory or files.

use crate::xlsx::{Cell, Column, MEDIA_TYPE, fitting, saved_as};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use futures::{Stream, StreamExt, stream};
use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Bytes that are sent at once.
const CHUNK: usize = 64 * 1024;
/// Chunks, and batches of rows, that may wait for the next one's turn.
const WAITING: usize = 2;
/// The fastest level: a list shrinks to a tenth with it, and to a twelfth with the slowest.
const LEVEL: i64 = 1;

/// Workbooks that are written at once; more wait for their turn. Each keeps a thread of those that all slow work shares, and
/// whoever reads slowly keeps it for as long (CASE-55).
static TURNS: Semaphore = Semaphore::const_new(16);
/// How long a chunk waits for its reader.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends what is written to it in chunks. Waits for its reader; fails when that is gone, or takes nothing for too long.
struct Outlet {
    chunks: mpsc::Sender<io::Result<Bytes>>,
    waiting: Vec<u8>,
    patience: Duration,
}

impl Outlet {
    fn send(&mut self) -> io::Result<()> {
        let chunk = std::mem::replace(&mut self.waiting, Vec::with_capacity(CHUNK));
        let taken = Handle::current().block_on(async {
            let sending = self.chunks.send(Ok(chunk.into()));
            tokio::time::timeout(self.patience, sending).await
        });
        match taken {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= CHUNK {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the writer is given.
enum Part {
    Rows(Vec<Vec<Cell>>),
    End,
}

/// A workbook of these batches of rows as an answer that is saved as `{stem}-{day}.xlsx`. An error among them, or a reader who
/// takes nothing for half a minute, breaks the answer off: whoever saves it gets no whole file.
pub fn streamed<E: Display + Send + 'static>(
    stem: &'static str,
    now: DateTime<Utc>,
    columns: Vec<Column>,
    rows: impl Stream<Item = Result<Vec<Vec<Cell>>, E>> + Send + 'static,
) -> Response {
    patient(PATIENCE, (stem, now), columns, rows)
}

fn patient<E: Display + Send + 'static>(
    patience: Duration,
    (stem, now): (&'static str, DateTime<Utc>),
    columns: Vec<Column>,
    rows: impl Stream<Item = Result<Vec<Vec<Cell>>, E>> + Send + 'static,
) -> Response {
    let (chunks, sent) = mpsc::channel(WAITING);
    let (parts, given) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        let mut rows = std::pin::pin!(rows);
        while let Some(batch) = rows.next().await {
            match batch {
                // Nobody reads any more.
                Ok(batch) => {
                    if parts.send(Part::Rows(batch)).await.is_err() {
                        return;
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "a workbook is broken off");
                    return;
                }
            }
        }
        let _ = parts.send(Part::End).await;
    });
    tokio::spawn(async move {
        let turn = tokio::select! {
            turn = TURNS.acquire() => turn,
            () = chunks.closed() => return,
        };
        let outlet = Outlet { chunks: chunks.clone(), waiting: Vec::with_capacity(CHUNK), patience };
        let written = tokio::task::spawn_blocking(move || write(outlet, &columns, given, now)).await;
        drop(turn);
        if let Err(error) = written.map_err(io::Error::other).and_then(|written| written.map_err(io::Error::other)) {
            let _ = chunks.send(Err(error)).await;
        }
    });
    let body = stream::unfold(sent, |mut sent| async move { sent.recv().await.map(|chunk| (chunk, sent)) });
    let response = ([(axum::http::header::CONTENT_TYPE, MEDIA_TYPE)], Body::from_stream(body)).into_response();
    saved_as(stem, now, response)
}

fn write(outlet: Outlet, columns: &[Column], mut given: mpsc::Receiver<Part>, now: DateTime<Utc>) -> ZipResult<()> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).compression_level(Some(LEVEL));
    let mut zip = ZipWriter::new_stream(outlet);
    for (name, text) in FRAME {
        zip.start_file(*name, options)?;
        zip.write_all(text.as_bytes())?;
    }
    zip.start_file("docProps/core.xml", options)?;
    zip.write_all(core(now).as_bytes())?;
    zip.start_file("xl/worksheets/sheet1.xml", options)?;
    let mut text = head(columns);
    let mut line = 1_u32;
    loop {
        match given.blocking_recv() {
            Some(Part::Rows(rows)) => {
                for row in rows {
                    line += 1;
                    write_row(&mut text, line, &row);
                }
                zip.write_all(text.as_bytes())?;
                text.clear();
            }
            Some(Part::End) => break,
            // Whoever reads the rows has given up.
            None => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        }
    }
    text.push_str("</sheetData>");
    if let Some(last) = columns.len().checked_sub(1) {
        _ = write!(text, "<autoFilter ref=\"A1:{}{line}\"/>", letters(last));
    }
    text.push_str("</worksheet>");
    zip.write_all(text.as_bytes())?;
    let mut outlet = zip.finish()?.into_inner();
    Ok(outlet.send()?)
}

/// The sheet up to its first row, the headings included.
fn head(columns: &[Column]) -> String {
    let mut text = format!(
        "{XML}<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" \
         activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews><cols>"
    );
    for (nth, column) in (1..).zip(columns) {
        let width = column.width;
        _ = write!(text, "<col min=\"{nth}\" max=\"{nth}\" width=\"{width}\" customWidth=\"1\"/>");
    }
    text.push_str("</cols><sheetData><row r=\"1\">");
    for (nth, column) in columns.iter().enumerate() {
        write_text(&mut text, nth, 1, &column.heading, " s=\"1\"");
    }
    text.push_str("</row>");
    text
}

fn write_row(text: &mut String, line: u32, row: &[Cell]) {
    _ = write!(text, "<row r=\"{line}\">");
    for (nth, cell) in row.iter().enumerate() {
        match cell {
            Cell::Empty => {}
            Cell::Text(value) => write_text(text, nth, line, value, ""),
            Cell::Number(number) => write_value(text, nth, line, "", number),
            Cell::Flag(flag) => write_value(text, nth, line, " t=\"b\"", u8::from(*flag)),
            Cell::Day(day) => write_value(text, nth, line, " s=\"2\"", serial(day.and_time(NaiveTime::MIN))),
            Cell::Time(at) => write_value(text, nth, line, " s=\"3\"", serial(*at)),
        }
    }
    text.push_str("</row>");
}

fn write_value(text: &mut String, nth: usize, line: u32, attributes: &str, value: impl Display) {
    _ = write!(text, "<c r=\"{}{line}\"{attributes}><v>{value}</v></c>", letters(nth));
}

/// A text stays a text: one that begins with `=` is no formula.
fn write_text(text: &mut String, nth: usize, line: u32, value: &str, style: &str) {
    _ = write!(text, "<c r=\"{}{line}\"{style} t=\"str\"><v>", letters(nth));
    for c in fitting(value) {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            // No characters of XML.
            '\u{fffe}' | '\u{ffff}' => {}
            c => text.push(c),
        }
    }
    text.push_str("</v></c>");
}

/// A column's name: A to Z, AA to ZZ.
fn letters(nth: usize) -> String {
    let letter = |n: usize| char::from(b'A' + u8::try_from(n % 26).unwrap_or(0));
    match nth / 26 {
        0 => letter(nth).to_string(),
        more => [letter(more - 1), letter(nth)].iter().collect(),
    }
}

/// Days since the turn of 1899 to 1900, as sheets count them.
fn serial(at: NaiveDateTime) -> f64 {
    const EPOCH: NaiveDate = NaiveDate::from_ymd_opt(1899, 12, 30).expect("a day");
    let seconds = (at - EPOCH.and_time(NaiveTime::MIN)).num_seconds();
    // Exact up to 2^53 seconds.
    #[allow(clippy::cast_precision_loss)]
    let seconds = seconds as f64;
    seconds / 86_400.0
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

fn core(now: DateTime<Utc>) -> String {
    let at = now.format("%Y-%m-%dT%H:%M:%SZ");
    format!(
        "{XML}<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dcterms=\"http://purl.org/dc/terms/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
         <dcterms:created xsi:type=\"dcterms:W3CDTF\">{at}</dcterms:created></cp:coreProperties>"
    )
}

/// The parts that are the same in every workbook.
const FRAME: &[(&str, &str)] = &[
    (
        "[Content_Types].xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/docProps/core.xml\" ContentType=\"application/vnd.openxmlformats-package.core-properties+xml\"/>\
         <Override PartName=\"/xl/workbook.xml\" \
         ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>\
         <Override PartName=\"/xl/styles.xml\" \
         ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/>\
         <Override PartName=\"/xl/worksheets/sheet1.xml\" \
         ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/></Types>",
    ),
    (
        "_rels/.rels",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" \
         Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/>\
         <Relationship Id=\"rId2\" \
         Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" \
         Target=\"docProps/core.xml\"/></Relationships>",
    ),
    (
        "xl/_rels/workbook.xml.rels",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" \
         Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
         <Relationship Id=\"rId2\" \
         Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles\" Target=\"styles.xml\"/></Relationships>",
    ),
    (
        "xl/workbook.xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
         xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
         <sheets><sheet name=\"data\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
    ),
    (
        "xl/styles.xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">\
         <numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy\"/>\
         <numFmt numFmtId=\"165\" formatCode=\"dd/mm/yyyy hh:mm\"/></numFmts>\
         <fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>\
         <font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
         <fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"4\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
         <xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\"/>\
         <xf numFmtId=\"164\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>\
         <xf numFmtId=\"165\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/></cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xlsx::SHEET;
    use axum::body::to_bytes;
    use std::io::{Cursor, Read};
    use zip::ZipArchive;

    fn part(bytes: &[u8], name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_workbook_is_written_row_by_row() {
        let now = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
        let row = move |n: u32| {
            vec![Cell::text(format!("=<{n}> & \u{1}más")), Cell::Empty, Cell::Number(2.5), Cell::Flag(true), Cell::time(now)]
        };
        let batches = (0..3_u32).map(move |batch| Ok::<_, io::Error>((0..1000).map(|n| row(batch * 1000 + n)).collect()));
        let columns = ["Uno", "Dos", "Tres", "Cuatro", "Cinco"].map(|heading| Column::new(heading, 12)).to_vec();
        let response = streamed("autos", now, columns, stream::iter(batches));
        assert_eq!(response.headers()["content-disposition"], "attachment; filename=\"autos-2026-11-18.xlsx\"");
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
        assert!(
            sheet.contains("<c r=\"A3001\" t=\"str\"><v>=&lt;2999&gt; &amp; más</v></c><c r=\"C3001\"><v>2.5</v></c>"),
            "{}",
            &sheet[..900]
        );
        assert!(
            sheet.contains("<c r=\"D2\" t=\"b\"><v>1</v></c>") && sheet.ends_with("<autoFilter ref=\"A1:E3001\"/></worksheet>")
        );
        assert!(
            part(&bytes, "xl/workbook.xml").contains(&format!("name=\"{SHEET}\""))
                && part(&bytes, "xl/styles.xml").contains("hh:mm")
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_error_among_the_rows_breaks_the_answer_off() {
        let now = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
        let rows = stream::iter([Ok(vec![vec![Cell::Number(1.0)]]), Err(io::Error::other("the database is gone"))]);
        let response = streamed("autos", now, vec![Column::new("Uno", 9)], rows);
        to_bytes(response.into_body(), usize::MAX).await.unwrap_err();
    }

    // CASE-55
    #[tokio::test(flavor = "multi_thread")]
    async fn who_takes_nothing_for_long_keeps_no_thread() {
        let now = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
        let (reading, gone) = tokio::sync::oneshot::channel::<()>();
        // Nothing that a compressor makes small.
        let noise =
            |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9).to_string();
        let batches = (0..100_u64).map(move |batch| {
            let _still_read = &reading;
            let row = |n| vec![Cell::text(noise(batch * 1000 + n)), Cell::text(noise(batch * 7919 + n))];
            Ok::<_, io::Error>((0..1000).map(row).collect())
        });
        let columns = ["Uno", "Dos"].map(|heading| Column::new(heading, 12)).to_vec();
        let response = patient(Duration::from_millis(100), ("autos", now), columns, stream::iter(batches));
        let given_up = tokio::time::timeout(Duration::from_secs(60), gone).await;
        assert!(given_up.is_ok(), "nobody reads, and it is still written");
        to_bytes(response.into_body(), usize::MAX).await.expect_err("it is broken off");
    }

    #[test]
    fn columns_and_days_have_the_names_of_sheets() {
        assert_eq!([0, 25, 26, 51, 52].map(letters), ["A", "Z", "AA", "AZ", "BA"]);
        let at = |text: &str| serial(text.parse().unwrap());
        assert_eq!((at("1900-03-01T00:00:00"), at("2026-11-20T12:00:00")), (61.0, 46_346.5));
    }
}
