//! What a `User-Agent` header tells about its sender.

/// Browser and system of a user agent, as far as the adjuster cares.
pub fn browser_and_system(user_agent: &str) -> (&'static str, &'static str) {
    let has = |needle: &str| user_agent.contains(needle);
    let system = match () {
        () if has("Android") => "Android",
        () if has("iPhone") || has("iPad") || has("iPod") => "iOS",
        () if has("Windows") => "Windows",
        () if has("Mac OS X") => "macOS",
        () if has("CrOS") => "ChromeOS",
        () if has("Linux") => "Linux",
        () => "–",
    };
    let browser = match () {
        () if has("SamsungBrowser") => "Samsung Internet",
        () if has("EdgA/") || has("Edg/") || has("EdgiOS") => "Edge",
        () if has("OPR/") || has("Opera") => "Opera",
        () if has("FxiOS") || has("Firefox/") => "Firefox",
        () if has("CriOS") || has("Chrome/") => "Chrome",
        () if has("Safari/") => "Safari",
        () => "–",
    };
    (browser, system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agents() {
        let android = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36";
        assert_eq!(browser_and_system(android), ("Chrome", "Android"));
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605 Version/18.7 Mobile Safari/604.1";
        assert_eq!(browser_and_system(iphone), ("Safari", "iOS"));
        assert_eq!(browser_and_system("curl/8"), ("–", "–"));
    }
}
