//! Html of an administrator against known ways to smuggle scripts in, by technique (OWASP's and PortSwigger's lists name
//! them). The output is checked by a parser of its own, independent of the sanitiser.

use super::{announcement, panel, post_general, publish};
use atalaya_kernel::Role;
use atalaya_testkit::{Client, both_engines};
use serde_json::json;

/// The allowed tags, each with its attributes.
const ALLOWED: &[(&str, &[&str])] = &[
    ("p", &[]),
    ("br", &[]),
    ("hr", &[]),
    ("div", &[]),
    ("span", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("b", &[]),
    ("strong", &[]),
    ("i", &[]),
    ("em", &[]),
    ("u", &[]),
    ("s", &[]),
    ("small", &[]),
    ("sub", &[]),
    ("sup", &[]),
    ("mark", &[]),
    ("blockquote", &[]),
    ("pre", &[]),
    ("code", &[]),
    ("ul", &[]),
    ("ol", &["start"]),
    ("li", &[]),
    ("a", &["href", "title", "rel", "target"]),
    ("table", &[]),
    ("caption", &[]),
    ("thead", &[]),
    ("tbody", &[]),
    ("tfoot", &[]),
    ("tr", &[]),
    ("th", &["colspan", "rowspan", "scope"]),
    ("td", &["colspan", "rowspan"]),
];

/// One vector per line, named by its technique.
const VECTORS: &[(&str, &str)] = &[
    ("script", "<script>alert(1)</script>"),
    ("script, mixed case", "<ScRiPt>alert(1)</sCrIpT>"),
    ("script from elsewhere", "<script src=//evil.example/x.js></script>"),
    ("script with a slash for a space", "<script/src=data:,alert(1)></script>"),
    ("script never closed", "<script>alert(1)"),
    ("script inside script", "<scr<script>ipt>alert(1)</scr</script>ipt>"),
    ("script after a null", "<scr\u{0}ipt>alert(1)</scr\u{0}ipt>"),
    ("script with white space in its end", "<script>alert(1)</script\t\n bar>"),
    ("script as a module", "<script type=module>import('//evil.example')</script>"),
    ("handler on a picture", "<img src=x onerror=alert(1)>"),
    ("handler without quotes or spaces", "<img/src/onerror=alert(1)>"),
    ("handler with backticks", "<img src=`x` onerror=`alert(1)`>"),
    ("handler after a broken attribute", "<img \"\"\"><script>alert(1)</script>\">"),
    ("handler on an allowed tag", "<p onclick=alert(1) onmouseover='alert(2)'>texto</p>"),
    ("handler behind a slash", "<b/onmouseenter=alert(1)>texto</b>"),
    ("handler in capitals", "<B ONCLICK=alert(1)>texto</B>"),
    ("handler with a control character before it", "<b \u{c}onclick=alert(1)>texto</b>"),
    ("handler behind a quote", "<b title=\"\"onclick=alert(1)>texto</b>"),
    ("handler that fires alone: focus", "<div tabindex=1 autofocus onfocus=alert(1)>texto</div>"),
    ("handler that fires alone: animation", "<span style=animation-name:x onanimationstart=alert(1)>texto</span>"),
    ("handler that fires alone: pointer", "<mark onpointerover=alert(1)>texto</mark>"),
    ("handler on the body", "<body onload=alert(1)><p>texto</p>"),
    ("handler on details", "<details open ontoggle=alert(1)><summary>x</summary></details>"),
    ("handler on a marquee", "<marquee onstart=alert(1)>x</marquee>"),
    ("handler on video", "<video src=x onerror=alert(1)></video>"),
    ("handler on audio", "<audio src onloadstart=alert(1)>"),
    ("handler on a source", "<video><source onerror=alert(1)></video>"),
    ("handler on an unknown tag", "<xss onclick=alert(1) id=x tabindex=1>texto</xss>"),
    ("handler on a popover", "<button popovertarget=x>x</button><xss popover id=x onbeforetoggle=alert(1)>"),
    ("javascript address", "<a href=javascript:alert(1)>x</a>"),
    ("javascript address, mixed case", "<a href=JaVaScRiPt:alert(1)>x</a>"),
    ("javascript address with a tab", "<a href=\"java\tscript:alert(1)\">x</a>"),
    ("javascript address with a line end", "<a href=\"java\nscript:alert(1)\">x</a>"),
    ("javascript address, its tab as an entity", "<a href=\"jav&#x09;ascript:alert(1)\">x</a>"),
    ("javascript address, colon as an entity", "<a href=javascript&colon;alert(1)>x</a>"),
    (
        "javascript address in decimal entities",
        "<a href=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>x</a>",
    ),
    (
        "javascript address in long entities",
        "<a href=\"&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)\">x</a>",
    ),
    ("javascript address after control characters", "<a href=\"\u{1}\u{2} javascript:alert(1)\">x</a>"),
    ("javascript address after white space", "<a href=\"  \t\njavascript:alert(1)\">x</a>"),
    ("javascript address with a slash", "<a href=javascript://%0aalert(1)>x</a>"),
    ("javascript address of a table", "<table background=javascript:alert(1)><tr><td background=javascript:alert(2)>x"),
    ("javascript address in svg", "<svg><a xlink:href=javascript:alert(1)><text y=20>x</text></a></svg>"),
    ("javascript address of a quotation", "<blockquote cite=javascript:alert(1)>x</blockquote>"),
    ("vbscript address", "<a href=vbscript:msgbox(1)>x</a>"),
    ("data address", "<a href=data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==>x</a>"),
    ("data address, mixed case", "<a href=DaTa:text/html,<script>alert(1)</script>>x</a>"),
    ("blob address", "<a href=blob:https://a.example/1>x</a>"),
    ("file address", "<a href=file:///etc/passwd>x</a>"),
    ("feed in front of javascript", "<a href=feed:javascript:alert(1)>x</a>"),
    ("address without a scheme", "<a href=//evil.example/x>x</a>"),
    ("address with backslashes", "<a href=\"/\\evil.example\">x</a><a href=\"\\\\evil.example\">y</a>"),
    ("address that a tab makes another", "<a href=\"/\t/evil.example\">x</a>"),
    ("address that sends a ping", "<a href=/x ping=//evil.example>x</a>"),
    ("address that may be downloaded", "<a href=/x download=x.exe>x</a>"),
    ("own target and rel", "<a href=/x target=_top rel=opener>x</a>"),
    ("remote picture", "<img src=https://evil.example/pixel.gif>"),
    ("picture of several sizes", "<img srcset=\"https://evil.example/a 1x\"><picture><source srcset=//evil.example></picture>"),
    ("picture of ours that calls", "<img src=/api/v1/notifications/mark-as-seen-all>"),
    ("style sheet", "<style>@import'//evil.example/x.css';body{background:url(//evil.example)}</style>"),
    ("style attribute", "<p style=\"background:url(javascript:alert(1));position:fixed;inset:0\">x</p>"),
    ("style with an expression", "<p style=width:expression(alert(1))>x</p>"),
    ("style with a binding", "<p style=-moz-binding:url(//evil.example/x.xml#x)>x</p>"),
    ("style sheet from elsewhere", "<link rel=stylesheet href=//evil.example/x.css>"),
    ("preloading link", "<link rel=prefetch href=//evil.example>"),
    ("base", "<base href=//evil.example/>"),
    ("meta refresh", "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">"),
    ("meta that sets a cookie", "<meta http-equiv=Set-Cookie content=\"token=x\">"),
    ("frame", "<iframe src=javascript:alert(1)></iframe>"),
    ("frame with a document", "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>"),
    ("frame set", "<frameset><frame src=javascript:alert(1)></frameset>"),
    ("object", "<object data=javascript:alert(1)></object>"),
    ("embed", "<embed src=data:image/svg+xml;base64,PHN2Zz4=>"),
    ("applet", "<applet code=x archive=//evil.example></applet>"),
    ("form that phishes", "<form action=//evil.example><input name=password><button>Entrar</button></form>"),
    ("button with an action of its own", "<button formaction=javascript:alert(1)>x</button>"),
    ("picture button", "<input type=image src=x onerror=alert(1)>"),
    ("isindex", "<isindex action=javascript:alert(1) type=image>"),
    ("svg that loads", "<svg onload=alert(1)>"),
    ("svg with a script", "<svg><script>alert&lpar;1&rpar;</script></svg>"),
    ("svg that animates an address", "<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>"),
    ("svg with foreign content", "<svg><foreignObject><p onclick=alert(1)>x</p></foreignObject></svg>"),
    ("svg that uses another", "<svg><use href=\"data:image/svg+xml,<svg id=x><script>alert(1)</script></svg>#x\"></svg>"),
    ("svg title that hides a style", "<svg><title><style><img src=x onerror=alert(1)></style></title></svg>"),
    ("mathml address", "<math href=javascript:alert(1)>x</math>"),
    ("mathml action", "<math><maction actiontype=statusline xlink:href=javascript:alert(1)>x</maction></math>"),
    (
        "mutation through mathml and style",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    ),
    ("mutation through a form", "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>"),
    ("mutation through svg and p", "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">"),
    ("mutation through noscript", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">"),
    ("mutation through a title", "<title><a title=\"</title><img src=x onerror=alert(1)>\">"),
    ("mutation through a text area", "<textarea><a title=\"</textarea><img src=x onerror=alert(1)>\"></textarea>"),
    ("mutation through xmp", "<xmp><p title=\"</xmp><svg/onload=alert(1)>\"></xmp>"),
    ("mutation through a select", "<select><style></select><img src=x onerror=alert(1)></style>"),
    ("mutation through deep nesting", "<div><table><svg><foreignObject><table><tr><td></svg><img src onerror=alert(1)>"),
    (
        "mutation through a caption",
        "<table><caption><svg><title><table><caption></caption></table></title><style><a title=\"</style><img onerror=alert(1)>\">",
    ),
    ("mutation through a list of formats", "<a href=/x><table><a href=javascript:alert(1)>x</table></a>"),
    ("template", "<template><img src=x onerror=alert(1)></template>"),
    ("template with a shadow", "<div><template shadowrootmode=open><script>alert(1)</script></template></div>"),
    ("slot and part", "<slot onslotchange=alert(1)><p slot=x part=y>texto</p></slot>"),
    ("custom element", "<script-x is=x-y onclick=alert(1)>texto</script-x>"),
    ("comment", "<!--<img src=\"--><img src=x onerror=alert(1)//\">"),
    ("comment that ends early", "<!--><script>alert(1)</script>-->"),
    ("comment with a bang", "<!--x--!><img src=x onerror=alert(1)>"),
    ("conditional comment", "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->"),
    ("processing instruction", "<?xml-stylesheet href=\"javascript:alert(1)\"?><?php x ?>"),
    ("cdata", "<![CDATA[<img src=x onerror=alert(1)>]]>"),
    ("cdata in svg", "<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>"),
    ("doctype and entities", "<!DOCTYPE x [<!ENTITY x \"<script>alert(1)</script>\">]>&x;"),
    ("clobbered names", "<a id=document name=cookie href=/x>x</a><form id=location name=body><p id=getElementById>x</p></form>"),
    ("class of ours", "<div class=\"mantine-Modal-root\" data-x=y aria-hidden=true contenteditable>texto</div>"),
    (
        "script gadgets of frameworks",
        "<div ng-app ng-csp>{{constructor.constructor('alert(1)')()}}</div><b v-html=x x-data=y>z</b>",
    ),
    ("less-than that is not one", "\u{ff1c}script\u{ff1e}alert(1)\u{ff1c}/script\u{ff1e}"),
    ("utf-7", "+ADw-script+AD4-alert(1)+ADw-/script+AD4-"),
    ("overlong encoding", "%3Cscript%3Ealert(1)%3C/script%3E"),
    ("entities for brackets", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("half a tag", "<p><img src=x onerror=alert(1)"),
    ("half an attribute", "<a href=\"/x"),
    ("unclosed quote that eats the page", "<p title='<script>alert(1)</script>texto"),
    ("direction marks in an address", "<a href=\"\u{202e}javascript:alert(1)\">x</a>"),
    ("soft hyphen in an address", "<a href=\"java\u{ad}script:alert(1)\">x</a>"),
];

/// Parses the output as a browser does: every `<` begins an allowed tag with allowed attributes, and every address leads to
/// an allowed place.
fn assert_harmless(technique: &str, html: &str) {
    let lower = html.to_lowercase();
    for word in ["<!--", "<!", "<?", "\u{0}"] {
        assert!(!html.contains(word), "{technique}: {html}");
    }
    let mut rest = html;
    while let Some(begin) = rest.find(['<', '>']) {
        assert!(rest[begin..].starts_with('<'), "{technique}: a stray bracket in {html}");
        let inner = &rest[begin + 1..];
        let end = tag_end(inner).unwrap_or_else(|| panic!("{technique}: a tag without its end in {html}"));
        check_tag(technique, &inner[..end], html);
        rest = &inner[end + 1..];
    }
    for scheme in ["javascript:", "vbscript:", "data:", "blob:", "file:"] {
        assert!(!lower.contains(&format!("href=\"{scheme}")), "{technique}: {html}");
    }
}

/// Where a tag ends: the first `>` outside of quotes.
fn tag_end(inner: &str) -> Option<usize> {
    let mut quoted = false;
    inner.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (c == '>' && !quoted).then_some(at)
    })
}

fn check_tag(technique: &str, tag: &str, html: &str) {
    if let Some(name) = tag.strip_prefix('/') {
        assert!(ALLOWED.iter().any(|(tag, _)| *tag == name), "{technique}: </{name}> in {html}");
        return;
    }
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let found = ALLOWED.iter().find(|(allowed, _)| *allowed == name);
    let (_, attributes) = found.unwrap_or_else(|| panic!("{technique}: <{name}> in {html}"));
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").unwrap_or_else(|| panic!("{technique}: `{rest}` in {html}"));
        let (value, after) = value.split_once('"').expect("quotes are closed");
        assert!(attributes.contains(&key), "{technique}: {name} {key} in {html}");
        match key {
            "href" => assert_leads_where_it_may(technique, value),
            "rel" => assert_eq!(value, "noopener noreferrer", "{technique}"),
            "target" => assert_eq!(value, "_blank", "{technique}"),
            _ => {}
        }
        rest = after.trim_start();
    }
}

fn assert_leads_where_it_may(technique: &str, href: &str) {
    let own = href.starts_with('/') && !href.starts_with("//") && !href.contains(['\\', '\t', '\n', '\r']);
    let outside = ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| href.to_lowercase().starts_with(scheme));
    assert!(own || outside, "{technique}: {href}");
}

