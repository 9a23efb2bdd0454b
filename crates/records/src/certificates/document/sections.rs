//! The ten sections of a certificate (CERT-1).

use super::Case;
use super::integrity::{integrity, scope};
use super::links::{has_code, without_codes};
use super::positions::{taken_at, with_place};
use super::words::Words;
use atalaya_cases::conferences::ConferenceType;
use atalaya_cases::connections::Stay;
use atalaya_cases::evidence::{Track, stills};
use atalaya_checks::contact::mask_email;
use atalaya_checks::phone;
use atalaya_kernel::ConferenceId;
use atalaya_kernel::events::TrackType;
use atalaya_messaging::{Channel, Message, MessageState};
use atalaya_pdf::{Block, Cell, Column, Fact, Section};
use chrono::{DateTime, Utc};
use serde_json::Value;

type Build = fn(&Case, &Words) -> Vec<Block>;

const SECTIONS: [(&str, Build); 10] = [
    ("s1", identification),
    ("s2", communication),
    ("s3", access),
    ("s4", notice),
    ("s5", permissions),
    ("s6", connection),
    ("s7", positions),
    ("s8", files),
    ("s9", integrity),
    ("s10", scope),
];

pub(super) fn all(case: &Case, words: &Words) -> Vec<Section> {
    let section = |(title, build): &(&'static str, Build)| {
        let mut blocks = build(case, words);
        blocks.iter_mut().for_each(without_codes);
        Section { title: words.of(title).to_owned(), blocks }
    };
    SECTIONS.iter().map(section).collect()
}

pub(super) fn facts(facts: Vec<Fact>) -> Block {
    Block::Facts { heading: None, facts }
}

pub(super) fn note(text: &str) -> Block {
    Block::Text { text: text.to_owned(), strong: false }
}

/// A table, or a sentence when it would have no rows.
fn table(words: &Words, columns: &[(&'static str, Option<u32>)], rows: Vec<Vec<Cell>>, nothing: &'static str) -> Block {
    if rows.is_empty() {
        return note(words.of(nothing));
    }
    let right = |key: &str| matches!(key, "colNumber" | "colSize");
    let column = |(key, width_mm): &(&'static str, Option<u32>)| Column {
        title: words.of(key).to_owned(),
        width_mm: *width_mm,
        right: right(key),
    };
    Block::Table { columns: columns.iter().map(column).collect(), rows }
}

pub(super) fn text<'a>(track: &'a Track, key: &str) -> Option<&'a str> {
    track.data.get(key).and_then(Value::as_str)
}

fn identification(case: &Case, words: &Words) -> Vec<Block> {
    let (certificate, conference) = (&case.certificate, &case.conference);
    let autos = conference.conference_type == ConferenceType::Autos;
    let address = conference.full_address.clone().or_else(|| {
        let parts = [&conference.address, &conference.postal_code, &conference.city, &conference.region];
        let known: Vec<&str> = parts.into_iter().flatten().map(String::as_str).filter(|part| !part.is_empty()).collect();
        (!known.is_empty()).then(|| known.join(", "))
    });
    let mut list = vec![
        words.fact("number", Cell::new(&certificate.number)),
        words.fact("code", Cell::mono(&certificate.code)),
        words.fact("issuedAt", words.time(certificate.issued_at)),
        words.fact("issuer", Cell::new(issuer(case, words))),
        words.maybe("company", Some(&certificate.company_name)),
        words.maybe("expedient", Some(&conference.expedient_number)),
        words.fact("conferenceId", Cell::mono(conference.id.to_string())),
        words.fact("openedAt", words.time(conference.created_at)),
        words.fact("type", Cell::new(words.of(if autos { "autos" } else { "diversos" }))),
    ];
    if autos || conference.car_id.is_some() {
        list.push(words.maybe("plate", conference.car_id.as_deref()));
    }
    if !autos || address.is_some() {
        list.push(words.maybe("address", address.as_deref()));
    }
    if let Some(at) = conference.erased_at {
        list.push(words.fact("erasedAt", words.time(at)));
    }
    vec![facts(list)]
}

