//! assistance
