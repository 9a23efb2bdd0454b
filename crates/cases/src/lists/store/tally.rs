//! How many conferences a list without a search has, from the counts that the database keeps per company, type and day.
//!
//! Days are those of UTC. What a range covers of its first and last day is counted from the index.

use super::filter::Filter;
use crate::lists::model::Range;
use atalaya_db::{DbResult, ReadsTuples};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use sea_orm::{ConnectionTrait, Statement, Value};
use uuid::Uuid;

const FIRST: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("a day");
/// The last day whose name has four digits for its year, as names of days are compared.
const LAST: NaiveDate = NaiveDate::from_ymd_opt(9999, 12, 31).expect("a day");

/// A range of moments, cut into the whole days within it and what it covers of the days around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub early: (DateTime<Utc>, DateTime<Utc>),
    /// From the first, before the second.
    pub days: (NaiveDate, NaiveDate),
    pub late: (DateTime<Utc>, DateTime<Utc>),
}

impl Cut {
    pub fn of(range: Range) -> Self {
        let (from, until) = (range.from.min(start(LAST)), range.until.min(start(LAST)));
        let last = until.date_naive();
        let first = match from == start(from.date_naive()) {
            true => from.date_naive(),
            false => from.date_naive().checked_add_days(Days::new(1)).unwrap_or(LAST),
        };
        if first >= last {
            return Self { early: (from, until), days: (last, last), late: (until, until) };
        }
        Self { early: (from, start(first)), days: (first, last), late: (start(last), until) }
    }
}

/// Midnight, UTC.
pub fn start(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// How a day is called where counts are kept.
pub fn name(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

/// Numbers of conferences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// On all days.
    pub everything: i64,
    /// Within the range on its first day, on its whole days, on its last.
    pub early: i64,
    pub days: i64,
    pub late: i64,
}

impl Tally {
    /// Within the range.
    pub fn total(&self) -> u64 {
        u64::try_from(self.early + self.days + self.late).unwrap_or(0)
    }

    /// Whether the range leaves nothing out.
    pub fn is_everything(&self) -> bool {
        self.everything == self.early + self.days + self.late
    }
}

/// The conditions on a table of conferences or counts: of this company (`$1`, the nil id for all) and type (`$2`).
fn owned(filter: &Filter, owner: Uuid) -> &'static str {
    match (owner.is_nil(), filter.conference_type.is_some()) {
        (true, true) => "conference_type = $2",
        (true, false) => "TRUE",
        (false, true) => "company_id = $1 AND conference_type = $2",
        (false, false) => "company_id = $1",
    }
}

/// Values of `$1` and `$2`. Without a type every type is meant: its condition is `conference_type >= 0` then.
fn owner_values(filter: &Filter, owner: Uuid) -> [Value; 2] {
    [owner.into(), filter.conference_type.map_or(0_i16, i16::from).into()]
}

fn of_type(filter: &Filter) -> &'static str {
    if filter.conference_type.is_some() { "conference_type = $2" } else { "conference_type >= $2" }
}

/// The numbers of a filter that is [`Filter::tallied`] under `owner`, in one statement.
pub async fn read(db: &impl ConnectionTrait, filter: &Filter, owner: Uuid) -> DbResult<Tally> {
    let (of_type, owned) = (of_type(filter), owned(filter, owner));
    let mut values: Vec<Value> = owner_values(filter, owner).into();
    let numbers = match filter.range.map(Cut::of) {
        None => {
            let (none, sum) = ("CAST(0 AS BIGINT)", "CAST(COALESCE(SUM(conferences), 0) AS BIGINT)");
            format!("{none} AS early, {sum} AS days, {none} AS late")
        }
        Some(cut) => {
            values.extend([name(cut.days.0), name(cut.days.1)].map(Value::from));
            values.extend([cut.early.0, cut.early.1, cut.late.0, cut.late.1].map(Value::from));
            let part = |from: u8, until: u8| {
                format!("(SELECT COUNT(*) FROM conference WHERE {owned} AND created_at >= ${from} AND created_at < ${until})")
            };
            format!(
                "{} AS early, CAST(COALESCE(SUM(CASE WHEN day >= $3 AND day < $4 THEN conferences ELSE 0 END), 0) AS BIGINT) \
                 AS days, {} AS late",
                part(5, 6),
                part(7, 8)
            )
        }
    };
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(conferences), 0) AS BIGINT) AS everything, {numbers} FROM conference_tally \
         WHERE company_id = $1 AND {of_type}"
    );
    let row = Statement::from_sql_and_values(db.get_database_backend(), sql, values).tuple::<(i64, i64, i64, i64)>(db).await?;
    Ok(row.map_or_else(Tally::default, |(everything, early, days, late)| Tally { everything, early, days, late }))
}

