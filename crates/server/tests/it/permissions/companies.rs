//! Companies, insurance companies, exports.

use super::table::Access::{Admin, AdminOrRepairSide, Principal, Session};
use super::table::{Row, answering, hiding, row};
use super::world::Needs::{Nothing, Repairer, Workshop};
use super::world::{Ask, World};
use serde_json::json;

/// No insurance company is there: that is what those who may are told.
const NO_INSURER: &[(u16, &str)] = &[(404, "INSURANCE_NOT_FOUND")];
const NOBODY: &str = "018f3b2a-0000-7000-8000-00000000dead";

/// A change of the owner's company under this noun.
fn change(w: &World, path: &str, noun: &str) -> Ask {
    Ask::put(path, json!({noun: {"_id": w.owner.company, "name": "Otra persona"}}))
}

/// A call about the owner's company.
fn about(w: &World, call: &str) -> Ask {
    Ask::get(format!("/api/v1/{call}/{}", w.owner.company))
}

const fn company(row: Row) -> Row {
    hiding(row, "COMPANY_NOT_FOUND")
}

pub const ROWS: &[Row] = &[
    // "/customers, /repairers, /car-reparations, /insurance-companies (administrator)"
    row("GET /api/v1/customers", Admin, Nothing, |_| Ask::get("/api/v1/customers")),
    row("GET /api/v1/repairers", Admin, Nothing, |_| Ask::get("/api/v1/repairers")),
    row("GET /api/v1/carReparations", Admin, Nothing, |_| Ask::get("/api/v1/carReparations")),
    row("GET /api/v1/active-customers", Admin, Nothing, |_| Ask::get("/api/v1/active-customers")),
    row("GET /api/v1/companyTypes", Admin, Nothing, |_| Ask::get("/api/v1/companyTypes")),
    // "admin or any even role whose parent equals the route id"
    company(row("GET /api/v1/customer/{id}", Principal, Nothing, |w| about(w, "customer"))),
    company(row("GET /api/v1/repairer/{id}", Principal, Repairer, |w| about(w, "repairer"))),
    company(row("GET /api/v1/carReparation/{id}", Principal, Workshop, |w| about(w, "carReparation"))),
    company(row("PUT /api/v1/customer", Principal, Nothing, |w| change(w, "/api/v1/customer", "customer"))),
    company(row("PUT /api/v1/repairer", Principal, Repairer, |w| change(w, "/api/v1/repairer", "repairer"))),
    company(row("PUT /api/v1/carReparation", Principal, Workshop, |w| change(w, "/api/v1/carReparation", "carReparation"))),
    hiding(
        row("GET /api/v1/customer-by-user/{id}", Principal, Nothing, |w| {
            Ask::get(format!("/api/v1/customer-by-user/{}", w.owner.id))
        }),
        "USER_NOT_FOUND",
    ),
    // Everybody, "unless own or administrator" a summary
    row("GET /api/v1/get-parent/{id}", Session, Nothing, |w| about(w, "get-parent")),
    // "kept by the administrator"; the operators choose among them
    row("GET /api/v1/insuranceCompanies", Session, Nothing, |_| Ask::get("/api/v1/insuranceCompanies")),
    answering(
        row("POST /api/v1/insuranceCompanies", Admin, Nothing, |_| {
            Ask::post("/api/v1/insuranceCompanies", json!({"insuranceCompany": {"name": "Mutua del Ebro"}}))
        }),
        &[(200, ""), (409, "INSURANCE_NAME_TAKEN")],
    ),
    answering(
        row("PUT /api/v1/insuranceCompanies", Admin, Nothing, |_| {
            Ask::put("/api/v1/insuranceCompanies", json!({"insuranceCompany": {"_id": NOBODY, "name": "Otra"}}))
        }),
        NO_INSURER,
    ),
    answering(
        row("GET /api/v1/customer-insurance/{companyId}", AdminOrRepairSide, Nothing, |_| {
            Ask::get(format!("/api/v1/customer-insurance/{NOBODY}"))
        }),
        NO_INSURER,
    ),
    // Its principal reads them on its own page
    company(row("GET /api/v1/company-insurers/{companyId}", Principal, Nothing, |w| about(w, "company-insurers"))),
    row("PUT /api/v1/company-insurers/{companyId}", Admin, Nothing, |w| {
        let path = format!("/api/v1/company-insurers/{}", w.owner.company);
        Ask::put(path, json!({"insuranceCompanies": []}))
    }),
];
