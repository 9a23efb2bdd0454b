//! Why a provider did not accept a message.

use std::fmt;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $wire:literal),+ $(,)?) => {
        /// The reasons by which administrators see failures grouped.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reason { $($(#[$doc])* $name),+ }

        impl Reason {
            pub const ALL: &[Reason] = &[$(Reason::$name),+];

            /// On the wire and in the database.
            pub fn name(self) -> &'static str {
                match self { $(Reason::$name => $wire),+ }
            }
        }
    };
}

reasons! {
    /// No answer in time.
    Timeout = "timeout",
    /// No connection.
    Unreachable = "unreachable",
    /// 5xx, or the mail server's "not now".
    Unavailable = "unavailable",
    /// 429.
    Limited = "limited",
    /// Our credentials are rejected.
    Credentials = "credentials",
    /// This number or address does not exist.
    Recipient = "recipient",
    /// The provider rejects this message.
    Refused = "refused",
    /// An answer of another form: no id, a web page.
    BadAnswer = "bad_answer",
    /// A receipt says that it did not arrive.
    Undelivered = "undelivered",
    Other = "other",
}

/// A reason with its text, which is for administrators and holds no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub reason: Reason,
    pub text: String,
}

impl Why {
    pub fn new(reason: Reason, text: impl Into<String>) -> Self {
        Self { reason, text: text.into() }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&str> for Why {
    fn from(text: &str) -> Self {
        Self::new(Reason::Other, text)
    }
}

impl From<String> for Why {
    fn from(text: String) -> Self {
        Self::new(Reason::Other, text)
    }
}

/// Why a provider did not accept a message.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SendFailure {
    /// Worth a retry.
    #[error("{0}")]
    Temporary(Why),
    #[error("{0}")]
    Permanent(Why),
}

impl SendFailure {
    pub fn temporary(reason: Reason, text: impl Into<String>) -> Self {
        Self::Temporary(Why::new(reason, text))
    }

    pub fn permanent(reason: Reason, text: impl Into<String>) -> Self {
        Self::Permanent(Why::new(reason, text))
    }

    pub fn reason(&self) -> Reason {
        match self {
            Self::Temporary(why) | Self::Permanent(why) => why.reason,
        }
    }
}
