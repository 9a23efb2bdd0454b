//! Which calls answer personal data, and whose.

/// How the path names the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Company,
    User,
    Conference,
    /// A file's name.
    File,
    Incidence,
    Invoice,
    /// Something whose owner is not looked up: the platform's log has it.
    Other,
}

/// Whose the data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// A parameter of the path.
    Path(&'static str, Kind),
    /// A company in the query; without it, of many.
    Query(&'static str),
    /// Of many companies: a list of the platform.
    Many,
}

/// A call that answers personal data.
#[derive(Debug)]
pub struct Row {
    pub method: &'static str,
    pub path: &'static str,
    /// Its word is `audit.kind_<what>`.
    pub what: &'static str,
    pub whose: Whose,
}

const fn get(path: &'static str, what: &'static str, whose: Whose) -> Row {
    Row { method: "GET", path, what, whose }
}

const fn post(path: &'static str, what: &'static str, whose: Whose) -> Row {
    Row { method: "POST", path, what, whose }
}

use Kind::{Company, Conference, File, Incidence, Invoice, Other, User};
use Whose::{Many, Path, Query};

/// The table. A path's `0` stands for all companies, and is logged as such.
pub const READS: &[Row] = &[
    get("/api/v1/user/{id}", "user", Path("id", User)),
    get("/api/v1/users/{id}", "user", Path("id", Company)),
    get("/api/v1/customer-by-user/{id}", "company", Path("id", User)),
    get("/api/v1/get-parent/{id}", "company", Path("id", User)),
    get("/api/v1/sessions/{userId}", "access", Path("userId", User)),
    get("/api/v1/socket-user/{id}", "access", Path("id", User)),
    post("/api/v1/password-users", "user", Many),
    get("/api/v1/invitations", "user", Query("company")),
    get("/api/v1/customer/{id}", "company", Path("id", Company)),
    get("/api/v1/carReparation/{id}", "company", Path("id", Company)),
    get("/api/v1/repairer/{id}", "company", Path("id", Company)),
    get("/api/v1/customers", "company", Many),
    get("/api/v1/fiscal-identity/{companyId}", "company", Path("companyId", Company)),
    get("/api/v1/fiscal-request-document/{id}", "company", Path("id", Other)),
    get("/api/v1/fiscal-request/{id}", "company", Path("id", Other)),
    get("/api/v1/fiscal-requests", "company", Many),
    get("/api/v1/carReparations", "company", Many),
    get("/api/v1/repairers", "company", Many),
    get("/api/v1/availability/{companyId}", "user", Path("companyId", Company)),
    get("/api/v1/conferences-details/{id}", "conference", Path("id", Conference)),
    get("/api/v1/conference-events/{id}", "conference", Path("id", Conference)),
    get("/api/v1/conference-appointment/{id}", "conference", Path("id", Conference)),
    get("/api/v1/appointments/{companyId}", "conference", Path("companyId", Company)),
    get("/api/v1/conference-connections/{id}", "conference", Path("id", Conference)),
    get("/api/v1/conference-chat/{id}", "conference", Path("id", Conference)),
    get("/api/v1/conference-media/{id}", "media", Path("id", Conference)),
    get("/api/v1/conference-drawings/{id}", "media", Path("id", Conference)),
    get("/api/v1/conference-measures/{id}", "media", Path("id", Conference)),
    get("/api/v1/conference-shots/{id}", "conference", Path("id", Conference)),
    get("/api/v1/client-files/{conferenceId}", "media", Path("conferenceId", Conference)),
    get("/api/v1/certificates/{conferenceId}", "conference", Path("conferenceId", Conference)),
    get("/api/v1/print-cert/{id}", "conference", Path("id", Conference)),
    get("/api/v1/photo-report/{id}", "media", Path("id", Conference)),
    get("/api/v1/zip/{id}", "media", Path("id", Conference)),
    get("/uploads/{filename}", "media", Path("filename", File)),
    get("/uploads-documents/{filename}", "media", Path("filename", File)),
    get("/api/v1/sms-conference-client/{id}", "conference", Path("id", Conference)),
    post("/api/v1/conferences-autos-details/{id}", "conference", Path("id", Company)),
    post("/api/v1/conferences-div-details/{id}", "conference", Path("id", Company)),
    get("/api/v1/customer-conferences/{id}", "conference", Path("id", Company)),
    get("/api/v1/customersWithConferences", "report", Many),
    post("/api/v1/getLogsByDateRange", "report", Many),
    post("/api/v1/getMediasByDateRange", "report", Many),
    post("/api/v1/getTracksByDateRange", "report", Many),
    get("/api/v1/expedient/{expedientNumber}", "expedient", Path("expedientNumber", Other)),
    get("/api/v1/incidence/{id}", "incidence", Path("id", Incidence)),
    get("/api/v1/incidence-image/{id}", "incidence", Path("id", Other)),
    get("/api/v1/incidences/{id}", "incidence", Path("id", Company)),
    get("/api/v1/logs/{id}", "incidence", Path("id", Incidence)),
    get("/api/v1/customer-units-calls/{id}", "invoice", Path("id", Company)),
    get("/api/v1/customer-units/{id}", "invoice", Path("id", Company)),
    get("/api/v1/get-invoices/{id}", "invoice", Path("id", Company)),
    get("/api/v1/invoices-excel/{id}", "invoice", Path("id", Company)),
    get("/api/v1/get-details/{id}", "invoice", Path("id", Invoice)),
    get("/api/v1/print-invoice/{id}", "invoice", Path("id", Invoice)),
    get("/api/v1/invoice-facturae/{id}", "invoice", Path("id", Invoice)),
    get("/api/v1/invoice-messages/{id}", "invoice", Path("id", Invoice)),
    get("/api/v1/invoice-ubl/{id}", "invoice", Path("id", Invoice)),
    get("/api/v1/invoice-cii/{id}", "invoice", Path("id", Invoice)),
    get("/api/v1/verifactu-records", "invoice", Many),
    get("/api/v1/verifactu-record/{id}", "invoice", Path("id", Other)),
    get("/api/v1/verifactu-export", "invoice", Many),
    get("/api/v1/accounting-summary", "invoice", Many),
    get("/api/v1/accounting-register", "invoice", Many),
    get("/api/v1/accounting-entries", "invoice", Many),
    get("/api/v1/accounting-documents", "invoice", Many),
    get("/api/v1/mandates", "mandate", Query("company")),
    get("/api/v1/mandate-document/{id}", "mandate", Path("id", Other)),
    get("/api/v1/mandate-evidence/{id}", "mandate", Path("id", Other)),
    get("/api/v1/mandate-pdf/{id}", "mandate", Path("id", Other)),
    get("/api/v1/remittance/{id}", "mandate", Path("id", Other)),
    get("/api/v1/remittance-due", "mandate", Many),
    get("/api/v1/sepa-file/{id}", "mandate", Path("id", Other)),
    get("/api/v1/contract", "company", Query("company")),
    post("/api/v1/persons/{companyId}", "person", Path("companyId", Company)),
    get("/api/v1/privacy-requests/{companyId}", "person", Path("companyId", Company)),
    get("/api/v1/outbox", "message", Many),
    get("/api/v1/outbox-attachment/{id}", "message", Path("id", Other)),
    get("/api/v1/sms-senders", "company", Many),
    get("/api/v1/campaign/{id}", "marketing", Path("id", Other)),
    get("/api/v1/marketing-suppressions", "marketing", Many),
    get("/api/v1/video-call-request/{customerId}", "request", Path("customerId", Company)),
    get("/api/v1/video-call-request", "request", Many),
];

/// Calls by `GET` that answer nothing personal of another company's people: names of companies to choose from, prices, texts,
/// counts, keys without their secrets; what concerns the caller only; what needs no session; and the log itself.
#[cfg(test)]
const NOTHING_PERSONAL: &[&str] = &[
    "/.well-known/atalaya-evidence.pem",
    "/a/{token}",
    "/api/v1/2fa",
    "/api/v1/active-customers",
    "/api/v1/audit",
    "/api/v1/audit-chain",
    "/api/v1/available-languages",
    "/api/v1/buyer-codes/{companyId}",
    "/api/v1/campaigns",
    "/api/v1/clean-socket-user/{id}",
    "/api/v1/company-insurers/{companyId}",
    "/api/v1/companyTypes",
    "/api/v1/customer-insurance/{companyId}",
    "/api/v1/data-terms",
    "/api/v1/data-terms-preview",
    "/api/v1/delete-active-request-user/{id}",
    "/api/v1/erasures/{companyId}",
    "/api/v1/evidence-roots",
    "/api/v1/ext-api/api-doc",
    "/api/v1/external/files/{token}",
    "/api/v1/external/{hash}",
    "/api/v1/external/{hash}/calendar",
    "/api/v1/external/{hash}/frozen",
    "/api/v1/external/{hash}/frozen-picture",
    "/api/v1/funnel/{companyId}",
    "/api/v1/generate-all-invoices",
    "/api/v1/generate-apiKey",
    "/api/v1/get-apiKey",
    "/api/v1/get-links",
    "/api/v1/insuranceCompanies",
    "/api/v1/invoice-processes",
    "/api/v1/invoice-statistics/{id}",
    "/api/v1/legal-diff/{from}/{to}",
    "/api/v1/legal-id/{id}",
    "/api/v1/legal-pending",
    "/api/v1/legalbylanguage/{legalId}/{languageCode}",
    "/api/v1/legals",
    "/api/v1/marketing-consent",
    "/api/v1/me",
    "/api/v1/my-data",
    "/api/v1/measure-marker",
    "/api/v1/message-template/{key}",
    "/api/v1/message-templates",
    "/api/v1/notifications/general",
    "/api/v1/notifications/get-by-user",
    "/api/v1/notifications/get-number-notifications",
    "/api/v1/notifications/has-any",
    "/api/v1/notifications/mark-as-seen-all",
    "/api/v1/notifications/mark-as-seen-general/{id}",
    "/api/v1/notifications/mark-as-seen-personal/{id}",
    "/api/v1/notifications/mark-as-unseen-general/{id}",
    "/api/v1/notifications/mark-as-unseen-personal/{id}",
    "/api/v1/own-message-service/status",
    "/api/v1/passkeys",
    "/api/v1/phone-checks",
    "/api/v1/phone-checks/relay",
    "/api/v1/phone-prefixes",
    "/api/v1/price-id/{id}",
    "/api/v1/prices",
    "/api/v1/privacy-paper/{kind}",
    "/api/v1/push-devices",
    "/api/v1/push-key",
    "/api/v1/remittances",
    "/api/v1/renewToken",
    "/api/v1/restart-whatsapp",
    "/api/v1/security-breaches",
    "/api/v1/send-all-invoices",
    "/api/v1/sepa-files",
    "/api/v1/sepa-secret",
    "/api/v1/setup",
    "/api/v1/shots/{companyId}",
    "/api/v1/sms-ceiling/{companyId}",
    "/api/v1/sms-conference-sender-client/{id}",
    "/api/v1/stop-whatsapp",
    "/api/v1/update-invoice-processes",
    "/api/v1/usable/{companyId}",
    "/api/v1/user-logs/{id}",
    "/api/v1/verifactu",
    "/api/v1/verifactu-declaration",
    "/api/v1/verification/{code}",
    "/api/v1/videoCallNumber/{id}",
    "/api/v1/webhooks",
    "/api/v1/webhooks/{id}/deliveries",
    "/api/v1/whatsapp-cleanSession",
    "/api/v1/whatsapp-status",
    "/available-languages",
    "/c/{code}",
    "/ext-api/api-doc",
    "/ext-api/openapi.json",
    "/ext-api/v1/account",
    "/ext-api/v1/conferences",
    "/ext-api/v1/conferences/{id}",
    "/ext-api/v1/conferences/{id}/certificate",
    "/ext-api/v1/conferences/{id}/file-requests",
    "/ext-api/v1/conferences/{id}/media",
    "/ext-api/v1/media/{id}/content",
    "/ext-api/v1/webhooks",
    "/ext-api/v1/webhooks/{id}/deliveries",
    "/f/{code}",
    "/phone-prefixes",
    "/u/{token}",
];

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_content::languages::model::bundle;
    use atalaya_kernel::Language;
    use serde_json::Value;

    // AUDIT-10
    #[test]
    fn every_call_that_reads_is_in_one_of_the_two_tables() {
        let document: Value = serde_json::from_str(&crate::app::openapi_json()).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let mut wrong = Vec::new();
        for (path, calls) in paths {
            let noted = READS.iter().filter(|row| row.method == "GET" && row.path == path).count();
            let harmless = NOTHING_PERSONAL.iter().filter(|one| *one == path).count();
            if noted + harmless != usize::from(calls.get("get").is_some()) {
                wrong.push(format!("GET {path}: {noted} and {harmless}"));
            }
        }
        for row in READS {
            let known = &paths.get(row.path).unwrap_or(&Value::Null)[row.method.to_ascii_lowercase()];
            if !known.is_object() {
                wrong.push(format!("{} {} is no call", row.method, row.path));
            }
            if let Path(name, _) = row.whose
                && !row.path.contains(&format!("{{{name}}}"))
            {
                wrong.push(format!("{} has no {name}", row.path));
            }
        }
        wrong.extend(NOTHING_PERSONAL.iter().filter(|one| !paths.contains_key(**one)).map(|one| format!("{one} is no call")));
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    // AUDIT-10
    #[test]
    fn what_is_read_has_a_word_in_every_language() {
        for language in Language::ALL {
            let texts = &bundle(language).namespace["audit"];
            for row in READS {
                assert!(texts.contains_key(&format!("kind_{}", row.what)), "{language:?}: {}", row.what);
            }
        }
    }
}
