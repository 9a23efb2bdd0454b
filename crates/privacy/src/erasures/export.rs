//! The export of a person: one archive with the data and the files that are still kept (RETAIN-18).

use super::error::PrivacyError;
use super::persons::Subject;
use crate::Privacy;
use atalaya_assistance::chat;
use atalaya_assistance::media::MediaView;
use atalaya_assistance::{client_devices, media_items, path_reports};
use atalaya_blobs::BlobName;
use atalaya_blobs::zip::{Zip, ZipEntry};
use atalaya_cases::conferences::service::company_days;
use atalaya_cases::conferences::view::{ConferenceView, TrackView, participants};
use atalaya_cases::conferences::{Conference, vault};
use atalaya_cases::connections;
use atalaya_cases::evidence;
use atalaya_content::languages::text;
use atalaya_kernel::{CompanyId, ConferenceId, Language};
use atalaya_records::incidences::model::shown_number;
use atalaya_records::incidences::{self, pictures};
use atalaya_records::{drawings, measures};
use chrono::SecondsFormat;
use serde_json::{Value, json};

/// Builds the archive: `LEEME.txt`, `data.json`, and a folder of files per conference.
pub async fn archive(deps: &Privacy, subject: &Subject, rows: &[Conference]) -> Result<Zip, PrivacyError> {
    let now = deps.sources.now();
    let (mut told, mut files) = (Vec::new(), Vec::new());
    for (nth, row) in rows.iter().enumerate() {
        let folder = format!("{:03} {}", nth + 1, row.expedient_number.replace(['/', '\\'], "_"));
        told.push(conference(deps, row, &folder, &mut files).await?);
    }
    let readme = readme(subject, rows, files.len(), now.to_rfc3339_opts(SecondsFormat::Secs, true));
    let data = json!({
        "subject": subject.as_str(), "createdAt": now.to_rfc3339_opts(SecondsFormat::Secs, true), "conferences": told,
    });
    let data = serde_json::to_vec_pretty(&data).expect("a copy is plain data");
    let mut entries =
        vec![ZipEntry::of_bytes("LEEME.txt", now, readme.into_bytes().into()), ZipEntry::of_bytes("data.json", now, data.into())];
    entries.extend(files);
    Ok(Zip::new(entries))
}

/// In the language of the newest case.
fn readme(subject: &Subject, rows: &[Conference], files: usize, at: String) -> String {
    let language = rows.first().and_then(|row| Language::parse(&row.language)).unwrap_or_default();
    let company = rows.first().map_or("", |row| row.customer_name.as_str());
    let lines = ["readmeTitle", "readmeWhat", "readmeFiles", "readmeRights"].map(|key| {
        text(language, "privacy", key)
            .replace("{{subject}}", subject.as_str())
            .replace("{{company}}", company)
            .replace("{{date}}", &at)
            .replace("{{conferences}}", &rows.len().to_string())
            .replace("{{files}}", &files.to_string())
    });
    // Windows' Notepad needs the byte order mark and CR LF.
    format!("\u{feff}{}\r\n", lines.join("\r\n\r\n"))
}

/// One conference with everything personal in it; its files are added to `files`.
async fn conference(deps: &Privacy, row: &Conference, folder: &str, files: &mut Vec<ZipEntry>) -> Result<Value, PrivacyError> {
    let (id, now) = (ConferenceId(row.id), deps.sources.now());
    let rooms = connections::list_rooms(deps.db.read(), id).await?;
    let people = participants(&connections::list_stays(deps.db.read(), id).await?);
    let messages = deps.outbox.for_conference(deps.db.read(), id).await?;
    let tracks = evidence::list(deps.db.read(), id).await?;
    let lines = chat::list(deps, id).await?;
    let items = media_items::list(deps.db.read(), id).await?;
    let days = company_days(deps, row).await?;
    let gone = atalaya_cases::lifetimes::media_expired(row.created_at, days, now);
    let devices = client_devices::device_names(deps.db.read(), id).await?;
    let layers = drawings::layers(deps, id).await?;
    let layers: Vec<Value> =
        layers.iter().map(|layer| json!({"mediaId": layer.media, "at": layer.at, "svg": layer.svg})).collect();
    let measured = measures::of_conference(deps, id).await?;
    let connections = path_reports::list_entries(deps.db.read(), id).await?;
    let mut told = Vec::new();
    for item in &items {
        let mut view = json!(MediaView::of(item, &row.expedient_number, row.media_seen_at).sent_by(&devices).gone(gone));
        if !gone && item.expired_at.is_none() {
            let key = vault::unwrap(deps, id, row.data_key.as_deref()).await?;
            let name = format!("{folder}/{}", item.original_file_name);
            view["file"] = json!(name);
            let blob = BlobName::new(item.blob_name.clone())?;
            let size = u64::try_from(item.size_bytes).unwrap_or(0);
            files.push(ZipEntry::of_blob(name, size, item.captured_at, (deps.blobs.clone(), blob, key)));
        }
        told.push(view);
    }
    let mut conference = json!(ConferenceView::of(row, &rooms, false, days, now));
    // The secret of the link is not the person's data.
    conference.as_object_mut().map(|fields| fields.remove("hash"));
    let messages: Vec<Value> = messages
        .iter()
        .map(|m| {
            json!({"channel": m.channel.name(), "to": m.to, "subject": m.subject, "text": m.text, "state": m.state.name(),
                "createdAt": m.created_at, "sentAt": m.sent_at})
        })
        .collect();
    Ok(json!({
        "conference": conference, "participants": people, "messages": messages, "chat": lines, "media": told, "drawings": layers,
        "measures": measured, "connections": connections,
        "events": tracks.iter().map(TrackView::from).collect::<Vec<_>>(),
        "incidences": incidences_about(deps, row, folder, files).await?,
    }))
}

/// The company's incidences about a conference, with their answers and images. The administrators' notes are not
/// the company's to hand out.
async fn incidences_about(
    deps: &Privacy,
    row: &Conference,
    folder: &str,
    files: &mut Vec<ZipEntry>,
) -> Result<Vec<Value>, PrivacyError> {
    let db = deps.db.read();
    let mut told = Vec::new();
    for one in incidences::list_of_conference(db, CompanyId(row.company_id), ConferenceId(row.id)).await? {
        let number = shown_number(one.number);
        let entries = incidences::entries(db, one.id).await?;
        let answers = entries.iter().filter(|entry| entry.kind == incidences::EntryKind::Answer);
        let answers: Vec<Value> = answers.map(|entry| json!({"at": entry.at, "text": entry.text})).collect();
        let mut images = Vec::new();
        for image in incidences::images(db, one.id).await? {
            let key = pictures::unwrap(deps, one.id, one.data_key.as_deref()).await?;
            let name = format!("{folder}/{number} {:03} {}", images.len() + 1, image.name.replace(['/', '\\'], "_"));
            let size = u64::try_from(image.size_bytes).unwrap_or(0);
            let blob = BlobName::new(image.blob_name)?;
            files.push(ZipEntry::of_blob(name.clone(), size, image.at, (deps.blobs.clone(), blob, key)));
            images.push(json!({"name": image.name, "file": name}));
        }
        told.push(json!({
            "number": number, "type": one.kind, "reason": one.reason, "status": one.status,
            "comments": one.comments, "phoneNumber": one.phone_number, "createdAt": one.created_at,
            "answers": answers, "images": images,
        }));
    }
    Ok(told)
}
