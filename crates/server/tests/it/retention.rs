//! Retention, erasure, export, labels of media, through the real router.
