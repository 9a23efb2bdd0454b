//! The e-mail addresses of active accounts, for advertising: only as conditions of other rooms' queries and as counts, so
//! that fifty thousand of them lie in no memory.

use crate::directory::entity::user::{Column, Entity};
use atalaya_db::DbResult;
use atalaya_kernel::{Language, Role, Status};
use sea_orm::sea_query::{Expr, Func, SelectStatement, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait, Select,
};

/// Whose addresses: active accounts of these roles, of one language when it is named.
#[derive(Clone, Debug)]
pub struct AddressesOf {
    pub roles: Vec<Role>,
    pub language: Option<Language>,
}

/// Addresses are compared in lower case: the same mailbox typed twice is one.
fn address() -> SimpleExpr {
    Expr::expr(Func::lower(Expr::col((Entity, Column::Email))))
}

impl AddressesOf {
    fn accounts(&self) -> Select<Entity> {
        let mut of = Condition::all()
            .add(Column::Role.is_in(self.roles.iter().map(|role| i16::from(*role))))
            .add(Column::Status.eq(i16::from(Status::Active)));
        if let Some(language) = self.language {
            of = of.add(Column::Language.eq(language.code()));
        }
        Entity::find().filter(of)
    }

    /// The addresses in lower case, each once, as a query for other rooms' conditions.
    pub fn query(&self) -> SelectStatement {
        self.distinct().into_query()
    }

    fn distinct(&self) -> Select<Entity> {
        let some = Condition::all().add(Column::Email.is_not_null()).add(Column::Email.ne(""));
        self.accounts().filter(some).select_only().expr_as(address(), "address").distinct()
    }

    /// How many different addresses there are.
    pub async fn count(&self, on: &impl ConnectionTrait) -> DbResult<u64> {
        Ok(self.distinct().count(on).await?)
    }

    /// How many of the accounts have no address.
    pub async fn count_without(&self, on: &impl ConnectionTrait) -> DbResult<u64> {
        let none = Condition::any().add(Column::Email.is_null()).add(Column::Email.eq(""));
        Ok(self.accounts().filter(none).count(on).await?)
    }
}
