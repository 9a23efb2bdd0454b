//! Looking places up, in the background.

use super::geocoder::{Answer, GeocoderError};
use super::model::{Known, insured_address, place_key};
use super::positions::{PositionView, positions};
use super::store;
use crate::Assistance;
use crate::media_items;
use atalaya_cases::conferences::{self, Conference, ConferenceError};
use atalaya_cases::evidence;
use atalaya_cases::live::LiveEvent;
use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};
use serde_json::json;
use std::collections::BTreeSet;

/// Places of one case that are looked up at most.
const PLACES_MAX: usize = 30;

/// What is known about the places of a case.
pub async fn known(deps: &Assistance, case: &Conference) -> Result<Known, ConferenceError> {
    Ok(Known::new(case, &store::list(deps.db.read(), ConferenceId(case.id)).await?))
}

/// The same as it was at a moment.
pub async fn known_at(deps: &Assistance, case: &Conference, at: DateTime<Utc>) -> Result<Known, ConferenceError> {
    let mut answers = store::list(deps.db.read(), ConferenceId(case.id)).await?;
    answers.retain(|answer| answer.at <= at);
    Ok(Known::new(case, &answers))
}

/// Where the client was, in order of time, and what that means.
pub async fn positions_of(deps: &Assistance, case: &Conference) -> Result<Vec<PositionView>, ConferenceError> {
    let id = ConferenceId(case.id);
    let tracks = evidence::list(deps.db.read(), id).await?;
    let media = media_items::list(deps.db.read(), id).await?;
    Ok(positions(&tracks, &media, &known(deps, case).await?))
}

/// Looks up what is new, without anybody waiting for it (PLACE-3).
pub fn later(deps: &Assistance, id: ConferenceId) {
    if deps.geocoder.is_none() {
        return;
    }
    let deps = deps.clone();
    tokio::spawn(async move {
        let told = match look_up(&deps, id).await {
            Ok(0) => return,
            Ok(_) => publish(&deps, id).await,
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            tracing::warn!(conference.id = %id, %error, "places could not be looked up");
        }
    });
}

/// Notifies the screens of the positions and what they mean.
pub async fn publish(deps: &Assistance, id: ConferenceId) -> Result<(), ConferenceError> {
    let case = conferences::get(deps.db.read(), conferences::Scope::All, id).await?;
    let positions = positions_of(deps, &case).await?;
    deps.live.publish(id, LiveEvent::new("positions", json!({"positions": positions})));
    Ok(())
}

/// Asks the geocoder about every place of a case that it was not asked about; answers how many. The next new position
/// tries again what failed.
pub async fn look_up(deps: &Assistance, id: ConferenceId) -> Result<usize, ConferenceError> {
    let Some(geocoder) = &deps.geocoder else { return Ok(0) };
    let case = conferences::get(deps.db.read(), conferences::Scope::All, id).await?;
    let asked: BTreeSet<String> = store::list(deps.db.read(), id).await?.into_iter().map(|answer| answer.asked).collect();
    let mut found = 0;
    if let Some(address) = insured_address(&case).filter(|address| !asked.contains(address)) {
        found += usize::from(keep(deps, id, &address, geocoder.find(&address).await).await?);
    }
    let places: BTreeSet<String> =
        positions_of(deps, &case).await?.iter().map(|position| place_key(position.latitude, position.longitude)).collect();
    let room = PLACES_MAX.saturating_sub(asked.len());
    for key in places.into_iter().filter(|key| !asked.contains(key)).take(room) {
        let (latitude, longitude) = key.split_once(',').unwrap_or_default();
        found += usize::from(keep(deps, id, &key, geocoder.describe(latitude, longitude).await).await?);
    }
    Ok(found)
}

async fn keep(
    deps: &Assistance,
    id: ConferenceId,
    asked: &str,
    answer: Result<Answer, GeocoderError>,
) -> Result<bool, ConferenceError> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            tracing::warn!(conference.id = %id, %error, "a place could not be looked up");
            return Ok(false);
        }
    };
    let tx = deps.db.write().await?;
    // Not after an erasure, which takes the answers along.
    conferences::lock_living(&tx, id).await?;
    store::insert(&tx, &deps.sources, id, asked, &answer).await?;
    tx.commit().await?;
    Ok(true)
}
