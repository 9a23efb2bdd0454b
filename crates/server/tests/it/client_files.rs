//! Requests for files and the client's uploads, through the real router.
