//! Notifications of the demo data: general ones in each state, and something of their own for everybody.

use crate::app::App;
use anyhow::Result;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::{Role, UserId};
use atalaya_outreach::notifications::{NewGeneral, NewNotification, NoticeAction, NoticeText, RoleGroup, create_general};
use atalaya_rest::caller::Caller;
use chrono::TimeDelta;

const NEWS: &str = "<p>Estas son las novedades de la plataforma:</p><ul><li><strong>Peticiones de videollamada</strong> con \
     aviso sonoro y contador.</li><li><strong>Avisos en sus dispositivos</strong>, aunque la pestaña esté cerrada.</li>\
     <li><strong>Certificados</strong> que cualquiera puede verificar.</li></ul>";

/// A general one: text, address, html, whom for, from which day to which, counted from today.
type Example = (&'static str, Option<&'static str>, Option<&'static str>, RoleGroup, (i64, i64));

const GENERAL: [Example; 5] = [
    ("Novedades de este mes en Atalaya", None, Some(NEWS), RoleGroup::Everybody, (-2, 30)),
    (
        "Ya puede pedir una videollamada a su aseguradora",
        Some("/videocall-request"),
        None,
        RoleGroup::Role(Role::CarRepairShop),
        (-1, 30),
    ),
    ("Revise la lista de fotos que piden sus peritos", None, None, RoleGroup::Role(Role::Customer), (-5, 20)),
    ("Mantenimiento programado: el servicio se detendrá unos minutos", None, None, RoleGroup::Everybody, (3, 5)),
    ("Encuesta de satisfacción de otoño", None, None, RoleGroup::Everybody, (-40, -10)),
];

/// Writes them: general ones by this administrator, personal ones for everybody.
pub(crate) async fn seed(app: &App, admin: &Caller, origin: &Origin, people: &[UserId]) -> Result<()> {
    let d = &app.outreach;
    let now = d.sources.now();
    for (text, url, body, group, (from, to)) in GENERAL {
        let new = NewGeneral {
            text: text.into(),
            url: url.map(str::to_owned),
            body: body.map(str::to_owned),
            group,
            start_at: now + TimeDelta::days(from),
            expires_at: now + TimeDelta::days(to),
        };
        create_general(d, admin, origin, &new).await?;
    }
    let tx = d.db.write().await?;
    let mut told = d.notify(&tx, people, &NewNotification::new(NoticeText::Known("demo-welcome"), NoticeAction::Message)).await?;
    for user in people {
        let page = NoticeAction::Url(format!("/password/{user}"));
        let security = NewNotification::new(NoticeText::Known("demo-security"), page);
        told = told.and(d.notify(&tx, &[*user], &security).await?);
    }
    tx.commit().await?;
    d.announce(told);
    Ok(())
}
