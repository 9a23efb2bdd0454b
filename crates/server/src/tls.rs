//! Certificates: our own at first start, or files.

use crate::config::{Config, TlsConfig};
use anyhow::{Context, Result};
use axum_server::tls_rustls::RustlsConfig;
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
    Ok(Some(rustls))
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
