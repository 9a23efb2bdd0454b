//! The example conferences as data: who, where, and what happened. People, phones and plates are invented; the phones
//! are of the range 600 123 xxx, the addresses of the clients of RFC 5737. The media are our own drawings.

use crate::calls::Side;

/// One thing that happens in a case.
pub(super) enum Step {
    /// Seconds pass.
    Wait(i64),
    /// The client's page reports a step: its type and its data as JSON.
    Tell(&'static str, &'static str),
    /// The client accepts or declines the notice.
    Answer(bool),
    /// Adjuster and client are in the call.
    Enter,
    Say(Side, &'static str),
    /// A still of the client's camera, with its shot and its position.
    Picture(&'static [u8], Option<&'static str>, Option<(f64, f64)>),
    /// A file that the adjuster adds.
    Document(&'static [u8], &'static str),
    /// A recording of so many seconds.
    Record(&'static [u8], i64),
    /// The adjuster ends the conference.
    Close,
    /// Nobody came: the conference closes by itself.
    Lapse,
    /// The adjuster requests these items: label, shot and hint of each.
    Ask(&'static str, &'static [(&'static str, &'static str, &'static str)]),
    /// The client opens the link and sends a file for one of them.
    Send(usize, &'static [u8], &'static str),
    /// The adjuster looks at the media.
    Seen,
}

pub(super) struct Case {
    pub days_ago: i64,
    /// Hour and minute, UTC.
    pub time: (u32, u32),
    /// 1 Autos, 2 Diversos.
    pub conference_type: i16,
    pub expedient_number: &'static str,
    pub contact_person: &'static str,
    pub phone_number: &'static str,
    pub car_id: &'static str,
    pub address: &'static str,
    pub city: &'static str,
    pub region: &'static str,
    pub postal_code: &'static str,
    pub address_of_client: [u8; 4],
    pub user_agent: &'static str,
    pub steps: &'static [Step],
}

const ANDROID: &str =
    "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/18.7 Mobile/15E148 Safari/604.1";

const FRONT: &[u8] = include_bytes!("media/frontal.jpg");
const SIDE: &[u8] = include_bytes!("media/lateral.jpg");
const DOOR: &[u8] = include_bytes!("media/dano.jpg");
const DENT: &[u8] = include_bytes!("media/dano-cerca.jpg");
const PLATE: &[u8] = include_bytes!("media/matricula.jpg");
const DASHBOARD: &[u8] = include_bytes!("media/cuenta.jpg");
const CHASSIS: &[u8] = include_bytes!("media/bastidor.jpg");
const CEILING: &[u8] = include_bytes!("media/techo.jpg");
const FLOOR: &[u8] = include_bytes!("media/suelo.jpg");
const TOUR: &[u8] = include_bytes!("media/recorrido.webm");
const REPORT: &[u8] = include_bytes!("media/parte.pdf");

const SAGUNTO: Option<(f64, f64)> = Some((39.679_1, -0.278_6));
const CASTELLON: Option<(f64, f64)> = Some((39.986_4, -0.051_3));

const OPEN: Step = Step::Tell("LINK_OPENED", "{}");
const SHOWN: Step = Step::Tell("LEGAL_SHOWN", r#"{"language": "es"}"#);
const CAMERA: Step = Step::Tell("PERMISSION_GRANTED", r#"{"permission": "camera"}"#);
const MICROPHONE: Step = Step::Tell("PERMISSION_GRANTED", r#"{"permission": "microphone"}"#);
const POSITION: Step = Step::Tell("PERMISSION_GRANTED", r#"{"permission": "geolocation"}"#);
const NO_POSITION: Step = Step::Tell("PERMISSION_DENIED", r#"{"permission": "geolocation", "reason": "GEOLOCATION_DENIED"}"#);

pub(super) const CASES: [Case; 6] = [
    Case {
        days_ago: 9,
        time: (9, 14),
        conference_type: 1,
        expedient_number: "2026-117904",
        contact_person: "Julián Mora",
        phone_number: "+34600123104",
        car_id: "7730 JDC",
        address: "Avenida del Puerto, 211",
        city: "Valencia",
        region: "Valencia",
        postal_code: "46022",
        address_of_client: [192, 0, 2, 17],
        user_agent: ANDROID,
        // The link was never opened.
        steps: &[Step::Wait(24 * 3600), Step::Lapse],
    },
    Case {
        days_ago: 7,
        time: (11, 32),
        conference_type: 2,
        expedient_number: "2026-118040",
        contact_person: "Rosario Peñalver",
        phone_number: "+34600123221",
        car_id: "",
        address: "Calle de la Paz, 8, 3.º B",
        city: "Castellón de la Plana",
        region: "Castellón",
        postal_code: "12001",
        address_of_client: [198, 51, 100, 24],
        user_agent: IPHONE,
        // The client declined the notice.
        steps: &[Step::Wait(140), OPEN, Step::Wait(3), SHOWN, Step::Wait(52), Step::Answer(false), Step::Wait(300), Step::Close],
    },
    Case {
        days_ago: 6,
        time: (8, 51),
        conference_type: 1,
        expedient_number: "2026-118127",
        contact_person: "Óscar Villalba",
        phone_number: "+34600123318",
        car_id: "1904 MBF",
        address: "Calle Colón, 40",
        city: "Gandia",
        region: "Valencia",
        postal_code: "46701",
        address_of_client: [203, 0, 113, 9],
        user_agent: ANDROID,
        // The camera was refused and the call never came about.
        steps: &[
            Step::Wait(64),
            OPEN,
            Step::Wait(2),
            SHOWN,
            Step::Wait(19),
            Step::Answer(true),
            Step::Wait(11),
            Step::Tell("PERMISSION_DENIED", r#"{"permission": "camera", "reason": "CAMERA_DENIED"}"#),
            Step::Wait(6),
            Step::Tell("PERMISSION_DENIED", r#"{"permission": "microphone", "reason": "MICROPHONE_DENIED"}"#),
            Step::Wait(180),
            Step::Close,
        ],
    },
    Case {
        days_ago: 4,
        time: (15, 5),
        conference_type: 2,
        expedient_number: "2026-118266",
        contact_person: "Marisa Llopis",
        phone_number: "+34600123457",
        car_id: "",
        address: "Calle Enmedio, 77, 2.º",
        city: "Castellón de la Plana",
        region: "Castellón",
        postal_code: "12001",
        address_of_client: [198, 51, 100, 61],
        user_agent: IPHONE,
        steps: &[
            Step::Wait(38),
            OPEN,
            Step::Wait(2),
            SHOWN,
            Step::Wait(24),
            Step::Answer(true),
            Step::Wait(5),
            CAMERA,
            Step::Wait(3),
            MICROPHONE,
            Step::Wait(4),
            POSITION,
            Step::Tell("GEO_FIX", r#"{"latitude": 39.9864, "longitude": -0.0513, "accuracy": 14}"#),
            Step::Wait(2),
            Step::Enter,
            Step::Wait(75),
            Step::Picture(CEILING, Some("room"), CASTELLON),
            Step::Wait(41),
            Step::Picture(FLOOR, Some("detail"), CASTELLON),
            Step::Wait(20),
            Step::Say(Side::Staff, "Cierre la llave de paso hasta que venga el fontanero, por favor."),
            Step::Wait(18),
            Step::Say(Side::Client, "Ya está cerrada."),
            Step::Wait(49),
            Step::Close,
            Step::Wait(540),
            Step::Ask(
                "Necesitamos unas fotos más de su expediente. Pulse el enlace:",
                &[
                    ("Detalle de la mancha", "damage-near", "A un palmo, con luz"),
                    ("Habitación completa", "room", "Desde la puerta"),
                    ("Contador del agua", "meter", "Que se lean los números"),
                ],
            ),
            Step::Wait(5400),
            Step::Send(0, CEILING, "IMG_2041.jpg"),
            Step::Wait(600),
            Step::Seen,
        ],
    },
    Case {
        days_ago: 2,
        time: (10, 47),
        conference_type: 1,
        expedient_number: "2026-118351",
        contact_person: "Nerea Campos",
        phone_number: "+34600123582",
        car_id: "4821 LKM",
        address: "Carrer de Russafa, 22",
        city: "Valencia",
        region: "Valencia",
        postal_code: "46004",
        address_of_client: [203, 0, 113, 77],
        user_agent: ANDROID,
        // In the call for a moment only, nothing captured.
        steps: &[
            Step::Wait(51),
            OPEN,
            Step::Wait(2),
            SHOWN,
            Step::Wait(13),
            Step::Answer(true),
            Step::Wait(6),
            CAMERA,
            Step::Wait(2),
            MICROPHONE,
            Step::Wait(3),
            NO_POSITION,
            Step::Wait(2),
            Step::Enter,
            Step::Wait(8),
            Step::Close,
        ],
    },
    Case {
        days_ago: 1,
        time: (10, 41),
        conference_type: 1,
        expedient_number: "2026-118392",
        contact_person: "Vicente Ferrando",
        phone_number: "+34600123666",
        car_id: "4821 LKM",
        address: "Calle Mayor, 14",
        city: "Sagunto",
        region: "Valencia",
        postal_code: "46500",
        address_of_client: [192, 0, 2, 140],
        user_agent: IPHONE,
        steps: &[
            Step::Wait(33),
            OPEN,
            Step::Wait(2),
            SHOWN,
            Step::Wait(16),
            Step::Answer(true),
            Step::Wait(5),
            CAMERA,
            Step::Wait(2),
            MICROPHONE,
            Step::Wait(4),
            POSITION,
            Step::Tell("GEO_FIX", r#"{"latitude": 39.6791, "longitude": -0.2786, "accuracy": 8}"#),
            Step::Wait(2),
            Step::Enter,
            Step::Wait(36),
            Step::Picture(SIDE, None, SAGUNTO),
            Step::Wait(19),
            Step::Picture(FRONT, Some("frontRight"), SAGUNTO),
            Step::Wait(17),
            Step::Picture(PLATE, Some("plate"), SAGUNTO),
            Step::Wait(28),
            Step::Say(Side::Staff, "¿Puede enseñarme el número de bastidor? Está en el marco de la puerta."),
            Step::Wait(22),
            Step::Picture(CHASSIS, Some("vin"), SAGUNTO),
            Step::Wait(25),
            Step::Picture(DASHBOARD, Some("odometer"), SAGUNTO),
            Step::Wait(31),
            Step::Record(TOUR, 14),
            Step::Wait(21),
            Step::Picture(DOOR, Some("damageFar"), SAGUNTO),
            Step::Wait(15),
            Step::Picture(DENT, Some("damageNear"), SAGUNTO),
            Step::Wait(35),
            Step::Say(Side::Client, "¿Necesita algo más? Tengo que mover el coche."),
            Step::Wait(12),
            Step::Say(Side::Staff, "Con esto basta. Gracias, Vicente."),
            Step::Wait(9),
            Step::Close,
            Step::Wait(240),
            Step::Document(REPORT, "Parte amistoso.pdf"),
        ],
    },
];
