//! What the tax office answers to a call (RespuestaSuministro.xsd, or a SOAP fault).

use crate::tree::{Element, TreeError, parse};

/// What became of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    Accepted,
    AcceptedWithErrors,
    Rejected,
}

/// The answer about one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerLine {
    pub issuer: String,
    pub number: String,
    /// `dd-mm-yyyy`.
    pub issue_date: String,
    pub annulment: bool,
    pub state: LineState,
    pub code: Option<String>,
    pub description: Option<String>,
    /// It was rejected because the tax office had it already, in this state.
    pub duplicate_of: Option<LineState>,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Secure verification code; absent when everything was rejected.
    pub csv: Option<String>,
    /// Seconds to wait before the next call.
    pub wait_s: i64,
    pub lines: Vec<AnswerLine>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error(transparent)]
    Unreadable(#[from] TreeError),
    /// The whole call was refused.
    #[error("refused: {0}")]
    Fault(String),
    #[error("not an answer: {0}")]
    Strange(&'static str),
}

/// Waiting times beyond a day are a mistake.
const LONGEST_WAIT_S: i64 = 86_400;

/// Reads an answer.
///
/// Errors: [`AnswerError`].
pub fn read_answer(xml: &str) -> Result<Answer, AnswerError> {
    let tree = parse(xml)?;
    if let Some(fault) = tree.find("Fault") {
        let text = [fault.text_at(&["faultcode"]), fault.text_at(&["faultstring"])].join(" ");
        return Err(AnswerError::Fault(text.trim().chars().take(500).collect()));
    }
    let answer = tree.find("RespuestaRegFactuSistemaFacturacion").ok_or(AnswerError::Strange("no answer in it"))?;
    let wait = answer.text_at(&["TiempoEsperaEnvio"]).parse().map_err(|_| AnswerError::Strange("no waiting time"))?;
    // One line that makes no sense takes none of the others with it; its record is asked about again.
    let lines = answer.children.iter().filter(|child| child.name == "RespuestaLinea").filter_map(line).collect();
    Ok(Answer { csv: some(answer.text_at(&["CSV"])), wait_s: i64::clamp(wait, 0, LONGEST_WAIT_S), lines })
}

/// What one line says; `None` of a state that we do not know.
fn line(line: &Element) -> Option<AnswerLine> {
    let state = match line.text_at(&["EstadoRegistro"]) {
        "Correcto" => LineState::Accepted,
        "AceptadoConErrores" => LineState::AcceptedWithErrors,
        "Incorrecto" => LineState::Rejected,
        _ => return None,
    };
    let duplicate_of = match line.text_at(&["RegistroDuplicado", "EstadoRegistroDuplicado"]) {
        "Correcta" => Some(LineState::Accepted),
        "AceptadaConErrores" => Some(LineState::AcceptedWithErrors),
        _ => None,
    };
    Some(AnswerLine {
        issuer: line.text_at(&["IDFactura", "IDEmisorFactura"]).to_owned(),
        number: line.text_at(&["IDFactura", "NumSerieFactura"]).to_owned(),
        issue_date: line.text_at(&["IDFactura", "FechaExpedicionFactura"]).to_owned(),
        annulment: line.text_at(&["Operacion", "TipoOperacion"]) == "Anulacion",
        state,
        code: some(line.text_at(&["CodigoErrorRegistro"])),
        description: some(line.text_at(&["DescripcionErrorRegistro"])),
        duplicate_of,
    })
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.chars().take(1500).collect())
}
