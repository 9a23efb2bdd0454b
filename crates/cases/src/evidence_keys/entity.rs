//! Table of the public keys.

atalaya_db::table!(
    /// A public key of this installation; base64 of its SubjectPublicKeyInfo.
    evidence_key, "evidence_key", {
        fingerprint: String, public_key: String, previous: Option<String>, endorsement: Option<String>,
        stolen_on: Option<String>, since: DateTimeUtc, until: Option<DateTimeUtc>,
    }
);
