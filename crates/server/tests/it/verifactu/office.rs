//! Stands in for the tax office's service: TLS that wants a client certificate, the schema, the chain, and its answers.

use atalaya_billing::verifactu::{Certificate, Mode, VerifactuSettings};
use atalaya_einvoice::tree::{Element, parse};
use atalaya_einvoice::verifactu::check;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum_server::tls_rustls::RustlsConfig;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How the office answers a record, by its number; others are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whim {
    Accept,
    WithErrors,
    Reject,
}

/// How the office treats the next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It keeps the records and says nothing for a long time.
    Silent,
    /// A fault about the whole call.
    Fault,
    /// A page of somebody else.
    Strange,
}

#[derive(Default)]
pub struct Memory {
    pub whims: BTreeMap<String, Whim>,
    /// How the next records of an invoice are answered, by its number; before its whim.
    pub scripts: BTreeMap<String, Vec<Whim>>,
    /// Numbers that have every call with them refused as a whole.
    pub poison: BTreeSet<String>,
    /// Records are missing in the chain, or come late.
    pub loose: bool,
    /// What records said wrongly of those before them.
    pub wrong: Vec<String>,
    /// What is known of each invoice.
    files: BTreeMap<String, File>,
    pub moods: Vec<Mood>,
    /// Bodies of the calls.
    pub calls: Vec<String>,
    /// Accepted records by number and kind.
    known: BTreeMap<(String, bool), &'static str>,
    /// Every record that came, once, in the order of the chain.
    chain: Vec<String>,
    pub wait_s: u32,
    /// The chain began before the first record that comes here.
    pub midway: bool,
}

/// What the office has of an invoice.
#[derive(Clone, Copy, Debug, Default)]
struct File {
    known: bool,
    refused: bool,
    annulment_refused: bool,
}

impl File {
    /// After this record and its answer.
    fn after(self, annulment: bool, accepted: bool) -> Self {
        match (annulment, accepted) {
            (false, true) => Self { known: true, refused: false, ..self },
            (false, false) => Self { refused: true, ..self },
            (true, true) => Self::default(),
            (true, false) => Self { annulment_refused: true, ..self },
        }
    }

    /// `Subsanacion` with `RechazoPrevio`, or `SinRegistroPrevio` with it, that fit.
    fn fitting(self, annulment: bool, corrects: bool) -> (&'static str, &'static str) {
        let flag = |set: bool| if set { "S" } else { "" };
        match (annulment, corrects) {
            (true, _) => (flag(!self.known), flag(self.annulment_refused)),
            (false, false) => ("", ""),
            (false, true) if !self.known => ("S", "X"),
            (false, true) => ("S", flag(self.refused)),
        }
    }
}

pub struct Office {
    pub memory: Arc<Mutex<Memory>>,
    url: String,
    authority: String,
    certificate: String,
    key: String,
    handle: axum_server::Handle<std::net::SocketAddr>,
}

fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority")
}

fn issued(by: &CertifiedIssuer<'static, KeyPair>, name: &str, host: Option<&str>) -> (rcgen::Certificate, KeyPair) {
    let mut params = CertificateParams::new(host.map(str::to_owned).into_iter().collect::<Vec<_>>()).expect("a name");
    params.distinguished_name.push(DnType::CommonName, name);
    let key = KeyPair::generate().expect("a key");
    (params.signed_by(&key, by).expect("it is signed"), key)
}

impl Office {
    pub async fn open() -> Self {
        let (ours, clients) = (authority("Sede de pruebas"), authority("FNMT de pruebas"));
        let (server, server_key) = issued(&ours, "localhost", Some("localhost"));
        let (client, client_key) = issued(&clients, "ATALAYA REMOTA SL - B85626240", None);
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(clients.der().to_vec())).expect("a root");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build().expect("a verifier");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(server_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("known versions")
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![CertificateDer::from(server.der().to_vec())], key)
            .expect("the pair fits");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("it can");
        let port = listener.local_addr().expect("bound").port();
        let memory = Arc::new(Mutex::new(Memory { wait_s: 60, ..Memory::default() }));
        let router = Router::new().route("/ws", post(receive)).with_state(memory.clone());
        let handle = axum_server::Handle::new();
        let tls = RustlsConfig::from_config(Arc::new(config));
        let serving = axum_server::from_tcp_rustls(listener, tls).expect("it listens").handle(handle.clone());
        tokio::spawn(serving.serve(router.into_make_service()));
        Self {
            memory,
            url: format!("https://localhost:{port}/ws"),
            authority: ours.pem(),
            certificate: client.pem(),
            key: client_key.serialize_pem(),
            handle,
        }
    }

    /// Settings that lead here, with the certificate that it wants.
    pub fn settings(&self) -> VerifactuSettings {
        let certificate = Certificate::read(&self.certificate, &self.key.clone().into()).expect("it can be used");
        assert!(certificate.subject.contains("B85626240"), "{}", certificate.subject);
        VerifactuSettings {
            mode: Mode::Test,
            trial: true,
            certificate: Some(certificate),
            url: Some(self.url.clone()),
            authorities: Some(self.authority.clone()),
            patience: Duration::from_secs(2),
            ..VerifactuSettings::default()
        }
    }

    /// The same with a certificate that nobody knows.
    pub fn strangers_settings(&self) -> VerifactuSettings {
        let (stranger, key) = issued(&authority("Nadie"), "DESCONOCIDO", None);
        let certificate = Certificate::read(&stranger.pem(), &key.serialize_pem().into()).expect("it can be used");
        VerifactuSettings { certificate: Some(certificate), ..self.settings() }
    }

    pub fn set(&self, change: impl FnOnce(&mut Memory)) {
        change(&mut self.memory.lock().expect("nobody panics holding it"));
    }

    pub fn calls(&self) -> Vec<String> {
        self.memory.lock().expect("nobody panics holding it").calls.clone()
    }
}

