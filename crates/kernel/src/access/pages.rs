//! The pages that exist, their addresses and guards; the home of each role.

use super::{Facts, Guard, admits};
use crate::role::Role::{
    self, Admin, CarRepairShop, Customer, PasswordOperator, Repairer, RepairerOperator, Worker, WorkshopOperator,
};
use crate::{CompanyId, UserId};

/// A page of the staff app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub name: &'static str,
    /// Address with `{parent}` for a company, `{id}` for a user; other parameters belong to the page.
    pub path: &'static str,
    pub guard: Guard,
}

const ADMIN: Guard = Guard::Roles(&[Admin]);
const CONFERENCE_SIDE: Guard = Guard::Roles(&[Admin, Customer, Worker]);
/// The conference side, and those who see the conferences that their requests became.
const CONFERENCE_READERS: Guard =
    Guard::Roles(&[Admin, Customer, Worker, Repairer, RepairerOperator, CarRepairShop, WorkshopOperator]);
/// Administrators (for every company: 0) and the principals of customers, whose people call.
const CALLING_COMPANY: Guard = Guard::Roles(&[Admin, Customer]);
/// Administrators and the principals of companies.
const ADMIN_AND_PRINCIPALS: Guard = Guard::Roles(&[Admin, Customer, Repairer, CarRepairShop]);
/// Workshops, repairers and their operators.
const REPAIR_SIDE: Guard = Guard::Roles(&[Repairer, RepairerOperator, CarRepairShop, WorkshopOperator]);
const EVERYBODY: &[Role] =
    &[Admin, Customer, Worker, Repairer, RepairerOperator, CarRepairShop, WorkshopOperator, PasswordOperator];

const fn of(name: &'static str, path: &'static str, guard: Guard) -> Page {
    Page { name, path, guard }
}

/// `/vp-form` admits everybody of its roles: a company that may not call is informed there ([`Guard::VideoCall`]), because
/// it is the home that a redirect would lead to. Role 8 sees its own screen on it.
const PAGES: &[Page] = &[
    of("login", "/login", Guard::Public),
    of("remember", "/remember", Guard::Public),
    of("rememberForm", "/remember-form/{token}", Guard::Public),
    of("userActivation", "/user-activation/{role}/{customer}/{token}", Guard::Public),
    of("customerActivation", "/customer-activation/{token}", Guard::Public),
    of("adminEnable", "/admin-enable/{type}/{customer}/{token}", Guard::Public),
    of("userName", "/user-name/{token}", Guard::Public),
    of("verifyStart", "/verificar", Guard::Public),
    of("evidenceRoots", "/verificar/raices", Guard::Public),
    of("verify", "/verificar/{code}", Guard::Public),
    of("cookies", "/cookies", Guard::Public),
    of("marketing", "/marketing/{token}", Guard::Public),
    of("newVideocall", "/vp-form", Guard::Roles(&[Customer, Worker, PasswordOperator])),
    of("conference", "/conference/{conferenceId}", CONFERENCE_SIDE),
    of("conferenceMedia", "/conference-media/{conferenceId}", CONFERENCE_READERS),
    of("conferencesAutos", "/conferences-autos/{parent}", CONFERENCE_READERS),
    of("conferencesDiversos", "/conferences-div/{parent}", CONFERENCE_READERS),
    of("agenda", "/agenda/{parent}", CONFERENCE_SIDE),
    of("expedient", "/expedient/{expedientNumber}", CONFERENCE_SIDE),
    of("incidences", "/incidences/{id}", CONFERENCE_READERS),
    of("statistics", "/statistics/{parent}", CALLING_COMPANY),
    of("shots", "/shots/{parent}", CALLING_COMPANY),
    of("privacy", "/privacy/{parent}", CALLING_COMPANY),
    of("reports", "/conference-reports", ADMIN),
    of("videocallRequest", "/videocall-request", REPAIR_SIDE),
    of("activeVideocallRequest", "/active-videocall-request/{parent}", Guard::MemberOf),
    of("invoices", "/invoices/{parent}", CALLING_COMPANY),
    of("consumption", "/consumption/{parent}", CALLING_COMPANY),
    of("invoiceProcesses", "/invoice-processes", ADMIN),
    of("remittances", "/remittances", ADMIN),
    of("verifactu", "/verifactu", ADMIN),
    of("declaration", "/declaracion-responsable", Guard::Roles(EVERYBODY)),
    of("prices", "/prices", ADMIN),
    of("legals", "/legals", ADMIN),
    of("generalNotification", "/general-notification", ADMIN),
    of("broadcast", "/broadcast", ADMIN),
    of("messageService", "/message-service", ADMIN),
    of("setup", "/setup", ADMIN),
    of("customers", "/customers", ADMIN),
    of("repairers", "/repairers", ADMIN),
    of("carReparations", "/car-reparations", ADMIN),
    of("insuranceCompanies", "/insurance-companies", ADMIN),
    of("users", "/users/{parent}", Guard::PeopleOf),
    of("user", "/user/{parent}/{id}", Guard::OwnId),
    of("companyProfile", "/customer/{parent}/perfil", Guard::PrincipalOf),
    of("fiscalIdentity", "/customer/{parent}/fiscal", Guard::PrincipalOf),
    of("fiscalRequests", "/fiscal-requests", ADMIN),
    of("fiscalRequest", "/fiscal-requests/{requestId}", ADMIN),
    of("password", "/password/{id}", Guard::OwnIdOnly),
    of("api", "/api", Guard::Roles(&[Admin, Customer])),
    of("smsConference", "/sms-client-conference/{id}", CALLING_COMPANY),
    of("logs", "/logs", ADMIN_AND_PRINCIPALS),
];

