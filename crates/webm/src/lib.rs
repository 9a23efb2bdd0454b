//! webm
