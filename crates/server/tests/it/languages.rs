//! Language bundles and lists.

use atalaya_testkit::both_engines;
use serde_json::json;

both_engines! {
    // LANG-2, LANG-3
    async fn bundles_answer_at_the_root_and_under_the_base(app) {
        let client = app.anonymous();
        for path in ["/platform-language", "/api/v1/platform-language", "/platform-language/"] {
            let bundle = client.post(path, json!({"languageCode": "en"})).await.ok();
            assert_eq!(bundle["LANGUAGE_CODE"], "en");
            assert_eq!(bundle["NAMESPACE"]["common"]["accept"], "Accept");
            let unknown = client.post(path, json!({"languageCode": "xx"})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(unknown["errors"][0]["code"], "LANGUAGE_UNKNOWN");
        }
    }

    // LANG-2, LANG-4
    async fn languages_and_prefixes_are_public_lists(app) {
        let client = app.anonymous();
        for base in ["", "/api/v1"] {
            let languages = client.get(&format!("{base}/available-languages")).await.ok();
            assert_eq!(languages[0], json!({"code": "es", "name": "Español", "flagUrl": "/flags/es.svg"}));
            let prefixes = client.get(&format!("{base}/phone-prefixes")).await.ok();
            assert_eq!(prefixes[0], json!({"code": "es", "name": "España", "prefix": "+34", "flagUrl": "/flags/es.svg"}));
        }
        let english = client.with("accept-language", "en").get("/phone-prefixes").await.ok();
        assert_eq!(english[0]["name"], "Spain");
    }
}
