//! A company, and three pure functions over one set of billing facts: banner, video-call guard, blocked.

use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, Status};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use uuid::Uuid;

/// Days after the payment start in which complete companies read about their first bill (COMPANY-8).
pub const BILLING_NOTICE_DAYS: i64 = 10;

/// A tenant. The IBAN itself is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    pub id: CompanyId,
    pub kind: CompanyKind,
    pub status: Status,
    /// `company` on the wire: the firm's name.
    pub name: String,
    pub contact_name: String,
    pub cif: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub region: Option<String>,
    pub postal_code: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub mobile: Option<String>,
    pub language: Language,
    /// The company's own text of the SMS to end clients; the default text when `None`.
    pub sms_text: Option<String>,
    /// The sender name of its SMS, once it is registered; the platform's when `None` (SMS-6).
    pub sms_sender: Option<String>,
    /// Its SMS go without the accents that make them dearer.
    pub sms_fold: bool,
    /// A link whose SMS did not arrive may go by WhatsApp.
    pub sms_whatsapp: bool,
    /// A link goes by WhatsApp first, and by SMS where that does not arrive.
    pub sms_whatsapp_first: bool,
    pub iban_last4: Option<String>,
    /// Days the media are kept when the contract says longer than the default.
    pub retention_days: Option<i32>,
    /// The last version of its fiscal data; 0 while they are those of the beginning (FISCAL-1).
    pub fiscal_version: i32,
    /// The open request for other fiscal data.
    pub fiscal_request: Option<Uuid>,
    pub billing: BillingFacts,
}

/// What a company to be created starts with.
#[derive(Clone, Debug)]
pub struct NewCompany {
    pub kind: CompanyKind,
    pub status: Status,
    pub name: String,
    pub contact_name: String,
    pub cif: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub region: Option<String>,
    pub postal_code: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub mobile: Option<String>,
    /// In clear; sealed before it is stored.
    pub iban: Option<String>,
    pub language: Language,
    pub sms_text: Option<String>,
    /// A registered one.
    pub sms_sender: Option<String>,
    /// The principal accepted the terms.
    pub legal: bool,
    pub pay_start_at: Option<DateTime<Utc>>,
    pub retention_days: Option<i32>,
}

impl NewCompany {
    /// A company of this kind and name, pending and otherwise empty.
    pub fn named(kind: CompanyKind, name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            kind,
            status: Status::PendingValidation,
            contact_name: name.clone(),
            name,
            cif: None,
            address: None,
            city: None,
            region: None,
            postal_code: None,
            email: None,
            phone: None,
            mobile: None,
            iban: None,
            language: Language::default(),
            sms_text: None,
            sms_sender: None,
            legal: false,
            pay_start_at: None,
            retention_days: None,
        }
    }

    /// The same with everything that it needs to work: active, terms accepted, IBAN, payment started.
    pub fn paying(mut self, pay_start_at: DateTime<Utc>) -> Self {
        self.status = Status::Active;
        self.legal = true;
        self.iban = Some("ES9121000418450200051332".into());
        self.pay_start_at = Some(pay_start_at);
        self
    }
}

/// What banner, guard and blocking are decided from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BillingFacts {
    pub kind: CompanyKind,
    pub status: Status,
    /// The terms are accepted.
    pub legal: bool,
    /// A bank account is on file.
    pub has_iban: bool,
    /// When payment starts; without one it started when the company was created, for every rule and for its invoices.
    pub pay_start_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// The header's banner (COMPANY-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    pub kind: BannerKind,
    /// The message has a link to complete the company's data.
    pub link: bool,
    /// The end of the trial, or the day billing started.
    pub date: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BannerKind {
    /// The payment start is ahead.
    Trial,
    /// The payment start has passed and data or acceptance are missing.
    Expired,
    /// Billing has just started.
    Billing,
}