/// Where to begin in a list by date instead of passing over its first `offset` rows: a range that begins (or, newest first,
/// ends) with a later day, and how many of its rows are still to be passed over.
pub async fn jump(
    db: &impl ConnectionTrait,
    filter: &Filter,
    (owner, tally): (Uuid, Tally),
    (offset, descending): (u64, bool),
) -> DbResult<(Range, u64)> {
    let range = filter.range.unwrap_or(Range { from: start(FIRST), until: start(LAST) });
    let days = Cut::of(range).days;
    let order = if descending { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT day, CAST(SUM(conferences) AS BIGINT) AS conferences FROM conference_tally WHERE company_id = $1 AND {} \
         AND day >= $3 AND day < $4 GROUP BY day ORDER BY day {order}",
        of_type(filter)
    );
    let mut values: Vec<Value> = owner_values(filter, owner).into();
    values.extend([name(days.0), name(days.1)].map(Value::from));
    let rows = Statement::from_sql_and_values(db.get_database_backend(), sql, values).tuples::<(String, i64)>(db).await?;
    let before = u64::try_from(if descending { tally.late } else { tally.early }).unwrap_or(0);
    let Some(mut left) = offset.checked_sub(before) else { return Ok((range, offset)) };
    for (day, conferences) in rows {
        let Ok(day) = day.parse::<NaiveDate>() else { continue };
        match left.checked_sub(u64::try_from(conferences).unwrap_or(0)) {
            Some(rest) => left = rest,
            None if descending => {
                let until = day.succ_opt().map_or(range.until, start);
                return Ok((Range { until: until.min(range.until), ..range }, left));
            }
            None => return Ok((Range { from: start(day).max(range.from), ..range }, left)),
        }
    }
    // Past the whole days: the rest lies on the day at the range's other end.
    Ok(match descending {
        true => (Range { until: start(days.0).min(range.until), ..range }, left),
        false => (Range { from: start(days.1).max(range.from), ..range }, left),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    // CASE-42
    #[test]
    fn a_range_is_cut_at_midnights() {
        let cut = |from: &str, until: &str| {
            let cut = Cut::of(Range { from: at(from), until: at(until) });
            (cut.early, cut.days.0.to_string(), cut.days.1.to_string(), cut.late)
        };
        let (from, until) = ("2026-11-13T23:00:00Z", "2026-11-16T23:00:00Z");
        let expected = (
            (at(from), at("2026-11-14T00:00:00Z")),
            "2026-11-14".to_owned(),
            "2026-11-16".to_owned(),
            (at("2026-11-16T00:00:00Z"), at(until)),
        );
        assert_eq!(cut(from, until), expected, "days of Madrid");
        let (from, until) = ("2026-11-13T10:00:00Z", "2026-11-14T09:00:00Z");
        let (early, first, last, late) = cut(from, until);
        assert_eq!((early, first == last, late.0 == late.1), ((at(from), at(until)), true, true), "no whole day");
        let (from, until) = ("2026-11-13T00:00:00Z", "2026-11-14T00:00:00Z");
        let (early, first, last, late) = cut(from, until);
        assert_eq!((early.0 == early.1, late.0 == late.1), (true, true), "nothing but a whole day");
        assert_eq!((first.as_str(), last.as_str()), ("2026-11-13", "2026-11-14"));
    }
}
