//! Queries on the tables `company` and `app_user`.

pub(super) mod addresses;
pub(super) mod companies;
pub(super) mod company_lists;
pub(super) mod conditions;
pub(crate) mod customers;
pub(super) mod sms;
pub(super) mod two_factor;
pub(super) mod user_lists;
pub(super) mod users;

/// Ids of one statement at most: databases limit the number of parameters.
const BATCH: usize = 500;
