//! The `app_user` table.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "app_user")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub role: i16,
    pub status: i16,
    /// The company.
    pub parent: Uuid,
    pub support: bool,
    pub legal: bool,
    pub two_factor_enabled: bool,
    pub name: String,
    pub surname: String,
    pub user_name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub password_hash: Option<String>,
    /// Sealed; for one session only while it is not verified (see `second_factor`).
    pub two_factor_secret: Option<String>,
    /// The last step whose code was accepted: a code serves once.
    pub two_factor_step: Option<i64>,
    pub password_changed_at: Option<DateTimeUtc>,
    pub language: String,
    pub created_at: DateTimeUtc,
    pub last_login_at: Option<DateTimeUtc>,
    /// What lists are searched in; see `kernel::collate`.
    pub search: String,
    /// Surname and name, as lists are ordered.
    pub sort_key: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "crate::companies::entity::Entity",
        from = "Column::Parent",
        to = "crate::companies::entity::Column::Id"
    )]
    Company,
}

impl Related<crate::companies::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Company.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
