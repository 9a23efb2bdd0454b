//! Seals: at some point of the chain, one root over its head and every media hash so far (EVID-13).

use super::super::chain::{GENESIS, merkle_root, sha256_hex};
use super::super::entity::{event, head, seal};
use super::super::merkle;
use super::links::Link;
use crate::Cases;
use crate::evidence_keys::service::{moment, sign};
use crate::evidence_keys::{Signed, Statement};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::ConferenceId;
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Set};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A sealed state of a conference's chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Seal {
    pub id: Uuid,
    /// The last event under the seal.
    pub seq: i32,
    /// That event's hash.
    pub head: String,
    /// RFC 6962 root of [head, media hashes in order], lower-case hex.
    pub root: String,
    /// Leaves of the tree: one more than there are media.
    pub leaves: i32,
    pub at: DateTime<Utc>,
    /// Seals of versions before there was a key have none.
    pub signed: Option<Signed>,
}

impl Seal {
    /// Whether these events, recomputed from the first, lead to the seal's head, and their media to its root.
    pub fn covers(&self, links: &[Link]) -> bool {
        let mut prev = GENESIS.to_owned();
        for (link, seq) in links.iter().zip(1_i32..) {
            if link.seq != seq || link.prev != prev {
                return false;
            }
            prev = sha256_hex(format!("VAEV1\n{prev}\n{}", link.canonical).as_bytes());
            if link.hash != prev {
                return false;
            }
        }
        let media = links.iter().filter(|link| link.is_media()).map(|link| merkle::parse(link.text("sha256")?));
        let head = std::iter::once(merkle::parse(&self.head));
        let leaves: Option<Vec<merkle::Hash>> = head.chain(media).collect();
        links.last().is_some_and(|link| link.seq == self.seq)
            && prev == self.head
            && leaves.is_some_and(|leaves| merkle_root(&leaves) == self.root)
    }
}

impl From<seal::Model> for Seal {
    fn from(row: seal::Model) -> Self {
        let signed = row.fingerprint.zip(row.signature).map(|(fingerprint, signature)| Signed { fingerprint, signature });
        Self { id: row.id, seq: row.seq, head: row.head, root: row.root, leaves: row.leaves, at: row.at, signed }
    }
}

/// Whether this track is sealed at once (EVID-14): the end of a conference, the expiry of its files, and media that follow
/// a seal. Verifiers guarantee no file that arrives or expires after the last seal.
pub(super) async fn seals_now(tx: &Tx, id: ConferenceId, track_type: TrackType, closed: bool) -> DbResult<bool> {
    Ok(match track_type {
        TrackType::ConferenceClosed | TrackType::MediaExpired => true,
        TrackType::MediaCaptured | TrackType::FileUploaded => closed || latest_seal(&**tx, id).await?.is_some(),
        _ => false,
    })
}

/// Hashes of the media that entered the chain up to an event, in its order.
async fn media_hashes(db: &impl ConnectionTrait, id: ConferenceId, seq: i32) -> DbResult<Vec<merkle::Hash>> {
    let media = [TrackType::MediaCaptured.wire(), TrackType::FileUploaded.wire()];
    let rows = event::Entity::find()
        .filter(event::Column::ConferenceId.eq(id.0))
        .filter(event::Column::EventType.is_in(media))
        .filter(event::Column::Seq.lte(seq))
        .order_by_asc(event::Column::Seq)
        .all(db)
        .await?;
    let hash = |row: event::Model| {
        let data: Map<String, Value> = serde_json::from_str(&row.data).ok()?;
        merkle::parse(data.get("sha256")?.as_str()?)
    };
    Ok(rows.into_iter().filter_map(hash).collect())
}

/// Seals and signs the chain as it is now, inside the transaction that holds the conference's lock. Answers the last seal when
/// nothing was added since.
pub async fn seal(tx: &Tx, deps: &Cases, id: ConferenceId) -> DbResult<Seal> {
    let row =
        head::Entity::find_by_id(id.0).one(&**tx).await?.ok_or_else(|| sea_orm::DbErr::RecordNotFound("conference".into()))?;
    if let Some(last) = latest_seal(&**tx, id).await?
        && last.seq == row.last_seq
    {
        return Ok(last);
    }
    let mut leaves = vec![merkle::parse(&row.chain_head).unwrap_or([0; 32])];
    leaves.extend(media_hashes(&**tx, id, row.last_seq).await?);
    let (root, at) = (merkle_root(&leaves), deps.sources.now());
    let (conference, seq, sealed_at) = (id.to_string(), row.last_seq.to_string(), moment(at));
    let statement = Statement::Seal([&conference, &seq, &row.chain_head, &root, &sealed_at]);
    let signed = sign(tx, deps, statement).await?;
    let new = seal::ActiveModel {
        id: Set(deps.sources.uuid()),
        conference_id: Set(id.0),
        seq: Set(row.last_seq),
        leaves: Set(i32::try_from(leaves.len()).unwrap_or(i32::MAX)),
        head: Set(row.chain_head),
        root: Set(root),
        fingerprint: Set(Some(signed.fingerprint)),
        signature: Set(Some(signed.signature)),
        at: Set(at),
    };
    Ok(new.insert(&**tx).await?.into())
}

/// The newest seal of a conference.
pub async fn latest_seal(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<Seal>> {
    let found = seal::Entity::find().filter(seal::Column::ConferenceId.eq(id.0)).order_by_desc(seal::Column::Seq).one(db).await?;
    Ok(found.map(Seal::from))
}

/// A seal by its id.
pub async fn find_seal(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<Seal>> {
    Ok(seal::Entity::find_by_id(id).one(db).await?.map(Seal::from))
}
