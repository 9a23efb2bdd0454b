//! Parsers that take bytes and answer: no door in front of them.

use super::Target;
use crate::support::{Case, pdf, png};
use atalaya_assistance::media::{exif, previews, thumbnails};
use atalaya_client_files::uploads::pdf::is_active;
use atalaya_client_files::uploads::tus::headers::{Checksum, Metadata};
use atalaya_records::verifier::{self, Trust};
use atalaya_sfu::{TokenKeys, decode_join_request, hostile};
use atalaya_testkit::TestApp;
use atalaya_turn::{Client, Deframer, Limits, Moment, Server, SharedSecret, TurnConfig, Via, begins_stream, is_for_relay};
use std::io::Cursor;
use std::net::SocketAddr;
use std::time::Instant;

const JPEG: &[u8] = include_bytes!("../../../../../vectors/photo-with-position.jpg");
const SMALL_JPEG: &[u8] = include_bytes!("../../../../assistance/src/demo/media/techo.jpg");
const PDF: &[u8] = include_bytes!("../../../../assistance/src/demo/media/parte.pdf");
const VIDEO: &[u8] = include_bytes!("../../../../assistance/src/demo/media/recorrido.webm");
const BANK: [&[u8]; 5] = [
    include_bytes!("../../../../../vectors/xml/camt053_v08_batch_and_return.xml"),
    include_bytes!("../../../../../vectors/xml/camt054_v08_refund_MD06.xml"),
    include_bytes!("../../../../../vectors/xml/camt054_v08_return_AM04.xml"),
    include_bytes!("../../../../../vectors/xml/pain002_v10_group_reject_FF01.xml"),
    include_bytes!("../../../../../vectors/xml/pain002_v10_tx_reject_AC04.xml"),
];
const OFFER: &str = "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0 1\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n\
    c=IN IP4 0.0.0.0\r\na=mid:0\r\na=msid:- a\r\na=sendonly\r\na=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10\r\n\
    m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:1\r\na=sendonly\r\na=rid:q send\r\na=rid:h send\r\na=simulcast:send q;h\r\n\
    a=rtpmap:96 VP8/90000\r\na=fmtp:96 x-google-start-bitrate=900\r\na=ssrc:1 cname:x\r\n";
/// A Binding and an Allocate request (RFC 8489, RFC 8656), an indication with data, and data of a channel.
const TURN: [&[u8]; 4] = [
    b"\x00\x01\x00\x00\x21\x12\xa4\x42abcdefghijkl",
    b"\x00\x03\x00\x24\x21\x12\xa4\x42abcdefghijkl\x00\x19\x00\x04\x11\x00\x00\x00\x00\x06\x00\x04user\x00\x14\x00\x07atalaya\x00\
      \x00\x15\x00\x01n\x00\x00\x00",
    b"\x00\x16\x00\x14\x21\x12\xa4\x42abcdefghijkl\x00\x12\x00\x08\x00\x01\x33\x33\x21\x12\xa4\x43\x00\x13\x00\x04data",
    b"\x40\x00\x00\x04data",
];

fn bank(bytes: &[u8]) {
    let _ = atalaya_sepa::read(bytes);
}

fn picture(bytes: &[u8]) {
    let _ = (previews::is_flood(bytes), thumbnails::decode(bytes), exif::read(bytes));
}

fn position(bytes: &[u8]) {
    let _ = exif::read(bytes);
}

fn document(bytes: &[u8]) {
    let _ = is_active(bytes);
}

fn video(bytes: &[u8]) {
    let _ = atalaya_webm::scan(bytes);
}

fn archive(bytes: &[u8]) {
    if let Ok(report) = verifier::verify(Cursor::new(bytes), &Trust::default()) {
        // What a person reads of it, whatever names it holds.
        let _ = report.to_string();
    }
    let _ = verifier::online::certificate_code(Cursor::new(bytes));
}

fn media_token(bytes: &[u8]) {
    let keys = TokenKeys::new("key".into(), "secret of the engine".to_owned().into());
    let _ = keys.verify(&String::from_utf8_lossy(bytes), 1_800_000_000);
}

fn signalling(bytes: &[u8]) {
    let _ = (hostile::frame(bytes), decode_join_request(&String::from_utf8_lossy(bytes)));
}

fn offer(bytes: &[u8]) {
    let _ = hostile::offer(&String::from_utf8_lossy(bytes));
}

fn rtp(bytes: &[u8]) {
    let _ = hostile::payload(bytes);
}

fn relay(bytes: &[u8]) {
    let now = Instant::now();
    let peers = vec![SocketAddr::from(([203, 0, 113, 5], 7882))];
    let secret = SharedSecret::new(b"a secret of the engine");
    let mut server = Server::new(TurnConfig { peers: peers.clone(), secret, nonce_key: [7; 32], limits: Limits::default() }, now);
    let client = Client { via: Via::Udp(peers[0]), address: SocketAddr::from(([198, 51, 100, 1], 40_000)) };
    let at = Moment { now, unix_s: 1_800_000_000 };
    let relayed = server.receive(at, client, bytes, &|_| true);
    assert!(relayed.is_none(), "nobody has proved anything: nothing is relayed");
    while server.poll().is_some() {}
    let _ = (is_for_relay(bytes), begins_stream(bytes));
    let mut stream = Deframer::default();
    for part in bytes.chunks(7) {
        if stream.push(part, |_| ()).is_err() {
            break;
        }
    }
}

fn upload_headers(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = (Metadata::parse(&text), Checksum::parse(&text));
}

