//! The little of SDP that str0m does not do for us: reading what an offer wants, taking addresses out of it, and patching
//! the text of the answer.
//!
//! Called by `hub::negotiation` and `link`. Pure text in, text out.
//!
//! Rules: ENGINE-6 (inactive sections), ENGINE-15 (RED first), ENGINE-30 (candidates).

/// Kind of a media section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Audio,
    Video,
}

/// Direction of a section as the client wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferDirection {
    SendRecv,
    SendOnly,
    RecvOnly,
    Inactive,
}

/// One audio or video section of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedSection {
    pub mid: String,
    pub kind: Kind,
    pub direction: OfferDirection,
    /// The track id of `a=msid`, which Chromium sets to the `cid` of its add-track request and Firefox does not.
    pub track_id: Option<String>,
    /// Layers of `a=simulcast:send`, lowest first as LiveKit clients order them.
    pub rids: Vec<String>,
    /// `a=fmtp` of the client's start bit rate; the browser applies it only when the answer repeats it.
    pub start_bitrate: Option<StartBitrate>,
}

/// `a=fmtp:{payload_type} x-google-start-bitrate={kbps}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartBitrate {
    pub payload_type: u8,
    pub kbps: u32,
}

impl OfferedSection {
    /// The client sends media here.
    pub fn sends(&self) -> bool {
        matches!(self.direction, OfferDirection::SendOnly | OfferDirection::SendRecv)
    }
}

/// What a section of the answer is used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SectionUse {
    /// The client publishes here, and wants to start at this rate.
    Publish(Option<StartBitrate>),
    /// We send a track of `stream` here.
    Forward { stream: String, track: String },
    /// Unused: must be answered inactive, or the browser fires `ontrack` for a track that does not exist (ENGINE-6).
    Unused,
}

/// A client's text without its candidates (ENGINE-30), in which it may name any address, also inside our own network.
pub fn without_candidates(sdp: &str) -> String {
    sdp.split_inclusive('\n').filter(|line| !line.starts_with("a=candidate:")).collect()
}

/// Splits SDP text at its `m=` lines: the session part, then the sections.
fn blocks(sdp: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in sdp.lines() {
        let line = line.trim_end_matches('\r');
        if line.starts_with("m=") {
            blocks.push(Vec::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks
}

fn kind_of(m_line: &str) -> Option<Kind> {
    if m_line.starts_with("m=audio ") {
        Some(Kind::Audio)
    } else if m_line.starts_with("m=video ") {
        Some(Kind::Video)
    } else {
        None
    }
}

fn mid_of<'a>(block: &[&'a str]) -> Option<&'a str> {
    block.iter().find_map(|l| l.strip_prefix("a=mid:"))
}

fn direction_of(line: &str) -> Option<OfferDirection> {
    match line {
        "a=sendrecv" => Some(OfferDirection::SendRecv),
        "a=sendonly" => Some(OfferDirection::SendOnly),
        "a=recvonly" => Some(OfferDirection::RecvOnly),
        "a=inactive" => Some(OfferDirection::Inactive),
        _ => None,
    }
}

/// The audio and video sections of an offer, in order. Sections without a mid are skipped.
pub fn offered_sections(sdp: &str) -> Vec<OfferedSection> {
    blocks(sdp).iter().skip(1).filter_map(|block| offered_section(block)).collect()
}

fn offered_section(block: &[&str]) -> Option<OfferedSection> {
    let kind = kind_of(block.first()?)?;
    let mid = mid_of(block)?.to_string();
    let direction = block.iter().find_map(|l| direction_of(l)).unwrap_or(OfferDirection::SendRecv);
    let track_id =
        block.iter().find_map(|l| l.strip_prefix("a=msid:")).and_then(|v| v.split_ascii_whitespace().nth(1)).map(str::to_string);
    let rids = block.iter().find_map(|l| l.strip_prefix("a=simulcast:send ")).map(simulcast_rids).unwrap_or_default();
    let start_bitrate = block.iter().find_map(|l| start_bitrate(l));
    Some(OfferedSection { mid, kind, direction, track_id, rids, start_bitrate })
}

