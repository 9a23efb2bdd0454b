//! Every column that holds something sealed or wrapped, and sealing it anew.
//!
//! One place reaches into the rooms' tables: whoever changes keys must forget none, and nothing is read but sealed text.

pub mod forgotten;

use super::Rings;
use anyhow::Result;
use atalaya_blobs::BlobError;
use atalaya_db::{Db, DbResult};
use atalaya_kernel::Sources;
use sea_orm::sea_query::{Alias, Expr, ExprTrait, Query};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use uuid::Uuid;

/// Rows of one step, which is a transaction.
const STEP: u64 = 500;

/// A column of sealed texts or wrapped keys; what is in it belongs to `owner:{id}`.
pub struct Place {
    pub table: &'static str,
    pub column: &'static str,
    pub owner: &'static str,
    /// The column with the owner's id.
    id: &'static str,
    /// A column that is true in the rows meant.
    only: Option<&'static str>,
}

const fn place(table: &'static str, column: &'static str, owner: &'static str) -> Place {
    Place { table, column, owner, id: "id", only: None }
}

const SECOND_FACTOR: Place =
    Place { only: Some("two_factor_enabled"), ..place("app_user", "two_factor_secret", "app_user.two_factor") };

/// Under the field key.
pub const FIELDS: [Place; 5] = [
    place("company", "bank_account", "company.iban"),
    SECOND_FACTOR,
    place("webhook", "secret", "webhook.secret"),
    place("push_subscription", "sealed", "push.subscription"),
    place("outbox", "secret", "outbox.secret"),
];

/// Under the master key.
pub const FILES: [Place; 5] = [
    place("conference", "data_key", "conference"),
    place("incidence", "data_key", "incidence"),
    place("stored_document", "data_key", "document"),
    place("mandate", "document_key", "mandate"),
    Place { id: "document_id", ..place("fiscal_request", "document_key", "fiscal") },
];

/// An account under the SEPA secret has another key.
const ELSEWHERE: &str = "secret:";

/// A second factor that is shown and not verified yet belongs to one log-in; one that none opens is worth nothing.
const ENROLMENTS: &str = "SELECT app_user.id AS id, app_user.two_factor_secret AS value, session.session_key AS session_key \
     FROM app_user JOIN session ON session.user_id = app_user.id \
     WHERE app_user.two_factor_secret IS NOT NULL AND NOT app_user.two_factor_enabled";

/// What became of a key's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Under the present key.
    pub fresh: u64,
    /// Under an earlier one, or were.
    pub stale: u64,
    /// Under none that is known.
    pub lost: u64,
}

#[derive(FromQueryResult)]
struct Field {
    id: Uuid,
    value: String,
}

#[derive(FromQueryResult)]
struct Enrolment {
    id: Uuid,
    value: String,
    session_key: String,
}

#[derive(FromQueryResult)]
struct Wrapped {
    id: Uuid,
    value: Vec<u8>,
}

fn rows(place: &Place, after: Uuid) -> sea_orm::sea_query::SelectStatement {
    let column = Expr::col(Alias::new(place.column));
    let id = Expr::col(Alias::new(place.id));
    let mut query = Query::select();
    query
        .expr_as(id.clone(), Alias::new("id"))
        .expr_as(column.clone(), Alias::new("value"))
        .from(Alias::new(place.table))
        .and_where(column.is_not_null())
        .and_where(id.gt(after))
        .order_by(Alias::new(place.id), sea_orm::Order::Asc)
        .limit(STEP);
    if let Some(only) = place.only {
        query.and_where(Expr::col(Alias::new(only)).eq(true));
    }
    query
}

/// Writes a value in the place of another one, and of nothing else that came meanwhile.
fn change<V: Into<Value>>(place: &Place, id: Uuid, old: V, new: V) -> sea_orm::sea_query::UpdateStatement {
    let (old, new): (Value, Value) = (old.into(), new.into());
    Query::update()
        .table(Alias::new(place.table))
        .value(Alias::new(place.column), new)
        .and_where(Expr::col(Alias::new(place.id)).eq(id))
        .and_where(Expr::col(Alias::new(place.column)).eq(old))
        .to_owned()
}

