//! Fills a database with conferences, as they lie there after years (for `bench/million.mjs`).
//!
//! `cargo run --release -p atalaya-server --example million -- URL COMPANY USER[,USER…] [CONFERENCES]`. `URL` is that of a
//! migrated database which no server has open. Two fifths of the conferences are the company's, by these users; the others are of
//! fifty companies that are made up here. Indexes and triggers are put aside meanwhile and made again: row by row, a million
//! entries take ten times as long.

use atalaya_db::{Db, DbOptions, Engine, Tx};
use atalaya_kernel::{Sources, collate::search_text};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, Query, SimpleExpr};
use sea_orm::{ConnectionTrait, Statement};
use std::time::Instant;
use uuid::Uuid;

/// Rows of one statement, and of one transaction.
const AT_ONCE: usize = 400;
const PART: usize = 50_000;
const OTHERS: usize = 50;
/// Seconds between two conferences: a million are three years.
const APART: i64 = 95;

const FIRST: [&str; 16] = [
    "Antonio", "María", "José", "Begoña", "Carmen", "Luis", "Ana", "Juan", "Álvaro", "Nuria", "Iñaki", "Mireia", "Óscar",
    "Lucía", "Xabier", "Ángela",
];
const SURNAMES: [&str; 12] =
    ["García", "Rodríguez", "González", "Fernández", "López", "Martínez", "Sánchez", "Pérez", "Gómez", "Núñez", "Ibáñez", "Peña"];
const CITIES: [&str; 8] = ["Valencia", "Madrid", "Sevilla", "Bilbao", "Zaragoza", "A Coruña", "Logroño", "Cádiz"];
const COLUMNS: [&str; 31] = [
    "id",
    "company_id",
    "user_id",
    "conference_type",
    "expedient_number",
    "expedient_key",
    "phone_number",
    "contact_person",
    "full_address",
    "city",
    "car_id",
    "app_type",
    "language",
    "customer_name",
    "user_name",
    "sid",
    "hash",
    "short_code",
    "duration_s",
    "closed",
    "files_requested",
    "created_at",
    "closed_at",
    "expired_at",
    "data_key",
    "last_seq",
    "chain_head",
    "projection",
    "search",
    "stage",
    "postal_code",
];

/// Chance that is the same in every run (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or(0)
    }

    fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.next(), self.next())
    }

    /// A made-up word of two to four syllables.
    fn word(&mut self) -> String {
        let mut word = String::new();
        for _ in 0..2 + self.below(3) {
            word.push(char::from(b"bcdfglmnprstvz"[self.below(14)]));
            word.push(char::from(b"aeiou"[self.below(5)]));
        }
        word
    }

    /// Every second one of the frequent surnames, every fifth of all.
    fn surname(&mut self, rare: &[String]) -> String {
        match self.below(5) {
            0 => SURNAMES[self.below(SURNAMES.len())].to_owned(),
            _ => rare[self.below(rare.len())].clone(),
        }
    }
}

struct Opener {
    company: Uuid,
    users: Vec<Uuid>,
    name: String,
}

async fn run(db: &Db, sql: &str) {
    db.read().execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{error}: {sql}"));
}

/// The statements that make the indexes and triggers of the table again.
async fn put_aside(db: &Db) -> Vec<String> {
    let sql = match db.engine() {
        Engine::Sqlite => {
            "SELECT 'DROP ' || type || ' ' || name, sql FROM sqlite_master WHERE tbl_name = 'conference' \
             AND type IN ('index', 'trigger') AND sql IS NOT NULL"
        }
        Engine::Postgres => {
            "SELECT 'DROP INDEX ' || indexname, indexdef FROM pg_indexes WHERE tablename = 'conference' AND indexname LIKE 'ix_%'"
        }
    };
    let rows = db.read().query_all_raw(Statement::from_string(db.read().get_database_backend(), sql)).await.expect("the schema");
    let mut again = Vec::new();
    for row in rows {
        run(db, &row.try_get_by_index::<String>(0).expect("a statement")).await;
        again.push(row.try_get_by_index(1).expect("a statement"));
    }
    if db.engine() == Engine::Postgres {
        run(db, "ALTER TABLE conference DISABLE TRIGGER USER").await;
        again.push("ALTER TABLE conference ENABLE TRIGGER USER".to_owned());
    }
    again
}

