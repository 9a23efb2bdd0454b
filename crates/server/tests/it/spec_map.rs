//! The specification's calls and ours: everything of SPEC §7 is registered or named as to come, and everything beyond
//! it is listed with its reason.

use crate::permissions::operations;
use atalaya_testkit::{Engine, TestApp};
use std::collections::BTreeSet;

/// SPEC §7 and §10 (socket and static paths that are routes), in its order; `/api/v1` unless stated.
const SPECIFIED: &[&str] = &[
    // Authentication and account
    "POST prelogin",
    "POST login",
    "GET renewToken",
    "POST verify-token",
    "POST verify-token-activation",
    "POST remember-email",
    "PUT change-password",
    "PUT change-password-perfil/{id}",
    "POST activation-email-token",
    "POST marketing-token",
    "POST marketing-response",
    "POST activation-ok-email",
    "GET 2fa",
    "POST verify2fa",
    "POST disable2fa",
    "POST getToken",
    "POST activation",
    "GET contract",
    "GET get-links",
    "GET restart-whatsapp",
    "GET stop-whatsapp",
    "GET whatsapp-status",
    "GET whatsapp-cleanSession",
    "GET own-message-service/status",
    "POST own-message-service/change-run-status",
    "POST own-message-service/reset",
    // Notifications
    "GET notifications/has-any",
    "GET notifications/get-number-notifications",
    "GET notifications/get-by-user",
    "GET notifications/mark-as-seen-general/{id}",
    "GET notifications/mark-as-unseen-general/{id}",
    "GET notifications/mark-as-unseen-personal/{id}",
    "GET notifications/mark-as-seen-all",
    "GET notifications/mark-as-seen-personal/{id}",
    "POST notifications/new-general-from-admin",
    // Insurance
    "GET insuranceCompanies",
    "GET customer-insurance/{companyId}",
    // Users
    "GET users/{id}",
    "GET user/{id}",
    "PUT user",
    "POST user",
    "POST exist-userName/{userName}",
    "GET sms-conference-client/{id}",
    "POST sms-conference-client/{id}",
    "GET sms-conference-sender-client/{id}",
    "POST sms-conference-sender/{id}",
    "POST broadcastEmails",
    // Car repair shops and repairers
    "GET carReparations",
    "GET carReparation/{id}",
    "PUT activate-car-reparation/{id}",
    "PUT carReparation",
    "GET repairers",
    "POST repairer",
    "GET repairer/{id}",
    "PUT repairer",
    "PUT activate-repairer/{id}",
    // Customers
    "GET customers",
    "GET active-customers",
    "GET get-parent/{id}",
    "GET customer/{id}",
    "GET customer-units/{id}",
    "GET companyTypes",
    "GET customersWithConferences",
    "GET get-apiKey",
    "GET generate-apiKey",
    "GET customer-conferences/{id}",
    "GET /ext-api/api-doc",
    "POST customer-no-login/{id}",
    "POST encrypt-iban",
    "PUT customer",
    "PUT activate-customer/{id}",
    "POST customer",
    "GET legal-id/{id}",
    "GET legalbylanguage/{legalId}/{languageCode}",
    "GET price-id/{id}",
    "POST sepa",
    "POST parse-sepa",
    // Invoices
    "GET get-invoices/{id}",
    "GET get-details/{id}",
    "GET print-invoice/{id}",
    "GET invoice-processes",
    "GET update-invoice-processes",
    "GET generate-all-invoices",
    "GET send-all-invoices",
    "POST mail-xml-sepa",
    // Language
    "POST /platform-language",
    "GET available-languages",
    "GET phone-prefixes",
    // Conferences
    "GET conferences-details/{id}",
    "POST conferences-autos-details/{id}",
    "POST conferences-div-details/{id}",
    "GET conference-media/{id}",
    "GET zip/{id}",
    "GET print-cert/{id}",
    "POST getLogsByDateRange",
    "POST getTracksByDateRange",
    "POST getMediasByDateRange",
    "POST client-files/new",
    "GET /uploads/{filename}",
    "GET /uploads-documents/{filename}",
    // Video calls
    "POST video-call-request",
    "GET video-call-request",
    "GET video-call-request/{customerId}",
    "POST video-call-respond",
    "GET videoCallNumber/{id}",
    "GET delete-active-request-user/{id}",
    // Sockets
    "POST socket-user/{userId}",
    "GET socket-user/{socketId}",
    "GET clean-socket-user/{id}",
    // Push
    "POST message-token",
    "POST message-delete-token",
    "POST find-token-user",
    "POST send-web-push",
    // Incidences
    "POST send-incidence",
    "GET incidences/{id}",
    "GET incidence/{id}",
    "PUT incidence",
    "GET logs/{id}",
    "GET user-logs/{id}",
];

