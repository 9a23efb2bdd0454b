//! The columns of a user about the second factor.

use crate::directory::entity::user::{ActiveModel, Column, Entity};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::UserId;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

/// What is stored of a second factor.
pub(crate) struct TwoFactor {
    /// Sealed.
    pub secret: Option<String>,
    /// The secret was verified; the log-in asks for codes.
    pub enabled: bool,
}

pub(crate) async fn find_two_factor(db: &impl ConnectionTrait, user: UserId) -> DbResult<Option<TwoFactor>> {
    let row = Entity::find_by_id(user.0).row(db).await?;
    Ok(row.map(|row| TwoFactor { secret: row.two_factor_secret, enabled: row.two_factor_enabled }))
}

/// Sets or clears the secret; the last accepted step is reset.
pub(crate) async fn set_two_factor(tx: &Tx, user: UserId, secret: Option<String>, enabled: bool) -> DbResult<()> {
    tx.changed("app_user", user);
    let row = ActiveModel {
        id: Set(user.0),
        two_factor_secret: Set(secret),
        two_factor_enabled: Set(enabled),
        two_factor_step: Set(None),
        ..Default::default()
    };
    Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// Accepts the code of a step if none of this or a later one was accepted; of many at once exactly one succeeds.
pub(crate) async fn spend_two_factor_step(tx: &Tx, user: UserId, step: i64) -> DbResult<bool> {
    tx.changed("app_user", user);
    let earlier = Column::TwoFactorStep.is_null().or(Column::TwoFactorStep.lt(step));
    let done = Entity::update_many()
        .col_expr(Column::TwoFactorStep, Expr::value(step))
        .filter(Column::Id.eq(user.0))
        .filter(earlier)
        .exec(&**tx);
    Ok(done.await?.rows_affected == 1)
}
