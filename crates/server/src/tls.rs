//! Certificates: our own at first start, or files.

use crate::config::{Config, TlsConfig};
use anyhow::{Context, Result};
use axum_server::tls_rustls::RustlsConfig;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use cms::cert::x509::Certificate;
use der07::Decode as _;
use std::io::Write;
use std::net::UdpSocket;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The server's TLS configuration, or `None` for plain HTTP.
pub async fn configure(config: &Config) -> Result<Option<RustlsConfig>> {
    let (certificate, key) = match &config.tls {
        TlsConfig::Off => return Ok(None),
        TlsConfig::Files { certificate, key } => (certificate.clone(), key.clone()),
        TlsConfig::SelfSigned => self_signed(config)?,
    };
    let loaded = RustlsConfig::from_pem_file(&certificate, &key).await;
    let rustls = loaded.with_context(|| format!("certificate {} with key {}", certificate.display(), key.display()))?;
    // Clients of TURN that name what they speak (RFC 7443); most name nothing.
    let mut named = rustls.get_inner().as_ref().clone();
    named.alpn_protocols.push(b"stun.turn".to_vec());
    rustls.reload_from_config(std::sync::Arc::new(named));
    Ok(Some(rustls))
}

/// When the certificate that browsers are shown ends; `None` without one, or when it cannot be read.
pub(crate) fn ends_at(config: &Config) -> Option<DateTime<Utc>> {
    let file = match &config.tls {
        TlsConfig::Off => return None,
        TlsConfig::Files { certificate, .. } => certificate.clone(),
        TlsConfig::SelfSigned => config.data_dir.join("tls/cert.pem"),
    };
    let text = std::fs::read_to_string(file).ok()?;
    let (_, rest) = text.split_once("-----BEGIN CERTIFICATE-----")?;
    let (body, _) = rest.split_once("-----END CERTIFICATE-----")?;
    let der = STANDARD.decode(body.split_whitespace().collect::<String>()).ok()?;
    let certificate = Certificate::from_der(&der).ok()?;
    let until = certificate.tbs_certificate.validity.not_after.to_unix_duration();
    DateTime::from_timestamp(i64::try_from(until.as_secs()).ok()?, 0)
}

/// The certificate under the data folder, made when it is not there.
fn self_signed(config: &Config) -> Result<(PathBuf, PathBuf)> {
    let folder = config.data_dir.join("tls");
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    if certificate.exists() && key.exists() {
        return Ok((certificate, key));
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let made = rcgen::generate_simple_self_signed(names(config)).context("making a certificate")?;
    write(&key, &made.signing_key.serialize_pem(), 0o600)?;
    write(&certificate, &made.cert.pem(), 0o644)?;
    Ok((certificate, key))
}

/// Names and addresses under which this machine may be reached.
fn names(config: &Config) -> Vec<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let mut add = |name: String| {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    };
    if let Some(host) = host_of(&config.public_url) {
        add(host);
    }
    if let Some(ip) = config.media.announce_ip {
        add(ip.to_string());
    }
    if !config.listen.ip().is_unspecified() {
        add(config.listen.ip().to_string());
    }
    if let Some(ip) = outgoing_address() {
        add(ip);
    }
    if let Ok(name) = std::fs::read_to_string("/proc/sys/kernel/hostname") {
        add(name.trim().to_owned());
    }
    names
}

fn host_of(url: &str) -> Option<String> {
    let authority = url.split_once("://")?.1.split('/').next()?;
    match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().map(str::to_owned),
        None => authority.split(':').next().map(str::to_owned),
    }
}

/// The address this machine would use to reach others; connecting a UDP socket sends nothing.
pub(crate) fn outgoing_address() -> Option<String> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip().to_string())
}

fn write(path: &Path, text: &str, mode: u32) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(file.write_all(text.as_bytes())?)
}
