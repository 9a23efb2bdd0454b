//! Lists of a company's accounts.

use super::users::to_user;
use crate::IdentityResult;
use crate::directory::entity::user::{Column, Entity, Model};
use crate::directory::user::User;
use atalaya_db::{Db, DbError, Reads};
use atalaya_kernel::{CompanyId, Status, collate};
use atalaya_rest::page::{Slice, Sort};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{LikeExpr, NullOrdering};
use sea_orm::{ColumnTrait, Condition, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect};

/// A user as lists show it.
pub(crate) struct ListedUser {
    pub user: User,
    pub created_at: DateTime<Utc>,
    pub last_login: Option<DateTime<Utc>>,
}

/// What a list of users may be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UserSort {
    Name,
    UserName,
    Status,
    Role,
    LastLogin,
    CreatedAt,
}

/// Wire names; the first is the default.
pub(crate) const USER_SORT_FIELDS: &[(&str, UserSort)] = &[
    ("name", UserSort::Name),
    ("userName", UserSort::UserName),
    ("status", UserSort::Status),
    ("role", UserSort::Role),
    ("lastLogin", UserSort::LastLogin),
    ("createdAt", UserSort::CreatedAt),
];

/// Which users of a company.
pub(crate) struct UserFilter {
    pub company: CompanyId,
    pub search: String,
    pub status: Option<Status>,
}

/// A part of a company's users and how many there are in all.
pub(crate) async fn list_users(
    db: &Db,
    filter: &UserFilter,
    sort: Sort<UserSort>,
    slice: Slice,
) -> IdentityResult<(Vec<ListedUser>, u64)> {
    let mut query = Entity::find().filter(Column::Parent.eq(filter.company.0)).filter(matching(&filter.search));
    if let Some(status) = filter.status {
        query = query.filter(Column::Status.eq(i16::from(status)));
    }
    let total = query.clone().number(db.read()).await.map_err(DbError::from)?;
    let column = match sort.field {
        UserSort::Name => Column::SortKey,
        UserSort::UserName => Column::UserName,
        UserSort::Status => Column::Status,
        UserSort::Role => Column::Role,
        UserSort::LastLogin => Column::LastLoginAt,
        UserSort::CreatedAt => Column::CreatedAt,
    };
    let order = if sort.descending { Order::Desc } else { Order::Asc };
    let rows = query
        .order_by_with_nulls(column, order, NullOrdering::Last)
        .order_by_asc(Column::SortKey)
        .order_by_asc(Column::Id)
        .offset(slice.offset)
        .limit(slice.limit)
        .rows(db.read())
        .await
        .map_err(DbError::from)?;
    let listed = |row: Model| {
        let (created_at, last_login) = (row.created_at, row.last_login_at);
        Ok(ListedUser { user: to_user(row)?, created_at, last_login })
    };
    Ok((rows.into_iter().map(listed).collect::<IdentityResult<_>>()?, total))
}

/// Every word occurs somewhere in name, surname, user name, e-mail or phone.
fn matching(search: &str) -> Condition {
    let folded = collate::fold(search);
    let words = folded.split(' ').filter(|word| !word.is_empty());
    words.fold(Condition::all(), |all, word| {
        let pattern = format!("%{}%", word.replace('_', "\\_"));
        all.add(Column::Search.like(LikeExpr::new(pattern).escape('\\')))
    })
}
