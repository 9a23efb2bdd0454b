//! Sanitises an administrator's HTML with an allow-list of text, tables and links (NOTICE-12).
//!
//! *Invariant:* the result has no script, style, form, frame or picture, no `id`, `class` or `name`, and its links lead to
//! http, https, mailto, tel or a page of ours. Cleaning it again lets nothing more through.

use ammonia::{Builder, UrlRelative};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

const TAGS: &str = "p br hr div span h1 h2 h3 h4 b strong i em u s small sub sup mark blockquote pre code ul ol li a table caption \
                    thead tbody tfoot tr th td";
/// Removed with everything inside; of other unknown tags the text stays.
const WHOLLY_GONE: &str = "script style svg math template iframe object noscript title textarea select xmp noembed";

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    let attributes = HashMap::from([
        ("a", HashSet::from(["href", "title"])),
        ("ol", HashSet::from(["start"])),
        ("th", HashSet::from(["colspan", "rowspan", "scope"])),
        ("td", HashSet::from(["colspan", "rowspan"])),
    ]);
    builder
        .tags(TAGS.split_ascii_whitespace().collect())
        .clean_content_tags(WHOLLY_GONE.split_ascii_whitespace().collect())
        .tag_attributes(attributes)
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .url_relative(UrlRelative::Custom(Box::new(own_page)))
        .link_rel(Some("noopener noreferrer"))
        .set_tag_attribute_value("a", "target", "_blank");
    builder
});

/// Keeps a relative address when it is a page of ours.
fn own_page(url: &str) -> Option<Cow<'_, str>> {
    let ours = url.starts_with('/') && !url.starts_with("//") && !url.contains(['\\', '\t', '\n', '\r']);
    ours.then_some(Cow::Borrowed(url))
}

/// The harmless rest of an HTML text.
pub fn sanitise(html: &str) -> String {
    CLEANER.clean(html).to_string().trim().to_owned()
}

/// Whether it holds no readable text.
pub fn is_blank(clean: &str) -> bool {
    let mut inside = false;
    let mut text = clean.replace("&nbsp;", " ");
    text.retain(|c| {
        let hidden = inside || c == '<';
        inside = hidden && c != '>';
        !hidden
    });
    text.trim().is_empty()
}
