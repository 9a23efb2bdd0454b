//! Opening a conference as its opener sees it.

use crate::Assistance;
use atalaya_cases::conferences::model::{ConferenceError, OpenConference};
use atalaya_cases::conferences::service as conferences;
use atalaya_cases::conferences::view::ConferenceView;
use atalaya_cases::conferences::{Conference, Opener};
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::Caller;

/// A conference just opened, with what its opener needs to wait in it.
pub struct Opened {
    pub conference: ConferenceView,
    pub token: String,
    pub url: String,
    pub link: String,
}

/// Opens a conference for the caller's company, see [`conferences::open`].
pub async fn open(deps: &Assistance, caller: &Caller, input: &OpenConference) -> Result<Opened, ConferenceError> {
    let (row, opener) = conferences::open(deps, caller, input).await?;
    Ok(opened(deps, caller, &row, &opener))
}

/// What the opener of a committed conference is answered.
pub fn opened(deps: &Assistance, caller: &Caller, row: &Conference, opener: &Opener) -> Opened {
    crate::places::service::later(deps, ConferenceId(row.id));
    Opened {
        token: deps.staff_token(row, opener.user, caller.session, &opener.user_name),
        url: deps.media_url(),
        link: deps.link(row),
        conference: ConferenceView::of(row, &[], false, opener.company_days, deps.sources.now()),
    }
}