/// What is built of it. A call that another issue builds moves here in the same commit.
const BUILT: &[&str] = &[
    "POST prelogin",
    "POST login",
    "GET renewToken",
    "POST verify-token",
    "POST remember-email",
    "PUT change-password",
    "PUT change-password-perfil/{id}",
    "GET 2fa",
    "POST verify2fa",
    "POST disable2fa",
    "POST getToken",
    "GET user/{id}",
    "GET users/{id}",
    "PUT user",
    "POST exist-userName/{userName}",
    "GET user-logs/{id}",
    "GET get-apiKey",
    "GET generate-apiKey",
    "GET /ext-api/api-doc",
    "GET get-links",
    "POST verify-token-activation",
    "POST activation-email-token",
    "POST activation-ok-email",
    "POST activation",
    "POST user",
    "POST repairer",
    "POST customer",
    "POST customer-no-login/{id}",
    "PUT activate-customer/{id}",
    "PUT activate-repairer/{id}",
    "PUT activate-car-reparation/{id}",
    "GET legal-id/{id}",
    "GET legalbylanguage/{legalId}/{languageCode}",
    "POST /platform-language",
    "GET available-languages",
    "GET phone-prefixes",
    "GET conferences-details/{id}",
    "POST conferences-autos-details/{id}",
    "POST conferences-div-details/{id}",
    "GET conference-media/{id}",
    "GET zip/{id}",
    "GET /uploads/{filename}",
    "GET /uploads-documents/{filename}",
];

