//! Every setting by name. The reference, the loader and the "unknown key" error all read this table.

#[path = "settings_more.rs"]
mod more;

use more::{MORE, joined};

/// One name of the configuration: `listen` in the file, `ATALAYA_LISTEN` in the environment.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub key: &'static str,
    pub group: &'static str,
    /// What a value looks like.
    pub kind: &'static str,
    /// Default as a text; empty is "not set".
    pub default: &'static str,
    /// May also be given as the path of a file (`…_file`, `…_FILE`), and is never printed.
    pub secret: bool,
    pub doc: &'static str,
}

const fn plain(group: &'static str, key: &'static str, kind: &'static str, default: &'static str, doc: &'static str) -> Setting {
    Setting { key, group, kind, default, secret: false, doc }
}

const fn secret(group: &'static str, key: &'static str, kind: &'static str, doc: &'static str) -> Setting {
    Setting { key, group, kind, default: "", secret: true, doc }
}

/// Environment names that begin with `ATALAYA_` and belong to scripts and tests, not to the server.
pub const FOREIGN_ENV: &[&str] = &["ATALAYA_CACHE", "ATALAYA_CONFIG", "ATALAYA_DEV_SERVER"];
/// Environment names with this beginning belong to the tests.
pub const TEST_ENV_PREFIX: &str = "ATALAYA_TEST_";

/// All settings, in the order of the reference.
pub const SETTINGS: &[Setting] = &joined::<{ GENERAL.len() + MORE.len() }>(GENERAL, MORE);

