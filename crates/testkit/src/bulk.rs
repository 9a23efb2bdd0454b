//! Thousands of calls and readers at once, as they lie in the tables after they happened.

use atalaya_db::{Db, Tx};
use atalaya_kernel::{CompanyId, Role, Sources, Status, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, Query, SimpleExpr};
use sea_orm::{ConnectionTrait, Statement};
use uuid::Uuid;

/// A call between its operator and a client, with guests who came a second later and stayed so many.
#[derive(Clone, Debug)]
pub struct BulkCall {
    pub company: CompanyId,
    pub user: UserId,
    pub expedient: String,
    pub start: DateTime<Utc>,
    pub seconds: i64,
    pub guests: Vec<i64>,
}

/// Rows of one statement: databases take a limited number of parameters.
const AT_ONCE: usize = 250;

/// Writes conferences and stays. Answers the conferences' ids, in the order of the calls.
pub async fn calls(db: &Db, sources: &Sources, calls: &[BulkCall]) -> Vec<Uuid> {
    let mut ids = Vec::with_capacity(calls.len());
    let tx = db.write().await.expect("a transaction");
    for part in calls.chunks(AT_ONCE) {
        let some: Vec<Uuid> = part.iter().map(|_| sources.uuid()).collect();
        insert_conferences(&tx, part, &some).await;
        insert_stays(&tx, sources, part, &some).await;
        ids.extend(some);
    }
    tx.commit().await.expect("committed");
    ids
}

async fn insert_conferences(tx: &Tx, calls: &[BulkCall], ids: &[Uuid]) {
    let mut query = Query::insert();
    query.into_table("conference").columns([
        "id",
        "company_id",
        "user_id",
        "conference_type",
        "expedient_number",
        "expedient_key",
        "phone_number",
        "app_type",
        "language",
        "customer_name",
        "user_name",
        "hash",
        "short_code",
        "closed",
        "files_requested",
        "created_at",
        "closed_at",
        "expired_at",
        "last_seq",
        "chain_head",
        "projection",
        "search",
        "stage",
    ]);
    for (call, id) in calls.iter().zip(ids) {
        let key: String = call.expedient.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect();
        let end = call.start + TimeDelta::seconds(call.seconds);
        let values: Vec<SimpleExpr> = vec![
            Expr::val(*id),
            Expr::val(call.company.0),
            Expr::val(call.user.0),
            Expr::val(2_i16),
            Expr::val(call.expedient.clone()),
            Expr::val(key),
            Expr::val("+34600123456"),
            Expr::val("web"),
            Expr::val("es"),
            Expr::val("Cliente"),
            Expr::val("Nombre Apellido"),
            Expr::val(id.simple().to_string()),
            Expr::val(id.simple().to_string()),
            Expr::val(true),
            Expr::val(false),
            Expr::val(call.start),
            Expr::val(Some(end)),
            Expr::val(end + TimeDelta::days(1)),
            Expr::val(0_i32),
            Expr::val("0".repeat(64)),
            Expr::val(serde_json::json!({})),
            Expr::val(""),
            Expr::val(3_i16),
        ];
        query.values_panic(values);
    }
    tx.execute(&query).await.expect("the conferences are written");
}

async fn insert_stays(tx: &Tx, sources: &Sources, calls: &[BulkCall], ids: &[Uuid]) {
    let mut query = Query::insert();
    query.into_table("participation").columns([
        "id",
        "conference_id",
        "identity",
        "name",
        "kind",
        "participant_sid",
        "joined_at",
        "left_at",
    ]);
    for (call, id) in calls.iter().zip(ids) {
        let staff = (format!("user:{}", call.user), "staff", 0, call.seconds);
        let client = ("client:00000001".to_owned(), "client", 0, call.seconds);
        let guests = (2..).zip(&call.guests).map(|(nth, seconds)| (format!("client:{nth:08}"), "client", 1, *seconds));
        for (identity, kind, later, seconds) in [staff, client].into_iter().chain(guests) {
            let values: Vec<SimpleExpr> = vec![
                Expr::val(sources.uuid()),
                Expr::val(*id),
                Expr::val(identity),
                Expr::val("Nombre"),
                Expr::val(kind),
                Expr::val(sources.base62(8)),
                Expr::val(call.start + TimeDelta::seconds(later)),
                Expr::val(Some(call.start + TimeDelta::seconds(later + seconds))),
            ];
            query.values_panic(values);
        }
    }
    tx.execute(&query).await.expect("the stays are written");
}

/// As many users who said yes to advertising.
pub async fn readers(db: &Db, sources: &Sources, company: CompanyId, many: usize) {
    let now = sources.now();
    let tx = db.write().await.expect("a transaction");
    for part in (0..many).collect::<Vec<_>>().chunks(AT_ONCE) {
        let mut query = Query::insert();
        query.into_table("app_user").columns([
            "id",
            "role",
            "status",
            "parent",
            "support",
            "legal",
            "two_factor_enabled",
            "name",
            "surname",
            "user_name",
            "email",
            "language",
            "created_at",
        ]);
        for nth in part {
            let address = format!("lector{nth}@ejemplo.es");
            let row: [SimpleExpr; 13] = [
                Expr::value(sources.uuid()),
                Expr::value(i16::from(Role::Worker)),
                Expr::value(i16::from(Status::Active)),
                Expr::value(company.0),
                Expr::value(false),
                Expr::value(false),
                Expr::value(false),
                Expr::value("Lector"),
                Expr::value(nth.to_string()),
                Expr::value(address.clone()),
                Expr::value(address),
                Expr::value("es"),
                Expr::value(now),
            ];
            query.values_panic(row);
        }
        tx.execute(&query).await.expect("users");
    }
    let sql = "INSERT INTO marketing_consent (email, allow, language, source, at) \
               SELECT LOWER(email), TRUE, 'es', 'profile', created_at FROM app_user WHERE email LIKE 'lector%'";
    tx.execute_unprepared(sql).await.expect("consents");
    tx.commit().await.expect("committed");
}

/// E-mails of campaigns in the outbox, of all states or of one.
pub async fn campaign_messages(db: &Db, state: Option<&str>) -> i64 {
    let on = db.read();
    let of = state.map(|state| format!(" AND state = '{state}'")).unwrap_or_default();
    let sql = format!("SELECT COUNT(*) FROM outbox WHERE purpose = 'campaign'{of}");
    let row = on.query_one_raw(Statement::from_string(on.get_database_backend(), sql)).await.expect("it is read");
    row.expect("a row").try_get_by_index(0).expect("a number")
}
