//! sfu