/// The Configuration group: page, roles in the sidebar, roles in the header's dropdown. The
/// sidebar's profile is for even roles, everybody else finds it in the dropdown.
pub const SIDEBAR_CONFIGURATION: &[(&str, &[Role], &[Role])] = &[
    ("api", &[Admin, Customer], &[Customer]),
    ("companyProfile", &[Admin, Customer], &[Customer, Repairer, CarRepairShop]),
    ("user", &[Customer, Repairer, CarRepairShop], EVERYBODY),
    ("password", EVERYBODY, EVERYBODY),
    ("smsConference", &[Admin, Customer], &[]),
];

/// The address to which other systems send people to open a call. It redirects to `newVideocall`.
pub const CALL_LINK: &str = "/llamar";

/// All pages, in the table's order.
pub fn pages() -> &'static [Page] {
    PAGES
}

/// A page by its name; `None` when no such page is built.
pub fn page(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.name == name)
}

/// Name of the page on which a role starts.
pub const fn home(role: Role) -> &'static str {
    match role {
        Admin => "customers",
        Customer | CarRepairShop | Repairer => "users",
        RepairerOperator | WorkshopOperator => "videocallRequest",
        Worker | PasswordOperator | Role::Empty => "newVideocall",
    }
}

impl Page {
    /// The page's address with the ids of the one who follows it.
    pub fn url(&self, user: UserId, company: CompanyId) -> String {
        self.path.replace("{parent}", &company.to_string()).replace("{id}", &user.to_string())
    }

    /// Whether a user may open this page for their own account and company. The menu is made of these pages.
    pub fn admits_own(&self, facts: &Facts) -> bool {
        admits(self.guard, &facts.about_company(facts.company).about_user(facts.user))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    fn facts(role: Role) -> Facts {
        Facts::of(role, Uuid::from_u128(1).into(), Uuid::from_u128(10).into(), false)
    }

    // ACCESS-4
    #[test]
    fn homes_are_the_specification_s_and_admit_their_roles() {
        let homes = [
            (1, "/customers"),
            (2, "/users/{parent}"),
            (3, "/vp-form"),
            (4, "/users/{parent}"),
            (5, "/videocall-request"),
            (6, "/users/{parent}"),
            (7, "/videocall-request"),
            (8, "/vp-form"),
        ];
        for (number, path) in homes {
            let role = Role::try_from(number).unwrap();
            let page = page(home(role)).expect("a home is built");
            assert_eq!(page.path, path, "{role:?}");
            assert!(page.admits_own(&facts(role)), "{role:?} would be redirected for ever");
        }
    }

    #[test]
    fn pages_are_listed_once_and_the_configuration_leads_to_admitting_pages() {
        let names: BTreeSet<_> = PAGES.iter().map(|page| page.name).collect();
        let paths: BTreeSet<_> = PAGES.iter().map(|page| page.path).collect();
        assert_eq!((names.len(), paths.len()), (PAGES.len(), PAGES.len()));
        for (name, sidebar, dropdown) in SIDEBAR_CONFIGURATION {
            let page = page(name).expect("built");
            for role in sidebar.iter().chain(*dropdown) {
                assert!(page.admits_own(&facts(*role)), "{name} for {role:?}");
            }
        }
    }

    #[test]
    fn addresses_carry_the_caller_s_ids() {
        let url = |name| page(name).unwrap().url(Uuid::from_u128(1).into(), Uuid::from_u128(16).into());
        assert_eq!(url("user"), "/user/00000000-0000-0000-0000-000000000010/00000000-0000-0000-0000-000000000001");
        assert_eq!(url("customers"), "/customers");
    }
}
