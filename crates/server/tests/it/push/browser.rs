//! The other ends of a push: a browser with its keys, which decrypts by RFC 8291 with code of its own, and a push service
//! that checks the signature and gives the answers a test sets.

use atalaya_testkit::TestApp;
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::signature::{self, ECDSA_P256_SHA256_FIXED};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A browser that has subscribed.
pub struct Browser {
    private: PrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
    pub endpoint: String,
}

struct Bytes32(usize);

impl KeyType for Bytes32 {
    fn len(&self) -> usize {
        self.0
    }
}

impl Browser {
    /// With an endpoint at the test's push service.
    pub fn at(app: &TestApp, name: &str) -> Self {
        let origin = format!("http://{}", app.push_service.local_addr().expect("bound"));
        Self::with_endpoint(app, &format!("{origin}/send/{name}"))
    }

    pub fn with_endpoint(app: &TestApp, endpoint: &str) -> Self {
        let private = PrivateKey::generate(&ECDH_P256).expect("a key");
        let public = private.compute_public_key().expect("its point").as_ref().to_vec();
        Self { private, public, auth: app.sources.bytes::<16>(), endpoint: endpoint.to_owned() }
    }

    /// `PushSubscription.toJSON()`.
    pub fn token(&self) -> Value {
        let keys = json!({"p256dh": BASE64.encode(&self.public), "auth": BASE64.encode(self.auth)});
        json!({"endpoint": self.endpoint, "expirationTime": null, "keys": keys})
    }

    /// The payload for the service worker (RFC 8291 §3.4, RFC 8188 §2). Panics when it cannot be decrypted.
    pub fn decrypt(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (record_size, rest) = rest.split_at(4);
        let (id_length, rest) = (usize::from(rest[0]), &rest[1..]);
        let (sender, sealed) = rest.split_at(id_length);
        let record_size = u32::from_be_bytes(record_size.try_into().expect("four bytes"));
        assert!(u32::try_from(sealed.len()).expect("short") <= record_size, "one record");
        assert!(body.len() <= 4096, "push services take no more");

        let info = [b"WebPush: info\0".as_slice(), &self.public, sender].concat();
        let sender = UnparsedPublicKey::new(&ECDH_P256, sender);
        let input =
            agree(&self.private, sender, (), |shared| Ok(derive(&self.auth, shared, &info, 32))).expect("a shared secret");
        let key = derive(salt, &input, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = derive(salt, &input, b"Content-Encoding: nonce\0", 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("16 bytes"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce).expect("12 bytes");
        let mut sealed = sealed.to_vec();
        let plain = key.open_in_place(nonce, Aad::empty(), &mut sealed).expect("meant for this browser");
        let end = plain.iter().rposition(|byte| *byte != 0).expect("a delimiter");
        assert_eq!(plain[end], 2, "the last record");
        serde_json::from_slice(&plain[..end]).expect("JSON")
    }
}

fn derive(salt: &[u8], secret: &[u8], info: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    let pseudo_random = Salt::new(HKDF_SHA256, salt).extract(secret);
    pseudo_random.expand(&[info], Bytes32(len)).and_then(|okm| okm.fill(&mut out)).expect("short enough");
    out
}

/// A push that arrived.
#[derive(Clone)]
pub struct Arrived {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Arrived {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The claims of the signature (RFC 8292), after checking it against the server's key.
    pub fn claims(&self, server_key: &str) -> Value {
        let line = self.header("authorization").strip_prefix("vapid t=").expect("the scheme");
        let (token, key) = line.split_once(", k=").expect("two parameters");
        assert_eq!(key, server_key);
        let (signed, sign) = token.rsplit_once('.').expect("a signature");
        let point = BASE64.decode(key).expect("base64url");
        let sign = BASE64.decode(sign).expect("base64url");
        let checked = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed.as_bytes(), &sign);
        checked.expect("signed by the server");
        let (head, claims) = signed.split_once('.').expect("head and claims");
        let read = |part| serde_json::from_slice::<Value>(&BASE64.decode(part).expect("base64url")).expect("JSON");
        assert_eq!(read(head), json!({"typ": "JWT", "alg": "ES256"}));
        read(claims)
    }
}

/// What the push service answers with.
type Answer = (u16, Option<(&'static str, String)>);

#[derive(Default)]
struct Inner {
    arrived: Mutex<Vec<Arrived>>,
    /// The next answers, then 201.
    answers: Mutex<Vec<Answer>>,
}

/// A push service that is running.
pub struct PushService(Arc<Inner>);

impl PushService {
    pub fn of(app: &TestApp) -> Self {
        let inner = Arc::new(Inner::default());
        let router = Router::new().fallback(arrive).with_state(inner.clone());
        let listener = app.push_service.try_clone().expect("a socket");
        listener.set_nonblocking(true).expect("a socket");
        let listener = tokio::net::TcpListener::from_std(listener).expect("within a runtime");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self(inner)
    }

    /// The next push gets this answer.
    pub fn answer(&self, status: u16) {
        self.answer_with(status, None);
    }

    pub fn answer_with(&self, status: u16, header: Option<(&'static str, String)>) {
        self.0.answers.lock().expect("no panic").push((status, header));
    }

    /// The pushes that arrived since the last call.
    pub fn take(&self) -> Vec<Arrived> {
        std::mem::take(&mut *self.0.arrived.lock().expect("no panic"))
    }
}

async fn arrive(State(inner): State<Arc<Inner>>, uri: Uri, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    inner.arrived.lock().expect("no panic").push(Arrived { path: uri.path().to_owned(), headers, body });
    let mut answers = inner.answers.lock().expect("no panic");
    let (status, header) = if answers.is_empty() { (201, None) } else { answers.remove(0) };
    let mut headers = HeaderMap::new();
    if let Some((name, value)) = header {
        headers.insert(name, HeaderValue::from_str(&value).expect("a header"));
    }
    (StatusCode::from_u16(status).expect("a status"), headers)
}
