use super::*;
use secrecy::ExposeSecret;

fn origins(env: &[(&str, &str)]) -> Origins {
    let environment = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Origins { environment, ..Origins::default() }
}

fn error(env: &[(&str, &str)]) -> String {
    collect(&origins(env)).expect_err("this configuration is wrong").to_string()
}

#[test]
fn starts_with_nothing_configured() {
    let config = collect(&origins(&[])).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.public_url, "http://localhost:8080");
    assert_eq!(config.database_url().expose_secret(), "sqlite://./data/atalaya.db");
    assert_eq!(config.sqlite_file(), Some(PathBuf::from("./data/atalaya.db")));
    let atalaya_blobs::StorageConfig::Folder(folder) = &config.storage else { panic!("{:?}", config.storage) };
    assert_eq!(folder, &PathBuf::from("./data/files"));
    assert_eq!((config.media.udp_port, config.media.tcp_port), (7882, 7882));
    assert_eq!(config.tls, TlsConfig::Off);
}

#[test]
fn later_sources_win() {
    let file = std::env::temp_dir().join(format!("atalaya-config-{}.toml", std::process::id()));
    std::fs::write(&file, "listen = \"127.0.0.1:1\"\npublic_url = \"https://a.example/\"\n[media]\nudp_port = 7001\n").unwrap();
    let mut sources = origins(&[("ATALAYA_LISTEN", "127.0.0.1:2")]);
    sources.file = Some(file.clone());
    let config = collect(&sources).unwrap();
    assert_eq!(config.listen.port(), 2);
    assert_eq!(config.public_url, "https://a.example");
    assert_eq!(config.media.udp_port, 7001);
    sources.flags = vec![("listen".into(), "127.0.0.1:3".into())];
    assert_eq!(collect(&sources).unwrap().listen.port(), 3);
    std::fs::write(&file, "[media]\nudp_prot = 7001\n").unwrap();
    let message = collect(&sources).unwrap_err().to_string();
    assert!(message.contains("`media_udp_prot`"), "{message}");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_password_of_digits_stays_a_text() {
    let digits = "0583920174662";
    let config = collect(&origins(&[("ATALAYA_ADMIN_EMAIL", "a@b.es"), ("ATALAYA_ADMIN_PASSWORD", digits)])).unwrap();
    assert_eq!(config.admin.password.unwrap().expose_secret(), digits);
}

#[test]
fn wrong_values_name_their_key() {
    assert_eq!(error(&[("ATALAYA_LISTNE", "x")]), "unknown setting `ATALAYA_LISTNE` in the environment");
    for (name, value) in [
        ("ATALAYA_LISTEN", "8080"),
        ("ATALAYA_PUBLIC_URL", "example.org"),
        ("ATALAYA_MEDIA_UDP_PORT", "70000"),
        ("ATALAYA_MEDIA_ANNOUNCE_IP", "here"),
        ("ATALAYA_DATABASE_URL", "mysql://x"),
        ("ATALAYA_STORAGE_URL", "ftp://x"),
        ("ATALAYA_SMTP_URL", "mail.example.org"),
        ("ATALAYA_TRUSTED_PROXIES", "10.0.0.1, proxy"),
        ("ATALAYA_TLS", "yes"),
        ("ATALAYA_TLS", "acme"),
        ("ATALAYA_TLS", "files"),
        ("ATALAYA_LOG", "atalaya=loud"),
        ("ATALAYA_LOG_FORMAT", "xml"),
        ("ATALAYA_METRICS", "maybe"),
        ("ATALAYA_ADMIN_EMAIL", "nobody"),
        ("ATALAYA_SMTP_URL_FILE", "/nonexistent/file"),
        ("ATALAYA_LISTEN_FILE", "/etc/hostname"),
        ("ATALAYA_TIMESTAMP_URL", "tsa.example"),
        ("ATALAYA_TIMESTAMP_QUALIFIED", "si"),
    ] {
        let message = error(&[(name, value)]);
        assert!(message.contains(name), "{name}: {message}");
    }
}

#[test]
fn names_whose_function_is_not_built_refuse_to_start() {
    assert!(error(&[("ATALAYA_TLS", "acme")]).contains("not supported in this version"));
}

// TURN-10
#[test]
fn an_external_turn_server_is_read_whole_or_refused() {
    assert!(collect(&origins(&[])).unwrap().media.turn.is_none());
    let both =
        [("ATALAYA_TURN_URL", "turn:t.example:3478, turns:t.example:443?transport=tcp"), ("ATALAYA_TURN_SECRET", "hunter2")];
    let turn = collect(&origins(&both)).unwrap().media.turn.unwrap();
    assert_eq!(turn.urls, ["turn:t.example:3478", "turns:t.example:443?transport=tcp"]);
    assert!(!format!("{turn:?}").contains("hunter2"));
    assert!(error(&both[..1]).contains("belong together") && error(&both[1..]).contains("belong together"));
    let bad = error(&[("ATALAYA_TURN_URL", "https://t.example"), ("ATALAYA_TURN_SECRET", "hunter2")]);
    assert!(bad.contains("ATALAYA_TURN_URL") && !bad.contains("hunter2"), "{bad}");
}

#[test]
fn halves_of_a_pair_are_refused() {
    assert!(error(&[("ATALAYA_LIVEKIT_URL", "wss://l.example")]).contains("belong together"));
    assert!(error(&[("ATALAYA_MEDIA_API_KEY", "k")]).contains("belong together"));
    assert!(error(&[("ATALAYA_ADMIN_PASSWORD", "k")]).contains("admin_email"));
}

// SETUP-7
#[test]
fn a_weak_first_password_stops_the_start() {
    let with = |password: &str| error(&[("ATALAYA_ADMIN_EMAIL", "jefa.taller@b.es"), ("ATALAYA_ADMIN_PASSWORD", password)]);
    for (weak, why) in [("k9#Xq2!", "at least 8"), ("password1", "easy to guess"), ("jefa.taller@b.es", "easy to guess")] {
        let message = with(weak);
        assert!(message.contains("ATALAYA_ADMIN_PASSWORD") && message.contains(why) && !message.contains(weak), "{message}");
    }
}

#[test]
fn gateways_are_read_and_their_secrets_do_not_print() {
    let none = collect(&origins(&[])).unwrap().messaging;
    assert!(none.sms.is_none() && none.whatsapp.is_none());
    let twilio = collect(&origins(&[("ATALAYA_SMS_URL", "twilio://AC1:hunter2@api.twilio.com?from=+34600000000")])).unwrap();
    assert!(matches!(twilio.messaging.sms, Some(SmsConfig::Twilio { .. })));
    let all = [
        ("ATALAYA_SMS_URL", "https://sms.example/send/?key=hunter2"),
        ("ATALAYA_SMS_HEADERS", "Authorization: Bearer hunter2"),
        ("ATALAYA_SMS_BODY", "to={{to}}&text={{text}}"),
        ("ATALAYA_SMS_SENDER", "ATALAYA"),
        ("ATALAYA_SMS_RECEIPT_SECRET", "hunter2"),
        ("ATALAYA_WHATSAPP_URL", "http://waha:3000?session=one"),
        ("ATALAYA_WHATSAPP_KEY", "hunter2"),
    ];
    let config = collect(&origins(&all)).unwrap();
    let Some(SmsConfig::Http(http)) = &config.messaging.sms else { panic!("a gateway of one's own") };
    assert_eq!((http.url.expose_secret(), http.method.as_str(), http.id.as_str()), (all[0].1, "POST", "/id"));
    assert!(config.messaging.whatsapp.is_some() && !format!("{config:?}").contains("hunter2"));
    for (name, value) in
        [("ATALAYA_SMS_URL", "smpp://u:hunter2@h"), ("ATALAYA_SMS_SENDER", "12345"), ("ATALAYA_WHATSAPP_URL", "waha:3000")]
    {
        let message = error(&[(name, value)]);
        assert!(message.contains(name) && !message.contains("hunter2"), "{message}");
    }
    assert!(error(&[("ATALAYA_WHATSAPP_KEY", "k")]).contains("without whatsapp_url"));
}

#[test]
fn a_time_stamp_authority_is_optional() {
    assert!(collect(&origins(&[])).unwrap().timestamp.is_none());
    let named = [("ATALAYA_TIMESTAMP_URL", "https://tsa.example/tsr/"), ("ATALAYA_TIMESTAMP_QUALIFIED", "true")];
    let authority = collect(&origins(&named)).unwrap().timestamp.unwrap();
    assert_eq!((authority.url.as_str(), authority.qualified), ("https://tsa.example/tsr/", true));
    assert!(error(&[named[1]]).contains("timestamp_url"));
}

#[test]
fn sending_to_the_tax_office_needs_a_certificate() {
    for mode in ["test", "production"] {
        let message = error(&[("ATALAYA_VERIFACTU_MODE", mode)]);
        assert!(message.contains("ATALAYA_VERIFACTU_MODE") && message.contains("needs a certificate"), "{message}");
        let half = error(&[("ATALAYA_VERIFACTU_MODE", mode), ("ATALAYA_VERIFACTU_CERTIFICATE", "/etc/hostname")]);
        assert!(half.contains("belong together"), "{half}");
    }
    assert!(collect(&origins(&[("ATALAYA_VERIFACTU_MODE", "off")])).is_ok());
    assert!(error(&[("ATALAYA_VERIFACTU_MODE", "on")]).contains("expected off, test or production"));
}

// FACTU-5, FACTU-7
#[test]
fn production_wants_the_whole_statement_of_compliance() {
    let folder = std::env::temp_dir().join(format!("atalaya-verifactu-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pair = rcgen::generate_simple_self_signed(["atalaya.example".to_owned()]).unwrap();
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    std::fs::write(&certificate, pair.cert.pem()).unwrap();
    std::fs::write(&key, pair.signing_key.serialize_pem()).unwrap();
    let mut whole = vec![
        ("ATALAYA_VERIFACTU_MODE", "production"),
        ("ATALAYA_VERIFACTU_CERTIFICATE", certificate.to_str().unwrap()),
        ("ATALAYA_VERIFACTU_KEY", key.to_str().unwrap()),
        ("ATALAYA_VERIFACTU_PRODUCER_NAME", "Talleres de Programas, S.L."),
        ("ATALAYA_VERIFACTU_PRODUCER_NIF", "B12345674"),
        ("ATALAYA_VERIFACTU_PRODUCER_CONTACT", "Calle Mayor, 1, 28013 Madrid"),
        ("ATALAYA_VERIFACTU_DECLARED", "Madrid, 2 de diciembre de 2026"),
    ];
    let config = collect(&origins(&whole)).unwrap();
    assert_eq!(config.billing.verifactu.undeclared(), Vec::<&str>::new());
    let without = |name: &str| whole.iter().filter(|(key, _)| !key.contains(name)).copied().collect::<Vec<_>>();
    for name in ["PRODUCER_N", "PRODUCER_CONTACT", "DECLARED"] {
        let message = error(&without(name));
        assert!(message.contains("statement of compliance"), "{name}: {message}");
    }
    let blank: Vec<_> = without("DECLARED").into_iter().chain([("ATALAYA_VERIFACTU_DECLARED", "  ")]).collect();
    assert!(error(&blank).contains("statement of compliance"));
    // Elsewhere it may be written later.
    for mode in ["test", "off"] {
        let mut early = without("PRODUCER");
        early[0].1 = mode;
        assert!(collect(&origins(&early)).is_ok(), "{mode}");
    }
    whole.push(("ATALAYA_VERIFACTU_TRIAL", "true"));
    assert!(error(&whole).contains("made-up customers"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn secrets_do_not_print() {
    let config = collect(&origins(&[("ATALAYA_DATABASE_URL", "postgres://u:hunter2@h/d")])).unwrap();
    assert!(!format!("{config:?}").contains("hunter2"));
    assert!(!error(&[("ATALAYA_DATABASE_URL", "mysql://u:hunter2@h/d")]).contains("hunter2"));
}

#[test]
fn every_name_of_the_operating_contract_is_known() {
    for name in [
        "LISTEN",
        "PUBLIC_URL",
        "DATA_DIR",
        "DATABASE_URL",
        "STORAGE_URL",
        "ADMIN_EMAIL",
        "ADMIN_PASSWORD",
        "MEDIA_UDP_PORT",
        "MEDIA_ANNOUNCE_IP",
        "MEDIA_API_KEY",
        "MEDIA_API_SECRET",
        "LIVEKIT_URL",
        "LIVEKIT_API_KEY",
        "LIVEKIT_API_SECRET",
        "TURN_URL",
        "TURN_SECRET",
        "SMTP_URL",
        "SMS_URL",
        "WHATSAPP_URL",
        "TIMESTAMP_URL",
        "TLS",
        "LOG",
        "ADMIN_MAILBOX",
        "BUSINESS_URL",
        "SEARCH_URL",
    ] {
        assert!(settings::find(&name.to_ascii_lowercase()).is_some(), "{name}");
    }
}

#[test]
fn secrets_file_is_made_once_and_private() {
    use std::os::unix::fs::PermissionsExt;
    let dir = std::env::temp_dir().join(format!("atalaya-secrets-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let config = collect(&origins(&[("ATALAYA_DATA_DIR", dir.to_str().unwrap())])).unwrap();
    let sources = atalaya_kernel::Sources::system();
    let first = Secrets::load_or_create(&config, &sources).unwrap();
    let again = Secrets::load_or_create(&config, &sources).unwrap();
    assert_eq!(first.field.present, again.field.present);
    assert_eq!(first.token.present, again.token.present);
    let path = Secrets::path(&dir);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(Secrets::load_or_create(&config, &sources).unwrap_err().to_string().contains("chmod 600"));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn the_reference_is_generated_from_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/config.md");
    let text = std::fs::read_to_string(path).expect("make gen writes it");
    assert_eq!(text, reference::markdown(), "run `make gen`");
}

#[test]
fn map_tiles_name_their_server_and_their_place() {
    let with = |url: &str| collect(&origins(&[("ATALAYA_MAP_TILES_URL", url)]));
    assert_eq!(collect(&origins(&[])).unwrap().links.map, None);
    for (url, origin) in [
        ("https://tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org"),
        ("https://{s}.tiles.example.org/{z}/{x}/{y}{r}.png?key=1", "https://*.tiles.example.org"),
        ("http://127.0.0.1:8090/{z}/{x}/{y}.png", "http://127.0.0.1:8090"),
    ] {
        let map = with(url).unwrap().links.map.expect("tiles");
        assert_eq!((map.url.as_str(), map.origin().as_str()), (url, origin));
    }
    for url in [
        "tiles",
        "https://tiles.example.org/",
        "https://a b/{z}/{x}/{y}",
        "https://x;script-src/{z}/{x}/{y}",
        "ftp://x/{z}/{x}/{y}",
    ] {
        assert!(with(url).unwrap_err().to_string().contains("MAP_TILES_URL"), "{url}");
    }
}

#[test]
fn pushes_have_a_contact_and_known_services() {
    let config = collect(&origins(&[])).unwrap();
    assert_eq!((config.push.contact.as_str(), config.push.services.len()), ("mailto:admin@localhost", 0));
    let config = collect(&origins(&[("ATALAYA_ADMIN_MAILBOX", "a@b.es")])).unwrap();
    assert_eq!(config.push.contact, "mailto:a@b.es");
    let services = "https://push.example.org/, http://127.0.0.1:9000";
    let config = collect(&origins(&[("ATALAYA_PUSH_CONTACT", "https://b.es"), ("ATALAYA_PUSH_SERVICES", services)])).unwrap();
    assert_eq!(config.push.contact, "https://b.es");
    assert_eq!(config.push.services, ["https://push.example.org", "http://127.0.0.1:9000"]);
    for contact in ["a@b.es", "mailto:", "mailto:x", "http://b.es", "https://", "mailto:a@b.es\r\nX: y"] {
        assert!(error(&[("ATALAYA_PUSH_CONTACT", contact)]).contains("ATALAYA_PUSH_CONTACT"), "{contact}");
    }
    for services in ["push.example.org", "https://x/path", "https://a@x", "ftp://x"] {
        assert!(error(&[("ATALAYA_PUSH_SERVICES", services)]).contains("ATALAYA_PUSH_SERVICES"), "{services}");
    }
}

#[test]
fn secrets_of_an_earlier_version_get_the_key_they_lack() {
    use std::os::unix::fs::PermissionsExt;
    let dir = std::env::temp_dir().join(format!("atalaya-vapid-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let config = Config { data_dir: dir.clone(), ..collect(&origins(&[])).unwrap() };
    let sources = atalaya_kernel::Sources::system();
    let before = Secrets::load_or_create(&config, &sources).unwrap();
    let path = Secrets::path(&dir);
    let text = std::fs::read_to_string(&path).unwrap();
    let kept = |text: &str| text.lines().filter(|line| !line.starts_with("vapid")).collect::<Vec<_>>().join("\n");
    std::fs::write(&path, kept(&text)).unwrap();
    let after = Secrets::load_or_create(&config, &sources).unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(kept(&written), kept(&text), "nothing else has changed");
    assert_eq!(before.token.present, after.token.present);
    assert_ne!(before.vapid_private_key.expose_secret(), after.vapid_private_key.expose_secret());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let again = Secrets::load_or_create(&config, &sources).unwrap();
    assert_eq!(again.vapid_private_key.expose_secret(), after.vapid_private_key.expose_secret());
    std::fs::write(&path, written.replace(after.vapid_private_key.expose_secret(), "nonsense")).unwrap();
    assert!(format!("{:#}", Secrets::load_or_create(&config, &sources).unwrap_err()).contains("vapid_private_key"));
    std::fs::remove_dir_all(dir).unwrap();
}
