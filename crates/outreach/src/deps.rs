//! The dependencies of this context, built once by the server.

use crate::marketing;
use crate::push::{OpenRequests, PushGateway};
use atalaya_content::Content;
use atalaya_db::Db;
use atalaya_identity::Identity;
use atalaya_jobs::Jobs;
use atalaya_kernel::Sources;
use atalaya_kernel::live::Announcer;
use std::ops::Deref;
use std::sync::Arc;

/// The parts from which [`Outreach`] is built.
#[derive(Clone)]
pub struct Parts {
    pub db: Db,
    pub sources: Sources,
    pub identity: Identity,
    pub content: Content,
    pub jobs: Jobs,
    /// Notifies open screens.
    pub announcer: Announcer,
    pub marketing: marketing::Settings,
    /// Sends to devices.
    pub push_gateway: PushGateway,
    /// The starters who wait for a customer.
    pub open_requests: Arc<dyn OpenRequests>,
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Outreach(Arc<Parts>);

impl Outreach {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// The same context with other sources and without open screens: for example data in the past.
    pub fn unwatched(&self, sources: Sources) -> Self {
        Self::new(Parts {
            db: self.db.clone(),
            identity: self.identity.clone(),
            content: self.content.clone(),
            jobs: self.jobs.clone(),
            announcer: Announcer::silent(),
            marketing: self.marketing.clone(),
            push_gateway: self.push_gateway.clone(),
            open_requests: self.open_requests.clone(),
            sources,
        })
    }
}

impl Deref for Outreach {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
