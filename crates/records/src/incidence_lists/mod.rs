//! Lists of incidences: narrowing, pages, the workbook (INCID-17, INCID-23).
//!
//! Called by the page `/incidences/{id}`. *Invariant:* what a caller may see is `incidences`' scope; a workbook has every row of the
//! filter.

pub mod http;
