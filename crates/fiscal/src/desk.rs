//! The form of a company: what of it is written at once, and what becomes a request (FISCAL-2).

use crate::model::{FIELDS, is_another_taxpayer};
use crate::notices::{self, Outcome};
use crate::service::{self, Wish};
use crate::versions::{self, NewVersion};
use crate::{Fiscal, FiscalResult, store};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_identity::IdentityResult;
use atalaya_identity::companies::desk::{Edit, FiscalDesk, Ruling, Texts};
use atalaya_kernel::calendar;

/// Rules on the forms of companies.
pub struct Desk(pub Fiscal);

#[async_trait]
impl FiscalDesk for Desk {
    async fn rule(&self, tx: &Tx, edit: Edit<'_>, texts: Texts) -> IdentityResult<Ruling> {
        Ok(rule(&self.0, tx, edit, texts).await?)
    }
}

async fn rule(d: &Fiscal, tx: &Tx, edit: Edit<'_>, texts: Texts) -> FiscalResult<Ruling> {
    let before = store::current(&**tx, edit.before).await?;
    let after = before.with(&texts).home_with(&before);
    let changed = before.differing(&after);
    if changed.is_empty() {
        return Ok(Ruling { texts, ..Ruling::default() });
    }
    if !edit.caller.is_admin() {
        let (fiscal, others): (Texts, Texts) = texts.into_iter().partition(|(field, _)| FIELDS.contains(field));
        let wanted = fiscal.into_iter().filter(|(field, _)| changed.contains(field)).collect();
        let since = calendar::day(d.sources.now());
        let wish = Wish { wanted, since, note: None };
        let request = service::open(d, tx, edit, wish, None).await?;
        return Ok(Ruling { texts: others, request: Some(Some(request.id)), ..Ruling::default() });
    }
    let anew = is_another_taxpayer(edit.before.kind, &before, &after);
    let new = NewVersion {
        since: calendar::day(d.sources.now()),
        regime: service::regime_after(d, edit.before, &before, &after).await?,
        block: after,
        reason: None,
        vies: None,
        asked_by: edit.caller.user,
        approved_by: edit.caller.user,
        request: None,
    };
    let version = versions::add(d, tx, edit.before, new).await?;
    if anew {
        service::tell_tax_id(d, tx, edit.before.id).await?;
    }
    let told = notices::tell_company(d, tx, edit.before, Outcome::Changed, anew).await?;
    let outreach = d.outreach.clone();
    let after = Some(Box::new(move || outreach.announce(told)) as Box<dyn FnOnce() + Send>);
    Ok(Ruling { texts, version: Some(version), anew, after, request: None })
}
