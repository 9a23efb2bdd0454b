//! The settings of the media: the embedded engine, a LiveKit server, an external TURN server.

use super::load::{ConfigError, Reader};
use super::{LiveKitConfig, MediaConfig, TurnServerConfig};

pub(super) fn read(read: &Reader) -> Result<MediaConfig, ConfigError> {
    let udp_port: u16 = read.required("media_udp_port", "a port")?;
    let (api_key, api_secret) = (read.text("media_api_key"), read.secret("media_api_secret"));
    if api_key.is_some() != api_secret.is_some() {
        let (key, why) = ("media_api_key", "media_api_key and media_api_secret belong together; only one is set");
        return Err(ConfigError::Incomplete { key, why });
    }
    Ok(MediaConfig {
        udp_port,
        tcp_port: read.parsed("media_tcp_port", "a port")?.unwrap_or(udp_port),
        announce_ip: read.parsed("media_announce_ip", "an IP address")?,
        api_key,
        api_secret,
        livekit: livekit(read)?,
        turn: turn(read)?,
    })
}

fn livekit(read: &Reader) -> Result<Option<LiveKitConfig>, ConfigError> {
    let url = read.url("livekit_url", &["ws", "wss", "http", "https"])?;
    match (url, read.text("livekit_api_key"), read.secret("livekit_api_secret")) {
        (None, None, None) => Ok(None),
        (Some(url), Some(api_key), Some(api_secret)) => Ok(Some(LiveKitConfig { url, api_key, api_secret })),
        _ => Err(ConfigError::Incomplete {
            key: "livekit_url",
            why: "livekit_url, livekit_api_key and livekit_api_secret belong together; only some are set",
        }),
    }
}

fn turn(read: &Reader) -> Result<Option<TurnServerConfig>, ConfigError> {
    let (text, secret) = (read.text("turn_url"), read.secret("turn_secret"));
    let (text, secret) = match (text, secret) {
        (None, None) => return Ok(None),
        (Some(text), Some(secret)) => (text, secret),
        _ => {
            let (key, why) = ("turn_url", "turn_url and turn_secret belong together; only one is set");
            return Err(ConfigError::Incomplete { key, why });
        }
    };
    let urls: Vec<String> = text.split(',').map(|url| url.trim().to_owned()).collect();
    if !urls.iter().all(|url| is_turn_url(url)) {
        let why = "expected turn:host:port?transport=udp or turns:host:port?transport=tcp, several separated by commas";
        return Err(read.bad("turn_url", why));
    }
    Ok(Some(TurnServerConfig { urls, secret }))
}

/// RFC 7065. A browser throws on any other, and the call with it.
fn is_turn_url(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("turn:").or_else(|| url.strip_prefix("turns:")) else { return false };
    let (address, query) = rest.split_once('?').unwrap_or((rest, "transport=udp"));
    let (host, port) = match address.strip_prefix('[').and_then(|v6| v6.split_once(']')) {
        Some((v6, "")) => (v6, None),
        Some((v6, port)) => (v6, port.strip_prefix(':').or(Some(""))),
        None => address.split_once(':').map_or((address, None), |(host, port)| (host, Some(port))),
    };
    let is_host = !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':'));
    is_host && port.is_none_or(|port| port.parse::<u16>().is_ok()) && matches!(query, "transport=udp" | "transport=tcp")
}

#[cfg(test)]
mod tests {
    use super::is_turn_url;

    #[test]
    fn addresses_of_turn_servers_are_those_that_browsers_take() {
        for good in [
            "turn:turn.example",
            "turns:turn.example:443?transport=tcp",
            "turn:[2001:db8::1]:3478?transport=udp",
            "turn:192.0.2.1:3478",
        ] {
            assert!(is_turn_url(good), "{good}");
        }
        for bad in [
            "",
            "turn:",
            "turn://turn.example",
            "stun:turn.example",
            "turn:host:port",
            "turn:h?transport=sctp",
            "turn:h x",
            "turn:[::1]3478",
        ] {
            assert!(!is_turn_url(bad), "{bad}");
        }
    }
}
