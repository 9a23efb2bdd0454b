//! Asking the public page of an installation about an archive.

use super::archive::{Archive, ArchiveError};
use super::trust::Page;
use crate::certificates::manifest::MANIFEST;
use serde_json::Value;
use std::io::{Read, Seek};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

/// Why the page gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("{0} is no address of a page (https://…)")]
    Address(String),
    #[error("the page does not answer: {0}")]
    Unreachable(#[from] reqwest::Error),
}

/// The code of the certificate in an archive.
pub fn certificate_code(file: impl Read + Seek) -> Result<Option<String>, ArchiveError> {
    let (mut archive, mut bytes) = (Archive::open(file)?, Vec::new());
    archive.read(MANIFEST, |piece| bytes.extend_from_slice(piece))?;
    let manifest: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    Ok(manifest["certificate"]["code"].as_str().map(str::to_owned))
}

/// Asks a page for its keys, and about a certificate: the one whose address was named, else the archive's.
pub async fn ask(url: &str, code: Option<&str>) -> Result<Page, PageError> {
    let (site, named) = split(url).ok_or_else(|| PageError::Address(url.to_owned()))?;
    let client = reqwest::Client::builder().timeout(PATIENCE).build()?;
    let keys = client.get(format!("{site}/.well-known/atalaya-evidence.pem")).send().await?;
    let keys = if keys.status() == 404 { String::new() } else { keys.error_for_status()?.text().await? };
    let certificate = match named.as_deref().or(code) {
        None => Value::Null,
        Some(code) => {
            let answer = client.get(format!("{site}/api/v1/verification/{code}")).send().await?;
            // The archive claims a certificate that the page does not know.
            let known = answer.status() != 404;
            if known { answer.error_for_status()?.json::<Value>().await?["certificate"].clone() } else { Value::Bool(false) }
        }
    };
    Ok(Page { url: url.to_owned(), keys, certificate })
}

/// Scheme and host of an address, and the code at its end when it is that of a certificate's page.
fn split(url: &str) -> Option<(String, Option<String>)> {
    let (scheme, rest) = url.split_once("://").filter(|(scheme, _)| matches!(*scheme, "http" | "https"))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let code = path.trim_end_matches('/').rsplit_once("verificar/").map(|(_, code)| code.to_owned());
    let code = code.filter(|code| code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && !code.is_empty());
    (!host.is_empty()).then(|| (format!("{scheme}://{host}"), code))
}

#[cfg(test)]
mod tests {
    use super::*;

    // EVID-47
    #[test]
    fn an_address_is_a_site_or_the_page_of_a_certificate() {
        let site = |url| split(url).map(|(site, code)| (site, code.unwrap_or_default()));
        assert_eq!(site("https://a.es"), Some(("https://a.es".into(), String::new())));
        assert_eq!(site("https://a.es/verificar"), Some(("https://a.es".into(), String::new())));
        assert_eq!(site("http://a.es:81/verificar/AB-CD/"), Some(("http://a.es:81".into(), "AB-CD".into())));
        assert_eq!((site("a.es"), site("file:///x"), site("https://")), (None, None, None));
    }
}
