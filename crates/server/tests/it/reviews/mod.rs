//! Ranges, funnel, expedients, shot lists, through the real router.

mod details;
mod expedients;
mod reports;
mod shots;
mod usable;
