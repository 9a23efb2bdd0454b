//! Countries by their codes (ISO 3166-1), and which of them are members of the European Union.

/// Two letters each.
const ALL: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF \
GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW \
KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL \
NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST \
SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/// The three letters that Facturae wants, in the same order.
const LONG: &str = "AND ARE AFG ATG AIA ALB ARM AGO ATA ARG ASM AUT AUS ABW ALA AZE BIH BRB BGD BEL BFA BGR BHR BDI BEN BLM BMU BRN \
BOL BES BRA BHS BTN BVT BWA BLR BLZ CAN CCK COD CAF COG CHE CIV COK CHL CMR CHN COL CRI CUB CPV CUW CXR CYP CZE DEU DJI DNK DMA \
DOM DZA ECU EST EGY ESH ERI ESP ETH FIN FJI FLK FSM FRO FRA GAB GBR GRD GEO GUF GGY GHA GIB GRL GMB GIN GLP GNQ GRC SGS GTM GUM \
GNB GUY HKG HMD HND HRV HTI HUN IDN IRL ISR IMN IND IOT IRQ IRN ISL ITA JEY JAM JOR JPN KEN KGZ KHM KIR COM KNA PRK KOR KWT CYM \
KAZ LAO LBN LCA LIE LKA LBR LSO LTU LUX LVA LBY MAR MCO MDA MNE MAF MDG MHL MKD MLI MMR MNG MAC MNP MTQ MRT MSR MLT MUS MDV MWI \
MEX MYS MOZ NAM NCL NER NFK NGA NIC NLD NOR NPL NRU NIU NZL OMN PAN PER PYF PNG PHL PAK POL SPM PCN PRI PSE PRT PLW PRY QAT REU \
ROU SRB RUS RWA SAU SLB SYC SDN SWE SGP SHN SVN SJM SVK SLE SMR SEN SOM SUR SSD STP SLV SXM SYR SWZ TCA TCD ATF TGO THA TJK TKL \
TLS TKM TUN TON TUR TTO TUV TWN TZA UKR UGA UMI USA URY UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM MYT ZAF ZMB ZWE";

/// Members of the Union whose VAT numbers [`crate::vat_number`] knows.
const UNION: &str = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";

/// The country of everybody who says nothing else.
pub const SPAIN: &str = "ES";

fn is_among(all: &str, code: &str) -> bool {
    code.len() == 2 && all.split_ascii_whitespace().any(|one| one == code)
}

/// Two capital letters that are a country.
pub fn is_country(code: &str) -> bool {
    is_among(ALL, code)
}

/// A member of the European Union.
pub fn is_in_union(code: &str) -> bool {
    is_among(UNION, code)
}

/// The three letters of a country.
pub fn three_letters(code: &str) -> Option<&'static str> {
    let found = ALL.split_ascii_whitespace().zip(LONG.split_ascii_whitespace()).find(|(short, _)| *short == code);
    found.map(|(_, long)| long)
}

/// Every country's two letters.
pub fn all() -> impl Iterator<Item = &'static str> {
    ALL.split_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    // ABROAD-1
    #[test]
    fn codes_are_whole_and_belong_together() {
        assert_eq!(ALL.split_ascii_whitespace().count(), 249);
        assert_eq!(LONG.split_ascii_whitespace().count(), 249);
        assert_eq!(LONG.split_ascii_whitespace().collect::<BTreeSet<_>>().len(), 249);
        assert!(all().is_sorted() && all().all(|code| code.len() == 2));
        for (short, long) in
            [("ES", "ESP"), ("PT", "PRT"), ("GR", "GRC"), ("GB", "GBR"), ("US", "USA"), ("CH", "CHE"), ("ZW", "ZWE")]
        {
            assert_eq!(three_letters(short), Some(long));
        }
        assert_eq!(UNION.split_ascii_whitespace().count(), 27);
        assert!(UNION.split_ascii_whitespace().all(is_country));
        assert!(!is_in_union("GB") && !is_country("EL") && !is_country("es") && !is_country(""));
        assert_eq!(three_letters("XX"), None);
    }
}
