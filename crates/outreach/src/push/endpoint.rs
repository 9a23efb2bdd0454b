//! The allowed push services: those of the browsers, and those that the configuration adds (PUSH-3). An endpoint comes from
//! a browser, that is from anybody; without this list it could make our server write to addresses of its own network.

use reqwest::Url;

/// Maximum length of an endpoint.
const ENDPOINT_MAX: usize = 2048;

/// Push services of Chrome (and most others), Firefox, Edge and Safari. With a dot in front: any host under it.
const KNOWN: &[&str] =
    &["fcm.googleapis.com", ".push.services.mozilla.com", ".notify.windows.com", "web.push.apple.com", ".push.apple.com"];

/// `scheme://host[:port]` of a configured push service; `None` when the text is something else.
pub fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    let fits = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
    (plain && fits && url.password().is_none()).then(|| url.origin().ascii_serialization())
}

/// The push services that devices may use.
#[derive(Clone, Debug, Default)]
pub struct PushServices {
    /// Origins of the configuration, as [`origin`] writes them.
    also: Vec<String>,
}

impl PushServices {
    pub fn new(also: Vec<String>) -> Self {
        Self { also }
    }

    /// The endpoint in its normal form, when pushes may go there.
    pub(crate) fn admit(&self, endpoint: &str) -> Option<Url> {
        if endpoint.len() > ENDPOINT_MAX || endpoint.bytes().any(|b| b <= b' ' || b == b'\\' || b >= 0x7f) {
            return None;
        }
        let url = Url::parse(endpoint).ok()?;
        let bare = url.username().is_empty() && url.password().is_none() && !endpoint.contains('@') && url.fragment().is_none();
        let host = url.host_str().filter(|_| bare)?;
        let configured = self.also.contains(&url.origin().ascii_serialization());
        // `port` is `None` for the scheme's default port.
        let known = url.scheme() == "https" && url.port().is_none() && KNOWN.iter().any(|k| matches(k, host));
        (configured || known).then_some(url)
    }

    /// Whether the configuration names this host, even an internal one.
    pub(crate) fn names_host(&self, host: &str) -> bool {
        self.also.iter().filter_map(|origin| Url::parse(origin).ok()).any(|url| url.host_str() == Some(host))
    }
}

fn matches(known: &str, host: &str) -> bool {
    match known.strip_prefix('.') {
        Some(_) => host.len() > known.len() && host.ends_with(known),
        None => host == known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PUSH-3
    #[test]
    fn the_browsers_push_services_are_admitted() {
        let services = PushServices::default();
        for good in [
            "https://fcm.googleapis.com/fcm/send/abc:APA91b-_",
            "https://FCM.googleapis.com:443/fcm/send/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d",
            "https://web.push.apple.com/QGx",
            "https://api.push.apple.com/3/device/1",
        ] {
            assert!(services.admit(good).is_some(), "{good}");
        }
    }

    // PUSH-3
    #[test]
    fn everything_else_is_refused() {
        let services = PushServices::new(vec!["https://push.example.org".into()]);
        for bad in [
            "",
            "abc",
            "http://fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:8443/x",
            "https://fcm.googleapis.com@127.0.0.1/x",
            "https://user:pass@fcm.googleapis.com/x",
            "https://@fcm.googleapis.com/x",
            "https://fcm.googleapis.com.evil.example/x",
            "https://evil-fcm.googleapis.com/x",
            "https://fcm.googleapis.com./x",
            "https://push.services.mozilla.com.evil/x",
            "https://push.services.mozilla.com/x",
            "https://xpush.services.mozilla.com/x",
            "https://evil.example/#.push.apple.com",
            "https://evil.example?.push.apple.com",
            "https://evil.example\\.push.apple.com/",
            "https://web.push.apple.com/x#y",
            "https://127.0.0.1/x",
            "https://2130706433/x",
            "https://0x7f.1/x",
            "https://[::1]/x",
            "https://[::ffff:10.0.0.1]/x",
            "https://169.254.169.254/latest/meta-data",
            "https://localhost/x",
            "file:///etc/passwd",
            "gopher://fcm.googleapis.com/x",
            "javascript:alert(1)",
            "https:fcm.googleapis.com@evil.example",
            "//fcm.googleapis.com/x",
            " https://fcm.googleapis.com/x",
            "https://fcm.goo\tgleapis.com/x",
            "https://fcm.googleapis.com/x\r\nHost: evil",
            "https://ⓕcm.googleapis.com/x",
            "http://push.example.org/x",
            "https://push.example.org:444/x",
            "https://a.push.example.org/x",
        ] {
            assert!(services.admit(bad).is_none(), "{bad}");
        }
        assert!(services.admit(&format!("https://fcm.googleapis.com/{}", "x".repeat(3000))).is_none(), "too long");
        assert!(services.admit("https://push.example.org/x").is_some());
    }

    // PUSH-3
    #[test]
    fn configured_services_are_origins() {
        assert_eq!(origin("https://push.example.org").as_deref(), Some("https://push.example.org"));
        assert_eq!(origin("http://127.0.0.1:9123/").as_deref(), Some("http://127.0.0.1:9123"));
        for bad in ["push.example.org", "ftp://x", "https://a@x", "https://x/path", "https://x?y", "data:,x"] {
            assert_eq!(origin(bad), None, "{bad}");
        }
    }
}
