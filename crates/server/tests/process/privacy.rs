//! Who else on the machine can read what the server writes, and what `doctor` makes of a proxy.

use super::{Folder, Server, atalaya, output};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Files below a folder that others can read or write.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let about = entry.metadata().unwrap();
        if about.is_dir() {
            open.extend(open_to_others(&entry.path()));
        } else if about.permissions().mode() & 0o077 != 0 {
            open.push(format!("{} {:o}", entry.path().display(), about.permissions().mode() & 0o777));
        }
    }
    open
}

// STORE-23
#[test]
fn nobody_else_reads_database_files_and_backups() {
    let folder = Folder::new("privacy");
    std::fs::create_dir(folder.path("data")).unwrap();
    // As an earlier version left it, and a folder for backups that everybody may enter.
    std::fs::write(folder.path("data/erasures.jsonl"), "").unwrap();
    std::fs::set_permissions(folder.path("data/erasures.jsonl"), std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::create_dir(folder.path("copy")).unwrap();
    let server = Server::start(&folder, &["--demo"]);
    assert!(folder.path("data/atalaya.db-wal").exists(), "the database's log is there");
    assert_eq!(open_to_others(&folder.path("data")), Vec::<String>::new());
    let (good, text) = output(&mut atalaya(&folder, &["backup", "copy"]));
    assert!(good, "{text}");
    assert_eq!(open_to_others(&folder.path("copy")), Vec::<String>::new());
    drop(server);
}

/// Passes connections on to the server, as a proxy does: with the client's address in a header.
fn proxy(to: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let to = to.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, mut server) = (client.unwrap(), TcpStream::connect(&to).unwrap());
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).unwrap_or(0) > 0 {
                head.push(byte[0]);
            }
            let head =
                String::from_utf8_lossy(&head).replacen("\r\n", "\r\nx-forwarded-for: 203.0.113.9\r\nconnection: close\r\n", 1);
            server.write_all(head.as_bytes()).unwrap();
            let mut answer = Vec::new();
            let _ = server.read_to_end(&mut answer);
            let _ = client.write_all(&answer);
        }
    });
    format!("http://{address}")
}

// EDGE-5
#[test]
fn doctor_sees_a_proxy_that_is_not_listed() {
    let folder = Folder::new("proxy");
    for (listed, verdict) in [("", "FAILED  proxy"), ("127.0.0.0/8", "ok      proxy")] {
        let trusted = format!("trusted_proxies={listed}");
        let server = Server::start(&folder, &["--set", &trusted]);
        let public = format!("public_url={}", proxy(&server.url));
        let (_, text) = output(&mut atalaya(&folder, &["doctor", "--set", "media_udp_port=0", "--set", &public]));
        assert!(text.contains(verdict), "{text}");
        let direct = format!("public_url={}", server.url);
        let (_, text) = output(&mut atalaya(&folder, &["doctor", "--set", "media_udp_port=0", "--set", &direct]));
        assert!(text.contains("ok      proxy"), "{text}");
        server.stop();
    }
}

// STORE-23
#[test]
fn the_service_is_filtered_and_closes_what_it_makes() {
    let unit = include_str!("../../../../deploy/systemd/atalaya.service");
    let lines: Vec<&str> = unit.lines().collect();
    for line in
        ["UMask=0077", "SystemCallFilter=@system-service", "NoNewPrivileges=yes", "DynamicUser=yes", "StateDirectoryMode=0700"]
    {
        assert!(lines.contains(&line), "{line}");
    }
}

// RETAIN-24
#[test]
fn doctor_holds_backups_to_the_days_that_are_written_down() {
    let folder = Folder::new("rotation");
    let doctor = |more: &[&str]| {
        let settings: Vec<&str> = more.iter().flat_map(|setting| ["--set", setting]).collect();
        output(atalaya(&folder, &["doctor", "--set", "media_udp_port=0"]).args(settings))
    };
    Server::start(&folder, &[]).stop();
    let (good, text) = doctor(&[]);
    assert!(good && text.contains("note    backups"), "nothing is written down: {text}");
    let (good, text) = doctor(&["backup_keep_days=30"]);
    assert!(good && text.contains("ok      backups"), "{text}");
    let (good, text) = doctor(&["backup_dir=copies"]);
    assert!(!good && text.contains("backup_keep_days"), "{text}");
    std::fs::create_dir(folder.path("copies")).unwrap();
    for name in ["copies/new", "copies/old"] {
        let (good, text) = output(&mut atalaya(&folder, &["backup", name]));
        assert!(good, "{text}");
    }
    let kept = ["backup_keep_days=30", "backup_dir=copies"];
    let (good, text) = doctor(&kept);
    assert!(good && text.contains("2 in copies, none older than 30 days"), "{text}");
    let manifest = folder.path("copies/old/manifest.json");
    let mut told: serde_json::Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    told["createdAt"] = "2020-01-01T00:00:00Z".into();
    std::fs::write(&manifest, told.to_string()).unwrap();
    let (good, text) = doctor(&kept);
    assert!(!good && text.contains("FAILED  backups") && text.contains("delete old"), "{text}");
}
