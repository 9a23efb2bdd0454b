//! Companies and people for tests.

use crate::{Client, TestApp};
use atalaya_identity::auth::service::{Origin, open_session};
use atalaya_identity::companies::{NewCompany, legal, service as companies};
use atalaya_identity::users::{NewUser, service as users};
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, UserId};
use chrono::TimeDelta;
use std::net::{IpAddr, Ipv4Addr};

/// Everybody's password.
pub const PASSWORD: &str = "caballo-correcto-grapa";

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub company: CompanyId,
    pub role: Role,
    pub user_name: String,
}

/// The kind of company a role belongs to.
pub fn kind_of(role: Role) -> CompanyKind {
    match role {
        Role::Admin | Role::PasswordOperator | Role::Empty => CompanyKind::Platform,
        Role::Customer | Role::Worker => CompanyKind::Customer,
        Role::Repairer | Role::RepairerOperator => CompanyKind::Repairer,
        Role::CarRepairShop | Role::WorkshopOperator => CompanyKind::CarRepairShop,
    }
}

impl TestApp {
    /// A company that may call: active, terms accepted, IBAN on file, paying for 60 days.
    pub async fn company(&self, kind: CompanyKind, name: &str) -> CompanyId {
        self.company_with(NewCompany::named(kind, name).paying(self.sources.now() - TimeDelta::days(60))).await
    }

    pub async fn company_with(&self, new: NewCompany) -> CompanyId {
        let tx = self.identity.db.write().await.expect("a transaction");
        let id = companies::create_company(&self.identity, &tx, new).await.expect("the company is created");
        tx.commit().await.expect("committed");
        id
    }

    /// Its principal accepts the terms and the price table in force now; without it nothing that it uses has a price.
    pub async fn accept_terms(&self, person: &Person) {
        let identity = &self.identity;
        // Texts and prices are in force from the tests' beginning; who accepts before it takes the same.
        let now = self.sources.now();
        self.clock.set(now.max(crate::app::start()));
        let texts = legal::texts(identity, Some(person.company), None, Language::Es).await.expect("there are terms");
        self.clock.set(now);
        let tx = identity.db.write().await.expect("a transaction");
        let by = legal::Actor::new(person.id, person.role);
        legal::accept(identity, &tx, person.company, &texts, &by).await.expect("the terms are accepted");
        tx.commit().await.expect("committed");
    }

    /// The one platform company.
    pub async fn platform(&self) -> CompanyId {
        let tx = self.identity.db.write().await.expect("a transaction");
        let id = companies::platform_company(&self.identity, &tx).await.expect("there is one");
        tx.commit().await.expect("committed");
        id
    }

    /// Somebody of this role in this company.
    pub async fn person_in(&self, company: CompanyId, role: Role) -> Person {
        self.person_with(company, role, |_| {}).await
    }

    /// The same, changed before it is stored.
    pub async fn person_with(&self, company: CompanyId, role: Role, change: impl FnOnce(&mut NewUser)) -> Person {
        let hash = self.password_hash().await;
        let email = format!("p{}@ejemplo.es", self.next());
        let mut new = NewUser::active(company, role, "Nombre", "Apellido", &email, hash);
        change(&mut new);
        let user_name = new.user_name.clone();
        let tx = self.identity.db.write().await.expect("a transaction");
        let id = users::create_user(&self.identity, &tx, new).await.expect("the user is created");
        tx.commit().await.expect("committed");
        Person { id, company, role, user_name }
    }

    /// Somebody of this role in a new company of the fitting kind (the platform for roles 1 and 8).
    pub async fn person(&self, role: Role) -> Person {
        let company = match kind_of(role) {
            CompanyKind::Platform => self.platform().await,
            kind => self.company(kind, &format!("Empresa {}", self.next())).await,
        };
        self.person_in(company, role).await
    }

    /// A browser in which this person is logged in.
    pub async fn log_in(&self, person: &Person) -> Client {
        self.log_in_with(person, None).await
    }

    /// From this browser.
    pub async fn log_in_from(&self, person: &Person, user_agent: &str) -> Client {
        self.log_in_with(person, Some(user_agent.to_owned())).await
    }

    async fn log_in_with(&self, person: &Person, user_agent: Option<String>) -> Client {
        let origin = Origin { address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), user_agent };
        let issued = open_session(&self.identity, person.id, &origin).await.expect("a session opens");
        self.anonymous().with_token(issued.token)
    }

    /// Somebody new of this role, logged in.
    pub async fn as_role(&self, role: Role) -> Client {
        let person = self.person(role).await;
        self.log_in(&person).await
    }
}
