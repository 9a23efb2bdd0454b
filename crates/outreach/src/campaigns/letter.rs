//! The message to a recipient: the text in a frame that says that it is advertising, by whom, and how to unsubscribe (CAMP-2).

use super::CampaignError;
use crate::Outreach;
use atalaya_identity::companies::model::Company;
use atalaya_identity::companies::service as companies;
use atalaya_kernel::Language;
use atalaya_messaging::{Email, NewMessage};
use serde_json::json;

/// Purpose of these messages in the outbox.
pub(super) const PURPOSE: &str = "campaign";
/// Stands for a token in previews.
pub(super) const SAMPLE: &str = "00000000000000000000000000000000";

/// The sender: the platform company, which advertising must name by law (LSSI art. 20).
pub(super) struct Sender {
    company: String,
    cif: Option<String>,
    address: Option<String>,
}

impl Sender {
    pub(super) async fn load(d: &Outreach) -> Result<Self, CampaignError> {
        let platform = companies::platform(&d.identity).await?;
        Ok(platform.map_or_else(Self::unnamed, Self::of))
    }

    fn unnamed() -> Self {
        Self { company: "Atalaya".into(), cif: None, address: None }
    }

    fn of(company: Company) -> Self {
        let place = [company.address, company.postal_code, company.city];
        let place: Vec<String> = place.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let address = Some(place.join(", ")).filter(|place| !place.is_empty());
        let name = Some(company.name).filter(|name| !name.is_empty()).unwrap_or_else(|| Self::unnamed().company);
        Self { company: name, cif: company.cif, address }
    }
}

/// The address by which a token unsubscribes, with one click and as a link.
pub(super) fn leave_url(d: &Outreach, token: &str) -> String {
    format!("{}/u/{token}", d.identity.settings.public_url)
}

/// The e-mail to one address.
pub(super) fn compose(
    d: &Outreach,
    sender: &Sender,
    (subject, text): (&str, &str),
    (email, language): (&str, Language),
    token: &str,
) -> Result<Email, CampaignError> {
    let values = json!({
        "subject": subject, "text": text, "company": sender.company, "cif": sender.cif, "address": sender.address,
        "email": email, "unsubscribe": leave_url(d, token),
    });
    Ok(d.identity.templates.email(language, PURPOSE, &values)?)
}

/// The same as a message of the outbox, with the one-click headers.
pub(super) fn message(
    d: &Outreach,
    sender: &Sender,
    words: (&str, &str),
    to: (&str, Language),
    token: &str,
) -> Result<NewMessage, CampaignError> {
    let email = compose(d, sender, words, to, token)?;
    Ok(NewMessage::email(PURPOSE, to.0, email).unsubscribe(leave_url(d, token)).sender(Some(sender.company.clone())))
}
