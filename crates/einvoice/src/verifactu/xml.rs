//! Records as XML, in the order of SuministroInformacion.xsd; the call that carries them.

use super::record::{
    Body, Breakdown, Correction, Elsewhere, InvoiceId, Person, Previous, Record, Registration, System, Tax, day, moment,
};
use crate::tree::parse;
use crate::write::{Xml, clean};
use atalaya_tariff::Percent;

const LR: &str =
    "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroLR.xsd";
const INFORMATION: &str = "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd";
const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";

/// Names at most.
const NAME_MAX: usize = 120;
const DESCRIPTION_MAX: usize = 500;
/// Of an inspection's request.
const REFERENCE_MAX: usize = 18;

/// What a record says in words of its own: whom it names, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    pub recipient_name: String,
    pub description: String,
}

/// The words of a registration that was written; `None` for an annulment, or what is no record.
pub fn words(xml: &str) -> Option<Words> {
    let tree = parse(xml).ok()?;
    let record = tree.find("RegistroAlta")?;
    Some(Words {
        recipient_name: record.at(&["Destinatarios", "IDDestinatario", "NombreRazon"])?.text.clone(),
        description: record.at(&["DescripcionOperacion"])?.text.clone(),
    })
}

/// An inspection's request for records (art. 8.1.f of the regulation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inquiry<'a> {
    /// Its reference, as the tax office wrote it, 18 characters at most.
    pub reference: &'a str,
    /// Nothing follows.
    pub last: bool,
}

/// A call with records.
#[derive(Clone, Debug)]
pub struct Remittance<'a> {
    pub issuer: &'a Person,
    /// Something kept these records from being sent when they were made.
    pub incident: bool,
    /// Somebody asked for them.
    pub inquiry: Option<Inquiry<'a>>,
    /// Of [`fragment`], in the order of the chain, 1 to 1,000.
    pub fragments: &'a [String],
}

/// One record: `sum1:RegistroAlta` or `sum1:RegistroAnulacion`, to be put into a call.
pub fn fragment(record: &Record) -> String {
    let mut xml = Xml::default();
    match &record.body {
        Body::Registration(one) => xml.inside("sum1:RegistroAlta", |xml| {
            registration(xml, one);
            ending(xml, record);
        }),
        Body::Annulment(one) => xml.inside("sum1:RegistroAnulacion", |xml| {
            xml.text("sum1:IDVersion", "1.0");
            xml.inside("sum1:IDFactura", |xml| invoice_id(xml, &one.id, "Anulada"));
            if one.without_record {
                xml.text("sum1:SinRegistroPrevio", "S");
            }
            if one.rejected_before {
                xml.text("sum1:RechazoPrevio", "S");
            }
            ending(xml, record);
        }),
    }
    xml.finish()
}

/// The records of a call as a document of their own.
pub fn document(remittance: &Remittance<'_>) -> String {
    let mut xml = Xml::with_declaration();
    body(&mut xml, remittance);
    xml.finish()
}

/// The call itself, in its SOAP envelope.
pub fn soap(remittance: &Remittance<'_>) -> String {
    let mut xml = Xml::with_declaration();
    xml.element("soapenv:Envelope", &[("xmlns:soapenv", SOAP)], |xml| {
        xml.inside("soapenv:Header", |_| ());
        xml.inside("soapenv:Body", |xml| body(xml, remittance));
    });
    xml.finish()
}

fn body(xml: &mut Xml, remittance: &Remittance<'_>) {
    let names = [("xmlns:sum", LR), ("xmlns:sum1", INFORMATION)];
    xml.element("sum:RegFactuSistemaFacturacion", &names, |xml| {
        xml.inside("sum:Cabecera", |xml| {
            xml.inside("sum1:ObligadoEmision", |xml| person(xml, remittance.issuer));
            if remittance.incident {
                xml.inside("sum1:RemisionVoluntaria", |xml| xml.text("sum1:Incidencia", "S"));
            }
            if let Some(inquiry) = &remittance.inquiry {
                xml.inside("sum1:RemisionRequerimiento", |xml| {
                    xml.text("sum1:RefRequerimiento", &clean(inquiry.reference, REFERENCE_MAX));
                    xml.text("sum1:FinRequerimiento", if inquiry.last { "S" } else { "N" });
                });
            }
        });
        for fragment in remittance.fragments {
            xml.inside("sum:RegistroFactura", |xml| xml.raw(fragment));
        }
    });
}

