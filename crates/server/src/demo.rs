//! `serve --demo`: example companies, accounts and closed conferences on an empty database.
//!
//! *Invariant:* nothing of it exists without the flag, and nothing is added to a database that holds anything. The
//! passwords are made once and kept in `<data dir>/demo-accounts.txt` (mode 0600), so that each start prints them.

use crate::admin::MadeAccount;
use crate::app::App;
use crate::config::Config;
use crate::{demo_invoices, demo_notifications, private_file};
use anyhow::{Context, Result};
use atalaya_db::Tx;
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::legal;
use atalaya_identity::companies::model::NewCompany;
use atalaya_identity::companies::service as companies;
use atalaya_identity::insurers::service as insurers;
use atalaya_identity::users::model::NewUser;
use atalaya_identity::users::service as users;
use atalaya_identity::{Identity, IdentityError};
use atalaya_kernel::sources::{ManualClock, SystemEntropy};
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, Sources, UserId};
use atalaya_outreach::marketing::{self, Permission};
use atalaya_rest::caller::{Caller, Via};
use chrono::TimeDelta;
use secrecy::ExposeSecret;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Characters of a demo password; they are typed by hand.
const PASSWORD_LENGTH: usize = 10;
/// Days since the example companies started paying: past every trial and notice.
const PAYING_DAYS: i64 = 240;

struct Example {
    company: Place,
    role: Role,
    name: &'static str,
    surname: &'static str,
    user_name: &'static str,
    /// Printed beside the account.
    words: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Platform,
    Customer,
    Repairer,
    Workshop,
}

const fn example(
    company: Place,
    role: Role,
    name: &'static str,
    surname: &'static str,
    user_name: &'static str,
    words: &'static str,
) -> Example {
    Example { company, role, name, surname, user_name, words }
}

const PEOPLE: [Example; 8] = [
    example(Place::Platform, Role::Admin, "Elena", "Vidal", "admin@demo.atalaya.example", "administrator"),
    example(Place::Customer, Role::Customer, "Carmen", "Soler", "cliente@demo.atalaya.example", "customer"),
    example(Place::Customer, Role::Worker, "Ana", "Ruiz", "ana@demo.atalaya.example", "worker"),
    example(Place::Customer, Role::Worker, "Luis", "Ortega", "luis@demo.atalaya.example", "worker 2"),
    example(Place::Repairer, Role::Repairer, "Marta", "Gil", "reparador@demo.atalaya.example", "repairer"),
    example(
        Place::Repairer,
        Role::RepairerOperator,
        "Iván",
        "Peris",
        "operador.reparador@demo.atalaya.example",
        "repairer operator",
    ),
    example(Place::Workshop, Role::CarRepairShop, "Rosa", "Font", "taller@demo.atalaya.example", "workshop"),
    example(
        Place::Workshop,
        Role::WorkshopOperator,
        "Jorge",
        "Lara",
        "operador.taller@demo.atalaya.example",
        "workshop operator",
    ),
];

/// Fills an empty database, or finds what an earlier start filled it with. `None`: the database holds other data.
pub async fn prepare(config: &Config, app: &App) -> Result<Option<Vec<MadeAccount>>> {
    let file = accounts_file(&config.data_dir);
    if users::has_admin(&app.identity).await? {
        return Ok(std::fs::read_to_string(&file).ok().map(|text| parse(&text)));
    }
    let accounts: Vec<MadeAccount> = PEOPLE.iter().map(|person| account(config, app, person)).collect();
    write(&file, &accounts)?;
    fill(app, &accounts).await.context("the demo data")?;
    Ok(Some(accounts))
}

/// A person's account; a configured administrator keeps his name and password.
fn account(config: &Config, app: &App, person: &Example) -> MadeAccount {
    let password = app.identity.sources.base62(PASSWORD_LENGTH);
    let mut made = MadeAccount { user_name: person.user_name.to_owned(), password, role: person.words.to_owned() };
    if person.role == Role::Admin {
        if let Some(email) = &config.admin.email {
            made.user_name.clone_from(email);
        }
        if let Some(password) = &config.admin.password {
            password.expose_secret().clone_into(&mut made.password);
        }
    }
    made
}

async fn fill(app: &App, accounts: &[MadeAccount]) -> Result<()> {
    let identity = &app.identity;
    let mut hashes = Vec::new();
    for account in accounts {
        hashes.push(users::hash_password(identity, &account.password).await);
    }
    let tx = identity.db.write().await?;
    let mut places: Vec<(Place, CompanyId)> = vec![(Place::Platform, companies::platform_company(identity, &tx).await?)];
    for (place, new) in example_companies(identity) {
        places.push((place, companies::create_company(identity, &tx, new).await?));
    }
    let company = |place: Place| places.iter().find(|(p, _)| *p == place).expect("every place was just made").1;
    let mut people: Vec<(Place, Role, UserId)> = Vec::new();
    for ((person, account), hash) in PEOPLE.iter().zip(accounts).zip(hashes) {
        let parent = company(person.company);
        let mut new = NewUser::active(parent, person.role, person.name, person.surname, &account.user_name, hash);
        new.support = person.role == Role::Customer;
        let id = users::create_user(identity, &tx, new).await?;
        people.push((person.company, person.role, id));
    }
    accept_terms(identity, &tx, &people, company).await?;
    tx.commit().await.map_err(IdentityError::from)?;
    let admin = people.iter().find(|(_, role, _)| *role == Role::Admin).expect("the examples have one").2;
    let (caller, origin) = by_administrator(identity, admin, company(Place::Platform));
    insurers(identity, &caller, &origin, company(Place::Customer)).await?;
    let workers: Vec<UserId> = people.iter().filter(|(_, role, _)| *role == Role::Worker).map(|(.., id)| *id).collect();
    atalaya_assistance::demo::seed(&app.assistance, &atalaya_client_files::demo::Requests, company(Place::Customer), &workers)
        .await?;
    incidences(app, &caller, &people, &company).await?;
    demo_invoices::seed(app, &caller, &origin, company(Place::Customer), &workers).await?;
    let everybody: Vec<UserId> = people.iter().map(|(.., id)| *id).collect();
    demo_notifications::seed(app, &caller, &origin, &everybody).await?;
    // Some want advertising, one does not, the others were not asked: a campaign has somebody to go to.
    for (place, role, id) in people.iter().filter(|(_, role, _)| role.is_principal() || *role == Role::Worker) {
        let own = Caller { user: *id, role: *role, company: company(*place), ..caller };
        marketing::set_consent(&app.outreach, &own, Permission::of(*role != Role::Repairer), &origin).await?;
    }
    Ok(())
}

