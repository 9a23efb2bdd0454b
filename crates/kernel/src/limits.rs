//! Business constants, printed to `web/src/api/generated/limits.ts` by `cargo xtask gen`.

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $ty:ty = $value:expr),+ $(,)?) => {
        $($(#[$doc])* pub const $name: $ty = $value;)+
        /// Every limit by name, for the generated TypeScript.
        pub const ALL: &[(&str, u64)] = &[$((stringify!($name), $value as u64)),+];
    };
}

limits! {
    /// Characters of an SMS text, the maximum itself allowed.
    SMS_TEXT_MAX: usize = 100,
    /// Characters of an SMS sender.
    SMS_SENDER_MAX: usize = 11,
    /// Characters of an e-mail text.
    EMAIL_TEXT_MAX: usize = 400,
    /// Characters of an e-mail title.
    EMAIL_TITLE_MAX: usize = 70,
    /// Characters of a campaign's text; ours.
    CAMPAIGN_TEXT_MAX: usize = 5000,
    /// Characters of an e-mail address.
    EMAIL_MAX: usize = 350,
    /// Characters of a raw phone: at least.
    PHONE_MIN: usize = 7,
    /// Characters of a raw phone: at most, "under 20".
    PHONE_MAX: usize = 19,
    /// Bytes of the document that proves a change of fiscal data; ours.
    FISCAL_DOCUMENT_MAX_BYTES: usize = 10 << 20,
    /// Characters of a reason or note about fiscal data; ours.
    FISCAL_REASON_MAX: usize = 500,
    /// Requests for other fiscal data that one company makes within a day; ours.
    FISCAL_REQUESTS_A_DAY: usize = 10,
    /// Characters of a case number; ours, generous.
    EXPEDIENT_MAX: usize = 60,
    /// Characters of any other line of the video form; ours.
    LINE_MAX: usize = 200,
    /// Characters of one chat message; ours.
    CHAT_MAX: usize = 1000,
    /// Hours until a client's link expires.
    LINK_HOURS: i64 = 24,
    /// Minutes without anybody connected after which a conference closes.
    IDLE_CLOSE_MINUTES: i64 = 5,
    /// Minutes a request for a video call waits.
    REQUEST_WAIT_MINUTES: i64 = 10,
    /// Minutes that somebody who was called on a device may take to open the app; ours.
    REQUEST_CALLED_MINUTES: i64 = 2,
    /// Minutes a call-back rings from its time on; ours.
    REQUEST_RING_MINUTES: i64 = 30,
    /// Minutes before a call-back at which both sides are reminded; ours.
    REQUEST_REMINDER_MINUTES: i64 = 10,
    /// Minutes ahead of now that a call-back is agreed at least; ours.
    REQUEST_CALLBACK_MIN_MINUTES: i64 = 5,
    /// Days ahead of now that a call-back is agreed at most; ours.
    REQUEST_CALLBACK_MAX_DAYS: i64 = 14,
    /// Call-backs that one person may have agreed on at a time; ours.
    REQUEST_CALLBACKS_MAX: usize = 5,
    /// Characters of a request's region; ours.
    REQUEST_REGION_MAX: usize = 60,
    /// Characters of the reason with which a request is passed on; ours.
    REQUEST_REASON_MAX: usize = 200,
    /// Requests that one person may start within an hour; ours.
    REQUESTS_AN_HOUR: usize = 30,
    /// Minutes a dictated code lives.
    DICTATED_CODE_MINUTES: i64 = 10,
    /// Wrong tries of dictated codes that one network has at once.
    DICTATED_CODE_TRIES: usize = 5,
    /// Digits of a dictated code.
    DICTATED_CODE_DIGITS: usize = 12,
    /// Seconds up to which a duration shows as "less than ten".
    SHORT_DURATION_S: i64 = 10,
    /// Whole days of age from which media are expired.
    MEDIA_EXPIRED_DAYS: i64 = 31,
    /// Whole days of age under which files may be asked for.
    MEDIA_REQUEST_DAYS: i64 = 30,
    /// Seconds that a conference must have lasted longer than, for files to be asked for.
    FILES_REQUEST_DURATION_S: i64 = 22,
    /// Characters of the text shown to the client.
    PAGE_SHOW_TEXT_MAX: usize = 250,
    /// Characters that the input of a recipient's e-mail takes.
    EMAIL_INPUT_MAX: usize = 100,
    /// Bytes of one video that the client sends; ours.
    CLIENT_VIDEO_MAX_BYTES: u64 = 209_715_200,
    /// Files that one request takes; ours.
    CLIENT_FILES_MAX: usize = 200,
    /// Characters of a picture's label; ours.
    MEDIA_LABEL_MAX: usize = 60,
    /// Characters of a note beside a picture; ours.
    MEDIA_NOTE_MAX: usize = 500,
    /// Characters of a note of an expedient; ours.
    EXPEDIENT_NOTE_MAX: usize = 1000,
    /// Characters of a general notification's text; ours.
    NOTICE_TEXT_MAX: usize = 250,
    /// Characters of a general notification's html; ours.
    NOTICE_BODY_MAX: usize = 20_000,
    /// Characters of a general notification's address; ours.
    NOTICE_URL_MAX: usize = 2000,
    /// Characters of what is written in an incidence: its comments, an answer, a note; ours.
    INCIDENCE_TEXT_MAX: usize = 2000,
    /// Images sent at once with an incidence.
    INCIDENCE_FILES_MAX: usize = 5,
    /// Bytes of one of them.
    INCIDENCE_FILE_MAX_BYTES: usize = 5_242_880,
    /// Days that a conference is old at most for an incidence about it.
    INCIDENCE_CONFERENCE_DAYS: i64 = 7,
    /// Incidences and answers that one person may send within an hour; ours.
    INCIDENCES_AN_HOUR: usize = 60,
    /// Days after which an archived incidence is deleted: two years.
    INCIDENCE_KEPT_DAYS: i64 = 730,
    /// Bytes of one picture or document.
    UPLOAD_MAX_BYTES: usize = 26_214_400,
    /// Seconds before expiry from which a token is renewed.
    TOKEN_RENEWAL_S: i64 = 900,
    /// Seconds a session token lives.
    TOKEN_LIFE_S: i64 = 3600,
    /// Seconds a renewed token lives on for requests under way.
    TOKEN_GRACE_S: i64 = 60,
    /// Seconds the language cookie lives.
    LANGUAGE_COOKIE_S: i64 = 31_536_000,
    /// Milliseconds a toast shows.
    TOAST_MS: u64 = 5000,
    /// Milliseconds a toast fades.
    TOAST_FADE_MS: u64 = 500,
}
