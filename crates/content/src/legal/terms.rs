//! How long each class of data is kept, as a notice says it in the client's language (RETAIN-25).
//!
//! Not part of the stored text: what is configured is what is promised, whatever an administrator wrote.

use ClientLanguage::{Ar, Ca, De, En, Es, Eu, Fr, Gl, It, Pt, Ro};
use atalaya_kernel::ClientLanguage;
use atalaya_kernel::keeping::{DataClass, Terms};

fn template(language: ClientLanguage) -> &'static str {
    match language {
        Es => {
            "Los demás datos se bloquean, contando desde la videollamada: nombre, teléfono y correo a los {phone} días; matrícula, \
             {plate}; dirección, {address}; dirección de red y navegador, {ip}; ubicación, {position}; chat, {chat}; registro de lo \
             ocurrido, {events}. Bloqueados, solo pueden pedirlos las autoridades, y {blocked} días después se borran."
        }
        Ca => {
            "Les altres dades es bloquegen, comptant des de la videotrucada: nom, telèfon i correu als {phone} dies; matrícula, \
             {plate}; adreça, {address}; adreça de xarxa i navegador, {ip}; ubicació, {position}; xat, {chat}; registre del que ha \
             passat, {events}. Bloquejades, només les poden demanar les autoritats, i {blocked} dies després s’esborren."
        }
        Eu => {
            "Gainerako datuak blokeatu egiten dira, bideo-deitik zenbatuta: izena, telefonoa eta posta {phone} egunera; matrikula, \
             {plate}; helbidea, {address}; sareko helbidea eta nabigatzailea, {ip}; kokapena, {position}; txata, {chat}; gertatutakoaren \
             erregistroa, {events}. Blokeatuta daudela, agintariek soilik eska ditzakete, eta {blocked} egun geroago ezabatzen dira."
        }
        Gl => {
            "Os demais datos bloquéanse, contando desde a videochamada: nome, teléfono e correo aos {phone} días; matrícula, {plate}; \
             enderezo, {address}; enderezo de rede e navegador, {ip}; localización, {position}; chat, {chat}; rexistro do ocorrido, \
             {events}. Bloqueados, só os poden pedir as autoridades, e {blocked} días despois bórranse."
        }
        En => {
            "The other data are blocked, counted from the video call: name, phone and e-mail after {phone} days; number plate, \
             {plate}; address, {address}; network address and browser, {ip}; location, {position}; chat, {chat}; record of what \
             happened, {events}. Once blocked only authorities may ask for them, and {blocked} days later they are deleted."
        }
        Fr => {
            "Les autres données sont bloquées, à compter de l’appel vidéo : nom, téléphone et e-mail après {phone} jours ; \
             immatriculation, {plate} ; adresse, {address} ; adresse réseau et navigateur, {ip} ; position, {position} ; chat, {chat} ; \
             journal des faits, {events}. Une fois bloquées, seules les autorités peuvent les demander ; {blocked} jours plus tard \
             elles sont effacées."
        }
        Pt => {
            "Os restantes dados são bloqueados, a contar da videochamada: nome, telefone e e-mail após {phone} dias; matrícula, \
             {plate}; morada, {address}; endereço de rede e navegador, {ip}; localização, {position}; chat, {chat}; registo do \
             ocorrido, {events}. Bloqueados, só as autoridades os podem pedir, e {blocked} dias depois são apagados."
        }
        De => {
            "Die übrigen Daten werden gesperrt, gerechnet ab dem Videoanruf: Name, Telefon und E-Mail nach {phone} Tagen; \
             Kennzeichen, {plate}; Anschrift, {address}; Netzadresse und Browser, {ip}; Standort, {position}; Chat, {chat}; Protokoll \
             der Ereignisse, {events}. Gesperrte Daten können nur Behörden verlangen; {blocked} Tage später werden sie gelöscht."
        }
        It => {
            "Gli altri dati vengono bloccati, a partire dalla videochiamata: nome, telefono ed e-mail dopo {phone} giorni; targa, \
             {plate}; indirizzo, {address}; indirizzo di rete e browser, {ip}; posizione, {position}; chat, {chat}; registro degli \
             eventi, {events}. Una volta bloccati, solo le autorità possono chiederli; {blocked} giorni dopo vengono cancellati."
        }
        Ro => {
            "Celelalte date sunt blocate, socotind de la apelul video: nume, telefon și e-mail după {phone} zile; numărul de \
             înmatriculare, {plate}; adresa, {address}; adresa de rețea și browserul, {ip}; locația, {position}; chatul, {chat}; \
             registrul evenimentelor, {events}. Odată blocate, numai autoritățile le pot cere; după încă {blocked} zile sunt șterse."
        }
        Ar => {
            "تُحجب البيانات الأخرى ابتداءً من مكالمة الفيديو: الاسم والهاتف والبريد بعد {phone} يومًا؛ لوحة المركبة {plate}؛ العنوان \
             {address}؛ عنوان الشبكة والمتصفح {ip}؛ الموقع {position}؛ الدردشة {chat}؛ سجل ما حدث {events}. بعد الحجب لا يطلبها إلا \
             السلطات، وتُحذف بعد {blocked} يومًا."
        }
    }
}

/// The sentence with the configured days.
pub fn sentence(language: ClientLanguage, terms: &Terms) -> String {
    let named = template(language).replace("{blocked}", &terms.blocked_days.to_string());
    DataClass::ALL
        .into_iter()
        .fold(named, |text, class| text.replace(&format!("{{{}}}", class.name()), &terms.days(class).to_string()))
}

/// A notice with the terms at the end of its long part.
pub(super) fn with_terms(html: &str, language: ClientLanguage, terms: &Terms) -> String {
    let told = format!("<p>{}</p>\n", sentence(language, terms));
    match html.rfind("</details>") {
        Some(end) => format!("{}{told}{}", &html[..end], &html[end..]),
        None => format!("{html}{told}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // RETAIN-25
    #[test]
    fn every_language_names_every_term() {
        let terms = Terms::parse("phone=101,plate=102,address=103,ip=104,position=105,chat=106,events=107", 108).expect("good");
        for language in ClientLanguage::ALL {
            let text = sentence(language, &terms);
            assert!(!text.contains(['{', '}']), "{text}");
            for days in 101..=108 {
                assert!(text.contains(&days.to_string()), "{days} in {text}");
            }
        }
        let html = with_terms("<ul></ul>\n<details><p>a</p></details>\n", En, &terms);
        assert!(
            html.starts_with("<ul></ul>\n<details><p>a</p><p>The other data") && html.ends_with("</p>\n</details>\n"),
            "{html}"
        );
        assert!(with_terms("<p>a</p>", En, &terms).starts_with("<p>a</p><p>The other"));
    }
}
