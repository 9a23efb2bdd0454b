//! `price-id/{id or 0}`: the table a company accepts with its terms.

use super::model::Price;
use super::service;
use crate::{Content, ContentError};
use atalaya_kernel::CompanyId;
use atalaya_rest::{ApiResult, Caller, Json, Path};
use atalaya_tariff::{Discount, Euros};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

pub(crate) fn routes(content: Content) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_price)).with_state(content)
}

/// A tier of the volume discount: up to so many connections in the month, so many percent.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = PriceDiscount)]
pub struct DiscountView {
    pub to: i64,
    /// At most two decimals.
    pub percent: f64,
}

impl From<&Discount> for DiscountView {
    fn from(of: &Discount) -> Self {
        Self { to: of.to, percent: f64::from(of.percent.0) / 100.0 }
    }
}

/// A price table; amounts in euros.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Price)]
#[serde(rename_all = "camelCase")]
pub struct PriceView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// First connection of a case in the month.
    pub connection: Euros,
    /// Each further one of the same case.
    pub other_connections: Euros,
    /// Minutes included in each connection; null is no limit.
    pub minute_limit: Option<i64>,
    /// Each started minute above the limit.
    pub exceeded_minute: Euros,
    /// Each started minute of every participant beyond the two.
    pub guest_minute: Euros,
    /// Minimum of a whole month.
    pub min_payment: Euros,
    /// Sorted by percent.
    pub discounts: Vec<DiscountView>,
    pub valid_from: DateTime<Utc>,
    /// Whom alone it is offered to.
    pub company_id: Option<CompanyId>,
}

impl From<&Price> for PriceView {
    fn from(of: &Price) -> Self {
        let table = &of.table;
        let mut tiers = table.discounts.clone();
        tiers.sort_by_key(|tier| (tier.percent, tier.to));
        Self {
            id: of.id,
            connection: Euros(table.connection),
            other_connections: Euros(table.other_connections),
            minute_limit: table.minute_limit,
            exceeded_minute: Euros(table.exceeded_minute),
            guest_minute: Euros(table.guest_minute),
            min_payment: Euros(table.min_payment),
            discounts: tiers.iter().map(DiscountView::from).collect(),
            valid_from: of.valid_from,
            company_id: of.company,
        }
    }
}

/// What a call costs as it gets longer, for the warning in the room.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallPrices {
    /// Minutes included; null is no limit.
    pub minute_limit: Option<i64>,
    /// Each started minute above it, in euros without tax.
    pub exceeded_minute: Euros,
}

impl From<&Price> for CallPrices {
    fn from(of: &Price) -> Self {
        Self { minute_limit: of.table.minute_limit, exceeded_minute: Euros(of.table.exceeded_minute) }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = PriceAnswer)]
struct PriceBody {
    price: PriceView,
}

/// A price table by its id, or with `0` the one in force: the caller's company's own if it was offered one, else everybody's.
///
/// Errors: `PRICE_NOT_FOUND` (404), also for a table that was offered to somebody else.
#[utoipa::path(get, path = "/api/v1/price-id/{id}", tag = "prices", security(()),
    params(("id" = String, Path, description = "`0` for the one in force")),
    responses((status = 200, body = PriceBody), (status = 404)))]
async fn get_price(State(d): State<Content>, caller: Option<Caller>, Path(id): Path<String>) -> ApiResult<Json<PriceBody>> {
    let price = if id == "0" {
        service::in_force(&d, caller.map(|caller| caller.company), d.sources.now()).await?
    } else {
        let found = match Uuid::parse_str(&id) {
            Ok(id) => service::find(&d, id).await?,
            Err(_) => None,
        };
        let mine = |price: &Price| {
            price.company.is_none_or(|owner| caller.is_some_and(|caller| caller.is_admin() || caller.company == owner))
        };
        found.filter(mine).ok_or(ContentError::PriceNotFound)?
    };
    Ok(Json(PriceBody { price: PriceView::from(&price) }))
}
