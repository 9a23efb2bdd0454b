//! The sidebar's entries of a user (MENU-1). Built from the table of pages, so that no entry leads to a page
//! that is not built or that would refuse him; names are keys of the language bundle.

mod state;

pub use state::MenuState;

use crate::directory::User;
use atalaya_kernel::Role;
use atalaya_kernel::access::{self, Facts, SIDEBAR_CONFIGURATION};
use serde::Serialize;

/// One entry of the menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MenuItem {
    /// Key of the text, for instance `shell.newVideocall`.
    pub name: &'static str,
    /// Address with the user's own ids in it; of an entry with a submenu, that of its first page.
    pub url: String,
    /// Name in the table of pages; the first page's when there is a submenu.
    pub page: &'static str,
    /// `badge` shows the number of pending requests beside it.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub icon: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub id_submenu: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, no_recursion)]
    pub submenu: Vec<MenuItem>,
}

/// A line of the menu as written down here.
enum Line {
    /// Page, text, icon.
    Page(&'static str, &'static str, &'static str),
    /// Id, text, icon, pages with their texts and icons.
    Group(&'static str, &'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]),
}

/// All entries, in the order shown; each user gets what the guards admit.
const LINES: &[Line] = &[
    Line::Page("newVideocall", "shell.newVideocall", "videoplus"),
    Line::Page("videocallRequest", "shell.videocallRequest", "videoplus"),
    Line::Page("activeVideocallRequest", "shell.activeVideocallRequest", "ring"),
    Line::Group(
        "conferences",
        "shell.conferences",
        "list",
        &[("conferencesAutos", "shell.autos", "car"), ("conferencesDiversos", "shell.diversos", "home")],
    ),
    Line::Page("agenda", "shell.agenda", "clock"),
    Line::Page("incidences", "shell.incidences", "chat"),
    Line::Group(
        "companies",
        "shell.companies",
        "bld",
        &[
            ("customers", "shell.customers", "bld"),
            ("repairers", "shell.repairers", "gear"),
            ("carReparations", "shell.workshops", "car"),
            ("fiscalRequests", "shell.fiscalRequests", "doc"),
        ],
    ),
    Line::Page("insuranceCompanies", "shell.insuranceCompanies", "flag"),
    Line::Page("users", "shell.users", "users"),
    Line::Page("invoices", "shell.invoices", "doc"),
    Line::Page("consumption", "shell.consumption", "euro"),
    Line::Group(
        "billing",
        "shell.billing",
        "euro",
        &[
            ("invoiceProcesses", "shell.invoiceProcesses", "doc"),
            ("remittances", "shell.remittances", "euro"),
            ("verifactu", "shell.verifactu", "seal"),
            ("prices", "shell.prices", "list"),
            ("legals", "shell.legals", "doc"),
        ],
    ),
    Line::Page("statistics", "shell.statistics", "chart"),
    Line::Page("shots", "shell.shots", "shots"),
    Line::Page("privacy", "shell.privacy", "lock"),
    Line::Page("reports", "shell.reports", "cols"),
    Line::Page("generalNotification", "shell.generalNotification", "bell"),
    Line::Page("broadcast", "shell.broadcast", "mail"),
    Line::Page("messageService", "shell.messageService", "sms"),
    Line::Page("logs", "shell.audit", "clock"),
];

/// Texts and icons of the Configuration group, whose roles are in the table of pages.
const CONFIGURATION: &[(&str, &str, &str)] = &[
    ("api", "shell.api", "code"),
    ("companyProfile", "shell.companyData", "bld"),
    ("user", "shell.profile", "user"),
    ("password", "shell.changePassword", "key"),
    ("smsConference", "shell.smsConference", "sms"),
];

/// The menu of a user.
pub fn for_user(user: &User) -> Vec<MenuItem> {
    let facts = Facts::of(user.role, user.id, user.parent, user.support);
    let item = |page, name, icon| entry(&facts, page, name, icon);
    let mut menu: Vec<MenuItem> = Vec::new();
    for line in LINES {
        match line {
            // The customer's people answer requests; everybody else's company gets none.
            Line::Page("activeVideocallRequest", name, icon) => {
                let counted = |entry| MenuItem { kind: Some("badge"), ..entry };
                menu.extend(
                    user.role.is_worker_or_customer().then(|| item("activeVideocallRequest", name, icon).map(counted)).flatten(),
                );
            }
            Line::Page("newVideocall", ..) if user.role == Role::PasswordOperator => {
                menu.extend(item("newVideocall", "shell.passwordUsers", "key"));
            }
            Line::Page(page, name, icon) => menu.extend(item(page, name, icon)),
            Line::Group(id, name, icon, pages) => {
                let submenu = pages.iter().filter_map(|(page, name, icon)| item(page, name, icon)).collect();
                menu.extend(group(id, name, icon, submenu));
            }
        }
    }
    let own = SIDEBAR_CONFIGURATION.iter().filter(|(_, sidebar, _)| sidebar.contains(&user.role));
    let texts = |page: &str| CONFIGURATION.iter().find(|(known, ..)| *known == page);
    let submenu = own.filter_map(|(page, ..)| texts(page)).filter_map(|(page, name, icon)| item(page, name, icon));
    menu.extend(group("configuration", "shell.configuration", "gear", submenu.collect()));
    menu
}