fn start_bitrate(line: &str) -> Option<StartBitrate> {
    let (payload_type, parameters) = line.strip_prefix("a=fmtp:")?.split_once(' ')?;
    let kbps = parameters.split(';').find_map(|p| p.trim().strip_prefix("x-google-start-bitrate="))?;
    Some(StartBitrate { payload_type: payload_type.parse().ok()?, kbps: kbps.parse().ok()? })
}

/// `q;h;~f recv …` → `[q, h, f]` (alternatives after a comma and the pause mark are dropped).
fn simulcast_rids(value: &str) -> Vec<String> {
    let list = value.split_ascii_whitespace().next().unwrap_or_default();
    list.split(';')
        .filter_map(|alternatives| alternatives.split(',').next())
        .map(|rid| rid.trim_start_matches('~').to_string())
        .filter(|rid| !rid.is_empty())
        .collect()
}

/// Rewrites the answer of str0m so that browsers understand it as LiveKit's (see [`SectionUse`]).
pub fn patch_answer(sdp: &str, use_of: impl Fn(&str) -> SectionUse) -> String {
    let mut out = String::with_capacity(sdp.len() + 256);
    for block in blocks(sdp) {
        let media = block.first().and_then(|l| kind_of(l)).zip(mid_of(&block));
        match media {
            None => block.iter().for_each(|l| push(&mut out, l)),
            Some((kind, mid)) => patch_section(&mut out, &block, kind, &use_of(mid)),
        }
    }
    out
}

fn patch_section(out: &mut String, block: &[&str], kind: Kind, section_use: &SectionUse) {
    for (index, line) in block.iter().enumerate() {
        if index == 0 && kind == Kind::Audio {
            push(out, &red_first(line, block));
        } else if line.starts_with("a=msid:") {
            // Written anew below, or not at all.
        } else if direction_of(line).is_some() {
            match section_use {
                SectionUse::Unused => push(out, "a=inactive"),
                SectionUse::Publish(_) => push(out, line),
                SectionUse::Forward { stream, track } => {
                    push(out, line);
                    push(out, &format!("a=msid:{stream} {track}"));
                }
            }
        } else if line.starts_with("a=ssrc") && !matches!(section_use, SectionUse::Forward { .. }) {
            // No sender here, so no sources.
        } else if line.starts_with("a=ssrc:") && line.contains(" msid:") {
            // Names the random msid of str0m; `a=msid` says it.
        } else {
            push(out, line);
        }
        if let SectionUse::Publish(Some(start)) = section_use
            && line.starts_with(&format!("a=rtpmap:{} VP8/", start.payload_type))
        {
            push(out, &format!("a=fmtp:{} x-google-start-bitrate={}", start.payload_type, start.kbps));
        }
    }
}