const GENERAL: &[Setting] = &[
    plain("Server", "listen", "address:port", "127.0.0.1:8080", "Address the web server listens on."),
    plain(
        "Server",
        "public_url",
        "http(s) URL",
        "",
        "Origin under which browsers reach the server; links in SMS and e-mails begin with it. Without it, the listening \
         address (as `localhost` when that is a loopback address).",
    ),
    plain(
        "Server",
        "trusted_proxies",
        "IP addresses or networks, separated by commas",
        "",
        "Proxies in front of the server whose `X-Forwarded-For` is believed; a network is written `10.0.0.0/8`.",
    ),
    plain("Server", "data_dir", "folder", "./data", "Database, files and secrets of an unconfigured server live here."),
    plain(
        "Server",
        "erasure_register",
        "file",
        "",
        "Register of erasures: what was erased is erased anew when a backup is put back. `erasures.jsonl` in the data folder \
         without it. It is in no backup; keep a copy on another machine, or let it lie there.",
    ),
    plain("Server", "shutdown_timeout", "seconds", "20", "How long a stop waits for requests, messages and recordings."),
    plain("Keys", "pkcs11_module", "file", "", "PKCS#11 library of a token (HSM) that wraps the keys of files (KEYS-6)."),
    plain("Keys", "pkcs11_token", "text", "", "Label of the token."),
    secret("Keys", "pkcs11_pin", "text", "PIN of the token's user."),
    plain(
        "First administrator",
        "admin_email",
        "e-mail",
        "",
        "User name of the administrator made on an empty database; `admin@localhost` without it.",
    ),
    secret(
        "First administrator",
        "admin_password",
        "text",
        "Password of that administrator, of which a weak one stops the start; without it one is made and printed once.",
    ),
    secret(
        "Database",
        "database_url",
        "URL",
        "`postgres://user:password@host/database`, or `sqlite://path`. Without it, SQLite in the data folder.",
    ),
    plain("Database", "database_max_connections", "number", "10", "Upper limit of the connection pool."),
    secret(
        "Storage",
        "storage_url",
        "folder or URL",
        "Where pictures, recordings and documents are kept (always encrypted): a folder, or `s3://[key:secret@]bucket[/prefix][?endpoint=…&region=…]`. Without it, `files` in the data folder.",
    ),
    plain(
        "Storage",
        "storage_access_key",
        "text",
        "",
        "Access key of the bucket, when it is not in the URL; else `AWS_ACCESS_KEY_ID` is used.",
    ),
    secret("Storage", "storage_secret_key", "text", "Secret key of the bucket; else `AWS_SECRET_ACCESS_KEY` is used."),
    plain("Media", "media_udp_port", "port", "7882", "The embedded engine's one UDP port, for everybody."),
    plain("Media", "media_tcp_port", "port", "", "The embedded engine's ICE-TCP port; without it, the number of the UDP port."),
    plain(
        "Media",
        "media_announce_ip",
        "IP address",
        "",
        "Address that browsers are told to send media to; needed behind NAT. Without it, the addresses of this machine.",
    ),
    plain(
        "Media",
        "media_api_key",
        "text",
        "",
        "Key that names the signer of the embedded engine's tokens; made at first start.",
    ),
    secret("Media", "media_api_secret", "text", "Secret that signs the embedded engine's tokens; made at first start."),
    plain(
        "Media",
        "livekit_url",
        "ws(s) or http(s) URL",
        "",
        "A LiveKit server that carries the media instead of the embedded engine. Needs its key and secret.",
    ),
    plain("Media", "livekit_api_key", "text", "", "API key of the LiveKit server."),
    secret("Media", "livekit_api_secret", "text", "API secret of the LiveKit server."),
    plain(
        "Media",
        "turn_url",
        "turn(s) URL",
        "",
        "An external TURN server, `turn:host:3478?transport=udp` or `turns:host:443?transport=tcp`, several separated by commas, instead \
         of the embedded engine's own: that one answers on the media port by UDP and TCP, and by TLS on the web server's port when \
         `tls` is on.",
    ),
    secret("Media", "turn_secret", "text", "Secret shared with the external TURN server (coturn: `static-auth-secret`)."),
    secret(
        "Messages",
        "smtp_url",
        "URL",
        "`smtp://user:password@host:port?tls=none|opportunistic|required`, or `smtps://…` for TLS from the first byte. Without `tls`, a password travels encrypted only, except to this machine. Without a URL, e-mails stay in the outbox, state `captured`.",
    ),
    plain("Messages", "mail_from", "e-mail", "Atalaya <atalaya@localhost>", "Sender of e-mails."),
    secret(
        "Messages",
        "sms_url",
        "URL",
        "SMS gateway: `twilio://SID:TOKEN@api.twilio.com?from=+34…` (a number, a name, or `MG…` for a messaging service), or the \
         `http(s)://` address of another one, described by the other `sms_…` settings. Without it, SMS stay in the outbox, state \
         `captured`. Twilio sends its receipts to `{public_url}/hooks/messages/twilio` by itself.",
    ),
    plain(
        "Messages",
        "sms_sender",
        "text",
        "",
        "The platform's own sender name, registered at the CNMC's Registry of aliases: for SMS of companies without a \
         registered one. Without it, the gateway's number.",
    ),
    plain("Messages", "sms_method", "POST, PUT or GET", "POST", "How the gateway at an `http(s)://` address is asked."),
    secret(
        "Messages",
        "sms_headers",
        "`Name: value`, one a line",
        "Headers of that request, for instance `Authorization: Bearer …`. `Content-Type` follows from the body.",
    ),
    plain(
        "Messages",
        "sms_body",
        "template",
        r#"{"to":"{{to}}","text":"{{text}}","sender":"{{sender}}","id":"{{id}}"}"#,
        "Body of that request: JSON when it begins with a brace, else a form. `{{to}}` (E.164), `{{text}}`, `{{sender}}` and \
         `{{id}}` (ours) are escaped for where they stand. With `GET` they stand in the address instead.",
    ),
    plain(
        "Messages",
        "sms_id",
        "JSON pointer or -",
        "/id",
        "Where the answer names the message; an accepted message without it counts as a failure. `-`: it names none.",
    ),
    plain("Messages", "sms_success", "statuses", "200-299", "Statuses of an accepted message: `200-299`, `200,202`."),
    plain(
        "Messages",
        "sms_per_hour",
        "number",
        "1000",
        "SMS and WhatsApp messages that one company may write in any sixty minutes, 0 to 1000000, against toll fraud; \
         administrators may set another number for a company. The next one is refused (429 `SMS_CEILING_HOUR`), and \
         administrators are told once a day.",
    ),
    plain("Messages", "sms_per_day", "number", "5000", "The same in a day of Madrid (429 `SMS_CEILING_DAY`)."),
    plain("Messages", "conference_messages", "number", "30", "Of one conference, 1 to 1000 (409 `MESSAGES_CEILING`)."),
    secret(
        "Messages",
        "sms_receipt_secret",
        "text",
        "Signs the receipts that this gateway posts to `{public_url}/hooks/messages/http`: `X-Signature: t=<unix \
         seconds>,v1=<hex HMAC-SHA256 of \"t.body\">`, body `{\"id\", \"reference\", \"status\": \"delivered\"}`. Without it, none are taken.",
    ),
    secret(
        "Messages",
        "whatsapp_url",
        "http(s) URL",
        "WhatsApp gateway of WAHA's shape: `http://host:3000?session=default`. Its session is kept on the page Messages. Without \
         it, nothing goes by WhatsApp.",
    ),
    secret("Messages", "whatsapp_key", "text", "Key of that gateway (`X-Api-Key`)."),
    secret(
        "Messages",
        "whatsapp_receipt_secret",
        "text",
        "HMAC key of the webhook `message.ack` that the gateway posts to `{public_url}/hooks/messages/waha`. Without it, none are \
         taken.",
    ),
    plain(
        "Messages",
        "push_contact",
        "mailto: or https: URL",
        "",
        "Where a push service writes to about the pushes of this server (`sub` of RFC 8292); `mailto:` and the \
         administrators' mailbox without it. Some services refuse pushes with an address that cannot exist, such as one at \
         `localhost`.",
    ),
    plain(
        "Messages",
        "push_services",
        "origins, separated by commas",
        "",
        "Push services besides those of Chrome, Edge, Firefox and Safari that devices may name, for instance \
         `https://push.example.org`. One on this machine or in the own network is reached only when it stands here; `http://` \
         is for tests.",
    ),
    plain(
        "Messages",
        "webhooks_allow_private",
        "true or false",
        "false",
        "Lets webhooks of customers go to addresses of the own network and without TLS. For tests: customers name the \
         addresses, and with this they reach whatever this server reaches.",
    ),
    secret(
        "Evidence",
        "geocoder_url",
        "http(s) URL",
        "Geocoder with Nominatim's API (`search` and `reverse` below this address; a key may stand in its query). It gets the \
         insured addresses and the clients' positions, and answers how far these are from those. Without it, only the \
         provinces are compared, and nothing leaves this server.",
    ),
    plain(
        "Evidence",
        "timestamp_url",
        "http(s) URL",
        "",
        "RFC 3161 time stamp authority that is asked every hour to stamp the new seals of the evidence chains. Without it, none is asked.",
    ),
    plain(
        "Evidence",
        "timestamp_qualified",
        "true or false",
        "false",
        "Whether that authority is a qualified trust service provider (eIDAS); certificates then say `sello de tiempo cualificado`.",
    ),
    plain(
        "SEPA",
        "sepa_message",
        "pain.008.001.08 or pain.008.001.02",
        "pain.008.001.08",
        "Edition of the file of debits that the bank takes.",
    ),
    plain("SEPA", "sepa_notice_days", "days", "7", "Days between an invoice's issue and its debit, as agreed with customers."),
    plain("SEPA", "sepa_lead_days", "days", "2", "Days on which banks work that lie between the file and the debit at least."),
    plain(
        "SEPA",
        "sepa_first_sequence",
        "true or false",
        "false",
        "The first debit of a mandate goes as `FRST`; else all go as `RCUR`.",
    ),
    plain(
        "SEPA",
        "sepa_plain_mail",
        "true or false",
        "false",
        "Mail the file of debits as it is, with every account in it, instead of a ZIP that opens with the SEPA secret.",
    ),
    plain("SEPA", "sepa_unpaid_days", "days", "30", "Days after a returned debit after which its invoice is unpaid."),
    plain("SEPA", "sepa_max_returns", "number", "2", "Returned debits of one invoice after which it is unpaid."),
    plain(
        "SEPA",
        "sepa_auto_suspend",
        "true or false",
        "false",
        "A customer with an unpaid invoice becomes unpaid itself (status 5), which blocks it.",
    ),
    plain("Invoices", "invoice_messages", "true or false", "false", "Answers to electronic invoices are kept (RD 238/2026)."),
    plain(
        "Veri*Factu",
        "verifactu_mode",
        "off, test or production",
        "off",
        "Whether the records of invoices are sent to the tax office. `off` makes and keeps them; its invoices have no QR code, and \
         from 2027-01-01 on none is issued. `test` sends to the tax office's test service. Sending needs a certificate; `production` \
         needs the statement of compliance whole (verifactu_producer_…, verifactu_declared).",
    ),
    plain(
        "Veri*Factu",
        "verifactu_trial",
        "true or false",
        "false",
        "Every customer of this installation is made up: invoices say `ENTORNO DE PRUEBAS`, and in test mode their QR code leads \
         to the test host and they are issued after 2026 too. Always so with `--demo`; never in production.",
    ),
    plain("Veri*Factu", "verifactu_certificate", "file", "", "The issuer's certificate with its chain (PEM)."),
    plain("Veri*Factu", "verifactu_key", "file", "", "Its private key (PEM, without a password)."),
    plain("Veri*Factu", "verifactu_seal", "true or false", "false", "It is a certificate of seal: other hosts are called."),
    plain("Veri*Factu", "verifactu_url", "https URL", "", "Another address of the service, for tests."),
    plain("Veri*Factu", "verifactu_authorities", "file", "", "Authorities (PEM) that are believed besides the known ones."),
    plain("Veri*Factu", "verifactu_installation", "text", "1", "Number of this installation in the records."),
    plain(
        "Veri*Factu",
        "verifactu_producer_name",
        "text",
        "",
        "Who made the program, in records and statement of compliance; the issuer itself without it. With its NIF.",
    ),
    plain("Veri*Factu", "verifactu_producer_nif", "NIF", "", "The producer's NIF."),
    plain(
        "Veri*Factu",
        "verifactu_producer_contact",
        "text",
        "",
        "The producer's postal address, in the statement of compliance.",
    ),
    plain("Veri*Factu", "verifactu_declared", "text", "", "Day and place of the statement of compliance."),
    plain("Veri*Factu", "vies_url", "http(s) URL", "", "VIES' REST interface, to ask whether a VAT number exists; else none is."),
    plain(
        "TLS",
        "tls",
        "off, self-signed, files or acme",
        "off",
        "How the server speaks HTTPS. Cameras need HTTPS or `localhost`. `acme` is not supported in this version.",
    ),
    plain("TLS", "tls_cert", "file", "", "Certificate chain (PEM) for `tls = \"files\"`."),
    plain("TLS", "tls_key", "file", "", "Private key (PEM) for `tls = \"files\"`."),
    plain(
        "TLS",
        "hsts_preload",
        "true or false",
        "false",
        "With an https public address, ask browsers to put this host's domain on their built-in list of https-only hosts (HSTS \
         preload, two years). Leaving that list takes months: every host of the domain must have https for good.",
    ),
    plain("Operation", "log", "filter", "info", "What is logged: a level, or a list such as `warn,atalaya_sfu=debug`."),
    plain("Operation", "log_format", "text or json", "text", "How log lines look."),
    plain("Operation", "metrics", "true or false", "false", "Answer `GET /metrics` (Prometheus) on the main address."),
    plain("Operation", "metrics_listen", "address:port", "", "Answer `GET /metrics` on an address of its own instead."),
    plain(
        "Messages",
        "outbox_open",
        "true or false",
        "",
        "Administrators see the links and codes of messages without a provider at once, and not after a fresh proof of \
         identity. Without it, so it is with `--demo`, and while the web server listens on a loopback address that is also \
         the public one.",
    ),
    plain(
        "Messages",
        "campaigns_per_minute",
        "number",
        "300",
        "Messages of advertising campaigns that enter the outbox in a minute at most, 1 to 60000; below what the mail server takes.",
    ),
    plain("Accounts", "trial_days", "days", "30", "Days between a company's activation and its first paid day."),
    plain(
        "Links",
        "admin_mailbox",
        "e-mail",
        "",
        "Mailbox that receives what is meant for the platform's administrators; the first administrator's address without it.",
    ),
];

/// The setting with this key.
pub fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

impl Setting {
    /// The name in the environment.
    pub fn env(&self) -> String {
        format!("ATALAYA_{}", self.key.to_ascii_uppercase())
    }
}
