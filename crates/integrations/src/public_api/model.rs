//! The body that opens a conference, the filter of lists, and the status of a conference. Pure.

use atalaya_cases::conferences::Conference;
use atalaya_cases::conferences::model::{
    Findings, LinkChannel, LinkFallback, OpenConference, Opening, Wrong, link_is_live, number_or_text,
};
use atalaya_cases::evidence::chain::sha256_hex;
use atalaya_cases::lists::model::{Range, RangeBody};
use atalaya_kernel::ClientLanguage;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Maximum length of a program's own name for a conference.
pub const EXTERNAL_ID_MAX: usize = 100;
/// Maximum length of an idempotency key.
pub const IDEMPOTENCY_KEY_MAX: usize = 200;
/// Conferences of a page.
pub const PAGE_SIZE: u64 = 50;
/// The last page; keeps the offset from overflowing.
const PAGE_MAX: u64 = 1_000_000;

/// The body that opens a conference.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ExtOpenConference)]
#[serde(rename_all = "camelCase", default)]
pub struct OpenBody {
    /// The case number. Required.
    pub expedient_number: Option<String>,
    /// The end client's name.
    pub contact_person: Option<String>,
    /// The end client's phone in any spelling; kept as E.164. Required.
    pub phone_number: Option<String>,
    /// 1 Autos, 2 Diversos. Required.
    #[serde(rename = "type", deserialize_with = "number_or_text")]
    #[schema(value_type = i16)]
    pub conference_type: Option<i16>,
    pub car_id: Option<String>,
    pub full_address: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub city_region: Option<String>,
    pub postal_code: Option<String>,
    pub region: Option<String>,
    /// The end client's e-mail; required when the link goes by it.
    pub email: Option<String>,
    /// The end client's language; the company's when absent.
    pub language: Option<ClientLanguage>,
    /// Replaces the company's SMS text for this conference; the link comes after it.
    pub sms_text: Option<String>,
    /// Where a link goes whose message did not arrive: first by `whatsapp` (only where the company allows it), then by
    /// `email` (when there is an address). Empty: nowhere. Absent: as the company has it.
    pub fallback: Option<Vec<LinkFallback>>,
    /// Whose conference it is: e-mail, user name or id of one of the customer's users; the principal's when absent.
    pub worker: Option<String>,
    /// How the client gets the link.
    pub send: LinkChannel,
    /// What the program calls this conference; answered wherever the conference is.
    pub external_id: Option<String>,
}

/// The checked body.
pub struct Checked {
    pub opening: Opening,
    pub external_id: Option<String>,
}

impl OpenBody {
    /// Checks every field; answers all that is wrong at once.
    pub fn check(&self) -> Result<Checked, Vec<Wrong>> {
        let mut findings = Findings::default();
        let external_id = findings.line("externalId", &self.external_id, EXTERNAL_ID_MAX);
        let form = OpenConference {
            contact_id: None,
            contact_person: self.contact_person.clone(),
            phone_number: self.phone_number.clone(),
            expedient_number: self.expedient_number.clone(),
            full_address: self.full_address.clone(),
            address: self.address.clone(),
            city: self.city.clone(),
            city_region: self.city_region.clone(),
            postal_code: self.postal_code.clone(),
            car_id: self.car_id.clone(),
            region: self.region.clone(),
            app_type: Some("api".to_owned()),
            conference_type: self.conference_type,
            channel: self.send,
            email: self.email.clone(),
            language: self.language,
            sms_text: self.sms_text.clone(),
            fallback: self.fallback.clone(),
        };
        match form.check() {
            Ok(opening) if findings.0.is_empty() => Ok(Checked { opening, external_id }),
            Ok(_) => Err(findings.0),
            Err(wrong) => Err(wrong.into_iter().chain(findings.0).collect()),
        }
    }

    /// A digest that differs between bodies; the order of fields does not matter.
    pub fn digest(&self) -> String {
        sha256_hex(&serde_json::to_vec(self).expect("a body is plain data"))
    }
}

/// The value of the header `Idempotency-Key`, if it is valid (PUBLIC-6).
///
/// Errors: `INVALID` about `Idempotency-Key` when it is longer than 200 characters or not printable ASCII.
pub fn idempotency_key(header: Option<&[u8]>) -> Result<Option<String>, Wrong> {
    let Some(bytes) = header.filter(|bytes| !bytes.is_empty()) else { return Ok(None) };
    let fits = bytes.len() <= IDEMPOTENCY_KEY_MAX && bytes.iter().all(|b| (b' '..=b'~').contains(b));
    match std::str::from_utf8(bytes) {
        Ok(text) if fits && !text.trim().is_empty() => Ok(Some(text.trim().to_owned())),
        _ => Err(Wrong { field: "Idempotency-Key", code: "INVALID", max: None }),
    }
}

