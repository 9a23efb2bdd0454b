//! The amounts of an invoice as they stand in its XML, and the arithmetic that EN 16931 asks of them.

use atalaya_einvoice::tree::Element;

/// A line: quantity, unit price, amount.
type Line = (i64, i64, i64);

/// Cents, as written.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    lines: Vec<Line>,
    allowances: Vec<i64>,
    charges: Vec<i64>,
    line_total: i64,
    allowance_total: i64,
    charge_total: i64,
    base: i64,
    /// Of the whole and of its one category.
    vat: i64,
    category_base: i64,
    category_vat: i64,
    /// Hundredths of a percent.
    rate: i64,
    pub total: i64,
    due: i64,
    /// Of lines, discounts and the whole.
    pub categories: Vec<String>,
}

impl Amounts {
    /// BR-27 and BR-CO-10 to BR-CO-17.
    pub fn check(&self) {
        for (quantity, price, amount) in &self.lines {
            assert!(*price >= 0, "BR-27");
            assert_eq!(quantity * price, *amount, "a line");
        }
        assert_eq!(self.lines.iter().map(|line| line.2).sum::<i64>(), self.line_total, "BR-CO-10");
        assert_eq!(self.allowances.iter().sum::<i64>(), self.allowance_total, "BR-CO-11");
        assert_eq!(self.charges.iter().sum::<i64>(), self.charge_total, "BR-CO-12");
        assert_eq!(self.line_total - self.allowance_total + self.charge_total, self.base, "BR-CO-13");
        assert_eq!(self.category_vat, self.vat, "BR-CO-14");
        assert_eq!(self.base + self.vat, self.total, "BR-CO-15");
        assert_eq!(self.total, self.due, "BR-CO-16");
        assert_eq!(self.category_base, self.base);
        assert_eq!((self.category_base * self.rate + 5000) / 10_000, self.category_vat, "BR-CO-17");
        assert!(!self.categories.is_empty());
    }
}

/// `12.50` as 1250.
fn cents(text: &str) -> i64 {
    let (whole, part) = text.split_once('.').expect("decimals");
    assert_eq!(part.len(), 2, "{text}");
    format!("{whole}{part}").parse().expect("a number")
}

fn text<'a>(element: &'a Element, path: &[&str]) -> Option<&'a str> {
    element.at(path).map(|element| element.text.as_str())
}

fn money(element: &Element, path: &[&str]) -> i64 {
    text(element, path).map(cents).unwrap_or_default()
}

fn named<'a>(element: &'a Element, name: &'a str) -> impl Iterator<Item = &'a Element> {
    element.children.iter().filter(move |child| child.name == name)
}

pub fn of_ubl(root: &Element) -> Amounts {
    let credit = root.name == "CreditNote";
    let (line, quantity) = if credit { ("CreditNoteLine", "CreditedQuantity") } else { ("InvoiceLine", "InvoicedQuantity") };
    let subtotal = root.at(&["TaxTotal", "TaxSubtotal"]).expect("a category");
    let totals = root.at(&["LegalMonetaryTotal"]).expect("totals");
    let mut all = Amounts {
        line_total: money(totals, &["LineExtensionAmount"]),
        allowance_total: money(totals, &["AllowanceTotalAmount"]),
        charge_total: money(totals, &["ChargeTotalAmount"]),
        base: money(totals, &["TaxExclusiveAmount"]),
        vat: money(root, &["TaxTotal", "TaxAmount"]),
        category_base: money(subtotal, &["TaxableAmount"]),
        category_vat: money(subtotal, &["TaxAmount"]),
        rate: money(subtotal, &["TaxCategory", "Percent"]),
        total: money(totals, &["TaxInclusiveAmount"]),
        due: money(totals, &["PayableAmount"]),
        ..Amounts::default()
    };
    let mut categories = vec![text(subtotal, &["TaxCategory", "ID"])];
    for one in named(root, line) {
        let quantity = text(one, &[quantity]).and_then(|text| text.parse().ok()).expect("a quantity");
        all.lines.push((quantity, money(one, &["Price", "PriceAmount"]), money(one, &["LineExtensionAmount"])));
        categories.push(text(one, &["Item", "ClassifiedTaxCategory", "ID"]));
    }
    for one in named(root, "AllowanceCharge") {
        let charge = text(one, &["ChargeIndicator"]) == Some("true");
        let list = if charge { &mut all.charges } else { &mut all.allowances };
        list.push(money(one, &["Amount"]));
        categories.push(text(one, &["TaxCategory", "ID"]));
    }
    all.categories = categories.into_iter().map(|one| one.expect("a category").to_owned()).collect();
    all
}

pub fn of_cii(root: &Element) -> Amounts {
    let transaction = root.at(&["SupplyChainTradeTransaction"]).expect("a transaction");
    let settlement = transaction.at(&["ApplicableHeaderTradeSettlement"]).expect("a settlement");
    let tax = settlement.at(&["ApplicableTradeTax"]).expect("a category");
    let totals = settlement.at(&["SpecifiedTradeSettlementHeaderMonetarySummation"]).expect("totals");
    let mut all = Amounts {
        line_total: money(totals, &["LineTotalAmount"]),
        allowance_total: money(totals, &["AllowanceTotalAmount"]),
        charge_total: money(totals, &["ChargeTotalAmount"]),
        base: money(totals, &["TaxBasisTotalAmount"]),
        vat: money(totals, &["TaxTotalAmount"]),
        category_base: money(tax, &["BasisAmount"]),
        category_vat: money(tax, &["CalculatedAmount"]),
        rate: money(tax, &["RateApplicablePercent"]),
        total: money(totals, &["GrandTotalAmount"]),
        due: money(totals, &["DuePayableAmount"]),
        ..Amounts::default()
    };
    let mut categories = vec![text(tax, &["CategoryCode"])];
    for one in named(transaction, "IncludedSupplyChainTradeLineItem") {
        let quantity = text(one, &["SpecifiedLineTradeDelivery", "BilledQuantity"]).and_then(|text| text.parse().ok());
        let price = money(one, &["SpecifiedLineTradeAgreement", "NetPriceProductTradePrice", "ChargeAmount"]);
        let settlement = one.at(&["SpecifiedLineTradeSettlement"]).expect("a settlement");
        let amount = money(settlement, &["SpecifiedTradeSettlementLineMonetarySummation", "LineTotalAmount"]);
        all.lines.push((quantity.expect("a quantity"), price, amount));
        categories.push(text(settlement, &["ApplicableTradeTax", "CategoryCode"]));
    }
    for one in named(settlement, "SpecifiedTradeAllowanceCharge") {
        let charge = text(one, &["ChargeIndicator", "Indicator"]) == Some("true");
        let list = if charge { &mut all.charges } else { &mut all.allowances };
        list.push(money(one, &["ActualAmount"]));
        categories.push(text(one, &["CategoryTradeTax", "CategoryCode"]));
    }
    all.categories = categories.into_iter().map(|one| one.expect("a category").to_owned()).collect();
    all
}
