//! Rows and files against each other (DEEP-4).

use super::store::{self, Named};
use super::{Kind, Walk};
use atalaya_blobs::{BlobError, BlobName, BlobStore, MasterKeys, Spool};
use atalaya_db::{Db, DbResult};
use aws_lc_rs::digest::{Context, SHA256};
use futures::TryStreamExt;
use std::collections::HashSet;

/// A kind of file: who names it, and whose key opens it.
struct Files {
    what: &'static str,
    /// What the rooms call the owner of a key, before its id.
    owner: &'static str,
    sql: &'static str,
    /// From the column to the files' names.
    names: fn(&Named) -> Vec<String>,
}

fn itself(named: &Named) -> Vec<String> {
    vec![named.name.clone()]
}

/// `{upload}/{name}`; papers from before have a name only.
fn paper(named: &Named) -> Vec<String> {
    let upload = named.name.split_once('/').map_or("signed", |(upload, _)| upload);
    vec![format!("mandates/{}/{upload}", named.owner)]
}

/// Named by its id, whatever the sender called it.
fn fiscal(named: &Named) -> Vec<String> {
    vec![format!("fiscal/{}", named.owner)]
}

/// `{upload} {segment} {segment}…`
fn segments(named: &Named) -> Vec<String> {
    let mut words = named.name.split(' ').filter(|word| !word.is_empty());
    let upload = words.next().unwrap_or_default();
    words.map(|segment| format!("conferences/{}/uploads/{upload}/{segment}", named.owner)).collect()
}

/// Live files of conferences that are not erased; the other columns say nothing any more.
const LIVING: &str = "JOIN conference c ON c.id = m.conference_id WHERE m.expired_at IS NULL AND c.erased_at IS NULL";

const ALL: &[Files] = &[
    Files {
        what: "media_item",
        owner: "conference",
        sql: "SELECT c.id, c.data_key, m.blob_name, m.hash, m.size_bytes FROM media_item m {LIVING}",
        names: itself,
    },
    Files {
        what: "thumbnail",
        owner: "conference",
        sql: "SELECT c.id, c.data_key, m.thumbnail_blob, m.thumbnail_hash, CAST(NULL AS bigint) FROM media_item m {LIVING} \
              AND m.thumbnail_blob IS NOT NULL",
        names: itself,
    },
    Files {
        what: "preview",
        owner: "conference",
        sql: "SELECT c.id, c.data_key, m.preview_blob, m.preview_hash, CAST(NULL AS bigint) FROM media_item m {LIVING} \
              AND m.preview_blob IS NOT NULL",
        names: itself,
    },
    Files {
        what: "incidence_image",
        owner: "incidence",
        sql: "SELECT i.id, i.data_key, m.blob_name, CAST(NULL AS text), m.size_bytes \
              FROM incidence_image m JOIN incidence i ON i.id = m.incidence_id",
        names: itself,
    },
    Files {
        what: "stored_document",
        owner: "document",
        sql: "SELECT id, data_key, blob, sha256, size_bytes FROM stored_document",
        names: itself,
    },
    Files {
        what: "mandate's paper",
        owner: "mandate",
        sql: "SELECT id, document_key, document_name, CAST(NULL AS text), CAST(NULL AS bigint) FROM mandate \
              WHERE document_name IS NOT NULL",
        names: paper,
    },
    Files {
        what: "fiscal document",
        owner: "fiscal",
        sql: "SELECT document_id, document_key, document_name, document_sha256, document_bytes FROM fiscal_request \
              WHERE document_id IS NOT NULL AND document_key IS NOT NULL",
        names: fiscal,
    },
];

/// Documents whose key is destroyed; the next run of the hourly job deletes the file (FISCAL-11).
const FISCAL_LEAVING: &str = "SELECT document_id FROM fiscal_request WHERE document_id IS NOT NULL AND document_key IS NULL";

/// An upload under way: its segments, which only together have a size.
const UPLOADS: Files = Files {
    what: "segment of an upload",
    owner: "conference",
    sql: "SELECT c.id, c.data_key, CAST({ID} AS text) || ' ' || m.segments, CAST(NULL AS text), CAST(NULL AS bigint) \
          FROM file_upload m JOIN conference c ON c.id = m.conference_id WHERE m.state = 'running' AND c.erased_at IS NULL",
    names: segments,
};

