//! A place that a room fills once when the server is built, so that a room below it can call it.

use std::sync::{Arc, OnceLock};

/// The place. Cheap to clone; every clone sees what was put into it.
pub struct Hook<T: ?Sized>(Arc<OnceLock<Arc<T>>>);

impl<T: ?Sized> Hook<T> {
    /// Fills it; the first one stays.
    pub fn set(&self, with: Arc<T>) {
        // Only the first counts, whoever comes later.
        let _ = self.0.set(with);
    }

    /// What fills it; `None` before anything does.
    pub fn get(&self) -> Option<&Arc<T>> {
        self.0.get()
    }
}

impl<T: ?Sized> Clone for Hook<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Default for Hook<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}
