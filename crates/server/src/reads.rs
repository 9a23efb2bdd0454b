//! What the platform's people read of a company's personal data is in that company's log (AUDIT-10).
//!
//! One table names the calls that answer personal data and whose it is; a test holds it against the description of the API, so
//! that a new call is either in it or said to answer nothing personal.

mod table;

use atalaya_assistance::media_items;
use atalaya_billing::{Billing, invoices};
use atalaya_cases::conferences::{self, Scope};
use atalaya_identity::audit::service::{Read, company_of, note_read};
use atalaya_identity::{IdentityError, Origin};
use atalaya_kernel::{CompanyId, ConferenceId, IncidenceId, InvoiceId, Role, UserId};
use atalaya_records::{Records, incidences};
use atalaya_rest::{Caller, Problem};
use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use table::{READS, Row, Whose};

/// What finds out whose the data is. Cheap to clone.
#[derive(Clone)]
pub struct Owners {
    pub records: Records,
    pub billing: Billing,
}

/// Whose data it was, and which.
#[derive(Debug, Default)]
struct Found {
    /// `None`: of many companies, or of none that is known here.
    company: Option<CompanyId>,
    user: Option<UserId>,
    object: String,
}

/// Middleware, inside of the one that finds the caller. Who reads what is written down before the answer goes out.
pub async fn note(State(owners): State<Owners>, mut request: Request, next: Next) -> Response {
    let Some((caller, row)) = wanted(&request) else { return next.run(request).await };
    let params = request.extract_parts::<RawPathParams>().await.ok();
    let Ok(origin) = request.extract_parts::<Origin>().await;
    let uri = request.uri().clone();
    let param = |name: &str| params.iter().flatten().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned());
    let (named, whose) = match row.whose {
        Whose::Path(name, kind) => (param(name), kind),
        Whose::Query(name) => (of_query(&uri, name), table::Kind::Company),
        Whose::Many => (None, table::Kind::Other),
    };
    // Before the answer: reading it may be what deletes the way to its owner.
    let found = owners.find(&caller, whose, named.as_deref().unwrap_or_default()).await;
    let response = next.run(request).await;
    if !response.status().is_success() {
        return response;
    }
    let noted = match found {
        Ok(found) if found.company == Some(caller.company) => Ok(()),
        Ok(found) => {
            let company = found.company.unwrap_or(caller.company);
            let read = Read { company, user: found.user, what: row.what, object: &found.object };
            note_read(&owners.records.identity, &caller, &origin, read).await.map_err(Problem::from)
        }
        Err(problem) => Err(problem),
    };
    match noted {
        Ok(()) => response,
        // What cannot be written down is not shown.
        Err(problem) => problem.into_response(),
    }
}

/// The caller of the platform and the row of the table, when both are there.
fn wanted(request: &Request) -> Option<(Caller, &'static Row)> {
    let caller = *request.extensions().get::<Caller>()?;
    if !matches!(caller.role, Role::Admin | Role::PasswordOperator) {
        return None;
    }
    let path = request.extensions().get::<MatchedPath>()?.as_str();
    let row = READS.iter().find(|row| row.path == path && row.method == request.method().as_str())?;
    Some((caller, row))
}

fn of_query(uri: &Uri, name: &str) -> Option<String> {
    let query: axum::extract::Query<std::collections::HashMap<String, String>> = axum::extract::Query::try_from_uri(uri).ok()?;
    query.get(name).cloned()
}

impl Owners {
    /// Whose `named` is. What does not exist has no owner, and the call answers so itself.
    async fn find(&self, caller: &Caller, kind: table::Kind, named: &str) -> Result<Found, Problem> {
        use table::Kind;
        let object = named.to_owned();
        let cases = &self.records;
        Ok(match kind {
            Kind::Company => Found { company: named.parse().ok(), ..Found::default() },
            Kind::User => {
                let user = named.parse::<UserId>().ok();
                let company = match user {
                    Some(id) => company_of(&cases.identity, id).await?,
                    None => None,
                };
                Found { company, user: user.filter(|_| company.is_some()), object }
            }
            Kind::Conference => self.conference(named).await?,
            // Of a hundred pictures of a case one entry an hour tells enough.
            Kind::File => {
                if let Some(id) = named.strip_suffix(".zip") {
                    return self.conference(id).await;
                }
                let found =
                    media_items::find_by_filename(cases.db.read(), Scope::All, named).await.map_err(IdentityError::from)?;
                let row = found.map(|(_, row)| row);
                let object = row.as_ref().map(|row| row.id.to_string()).unwrap_or(object);
                Found { company: row.map(|row| row.company_id.into()), object, ..Found::default() }
            }
            Kind::Incidence => {
                let row = match named.parse::<IncidenceId>() {
                    Ok(id) => incidences::get(cases.db.read(), incidences::Scope::of(caller), id).await.ok(),
                    Err(_) => None,
                };
                Found { company: row.map(|row| row.company_id.into()), object, ..Found::default() }
            }
            Kind::Invoice => {
                let invoice = match named.parse::<InvoiceId>() {
                    Ok(id) => invoices::service::get(&self.billing, id).await.ok(),
                    Err(_) => None,
                };
                Found { company: invoice.map(|invoice| invoice.customer), object, ..Found::default() }
            }
            Kind::Other => Found { object, company: None, user: None },
        })
    }

    async fn conference(&self, named: &str) -> Result<Found, Problem> {
        let row = match named.parse::<ConferenceId>() {
            Ok(id) => conferences::find(self.records.db.read(), Scope::All, id).await.map_err(IdentityError::from)?,
            Err(_) => None,
        };
        Ok(Found { company: row.map(|row| row.company_id.into()), object: named.to_owned(), user: None })
    }
}