/// What a company lacks before video-call requests reach it (REQUEST-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    /// The terms are not accepted.
    Legal,
    /// There is no bank account.
    Iban,
    /// The payment start is ahead.
    PayStart,
    /// It is not active.
    Status,
}

/// Why a company may not open video calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRefusal {
    /// Terms or bank account are missing.
    Incomplete,
    /// The payment start has passed and its invoices are unpaid.
    Unpaid,
    /// The payment start has passed and it is not active for another reason.
    Inactive,
}

impl CallRefusal {
    /// The error code; it differs for those who can complete what is missing.
    pub fn code(self, principal: bool) -> &'static str {
        match (self, principal) {
            (Self::Incomplete, true) => "VIDEO_CALL_NOT_ALLOWED_CUSTOMER",
            (Self::Incomplete, false) => "VIDEO_CALL_NOT_ALLOWED_WORKER",
            (Self::Unpaid, _) => "VIDEO_CALL_NOT_ALLOWED_UNPAID",
            (Self::Inactive, _) => "VIDEO_CALL_NOT_ALLOWED_INACTIVE",
        }
    }
}

impl BillingFacts {
    /// When payment starts (`pay_startAt`, else creation).
    pub fn pay_start(&self) -> DateTime<Utc> {
        self.pay_start_at.unwrap_or(self.created_at)
    }

    /// Terms and bank account are there.
    pub fn is_complete(&self) -> bool {
        self.legal && self.has_iban
    }

    /// The banner in the header of this role, if any.
    ///
    /// Before the start (`pay_startAt`, else creation) principals read about the trial; after it everybody but
    /// administrators reads that it expired while data are missing; complete principals read about billing for 10 days.
    pub fn banner(&self, role: Role, now: DateTime<Utc>) -> Option<Banner> {
        if matches!(role, Role::Admin | Role::PasswordOperator | Role::Empty) {
            return None;
        }
        let date = self.pay_start();
        let banner = |kind, link| Some(Banner { kind, link, date });
        if now < date {
            return if role.is_principal() { banner(BannerKind::Trial, !self.is_complete()) } else { None };
        }
        if !self.is_complete() {
            return banner(BannerKind::Expired, true);
        }
        let is_new = now < date + TimeDelta::days(BILLING_NOTICE_DAYS);
        if is_new && role.is_principal() { banner(BannerKind::Billing, false) } else { None }
    }

    /// Why video calls may not be opened (CASE-25): terms or bank account are missing or, once the payment start has
    /// passed, the company is not active.
    pub fn call_refusal(&self, now: DateTime<Utc>) -> Option<CallRefusal> {
        match self.status {
            _ if !self.is_complete() => Some(CallRefusal::Incomplete),
            Status::Active => None,
            _ if now < self.pay_start() => None,
            Status::Unpaid => Some(CallRefusal::Unpaid),
            _ => Some(CallRefusal::Inactive),
        }
    }

    pub fn may_call(&self, now: DateTime<Utc>) -> bool {
        self.call_refusal(now).is_none()
    }

    /// What the company itself lacks before it takes part in video-call requests; nothing when it is free. A company that
    /// asks, and is no customer, only has to be active (REQUEST-9).
    pub fn missing(&self, now: DateTime<Utc>) -> Vec<Missing> {
        let asks = self.kind != CompanyKind::Customer;
        [
            (Missing::Legal, asks || self.legal),
            (Missing::Iban, asks || self.has_iban),
            (Missing::PayStart, asks || self.pay_start() <= now),
            (Missing::Status, self.status == Status::Active),
        ]
        .into_iter()
        .filter_map(|(piece, there)| (!there).then_some(piece))
        .collect()
    }

    /// Whether video-call requests are blocked (REQUEST-9).
    pub fn is_blocked(&self, other_party_active: bool, now: DateTime<Utc>) -> bool {
        !other_party_active || !self.missing(now).is_empty()
    }
}

