//! A test app that is pleasant: the real router on a fresh database of either engine, with a clock that tests move.
//!
//! Imported by tests only. *Invariant:* nothing is mocked but time and chance; e-mails and SMS end in the
//! outbox, where tests read them.

pub mod app;
pub mod bulk;
pub mod client;
pub mod databases;
pub mod people;
pub mod socket;

pub use app::TestApp;
pub use atalaya_db::Engine;
pub use client::{Answer, Client};
pub use people::{PASSWORD, Person};
pub use socket::SocketClient;

/// Writes one API test for both engines: `both_engines! { async fn name(app) { … } }`.
///
/// `app` is a `&TestApp`. The PostgreSQL half says so and passes when no server is named (`make test` names one).
#[macro_export]
macro_rules! both_engines {
    ($($(#[$doc:meta])* async fn $name:ident($app:ident) $body:block)+) => {$(
        $(#[$doc])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn body_of_test($app: &$crate::TestApp) $body

            #[tokio::test]
            async fn sqlite() {
                let app = $crate::TestApp::on($crate::Engine::Sqlite).await.expect("SQLite needs nothing");
                body_of_test(&app).await;
                app.close().await;
            }

            #[tokio::test]
            async fn postgres() {
                match $crate::TestApp::on($crate::Engine::Postgres).await {
                    Some(app) => {
                        body_of_test(&app).await;
                        app.close().await;
                    }
                    None => eprintln!("{}", $crate::databases::NO_POSTGRES),
                }
            }
        }
    )+};
}
