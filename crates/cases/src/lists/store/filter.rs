//! Which conferences a list shows, as conditions that name the index to be used.

use crate::casebook::{Column, ConferenceType, Scope, Table};
use crate::evidence;
use crate::lists::model::{ListState, Range};
use atalaya_kernel::{CompanyId, Role, UserId, collate};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, JoinType, LikeExpr, Query, SelectStatement};
use sea_orm::{ColumnTrait, Condition, DbBackend, EntityTrait, QueryFilter, Select};
use uuid::Uuid;

/// Letters that a word needs to be looked up: entries of the index are three letters long.
const INDEXED_LETTERS: usize = 3;
/// Words of a search that count; the rest is ignored.
const WORDS: usize = 12;
/// The index of words on SQLite, and what stands beside each of its rows.
const SEARCH: &str = "conference_search";
pub const ENTRY: &str = "conference_entry";

/// Which conferences.
pub struct Filter {
    pub scope: Scope,
    /// Whose list it is: a caller cannot search by what the list does not show them.
    pub role: Role,
    /// `None`: of every company, for administrators.
    pub company: Option<CompanyId>,
    /// `None`: of both types.
    pub conference_type: Option<ConferenceType>,
    /// `None`: of all days.
    pub range: Option<Range>,
    /// Only those that this user opened.
    pub user: Option<UserId>,
    /// Only those in this state at that moment.
    pub state: Option<(ListState, DateTime<Utc>)>,
    /// Only these, within everything else.
    pub ids: Option<Vec<Uuid>>,
    pub search: String,
}

/// How a condition takes part: it picks rows from an index, or is asked of each row that another index yields. SQLite, which
/// keeps no statistics here, is told by a plus sign before the column; PostgreSQL decides for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Index,
    Rows,
    /// The condition is left out because it holds for every row.
    Nothing,
}

/// How the days and the words of a filter take part.
#[derive(Clone, Copy, Debug)]
pub struct Uses {
    pub days: Use,
    pub words: Use,
}

impl Uses {
    /// Everything by its index.
    pub const INDEXED: Self = Self { days: Use::Index, words: Use::Index };
}

/// What a list can be narrowed to (CASE-26).
fn in_state(state: ListState, now: DateTime<Utc>) -> Condition {
    let over = || Condition::any().add(Column::Closed.eq(true)).add(Column::ExpiredAt.lte(now));
    match state {
        ListState::New => {
            Condition::all().add(Expr::exists(evidence::media_unseen((Table, Column::Id), (Table, Column::MediaSeenAt))))
        }
        ListState::Pending => Condition::all().add(over().not()),
        ListState::NotConnected => Condition::all().add(Column::Sid.is_null()).add(over()),
        ListState::Expired => Condition::all().add(Column::Sid.is_null()).add(ended_by_link(now)),
    }
}

/// Over because of the link and nobody's doing. It is closed soon after its end (CASE-14), or not yet.
fn ended_by_link(now: DateTime<Utc>) -> Condition {
    let swept = Expr::col(Column::ClosedAt).gte(Expr::col(Column::ExpiredAt));
    Condition::any()
        .add(Condition::all().add(Column::Closed.eq(false)).add(Column::ExpiredAt.lte(now)))
        .add(Condition::all().add(Column::Closed.eq(true)).add(swept))
}

/// A column whose condition is asked of each row.
fn of_each_row(backend: DbBackend, column: Column, name: &str) -> Expr {
    match backend {
        DbBackend::Sqlite => Expr::cust(format!("+\"conference\".\"{name}\"")),
        _ => Expr::col((Table, column)),
    }
}

impl Filter {
    /// Words to search by, as `search` columns hold them.
    pub fn words(&self) -> Vec<String> {
        let folded = collate::fold(&self.search);
        folded.split(' ').filter(|word| !word.is_empty()).take(WORDS).map(str::to_owned).collect()
    }

    /// Whether only one person's conferences are asked for.
    fn is_of_a_user(&self) -> bool {
        self.user.is_some() || matches!(self.scope, Scope::Own(..))
    }

    /// Whether it asks for nothing but company, user, type and days.
    fn is_plain(&self) -> bool {
        let starters = matches!(self.scope, Scope::StartedBy(_) | Scope::Started(..));
        self.state.is_none() && self.ids.is_none() && !starters
    }

    /// Under which id the conferences of this filter are counted per day, its search aside; the nil one stands for all
    /// companies. `None` when no count says how many there are.
    pub fn tallied(&self) -> Option<Uuid> {
        if !self.is_plain() || self.is_of_a_user() {
            return None;
        }
        match (self.scope, self.company) {
            (Scope::All, None) => Some(Uuid::nil()),
            (Scope::All, Some(company)) | (Scope::Company(company), None) => Some(company.0),
            (Scope::Company(own), Some(company)) if own == company => Some(own.0),
            _ => None,
        }
    }