/// Seals anew what an earlier field key sealed; with `dry` it only counts.
pub async fn fields(db: &Db, rings: &Rings, sources: &Sources, dry: bool) -> DbResult<Counted> {
    let mut counted = Counted::default();
    for place in &FIELDS {
        let mut after = Uuid::nil();
        loop {
            let found =
                Field::find_by_statement(db.read().get_database_backend().build(&rows(place, after))).all(db.read()).await?;
            let Some(last) = found.last() else { break };
            after = last.id;
            let mut changes = Vec::new();
            for Field { id, value } in found {
                let context = format!("{}:{id}", place.owner);
                if value.starts_with(ELSEWHERE) {
                    continue;
                }
                match rings.fields.open(&context, &value) {
                    Some(_) if !rings.fields.is_stale(&value) => counted.fresh += 1,
                    Some(text) => {
                        counted.stale += 1;
                        let sealed = rings.fields.seal(sources, &context, &text);
                        changes.push(change(place, id, value, sealed));
                    }
                    None => counted.lost += 1,
                }
            }
            write(db, changes, dry).await?;
        }
    }
    enrolments(db, rings, sources, dry, &mut counted).await?;
    Ok(counted)
}

/// The second factors that are being set up.
async fn enrolments(db: &Db, rings: &Rings, sources: &Sources, dry: bool, counted: &mut Counted) -> DbResult<()> {
    let statement = Statement::from_string(db.read().get_database_backend(), ENROLMENTS);
    let mut changes = Vec::new();
    for Enrolment { id, value, session_key } in Enrolment::find_by_statement(statement).all(db.read()).await? {
        let context = format!("app_user.two_factor.pending:{id}:{session_key}");
        match rings.fields.open(&context, &value) {
            Some(_) if !rings.fields.is_stale(&value) => counted.fresh += 1,
            Some(text) => {
                counted.stale += 1;
                let sealed = rings.fields.seal(sources, &context, &text);
                changes.push(change(&SECOND_FACTOR, id, value, sealed));
            }
            None => {}
        }
    }
    write(db, changes, dry).await
}

/// Wraps anew the keys of files that an earlier master key wrapped; with `dry` it only counts.
///
/// Errors: the database's; a token that does not answer (KEYS-6).
pub async fn files(db: &Db, rings: &Rings, sources: &Sources, dry: bool) -> Result<Counted> {
    let mut counted = Counted::default();
    for place in &FILES {
        let mut after = Uuid::nil();
        loop {
            let found =
                Wrapped::find_by_statement(db.read().get_database_backend().build(&rows(place, after))).all(db.read()).await?;
            let Some(last) = found.last() else { break };
            after = last.id;
            let mut changes = Vec::new();
            for Wrapped { id, value } in found {
                let owner = format!("{}:{id}", place.owner);
                match rings.files.unwrap(&value, &owner).await {
                    Ok(_) if !rings.files.is_stale(&value) => counted.fresh += 1,
                    Ok(key) => {
                        counted.stale += 1;
                        changes.push(change(place, id, value, rings.files.wrap(&key, &owner, sources).await?));
                    }
                    Err(error @ BlobError::TokenUnavailable(_)) => return Err(error.into()),
                    Err(_) => counted.lost += 1,
                }
            }
            write(db, changes, dry).await?;
        }
    }
    Ok(counted)
}

async fn write(db: &Db, changes: Vec<sea_orm::sea_query::UpdateStatement>, dry: bool) -> DbResult<()> {
    if dry || changes.is_empty() {
        return Ok(());
    }
    let tx = db.write().await?;
    for change in changes {
        tx.execute(&change).await?;
    }
    tx.commit().await
}
