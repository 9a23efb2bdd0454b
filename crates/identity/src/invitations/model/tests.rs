use super::*;

// INVITE-2
#[test]
fn an_address_is_an_email_or_a_phone() {
    for (raw, expected) in [
        (" Ana@Ejemplo.ES ", Ok("ana@ejemplo.es")),
        ("600 12 34 56", Ok("+34600123456")),
        ("+44 7400 123456", Ok("+447400123456")),
        ("", Err("REQUIRED")),
        ("ana@", Err("EMAIL_INVALID")),
        ("ana", Err("EMAIL_INVALID")),
        ("a@b.es\r\nBcc: c@d.es", Err("EMAIL_INVALID")),
        ("600 12", Err("PHONE_INVALID")),
        ("100000000", Err("PHONE_INVALID")),
        ("600123123600123123600", Err("PHONE_TOO_LONG")),
    ] {
        assert_eq!(parse_address(raw).as_deref().map_err(|code| *code), expected, "{raw}");
    }
}

// LINK-5
#[test]
fn every_link_has_its_page() {
    let id = CompanyId(Uuid::from_u128(7));
    let company = Some(id);
    let page = |kind, role, company| page(kind, Some(role), company, "T");
    assert_eq!(page(LinkKind::Activation, Role::Customer, None), "/customer-activation/T");
    assert_eq!(page(LinkKind::Activation, Role::WorkshopOperator, company), format!("/user-activation/7/{id}/T"));
    assert_eq!(page(LinkKind::AdminEnable, Role::Repairer, company), format!("/admin-enable/4/{id}/T"));
    assert_eq!(page(LinkKind::Reset, Role::Worker, company), "/remember-form/T");
}

fn form() -> UserForm {
    let text = |text: &str| Some(text.to_owned());
    UserForm {
        name: text("Ana"),
        surname: text("Ruiz"),
        password: text("caballo-correcto-grapa"),
        legal: true,
        ..UserForm::default()
    }
}

// INVITE-4
#[test]
fn the_invitation_s_address_is_read_only() {
    let typed = UserForm { email: Some("otra@ejemplo.es".into()), phone: Some("600111222".into()), ..form() };
    let by_email = check_user(&typed, Role::Worker, "ana@ejemplo.es").unwrap();
    assert_eq!((by_email.email.as_deref(), by_email.phone.as_deref()), (Some("ana@ejemplo.es"), Some("+34600111222")));
    let by_phone = check_user(&typed, Role::Worker, "+34600999888").unwrap();
    assert_eq!((by_phone.email.as_deref(), by_phone.phone.as_deref()), (Some("otra@ejemplo.es"), Some("+34600999888")));
}

// INVITE-5
#[test]
fn mistakes_of_a_user_are_told_together() {
    let codes = |form: &UserForm, role, address: &str| -> Vec<String> {
        let errors = check_user(form, role, address).unwrap_err();
        errors.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
    };
    assert_eq!(
        codes(&UserForm::default(), Role::RepairerOperator, "ana@ejemplo.es"),
        ["name REQUIRED", "surname REQUIRED", "phone PHONE_REQUIRED", "password REQUIRED", "legal LEGAL_REQUIRED"]
    );
    let weak = UserForm { password: Some("password".into()), ..form() };
    assert_eq!(codes(&weak, Role::Worker, "ana@ejemplo.es"), ["password PASSWORD_WEAK"]);
    let own = UserForm { password: Some("ana@ejemplo.es".into()), ..form() };
    assert_eq!(codes(&own, Role::Worker, "ana@ejemplo.es"), ["password PASSWORD_WEAK"], "one's own address is no password");
    let phone = UserForm { phone: Some("12345".into()), ..form() };
    assert_eq!(codes(&phone, Role::Worker, "ana@ejemplo.es"), ["phone PHONE_INCORRECT"]);
    let email = UserForm { email: Some("x@".into()), ..form() };
    assert_eq!(codes(&email, Role::Worker, "+34600123456"), ["email EMAIL_INVALID"]);
    for role in [Role::RepairerOperator, Role::WorkshopOperator] {
        assert!(check_user(&form(), role, "+34600123456").is_ok(), "invited by phone: the phone is there");
    }
}

// INVITE-7
#[test]
fn the_payment_starts_when_the_trial_is_over() {
    let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
    assert_eq!(pay_start(at("2026-11-20T09:00:00Z"), 30), at("2026-12-19T23:00:00Z"));
    assert_eq!(pay_start(at("2026-11-20T23:30:00Z"), 30), at("2026-12-20T23:00:00Z"), "it is the 21st in Madrid");
    assert_eq!(pay_start(at("2026-03-20T09:00:00Z"), 30), at("2026-04-18T22:00:00Z"), "the clocks went forward");
}