/// Which conferences a program lists.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", default)]
pub struct ListQuery {
    /// First day (`2026-11-14`, in Madrid) or moment (RFC 3339); from the beginning without it.
    from: Option<String>,
    /// Last day or moment, inclusive; no end without it.
    to: Option<String>,
    /// The case number; white space and case do not matter.
    expedient: Option<String>,
    /// The program's own name for a conference.
    external_id: Option<String>,
    /// 1 for the first 50.
    page: Option<u64>,
}

/// The parsed query.
pub struct Listing {
    pub range: Range,
    pub expedient: Option<String>,
    pub external_id: Option<String>,
    pub page: u64,
}

impl ListQuery {
    /// Errors: `INVALID` about `from` or `to`.
    pub fn read(&self, now: DateTime<Utc>) -> Result<Listing, Wrong> {
        let given = |text: &Option<String>| text.as_deref().map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned);
        // Open ends: a first day in the future lists nothing and is not an error.
        let begin = given(&self.from).unwrap_or_else(|| "2000-01-01".to_owned());
        let end = given(&self.to).unwrap_or_else(|| "9000-12-31".to_owned());
        let range = RangeBody { begin: Some(begin), end: Some(end) }.read(now);
        let named = |wrong: Wrong| Wrong { field: if wrong.field == "begin" { "from" } else { "to" }, ..wrong };
        Ok(Listing {
            range: range.map_err(named)?,
            expedient: given(&self.expedient),
            external_id: given(&self.external_id),
            page: page(self.page),
        })
    }
}

/// A page's number: 1 for the first.
pub fn page(asked: Option<u64>) -> u64 {
    asked.unwrap_or(1).clamp(1, PAGE_MAX)
}

/// Where a conference stands, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ExtConferenceStatus)]
#[serde(rename_all = "lowercase")]
pub enum ConferenceStatus {
    /// The link was made; the client has not opened it.
    Invited,
    /// The client opened the link.
    Opened,
    /// The client accepted the notice.
    Accepted,
    /// The client has been connected.
    Connected,
    /// Ended.
    Closed,
    /// The link's time was over before the client connected.
    Expired,
    /// Its personal data were erased.
    Erased,
}

impl ConferenceStatus {
    pub fn of(row: &Conference, now: DateTime<Utc>) -> Self {
        match row.stage {
            _ if row.erased_at.is_some() => Self::Erased,
            // A link that was not used in time also closes its conference.
            _ if row.sid.is_none() && row.duration_s.is_none() && !link_is_live(row.expired_at, now) => Self::Expired,
            _ if row.closed => Self::Closed,
            0 => Self::Invited,
            1 => Self::Opened,
            2 => Self::Accepted,
            _ => Self::Connected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PUBLIC-6
    #[test]
    fn an_idempotency_key_is_short_and_printable() {
        let read = |text: &str| idempotency_key(Some(text.as_bytes()));
        assert_eq!(read("a-1"), Ok(Some("a-1".into())));
        assert_eq!(read(""), Ok(None));
        assert_eq!(idempotency_key(None), Ok(None));
        for wrong in ["ñ", " ", &"a".repeat(IDEMPOTENCY_KEY_MAX + 1), "a\tb"] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
        assert!(idempotency_key(Some(&[0xff])).is_err());
    }

    // PUBLIC-5
    #[test]
    fn bodies_that_say_the_same_have_one_digest() {
        let body = |text: &str| serde_json::from_str::<OpenBody>(text).expect("a body").digest();
        let one = body(r#"{"type": 2, "expedientNumber": "E-1"}"#);
        assert_eq!(one, body(r#"{"expedientNumber": "E-1", "type": "2", "unknown": true}"#));
        assert_ne!(one, body(r#"{"type": 2, "expedientNumber": "E-2"}"#));
    }

    // PUBLIC-8
    #[test]
    fn pages_begin_at_one() {
        assert_eq!([page(None), page(Some(0)), page(Some(3)), page(Some(u64::MAX))], [1, 1, 3, PAGE_MAX]);
    }
}
