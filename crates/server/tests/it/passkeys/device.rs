//! A device in software: makes passkeys and signs with them as an authenticator does (WebAuthn level 3 §6), and can be told
//! to do it wrong.

use crate::support::text;
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// The public address of tests.
pub const ORIGIN: &str = "http://localhost:8080";
/// User present, user verified.
pub const PRESENT_VERIFIED: u8 = 0x01 | 0x04;
/// Attested credential data follow.
const ATTESTED: u8 = 0x40;

pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub fn decode(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).expect("base64url")
}

/// What the browser and the device say, good until a test changes it.
#[derive(Clone)]
pub struct Says {
    pub kind: &'static str,
    pub challenge: String,
    pub origin: &'static str,
    pub cross_origin: bool,
    pub site: &'static str,
    pub flags: u8,
    pub algorithm: i8,
}

impl Says {
    pub fn creating(options: &Value) -> Self {
        Self { kind: "webauthn.create", ..Self::proving(options) }
    }

    pub fn proving(options: &Value) -> Self {
        let challenge = text(&options["challenge"]);
        let (origin, site) = (ORIGIN, "localhost");
        let (kind, cross_origin, flags, algorithm) = ("webauthn.get", false, PRESENT_VERIFIED, -7);
        Self { kind, challenge, origin, cross_origin, site, flags, algorithm }
    }

    fn client_data(&self) -> Vec<u8> {
        let (kind, challenge, origin, cross) = (self.kind, &self.challenge, self.origin, self.cross_origin);
        json!({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": cross}).to_string().into_bytes()
    }

    fn header(&self, flags: u8, counter: u32) -> Vec<u8> {
        [digest(&SHA256, self.site.as_bytes()).as_ref(), &[flags], &counter.to_be_bytes()].concat()
    }
}

/// A passkey on its device.
pub struct Device {
    key: EcdsaKeyPair,
    pub id: Vec<u8>,
    /// What `user.id` was when it was made.
    pub handle: Vec<u8>,
    pub counter: u32,
}

impl Device {
    /// A device with a fresh key for whoever the options are about.
    pub fn new(options: &Value) -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("a key");
        let id = digest(&SHA256, key.public_key().as_ref()).as_ref().to_vec();
        Self { key, id, handle: decode(&text(&options["user"]["id"])), counter: 0 }
    }

    /// The public key as COSE (RFC 9053 §7.1.1): {1: 2, 3: alg, -1: 1, -2: x, -3: y}.
    fn cose(&self, algorithm: i8) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        let negative = |n: i8| (0x20_u8).wrapping_add(u8::try_from(-1 - i16::from(n)).expect("small"));
        let mut map = vec![0xa5, 0x01, 0x02, 0x03, negative(algorithm), 0x20, 0x01, 0x21, 0x58, 32];
        map.extend_from_slice(&point[1..33]);
        map.extend_from_slice(&[0x22, 0x58, 32]);
        map.extend_from_slice(&point[33..65]);
        map
    }

    /// `RegistrationResponseJSON`.
    pub fn create(&self, says: &Says) -> Value {
        let mut data = says.header(says.flags | ATTESTED, self.counter);
        data.extend_from_slice(&[0; 16]);
        data.extend_from_slice(&u16::try_from(self.id.len()).expect("short").to_be_bytes());
        data.extend_from_slice(&self.id);
        data.extend_from_slice(&self.cose(says.algorithm));
        // {"fmt": "none", "attStmt": {}, "authData": bytes}
        let mut object = vec![0xa3];
        object.extend_from_slice(b"\x63fmt\x64none\x67attStmt\xa0\x68authData\x59");
        object.extend_from_slice(&u16::try_from(data.len()).expect("short").to_be_bytes());
        object.extend_from_slice(&data);
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(&says.client_data()), "attestationObject": encode(&object), "transports": ["internal"],
            },
        })
    }

    /// `AuthenticationResponseJSON`; the counter goes up by one.
    pub fn prove(&mut self, says: &Says) -> Value {
        self.counter += 1;
        self.prove_as(says, self.counter)
    }

    /// The same with this counter.
    pub fn prove_as(&self, says: &Says, counter: u32) -> Value {
        let (client, data) = (says.client_data(), says.header(says.flags, counter));
        let signed = [data.as_slice(), digest(&SHA256, &client).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).expect("signed");
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(&client), "authenticatorData": encode(&data),
                "signature": encode(signature.as_ref()), "userHandle": encode(&self.handle),
            },
        })
    }
}
