//! The result in words, for somebody who reads no protocols. `scripts/verify.py` says the same.

use super::{Report, Verdict};

/// The result in Spanish and in English.
pub fn words(report: &Report) -> [String; 2] {
    let [es, en] = match report.verdict() {
        Verdict::Consistent if report.is_partly_anchored() => [
            "respaldado solo en parte. Lo que usted ha indicado respalda el caso hasta su sello (líneas ANCHOR), pero después hay \
             sucesos que nada respalda y que cualquiera pudo añadir. Descargue el archivo de nuevo, para que el sello los incluya.",
            "vouched for in part only. What you named vouches for the case up to its seal (lines ANCHOR), but events follow that \
             nothing vouches for and that anybody may have added. Download the archive anew, so that its seal covers them.",
        ],
        Verdict::Wrong => [
            "no coincide. Al menos una comprobación ha fallado (líneas WRONG o UNCOVERED). No lo use como prueba sin aclararlo.",
            "it does not fit. At least one check failed (lines WRONG or UNCOVERED). Do not use it as evidence before that is explained.",
        ],
        Verdict::Consistent => [
            "coherente, pero sin respaldo. Todo coincide entre sí, pero nada de lo que usted ha indicado lo respalda: quien \
             rehiciera el archivo entero obtendría este mismo resultado. Indique la clave de la instalación (--key), la autoridad \
             del sello de tiempo (--trust) o la página pública (--online).",
            "consistent, but nothing vouches for it. Everything fits together, but nothing that you named vouches for it: whoever \
             made the whole archive anew would get this same result. Name the installation's key (--key), the time stamp \
             authority (--trust) or the public page (--online).",
        ],
        Verdict::Anchored => [
            "íntegro y respaldado. Archivos, sucesos y sello coinciden, y lo respalda lo que usted ha indicado (líneas ANCHOR). Un \
             sello de tiempo demuestra que el contenido ya existía en esa fecha; una clave o una página, que procede de esa \
             instalación.",
            "whole, and vouched for. Files, events and seal fit, and what you named vouches for it (lines ANCHOR). A time stamp \
             shows that the content existed by then; a key or a page shows that it comes from that installation.",
        ],
    };
    [format!("Resultado: {es}"), format!("Result: {en}")]
}
