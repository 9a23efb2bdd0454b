//! Where the values of each class stand, and how they are removed from there.

use crate::erasures::wipe;
use atalaya_kernel::keeping::DataClass;

/// What a class consists of. Every statement has the conference's id as `$1`.
pub(super) struct Places {
    /// A name for an authority, and a query of one column of texts.
    pub values: &'static [(&'static str, &'static str)],
    pub removals: &'static [&'static str],
}

/// Values beside the chain, with the salt that proves them.
macro_rules! beside_the_chain {
    ($fields:literal) => {
        concat!(
            "SELECT seq || ' ' || field || ' ' || salt || ' ' || value FROM evidence_value WHERE conference_id = $1 AND field IN (",
            $fields,
            ") ORDER BY seq, field"
        )
    };
}

pub(super) fn places(class: DataClass) -> Places {
    match class {
        DataClass::Phone => PHONE,
        DataClass::Plate => PLATE,
        DataClass::Address => ADDRESS,
        DataClass::Ip => IP,
        DataClass::Position => POSITION,
        DataClass::Chat => CHAT,
        DataClass::Events => EVENTS,
    }
}

const PHONE: Places = Places {
    values: &[
        ("phone", "SELECT phone_number FROM conference WHERE id = $1"),
        ("email", "SELECT email FROM conference WHERE id = $1"),
        ("name", "SELECT contact_person FROM conference WHERE id = $1"),
        (
            "messages",
            "SELECT channel || ' ' || to_address || ' ' || text FROM outbox WHERE conference_id = $1 AND to_address <> ''",
        ),
        (
            "fileRequests",
            "SELECT to_address || ' ' || contact_text FROM file_request WHERE conference_id = $1 AND to_address <> ''",
        ),
        ("participants", "SELECT name FROM participation WHERE conference_id = $1 AND name <> ''"),
        ("chain", beside_the_chain!("'to'")),
    ],
    removals: &[
        "UPDATE conference SET phone_number = '', email = NULL, contact_person = NULL WHERE id = $1",
        "UPDATE outbox SET to_address = '', subject = NULL, text = '', html = NULL, link = NULL, secret = NULL \
         WHERE conference_id = $1 AND state NOT IN ('queued')",
        "UPDATE file_request SET to_address = '', contact_text = '', email_title = NULL WHERE conference_id = $1",
        "UPDATE participation SET name = '', device = NULL WHERE conference_id = $1",
        "DELETE FROM client_device WHERE conference_id = $1",
        "DELETE FROM evidence_value WHERE conference_id = $1 AND field IN ('to')",
    ],
};

const PLATE: Places = Places {
    values: &[
        ("plate", "SELECT car_id FROM conference WHERE id = $1"),
        ("requestedPlate", "SELECT plate FROM video_call_request WHERE conference_id = $1"),
    ],
    removals: &[
        "UPDATE conference SET car_id = NULL WHERE id = $1",
        "UPDATE video_call_request SET plate = NULL WHERE conference_id = $1",
    ],
};

const ADDRESS: Places = Places {
    values: &[
        ("address", "SELECT full_address FROM conference WHERE id = $1"),
        ("street", "SELECT address FROM conference WHERE id = $1"),
        ("city", "SELECT city FROM conference WHERE id = $1"),
        ("postalCode", "SELECT postal_code FROM conference WHERE id = $1"),
        ("place", "SELECT address FROM geocoding WHERE conference_id = $1"),
    ],
    removals: &[
        "UPDATE conference SET full_address = NULL, address = NULL, city = NULL, city_region = NULL, postal_code = NULL, \
         region = NULL WHERE id = $1",
        "DELETE FROM geocoding WHERE conference_id = $1",
    ],
};

const IP: Places = Places {
    values: &[("chain", beside_the_chain!("'ip', 'userAgent'"))],
    removals: &["DELETE FROM evidence_value WHERE conference_id = $1 AND field IN ('ip', 'userAgent')"],
};

const POSITION: Places = Places {
    values: &[
        ("chain", beside_the_chain!("'position', 'claimedPosition'")),
        (
            "pictures",
            "SELECT filename || ' ' || latitude || ',' || longitude FROM media_item WHERE conference_id = $1 AND latitude IS NOT NULL",
        ),
        ("places", "SELECT latitude || ',' || longitude FROM geocoding WHERE conference_id = $1 AND latitude IS NOT NULL"),
    ],
    removals: &[
        "UPDATE media_item SET latitude = NULL, longitude = NULL, claimed_latitude = NULL, claimed_longitude = NULL, \
         accuracy_m = NULL WHERE conference_id = $1",
        "DELETE FROM geocoding WHERE conference_id = $1",
        "DELETE FROM evidence_value WHERE conference_id = $1 AND field IN ('position', 'claimedPosition')",
    ],
};

const CHAT: Places = Places {
    values: &[
        ("chat", "SELECT kind || ' ' || name || ': ' || text FROM chat_message WHERE conference_id = $1 ORDER BY at"),
        ("chain", beside_the_chain!("'text'")),
    ],
    removals: &[
        "UPDATE chat_message SET text = '', name = '', phrase = NULL WHERE conference_id = $1",
        "DELETE FROM evidence_value WHERE conference_id = $1 AND field IN ('text')",
    ],
};

/// With the events everything that is left goes, by the statements of an erasure.
const EVENTS: Places = Places {
    values: &[
        ("expedient", "SELECT expedient_number FROM conference WHERE id = $1"),
        ("files", "SELECT filename || ' ' || original_file_name FROM media_item WHERE conference_id = $1"),
        (
            "notes",
            "SELECT n.text FROM expedient_note n JOIN conference c ON c.company_id = n.company_id \
             AND c.expedient_key = n.expedient_key WHERE c.id = $1",
        ),
        ("incidences", "SELECT comments FROM incidence WHERE conference_id = $1"),
        (
            "chain",
            "SELECT seq || ' ' || field || ' ' || salt || ' ' || value FROM evidence_value WHERE conference_id = $1 ORDER BY seq, field",
        ),
    ],
    removals: wipe::STATEMENTS,
};

#[cfg(test)]
mod tests {
    use super::*;

    // RETAIN-25
    #[test]
    fn what_is_removed_beside_the_chain_is_read_before() {
        assert!(EVENTS.values.iter().any(|(_, query)| query.contains("FROM evidence_value WHERE conference_id = $1 ORDER")));
        for class in DataClass::ALL.into_iter().filter(|class| *class != DataClass::Events) {
            let places = places(class);
            assert!(!places.values.is_empty() && !places.removals.is_empty(), "{class:?}");
            for removal in places.removals.iter().filter(|removal| removal.starts_with("DELETE FROM evidence_value")) {
                let (_, fields) = removal.split_once("IN (").expect("the fields are named");
                assert!(places.values.iter().any(|(_, query)| query.contains(fields.trim_end_matches(')'))), "{removal}");
            }
        }
    }
}