/// The company that runs the installation, with its tax id, and who asked for the certificate (CERT-31).
fn issuer(case: &Case, words: &Words) -> String {
    let certificate = &case.certificate;
    let company = certificate.issuing_company.as_deref().unwrap_or("Atalaya");
    let company = match &certificate.issuing_tax_id {
        Some(id) => words.of("issuerCompany").replace("{company}", company).replace("{taxId}", id),
        None => company.to_owned(),
    };
    words.of("issuerValue").replace("{company}", &company).replace("{name}", &certificate.issuer_name)
}

fn communication(case: &Case, words: &Words) -> Vec<Block> {
    if case.messages.is_empty() {
        return vec![note(words.of("noMessages"))];
    }
    let mut blocks: Vec<Block> = case.messages.iter().map(|message| sent(case, words, message)).collect();
    if case.messages.iter().any(|message| has_code(&message.text)) {
        blocks.push(note(words.of("linksHidden")));
    }
    blocks
}

fn sent(case: &Case, words: &Words, message: &Message) -> Block {
    let masked = match message.channel {
        Channel::Email => mask_email(&message.to),
        _ => phone::mask(&message.to),
    };
    let channel = match message.channel {
        Channel::Sms => "sms",
        Channel::Email => "email",
        Channel::Whatsapp => "whatsapp",
    };
    let delivered = case
        .of_type(&[TrackType::SmsDelivered, TrackType::EmailDelivered])
        .find(|track| message.provider_id.is_some() && text(track, "providerId") == message.provider_id.as_deref());
    let mut list = vec![
        words.fact("channel", Cell::new(words.of(channel))),
        words.maybe("recipient", Some(&masked)),
        words.maybe("sender", message.sender.as_deref()),
    ];
    if let Some(subject) = &message.subject {
        list.push(words.maybe("subject", Some(subject)));
    }
    list.push(words.maybe("text", Some(message.text.trim())));
    list.push(words.maybe("providerId", message.provider_id.as_deref()));
    list.push(words.maybe_time("sentAt", message.sent_at));
    list.push(words.maybe_time("deliveredAt", delivered.map(|track| track.at)));
    match message.state {
        MessageState::Failed => list.push(words.maybe("failure", message.error.as_deref().or(Some(words.of("failed"))))),
        MessageState::Captured => list.push(words.maybe("failure", Some(words.of("captured")))),
        _ => {}
    }
    Block::Facts {
        heading: Some(format!("{} · {}", words.of(channel), words.time(message.created_at).lines.join(" "))),
        facts: list,
    }
}

fn access(case: &Case, words: &Words) -> Vec<Block> {
    let row = |(n, track): (usize, &Track)| {
        vec![
            Cell::new((n + 1).to_string()),
            words.time(track.at),
            Cell::new(words.personal(track, "ip")),
            Cell::new(text(track, "os").unwrap_or("–")),
            Cell::with_detail(text(track, "browser").unwrap_or("–"), words.personal(track, "userAgent")),
        ]
    };
    let rows = case.of_type(&[TrackType::LinkOpened]).enumerate().map(row).collect();
    let columns =
        [("colNumber", Some(9)), ("colTime", Some(42)), ("colIp", Some(30)), ("colSystem", Some(24)), ("colBrowser", None)];
    let mut blocks = vec![table(words, &columns, rows, "notOpened")];
    let counted = openings_counted(case);
    if counted > 0 {
        blocks.push(note(&words.of("openingsCounted").replace("{count}", &counted.to_string())));
    }
    blocks
}

/// Openings that repeated too often to be events of their own, as events say it (EVID-32).
fn openings_counted(case: &Case) -> i64 {
    let of = |value: Option<&Value>| value.and_then(Value::as_i64).unwrap_or(0);
    let on_the_way: i64 = case.of_type(&[TrackType::LinkOpened]).map(|track| of(track.data.get("repeats"))).sum();
    let closing = case.first(TrackType::ConferenceClosed).and_then(|track| track.data.get("repeated"));
    on_the_way + of(closing.and_then(|counts| counts.get(TrackType::LinkOpened.wire())))
}