fn entry(facts: &Facts, page: &'static str, name: &'static str, icon: &'static str) -> Option<MenuItem> {
    let built = access::page(page).filter(|page| page.admits_own(facts))?;
    let url = match facts.role {
        // Company 0 means all companies, for administrators (CASE-23); the platform has no conferences of its own.
        Role::Admin
            if page.starts_with("conferences")
                || ["agenda", "statistics", "shots", "privacy", "invoices", "consumption"].contains(&page) =>
        {
            built.path.replace("{parent}", "0")
        }
        _ => built.url(facts.user, facts.company),
    };
    Some(MenuItem { name, url, page, kind: None, icon: Some(icon), id_submenu: None, submenu: vec![] })
}

fn group(id: &'static str, name: &'static str, icon: &'static str, submenu: Vec<MenuItem>) -> Option<MenuItem> {
    let (url, page) = submenu.first().map(|first| (first.url.clone(), first.page))?;
    Some(MenuItem { name, url, page, kind: None, icon: Some(icon), id_submenu: Some(id), submenu })
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_kernel::{Language, Status};
    use uuid::Uuid;

    fn user(role: Role) -> User {
        User {
            id: Uuid::from_u128(1).into(),
            role,
            status: Status::Active,
            parent: Uuid::from_u128(2).into(),
            support: false,
            name: String::new(),
            surname: String::new(),
            user_name: String::new(),
            email: None,
            phone: None,
            legal: true,
            has2fa: false,
            language: Language::Es,
        }
    }

    fn pages(role: Role) -> String {
        let one = |item: &MenuItem| match item.id_submenu {
            Some(id) => format!("{id}({})", item.submenu.iter().map(|child| child.page).collect::<Vec<_>>().join(" ")),
            None => item.page.to_owned(),
        };
        for_user(&user(role)).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    // MENU-1
    #[test]
    fn each_role_sees_the_pages_that_exist_for_it() {
        let admin = "conferences(conferencesAutos conferencesDiversos) agenda incidences companies(customers repairers carReparations fiscalRequests) insuranceCompanies users invoices consumption \
                     billing(invoiceProcesses remittances verifactu prices legals) statistics shots privacy reports generalNotification broadcast messageService logs \
                     configuration(api companyProfile password smsConference)";
        for (role, expected) in [
            (Role::Empty, ""),
            (Role::Admin, admin),
            (
                Role::Customer,
                "newVideocall activeVideocallRequest conferences(conferencesAutos conferencesDiversos) agenda incidences users invoices consumption statistics shots privacy logs \
                 configuration(api companyProfile user password smsConference)",
            ),
            (
                Role::Worker,
                "newVideocall activeVideocallRequest conferences(conferencesAutos conferencesDiversos) agenda incidences configuration(password)",
            ),
            (
                Role::Repairer,
                "videocallRequest conferences(conferencesAutos conferencesDiversos) incidences users logs configuration(user password)",
            ),
            (
                Role::RepairerOperator,
                "videocallRequest conferences(conferencesAutos conferencesDiversos) incidences configuration(password)",
            ),
            (
                Role::CarRepairShop,
                "videocallRequest conferences(conferencesAutos conferencesDiversos) incidences users logs configuration(user password)",
            ),
            (
                Role::WorkshopOperator,
                "videocallRequest conferences(conferencesAutos conferencesDiversos) incidences configuration(password)",
            ),
            (Role::PasswordOperator, "newVideocall configuration(password)"),
        ] {
            assert_eq!(pages(role), expected, "{role:?}");
        }
    }

    // MENU-2
    #[test]
    fn addresses_are_the_user_s_own_and_every_configured_page_has_a_text() {
        let menu = for_user(&user(Role::Customer));
        let configuration = menu.iter().find(|entry| entry.id_submenu == Some("configuration")).expect("a group");
        let profile = &configuration.submenu[2];
        assert_eq!(profile.url, "/user/00000000-0000-0000-0000-000000000002/00000000-0000-0000-0000-000000000001");
        for (page, ..) in SIDEBAR_CONFIGURATION {
            assert!(CONFIGURATION.iter().any(|(known, ..)| known == page), "{page}");
        }
    }
}