/// What the example administrator does by himself.
fn by_administrator(identity: &Identity, admin: UserId, platform: CompanyId) -> (Caller, Origin) {
    let caller = Caller {
        user: admin,
        role: Role::Admin,
        company: platform,
        session: identity.sources.id(),
        support: false,
        language: None,
        via: Via::Bearer,
    };
    (caller, Origin { address: Ipv4Addr::LOCALHOST.into(), user_agent: None })
}

/// Support tickets of both workers and of the workshop, answered by the administrator.
async fn incidences(
    app: &App,
    admin: &Caller,
    people: &[(Place, Role, UserId)],
    company: impl Fn(Place) -> CompanyId,
) -> Result<()> {
    let of = |wanted: Role| {
        let own = people.iter().filter(move |(_, role, _)| *role == wanted);
        own.map(|(place, role, user)| Caller { user: *user, role: *role, company: company(*place), ..*admin }).collect::<Vec<_>>()
    };
    let (workers, workshops) = (of(Role::Worker), of(Role::CarRepairShop));
    if let ([ana, luis, ..], [workshop, ..]) = (&workers[..], &workshops[..]) {
        atalaya_records::demo::seed_incidences(&app.records, admin, [ana, luis], workshop).await?;
    }
    Ok(())
}

/// Every example company's principal has accepted the terms in force.
async fn accept_terms(
    identity: &Identity,
    tx: &Tx,
    people: &[(Place, Role, UserId)],
    company: impl Fn(Place) -> CompanyId,
) -> Result<()> {
    let texts = legal::texts(identity, None, None, Language::Es).await?;
    // When they began to pay: what they used since then has a price.
    let clock = ManualClock::at(identity.sources.now() - TimeDelta::days(PAYING_DAYS));
    let then = Identity { sources: Sources::new(clock, Arc::new(SystemEntropy)), ..identity.clone() };
    for (place, role, user) in people.iter().filter(|(_, role, _)| role.is_principal()) {
        let by = legal::Actor::new(*user, *role);
        legal::accept(&then, tx, company(*place), &texts, &by).await?;
    }
    Ok(())
}

/// Insurance companies, all of which the example customer works for.
async fn insurers(identity: &Identity, caller: &Caller, origin: &Origin, customer: CompanyId) -> Result<()> {
    let mut ids = Vec::new();
    for name in ["Mutua Albufera", "Previsora del Turia", "Seguros Levantinos"] {
        ids.push(insurers::create_insurer(identity, caller, origin, name.into()).await?.id);
    }
    ids.sort_unstable();
    insurers::put_insurers(identity, caller, origin, customer, &ids).await?;
    Ok(())
}

fn example_companies(identity: &Identity) -> [(Place, NewCompany); 3] {
    let since = identity.sources.now() - TimeDelta::days(PAYING_DAYS);
    let place = |kind, name: &str, contact: &str, cif: &str, city: &str, code: &str, email: &str| {
        let mut new = NewCompany::named(kind, name).paying(since);
        new.contact_name = contact.into();
        new.cif = Some(cif.into());
        new.address = Some("Calle Mayor, 12".into());
        new.city = Some(city.into());
        new.region = Some(city.into());
        new.postal_code = Some(code.into());
        new.email = Some(email.into());
        new.phone = Some("+34960000000".into());
        new.mobile = Some("+34600000000".into());
        new
    };
    [
        (
            Place::Customer,
            place(
                CompanyKind::Customer,
                "Peritaciones Levante",
                "Carmen Soler",
                "B46000014",
                "Valencia",
                "46001",
                "cliente@demo.atalaya.example",
            ),
        ),
        (
            Place::Repairer,
            place(
                CompanyKind::Repairer,
                "Reparaciones Turia",
                "Marta Gil",
                "B46000022",
                "Valencia",
                "46002",
                "reparador@demo.atalaya.example",
            ),
        ),
        (
            Place::Workshop,
            place(
                CompanyKind::CarRepairShop,
                "Talleres Júcar",
                "Rosa Font",
                "B02000016",
                "Albacete",
                "02001",
                "taller@demo.atalaya.example",
            ),
        ),
    ]
}

fn accounts_file(data_dir: &Path) -> PathBuf {
    data_dir.join("demo-accounts.txt")
}

/// Written before the accounts are, so that no account exists whose password nobody can know.
fn write(file: &Path, accounts: &[MadeAccount]) -> Result<()> {
    let line = |one: &MadeAccount| format!("{}\t{}\t{}\n", one.user_name, one.password, one.role);
    private_file::write(file, &accounts.iter().map(line).collect::<String>())
}

fn parse(text: &str) -> Vec<MadeAccount> {
    let account = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        Some(MadeAccount { user_name: words.next()?, password: words.next()?, role: words.next()? })
    };
    text.lines().filter_map(account).collect()
}