fn notice(case: &Case, words: &Words) -> Vec<Block> {
    let answers: Vec<&Track> = case.of_type(&[TrackType::LegalAccepted, TrackType::LegalRejected]).collect();
    let shown = case.first(TrackType::LegalShown);
    if answers.is_empty() {
        let Some(shown) = shown else { return vec![note(words.of("noNotice"))] };
        let list = vec![words.fact("shownAt", words.time(shown.at)), words.fact("answer", Cell::new(words.of("noAnswer")))];
        return vec![facts(list)];
    }
    let block = |track: &&Track| {
        let id = text(track, "documentId").unwrap_or_default();
        let accepted = track.track_type == TrackType::LegalAccepted;
        let version = track.data.get("version").map_or_else(|| "–".to_owned(), Value::to_string);
        let shown = case.of_type(&[TrackType::LegalShown]).filter(|s| s.seq < track.seq).last();
        facts(vec![
            words.maybe("document", case.legal_titles.get(id).map(String::as_str)),
            words.fact("version", Cell::new(version)),
            words.maybe("language", text(track, "language")),
            words.fact("documentHash", Cell::hash(text(track, "documentSha256").unwrap_or("–"))),
            words.maybe_time("shownAt", shown.map(|s| s.at)),
            words.fact("answer", Cell::new(words.of(if accepted { "accepted" } else { "rejected" }))),
            words.fact(if accepted { "acceptedAt" } else { "rejectedAt" }, words.time(track.at)),
            words.fact("ip", Cell::new(words.personal(track, "ip"))),
        ])
    };
    answers.iter().map(block).collect()
}

fn permissions(case: &Case, words: &Words) -> Vec<Block> {
    let row = |track: &Track| {
        let name = match text(track, "permission") {
            Some("camera") => "camera",
            Some("microphone") => "microphone",
            _ => "location",
        };
        let answer = match (track.track_type, text(track, "reason")) {
            (TrackType::PermissionGranted, _) => "granted",
            // The browser's question stayed open: nobody has refused.
            (_, Some("PERMISSION_NO_ANSWER")) => "noAnswer",
            // The client went on without it, and no browser asked.
            (_, Some("SKIPPED")) => "skipped",
            _ => "denied",
        };
        let result = Cell {
            lines: vec![words.of(answer).to_owned()],
            detail: text(track, "reason").map(str::to_owned),
            ..Cell::default()
        };
        vec![Cell::new(words.of(name)), result, words.time(track.at)]
    };
    let rows = case.of_type(&[TrackType::PermissionGranted, TrackType::PermissionDenied]).map(row).collect();
    let columns = [("colPermission", Some(46)), ("colResult", Some(50)), ("colTime", None)];
    vec![table(words, &columns, rows, "noPermissions")]
}

fn connection(case: &Case, words: &Words) -> Vec<Block> {
    let started = case.of_type(&[TrackType::Connected]).find(|track| track.actor == "client").map(|track| track.at);
    let count = |types| case.of_type(types).count().to_string();
    let list = vec![
        words.maybe_time("startedAt", started),
        words.maybe_time("endedAt", case.first(TrackType::ConferenceClosed).map(|track| track.at)),
        words.fact("duration", Cell::new(words.duration(case.conference.duration_s))),
        words.fact("reconnections", Cell::new(count(&[TrackType::Reconnected]))),
        words.fact("recordings", Cell::new(count(&[TrackType::RecordingStarted]))),
    ];
    let row = |stay: &Stay| {
        let role = if stay.is_staff() { "roleStaff" } else { "roleClient" };
        let name = if stay.name.is_empty() { "–" } else { &stay.name };
        let left = stay.left_at.map_or_else(|| Cell::new("–"), |at| words.time(at));
        vec![Cell::new(words.of(role)), Cell::new(name), words.time(stay.joined_at), left]
    };
    let rows: Vec<_> = case.stays.iter().filter(|stay| stay.joined_at <= case.certificate.issued_at).map(row).collect();
    let columns = [("colRole", Some(34)), ("colParticipant", None), ("colJoined", Some(43)), ("colLeft", Some(43))];
    vec![facts(list), table(words, &columns, rows, "nobody")]
}

