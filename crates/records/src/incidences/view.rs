//! Incidences on the wire.

use crate::Records;
use crate::diagnostics::Diagnostics;
use crate::tickets::model::{IncidenceError, Standing, moves, shown_number};
use crate::tickets::{self, Entry, EntryKind, Filter, Image, Incidence, LogLine, Scope};
use atalaya_identity::companies;
use atalaya_identity::users::{User, service as users};
use atalaya_kernel::{CompanyId, ConferenceId, IncidenceId, UserId};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use utoipa::ToSchema;
use uuid::Uuid;

/// A line of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Incidence)]
pub struct IncidenceRow {
    #[serde(rename = "_id")]
    pub(super) id: IncidenceId,
    /// `INC-000123`.
    pub(crate) number: String,
    /// 1 conference, 2 general.
    #[serde(rename = "type")]
    pub(crate) kind: i16,
    /// 1 audio, 2 video, 3 sms, 4 geo, 5 others.
    pub(crate) reason: i16,
    /// 1 SIN_ATENDER, 2 REVISION, 3 REABIERTA, 4 ARCHIVADA.
    pub(crate) status: i16,
    /// Empty once its conference was erased.
    pub(crate) comments: String,
    pub(crate) expedient_number: Option<String>,
    /// The same case number, by the name of the form's field.
    pub(super) expedient_id: Option<String>,
    pub(super) conference_id: Option<ConferenceId>,
    /// Always null: the token of an open conference is given with its details only.
    pub(super) jwt: Option<String>,
    /// The author's company.
    pub(super) parent: CompanyId,
    pub(crate) author: IncidencePerson,
    pub(crate) company: IncidenceCompany,
    pub(crate) created_at: DateTime<Utc>,
    /// The last answer or change of status.
    pub(crate) updated_at: DateTime<Utc>,
    /// Of the incidence and of its answers.
    pub(super) image_count: i32,
    pub(crate) answer_count: i32,
    pub(super) last_answer_at: Option<DateTime<Utc>>,
    /// Something happened since the caller last opened it, and it was not him.
    pub(super) unread: bool,
    /// Its personal data was erased together with its conference.
    pub(crate) erased: bool,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidencePerson {
    #[serde(rename = "_id")]
    pub(super) id: UserId,
    pub(crate) name: String,
    #[schema(value_type = i16)]
    pub(super) role: i16,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidenceCompany {
    #[serde(rename = "_id")]
    pub(super) id: CompanyId,
    pub(crate) company: String,
}

/// Everything of one incidence.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IncidenceDetail {
    #[serde(flatten)]
    row: IncidenceRow,
    /// E.164.
    phone_number: Option<String>,
    /// Of the incidence itself.
    images: Vec<IncidenceImage>,
    /// In order.
    answers: Vec<IncidenceAnswer>,
    /// Empty for others than administrators.
    notes: Vec<IncidenceNote>,
    /// A summary for others than administrators.
    diagnostics: Option<Diagnostics>,
    /// Statuses that the caller may set now.
    moves: Vec<i16>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidenceImage {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    width: i32,
    height: i32,
    /// `/api/v1/incidence-image/{_id}`
    src: String,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidenceAnswer {
    #[serde(rename = "_id")]
    id: Uuid,
    at: DateTime<Utc>,
    author: IncidencePerson,
    /// Empty when only images were sent.
    text: String,
    images: Vec<IncidenceImage>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidenceNote {
    #[serde(rename = "_id")]
    id: Uuid,
    at: DateTime<Utc>,
    author: IncidencePerson,
    text: String,
}

/// A line of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidenceLog {
    #[serde(rename = "_id")]
    id: Uuid,
    at: DateTime<Utc>,
    actor: IncidencePerson,
    /// `created`, `status`, `answer`, `note` or `image`.
    action: String,
    /// The status before, of `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    from: Option<i16>,
    /// The status after, of `status` and `created`; how many images, of `image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    to: Option<i16>,
}

/// Users and companies by id; those that no longer exist have no name.
struct Names {
    users: HashMap<UserId, User>,
    companies: HashMap<CompanyId, String>,
}

impl Names {
    async fn of(deps: &Records, users: BTreeSet<Uuid>, companies: BTreeSet<Uuid>) -> Result<Self, IncidenceError> {
        let users = users::list_by_ids(&deps.identity, users.into_iter().map(UserId)).await?;
        let companies: Vec<CompanyId> = companies.into_iter().map(CompanyId).collect();
        Ok(Self {
            users: users.into_iter().map(|user| (user.id, user)).collect(),
            companies: companies::service::names(&deps.identity, &companies).await?,
        })
    }

    fn person(&self, id: Uuid) -> IncidencePerson {
        let id = UserId(id);
        let found = self.users.get(&id);
        IncidencePerson {
            id,
            name: found.map(User::display_name).unwrap_or_default(),
            role: found.map_or(0, |user| user.role.into()),
        }
    }

    fn company(&self, id: Uuid) -> IncidenceCompany {
        let id = CompanyId(id);
        IncidenceCompany { id, company: self.companies.get(&id).cloned().unwrap_or_default() }
    }
}

fn row(model: &Incidence, names: &Names, caller: &Caller, read_at: Option<DateTime<Utc>>) -> IncidenceRow {
    IncidenceRow {
        id: IncidenceId(model.id),
        number: shown_number(model.number),
        kind: model.kind.into(),
        reason: model.reason.into(),
        status: model.status.into(),
        comments: model.comments.clone(),
        expedient_number: model.expedient_number.clone(),
        expedient_id: model.expedient_number.clone(),
        conference_id: model.conference_id.map(ConferenceId),
        jwt: None,
        parent: CompanyId(model.company_id),
        author: names.person(model.author_id),
        company: names.company(model.company_id),
        created_at: model.created_at,
        updated_at: model.updated_at,
        image_count: model.image_count,
        answer_count: model.answer_count,
        last_answer_at: model.last_answer_at,
        unread: model.last_by != caller.user.0 && read_at.is_none_or(|at| at < model.updated_at),
        erased: model.data_key.is_none(),
    }
}

/// Rows as lists show them to the caller.
pub async fn rows(deps: &Records, caller: &Caller, models: &[Incidence]) -> Result<Vec<IncidenceRow>, IncidenceError> {
    let ids: Vec<Uuid> = models.iter().map(|model| model.id).collect();
    let authors = models.iter().map(|model| model.author_id).collect();
    let names = Names::of(deps, authors, models.iter().map(|model| model.company_id).collect()).await?;
    let read = tickets::readings(deps.db.read(), caller.user, &ids).await?;
    Ok(models.iter().map(|model| row(model, &names, caller, read.get(&model.id).copied())).collect())
}

/// The same for a workbook, which does not say what is unread: its thousands of rows are no list of ids to ask about.
pub async fn plain(deps: &Records, caller: &Caller, models: &[Incidence]) -> Result<Vec<IncidenceRow>, IncidenceError> {
    let authors = models.iter().map(|model| model.author_id).collect();
    let names = Names::of(deps, authors, models.iter().map(|model| model.company_id).collect()).await?;
    Ok(models.iter().map(|model| row(model, &names, caller, None)).collect())
}

/// The incidences about a case that the caller may see, the latest change first.
pub async fn of_expedient(deps: &Records, caller: &Caller, key: &str) -> Result<Vec<IncidenceRow>, IncidenceError> {
    let filter = Filter { expedient_key: Some(key.to_owned()), ..Filter::of(Scope::of(caller)) };
    let models = tickets::list(deps.db.read(), &filter, atalaya_rest::page::Slice { offset: 0, limit: 100 }).await?;
    rows(deps, caller, &models).await
}

/// Everything of an incidence that the caller may see.
pub async fn detail(deps: &Records, caller: &Caller, model: &Incidence) -> Result<IncidenceDetail, IncidenceError> {
    let entries = tickets::entries(deps.db.read(), model.id).await?;
    let images = tickets::images(deps.db.read(), model.id).await?;
    let mut people: BTreeSet<Uuid> = entries.iter().map(|entry| entry.author_id).collect();
    people.insert(model.author_id);
    let names = Names::of(deps, people, [model.company_id].into()).await?;
    let read = tickets::readings(deps.db.read(), caller.user, &[model.id]).await?;
    let of = |entry: Option<Uuid>| images.iter().filter(|image| image.entry_id == entry).map(IncidenceImage::of).collect();
    let admin = caller.is_admin();
    let standing = Standing { admin, author: model.author_id == caller.user.0 };
    let diagnostics = model.diagnostics.as_ref().and_then(|stored| Diagnostics::deserialize(stored).ok());
    let answer = |entry: &Entry| IncidenceAnswer {
        id: entry.id,
        at: entry.at,
        author: names.person(entry.author_id),
        text: entry.text.clone(),
        images: of(Some(entry.id)),
    };
    let note = |entry: &Entry| IncidenceNote {
        id: entry.id,
        at: entry.at,
        author: names.person(entry.author_id),
        text: entry.text.clone(),
    };
    let of_kind = |kind: EntryKind| entries.iter().filter(move |entry| entry.kind == kind);
    Ok(IncidenceDetail {
        row: row(model, &names, caller, read.get(&model.id).copied()),
        phone_number: model.phone_number.clone(),
        images: of(None),
        answers: of_kind(EntryKind::Answer).map(answer).collect(),
        notes: if admin { of_kind(EntryKind::Note).map(note).collect() } else { Vec::new() },
        diagnostics: diagnostics.map(|all| if admin { all } else { all.summary() }),
        moves: moves(model.status, standing).iter().map(|s| (*s).into()).collect(),
    })
}

impl IncidenceImage {
    fn of(image: &Image) -> Self {
        let src = format!("/api/v1/incidence-image/{}", image.id);
        Self { id: image.id, name: image.name.clone(), width: image.width, height: image.height, src }
    }
}

/// The log as the caller may see it: only administrators see that there are notes (INCID-13).
pub async fn logs(deps: &Records, caller: &Caller, model: &Incidence) -> Result<Vec<IncidenceLog>, IncidenceError> {
    let lines = tickets::logs(deps.db.read(), model.id).await?;
    let names = Names::of(deps, lines.iter().map(|line| line.actor_id).collect(), BTreeSet::new()).await?;
    let view = |line: &LogLine| IncidenceLog {
        id: line.id,
        at: line.at,
        actor: names.person(line.actor_id),
        action: line.action.clone(),
        from: line.from,
        to: line.to,
    };
    Ok(lines.iter().filter(|line| caller.is_admin() || line.action != "note").map(view).collect())
}
