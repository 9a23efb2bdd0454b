//! Lists of a million conferences: an index per column that they are sorted by, how many there are per day, and what
//! they are searched by (docs/decisions/0044).
//!
//! Triggers keep the counts and the words, whoever writes: neither can be forgotten. On SQLite the words are an FTS5 table
//! of trigrams that holds no text of its own and removes an entry physically when the text goes (`secure-delete`); its
//! rows have a number that no VACUUM changes, and beside it what a search is narrowed by, so that many hits cost few pages.
//! On PostgreSQL it is pg_trgm, which is part of its distribution; where it is missing, searches read every row.

use super::tables::TableDef;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Columns that lists are sorted by.
const SORTED: [&str; 7] = ["created_at", "expedient_key", "user_name", "customer_name", "phone_number", "car_id", "duration_s"];

/// Replaced by indexes that end in the id, which is what pages are cut by.
const REPLACED: [&str; 2] = ["ix_conference_company_id_conference_type_created_at", "ix_conference_conference_type_created_at"];

/// Counts stand under the company, and under this id for all companies.
const EVERYBODY: &str = "00000000000000000000000000000000";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        let connection = m.get_connection();
        for name in REPLACED {
            connection.execute_unprepared(&format!("DROP INDEX {name}")).await?;
        }
        for column in SORTED {
            for (scope, columns) in [("all", "conference_type"), ("company", "company_id, conference_type")] {
                let sql = format!("CREATE INDEX ix_conference_{scope}_{column} ON conference ({columns}, {column}, id)");
                connection.execute_unprepared(&sql).await?;
            }
        }
        for sql in [
            "CREATE INDEX ix_conference_user_created_at ON conference (user_id, conference_type, created_at, id)",
            "CREATE INDEX ix_conference_both_types_created_at ON conference (company_id, created_at, id)",
            "CREATE INDEX ix_conference_everything_created_at ON conference (created_at, id)",
        ] {
            connection.execute_unprepared(sql).await?;
        }
        TableDef::new("conference_tally")
            .uuid(&["company_id"])
            .small(&["conference_type"])
            .text(&["day"])
            .big(&["conferences"])
            .primary(&["company_id", "conference_type", "day"])
            .create(m)
            .await?;
        let statements = match m.get_database_backend() {
            DbBackend::Postgres => postgres(m).await?,
            _ => sqlite(),
        };
        for sql in statements {
            connection.execute_unprepared(&sql).await?;
        }
        Ok(())
    }
}

/// One more or fewer in the counts of a row's company and of everybody.
fn tallied(row: &str, by: i8) -> String {
    let day = format!("substr({row}.created_at, 1, 10)");
    [format!("{row}.company_id"), format!("X'{EVERYBODY}'")]
        .map(|company| {
            format!(
                "INSERT INTO conference_tally (company_id, conference_type, day, conferences) \
                 VALUES ({company}, {row}.conference_type, {day}, {by}) \
                 ON CONFLICT (company_id, conference_type, day) DO UPDATE SET conferences = conferences + {by};"
            )
        })
        .concat()
}

