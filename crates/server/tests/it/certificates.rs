//! Certificates and verification, through the real router.
