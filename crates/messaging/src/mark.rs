//! The product's mark in e-mails: a picture that travels inside the message, because mail programs draw no SVG and load
//! nothing from elsewhere unasked.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::message::header::ContentType;
use lettre::message::{Attachment, MultiPart, SinglePart};

/// Drawn by `web/dev/icons.mjs`.
const PNG: &[u8] = include_bytes!("../templates/mark.png");
const CONTENT_ID: &str = "mark@atalaya";
/// How the layout names it (RFC 2392).
const REFERENCE: &str = "cid:mark@atalaya";

/// The text and the HTML of a message; beside HTML that shows the mark, the mark (MSG-22).
pub(crate) fn alternatives(text: String, html: String) -> MultiPart {
    if !html.contains(REFERENCE) {
        return MultiPart::alternative_plain_html(text, html);
    }
    let kind = ContentType::parse("image/png").expect("a constant");
    let mark = Attachment::new_inline_with_name(CONTENT_ID.to_owned(), "atalaya.png".to_owned()).body(PNG.to_vec(), kind);
    let page = MultiPart::related().singlepart(SinglePart::html(html)).singlepart(mark);
    MultiPart::alternative().singlepart(SinglePart::plain(text)).multipart(page)
}

/// The HTML of an e-mail where no mail program resolves its references, as in a preview: with the mark inside.
pub fn standalone(html: &str) -> String {
    html.replace(REFERENCE, &format!("data:image/png;base64,{}", STANDARD.encode(PNG)))
}