pub(super) async fn walk(
    db: &Db,
    blobs: &BlobStore,
    master: &MasterKeys,
    spool: Option<&Spool>,
    walk: &mut Walk,
) -> DbResult<()> {
    // Rows first: a file that is stored meanwhile has no row that was read.
    let (mut known, mut lists) = (HashSet::new(), Vec::new());
    for files in ALL.iter().chain([&UPLOADS]) {
        lists.push((files, store::named(db, &sql(db, files)).await?));
    }
    let mut leaving = store::deletions(db).await?;
    leaving.extend(store::ids(db, FISCAL_LEAVING, None).await?.into_iter().map(|id| (format!("fiscal/{id}"), false)));
    let certificates = certificates(db).await?;
    let listed = match blobs.list(None).try_collect::<Vec<_>>().await {
        Ok(listed) => listed,
        Err(error) => {
            walk.found(Kind::FileMissing, "the storage does not answer", &[error.to_string()]);
            return Ok(());
        }
    };
    let there: HashSet<&str> = listed.iter().map(|info| info.name.as_str()).collect();
    for (files, rows) in lists {
        let (mut missing, mut damaged) = (Vec::new(), Vec::new());
        for row in rows {
            for name in (files.names)(&row) {
                walk.files += 1;
                if !there.contains(name.as_str()) {
                    missing.push(name.clone());
                } else if read(blobs, master, files, &row, &name).await.is_err() {
                    damaged.push(name.clone());
                }
                known.insert(name);
            }
        }
        if !missing.is_empty() || !damaged.is_empty() {
            // Beside a running server a file may have gone since, with its row.
            let still: HashSet<String> = store::named(db, &sql(db, files)).await?.iter().flat_map(files.names).collect();
            missing.retain(|name| still.contains(name));
            damaged.retain(|name| still.contains(name));
        }
        walk.found(Kind::FileMissing, files.what, &missing);
        walk.found(Kind::FileDamaged, files.what, &damaged);
    }
    let is_leaving = |name: &str| {
        leaving.iter().any(|(gone, folder)| if *folder { name.starts_with(&format!("{gone}/")) } else { name == gone })
    };
    // Of a readiness check that was not waited for; the next start removes it (DEEP-14).
    let is_check = |name: &str| name.starts_with("check/");
    let is_certificate = |name: &str| certificates.iter().any(|start| name.starts_with(start.as_str()));
    let strays: Vec<String> = there
        .iter()
        .filter(|name| !known.contains(**name) && !is_leaving(name) && !is_certificate(name) && !is_check(name))
        .map(|name| (*name).to_owned())
        .collect();
    walk.found(Kind::FileStray, "storage", &sorted(strays));
    recordings(db, spool, walk).await
}

/// A statement for this engine.
fn sql(db: &Db, files: &Files) -> String {
    // SQLite keeps an id as bytes.
    let id = match db.engine() {
        atalaya_db::Engine::Sqlite => {
            "lower(substr(hex(m.id), 1, 8) || '-' || substr(hex(m.id), 9, 4) || '-' || substr(hex(m.id), 13, 4) || '-' \
             || substr(hex(m.id), 17, 4) || '-' || substr(hex(m.id), 21))"
        }
        atalaya_db::Engine::Postgres => "m.id",
    };
    files.sql.replace("{LIVING}", LIVING).replace("{ID}", id)
}

/// Reads a file to its end. The seal notices a changed byte, the row another file.
async fn read(blobs: &BlobStore, master: &MasterKeys, files: &Files, row: &Named, name: &str) -> Result<(), BlobError> {
    let wrapped = row.wrapped_key.as_deref().ok_or(BlobError::UnknownKey)?;
    let key = master.unwrap(wrapped, &format!("{}:{}", files.owner, row.owner)).await?;
    let reader = blobs.get(&BlobName::new(name)?, &key).await?;
    let mut pieces = reader.stream();
    let mut hashed = Context::new(&SHA256);
    let mut bytes = 0;
    while let Some(piece) = pieces.try_next().await? {
        hashed.update(&piece);
        bytes += piece.len() as u64;
    }
    let hash = hex::encode(hashed.finish());
    if hash != reader.digest().sha256_hex() || row.sha256.as_ref().is_some_and(|expected| *expected != hash) {
        return Err(BlobError::Tampered("hash"));
    }
    match row.size_bytes {
        Some(expected) if u64::try_from(expected) != Ok(bytes) => Err(BlobError::Tampered("length")),
        _ => Ok(()),
    }
}

/// How the names of the PDFs of certificates begin. They are kept, and set anew when they are not there, so that no row names
/// them one by one.
async fn certificates(db: &Db) -> DbResult<Vec<String>> {
    let all = "SELECT conference_id, CAST(NULL AS bytea), number, CAST(NULL AS text), CAST(NULL AS bigint) FROM certificate";
    let rows = store::named(db, all).await?;
    Ok(rows.into_iter().map(|row| format!("conferences/{}/{}.", row.owner, row.name)).collect())
}

/// Recordings under way that belong to no recording.
async fn recordings(db: &Db, spool: Option<&Spool>, walk: &mut Walk) -> DbResult<()> {
    let Some(spool) = spool else { return Ok(()) };
    let known: HashSet<String> = store::ids(db, "SELECT id FROM recording", None).await?.into_iter().collect();
    match spool.list() {
        Ok(names) => {
            let of = |name: &str| name.split('/').next().unwrap_or_default().to_owned();
            let strays = names.iter().map(|name| name.as_str().to_owned()).filter(|name| !known.contains(&of(name)));
            walk.found(Kind::FileStray, "spool", &sorted(strays.collect()));
        }
        Err(error) => walk.found(Kind::FileMissing, "the spool cannot be read", &[error.to_string()]),
    }
    Ok(())
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}
