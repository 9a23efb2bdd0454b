//! Documents as PDF: values in, bytes out. No database, no clock, no network.
//!
//! Called by the rooms that hand out documents. *Invariant:* the same values give the same bytes, for ever.
