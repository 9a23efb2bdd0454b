//! The table of buyer codes.

use atalaya_db::table;

table!(
    /// Of the company with this id.
    buyer_codes, "buyer_codes", {
        reference: Option<String>, accounting: Option<String>, managing: Option<String>, processing: Option<String>, updated_at: DateTimeUtc,
    }
);
