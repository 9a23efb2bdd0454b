//! Pages of lists that can grow: nothing is unbounded.

use crate::problem::Problem;
use serde::Deserialize;
use uuid::Uuid;

/// Rows per page when nobody says.
pub const DEFAULT_LIMIT: u64 = 50;
/// Rows per page at most.
pub const MAX_LIMIT: u64 = 200;

/// Query parameters of a paged list.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PageQuery {
    /// Rows at most, 1 to 200.
    pub limit: Option<u64>,
    /// `nextCursor` of the page before.
    pub cursor: Option<String>,
}

impl PageQuery {
    /// The limit within its bounds.
    pub fn limit(&self) -> u64 {
        self.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT)
    }
}

/// Rows of a workbook at most.
pub const WORKBOOK_ROWS: u64 = 50_000;
/// Rows of a workbook that is streamed: as many as its format has, beside the headings.
pub const SHEET_ROWS: u64 = 1_048_575;
/// Characters of a search at most; the rest is ignored.
const SEARCH_MAX: usize = 200;

/// Query parameters of a list that is searched, filtered, sorted and exported.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListQuery {
    /// Words that must all occur; case and accents do not matter.
    pub search: Option<String>,
    /// Only rows of this status.
    pub status: Option<i16>,
    /// A field, descending with a minus before it.
    pub sort: Option<String>,
    /// Rows at most, 1 to 200.
    pub limit: Option<u64>,
    /// `nextCursor` of the page before.
    pub cursor: Option<String>,
    /// `xlsx` answers every row of the filter as a workbook.
    pub format: Option<String>,
}

/// The part of a list that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    pub offset: u64,
    pub limit: u64,
}

impl Slice {
    /// Every row a workbook may have.
    pub const WORKBOOK: Slice = Slice { offset: 0, limit: WORKBOOK_ROWS };

    /// `nextCursor` after this part of a list of `total` rows.
    pub fn next_cursor(self, total: u64) -> Option<String> {
        let next = self.offset.saturating_add(self.limit);
        (next < total).then(|| next.to_string())
    }

    /// The same where the next page follows a row: its last one here. Rows that come meanwhile then shift nothing.
    pub fn next_cursor_after(self, total: u64, last: Option<Uuid>) -> Option<String> {
        let next = self.next_cursor(total)?;
        Some(last.map_or(next.clone(), |last| format!("{next}.{}", last.simple())))
    }
}

/// Refuses a workbook of more rows than it may have.
///
/// Errors: 422 `WORKBOOK_TOO_LONG`.
pub fn workbook_holds(total: u64) -> Result<(), Problem> {
    holds(total, WORKBOOK_ROWS)
}

fn holds(total: u64, max: u64) -> Result<(), Problem> {
    match total <= max {
        true => Ok(()),
        false => Err(Problem::unprocessable("WORKBOOK_TOO_LONG").param("max", max).param("total", total)),
    }
}

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort<F> {
    pub field: F,
    pub descending: bool,
}

impl ListQuery {
    /// The search text, cut to the maximum length.
    pub fn search(&self) -> String {
        self.search.as_deref().unwrap_or_default().chars().take(SEARCH_MAX).collect()
    }

    /// Whether a workbook is asked for, of a list of `total` rows. A workbook has all of them or is refused, never cut.
    ///
    /// Errors: 422 `WORKBOOK_TOO_LONG` beyond [`WORKBOOK_ROWS`].
    pub fn wants_workbook(&self, total: u64) -> Result<bool, Problem> {
        match self.format.as_deref() == Some("xlsx") {
            true => workbook_holds(total).map(|()| true),
            false => Ok(false),
        }
    }

    /// The same for a list whose workbook is streamed.
    ///
    /// Errors: 422 `WORKBOOK_TOO_LONG` beyond [`SHEET_ROWS`].
    pub fn wants_streamed_workbook(&self, total: u64) -> Result<bool, Problem> {
        match self.format.as_deref() == Some("xlsx") {
            true => holds(total, SHEET_ROWS).map(|()| true),
            false => Ok(false),
        }
    }

    /// The row that the page follows, when the cursor names one.
    pub fn after(&self) -> Option<Uuid> {
        self.cursor.as_deref()?.split_once('.')?.1.parse().ok()
    }

