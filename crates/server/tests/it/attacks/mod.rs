//! An enemy at the door: many at once after one thing, the same thing twice, a clock that jumps, texts that are more than texts.
//!
//! Races and replays of other single-use things stand with their rooms: invitations and registrations (`invitations`),
//! recovery links (`recovery`), codes and recovery codes (`second_factor`), passkey ceremonies (`passkeys`), requests for a
//! video call (`video_call_requests`), API keys, captures, incidences, the remittance and the monthly run.

mod clock;
mod inputs;
mod races;
mod replay;
mod searches;

use atalaya_testkit::{Answer, Client};
use axum::http::Method;
use serde_json::Value;

/// The same request so many times at once, each by a task of its own.
async fn at_once(times: usize, client: &Client, path: &str, body: &Value) -> Vec<Answer> {
    all_at_once((0..times).map(|_| (Method::POST, client.clone(), path.to_owned(), body.clone()))).await
}

/// These requests at once, each by a task of its own.
async fn all_at_once(requests: impl IntoIterator<Item = (Method, Client, String, Value)>) -> Vec<Answer> {
    let one = |(method, client, path, body): (Method, Client, String, Value)| {
        tokio::spawn(async move { client.send(method, &path, Some(body)).await })
    };
    let all: Vec<_> = requests.into_iter().map(one).collect();
    let mut answers = Vec::new();
    for task in all {
        answers.push(task.await.expect("an answer"));
    }
    answers
}

/// One won, and all others were refused with this status and code.
#[track_caller]
fn one_wins(answers: &[Answer], won: u16, status: u16, code: &str) {
    let seen: Vec<_> = answers.iter().map(|answer| (answer.status, answer.json()["code"].clone())).collect();
    let winners = answers.iter().filter(|answer| answer.status == won).count();
    let losers = answers.iter().filter(|answer| answer.status == status && answer.json()["code"] == code).count();
    assert_eq!((winners, losers), (1, answers.len() - 1), "{seen:?}");
}
