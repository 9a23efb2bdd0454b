//! The marker to print, set once for each language.

use atalaya_content::languages::text;
use atalaya_kernel::Language;
use atalaya_pdf::{MarkerSheet, PdfError};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

/// Keeps what it has printed: anybody may ask, and nobody makes the server set the same sheet twice.
#[derive(Clone, Default)]
pub struct Press {
    printed: Arc<Mutex<HashMap<&'static str, Bytes>>>,
}

impl Press {
    /// The sheet in a language.
    ///
    /// Errors: a sheet that could not be set, which is a bug of ours.
    pub async fn of(&self, language: Language) -> Result<Bytes, PdfError> {
        let mut printed = self.printed.lock().await;
        if let Some(sheet) = printed.get(language.code()) {
            return Ok(sheet.clone());
        }
        let of = |key: &'static str| text(language, "photoreports", key).to_owned();
        let sheet = MarkerSheet {
            language: language.code().to_owned(),
            title: of("markerTitle"),
            steps: vec![of("markerPrint"), of("markerCheck"), of("markerPlace")],
            side: of("markerSide"),
        };
        let pdf = tokio::task::spawn_blocking(move || atalaya_pdf::render_marker(&sheet)).await;
        let pdf = Bytes::from(pdf.map_err(|error| PdfError::Set(error.to_string()))??);
        printed.insert(language.code(), pdf.clone());
        Ok(pdf)
    }
}
