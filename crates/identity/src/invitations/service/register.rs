//! An invited company registers itself, with its principal.

use super::accounts::{finish, read};
use super::{Created, messages};
use crate::audit::{self, Action, Entry};
use crate::companies::form::{self, BankAccount, Checked, Field, Purpose};
use crate::companies::service as companies;
use crate::directory::{self, NewCompany, NewUser};
use crate::invitations::model::{self, CompanyForm};
use crate::links::{self, Link};
use crate::terms_acceptance::{self as terms, Actor};
use crate::{Identity, IdentityError, IdentityResult, Origin, users};
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, Status};
use atalaya_rest::FieldError;
use serde_json::json;

/// Creates the company an invitation is for, pending until an administrator activates it, with its principal.
///
/// Errors: as [`read`] (also for an invitation of another kind), 422 with every wrong field,
/// [`IdentityError::CompanyExists`].
pub async fn register(
    d: &Identity,
    token: &str,
    kind: CompanyKind,
    sent: &CompanyForm,
    origin: &Origin,
    wants_session: bool,
) -> IdentityResult<Created> {
    let (link, role) = read(d, token).await?;
    if role != model::principal_of(kind) {
        return Err(IdentityError::LinkInvalid);
    }
    let checked = check(sent, &link)?;
    let language = sent.language.unwrap_or(link.language);
    let accepted = terms::texts(d, None, sent.legal_id, language).await?;
    let mailbox = admin_mailbox(d).await?;
    let new = new_company(kind, &checked, language);
    let password = d.passwords.hash(sent.password.as_deref().unwrap_or_default()).await;

    let tx = d.db.write().await?;
    links::service::hold(d, &tx, &link).await?;
    let company = companies::create_company(d, &tx, new).await?;
    let principal = new_principal(company, &link, role, &checked, language);
    let user = users::service::create_user(d, &tx, NewUser { password: Some(password), ..principal }).await?;
    links::service::spend(d, &tx, &link, Some(user)).await?;
    let created = Entry::company(Action::CompanyCreated, company).by_user(user, role).from(origin.address);
    audit::service::record(d, &tx, created.detail(json!({"type": i16::from(kind)}))).await?;
    let created = Entry::user(Action::UserCreated, company, user).by_user(user, role).from(origin.address);
    audit::service::record(d, &tx, created.detail(json!({"type": i16::from(role)}))).await?;
    terms::accept(d, &tx, company, &accepted, &Actor::new(user, role).at(origin)).await?;
    let stored = directory::find_company(&*tx, company).await?.ok_or(IdentityError::CompanyNotFound)?;
    if let Some(mailbox) = mailbox {
        messages::send_admin_enable(d, &tx, &mailbox, &stored).await?;
    }
    let created = finish(d, &tx, user, origin, wants_session).await?;
    tx.commit().await?;
    d.outbox.wake();
    Ok(created)
}

/// Checks everything that was typed and answers all mistakes together.
fn check(sent: &CompanyForm, link: &Link) -> IdentityResult<Checked> {
    let mut input = sent.company.clone();
    if link.address.contains('@') {
        // What the invitation was sent to is read-only.
        input.email = Some(Some(link.address.clone()));
    } else {
        input.mobile = Some(Some(link.address.clone()));
    }
    let (checked, mut errors) = match form::check(&input, Purpose::Create) {
        Ok(checked) => (checked, Vec::new()),
        Err(errors) => (Checked::default(), errors),
    };
    let typed = [&input.email, &input.name, &input.company, &input.city, &input.mobile];
    let typed = typed.into_iter().filter_map(|text| text.as_ref()?.as_deref());
    let guessable: Vec<&str> = [link.address.as_str()].into_iter().chain(typed).collect();
    model::check_password(sent.password.as_deref(), &guessable, &mut errors);
    if !sent.legal {
        errors.push(FieldError::new("legal", "LEGAL_REQUIRED"));
    }
    if errors.is_empty() { Ok(checked) } else { Err(IdentityError::Invalid(errors)) }
}

/// The administrator's mailbox; without one configured, the e-mail of the oldest active administrator who has one.
pub async fn admin_mailbox(d: &Identity) -> IdentityResult<Option<String>> {
    if !d.settings.admin_mailbox.is_empty() {
        return Ok(Some(d.settings.admin_mailbox.clone()));
    }
    Ok(directory::first_with_email(d.db.read(), Role::Admin).await?)
}

fn new_company(kind: CompanyKind, checked: &Checked, language: Language) -> NewCompany {
    let text = |field| checked.get(field).map(str::to_owned);
    let mut new = NewCompany::named(kind, text(Field::Company).unwrap_or_default());
    new.contact_name = text(Field::Name).unwrap_or_default();
    new.cif = text(Field::Cif);
    new.address = text(Field::Address);
    new.city = text(Field::City);
    new.region = text(Field::Region);
    new.postal_code = text(Field::PostalCode);
    new.email = text(Field::Email);
    new.phone = text(Field::Phone);
    new.mobile = text(Field::Mobile);
    new.language = language;
    if let BankAccount::Set(iban) = &checked.bank_account {
        new.iban = Some(iban.as_str().to_owned());
    }
    new
}

/// The principal bears the contact person's name.
fn new_principal(company: CompanyId, link: &Link, role: Role, checked: &Checked, language: Language) -> NewUser {
    let text = |field| checked.get(field).map(str::to_owned);
    let (name, surname) = split_name(checked.get(Field::Name).unwrap_or_default());
    let by_phone = !link.address.contains('@');
    NewUser {
        parent: company,
        role,
        status: Status::PendingValidation,
        name,
        surname,
        user_name: link.address.clone(),
        email: text(Field::Email),
        phone: if by_phone { Some(link.address.clone()) } else { text(Field::Mobile) },
        password: None,
        support: false,
        legal: true,
        language,
    }
}

/// The form has one field for the contact person: the first word is the name, the rest the surname.
fn split_name(contact: &str) -> (String, String) {
    let (name, surname) = contact.split_once(' ').unwrap_or((contact, ""));
    (name.to_owned(), surname.trim().to_owned())
}
