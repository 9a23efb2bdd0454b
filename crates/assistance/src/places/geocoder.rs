//! A geocoder that speaks Nominatim's API.

use reqwest::{Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

const PATIENCE: Duration = Duration::from_secs(10);
/// The public service allows one question a second.
const PAUSE: Duration = Duration::from_secs(1);
/// Ranks from here on name a street, a house or something smaller; what is coarser says nothing about metres.
const STREET_RANK: i64 = 26;
/// Characters of an address that are kept.
const ADDRESS_MAX: usize = 300;

/// The service of the setting `geocoder_url`. Shared by everything that asks.
pub struct Geocoder {
    client: reqwest::Client,
    /// May hold a key in its query, so it is never printed.
    base: SecretString,
    asked_at: Mutex<Option<Instant>>,
}

/// What was found; nothing is an answer too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub position: Option<(f64, f64)>,
    pub address: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum GeocoderError {
    #[error("the geocoder cannot be reached")]
    Unreachable,
    #[error("the geocoder answered {0}")]
    Refused(u16),
    #[error("the geocoder's answer cannot be read")]
    Unreadable,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    lat: String,
    #[serde(default)]
    lon: String,
    #[serde(default)]
    display_name: String,
    #[serde(default)]
    place_rank: i64,
}

impl Geocoder {
    pub fn new(base: SecretString) -> Self {
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(redirect::Policy::none())
            .user_agent("atalaya (remote assistance)")
            .build()
            .expect("a client with fixed settings can be built");
        Self { client, base, asked_at: Mutex::new(None) }
    }

    /// Where an address is, if it is found to the street.
    pub(super) async fn find(&self, address: &str) -> Result<Answer, GeocoderError> {
        let found: Vec<Found> = self.ask("search", &[("q", address), ("limit", "1")]).await?;
        let exact = found.into_iter().next().filter(|one| one.place_rank >= STREET_RANK);
        Ok(exact.map_or_else(Answer::default, |one| {
            let position = one.lat.parse().ok().zip(one.lon.parse().ok());
            Answer { position, address: shortened(&one.display_name) }
        }))
    }

    /// The address of a place.
    pub(super) async fn describe(&self, latitude: &str, longitude: &str) -> Result<Answer, GeocoderError> {
        let found: Found = self.ask("reverse", &[("lat", latitude), ("lon", longitude), ("zoom", "18")]).await?;
        Ok(Answer { position: None, address: shortened(&found.display_name) })
    }

    async fn ask<T: serde::de::DeserializeOwned>(&self, call: &str, query: &[(&str, &str)]) -> Result<T, GeocoderError> {
        let mut url = Url::parse(self.base.expose_secret()).map_err(|_| GeocoderError::Unreachable)?;
        url.path_segments_mut().map_err(|()| GeocoderError::Unreachable)?.pop_if_empty().push(call);
        url.query_pairs_mut().extend_pairs(query).extend_pairs([("format", "jsonv2"), ("accept-language", "es")]);
        // One at a time, with a pause in between.
        let mut asked_at = self.asked_at.lock().await;
        if let Some(before) = *asked_at {
            tokio::time::sleep_until(before + PAUSE).await;
        }
        *asked_at = Some(Instant::now());
        let answer = self.client.get(url).send().await.map_err(|_| GeocoderError::Unreachable)?;
        if !answer.status().is_success() {
            return Err(GeocoderError::Refused(answer.status().as_u16()));
        }
        answer.json().await.map_err(|_| GeocoderError::Unreadable)
    }
}

fn shortened(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|c| !c.is_control()).take(ADDRESS_MAX).collect();
    Some(plain.trim().to_owned()).filter(|text| !text.is_empty())
}