macro_rules! fields {
    ($($name:ident = $wire:literal),+ $(,)?) => {
        /// A text of a company's form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum CompanyField { $($name),+ }

        impl CompanyField {
            pub const ALL: &[CompanyField] = &[$(CompanyField::$name),+];

            /// Name on the wire.
            pub fn wire(self) -> &'static str {
                match self { $(CompanyField::$name => $wire),+ }
            }
        }
    };
}

fields! {
    Name = "name",
    Company = "company",
    Cif = "cif",
    Address = "address",
    City = "city",
    Region = "region",
    PostalCode = "postalCode",
    Email = "email",
    Phone = "phone",
    Mobile = "mobile",
}

/// What only the platform company has: it issues the invoices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issuer {
    pub registry_data: Option<String>,
    pub bic: Option<String>,
    pub creditor_suffix: Option<String>,
}

/// A company with what only its profile and its invoices need.
#[derive(Clone)]
pub(crate) struct CompanyRecord {
    pub company: Company,
    pub account: Option<StoredAccount>,
    pub issuer: Issuer,
    /// The terms it accepted last, and their price table.
    pub legal_id: Option<Uuid>,
    pub price_id: Option<Uuid>,
}

/// A bank account as it is stored.
#[derive(Clone)]
pub(crate) struct StoredAccount {
    /// Differs for every account.
    pub id: Option<Uuid>,
    pub sealed: String,
    pub last4: Option<String>,
    pub country: Option<String>,
    /// The four digits of a Spanish bank.
    pub bank: Option<String>,
    /// Keyed: equal accounts have equal ones. An account under the SEPA secret has none.
    pub hash: Option<String>,
}

/// An IBAN to be stored.
#[derive(Clone, Debug)]
pub(crate) struct SealedIban {
    pub sealed: String,
    pub last4: String,
    pub country: String,
    pub bank: Option<String>,
    pub hash: String,
    /// Of this account of this company.
    pub id: Uuid,
}

