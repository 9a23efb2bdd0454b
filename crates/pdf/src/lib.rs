//! Documents as PDF: values in, bytes out. No database, no clock, no network (`docs/rules/pdf.md`).
//!
//! Called by the rooms that hand out documents. *Invariant:* the same values always give the same bytes (DOC-1).

mod document;
mod letters;
mod marker;
mod photo;
mod render;
mod sheet;

pub use document::{Block, Cell, Column, Document, Fact, Section, Words};
pub use marker::{MarkerSheet, render_marker};
pub use photo::{PhotoReport, Picture, render_photo_report};
pub use render::{PdfError, render};
pub use sheet::{
    Detail, DetailColumn, InvoiceSheet, Labelled, MandateSheet, SheetLine, SheetPayment, Who, render_invoice, render_mandate,
};
