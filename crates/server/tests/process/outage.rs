//! A database that stops answering and comes back, behind a relay that the test can cut and hold.

use super::{Command, Duration, Folder, Instant, Server, output, password};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the relay does with bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    Open,
    /// They wait.
    Held,
    /// Connections end, and new ones at once.
    Cut,
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut line: watch::Receiver<Line>) {
    let mut bytes = vec![0; 16 << 10];
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read.unwrap_or(0),
            _ = line.wait_for(|line| *line == Line::Cut) => return,
        };
        let open = matches!(line.wait_for(|line| *line != Line::Held).await.map(|now| *now), Ok(Line::Open));
        if read == 0 || !open || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

async fn relay(listener: TcpListener, target: SocketAddr, line: watch::Receiver<Line>) {
    while let Ok((client, _)) = listener.accept().await {
        if *line.borrow() == Line::Cut {
            continue;
        }
        let Ok(server) = TcpStream::connect(target).await else { continue };
        let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
        tokio::spawn(pass(from_client, to_server, line.clone()));
        tokio::spawn(pass(from_server, to_client, line.clone()));
    }
}

/// Waits until this path answers with this status.
fn until(server: &Server, path: &str, status: u16) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while server.get(path).map(|(status, _)| status) != Some(status) {
        assert!(Instant::now() < deadline, "{path} never answered {status}:\n{}", server.printed());
        std::thread::sleep(Duration::from_millis(100));
    }
}

// DEEP-10
#[test]
fn a_database_that_goes_away_and_comes_back() {
    let Ok(postgres) = std::env::var("ATALAYA_TEST_POSTGRES_URL").or_else(|_| std::env::var("ATALAYA_TEST_POSTGRES")) else {
        return eprintln!("NOT TESTED: no PostgreSQL server is named");
    };
    let mut url = url::Url::parse(&postgres).unwrap();
    let target = url.socket_addrs(|| Some(5432)).ok().and_then(|all| all.into_iter().find(SocketAddr::is_ipv4));
    let Some(target) = target else {
        return eprintln!("NOT TESTED: PostgreSQL is not reached by TCP");
    };
    let name = format!("atalaya_outage_{}", std::process::id());
    let psql = |sql: String| {
        let (good, text) = output(Command::new("psql").args([postgres.as_str(), "-c", &sql]));
        assert!(good, "{text}");
    };
    psql(format!("CREATE DATABASE {name}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let between = listener.local_addr().unwrap();
    let (switch, line) = watch::channel(Line::Open);
    runtime.spawn(relay(listener, target, line));
    url.set_ip_host(between.ip()).unwrap();
    url.set_port(Some(between.port())).unwrap();
    url.set_path(&name);

    let folder = Folder::new("outage");
    let server = Server::start(&folder, &["--set", &format!("database_url={url}")]);
    let first = password(&server.printed(), "admin@localhost");
    assert_eq!(server.log_in("admin@localhost", &first), 200);
    for fault in [Line::Cut, Line::Held] {
        switch.send(fault).unwrap();
        until(&server, "/readyz", 503);
        assert_eq!(server.get("/healthz").unwrap().0, 200, "the process lives");
        if fault == Line::Cut {
            assert_eq!(server.log_in("admin@localhost", &first), 503, "worth trying again");
        }
        switch.send(Line::Open).unwrap();
        until(&server, "/readyz", 200);
        assert_eq!(server.log_in("admin@localhost", &first), 200, "back without a restart after {fault:?}");
    }
    assert!(server.stop().0);
    psql(format!("DROP DATABASE {name} WITH (FORCE)"));
}
