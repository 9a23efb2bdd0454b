//! Queries on the tables of consent.

use super::entity::{answer, consent, suppression, token};
use super::model::{Consent, Permission, Proof, Reason, Suppression, TEXT_VERSION, Token};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{CampaignId, Language, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Alias, Expr, ExprTrait, OnConflict, Query, SelectStatement};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// Rows in one statement: databases limit the number of parameters.
const ROWS_AT_ONCE: usize = 500;

/// Writes tokens with the hashes by which they are found.
pub(super) async fn insert_tokens(tx: &Tx, tokens: Vec<(Token, String)>) -> DbResult<()> {
    for some in tokens.chunks(ROWS_AT_ONCE) {
        let row = |(token, hash): &(Token, String)| token::ActiveModel {
            id: Set(token.id),
            token_hash: Set(hash.clone()),
            email: Set(token.email.clone()),
            permission: Set(token.permission.name().to_owned()),
            language: Set(token.language.code().to_owned()),
            campaign_id: Set(token.campaign.map(Uuid::from)),
            created_at: Set(token.created_at),
            expires_at: Set(token.expires_at),
        };
        token::Entity::insert_many(some.iter().map(row)).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

pub(super) async fn find_token(db: &impl ConnectionTrait, hash: &str) -> DbResult<Option<Token>> {
    Ok(token::Entity::find().filter(token::Column::TokenHash.eq(hash)).one(db).await?.map(to_token))
}

/// The newest token of an address that subscribes.
pub(super) async fn newest_confirmation(db: &impl ConnectionTrait, email: &str) -> DbResult<Option<Token>> {
    let query = token::Entity::find()
        .filter(token::Column::Email.eq(email))
        .filter(token::Column::Permission.eq(Permission::Yes.name()))
        .order_by_desc(token::Column::CreatedAt);
    Ok(query.one(db).await?.map(to_token))
}

fn to_token(row: token::Model) -> Token {
    Token {
        id: row.id,
        email: row.email,
        permission: Permission::stored(&row.permission),
        language: Language::parse(&row.language).unwrap_or_default(),
        campaign: row.campaign_id.map(CampaignId),
        created_at: row.created_at,
        expires_at: row.expires_at,
    }
}

/// Writes the proof of an answer, and the consent that now holds for its address.
pub(super) async fn insert_answer(tx: &Tx, id: Uuid, proof: &Proof) -> DbResult<()> {
    let row = answer::ActiveModel {
        id: Set(id),
        email: Set(proof.email.clone()),
        allow: Set(proof.allow.name().to_owned()),
        ip: Set(proof.ip.clone()),
        user_agent: Set(proof.user_agent.clone()),
        text_version: Set(TEXT_VERSION.to_owned()),
        language: Set(proof.language.code().to_owned()),
        source: Set(proof.source.name().to_owned()),
        token_id: Set(proof.token),
        user_id: Set(proof.user.map(Uuid::from)),
        at: Set(proof.at),
    };
    answer::Entity::insert(row).exec_without_returning(&**tx).await?;
    let row = consent::ActiveModel {
        email: Set(proof.email.clone()),
        allow: Set(proof.allow.is_yes()),
        language: Set(proof.language.code().to_owned()),
        source: Set(proof.source.name().to_owned()),
        at: Set(proof.at),
    };
    let columns = [consent::Column::Allow, consent::Column::Language, consent::Column::Source, consent::Column::At];
    let latest = OnConflict::column(consent::Column::Email).update_columns(columns).to_owned();
    consent::Entity::insert(row).on_conflict(latest).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Every answer of a user, or for this address, as he reads it in the file of his own data.
pub(super) async fn records_of(db: &impl ConnectionTrait, user: UserId, email: Option<String>) -> DbResult<Vec<Value>> {
    let whose =
        Condition::any().add(answer::Column::UserId.eq(user.0)).add_option(email.map(|email| answer::Column::Email.eq(email)));
    let rows = answer::Entity::find().filter(whose).order_by_asc(answer::Column::At).all(db).await?;
    let one = |row: answer::Model| {
        json!({"email": row.email, "answer": row.allow, "source": row.source, "at": row.at, "address": row.ip,
            "browser": row.user_agent, "text": row.text_version})
    };
    Ok(rows.into_iter().map(one).collect())
}

/// The last answer of an address.
pub(super) async fn find_consent(db: &impl ConnectionTrait, email: &str) -> DbResult<Option<Consent>> {
    let row = consent::Entity::find_by_id(email.to_owned()).one(db).await?;
    Ok(row.map(|row| Consent { allow: row.allow, source: row.source, at: row.at }))
}

/// Why an address is suppressed, if it is.
pub(super) async fn find_suppression(db: &impl ConnectionTrait, email: &str) -> DbResult<Option<Reason>> {
    let row = suppression::Entity::find_by_id(email.to_owned()).one(db).await?;
    Ok(row.map(|row| Reason::stored(&row.reason)))
}

/// Adds an address; an existing entry stays as it is, except that an administrator's replaces the holder's.
pub(super) async fn suppress(tx: &Tx, email: &str, reason: Reason, by: Option<UserId>, now: DateTime<Utc>) -> DbResult<()> {
    let row = suppression::ActiveModel {
        email: Set(email.to_owned()),
        reason: Set(reason.name().to_owned()),
        by_user: Set(by.map(Uuid::from)),
        at: Set(now),
    };
    let columns = [suppression::Column::Reason, suppression::Column::ByUser, suppression::Column::At];
    let mut clash = OnConflict::column(suppression::Column::Email);
    match reason {
        Reason::Unsubscribed => clash.do_nothing(),
        Reason::Blocked => clash.update_columns(columns),
    };
    suppression::Entity::insert(row).on_conflict(clash).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Removes an address from the list; with a reason, only when that is the entry's. Answers whether it was removed.
pub(super) async fn unsuppress(tx: &Tx, email: &str, reason: Option<Reason>) -> DbResult<bool> {
    let mut query = suppression::Entity::delete_many().filter(suppression::Column::Email.eq(email));
    if let Some(reason) = reason {
        query = query.filter(suppression::Column::Reason.eq(reason.name()));
    }
    Ok(query.exec(&**tx).await?.rows_affected > 0)
}

/// The list, newest first, filtered by addresses that contain a text, and how many there are.
pub(super) async fn list_suppressed(
    db: &impl ConnectionTrait,
    search: &str,
    offset: u64,
    limit: u64,
) -> DbResult<(Vec<Suppression>, u64)> {
    let mut query = suppression::Entity::find();
    if !search.is_empty() {
        query = query.filter(suppression::Column::Email.contains(search));
    }
    let total = query.clone().count(db).await?;
    let query = query.order_by_desc(suppression::Column::At).order_by_asc(suppression::Column::Email);
    let rows = query.offset(offset).limit(limit).all(db).await?;
    let one = |row: suppression::Model| Suppression { email: row.email, reason: Reason::stored(&row.reason), at: row.at };
    Ok((rows.into_iter().map(one).collect(), total))
}

fn suppressed_addresses() -> SelectStatement {
    suppression::Entity::find().select_only().column(suppression::Column::Email).into_query()
}

/// Of these addresses, those that may be written to.
fn allowed(addresses: SelectStatement) -> Select<consent::Entity> {
    consent::Entity::find()
        .filter(consent::Column::Allow.eq(true))
        .filter(consent::Column::Email.in_subquery(addresses))
        .filter(consent::Column::Email.not_in_subquery(suppressed_addresses()))
}

pub(crate) async fn count_allowed(db: &impl ConnectionTrait, addresses: SelectStatement) -> DbResult<u64> {
    Ok(allowed(addresses).count(db).await?)
}

/// How many of these addresses are on the suppression list.
pub(crate) async fn count_suppressed(db: &impl ConnectionTrait, addresses: SelectStatement) -> DbResult<u64> {
    Ok(suppression::Entity::find().filter(suppression::Column::Email.in_subquery(addresses)).count(db).await?)
}

/// The next addresses that may be written to, in their order after `after`, each with its language.
pub(crate) async fn page_allowed(
    db: &impl ConnectionTrait,
    addresses: SelectStatement,
    after: Option<&str>,
    limit: u64,
) -> DbResult<Vec<(String, Language)>> {
    let mut query = allowed(addresses);
    if let Some(after) = after {
        query = query.filter(consent::Column::Email.gt(after));
    }
    let query = query.select_only().column(consent::Column::Email).column(consent::Column::Language);
    let rows: Vec<(String, String)> = query.order_by_asc(consent::Column::Email).limit(limit).into_tuple().all(db).await?;
    Ok(rows.into_iter().map(|(email, code)| (email, Language::parse(&code).unwrap_or_default())).collect())
}

/// How many unsubscribed by a link of this campaign.
pub(crate) async fn count_left(db: &impl ConnectionTrait, campaign: CampaignId) -> DbResult<u64> {
    let tokens = token::Entity::find().select_only().column(token::Column::Id);
    let tokens = tokens.filter(token::Column::CampaignId.eq(campaign.0)).into_query();
    let query = answer::Entity::find()
        .filter(answer::Column::Allow.eq(Permission::No.name()))
        .filter(answer::Column::TokenId.in_subquery(tokens))
        .select_only()
        .column(answer::Column::Email)
        .distinct();
    Ok(query.count(db).await?)
}

/// Deletes tokens that expired before `tokens`, and answers from before `proofs` that are refusals or were replaced before
/// then: what is in force, or ended less than three years ago, stays (PROMO-9).
pub(super) async fn delete_old(tx: &Tx, tokens: DateTime<Utc>, proofs: DateTime<Utc>) -> DbResult<u64> {
    let expired = token::Entity::delete_many().filter(token::Column::ExpiresAt.lt(tokens)).exec(&**tx).await?;
    let of = |column: answer::Column| Expr::col((answer::Entity, column));
    let later = |column: answer::Column| Expr::col((Alias::new("later"), column));
    let replaced = Query::select()
        .expr(Expr::val(1))
        .from_as(answer::Entity, Alias::new("later"))
        .and_where(later(answer::Column::Email).eq(of(answer::Column::Email)))
        .and_where(later(answer::Column::At).gt(of(answer::Column::At)))
        .and_where(later(answer::Column::At).lt(proofs))
        .take();
    let over = Condition::any().add(answer::Column::Allow.eq(Permission::No.name())).add(Expr::exists(replaced));
    let gone = answer::Entity::delete_many().filter(answer::Column::At.lt(proofs)).filter(over).exec(&**tx).await?;
    Ok(expired.rows_affected + gone.rows_affected)
}
