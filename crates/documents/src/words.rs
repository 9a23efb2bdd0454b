//! Words of invoices. They are Spanish documents: other languages show the Spanish tax terms beside their own.

use atalaya_content::languages::text;
use atalaya_kernel::Language;

pub(super) struct Words {
    pub invoice: &'static str,
    pub rectifying: &'static str,
    pub issue_date: &'static str,
    pub operation_date: &'static str,
    pub period: &'static str,
    pub due_date: &'static str,
    pub issuer: &'static str,
    pub recipient: &'static str,
    pub nif: &'static str,
    /// Over text, quantity, unit price, amount.
    pub columns: [&'static str; 4],
    pub connection: [&'static str; 2],
    pub other: [&'static str; 2],
    pub exceeded: [&'static str; 2],
    pub guest: [&'static str; 2],
    /// With `{percent}`.
    pub discount: [&'static str; 2],
    /// With `{minimum}`; and, prorated, with `{days}` and `{all}`.
    pub minimum: [&'static str; 3],
    pub base: &'static str,
    /// With `{rate}`.
    pub vat: &'static str,
    pub total: &'static str,
    /// With `{rate}`: the tax of the Canaries.
    pub igic: &'static str,
    /// What a taxpayer outside Spain is identified by: a VAT number of the Union, or another one.
    pub vat_number: &'static str,
    pub tax_id: &'static str,
    pub outside: &'static str,
    pub reverse_union: &'static str,
    pub outside_igic: &'static str,
    pub reverse_union_igic: &'static str,
    pub reverse_peninsula: &'static str,
    /// With `{number}`, `{date}`, `{reason}`.
    pub rectifies: &'static str,
    pub payment: &'static str,
    pub means: &'static str,
    pub debit: &'static str,
    pub transfer: &'static str,
    pub account: &'static str,
    pub mandate: &'static str,
    pub creditor: &'static str,
    /// With `{date}`.
    pub debit_note: &'static str,
    /// With `{date}` and `{number}`.
    pub transfer_note: &'static str,
    pub credit_note: &'static str,
    pub page: &'static str,
    pub detail: &'static str,
    /// With `{period}` and `{n}`.
    pub detail_note: &'static str,
    /// Date, case, user, duration, minutes, exceeded, guests, price, amount.
    pub detail_columns: [&'static str; 9],
}

pub(super) fn words(language: Language) -> Words {
    let t = |key| text(language, "documents", key);
    Words {
        invoice: t("invoice_invoice"),
        rectifying: t("invoice_rectifying"),
        issue_date: t("invoice_issue_date"),
        operation_date: t("invoice_operation_date"),
        period: t("invoice_period"),
        due_date: t("invoice_due_date"),
        issuer: t("invoice_issuer"),
        recipient: t("invoice_recipient"),
        nif: t("invoice_nif"),
        columns: [t("invoice_columns_1"), t("invoice_columns_2"), t("invoice_columns_3"), t("invoice_columns_4")],
        connection: [t("invoice_connection_1"), t("invoice_connection_2")],
        other: [t("invoice_other_1"), t("invoice_other_2")],
        exceeded: [t("invoice_exceeded_1"), t("invoice_exceeded_2")],
        guest: [t("invoice_guest_1"), t("invoice_guest_2")],
        discount: [t("invoice_discount_1"), t("invoice_discount_2")],
        minimum: [t("invoice_minimum_1"), t("invoice_minimum_2"), t("invoice_minimum_3")],
        base: t("invoice_base"),
        vat: t("invoice_vat"),
        total: t("invoice_total"),
        igic: t("invoice_igic"),
        vat_number: t("invoice_vat_number"),
        tax_id: t("invoice_tax_id"),
        outside: t("invoice_outside"),
        reverse_union: t("invoice_reverse_union"),
        outside_igic: t("invoice_outside_igic"),
        reverse_union_igic: t("invoice_reverse_union_igic"),
        reverse_peninsula: t("invoice_reverse_peninsula"),
        rectifies: t("invoice_rectifies"),
        payment: t("invoice_payment"),
        means: t("invoice_means"),
        debit: t("invoice_debit"),
        transfer: t("invoice_transfer"),
        account: t("invoice_account"),
        mandate: t("invoice_mandate"),
        creditor: t("invoice_creditor"),
        debit_note: t("invoice_debit_note"),
        transfer_note: t("invoice_transfer_note"),
        credit_note: t("invoice_credit_note"),
        page: t("invoice_page"),
        detail: t("invoice_detail"),
        detail_note: t("invoice_detail_note"),
        detail_columns: [
            t("invoice_detail_columns_1"),
            t("invoice_detail_columns_2"),
            t("invoice_detail_columns_3"),
            t("invoice_detail_columns_4"),
            t("invoice_detail_columns_5"),
            t("invoice_detail_columns_6"),
            t("invoice_detail_columns_7"),
            t("invoice_detail_columns_8"),
            t("invoice_detail_columns_9"),
        ],
    }
}
