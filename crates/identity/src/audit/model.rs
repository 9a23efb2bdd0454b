//! The events of the activity log.

use atalaya_kernel::{CompanyId, Role, UserId};
use atalaya_rest::Caller;
use serde_json::Value;

macro_rules! actions {
    ($($name:ident = $wire:literal),+ $(,)?) => {
        /// Something done to an account. The wire name is also the key of its text, `audit.<name>`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action { $($name),+ }

        impl Action {
            pub const ALL: &[Action] = &[$(Action::$name),+];

            pub fn name(self) -> &'static str {
                match self { $(Action::$name => $wire),+ }
            }
        }
    };
}

actions! {
    LoggedIn = "LOGGED_IN",
    LoginLocked = "LOGIN_LOCKED",
    SessionEnded = "SESSION_ENDED",
    SessionsEnded = "SESSIONS_ENDED",
    Invited = "INVITED",
    InvitationRenewed = "INVITATION_RENEWED",
    InvitationRevoked = "INVITATION_REVOKED",
    UserCreated = "USER_CREATED",
    UserChanged = "USER_CHANGED",
    UserActivated = "USER_ACTIVATED",
    UserDeactivated = "USER_DEACTIVATED",
    UserNameAsked = "USER_NAME_ASKED",
    UserNameChanged = "USER_NAME_CHANGED",
    RoleChanged = "ROLE_CHANGED",
    SupportChanged = "SUPPORT_CHANGED",
    CompanyCreated = "COMPANY_CREATED",
    CompanyChanged = "COMPANY_CHANGED",
    CompanyStatusChanged = "COMPANY_STATUS_CHANGED",
    CompanyActivated = "COMPANY_ACTIVATED",
    FiscalRequested = "FISCAL_REQUESTED",
    FiscalWithdrawn = "FISCAL_WITHDRAWN",
    FiscalApproved = "FISCAL_APPROVED",
    FiscalRefused = "FISCAL_REFUSED",
    FiscalChanged = "FISCAL_CHANGED",
    IbanChanged = "IBAN_CHANGED",
    IbanProtected = "IBAN_PROTECTED",
    MandateCreated = "MANDATE_CREATED",
    MandateSigned = "MANDATE_SIGNED",
    MandateEnded = "MANDATE_ENDED",
    MandateChanged = "MANDATE_CHANGED",
    RemittanceMade = "REMITTANCE_MADE",
    RemittanceCancelled = "REMITTANCE_CANCELLED",
    BankFileRead = "BANK_FILE_READ",
    DebitSettled = "DEBIT_SETTLED",
    LegalAccepted = "LEGAL_ACCEPTED",
    LegalDeclined = "LEGAL_DECLINED",
    LegalPublished = "LEGAL_PUBLISHED",
    PricePublished = "PRICE_PUBLISHED",
    InsurersChanged = "INSURERS_CHANGED",
    ShotsChanged = "SHOTS_CHANGED",
    PasswordChanged = "PASSWORD_CHANGED",
    ResetRequested = "RESET_REQUESTED",
    PasswordReset = "PASSWORD_RESET",
    SecondFactorEnabled = "SECOND_FACTOR_ENABLED",
    SecondFactorDisabled = "SECOND_FACTOR_DISABLED",
    RecoveryCodeUsed = "RECOVERY_CODE_USED",
    RecoveryCodesRenewed = "RECOVERY_CODES_RENEWED",
    SecretShown = "SECRET_SHOWN",
    DataRead = "DATA_READ",
    KeyPrepared = "KEY_PREPARED",
    KeyRotated = "KEY_ROTATED",
    KeyResealed = "KEY_RESEALED",
    KeyForgotten = "KEY_FORGOTTEN",
    KeyStolen = "KEY_STOLEN",
    PasskeyAdded = "PASSKEY_ADDED",
    PasskeyRemoved = "PASSKEY_REMOVED",
    ApiKeyCreated = "API_KEY_CREATED",
    ApiKeyRevoked = "API_KEY_REVOKED",
    WebhookAdded = "WEBHOOK_ADDED",
    WebhookChanged = "WEBHOOK_CHANGED",
    WebhookRemoved = "WEBHOOK_REMOVED",
    CertificateVoided = "CERTIFICATE_VOIDED",
    ConferenceErased = "CONFERENCE_ERASED",
    PersonExported = "PERSON_EXPORTED",
    PersonErased = "PERSON_ERASED",
    BlockedDataRead = "BLOCKED_DATA_READ",
    BreachRecorded = "BREACH_RECORDED",
    GeneralNotificationCreated = "GENERAL_NOTIFICATION_CREATED",
    GeneralNotificationWithdrawn = "GENERAL_NOTIFICATION_WITHDRAWN",
    MessagesStopped = "MESSAGES_STOPPED",
    MessagesStarted = "MESSAGES_STARTED",
    MessagesReset = "MESSAGES_RESET",
    WhatsappChanged = "WHATSAPP_CHANGED",
    CampaignCreated = "CAMPAIGN_CREATED",
    CampaignStopped = "CAMPAIGN_STOPPED",
    VerifactuResent = "VERIFACTU_RESENT",
    InvoicesCalculated = "INVOICES_CALCULATED",
    InvoicesIssued = "INVOICES_ISSUED",
    InvoicesSent = "INVOICES_SENT",
    InvoiceRectified = "INVOICE_RECTIFIED",
    InvoiceCancelled = "INVOICE_CANCELLED",
    InvoicePaid = "INVOICE_PAID",
    InvoiceUnpaid = "INVOICE_UNPAID",
}

/// An entry to be written.
#[derive(Clone, Debug)]
pub struct Entry {
    pub action: Action,
    pub company: CompanyId,
    pub user: Option<UserId>,
    /// Who did it; `None` for a link or the system.
    pub actor: Option<(UserId, Role)>,
    /// Short facts: names of changed fields, new status. No secret, no IBAN, no whole e-mail or phone.
    pub detail: Value,
    pub address: Option<String>,
}

impl Entry {
    /// Something about a company.
    pub fn company(action: Action, company: CompanyId) -> Self {
        Self { action, company, user: None, actor: None, detail: Value::Object(Default::default()), address: None }
    }

    /// Something about a user of that company.
    pub fn user(action: Action, company: CompanyId, user: UserId) -> Self {
        Self { user: Some(user), ..Self::company(action, company) }
    }

    pub fn by(mut self, caller: &Caller) -> Self {
        self.actor = Some((caller.user, caller.role));
        self
    }

    /// Done by the account's own holder.
    pub fn by_user(mut self, user: UserId, role: Role) -> Self {
        self.actor = Some((user, role));
        self
    }

    pub fn detail(mut self, detail: Value) -> Self {
        self.detail = detail;
        self
    }

    pub fn from(mut self, address: impl ToString) -> Self {
        self.address = Some(address.to_string());
        self
    }
}
