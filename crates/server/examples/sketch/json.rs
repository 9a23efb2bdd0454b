//! Rows as JSON, written while they are read. A column is called as on the wire, with what it holds behind a `#`:
//! `_id#id`, `createdAt#at`, `closed#flag`, `data#json`; text and numbers as they are.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params, Result, Row};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write as _;
use std::rc::Rc;

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Id,
    Moment,
    Flag,
    Json,
}

/// `"name":` and what its values are; nothing for a column that is read by its place only.
type Columns = Rc<Vec<Option<(Vec<u8>, Kind)>>>;

thread_local! {
    static KNOWN: RefCell<HashMap<String, Columns>> = RefCell::default();
}

fn columns(sql: &str, names: &[&str]) -> Columns {
    if let Some(known) = KNOWN.with_borrow(|known| known.get(sql).cloned()) {
        return known;
    }
    let column = |name: &&str| {
        let (name, kind) = name.split_once('#').unwrap_or((name, ""));
        let kind = match kind {
            "id" => Kind::Id,
            "at" => Kind::Moment,
            "flag" => Kind::Flag,
            "json" => Kind::Json,
            _ => Kind::Plain,
        };
        (!name.is_empty()).then(|| (format!("\"{name}\":").into_bytes(), kind))
    };
    let found: Columns = Rc::new(names.iter().map(column).collect());
    KNOWN.with_borrow_mut(|known| known.insert(sql.to_owned(), Rc::clone(&found)));
    found
}

fn text(out: &mut Vec<u8>, text: &[u8]) {
    let text = std::str::from_utf8(text).unwrap_or_default();
    serde_json::to_writer(out, text).expect("a text can be written");
}

fn id(out: &mut Vec<u8>, bytes: &[u8]) {
    let id = uuid::Uuid::from_slice(bytes).unwrap_or_default();
    let mut buffer = uuid::Uuid::encode_buffer();
    out.push(b'"');
    out.extend_from_slice(id.hyphenated().encode_lower(&mut buffer).as_bytes());
    out.push(b'"');
}

fn value(out: &mut Vec<u8>, value: ValueRef<'_>, kind: Kind) {
    match (value, kind) {
        (ValueRef::Blob(bytes), Kind::Id) => id(out, bytes),
        (ValueRef::Integer(number), Kind::Flag) => out.extend_from_slice(if number == 0 { b"false" } else { b"true" }),
        (ValueRef::Text(bytes), Kind::Json) => out.extend_from_slice(bytes),
        (ValueRef::Text(bytes), Kind::Moment) => {
            out.push(b'"');
            out.extend_from_slice(bytes.strip_suffix(b"+00:00").unwrap_or(bytes));
            out.extend_from_slice(b"Z\"");
        }
        (ValueRef::Text(bytes), _) => text(out, bytes),
        (ValueRef::Integer(number), _) => _ = write!(out, "{number}"),
        (ValueRef::Real(number), _) => _ = write!(out, "{number}"),
        (ValueRef::Null | ValueRef::Blob(_), _) => out.extend_from_slice(b"null"),
    }
}

/// Writes each row as an object, with what `more` adds to it, separated by commas; answers how many.
pub fn objects(
    db: &Connection,
    out: &mut Vec<u8>,
    sql: &str,
    values: impl Params,
    mut more: impl FnMut(&mut Vec<u8>, &Row<'_>) -> Result<()>,
) -> Result<usize> {
    let mut statement = db.prepare_cached(sql)?;
    let columns = columns(sql, &statement.column_names());
    let mut rows = statement.query(values)?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        out.extend_from_slice(if count == 0 { b"{" } else { b",{" });
        count += 1;
        for (at, column) in columns.iter().enumerate() {
            let Some((name, kind)) = column else { continue };
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            out.extend_from_slice(name);
            value(out, row.get_ref(at)?, *kind);
        }
        more(out, row)?;
        out.push(b'}');
    }
    Ok(count)
}

/// The same without an addition, in brackets.
pub fn array(db: &Connection, out: &mut Vec<u8>, sql: &str, values: impl Params) -> Result<usize> {
    out.push(b'[');
    let count = objects(db, out, sql, values, |_, _| Ok(()))?;
    out.push(b']');
    Ok(count)
}

/// The first row as an object; `null` without one.
pub fn object(db: &Connection, out: &mut Vec<u8>, sql: &str, values: impl Params) -> Result<bool> {
    let found = objects(db, out, sql, values, |_, _| Ok(()))? > 0;
    if !found {
        out.extend_from_slice(b"null");
    }
    Ok(found)
}
