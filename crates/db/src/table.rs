//! Tables with an id and plain columns.

/// A module with the entity of a table whose key is `id`.
#[macro_export]
macro_rules! table {
    ($(#[$doc:meta])* $module:ident, $name:literal, { $($field:ident : $ty:ty),+ $(,)? }) => {
        $(#[$doc])*
        pub mod $module {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = $name)]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub id: Uuid,
                $(pub $field: $ty,)+
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}
            impl ActiveModelBehavior for ActiveModel {}
        }
    };
}