impl Office {
    /// What records said wrongly of those before them.
    pub fn wrong(&self) -> Vec<String> {
        self.memory.lock().expect("nobody panics holding it").wrong.clone()
    }
}

impl Drop for Office {
    fn drop(&mut self) {
        self.handle.shutdown();
    }
}

async fn receive(State(memory): State<Arc<Mutex<Memory>>>, body: String) -> (StatusCode, String) {
    let (mood, answer) = {
        let mut memory = memory.lock().expect("nobody panics holding it");
        memory.calls.push(body.clone());
        let mood = (!memory.moods.is_empty()).then(|| memory.moods.remove(0));
        let answer = match mood {
            Some(Mood::Fault) => fault("Codigo[4104].Error en la cabecera"),
            Some(Mood::Strange) => (StatusCode::OK, "<html><body>Mantenimiento</body></html>".to_owned()),
            _ => examine(&mut memory, &body),
        };
        (mood, answer)
    };
    if mood == Some(Mood::Silent) {
        tokio::time::sleep(Duration::from_secs(20)).await;
    }
    answer
}

fn fault(text: &str) -> (StatusCode, String) {
    let body = format!(
        "<env:Envelope xmlns:env=\"http://schemas.xmlsoap.org/soap/envelope/\"><env:Body><env:Fault><faultcode>env:Client</faultcode><faultstring>{text}</faultstring></env:Fault></env:Body></env:Envelope>"
    );
    (StatusCode::INTERNAL_SERVER_ERROR, body)
}

/// The call's inner document, with the names that the envelope declared.
fn inner(body: &str) -> &str {
    let from = body.find("<sum:RegFactuSistemaFacturacion").expect("a call");
    &body[from..body.find("</soapenv:Body>").expect("an envelope")]
}

/// Schema, chain, then each record.
fn examine(memory: &mut Memory, body: &str) -> (StatusCode, String) {
    if !fits_schema(inner(body)) {
        return fault("Codigo[4102].El XML no cumple el esquema");
    }
    let records: Vec<&str> =
        body.split("<sum:RegistroFactura>").skip(1).filter_map(|part| part.split("</sum:RegistroFactura>").next()).collect();
    assert!((1..=1000).contains(&records.len()), "{} records", records.len());
    if records.iter().any(|record| memory.poison.contains(&about(&parse(record).expect("a record")).1)) {
        return fault("Codigo[4102].El XML no cumple el esquema. Falta informar campo obligatorio.");
    }
    for record in &records {
        if !memory.chain.iter().any(|known| known == record) {
            memory.chain.push((*record).to_owned());
            examine_flags(memory, record);
        }
    }
    let before = memory.midway.then(|| link(&memory.chain[0]));
    let before = before.as_ref().map(|(id, hash)| (id, hash.as_str()));
    let whole = check(memory.chain.iter().map(String::as_str), before);
    assert!(memory.loose || whole == Ok(()), "the chain is sent whole and in its order: {whole:?}");
    let lines: String = records.iter().map(|record| line(memory, record)).collect();
    let answer = format!(
        "<env:Envelope xmlns:env=\"http://schemas.xmlsoap.org/soap/envelope/\"><env:Body><tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR=\"r\" xmlns:tik=\"i\"><tikR:CSV>A-{:04}</tikR:CSV><tikR:TiempoEsperaEnvio>{}</tikR:TiempoEsperaEnvio><tikR:EstadoEnvio>Correcto</tikR:EstadoEnvio>{lines}</tikR:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>",
        memory.calls.len(),
        memory.wait_s,
    );
    (StatusCode::OK, answer)
}

