//! The default SMS of a call's link, which says who calls (SMS-4).

use crate::sms::{Encoding, count, fold_accents};
use crate::templates::{TemplateError, Templates};
use atalaya_kernel::ClientLanguage;
use serde_json::json;

/// Characters of the text. With its link it then has one part in GSM-7, and two in Arabic, which GSM-7 cannot write.
const MAX: usize = 98;

/// Legal forms of companies, which are not needed to recognise a company.
const FORMS: &[&str] = &["sl", "slu", "sa", "sau", "slp", "sll", "scoop", "sccl", "cb", "ltd", "gmbh", "srl", "aie"];

/// The text for this adjuster and company: folded to GSM-7, and shortened where the names are too long.
///
/// Errors: [`TemplateError`] of the built-in text.
pub fn session_sms(
    templates: &Templates,
    language: ClientLanguage,
    adjuster: &str,
    company: &str,
) -> Result<String, TemplateError> {
    let render = |who: &str| templates.render(language, "session.sms", &json!({"who": who}));
    let room = MAX.saturating_sub(units(&render("")?));
    let (adjuster, company) = (plain(adjuster), plain(company));
    let first = adjuster.split(' ').next().unwrap_or_default();
    let known = without_form(&company);
    let fitting = [who(&adjuster, &company), who(&adjuster, &known), who(first, &known)];
    match fitting.iter().find(|who| units(who) <= room) {
        Some(who) => render(who),
        None => {
            let first = cut(first, room / 2);
            let beside = units(&who(&first, "")) + 3;
            render(&who(&first, &cut(&known, room.saturating_sub(if first.is_empty() { 0 } else { beside }))))
        }
    }
}

/// `Nuria Ferrer (Mutua Tramontana)`, or the one name there is.
fn who(adjuster: &str, company: &str) -> String {
    match (adjuster.is_empty(), company.is_empty()) {
        (false, false) => format!("{adjuster} ({company})"),
        (_, true) => adjuster.to_owned(),
        (true, _) => company.to_owned(),
    }
}

/// A name in characters that every phone gets in one unit each, without doubled spaces.
fn plain(name: &str) -> String {
    let kept: String = fold_accents(name)
        .chars()
        .filter(|c| {
            let cost = count(c.encode_utf8(&mut [0; 4]));
            (cost.encoding, cost.units) == (Encoding::Gsm7, 1) && !matches!(c, '<' | '>' | '\n' | '\r')
        })
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_form(company: &str) -> String {
    let Some((name, last)) = company.rsplit_once(' ') else { return company.to_owned() };
    let letters: String = last.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    match FORMS.contains(&letters.as_str()) {
        true => name.trim_end_matches([',', ' ']).to_owned(),
        false => company.to_owned(),
    }
}

/// At most `room` characters: whole words, or the beginning of the first one.
fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let short: String = name.chars().take(room + 1).collect();
    match short.rsplit_once(' ') {
        Some((words, _)) => words.trim_end_matches([',', '.', ' ']).to_owned(),
        None => short.chars().take(room).collect(),
    }
}

fn units(text: &str) -> usize {
    count(text).units
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(language: ClientLanguage, adjuster: &str, company: &str) -> String {
        session_sms(&Templates::load(), language, adjuster, company).unwrap()
    }

    // SMS-4
    #[test]
    fn it_names_adjuster_and_company() {
        assert_eq!(
            text(ClientLanguage::Es, "Nuria Ferrer", "Mutua Tramontana"),
            "Nuria Ferrer (Mutua Tramontana). Pulse el enlace para iniciar la videoasistencia:"
        );
        let folded = text(ClientLanguage::Es, "Íñigo Muñoz", "Peritación Sagrario, S.L.");
        assert!(folded.starts_with("Iñigo Muñoz (Peritacion Sagrario, S.L.). "), "{folded}");
        assert!(text(ClientLanguage::Es, "", "Mutua").starts_with("Mutua. "));
        assert!(text(ClientLanguage::Es, "Ana {x} <b> 🙂", "M\u{2122}").starts_with("Ana x b (M). "));
    }

    // SMS-4
    #[test]
    fn long_names_are_shortened_and_both_stay() {
        let long =
            text(ClientLanguage::Es, "María del Carmen Fernández-Villaverde", "Gabinete Pericial del Mediterráneo, S.L.U.");
        assert!(long.starts_with("Maria (Gabinete Pericial del Mediterraneo)"), "{long}");
        let longer = text(ClientLanguage::Fr, "Maximiliano", "Compañía Aseguradora de los Ferrocarriles y Puertos Reunidos");
        assert!(longer.starts_with("Maximiliano (Compañia "), "{longer}");
        for name in [String::new(), "X".repeat(60), "Ana de los ".repeat(9), "á€🙂 ".repeat(30)] {
            for language in ClientLanguage::ALL {
                let text = text(language, &name, &format!("{name}Z"));
                assert!(text.chars().count() <= MAX, "{text}");
            }
        }
    }

    // SMS-4
    #[test]
    fn it_fits_one_part_with_its_link_wherever_the_alphabet_allows() {
        for language in ClientLanguage::ALL {
            let text = text(language, "Montserrat Casals i Puigdomènech", "Assegurances del Pla de l'Estany, SCCL");
            let sent = count(&format!("{text} https://v.example.es/c/a1B2c3D4e5"));
            let expected = if language == ClientLanguage::Ar { (Encoding::Ucs2, 2) } else { (Encoding::Gsm7, 1) };
            assert_eq!((sent.encoding, sent.segments), expected, "{text}");
            assert!(text.contains("Montserrat"), "{text}");
        }
    }
}
