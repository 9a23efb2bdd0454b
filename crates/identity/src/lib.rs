//! identity