/// Every parser, its seeds, and words that its format knows.
pub async fn all(app: &TestApp) -> Vec<Target> {
    let target = |name: &'static str, run: fn(&[u8]), seeds: Vec<Vec<u8>>, words: &'static [&'static [u8]]| Target {
        name,
        run,
        seeds,
        words,
    };
    let own = |seeds: &[&[u8]]| seeds.iter().map(|seed| seed.to_vec()).collect::<Vec<_>>();
    vec![
        target(
            "bank-xml",
            bank,
            own(&BANK),
            &[
                b"<!DOCTYPE a [<!ENTITY b \"c\">]>",
                b"&b;",
                b"&#x0;",
                b"<![CDATA[",
                b"]]>",
                b"<Ntry>",
                b"</Ntry>",
                b"<Amt Ccy=\"EUR\">",
                b"-0.00",
                b"99999999999999999999.99",
                b"<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
                b"\xff\xfe",
                b"xmlns:x=\"\"",
            ],
        ),
        target(
            "picture",
            picture,
            own(&[&png(), JPEG, SMALL_JPEG, b"GIF89a", b"RIFF\x24\0\0\0WEBPVP8 "]),
            &[
                b"\xff\xd8",
                b"\xff\xd9",
                b"\xff\xda",
                b"\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03",
                b"IDAT",
                b"IHDR",
                b"IEND",
                b"acTL",
                b"Exif\0\0",
            ],
        ),
        target(
            "exif",
            position,
            own(&[JPEG, b"\xff\xd8\xff\xe1\0\x10Exif\0\0MM\0*\0\0\0\x08"]),
            &[b"Exif\0\0", b"II*\0", b"MM\0*", b"\x88\x25", b"\xff\xe1"],
        ),
        target(
            "pdf",
            document,
            own(&[&pdf(), PDF]),
            &[
                b"/JavaScript",
                b"/#4a#53",
                b"/OpenAction",
                b"/Launch",
                b"stream",
                b"endstream",
                b"/FlateDecode",
                b"<<",
                b">>",
                b"/ObjStm",
            ],
        ),
        target(
            "webm",
            video,
            own(&[VIDEO, &VIDEO[..4_096]]),
            &[b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67", b"\x1f\x43\xb6\x75", b"\xa3", b"\x01\xff\xff\xff\xff\xff\xff\xff"],
        ),
        target(
            "archive",
            archive,
            vec![case_archive(app).await],
            &[
                b"PK\x03\x04",
                b"PK\x01\x02",
                b"PK\x05\x06",
                b"PK\x06\x06",
                b"manifest.json",
                b"../../etc/passwd",
                b"\"seq\":-1",
                b"\"events\":[",
            ],
        ),
        target(
            "media-token",
            media_token,
            own(&[
                b"eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJrZXkiLCJleHAiOjE5MDAwMDAwMDAsInZpZGVvIjp7InJvb20iOiJhIn19.c2ln",
                b"eyJhbGciOiJub25lIn0.e30.",
            ]),
            &[b".", b"eyJhbGciOiJub25lIn0", b"=", b"e30"],
        ),
        target(
            "signalling",
            signalling,
            own(&[b"\x0a\x04\x0a\x02v0", b"\x72\0", b"CgQKAlBB", b"H4sIAAAAAAAA_w", b"CAESFB-LCAAAAAAAAAMDAAAAAAAAAAAA"]),
            &[b"\x0a\xff\xff\xff\xff\x0f", b"\x12", b"H4sI", b"=="],
        ),
        target(
            "offer",
            offer,
            own(&[OFFER.as_bytes()]),
            &[
                b"m=video 9 UDP/TLS/RTP/SAVPF 96\r\n",
                b"m=audio",
                b"a=mid:",
                b"a=simulcast:send ",
                b"a=rid:",
                b";~",
                b"\r\n",
                b"a=msid:",
            ],
        ),
        target(
            "rtp",
            rtp,
            own(&[
                b"\x90\x80\x81\x23\0\0\0\x9d\x01\x2a\x40\x01\xb4\0",
                b"\x10\0\0\0\x9d\x01\x2a",
                b"\x90\xe0\x80\x01\x05\x61",
                b"\xff",
            ]),
            &[b"\x9d\x01\x2a", b"\x90\x80", b"\xff\xff"],
        ),
        target(
            "relay",
            relay,
            own(&TURN),
            &[b"\x21\x12\xa4\x42", b"\0\x08\0\x14", b"\0\x06\xff\xff", b"\x80\x28\0\x04", b"\x7f\xff\0\0"],
        ),
        target(
            "tus-headers",
            upload_headers,
            own(&[
                b"filename Zm90by5wbmc=,filetype aW1hZ2UvcG5n,item MDE5MGYwYzEtN2QyYy03YmJi,uploadKey YQ==",
                b"sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
                b"sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            ]),
            &[b",", b" ", b"=", b"filename ", b"/9j/", b"Li4vLi4v"],
        ),
    ]
}

/// The archive of a case with a picture and a document, as its owner downloads it.
async fn case_archive(app: &TestApp) -> Vec<u8> {
    let case = Case::open(app).await;
    case.upload("daños.png", "image/png", &png()).await.ok();
    case.upload("parte.pdf", "application/pdf", &pdf()).await.ok();
    let answer = case.staff.get(&format!("/api/v1/zip/{}", case.id)).await;
    answer.expect(200);
    if answer.header("content-type") == Some("application/zip") {
        return answer.body.to_vec();
    }
    case.staff.get(&format!("/uploads/{}.zip", case.id)).await.body.to_vec()
}