fn registration(xml: &mut Xml, one: &Registration) {
    xml.text("sum1:IDVersion", "1.0");
    xml.inside("sum1:IDFactura", |xml| invoice_id(xml, &one.id, ""));
    xml.text("sum1:NombreRazonEmisor", &clean(&one.issuer_name, NAME_MAX));
    if one.correction != Correction::None {
        xml.text("sum1:Subsanacion", "S");
    }
    match one.correction {
        Correction::None | Correction::Accepted => {}
        Correction::Refused => xml.text("sum1:RechazoPrevio", "S"),
        Correction::Unknown => xml.text("sum1:RechazoPrevio", "X"),
    }
    xml.text("sum1:TipoFactura", one.kind.code());
    if !one.rectifies.is_empty() {
        xml.text("sum1:TipoRectificativa", "I");
        xml.inside("sum1:FacturasRectificadas", |xml| {
            for id in &one.rectifies {
                xml.inside("sum1:IDFacturaRectificada", |xml| invoice_id(xml, id, ""));
            }
        });
    }
    xml.maybe("sum1:FechaOperacion", one.operation_date.map(day).as_deref());
    xml.text("sum1:DescripcionOperacion", &clean(&one.description, DESCRIPTION_MAX));
    xml.inside("sum1:Destinatarios", |xml| xml.inside("sum1:IDDestinatario", |xml| recipient(xml, one)));
    xml.inside("sum1:Desglose", |xml| one.breakdown.iter().for_each(|part| breakdown(xml, one.tax, part)));
    xml.text("sum1:CuotaTotal", &one.vat.to_string());
    xml.text("sum1:ImporteTotal", &one.total.to_string());
}

fn breakdown(xml: &mut Xml, tax: Tax, part: &Breakdown) {
    let subject = part.rate != Percent(0);
    xml.inside("sum1:DetalleDesglose", |xml| {
        xml.text("sum1:Impuesto", if tax == Tax::Igic { "03" } else { "01" });
        xml.text("sum1:ClaveRegimen", part.regime.code());
        xml.text("sum1:CalificacionOperacion", if subject { "S1" } else { "N2" });
        if subject {
            xml.text("sum1:TipoImpositivo", &rate(part.rate));
        }
        xml.text("sum1:BaseImponibleOimporteNoSujeto", &part.base.to_string());
        if subject {
            xml.text("sum1:CuotaRepercutida", &part.vat.to_string());
        }
    });
}

/// `21`, or `10.50`.
fn rate(percent: Percent) -> String {
    match percent.0 % 100 {
        0 => (percent.0 / 100).to_string(),
        part => format!("{}.{part:02}", percent.0 / 100),
    }
}

fn ending(xml: &mut Xml, record: &Record) {
    xml.inside("sum1:Encadenamiento", |xml| match &record.previous {
        None => xml.text("sum1:PrimerRegistro", "S"),
        Some(Previous { id, hash }) => xml.inside("sum1:RegistroAnterior", |xml| {
            invoice_id(xml, id, "");
            xml.text("sum1:Huella", hash);
        }),
    });
    system(xml, &record.system);
    xml.text("sum1:FechaHoraHusoGenRegistro", &moment(record.at));
    xml.text("sum1:TipoHuella", "01");
    xml.text("sum1:Huella", &record.hash());
}

fn system(xml: &mut Xml, system: &System) {
    xml.inside("sum1:SistemaInformatico", |xml| {
        person(xml, &system.producer);
        xml.text("sum1:NombreSistemaInformatico", &clean(&system.name, 30));
        xml.text("sum1:IdSistemaInformatico", &clean(&system.id, 2));
        xml.text("sum1:Version", &clean(&system.version, 50));
        xml.text("sum1:NumeroInstalacion", &clean(&system.installation, 100));
        xml.text("sum1:TipoUsoPosibleSoloVerifactu", "S");
        xml.text("sum1:TipoUsoPosibleMultiOT", "N");
        xml.text("sum1:IndicadorMultiplesOT", "N");
    });
}

fn recipient(xml: &mut Xml, one: &Registration) {
    let Some(Elsewhere { country, id, is_vat_number }) = &one.elsewhere else { return person(xml, &one.recipient) };
    xml.text("sum1:NombreRazon", &clean(&one.recipient.name, NAME_MAX));
    xml.inside("sum1:IDOtro", |xml| {
        // A VAT number begins with its country's prefix, and that of Greece is not its code.
        if !is_vat_number {
            xml.text("sum1:CodigoPais", country);
        }
        xml.text("sum1:IDType", if *is_vat_number { "02" } else { "04" });
        xml.text("sum1:ID", &clean(id, 20));
    });
}

fn person(xml: &mut Xml, person: &Person) {
    xml.text("sum1:NombreRazon", &clean(&person.name, NAME_MAX));
    xml.text("sum1:NIF", &person.nif);
}

fn invoice_id(xml: &mut Xml, id: &InvoiceId, ending: &str) {
    xml.text(&format!("sum1:IDEmisorFactura{ending}"), &id.issuer);
    xml.text(&format!("sum1:NumSerieFactura{ending}"), &id.number);
    xml.text(&format!("sum1:FechaExpedicionFactura{ending}"), &day(id.issue_date));
}
