//! A company, and three pure functions over one set of billing facts: banner, video-call guard, blocked.

use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, Status};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

/// Days after the payment start in which complete companies read about their first bill (SPEC §9).
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
    /// The sender name of its SMS, once it is registered; the platform's when `None` (DOMAIN §6.7).
    pub sms_sender: Option<String>,
    /// Its SMS go without the accents that make them dearer.
    pub sms_fold: bool,
    /// A link whose SMS did not arrive may go by WhatsApp.
    pub sms_whatsapp: bool,
    pub iban_last4: Option<String>,
    /// Days the media are kept when the contract says longer than the default.
    pub retention_days: Option<i32>,
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

    /// The same with everything that lets it work: active, terms accepted, IBAN, payment started.
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
    pub status: Status,
    /// The terms are accepted.
    pub legal: bool,
    /// A bank account is on file.
    pub has_iban: bool,
    pub pay_start_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// The header's banner (SPEC §4 Trial and billing banner).
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

/// What a company lacks before video-call requests reach it (SPEC §4 Blocking).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Missing {
    /// The terms are not accepted.
    Legal,
    /// There is no bank account.
    Iban,
    /// The payment start is unknown or ahead.
    PayStart,
    /// It is not active.
    Status,
}

impl BillingFacts {
    /// Terms and bank account are there.
    pub fn is_complete(&self) -> bool {
        self.legal && self.has_iban
    }

    /// What the header tells this role, if anything.
    ///
    /// Before the start (`pay_startAt`, else creation) principals read about the trial; after it everybody but
    /// administrators reads that it expired while data are missing; complete principals read about billing for 10 days.
    pub fn banner(&self, role: Role, now: DateTime<Utc>) -> Option<Banner> {
        if matches!(role, Role::Admin | Role::PasswordOperator | Role::Empty) {
            return None;
        }
        let date = self.pay_start_at.unwrap_or(self.created_at);
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

    /// Whether video calls may be opened (DESIGN §4 Video-call guard): complete, and the payment start ahead or, once
    /// it has passed, the company active. A company without a payment start was never activated.
    pub fn may_call(&self, now: DateTime<Utc>) -> bool {
        self.is_complete() && self.pay_start_at.is_some_and(|start| now < start || self.status == Status::Active)
    }

    /// What the company itself lacks; nothing when it is free.
    pub fn missing(&self, now: DateTime<Utc>) -> Vec<Missing> {
        let started = self.pay_start_at.is_some_and(|start| start <= now);
        [
            (Missing::Legal, self.legal),
            (Missing::Iban, self.has_iban),
            (Missing::PayStart, started),
            (Missing::Status, self.status == Status::Active),
        ]
        .into_iter()
        .filter_map(|(piece, there)| (!there).then_some(piece))
        .collect()
    }

    /// Whether video-call requests are blocked (SPEC §4 Blocking).
    pub fn is_blocked(&self, other_party_active: bool, now: DateTime<Utc>) -> bool {
        !other_party_active || !self.missing(now).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::days(n)
    }

    fn facts(legal: bool, has_iban: bool, start: Option<i64>, status: Status) -> BillingFacts {
        BillingFacts { status, legal, has_iban, pay_start_at: start.map(day), created_at: day(-40) }
    }

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
            (true, true, None, Active, false),
            (false, true, Some(1), Active, false),
            (true, false, Some(1), Active, false),
            (false, true, Some(-1), Active, false),
            (true, false, Some(-1), Active, false),
            (false, false, Some(-1), Active, false),
        ] {
            assert_eq!(facts(legal, iban, start, status).may_call(day(0)), expected, "{legal} {iban} {start:?} {status:?}");
        }
    }

    #[test]
    fn the_blocking_truth_table() {
        use Status::*;
        for (legal, iban, start, status, other, blocked) in [
            (true, true, Some(-1), Active, true, false),
            (true, true, Some(0), Active, true, false),
            (true, true, Some(1), Active, true, true),
            (true, true, None, Active, true, true),
            (false, true, Some(-1), Active, true, true),
            (true, false, Some(-1), Active, true, true),
            (true, true, Some(-1), Trial, true, true),
            (true, true, Some(-1), Active, false, true),
        ] {
            let facts = facts(legal, iban, start, status);
            assert_eq!(facts.is_blocked(other, day(0)), blocked, "{legal} {iban} {start:?} {status:?} {other}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        use Missing::{Iban, Legal, PayStart};
        for (facts, expected) in [
            (facts(true, true, Some(0), Status::Active), vec![]),
            (facts(false, false, None, Status::PendingValidation), vec![Legal, Iban, PayStart, Missing::Status]),
            (facts(true, false, Some(1), Status::Active), vec![Iban, PayStart]),
            (facts(false, true, Some(-1), Status::Unpaid), vec![Legal, Missing::Status]),
        ] {
            assert_eq!(facts.missing(day(0)), expected, "{facts:?}");
            assert_eq!(facts.is_blocked(true, day(0)), !expected.is_empty());
        }
    }

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