/// What is to be written of a company.
#[derive(Default)]
pub(crate) struct CompanyChanges {
    pub texts: Vec<(CompanyField, Option<String>)>,
    /// `Some(None)` clears the account.
    pub iban: Option<Option<SealedIban>>,
    pub status: Option<Status>,
    pub pay_start_at: Option<Option<DateTime<Utc>>>,
    pub retention_days: Option<Option<i32>>,
    pub registry_data: Option<Option<String>>,
    pub bic: Option<Option<String>>,
    pub creditor_suffix: Option<Option<String>>,
    pub fiscal_version: Option<i32>,
    pub fiscal_request: Option<Option<Uuid>>,
    /// The terms are not accepted any longer.
    pub accepts_anew: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::days(n)
    }

    fn facts(legal: bool, has_iban: bool, start: Option<i64>, status: Status) -> BillingFacts {
        let kind = CompanyKind::Customer;
        BillingFacts { kind, status, legal, has_iban, pay_start_at: start.map(day), created_at: day(-40) }
    }

    // CASE-25
    #[test]
    fn the_guard_s_truth_table() {
        use Status::*;
        for (legal, iban, start, status, expected) in [
            (true, true, Some(1), Active, true),
            (true, true, Some(1), PendingValidation, true),
            (true, true, Some(1), Unpaid, true),
            (true, true, Some(-1), Active, true),
            (true, true, Some(-1), Unpaid, false),
            (true, true, Some(-1), Trial, false),
            (true, true, None, Active, true),
            (true, true, None, PendingValidation, false),
            (false, true, Some(1), Active, false),
            (true, false, Some(1), Active, false),
            (false, true, Some(-1), Active, false),
            (true, false, Some(-1), Active, false),
            (false, false, Some(-1), Active, false),
        ] {
            assert_eq!(facts(legal, iban, start, status).may_call(day(0)), expected, "{legal} {iban} {start:?} {status:?}");
        }
    }

    // REQUEST-9
    #[test]
    fn the_blocking_truth_table() {
        use Status::*;
        for (legal, iban, start, status, other, blocked) in [
            (true, true, Some(-1), Active, true, false),
            (true, true, Some(0), Active, true, false),
            (true, true, Some(1), Active, true, true),
            (true, true, None, Active, true, false),
            (false, true, Some(-1), Active, true, true),
            (true, false, Some(-1), Active, true, true),
            (true, true, Some(-1), Trial, true, true),
            (true, true, Some(-1), Active, false, true),
        ] {
            let facts = facts(legal, iban, start, status);
            assert_eq!(facts.is_blocked(other, day(0)), blocked, "{legal} {iban} {start:?} {status:?} {other}");
        }
    }

    // REQUEST-9
    #[test]
    fn what_is_missing_is_named() {
        use Missing::{Iban, Legal, PayStart};
        for (facts, expected) in [
            (facts(true, true, Some(0), Status::Active), vec![]),
            (facts(false, false, Some(1), Status::PendingValidation), vec![Legal, Iban, PayStart, Missing::Status]),
            (facts(true, true, None, Status::Active), vec![]),
            (facts(true, false, Some(1), Status::Active), vec![Iban, PayStart]),
            (facts(false, true, Some(-1), Status::Unpaid), vec![Legal, Missing::Status]),
        ] {
            assert_eq!(facts.missing(day(0)), expected, "{facts:?}");
            assert_eq!(facts.is_blocked(true, day(0)), !expected.is_empty());
        }
    }

    // CASE-25
    #[test]
    fn the_reason_of_a_refused_call_is_the_one_that_holds() {
        for (facts, principal, expected) in [
            (facts(true, false, Some(-1), Status::Unpaid), true, Some("VIDEO_CALL_NOT_ALLOWED_CUSTOMER")),
            (facts(false, true, Some(1), Status::Active), false, Some("VIDEO_CALL_NOT_ALLOWED_WORKER")),
            (facts(true, true, Some(-1), Status::Unpaid), false, Some("VIDEO_CALL_NOT_ALLOWED_UNPAID")),
            (facts(true, true, None, Status::PendingValidation), true, Some("VIDEO_CALL_NOT_ALLOWED_INACTIVE")),
            (facts(true, true, None, Status::Active), true, None),
        ] {
            assert_eq!(facts.call_refusal(day(0)).map(|why| why.code(principal)), expected, "{facts:?}");
        }
    }

    // REQUEST-9
    #[test]
    fn who_asks_only_has_to_be_active() {
        let of = |kind, status| BillingFacts { kind, ..facts(false, false, Some(1), status) };
        for kind in [CompanyKind::Repairer, CompanyKind::CarRepairShop] {
            assert_eq!(of(kind, Status::Active).missing(day(0)), []);
            assert_eq!(of(kind, Status::Trial).missing(day(0)), [Missing::Status]);
        }
    }

    // COMPANY-8
    #[test]
    fn the_banner_s_truth_table() {
        use BannerKind::*;
        let complete = |start| facts(true, true, start, Status::Active);
        let missing = |start| facts(true, false, start, Status::Active);
        for (facts, role, expected) in [
            (complete(Some(1)), Role::Customer, Some((Trial, false))),
            (missing(Some(1)), Role::Repairer, Some((Trial, true))),
            (missing(Some(1)), Role::Worker, None),
            (missing(Some(1)), Role::Admin, None),
            (missing(Some(0)), Role::CarRepairShop, Some((Expired, true))),
            (missing(None), Role::Worker, Some((Expired, true))),
            (missing(Some(-99)), Role::PasswordOperator, None),
            (complete(Some(0)), Role::Customer, Some((Billing, false))),
            (complete(Some(-9)), Role::Customer, Some((Billing, false))),
            (complete(Some(-10)), Role::Customer, None),
            (complete(Some(-9)), Role::Worker, None),
            (complete(None), Role::Customer, None),
        ] {
            let banner = facts.banner(role, day(0)).map(|b| (b.kind, b.link));
            assert_eq!(banner, expected, "{facts:?} {role:?}");
        }
    }
}