fn sqlite() -> Vec<String> {
    let (more, fewer) = (tallied("NEW", 1), tallied("OLD", -1));
    let forgotten = "INSERT INTO conference_search (conference_search, rowid, words) \
         SELECT 'delete', nr, OLD.search FROM conference_entry WHERE conference_id = OLD.id AND OLD.search <> '';";
    let learned = "INSERT INTO conference_search (rowid, words) \
         SELECT nr, NEW.search FROM conference_entry WHERE conference_id = NEW.id AND NEW.search <> '';";
    let mut all: Vec<String> = [
        "CREATE TABLE conference_entry (nr INTEGER PRIMARY KEY, conference_id blob NOT NULL, company_id blob NOT NULL, \
         user_id blob NOT NULL, conference_type smallint NOT NULL, created_at text NOT NULL)",
        "INSERT INTO conference_entry (conference_id, company_id, user_id, conference_type, created_at) \
         SELECT id, company_id, user_id, conference_type, created_at FROM conference ORDER BY created_at, id",
        "CREATE UNIQUE INDEX uq_conference_entry_conference_id ON conference_entry (conference_id)",
        // What is searched is folded already (`kernel::collate`).
        "CREATE VIRTUAL TABLE conference_search USING fts5(words, content='', columnsize=0, tokenize='trigram case_sensitive 1')",
        "INSERT INTO conference_search (conference_search, rank) VALUES ('secure-delete', 1)",
        "INSERT INTO conference_search (rowid, words) SELECT e.nr, c.search FROM conference_entry e \
         JOIN conference c ON c.id = e.conference_id WHERE c.search <> '' ORDER BY e.nr",
    ]
    .map(str::to_owned)
    .into();
    for company in ["company_id".to_owned(), format!("X'{EVERYBODY}'")] {
        all.push(format!(
            "INSERT INTO conference_tally (company_id, conference_type, day, conferences) \
             SELECT {company}, conference_type, substr(created_at, 1, 10), COUNT(*) FROM conference GROUP BY 1, 2, 3"
        ));
    }
    all.extend([
        format!(
            "CREATE TRIGGER conference_listed AFTER INSERT ON conference BEGIN \
             INSERT INTO conference_entry (conference_id, company_id, user_id, conference_type, created_at) \
             VALUES (NEW.id, NEW.company_id, NEW.user_id, NEW.conference_type, NEW.created_at); {learned} {more} END"
        ),
        format!(
            "CREATE TRIGGER conference_reworded AFTER UPDATE OF search ON conference WHEN OLD.search <> NEW.search \
             BEGIN {forgotten} {learned} END"
        ),
        format!(
            "CREATE TRIGGER conference_moved AFTER UPDATE OF company_id, user_id, conference_type, created_at ON conference \
             BEGIN UPDATE conference_entry SET company_id = NEW.company_id, user_id = NEW.user_id, \
             conference_type = NEW.conference_type, created_at = NEW.created_at WHERE conference_id = OLD.id; {fewer} {more} END"
        ),
        format!(
            "CREATE TRIGGER conference_unlisted AFTER DELETE ON conference BEGIN {forgotten} \
             DELETE FROM conference_entry WHERE conference_id = OLD.id; {fewer} END"
        ),
    ]);
    all
}

/// The counts are written at the very end of a transaction: the row of a day is everybody's.
const TALLY: &str = "CREATE FUNCTION conference_tallied() RETURNS trigger LANGUAGE plpgsql AS $$ \
    BEGIN \
      IF TG_OP <> 'INSERT' THEN \
        UPDATE conference_tally SET conferences = conferences - 1 \
        WHERE company_id IN (EVERYBODY, OLD.company_id) AND conference_type = OLD.conference_type \
          AND day = to_char(OLD.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'); \
      END IF; \
      IF TG_OP <> 'DELETE' THEN \
        INSERT INTO conference_tally (company_id, conference_type, day, conferences) \
        SELECT c, NEW.conference_type, to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 1 \
        FROM unnest(ARRAY[EVERYBODY, NEW.company_id]) c \
        ON CONFLICT (company_id, conference_type, day) DO UPDATE SET conferences = conference_tally.conferences + 1; \
      END IF; \
      RETURN NULL; \
    END $$";

async fn postgres(m: &SchemaManager<'_>) -> Result<Vec<String>, DbErr> {
    let everybody = format!("'{EVERYBODY}'::uuid");
    let mut all = Vec::new();
    for company in ["company_id", everybody.as_str()] {
        all.push(format!(
            "INSERT INTO conference_tally (company_id, conference_type, day, conferences) \
             SELECT {company}, conference_type, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), COUNT(*) \
             FROM conference GROUP BY 1, 2, 3"
        ));
    }
    all.push(TALLY.replace("EVERYBODY", &everybody));
    all.push(
        "CREATE CONSTRAINT TRIGGER conference_tallied AFTER INSERT OR DELETE OR \
         UPDATE OF company_id, conference_type, created_at ON conference \
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION conference_tallied()"
            .to_owned(),
    );
    let known = Statement::from_string(DbBackend::Postgres, "SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'");
    if m.get_connection().query_one_raw(known).await?.is_some() {
        all.push("CREATE EXTENSION IF NOT EXISTS pg_trgm".to_owned());
        // Without a list of pending entries: what is erased stands nowhere but in its pages.
        all.push(
            "CREATE INDEX ix_conference_search ON conference USING gin (search gin_trgm_ops) WITH (fastupdate = off)".to_owned(),
        );
    }
    Ok(all)
}
