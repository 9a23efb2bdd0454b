//! `serve --demo`: example companies, accounts and closed conferences on an empty database (DESIGN §1).
//!
//! *Invariant:* nothing of it exists without the flag, and nothing is added to a database that holds anything. The
//! passwords are made once and kept in `<data dir>/demo-accounts.txt` (mode 0600), so that each start prints them.

use crate::admin::MadeAccount;
use crate::app::App;
use crate::config::Config;
use anyhow::{Context, Result};
use atalaya_identity::companies::model::NewCompany;
use atalaya_identity::companies::service as companies;
use atalaya_identity::users::model::NewUser;
use atalaya_identity::users::service as users;
use atalaya_identity::{Identity, IdentityError};
use atalaya_kernel::{CompanyId, CompanyKind, Role, UserId};
use chrono::TimeDelta;
use secrecy::ExposeSecret;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Characters of a demo password; they are typed by hand.
const PASSWORD_LENGTH: usize = 10;
/// Days since the example companies started paying: past every trial and notice.
const PAYING_DAYS: i64 = 60;

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
    let mut workers: Vec<UserId> = Vec::new();
    for ((person, account), hash) in PEOPLE.iter().zip(accounts).zip(hashes) {
        let parent = company(person.company);
        let mut new = NewUser::active(parent, person.role, person.name, person.surname, &account.user_name, hash);
        new.support = person.role == Role::Customer;
        let id = users::create_user(identity, &tx, new).await?;
        if person.role == Role::Worker {
            workers.push(id);
        }
    }
    tx.commit().await.map_err(IdentityError::from)?;
    atalaya_assistance::demo::seed(&app.assistance, company(Place::Customer), &workers).await?;
    Ok(())
}

fn example_companies(identity: &Identity) -> [(Place, NewCompany); 3] {
    let since = identity.sources.now() - TimeDelta::days(PAYING_DAYS);
    let place = |kind, name: &str, cif: &str, city: &str, code: &str, email: &str| {
        let mut new = NewCompany::named(kind, name).paying(since);
        new.cif = Some(cif.into());
        new.address = Some("Calle Mayor, 12".into());
        new.city = Some(city.into());
        new.region = Some(city.into());
        new.postal_code = Some(code.into());
        new.email = Some(email.into());
        new.phone = Some("+34960000000".into());
        new
    };
    [
        (
            Place::Customer,
            place(
                CompanyKind::Customer,
                "Peritaciones Levante",
                "B46000017",
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
                "B46000025",
                "Valencia",
                "46002",
                "reparador@demo.atalaya.example",
            ),
        ),
        (
            Place::Workshop,
            place(CompanyKind::CarRepairShop, "Talleres Júcar", "B02000012", "Albacete", "02001", "taller@demo.atalaya.example"),
        ),
    ]
}

fn accounts_file(data_dir: &Path) -> PathBuf {
    data_dir.join("demo-accounts.txt")
}

/// Written before the accounts are, so that no account exists whose password nobody can know.
fn write(file: &Path, accounts: &[MadeAccount]) -> Result<()> {
    let mut out = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(file)
        .with_context(|| format!("cannot write {}", file.display()))?;
    for account in accounts {
        writeln!(out, "{}\t{}\t{}", account.user_name, account.password, account.role)?;
    }
    Ok(())
}

fn parse(text: &str) -> Vec<MadeAccount> {
    let account = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        Some(MadeAccount { user_name: words.next()?, password: words.next()?, role: words.next()? })
    };
    text.lines().filter_map(account).collect()
}