fn positions(case: &Case, words: &Words) -> Vec<Block> {
    let row = |(n, track): (usize, &Track)| {
        let fixed = text(track, "fixAt").and_then(|at| at.parse().ok());
        vec![
            Cell::new((n + 1).to_string()),
            words.time(track.at),
            with_place(case, words, track),
            fixed.map_or_else(|| Cell::new("–"), |at| words.time(at)),
        ]
    };
    let rows = case.of_type(&[TrackType::GeoFix]).enumerate().map(row).collect();
    let columns = [("colNumber", Some(9)), ("colTime", Some(46)), ("colPlace", None), ("colFix", Some(46))];
    vec![table(words, &columns, rows, "noPosition")]
}

/// When a file was taken: a recording's first frame, not its event, which follows its end (CERT-24).
fn captured_at(case: &Case, track: &Track) -> DateTime<Utc> {
    // Events of older recordings do not hold their beginning; the row beside them does.
    let of_row = || {
        let item = text(track, "mediaId").and_then(|id| case.media.get(id))?;
        item.recording_id.map(|_| item.captured_at)
    };
    text(track, "startedAt").and_then(|at| at.parse().ok()).or_else(of_row).unwrap_or(track.at)
}

fn files(case: &Case, words: &Words) -> Vec<Block> {
    let keys = stills::device_keys(&case.tracks);
    let row = |(n, track): (usize, &Track)| {
        let kind = match text(track, "type") {
            Some("PICTURE") => words.of("picture"),
            Some("VIDEO") => words.of("video"),
            _ => words.of("document_"),
        };
        let item = text(track, "mediaId").and_then(|id| case.media.get(id));
        let gone = item.is_none_or(|item| item.expired_at.is_some()) || case.conference.data_key.is_none();
        let late = track.data.get("late").is_some_and(|late| *late == Value::Bool(true));
        let vouched = stills::vouched(&keys, ConferenceId(case.conference.id), track);
        let vouched = vouched.map(|one| (one.is_good, if one.chosen { "deviceChosen" } else { "deviceTaken" }));
        let said = [(late, "arrivedLate"), (gone, "notKept")].into_iter().chain(vouched).filter(|(said, _)| *said);
        let state: String = said.map(|(_, key)| format!(" · {}", words.of(key))).collect();
        let device = item.and_then(|item| case.devices.get(item.participant.as_ref()?));
        let device = device.map(|name| format!(" · {name}")).unwrap_or_default();
        // Events are never deleted, and chains of earlier versions hold the names of files; they are not shown.
        let erased = case.conference.erased_at.is_some();
        let name = if erased { words.of("erased") } else { text(track, "name").unwrap_or("–") };
        vec![
            Cell::new((n + 1).to_string()),
            Cell::with_detail(name, format!("{kind}{device}{state}")),
            words.time(captured_at(case, track)),
            Cell::new(words.size(track.data.get("bytes").and_then(Value::as_i64).unwrap_or(0))),
            taken_at(words, track),
            Cell::hash(text(track, "sha256").unwrap_or("–")),
        ]
    };
    let rows = case.of_type(&[TrackType::MediaCaptured, TrackType::FileUploaded]).enumerate().map(row).collect();
    let columns = [
        ("colNumber", Some(9)),
        ("colFile", None),
        ("colCaptured", Some(42)),
        ("colSize", Some(18)),
        ("colPlace", Some(23)),
        ("colHash", Some(46)),
    ];
    vec![table(words, &columns, rows, "noFiles")]
}
