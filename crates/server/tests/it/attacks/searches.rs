//! What is typed into a search is words, whatever it looks like, and finds nobody else's rows nor how many they are.

use crate::support::Case;
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use serde_json::json;

/// Quotes, operators of FTS5 and SQL, signs of patterns, a zero byte, a word without end.
const TYPED: [&str; 14] = [
    "%22",
    "secreto%22%20OR%20%22secreto",
    "secreto%20OR%20secreto",
    "secreto%20NOT%20otro",
    "secreto*",
    "words:secreto",
    "NEAR(secreto%20secreto,%205)",
    "%00secreto%00",
    "-secreto%20%5Esecreto",
    "%7Bwords%7D%20:%20secreto",
    "');DROP%20TABLE%20conference;--",
    "%25_%5C%25",
    "___%20sec%25",
    "secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto%20secreto",
];

both_engines! {
    // CASE-17, CASE-42
    async fn a_search_speaks_no_language_and_finds_nobody_elses(app) {
        let mine = app.person(Role::Worker).await;
        let colleague = app.person_in(mine.company, Role::Worker).await;
        let principal = app.person_in(mine.company, Role::Customer).await;
        Case::open_by(app, mine.clone(), json!({"expedientNumber": "SECRETO-1"})).await;
        for nth in 2..5 {
            Case::open_with(app, json!({"expedientNumber": format!("SECRETO-{nth}")})).await;
        }
        for (person, most) in [(&principal, 1), (&mine, 1), (&colleague, 0)] {
            let client = app.log_in(person).await;
            let found = async |typed: &str| {
                let path = format!("/api/v1/conferences-div-details/{}?search={typed}", mine.company);
                let answer = client.post(&path, json!({})).await.ok();
                let rows = answer["conferences"].as_array().expect("a list").len() as u64;
                assert_eq!(answer["total"], json!(rows), "{typed}: {answer}");
                rows
            };
            assert_eq!(found("secreto").await, most);
            for typed in TYPED {
                let rows = found(typed).await;
                assert!(rows <= most, "{typed}: {rows}");
            }
        }
    }
}
