//! Values of SQLite as entities hold them, and back; the same as the pool's driver makes of them.

use chrono::{DateTime, SecondsFormat, TimeZone, Utc};
use rusqlite::types::{ToSqlOutput, Value as Stored, ValueRef};
use sea_orm::sea_query::{ColumnType, Value};
use std::fmt::Display;
use uuid::Uuid;

/// What an entity's column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Small,
    Int,
    Big,
    Text,
    Blob,
    Uuid,
    Moment,
    Json,
}

impl Kind {
    /// `None` for what our entities have none of.
    pub fn of(column: &ColumnType) -> Option<Self> {
        Some(match column {
            ColumnType::Boolean => Self::Bool,
            ColumnType::SmallInteger => Self::Small,
            ColumnType::Integer => Self::Int,
            ColumnType::BigInteger => Self::Big,
            ColumnType::Text | ColumnType::String(_) => Self::Text,
            ColumnType::Blob | ColumnType::Binary(_) | ColumnType::VarBinary(_) => Self::Blob,
            ColumnType::Uuid => Self::Uuid,
            ColumnType::TimestampWithTimeZone => Self::Moment,
            ColumnType::Json | ColumnType::JsonBinary => Self::Json,
            _ => return None,
        })
    }

    /// `None` when the cell holds something else; then the driver of the pool says what it makes of it.
    pub fn read(self, held: ValueRef<'_>) -> Option<Value> {
        Some(match self {
            Self::Bool => Value::Bool(Cell::of(held)?),
            Self::Small => Value::SmallInt(Cell::of(held)?),
            Self::Int => Value::Int(Cell::of(held)?),
            Self::Big => Value::BigInt(Cell::of(held)?),
            Self::Text => Value::String(Cell::of(held)?),
            Self::Blob => Value::Bytes(Cell::of(held)?),
            Self::Uuid => Value::Uuid(Cell::of(held)?),
            Self::Moment => Value::ChronoDateTimeUtc(Cell::of(held)?),
            Self::Json => Value::Json(Option::<serde_json::Value>::of(held)?.map(Box::new)),
        })
    }
}

/// What a cell can be read as: the types that our entities use.
pub trait Cell: Sized {
    /// `None` when it holds something else.
    fn of(held: ValueRef<'_>) -> Option<Self>;
}

impl<T: Cell> Cell for Option<T> {
    fn of(held: ValueRef<'_>) -> Option<Self> {
        match held {
            ValueRef::Null => Some(None),
            _ => T::of(held).map(Some),
        }
    }
}

macro_rules! cells {
    ($($held:ident($value:ident) => $type:ty: $read:expr),+ $(,)?) => {
        $(impl Cell for $type {
            fn of(held: ValueRef<'_>) -> Option<Self> {
                match held {
                    ValueRef::$held($value) => $read,
                    _ => None,
                }
            }
        })+
    };
}

cells! {
    Integer(number) => bool: Some(number != 0),
    Integer(number) => i16: number.try_into().ok(),
    Integer(number) => i32: number.try_into().ok(),
    Integer(number) => i64: Some(number),
    Text(text) => String: Some(std::str::from_utf8(text).ok()?.to_owned()),
    Text(text) => DateTime<Utc>: Some(DateTime::parse_from_rfc3339(std::str::from_utf8(text).ok()?).ok()?.with_timezone(&Utc)),
    Text(text) => serde_json::Value: serde_json::from_slice(text).ok(),
    Blob(bytes) => Uuid: Uuid::from_slice(bytes).ok(),
    Blob(bytes) => Vec<u8>: Some(bytes.to_vec()),
}

/// A value of a statement, as it is written to and compared with the file; `None` for kinds that we do not use.
pub(super) fn bound(value: &Value) -> Option<ToSqlOutput<'_>> {
    Some(match value {
        Value::Bool(value) => whole(*value),
        Value::TinyInt(value) => whole(*value),
        Value::SmallInt(value) => whole(*value),
        Value::Int(value) => whole(*value),
        Value::BigInt(value) => whole(*value),
        Value::TinyUnsigned(value) => whole(*value),
        Value::SmallUnsigned(value) => whole(*value),
        Value::Unsigned(value) => whole(*value),
        Value::BigUnsigned(None) => NULL,
        Value::BigUnsigned(Some(value)) => whole(Some(i64::try_from(*value).ok()?)),
        Value::Float(value) => real(value.map(f64::from)),
        Value::Double(value) => real(*value),
        Value::String(value) => value.as_ref().map_or(NULL, |text| ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))),
        Value::Char(value) => words(value.map(String::from)),
        Value::Bytes(value) => value.as_ref().map_or(NULL, |bytes| ToSqlOutput::Borrowed(ValueRef::Blob(bytes))),
        Value::Uuid(value) => value.as_ref().map_or(NULL, |id| ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes()))),
        Value::Json(None) => NULL,
        Value::Json(Some(value)) => words(Some(serde_json::to_string(value).ok()?)),
        Value::ChronoDate(value) => words(value.map(|date| date.format("%F").to_string())),
        Value::ChronoTime(value) => words(value.map(|time| time.format("%T%.f").to_string())),
        Value::ChronoDateTime(value) => words(value.map(|at| at.format("%F %T%.f").to_string())),
        Value::ChronoDateTimeUtc(value) => words(value.as_ref().map(rfc3339)),
        Value::ChronoDateTimeLocal(value) => words(value.as_ref().map(rfc3339)),
        Value::ChronoDateTimeWithTimeZone(value) => words(value.as_ref().map(rfc3339)),
        _ => return None,
    })
}

const NULL: ToSqlOutput<'static> = ToSqlOutput::Borrowed(ValueRef::Null);

fn whole(value: Option<impl Into<i64>>) -> ToSqlOutput<'static> {
    value.map_or(NULL, |number| ToSqlOutput::Owned(Stored::Integer(number.into())))
}

fn real(value: Option<f64>) -> ToSqlOutput<'static> {
    value.map_or(NULL, |number| ToSqlOutput::Owned(Stored::Real(number)))
}

fn words(value: Option<String>) -> ToSqlOutput<'static> {
    value.map_or(NULL, |text| ToSqlOutput::Owned(Stored::Text(text)))
}

fn rfc3339<Tz: TimeZone<Offset: Display>>(at: &DateTime<Tz>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}
