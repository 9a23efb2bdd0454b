//! The engine's errors, each with a stable code.

/// Errors of the engine's operations. In lower case the code is the key of its text.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the media room does not exist")]
    RoomNotFound,
    #[error("the participant is not in the room")]
    ParticipantNotFound,
    #[error("the track does not exist")]
    TrackNotFound,
    #[error("the room is full")]
    RoomFull,
    #[error("a participant's track is unmuted by the participant only")]
    RemoteUnmute,
    #[error("the room name is empty or too long")]
    RoomName,
    #[error("the data message is too large")]
    DataTooLarge,
    #[error("the recording is not in a state that allows this")]
    RecordingState,
    #[error("the media port cannot be opened: {0}")]
    Bind(#[source] std::io::Error),
    #[error("no address to announce was found")]
    NoAddress,
    #[error("the media engine has stopped")]
    Stopped,
}

impl EngineError {
    /// Stable code, upper case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::RoomNotFound => "MEDIA_ROOM_NOT_FOUND",
            Self::ParticipantNotFound => "MEDIA_PARTICIPANT_NOT_FOUND",
            Self::TrackNotFound => "MEDIA_TRACK_NOT_FOUND",
            Self::RoomFull => "MEDIA_ROOM_FULL",
            Self::RemoteUnmute => "MEDIA_REMOTE_UNMUTE",
            Self::RoomName => "MEDIA_ROOM_NAME_INVALID",
            Self::DataTooLarge => "MEDIA_DATA_TOO_LARGE",
            Self::RecordingState => "RECORDING_STATE",
            Self::Bind(_) => "MEDIA_PORT_UNAVAILABLE",
            Self::NoAddress => "MEDIA_NO_ADDRESS",
            Self::Stopped => "MEDIA_ENGINE_STOPPED",
        }
    }
}