/// Puts the RED payload type first, because Chromium sends RED only then (ENGINE-15).
fn red_first(m_line: &str, block: &[&str]) -> String {
    let red = block.iter().find_map(|l| {
        let (pt, codec) = l.strip_prefix("a=rtpmap:")?.split_once(' ')?;
        codec.to_ascii_lowercase().starts_with("red/48000").then_some(pt)
    });
    let mut parts: Vec<&str> = m_line.split(' ').collect();
    if let Some(red) = red
        && let Some(at) = parts.iter().skip(3).position(|pt| *pt == red)
    {
        let pt = parts.remove(at + 3);
        parts.insert(3, pt);
    }
    parts.join(" ")
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OFFER: &str = "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0 1 2 3\r\n\
        m=audio 9 UDP/TLS/RTP/SAVPF 111 63\r\na=mid:0\r\na=recvonly\r\na=rtpmap:111 opus/48000/2\r\na=rtpmap:63 red/48000/2\r\n\
        m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:1\r\n\
        m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:2\r\na=sendonly\r\na=msid:s cid-1\r\na=simulcast:send q;~h;f,g\r\n\
        m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:3\r\na=recvonly\r\na=msid:x y\r\na=ssrc-group:FID 1 2\r\na=ssrc:1 cname:c\r\n";

    #[test]
    fn an_offer_is_read() {
        let sections = offered_sections(OFFER);
        assert_eq!(sections.len(), 3);
        assert!(!sections[0].sends());
        assert_eq!(sections[1].track_id.as_deref(), Some("cid-1"));
        assert_eq!(sections[1].rids, ["q", "h", "f"]);
        assert!(sections[1].sends());
    }

    // ENGINE-30
    #[test]
    fn candidates_go_and_the_rest_stays_to_the_letter() {
        let line = "a=candidate:1 1 udp 2113937151 10.0.0.99 22 typ host\r\n";
        let with =
            OFFER.replace("a=group:", &format!("{line}a=group:")).replace("a=mid:2\r\n", &format!("a=mid:2\r\n{line}{line}"));
        assert_eq!(without_candidates(&format!("{with}{}", line.trim_end())), OFFER);
        assert_eq!(without_candidates(&with.replace("\r\n", "\n")), OFFER.replace("\r\n", "\n"));
        assert_eq!(without_candidates(OFFER), OFFER);
    }

    // ENGINE-6
    #[test]
    fn unused_sections_are_inactive_without_msid_and_ssrc() {
        let patched = patch_answer(&OFFER.replace("recvonly", "sendonly"), |_| SectionUse::Unused);
        assert!(!patched.contains("a=msid") && !patched.contains("a=ssrc") && !patched.contains("a=sendonly"));
        assert_eq!(patched.matches("a=inactive").count(), 3);
        assert!(patched.contains("m=application"), "the data section stays");
    }

    #[test]
    fn a_forwarded_section_names_its_participant_and_track() {
        let patched = patch_answer(OFFER, |mid| match mid {
            "3" => SectionUse::Forward { stream: "PA_a|camera".into(), track: "TR_b".into() },
            _ => SectionUse::Publish(None),
        });
        assert!(patched.contains("a=msid:PA_a|camera TR_b\r\n"));
        assert!(patched.contains("a=ssrc:1 cname:c"), "its source stays");
        assert!(!patched.contains("a=msid:x y"));
    }

    #[test]
    fn the_start_bit_rate_of_the_client_is_repeated() {
        let offer = OFFER.replace("a=mid:2\r\n", "a=mid:2\r\na=rtpmap:96 VP8/90000\r\na=fmtp:96 x-google-start-bitrate=1000\r\n");
        let start = offered_sections(&offer)[1].start_bitrate;
        assert_eq!(start, Some(StartBitrate { payload_type: 96, kbps: 1_000 }));
        let answer = offer.replace("a=fmtp:96 x-google-start-bitrate=1000\r\n", "");
        let patched = patch_answer(&answer, |mid| SectionUse::Publish(start.filter(|_| mid == "2")));
        assert_eq!(patched.matches("a=fmtp:96 x-google-start-bitrate=1000\r\n").count(), 1);
    }

    // ENGINE-15
    #[test]
    fn red_is_listed_first_where_it_exists() {
        let patched = patch_answer(OFFER, |_| SectionUse::Publish(None));
        assert!(patched.contains("m=audio 9 UDP/TLS/RTP/SAVPF 63 111\r\n"));
        let without = OFFER.replace("a=rtpmap:63 red/48000/2\r\n", "");
        assert!(patch_answer(&without, |_| SectionUse::Publish(None)).contains("SAVPF 111 63\r\n"));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_without_a_panic(text in "(m=audio|m=video|a=mid:|a=msid:|a=simulcast:send |[ -~\\r\\n]){0,60}") {
            let _ = offered_sections(&text);
            let _ = patch_answer(&text, |_| SectionUse::Unused);
        }
    }
}