/// The record that this one names as the one before.
fn link(record: &str) -> ([String; 3], String) {
    let tree = parse(record).expect("a record");
    let of = |name: &str| tree.text_at(&["Encadenamiento", "RegistroAnterior", name]).to_owned();
    (["IDEmisorFactura", "NumSerieFactura", "FechaExpedicionFactura"].map(of), of("Huella"))
}

/// Whether a record is an annulment, and of which number.
fn about(tree: &Element) -> (bool, String) {
    let annulment = tree.name == "RegistroAnulacion";
    let name = if annulment { "NumSerieFacturaAnulada" } else { "NumSerieFactura" };
    (annulment, tree.text_at(&["IDFactura", name]).to_owned())
}

/// What a record says of those before it is compared with what is on file.
fn examine_flags(memory: &mut Memory, record: &str) {
    let tree = parse(record).expect("a record");
    let (annulment, number) = about(&tree);
    let first = tree.text_at(&[if annulment { "SinRegistroPrevio" } else { "Subsanacion" }]);
    let said = (first, tree.text_at(&["RechazoPrevio"]));
    let file = memory.files.get(&number).copied().unwrap_or_default();
    let fitting = file.fitting(annulment, first == "S");
    if said != fitting {
        memory.wrong.push(format!("{number}: {said:?} where {fitting:?} fits {file:?}"));
    }
}

fn line(memory: &mut Memory, record: &str) -> String {
    let tree = parse(record).expect("a record");
    let (annulment, number) = about(&tree);
    let ending = if annulment { "Anulada" } else { "" };
    let of_id = |name: &str| tree.text_at(&["IDFactura", &format!("{name}{ending}")]).to_owned();
    let corrects = tree.text_at(&["Subsanacion"]) == "S";
    let script = memory.scripts.get_mut(&number).filter(|script| !script.is_empty()).map(|script| script.remove(0));
    let whim = script.or_else(|| memory.whims.get(&number).copied());
    let key = (number.clone(), annulment);
    let (state, more) = match memory.known.get(&key) {
        Some(before) if !corrects => (
            "Incorrecto",
            format!(
                "<tikR:CodigoErrorRegistro>3000</tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro>Registro de facturación duplicado</tikR:DescripcionErrorRegistro><tikR:RegistroDuplicado><tik:EstadoRegistroDuplicado>{before}</tik:EstadoRegistroDuplicado></tikR:RegistroDuplicado>"
            ),
        ),
        _ => match whim {
            Some(Whim::Reject) => (
                "Incorrecto",
                "<tikR:CodigoErrorRegistro>1110</tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro>El NIF no está identificado</tikR:DescripcionErrorRegistro>".to_owned(),
            ),
            Some(Whim::WithErrors) => {
                memory.known.insert(key, "AceptadaConErrores");
                (
                    "AceptadoConErrores",
                    "<tikR:CodigoErrorRegistro>2004</tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro>La hora de generación</tikR:DescripcionErrorRegistro>".to_owned(),
                )
            }
            None | Some(Whim::Accept) => {
                memory.known.insert(key, "Correcta");
                ("Correcto", String::new())
            }
        },
    };
    if !more.contains("RegistroDuplicado") {
        let file = memory.files.entry(number.clone()).or_default();
        *file = file.after(annulment, state != "Incorrecto");
    }
    let kind = if annulment { "Anulacion" } else { "Alta" };
    format!(
        "<tikR:RespuestaLinea><tikR:IDFactura><tik:IDEmisorFactura>{}</tik:IDEmisorFactura><tik:NumSerieFactura>{number}</tik:NumSerieFactura><tik:FechaExpedicionFactura>{}</tik:FechaExpedicionFactura></tikR:IDFactura><tikR:Operacion><tik:TipoOperacion>{kind}</tik:TipoOperacion></tikR:Operacion><tikR:EstadoRegistro>{state}</tikR:EstadoRegistro>{more}</tikR:RespuestaLinea>",
        of_id("IDEmisorFactura"),
        of_id("FechaExpedicionFactura"),
    )
}

/// Whether a document fits a schema of the folder; true, with a word about it, when the schemas are not here.
pub fn fits(schema: &str, xml: &str) -> bool {
    let Ok(folder) = std::env::var("ATALAYA_TEST_SCHEMAS") else {
        eprintln!("not run: ATALAYA_TEST_SCHEMAS is not set (scripts/schemas.sh)");
        return true;
    };
    let mut child = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema", &format!("{folder}/{schema}"), "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint runs");
    child.stdin.take().expect("piped").write_all(xml.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success()
}

fn fits_schema(xml: &str) -> bool {
    fits("verifactu/SuministroLR.xsd", xml)
}
