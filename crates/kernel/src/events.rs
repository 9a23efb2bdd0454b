//! Names of what happens in a conference: its tracks, which are also the evidence events.

use serde::{Deserialize, Serialize};

macro_rules! track_types {
    ($($(#[$doc:meta])* $name:ident = $wire:literal),+ $(,)?) => {
        /// A step of either side of a conference. One enum for track log, evidence chain and client's progress.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        pub enum TrackType { $($(#[$doc])* #[serde(rename = $wire)] $name),+ }

        impl TrackType {
            pub const ALL: &[TrackType] = &[$(TrackType::$name),+];

            /// The stored and shown name.
            pub fn wire(self) -> &'static str {
                match self { $(TrackType::$name => $wire),+ }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name { $($wire => Some(TrackType::$name),)+ _ => None }
            }
        }
    };
}

track_types! {
    ConferenceCreated = "CONFERENCE_CREATED",
    SmsSent = "SMS_SENT",
    SmsDelivered = "SMS_DELIVERED",
    SmsFailed = "SMS_FAILED",
    EmailSent = "EMAIL_SENT",
    EmailDelivered = "EMAIL_DELIVERED",
    EmailBounced = "EMAIL_BOUNCED",
    WhatsappSent = "WHATSAPP_SENT",
    WhatsappDelivered = "WHATSAPP_DELIVERED",
    WhatsappFailed = "WHATSAPP_FAILED",
    LinkOpened = "LINK_OPENED",
    LegalShown = "LEGAL_SHOWN",
    LegalAccepted = "LEGAL_ACCEPTED",
    LegalRejected = "LEGAL_REJECTED",
    PermissionGranted = "PERMISSION_GRANTED",
    PermissionDenied = "PERMISSION_DENIED",
    GeoFix = "GEO_FIX",
    Connected = "CONNECTED",
    Disconnected = "DISCONNECTED",
    Reconnected = "RECONNECTED",
    /// A second device asks to enter while another is in the call.
    DeviceWaiting = "DEVICE_WAITING",
    DeviceAdmitted = "DEVICE_ADMITTED",
    /// A second device took the place of the first.
    DeviceReplaced = "DEVICE_REPLACED",
    DeviceRefused = "DEVICE_REFUSED",
    RecordingStarted = "RECORDING_STARTED",
    RecordingPaused = "RECORDING_PAUSED",
    RecordingResumed = "RECORDING_RESUMED",
    RecordingStopped = "RECORDING_STOPPED",
    ParticipantInvited = "PARTICIPANT_INVITED",
    MediaCaptured = "MEDIA_CAPTURED",
    /// Marks were drawn on a picture, or removed from it.
    DrawingChanged = "DRAWING_CHANGED",
    /// Something was measured on a picture, or a measure was removed.
    MeasureChanged = "MEASURE_CHANGED",
    FilesRequested = "FILES_REQUESTED",
    /// The client opened the page of a request for files.
    FilesOpened = "FILES_OPENED",
    FileUploaded = "FILE_UPLOADED",
    /// The client said that everything is sent.
    FilesFinished = "FILES_FINISHED",
    FilesCancelled = "FILES_CANCELLED",
    /// The requester approved a file or sent it back.
    FileReviewed = "FILE_REVIEWED",
    Chat = "CHAT",
    /// One side named a moment at which the conference goes on.
    AppointmentProposed = "APPOINTMENT_PROPOSED",
    /// Both sides named the same moment.
    AppointmentAgreed = "APPOINTMENT_AGREED",
    AppointmentCancelled = "APPOINTMENT_CANCELLED",
    ConferenceClosed = "CONFERENCE_CLOSED",
    CertificateIssued = "CERTIFICATE_ISSUED",
    MediaExpired = "MEDIA_EXPIRED",
}
