//! Where the QR on the invoice leads (art. 21, AEAT document of the QR).

use super::record::{InvoiceId, day};
use atalaya_tariff::Cents;
use url::form_urlencoded::Serializer;

/// Which of the tax office's hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    Test,
    Production,
}

/// The address under which the tax office says whether it knows the invoice.
///
/// `verifiable`: records are sent (VERI*FACTU).
pub fn qr_url(environment: Environment, verifiable: bool, id: &InvoiceId, total: Cents) -> String {
    let host = match environment {
        Environment::Test => "https://prewww2.aeat.es",
        Environment::Production => "https://www2.agenciatributaria.gob.es",
    };
    let path = if verifiable { "ValidarQR" } else { "ValidarQRNoVerifactu" };
    let query = Serializer::new(String::new())
        .append_pair("nif", &id.issuer)
        .append_pair("numserie", &id.number)
        .append_pair("fecha", &day(id.issue_date))
        .append_pair("importe", &total.to_string())
        .finish();
    format!("{host}/wlpl/TIKE-CONT/{path}?{query}")
}