    /// The page, or everything for a workbook.
    ///
    /// Errors: 422 `INVALID_FIELDS` about `cursor` or `format`.
    pub fn slice(&self) -> Result<Slice, Problem> {
        match self.format.as_deref() {
            None | Some("" | "json") => {}
            Some("xlsx") => return Ok(Slice::WORKBOOK),
            Some(_) => return Err(Problem::invalid([]).field("format", "INVALID")),
        }
        let offset = match self.cursor.as_deref() {
            None | Some("") => 0,
            // Bounded, because databases count rows in signed numbers.
            Some(text) => number(text).parse::<u32>().map_err(|_| Problem::invalid([]).field("cursor", "INVALID"))?.into(),
        };
        Ok(Slice { offset, limit: self.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT) })
    }

    /// The requested sorting; without one, the list's first field, ascending.
    ///
    /// Errors: 422 `INVALID_FIELDS` about `sort`.
    pub fn sort<F: Copy>(&self, fields: &[(&str, F)]) -> Result<Sort<F>, Problem> {
        let text = self.sort.as_deref().filter(|text| !text.is_empty()).unwrap_or(fields[0].0);
        let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let found = fields.iter().find(|(field, _)| *field == name);
        found.map(|(_, field)| Sort { field: *field, descending }).ok_or_else(|| Problem::invalid([]).field("sort", "INVALID"))
    }
}

/// A cursor without the row that it may name after a dot.
fn number(cursor: &str) -> &str {
    match cursor.split_once('.') {
        Some((number, row)) if row.parse::<Uuid>().is_ok() => number,
        _ => cursor,
    }
}

/// Cuts `limit + 1` fetched rows to the page; answers whether there are more.
pub fn cut<T>(mut rows: Vec<T>, limit: u64) -> (Vec<T>, bool) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    (rows, more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workbook_has_every_row_or_is_refused() {
        let query = |format: &str| ListQuery { format: Some(format.into()), ..ListQuery::default() };
        assert!(query("xlsx").wants_workbook(WORKBOOK_ROWS).unwrap());
        let refused = query("xlsx").wants_workbook(WORKBOOK_ROWS + 1).unwrap_err();
        assert_eq!(refused.code(), "WORKBOOK_TOO_LONG");
        assert!(!query("json").wants_workbook(WORKBOOK_ROWS + 1).unwrap());
        assert!(query("xlsx").wants_streamed_workbook(SHEET_ROWS).unwrap());
        assert_eq!(query("xlsx").wants_streamed_workbook(SHEET_ROWS + 1).unwrap_err().code(), "WORKBOOK_TOO_LONG");
    }

    #[test]
    fn limits_stay_within_bounds() {
        let limit = |limit| PageQuery { limit, cursor: None }.limit();
        assert_eq!([limit(None), limit(Some(0)), limit(Some(7)), limit(Some(9999))], [50, 1, 7, 200]);
        assert_eq!(cut(vec![1, 2, 3], 2), (vec![1, 2], true));
        assert_eq!(cut(vec![1, 2], 2), (vec![1, 2], false));
    }

    #[test]
    fn lists_are_read_from_their_query() {
        let query = |cursor: &str, format: &str| ListQuery {
            cursor: Some(cursor.into()),
            format: Some(format.into()),
            limit: Some(999),
            ..ListQuery::default()
        };
        assert_eq!(ListQuery::default().slice().unwrap(), Slice { offset: 0, limit: 50 });
        assert_eq!(query("100", "").slice().unwrap(), Slice { offset: 100, limit: 200 });
        assert_eq!(query("100", "xlsx").slice().unwrap(), Slice::WORKBOOK);
        assert_eq!(query("-1", "").slice().unwrap_err().errors()[0].field, "cursor");
        assert_eq!(query("", "pdf").slice().unwrap_err().errors()[0].field, "format");
        let slice = Slice { offset: 50, limit: 50 };
        assert_eq!((slice.next_cursor(100), slice.next_cursor(101).as_deref()), (None, Some("100")));
        let row = Uuid::from_u128(7);
        let next = slice.next_cursor_after(101, Some(row)).unwrap();
        assert_eq!(next, "100.00000000000000000000000000000007");
        assert_eq!((query(&next, "").slice().unwrap().offset, query(&next, "").after()), (100, Some(row)));
        assert_eq!((slice.next_cursor_after(100, Some(row)), query("100", "").after()), (None, None));
        assert_eq!(query("100.x", "").slice().unwrap_err().errors()[0].field, "cursor");
    }

    #[test]
    fn sorting_knows_the_list_s_fields_only() {
        let sort = |text: &str| ListQuery { sort: Some(text.into()), ..ListQuery::default() }.sort(&[("name", 1), ("city", 2)]);
        assert_eq!(sort("").unwrap(), Sort { field: 1, descending: false });
        assert_eq!(sort("-city").unwrap(), Sort { field: 2, descending: true });
        assert!(sort("password_hash").is_err());
    }
}
