//! What runs once before serving.

use crate::Privacy;
use crate::erasures::{PrivacyError, erasure};

/// Repairs what a crash left, and erases anew what a restored backup brought back. Runs once before serving.
pub async fn recover(deps: &Privacy) -> Result<(), PrivacyError> {
    let erased = erasure::recover(deps).await?;
    if erased > 0 {
        tracing::warn!(erased, "erased anew what the register of erasures names: a backup was put back, or a crash came between");
    }
    Ok(atalaya_assistance::tasks::recover(deps).await?)
}