/// What triggers would have written.
async fn count_and_index(db: &Db) {
    let (everybody, day) = match db.engine() {
        Engine::Sqlite => ("X'00000000000000000000000000000000'", "substr(created_at, 1, 10)"),
        Engine::Postgres => {
            ("'00000000-0000-0000-0000-000000000000'::uuid", "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
        }
    };
    run(db, "DELETE FROM conference_tally").await;
    for company in ["company_id", everybody] {
        let counts = format!(
            "INSERT INTO conference_tally (company_id, conference_type, day, conferences) \
             SELECT {company}, conference_type, {day}, COUNT(*) FROM conference GROUP BY 1, 2, 3"
        );
        run(db, &counts).await;
    }
    if db.engine() == Engine::Postgres {
        return;
    }
    for sql in [
        "INSERT INTO conference_entry (conference_id, company_id, user_id, conference_type, created_at) \
         SELECT id, company_id, user_id, conference_type, created_at FROM conference \
         WHERE id NOT IN (SELECT conference_id FROM conference_entry) ORDER BY created_at, id",
        "INSERT INTO conference_search (conference_search) VALUES ('delete-all')",
        "INSERT INTO conference_search (rowid, words) SELECT e.nr, c.search FROM conference_entry e \
         JOIN conference c ON c.id = e.conference_id WHERE c.search <> '' ORDER BY e.nr",
        "INSERT INTO conference_search (conference_search) VALUES ('optimize')",
    ] {
        run(db, sql).await;
    }
}

async fn make_up(db: &Db, chance: &mut Chance, now: DateTime<Utc>) -> Vec<Opener> {
    let tx = db.write().await.expect("a transaction");
    let mut all = Vec::new();
    for nth in 0..OTHERS {
        let (company, name) = (chance.uuid(), format!("Seguros {}", chance.word()));
        let users: Vec<Uuid> = (0..20).map(|_| chance.uuid()).collect();
        let mut query = Query::insert();
        query
            .into_table("company")
            .columns(["id", "kind", "status", "company_type", "name", "company", "language", "legal", "has_iban", "created_at"])
            .values_panic([
                Expr::val(company),
                Expr::val(2_i16),
                Expr::val(2_i16),
                Expr::val(2_i16),
                Expr::val(name.clone()),
                Expr::val(name.clone()),
                Expr::val("es"),
                Expr::val(true),
                Expr::val(true),
                Expr::val(now),
            ]);
        tx.execute(&query).await.expect("a company");
        for (which, user) in users.iter().enumerate() {
            let mut query = Query::insert();
            query
                .into_table("app_user")
                .columns([
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
                    "language",
                    "created_at",
                ])
                .values_panic([
                    Expr::val(*user),
                    Expr::val(3_i16),
                    Expr::val(2_i16),
                    Expr::val(company),
                    Expr::val(false),
                    Expr::val(true),
                    Expr::val(false),
                    Expr::val("Perito"),
                    Expr::val(which.to_string()),
                    Expr::val(format!("perito{nth}-{which}@medida.example")),
                    Expr::val("es"),
                    Expr::val(now),
                ]);
            tx.execute(&query).await.expect("a user");
        }
        all.push(Opener { company, users, name });
    }
    tx.commit().await.expect("committed");
    all
}

fn row(chance: &mut Chance, nth: usize, opener: &Opener, rare: &[String], at: DateTime<Utc>) -> Vec<SimpleExpr> {
    let id = chance.uuid();
    let expedient = format!("EXP-{nth:07}");
    let phone = format!("+346{:08}", chance.below(100_000_000));
    let name = format!("{} {} {}", FIRST[chance.below(FIRST.len())], chance.surname(rare), chance.surname(rare));
    let street = format!("Calle {} {}", rare[chance.below(rare.len())], 1 + chance.below(200));
    let city = CITIES[chance.below(CITIES.len())];
    let letter = |chance: &mut Chance| char::from(b"BCDFGHJKLMNPRSTVWXYZ"[chance.below(20)]);
    let car = format!("{:04} {}{}{}", chance.below(10_000), letter(chance), letter(chance), letter(chance));
    let car = (!nth.is_multiple_of(5)).then_some(car);
    let user = opener.users[chance.below(opener.users.len())];
    let user_name = format!("Perito {}", user.simple().to_string().split_at(4).0);
    let words = search_text(&[
        &expedient,
        &expedient,
        &phone,
        &name,
        car.as_deref().unwrap_or_default(),
        &street,
        city,
        &user_name,
        &opener.name,
    ]);
    let met = !nth.is_multiple_of(4);
    let projection = serde_json::json!({
        "sentAt": at, "openedAt": at + TimeDelta::minutes(1), "browser": "Chrome 154", "os": "Android 16",
        "legalShownAt": at, "legalAcceptedAt": at, "camera": "granted", "microphone": "granted", "geolocation": "granted",
        "permissionAt": at, "clientConnectedAt": at, "pictures": nth % 4, "videos": 0, "documents": 0, "positions": 1,
    });
    vec![
        Expr::val(id),
        Expr::val(opener.company),
        Expr::val(user),
        Expr::val(if nth.is_multiple_of(5) { 2_i16 } else { 1 }),
        Expr::val(expedient.clone()),
        Expr::val(expedient),
        Expr::val(phone),
        Expr::val(name),
        Expr::val(street),
        Expr::val(city),
        Expr::val(car),
        Expr::val("web"),
        Expr::val("es"),
        Expr::val(opener.name.clone()),
        Expr::val(user_name),
        Expr::val(met.then(|| format!("RM_{nth}"))),
        Expr::val(id.simple().to_string()),
        Expr::val(format!("m{nth:09}")),
        Expr::val(met.then(|| i64::try_from(chance.below(900)).unwrap_or(0))),
        Expr::val(true),
        Expr::val(false),
        Expr::val(at),
        Expr::val(Some(at + TimeDelta::minutes(12))),
        Expr::val(at + TimeDelta::days(1)),
        Expr::val(Some(vec![7_u8; 60])),
        Expr::val(12_i32),
        Expr::val("0".repeat(64)),
        Expr::val(projection),
        Expr::val(words),
        Expr::val(3_i16),
        Expr::val("46001"),
    ]
}

async fn write(tx: &Tx, rows: Vec<Vec<SimpleExpr>>) {
    let mut query = Query::insert();
    query.into_table("conference").columns(COLUMNS);
    for row in rows {
        query.values_panic(row);
    }
    tx.execute(&query).await.expect("the conferences are written");
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, company, users, rest @ ..] = arguments.as_slice() else { panic!("URL COMPANY USER[,USER…] [CONFERENCES]") };
    let many: usize = rest.first().map_or(1_000_000, |text| text.parse().expect("a number"));
    let users = users.split(',').map(|id| id.parse().expect("the id of a user")).collect();
    let own = Opener { company: company.parse().expect("the id of a company"), users, name: "Empresa de medida".into() };
    let db = Db::connect(DbOptions::new(url)).await.expect("the database opens");
    let (mut chance, now, begun) = (Chance(17), Sources::system().now(), Instant::now());
    let rare: Vec<String> = (0..3_000).map(|_| chance.word()).collect();
    let others = make_up(&db, &mut chance, now).await;
    let again = put_aside(&db).await;
    for from in (0..many).step_by(PART) {
        let tx = db.write().await.expect("a transaction");
        let to = many.min(from + PART);
        for start in (from..to).step_by(AT_ONCE) {
            let rows = (start..to.min(start + AT_ONCE)).map(|nth| {
                let opener = if nth % 10 < 4 { &own } else { &others[nth % OTHERS] };
                let ago = TimeDelta::seconds(i64::try_from(many - nth).unwrap_or(0) * APART);
                row(&mut chance, nth, opener, &rare, now - ago)
            });
            let rows = rows.collect();
            write(&tx, rows).await;
        }
        tx.commit().await.expect("committed");
    }
    println!("{many} conferences written in {:.1?}", begun.elapsed());
    count_and_index(&db).await;
    println!("counted and their words indexed after {:.1?}", begun.elapsed());
    for sql in &again {
        run(&db, sql).await;
    }
    if db.engine() == Engine::Postgres {
        run(&db, "VACUUM ANALYZE conference").await;
    }
    println!("indexes and triggers made again after {:.1?}", begun.elapsed());
    db.close().await.expect("the database closes");
}
