//! Pages of lists that can grow (DESIGN §2: nothing is unbounded).

use serde::Deserialize;

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
    fn limits_stay_within_bounds() {
        let limit = |limit| PageQuery { limit, cursor: None }.limit();
        assert_eq!([limit(None), limit(Some(0)), limit(Some(7)), limit(Some(9999))], [50, 1, 7, 200]);
        assert_eq!(cut(vec![1, 2, 3], 2), (vec![1, 2], true));
        assert_eq!(cut(vec![1, 2], 2), (vec![1, 2], false));
    }
}
