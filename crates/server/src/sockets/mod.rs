//! Socket.IO at its default path: what open screens are told (SPEC §7 Sockets, DESIGN §6).

use atalaya_db::Db;
use atalaya_kernel::live::Announcer;

/// The sockets of this node.
#[derive(Clone)]
pub struct Sockets {
    announcer: Announcer,
}

impl Sockets {
    pub fn new(_: &Db) -> Self {
        Self { announcer: Announcer::silent() }
    }

    /// What the rooms tell through.
    pub fn announcer(&self) -> Announcer {
        self.announcer.clone()
    }
}
