//! Queries on the tables of versions and requests.

use crate::entity::{request, version};
use crate::model::{Block, Consultation, FIELDS, Proof, Request, Status, Version};
use crate::{FiscalError, FiscalResult};
use atalaya_db::{DbError, Tx};
use atalaya_identity::companies::form::Field;
use atalaya_identity::companies::model::Company;
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::page::Slice;
use atalaya_tariff::VatRegime;
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, PaginatorTrait};
use sea_orm::{QueryFilter, QueryOrder, QuerySelect};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Companies asked for in one statement, whose parameters are limited.
const BATCH: usize = 500;
/// Versions and requests of one company that a screen shows.
const SHOWN: u64 = 100;

pub(crate) async fn insert_version(tx: &Tx, id: Uuid, new: &Version) -> FiscalResult<()> {
    let Block { cif, company, address, postal_code, city, region, country } = new.block.clone();
    let vies = new.vies.clone();
    let row = version::ActiveModel {
        id: Set(id),
        company_id: Set(new.company.0),
        asked_by: Set(new.asked_by.map(Uuid::from)),
        approved_by: Set(new.approved_by.map(Uuid::from)),
        request_id: Set(new.request),
        number: Set(new.number),
        valid_from: Set(new.valid_from.map(|day| day.to_string())),
        company: Set(company),
        cif: Set(cif),
        address: Set(address),
        city: Set(city),
        region: Set(region),
        postal_code: Set(postal_code),
        regime: Set(new.regime.name().to_owned()),
        reason: Set(new.reason.clone()),
        created_at: Set(new.created_at),
        country: Set(country),
        vies_at: Set(vies.as_ref().map(|one| one.at)),
        vies_reference: Set(vies.and_then(|one| one.reference)),
    };
    version::Entity::insert(row).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

fn to_version(row: version::Model) -> FiscalResult<Version> {
    let corrupt = |what: &str| FiscalError::Internal(format!("fiscal version {}: {what}", row.id));
    let valid_from = row.valid_from.as_deref().map(str::parse::<NaiveDate>).transpose().map_err(|_| corrupt("valid_from"))?;
    Ok(Version {
        company: row.company_id.into(),
        number: row.number,
        valid_from,
        regime: VatRegime::parse(&row.regime).ok_or_else(|| corrupt("regime"))?,
        block: Block {
            cif: row.cif,
            company: row.company,
            address: row.address,
            postal_code: row.postal_code,
            city: row.city,
            region: row.region,
            country: row.country,
        },
        vies: row.vies_at.map(|at| Consultation { at, reference: row.vies_reference }),
        reason: row.reason,
        asked_by: row.asked_by.map(UserId::from),
        approved_by: row.approved_by.map(UserId::from),
        request: row.request_id,
        created_at: row.created_at,
    })
}

/// Every version of these companies.
pub(crate) async fn versions(db: &impl ConnectionTrait, companies: &[CompanyId]) -> FiscalResult<Vec<Version>> {
    let mut all = Vec::new();
    for batch in companies.chunks(BATCH) {
        let rows = version::Entity::find().filter(version::Column::CompanyId.is_in(batch.iter().map(|id| id.0))).all(db).await;
        for row in rows.map_err(DbError::from)? {
            all.push(to_version(row)?);
        }
    }
    Ok(all)
}

/// The versions of a company, the newest first.
pub(crate) async fn history(db: &impl ConnectionTrait, company: CompanyId) -> FiscalResult<Vec<Version>> {
    let rows = version::Entity::find()
        .filter(version::Column::CompanyId.eq(company.0))
        .order_by_desc(version::Column::Number)
        .limit(SHOWN)
        .all(db)
        .await
        .map_err(DbError::from)?;
    rows.into_iter().map(to_version).collect()
}

/// The version that was approved last; `None` while there is none.
pub(crate) async fn last(db: &impl ConnectionTrait, company: CompanyId) -> FiscalResult<Option<Version>> {
    let query = version::Entity::find().filter(version::Column::CompanyId.eq(company.0));
    let row = query.order_by_desc(version::Column::Number).one(db).await.map_err(DbError::from)?;
    row.map(to_version).transpose()
}

/// What is in force, with its country.
pub(crate) async fn current(db: &impl ConnectionTrait, company: &Company) -> FiscalResult<Block> {
    let mut block = Block::of(company);
    if company.fiscal_version > 0 {
        block.country = last(db, company.id).await?.and_then(|version| version.block.country);
    }
    Ok(block)
}

/// A document's key and what is known of it, to be written beside a request.
pub(crate) struct NewProof {
    /// Names the stored file.
    pub id: Uuid,
    pub proof: Proof,
    pub key: Vec<u8>,
}

pub(crate) async fn insert_request(tx: &Tx, new: &Request, proof: Option<NewProof>) -> FiscalResult<()> {
    let wanted: Map<String, Value> =
        new.wanted.iter().map(|(field, text)| (field.wire().to_owned(), text.clone().into())).collect();
    let document_id = proof.as_ref().map(|new| new.id);
    let (proof, key) = proof.map(|new| (new.proof, new.key)).unzip();
    let row = request::ActiveModel {
        id: Set(new.id),
        company_id: Set(new.company.0),
        asked_by: Set(new.asked_by.into()),
        decided_by: Set(None),
        document_id: Set(document_id),
        status: Set(new.status.name().to_owned()),
        since: Set(new.since.to_string()),
        note: Set(new.note.clone()),
        answer: Set(None),
        document_name: Set(proof.as_ref().map(|proof| proof.name.clone())),
        document_kind: Set(proof.as_ref().map(|proof| proof.kind.clone())),
        document_sha256: Set(proof.as_ref().map(|proof| proof.sha256.clone())),
        document_bytes: Set(proof.as_ref().map(|proof| proof.size_bytes)),
        document_key: Set(key),
        wanted: Set(Value::Object(wanted)),
        asked_at: Set(new.asked_at),
        decided_at: Set(None),
    };
    request::Entity::insert(row).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

fn to_request(row: request::Model) -> FiscalResult<Request> {
    let corrupt = |what: &str| FiscalError::Internal(format!("fiscal request {}: {what}", row.id));
    let text = |field: Field| Some((field, row.wanted.get(field.wire())?.as_str().map(str::to_owned)));
    let wanted = FIELDS.into_iter().filter_map(text).collect();
    let proof = |name: &String| {
        Some(Proof {
            name: name.clone(),
            kind: row.document_kind.clone()?,
            size_bytes: row.document_bytes?,
            sha256: row.document_sha256.clone()?,
        })
    };
    Ok(Request {
        status: Status::parse(&row.status).ok_or_else(|| corrupt("status"))?,
        since: row.since.parse().map_err(|_| corrupt("since"))?,
        // Without its key there is no document any more (FISCAL-11).
        proof: row.document_key.as_ref().and(row.document_name.as_ref()).and_then(proof),
        wanted,
        id: row.id,
        company: row.company_id.into(),
        note: row.note,
        asked_by: row.asked_by.into(),
        asked_at: row.asked_at,
        decided_by: row.decided_by.map(UserId::from),
        decided_at: row.decided_at,
        answer: row.answer,
    })
}

/// A request; of this company when one is named.
pub(crate) async fn find(db: &impl ConnectionTrait, id: Uuid, company: Option<CompanyId>) -> FiscalResult<Option<Request>> {
    let mut query = request::Entity::find_by_id(id);
    if let Some(company) = company {
        query = query.filter(request::Column::CompanyId.eq(company.0));
    }
    query.one(db).await.map_err(DbError::from)?.map(to_request).transpose()
}

/// The requests of a company, the newest first.
pub(crate) async fn of_company(db: &impl ConnectionTrait, company: CompanyId) -> FiscalResult<Vec<Request>> {
    let rows = request::Entity::find()
        .filter(request::Column::CompanyId.eq(company.0))
        .order_by_desc(request::Column::AskedAt)
        .order_by_desc(request::Column::Id)
        .limit(SHOWN)
        .all(db)
        .await
        .map_err(DbError::from)?;
    rows.into_iter().map(to_request).collect()
}

/// So many in all, and this part of them; open ones the oldest first, others the newest.
pub(crate) async fn list(db: &impl ConnectionTrait, status: Option<Status>, slice: Slice) -> FiscalResult<(u64, Vec<Request>)> {
    let mut query = request::Entity::find();
    if let Some(status) = status {
        query = query.filter(request::Column::Status.eq(status.name()));
    }
    let total = query.clone().count(db).await.map_err(DbError::from)?;
    let query = match status {
        Some(Status::Open) => query.order_by_asc(request::Column::AskedAt).order_by_asc(request::Column::Id),
        _ => query.order_by_desc(request::Column::AskedAt).order_by_desc(request::Column::Id),
    };
    let rows = query.offset(slice.offset).limit(slice.limit).all(db).await.map_err(DbError::from)?;
    Ok((total, rows.into_iter().map(to_request).collect::<FiscalResult<_>>()?))
}

/// How many requests a company has made since then.
pub(crate) async fn count_since(db: &impl ConnectionTrait, company: CompanyId, since: DateTime<Utc>) -> FiscalResult<u64> {
    let query = request::Entity::find().filter(request::Column::CompanyId.eq(company.0));
    Ok(query.filter(request::Column::AskedAt.gt(since)).count(db).await.map_err(DbError::from)?)
}

/// Adds the document of an open request that has none. False when it has one, or is not open.
pub(crate) async fn set_proof(tx: &Tx, id: Uuid, new: &NewProof) -> FiscalResult<bool> {
    let NewProof { id: document_id, proof, key } = new;
    let done = request::Entity::update_many()
        .col_expr(request::Column::DocumentId, Expr::value(Some(*document_id)))
        .col_expr(request::Column::DocumentName, Expr::value(Some(proof.name.clone())))
        .col_expr(request::Column::DocumentKind, Expr::value(Some(proof.kind.clone())))
        .col_expr(request::Column::DocumentSha256, Expr::value(Some(proof.sha256.clone())))
        .col_expr(request::Column::DocumentBytes, Expr::value(Some(proof.size_bytes)))
        .col_expr(request::Column::DocumentKey, Expr::value(Some(key.clone())))
        .filter(request::Column::Id.eq(id).and(request::Column::Status.eq(Status::Open.name())))
        .filter(request::Column::DocumentKey.is_null())
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(done.rows_affected == 1)
}

/// File, wrapped key, media type and name of a request's document.
pub(crate) async fn document(db: &impl ConnectionTrait, id: Uuid) -> FiscalResult<Option<(Uuid, Vec<u8>, String, String)>> {
    let row = request::Entity::find_by_id(id).one(db).await.map_err(DbError::from)?;
    Ok(row.and_then(|row| Some((row.document_id?, row.document_key?, row.document_kind?, row.document_name?))))
}

/// How an open request ends.
pub(crate) struct End<'a> {
    pub status: Status,
    pub by: UserId,
    pub at: DateTime<Utc>,
    pub answer: Option<&'a str>,
}

/// False when it is not open any more.
pub(crate) async fn end(tx: &Tx, id: Uuid, end: End<'_>) -> FiscalResult<bool> {
    let done = request::Entity::update_many()
        .col_expr(request::Column::Status, Expr::value(end.status.name()))
        .col_expr(request::Column::DecidedBy, Expr::value(Some(Uuid::from(end.by))))
        .col_expr(request::Column::DecidedAt, Expr::value(Some(end.at)))
        .col_expr(request::Column::Answer, Expr::value(end.answer.map(str::to_owned)))
        .filter(request::Column::Id.eq(id).and(request::Column::Status.eq(Status::Open.name())))
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(done.rows_affected == 1)
}

/// Requests that came to nothing before then and have their document still.
pub(crate) async fn documents_due(db: &impl ConnectionTrait, before: DateTime<Utc>, limit: u64) -> FiscalResult<Vec<Uuid>> {
    let ended = [Status::Refused.name(), Status::Withdrawn.name()];
    let query = request::Entity::find()
        .select_only()
        .column(request::Column::Id)
        .filter(request::Column::Status.is_in(ended))
        .filter(request::Column::DecidedAt.lte(before))
        .filter(request::Column::DocumentKey.is_not_null())
        .order_by_asc(request::Column::DecidedAt)
        .limit(limit);
    Ok(query.into_tuple().all(db).await.map_err(DbError::from)?)
}

/// Destroys the keys of these requests' documents.
pub(crate) async fn forget_keys(tx: &Tx, requests: &[Uuid]) -> FiscalResult<()> {
    request::Entity::update_many()
        .col_expr(request::Column::DocumentKey, Expr::value(None::<Vec<u8>>))
        .filter(request::Column::Id.is_in(requests.iter().copied()))
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(())
}

/// Requests whose document has no key any more, and the files that are left of these documents.
pub(crate) async fn documents_leaving(db: &impl ConnectionTrait, limit: u64) -> FiscalResult<Vec<(Uuid, Uuid)>> {
    let query = request::Entity::find()
        .select_only()
        .column(request::Column::Id)
        .column(request::Column::DocumentId)
        .filter(request::Column::DocumentId.is_not_null())
        .filter(request::Column::DocumentKey.is_null())
        .order_by_asc(request::Column::Id)
        .limit(limit);
    Ok(query.into_tuple().all(db).await.map_err(DbError::from)?)
}

/// The file is deleted; name, size and hash of the document stay.
pub(crate) async fn forget_file(tx: &Tx, request: Uuid) -> FiscalResult<()> {
    request::Entity::update_many()
        .col_expr(request::Column::DocumentId, Expr::value(None::<Uuid>))
        .filter(request::Column::Id.eq(request).and(request::Column::DocumentKey.is_null()))
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(())
}
