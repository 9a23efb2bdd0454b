//! Facturae with the issuer's signature (XAdES-EPES by the format's policy 3.1), as public bodies want it (EINV-15).
//!
//! Nothing is canonicalised here: [`Xml`] writes what Canonical XML 1.0 would make of it (every element closed by a tag of its own, no blanks
//! between them, attributes in order), so that the bytes that stand in the file are those that are digested. *Invariant:* the parts that are
//! digested by themselves repeat the namespaces that are in scope where they stand.

use crate::facturae::NAMESPACE as FACTURAE;
use crate::write::Xml;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, SecondsFormat, Utc};

const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
const XADES: &str = "http://uri.etsi.org/01903/v1.3.2#";
const CANONICAL: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const SHA256_NAME: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
const SHA1_NAME: &str = "http://www.w3.org/2000/09/xmldsig#sha1";
/// The policy of the format, and the SHA-1 of its text.
const POLICY: &str = "http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf";
const POLICY_SHA1: &str = "Ohixl6upD6av8N7pEvDABhEL6hM=";

/// The end of the document that is signed.
const END: &str = "</fe:Facturae>";

/// The certificate of who signs.
#[derive(Clone, Copy, Debug)]
pub struct Signer<'a> {
    /// DER.
    pub certificate: &'a [u8],
    /// Who issued it (RFC 4514).
    pub issuer: &'a str,
    /// Its serial number, decimal.
    pub serial: &'a str,
}

/// A Facturae of ours with its signature. `sign` makes RSA with SHA-256 (PKCS #1) of what it is given.
///
/// Errors: those of `sign`.
pub fn signed<E>(
    facturae: &str,
    signer: Signer<'_>,
    at: DateTime<Utc>,
    sign: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
) -> Result<String, E> {
    let document = canonical(facturae);
    let root = document.find("<fe:Facturae").map_or(document.as_str(), |start| &document[start..]);
    let key = Part::new("ds:KeyInfo", "KeyInfo", |xml| {
        xml.inside("ds:X509Data", |xml| xml.text("ds:X509Certificate", &STANDARD.encode(signer.certificate)));
    });
    let properties = Part::new("xades:SignedProperties", "SignedProperties", |xml| properties(xml, signer, at));
    let info = Part::new("ds:SignedInfo", "SignedInfo", |xml| {
        empty(xml, "ds:CanonicalizationMethod", CANONICAL);
        empty(xml, "ds:SignatureMethod", RSA_SHA256);
        let whole = [("Id", "Reference"), ("URI", "")];
        reference(xml, &whole, Some(ENVELOPED), root);
        let of_properties = [("Type", "http://uri.etsi.org/01903#SignedProperties"), ("URI", "#SignedProperties")];
        reference(xml, &of_properties, None, &properties.alone());
        reference(xml, &[("URI", "#KeyInfo")], None, &key.alone());
    });
    let value = sign(info.alone().as_bytes())?;
    let mut xml = Xml::default();
    xml.element("ds:Signature", &[("xmlns:ds", DSIG), ("xmlns:xades", XADES), ("Id", "Signature")], |xml| {
        xml.raw(&info.inside());
        xml.text("ds:SignatureValue", &STANDARD.encode(value));
        xml.raw(&key.inside());
        xml.inside("ds:Object", |xml| {
            xml.element("xades:QualifyingProperties", &[("Target", "#Signature")], |xml| xml.raw(&properties.inside()));
        });
    });
    let end = document.rfind(END).unwrap_or(document.len());
    Ok(format!("{}{}{}", &document[..end], xml.finish(), &document[end..]))
}

/// Texts as Canonical XML has them: quotation marks stand for themselves. `&quot;` that somebody typed is `&amp;quot;` here.
fn canonical(xml: &str) -> String {
    xml.replace("&quot;", "\"").replace("&apos;", "'")
}

/// An element that is digested by itself.
struct Part {
    name: &'static str,
    id: &'static str,
    content: String,
}

impl Part {
    fn new(name: &'static str, id: &'static str, content: impl FnOnce(&mut Xml)) -> Self {
        let mut xml = Xml::default();
        content(&mut xml);
        Self { name, id, content: canonical(&xml.finish()) }
    }

    /// As it stands in the file, whose outer elements have the namespaces.
    fn inside(&self) -> String {
        let Self { name, id, content } = self;
        format!("<{name} Id=\"{id}\">{content}</{name}>")
    }

    /// As it is digested: with every namespace in scope.
    fn alone(&self) -> String {
        let Self { name, id, content } = self;
        format!("<{name} xmlns:ds=\"{DSIG}\" xmlns:fe=\"{FACTURAE}\" xmlns:xades=\"{XADES}\" Id=\"{id}\">{content}</{name}>")
    }
}

fn properties(xml: &mut Xml, signer: Signer<'_>, at: DateTime<Utc>) {
    xml.inside("xades:SignedSignatureProperties", |xml| {
        xml.text("xades:SigningTime", &at.to_rfc3339_opts(SecondsFormat::Secs, true));
        xml.inside("xades:SigningCertificate", |xml| xml.inside("xades:Cert", |xml| certificate(xml, signer)));
        xml.inside("xades:SignaturePolicyIdentifier", |xml| xml.inside("xades:SignaturePolicyId", policy));
        xml.inside("xades:SignerRole", |xml| {
            xml.inside("xades:ClaimedRoles", |xml| xml.text("xades:ClaimedRole", "emisor"));
        });
    });
    xml.inside("xades:SignedDataObjectProperties", |xml| {
        xml.element("xades:DataObjectFormat", &[("ObjectReference", "#Reference")], |xml| {
            xml.text("xades:Description", "Factura electrónica");
            xml.text("xades:MimeType", "text/xml");
        });
    });
}

fn certificate(xml: &mut Xml, signer: Signer<'_>) {
    xml.inside("xades:CertDigest", |xml| {
        empty(xml, "ds:DigestMethod", SHA256_NAME);
        xml.text("ds:DigestValue", &sha256(signer.certificate));
    });
    xml.inside("xades:IssuerSerial", |xml| {
        xml.text("ds:X509IssuerName", signer.issuer);
        xml.text("ds:X509SerialNumber", signer.serial);
    });
}

fn policy(xml: &mut Xml) {
    xml.inside("xades:SigPolicyId", |xml| {
        xml.text("xades:Identifier", POLICY);
        xml.text("xades:Description", "Política de Firma FacturaE v3.1");
    });
    xml.inside("xades:SigPolicyHash", |xml| {
        empty(xml, "ds:DigestMethod", SHA1_NAME);
        xml.text("ds:DigestValue", POLICY_SHA1);
    });
}

fn reference(xml: &mut Xml, attributes: &[(&str, &str)], transform: Option<&str>, digested: &str) {
    xml.element("ds:Reference", attributes, |xml| {
        if let Some(transform) = transform {
            xml.inside("ds:Transforms", |xml| empty(xml, "ds:Transform", transform));
        }
        empty(xml, "ds:DigestMethod", SHA256_NAME);
        xml.text("ds:DigestValue", &sha256(digested.as_bytes()));
    });
}

fn empty(xml: &mut Xml, name: &str, algorithm: &str) {
    xml.element(name, &[("Algorithm", algorithm)], |_| {});
}

fn sha256(bytes: &[u8]) -> String {
    STANDARD.encode(digest(&SHA256, bytes))
}
