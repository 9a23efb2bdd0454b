//! Ranges, funnel, expedients, shot lists, through the real router.

mod shots;
