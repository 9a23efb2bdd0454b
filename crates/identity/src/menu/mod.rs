//! The sidebar's entries by role. Only pages that exist are listed (DESIGN §10); names are keys of the language bundle.

use atalaya_kernel::Role;
use serde::Serialize;

/// One entry of the menu (SPEC §3 Menu item).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MenuItem {
    /// Key of the text, for instance `shell.newVideocall`.
    pub name: &'static str,
    pub url: &'static str,
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

/// Who sees what, in the order shown.
const ENTRIES: &[(&str, &str, &str, &[Role])] = &[
    ("shell.newVideocall", "/vp-form", "video", &[Role::Customer, Role::Worker]),
    ("shell.messageService", "/message-service", "message", &[Role::Admin]),
];

/// The menu of a role.
pub fn for_role(role: Role) -> Vec<MenuItem> {
    ENTRIES
        .iter()
        .filter(|(.., roles)| roles.contains(&role))
        .map(|(name, url, icon, _)| MenuItem { name, url, kind: None, icon: Some(icon), id_submenu: None, submenu: vec![] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_sees_the_pages_that_exist_for_it() {
        let urls = |role| for_role(role).into_iter().map(|item| item.url).collect::<Vec<_>>();
        assert_eq!(urls(Role::Admin), ["/message-service"]);
        assert_eq!(urls(Role::Customer), ["/vp-form"]);
        assert_eq!(urls(Role::Worker), ["/vp-form"]);
        for role in [Role::Empty, Role::Repairer, Role::RepairerOperator, Role::CarRepairShop, Role::WorkshopOperator] {
            assert!(urls(role).is_empty(), "{role:?}");
        }
    }
}
