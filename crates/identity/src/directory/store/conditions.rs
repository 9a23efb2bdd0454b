//! Conditions for other rooms' queries: ids of accounts, as subqueries.

use crate::directory::entity::{company, user};
use atalaya_kernel::{CompanyId, Role, Status};
use sea_orm::sea_query::{Expr, ExprTrait, IntoColumnRef, Query, SelectStatement};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait};

/// The accounts of a company.
pub(crate) fn users_of(company: CompanyId) -> SelectStatement {
    user::Entity::find().select_only().column(user::Column::Id).filter(user::Column::Parent.eq(company.0)).into_query()
}

fn numbers(admits: fn(Status) -> bool) -> impl Iterator<Item = i16> {
    Status::ALL.into_iter().filter(move |status| admits(*status)).map(i16::from)
}

/// The accounts whose own status allows a log-in, of one company and of these roles where they are named.
pub(crate) fn users_that_may_log_in(company: Option<CompanyId>, roles: Option<&[Role]>) -> SelectStatement {
    let mut query = user::Entity::find()
        .select_only()
        .column(user::Column::Id)
        .filter(user::Column::Status.is_in(numbers(Status::user_may_log_in)));
    if let Some(company) = company {
        query = query.filter(user::Column::Parent.eq(company.0));
    }
    if let Some(roles) = roles {
        query = query.filter(user::Column::Role.is_in(roles.iter().map(|role| i16::from(*role))));
    }
    query.into_query()
}

/// The accounts that may log in, of the company that a column of the query around it names.
pub(crate) fn users_admitted_by_company(column: impl IntoColumnRef) -> SelectStatement {
    let admitting = Query::select()
        .column(company::Column::Id)
        .from(company::Entity)
        .and_where(company::Column::Status.is_in(numbers(Status::company_admits_log_in)))
        .take();
    let mut query = users_that_may_log_in(None, None);
    query.and_where(Expr::col((user::Entity, user::Column::Parent)).eq(Expr::col(column)));
    query.and_where(user::Column::Parent.in_subquery(admitting));
    query
}