/// Calls beyond SPEC §7, with the reason for each.
const BEYOND: &[(&str, &str)] = &[
    ("POST passkey-options", "passkeys (issue 3)"),
    ("GET passkeys", "passkeys (issue 3)"),
    ("POST passkeys", "passkeys (issue 3)"),
    ("POST passkey-delete/{id}", "passkeys (issue 3)"),
    ("POST passkey-login-options", "log-in with a passkey (issue 3)"),
    ("POST passkey-login", "log-in with a passkey (issue 3)"),
    ("GET password-users", "the password operator's desk (DESIGN §3 Passwords)"),
    ("POST password-reset/{id}", "the password operator starts a reset (DESIGN §3 Passwords)"),
    ("GET sessions/{userId}", "my devices (issue 3)"),
    ("POST session-end/{id}", "ends one device (issue 3)"),
    ("POST sessions-end/{userId}", "ends all devices (issue 3)"),
    ("GET me", "the shell reads user and menu anew when it is told that they changed (issue 3)"),
    ("GET account-events", "the unblock signal, until the sockets of a later issue (issue 3)"),
    ("GET audit", "who did what to which account (issue 3)"),
    ("POST generate-apiKey", "the web app's way of the call that changes something (DESIGN §2)"),
    ("POST revoke-apiKey/{id}", "the end of a rotation (issue 3)"),
    ("GET /ext-api/v1/account", "the first call that an API key opens (DESIGN §3 API keys)"),
    ("GET ext-api/api-doc", "answers under the base path as well (DESIGN §2)"),
    ("POST recovery-codes", "ten new recovery codes (issue 3)"),
    ("POST logout", "ends the session on the server at once (DESIGN §3 Session)"),
    ("POST platform-language", "answers under the base path as well (DESIGN §2)"),
    ("GET /available-languages", "answers at the root as well (DESIGN §2)"),
    ("GET /phone-prefixes", "answers at the root as well (DESIGN §2)"),
    ("GET outbox", "an administrator reads what would have been sent (DESIGN §1 Outbox)"),
    ("GET conference-events/{id}", "the client's progress live, until the sockets of a later issue (issue 2)"),
    ("POST conference-resend/{id}", "send the link again, by e-mail, to another number (issue 2)"),
    ("POST conference-code/{id}", "a short code to dictate (issue 2, DESIGN §4)"),
    ("POST conference-close/{id}", "ours ends the conference (DESIGN §4)"),
    ("POST conference-recording/{id}", "recording is written by the server (issue 2)"),
    ("POST conference-mute/{id}", "mute of a participant (DESIGN §4)"),
    ("POST conference-remove/{id}", "removal of a participant (DESIGN §4)"),
    ("GET conference-chat/{id}", "chat is kept with the case (issue 2)"),
    ("POST conference-chat/{id}", "chat is kept with the case (issue 2)"),
    ("POST conference-media/{id}", "documents and annotated pictures of the adjuster (DESIGN §4)"),
    ("GET /c/{code}", "the short link of an SMS (DESIGN §7)"),
    ("GET external/{hash}", "the end client's page (DESIGN §4); its calls are not in the specification"),
    ("POST external/{hash}/track", "the client's steps (DESIGN §4 tracks)"),
    ("POST external/{hash}/legal", "the client's answer to the notice (DOMAIN §6.2)"),
    ("POST external/{hash}/join", "the client's media token"),
    ("POST external/{hash}/leave", "the client hangs up"),
    ("POST external/{hash}/chat", "the client's side of the chat"),
    ("POST external/{hash}/media", "full-resolution stills of the client's device (DESIGN §4)"),
    ("POST carReparation", "workshops register themselves as the other two kinds do (DESIGN §10)"),
    ("GET invitations", "the inviter sees sent, opened, activated, expired (issue 3)"),
    ("POST invitation-resend/{id}", "an invitation goes out again (issue 3)"),
    ("POST activation-renew", "an expired link offers a new one (issue 3)"),
    ("GET /a/{token}", "the short link of an invitation or reset by SMS (DESIGN §7)"),
    ("POST external/code", "the dictated code typed at /external (DESIGN §4)"),
];

/// `GET user/{id}` → `GET /api/v1/user/{id}`; names of parameters do not matter.
fn full(call: &str) -> String {
    let (method, path) = call.split_once(' ').expect("method and path");
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/api/v1/{path}") };
    let path: Vec<&str> = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect();
    format!("{method} {}", path.join("/"))
}

#[tokio::test]
async fn every_path_is_specified_or_has_a_reason() {
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    let registered: BTreeSet<String> = operations(&app.openapi).iter().map(|(operation, _)| full(operation)).collect();
    let specified: BTreeSet<String> = SPECIFIED.iter().map(|call| full(call)).collect();
    let built: BTreeSet<String> = BUILT.iter().map(|call| full(call)).collect();
    let beyond: BTreeSet<String> = BEYOND.iter().map(|(call, _)| full(call)).collect();
    assert_eq!(specified.len(), SPECIFIED.len(), "the specification is written down once");
    assert!(built.is_subset(&specified), "{:?}", built.difference(&specified));
    assert!(beyond.is_disjoint(&specified), "{:?}", beyond.intersection(&specified));
    let expected: BTreeSet<String> = built.union(&beyond).cloned().collect();
    let unexplained: Vec<_> = registered.difference(&expected).collect();
    let missing: Vec<_> = expected.difference(&registered).collect();
    assert!(unexplained.is_empty() && missing.is_empty(), "without a reason: {unexplained:?}; gone: {missing:?}");
    assert!(BEYOND.iter().all(|(_, reason)| reason.len() > 10));
}