/// Without the attributes that every link gets, whose order does not matter.
fn unordered(html: &str) -> String {
    html.replace(" rel=\"noopener noreferrer\"", "").replace(" target=\"_blank\"", "")
}

async fn sanitised(admin: &Client, html: &str) -> String {
    let answer = admin.post("/api/v1/notifications/preview-general", json!({"body": html})).await.ok();
    answer["body"].as_str().expect("html").to_owned()
}

both_engines! {
    // NOTICE-12
    async fn no_vector_of_the_list_comes_through(app) {
        assert!(VECTORS.len() >= 100);
        let admin = app.as_role(Role::Admin).await;
        for (technique, vector) in VECTORS {
            // Before, inside and after allowed content.
            for html in [(*vector).to_owned(), format!("<p>a</p>{vector}<p>b</p>"), format!("<table><tr><td>{vector}</td></tr></table>")] {
                if html.contains('\0') {
                    admin.post("/api/v1/notifications/preview-general", json!({"body": html})).await.problem(422, "INVALID_FIELDS");
                    continue;
                }
                let clean = sanitised(&admin, &html).await;
                assert_harmless(technique, &clean);
                // Wrong nesting may take two rounds to settle; nothing else may change.
                let again = sanitised(&admin, &clean).await;
                assert_harmless(technique, &again);
                let settled = sanitised(&admin, &again).await;
                assert_eq!(unordered(&settled), unordered(&again), "{technique}: cleaning again changes it");
            }
        }
    }

    // NOTICE-12
    async fn what_is_allowed_stays(app) {
        let admin = app.as_role(Role::Admin).await;
        let blank = " rel=\"noopener noreferrer\" target=\"_blank\"";
        for (html, clean) in [
            ("<h2>Aviso</h2><p>Hola, <strong>mundo</strong><br>ñ</p>", "<h2>Aviso</h2><p>Hola, <strong>mundo</strong><br>ñ</p>".to_owned()),
            ("<ul><li>uno<li>dos</ul>", "<ul><li>uno</li><li>dos</li></ul>".to_owned()),
            ("<p>1 < 2 & 3 > 2</p>", "<p>1 &lt; 2 &amp; 3 &gt; 2</p>".to_owned()),
            ("<center>texto</center>", "texto".to_owned()),
        ] {
            assert_eq!(sanitised(&admin, html).await, clean);
        }
        for href in ["https://a.example/x?y=1", "/conference-media/1", "mailto:a@b.es", "tel:+34600000000"] {
            let clean = sanitised(&admin, &format!("<a href=\"{href}\">x</a>")).await;
            assert!(clean.contains(&format!("href=\"{href}\"")), "{clean}");
            let attributes = blank.split("\" ").map(str::trim).all(|part| clean.contains(part.trim_end_matches('"')));
            assert!(attributes, "{clean}");
        }
        let table = "<table><thead><tr><th colspan=\"2\" scope=\"col\">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>";
        assert_eq!(sanitised(&admin, table).await, table);
        assert_eq!(sanitised(&admin, "").await, "");
    }

    // NOTICE-12
    async fn what_is_stored_is_clean(app) {
        let admin = app.as_role(Role::Admin).await;
        let body = VECTORS.iter().map(|(_, vector)| *vector).filter(|vector| !vector.contains('\0') && !vector.contains("<!--"));
        let body: String = body.take(60).collect();
        let made = publish(app, json!({"body": format!("<p>Dentro</p>{body}")})).await;
        assert_harmless("all together", made["targetValue"].as_str().unwrap());
        let shown = panel(&app.as_role(Role::WorkshopOperator).await).await;
        let row = &shown["notificationsByUser"]["generalNotifications"][0];
        assert_eq!((&row["type"], &row["targetValue"]), (&json!(3), &made["targetValue"]));
        assert!(row["targetValue"].as_str().unwrap().starts_with("<p>Dentro</p>"));
        // The text is plain text: a tag in it stays as it was written.
        let text = "<img src=x onerror=alert(1)>";
        let made = post_general(&admin, announcement(app, json!({"text": text}))).await.expect(201);
        assert_eq!(made["notification"]["text"], text);
    }

    // NOTICE-10, NOTICE-12
    async fn html_of_any_size_and_depth_is_bearable(app) {
        let admin = app.as_role(Role::Admin).await;
        for html in ["<div>".repeat(4000), "<a href=/x>".repeat(1800), "<b><i>".repeat(3300), "&".repeat(20_000), "<".repeat(20_000),
            "<table><tr><td>".repeat(1300), "</p>".repeat(5000)] {
            let answer = admin.post("/api/v1/notifications/preview-general", json!({"body": html})).await;
            assert_eq!(answer.status, 200, "{}", &html[..12]);
            assert_harmless("size", answer.ok()["body"].as_str().unwrap());
        }
        let long = json!({"body": "x".repeat(20_001)});
        admin.post("/api/v1/notifications/preview-general", long).await.problem(422, "INVALID_FIELDS");
        admin.post("/api/v1/notifications/preview-general", json!({"body": 7})).await.problem(422, "INVALID_FIELDS");
    }
}