    /// The conferences of this filter.
    pub fn select(&self, backend: DbBackend, uses: Uses) -> Select<Table> {
        let mut query = Table::find().filter(self.owners(backend));
        if let Some(conference_type) = self.conference_type {
            query = query.filter(Column::ConferenceType.eq(i16::from(conference_type)));
        }
        if let Some(range) = self.range {
            query = match uses.days {
                Use::Index => query.filter(Column::CreatedAt.gte(range.from)).filter(Column::CreatedAt.lt(range.until)),
                Use::Rows => {
                    let at = || of_each_row(backend, Column::CreatedAt, "created_at");
                    query.filter(at().gte(range.from)).filter(at().lt(range.until))
                }
                Use::Nothing => query,
            };
        }
        if let Some((state, now)) = self.state {
            query = query.filter(in_state(state, now));
        }
        if let Some(ids) = &self.ids {
            query = query.filter(Column::Id.is_in(ids.iter().copied()));
        }
        query.filter(self.searched(backend, uses.words))
    }

    /// Of whom. One person's are found by that person, whatever their company is.
    fn owners(&self, backend: DbBackend) -> Condition {
        let of_company = |company: CompanyId| match self.is_of_a_user() {
            true => of_each_row(backend, Column::CompanyId, "company_id").eq(company.0),
            false => Column::CompanyId.eq(company.0),
        };
        let scope = match self.scope {
            Scope::Own(user, company) => Condition::all().add(of_company(company)).add(Column::UserId.eq(user.0)),
            Scope::Company(company) => Condition::all().add(of_company(company)),
            other => other.condition(),
        };
        scope.add_option(self.company.map(of_company)).add_option(self.user.map(|user| Column::UserId.eq(user.0)))
    }

    fn searched(&self, backend: DbBackend, uses: Use) -> Condition {
        let words = self.words();
        let (column, is_indexed) = match self.role.is_repair_side() {
            true => (Column::StarterSearch, false),
            false => (Column::Search, backend == DbBackend::Sqlite && uses == Use::Index),
        };
        let (looked_up, compared): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| is_indexed && word.chars().count() >= INDEXED_LETTERS);
        let mut all = Condition::all();
        if !looked_up.is_empty() {
            let mut found = with_entries(&looked_up);
            all = all.add(Column::Id.in_subquery(found.column((ENTRY, "conference_id")).take()));
        }
        for word in compared {
            all = all.add(column.like(pattern(backend, word)));
        }
        all
    }

    /// The same conferences by the index of words alone, on SQLite: words joined with the entries, which hold what a
    /// search is narrowed by. `None` when that is not enough for this filter.
    pub fn entries(&self, backend: DbBackend) -> Option<SelectStatement> {
        let words = self.words();
        let looked_up = words.iter().all(|word| word.chars().count() >= INDEXED_LETTERS) && !words.is_empty();
        if backend != DbBackend::Sqlite || !looked_up || !self.is_plain() || self.role.is_repair_side() {
            return None;
        }
        let of = |name: &'static str| Expr::col((ENTRY, name));
        let mut narrow = Condition::all()
            .add_option(self.company.map(|company| of("company_id").eq(company.0)))
            .add_option(self.user.map(|user| of("user_id").eq(user.0)))
            .add_option(self.conference_type.map(|one| of("conference_type").eq(i16::from(one))));
        match self.scope {
            Scope::Company(company) => narrow = narrow.add(of("company_id").eq(company.0)),
            Scope::Own(user, company) => narrow = narrow.add(of("company_id").eq(company.0)).add(of("user_id").eq(user.0)),
            _ => {}
        }
        if let Some(range) = self.range {
            narrow = narrow.add(of("created_at").gte(range.from)).add(of("created_at").lt(range.until));
        }
        Some(with_entries(&words.iter().collect::<Vec<_>>()).cond_where(narrow).take())
    }
}

/// The entries whose texts hold every word. A word in quotes is looked for as it is written. A cross join is read in the
/// order in which it is written.
fn with_entries(words: &[&String]) -> SelectStatement {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let same = Expr::col((ENTRY, "nr")).equals((SEARCH, "rowid"));
    Query::select()
        .from(SEARCH)
        .join(JoinType::CrossJoin, ENTRY, same.clone())
        // The builder writes no condition behind a cross join.
        .and_where(same)
        .and_where(Expr::cust_with_values("\"conference_search\" MATCH ?", [words.join(" ")]))
        .take()
}

/// A word anywhere in a text. Of the signs of a pattern, `collate::fold` leaves the underscore.
fn pattern(backend: DbBackend, word: &str) -> LikeExpr {
    let pattern = LikeExpr::new(format!("%{}%", word.replace('_', "\\_")));
    // What PostgreSQL assumes anyway; said aloud it would keep its index from being used.
    if backend == DbBackend::Sqlite { pattern.escape('\\') } else { pattern }
}
