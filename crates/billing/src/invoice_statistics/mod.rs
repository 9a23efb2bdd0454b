//! What was invoiced month by month, what runs, what is charged next and what came back.

pub(crate) mod http;
