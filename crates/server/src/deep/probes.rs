//! What must hold between rows: numbers, sums, states, work (DEEP-5 to DEEP-7). Each statement answers the rows that break
//! its rule, by their id.

use super::Kind;

pub(super) struct Probe {
    pub kind: Kind,
    pub what: &'static str,
    /// `$1`, where it stands, is the moment before which something is overdue.
    pub sql: &'static str,
}

const fn probe(kind: Kind, what: &'static str, sql: &'static str) -> Probe {
    Probe { kind, what, sql }
}

pub(super) const ALL: &[Probe] = &[
    // Numbers are unique, so that as many as the last one says are all of them from 1 on.
    probe(
        Kind::NumberGap,
        "invoice_series",
        "SELECT s.series FROM invoice_series s WHERE s.last_number <> \
         (SELECT COUNT(*) FROM invoice i WHERE i.series = s.series AND i.series_year = s.year) OR s.last_number <> \
         (SELECT COALESCE(MAX(i.series_number), 0) FROM invoice i WHERE i.series = s.series AND i.series_year = s.year)",
    ),
    probe(
        Kind::NumberGap,
        "invoice outside its series",
        "SELECT i.id FROM invoice i WHERE NOT EXISTS \
         (SELECT 1 FROM invoice_series s WHERE s.series = i.series AND s.year = i.series_year)",
    ),
    probe(
        Kind::NumberGap,
        "verifactu_chain",
        "SELECT c.id FROM verifactu_chain c WHERE c.records <> \
         (SELECT COUNT(*) FROM verifactu_record r WHERE r.chain_id = c.id) OR c.records <> \
         (SELECT COALESCE(MAX(r.seq), 0) FROM verifactu_record r WHERE r.chain_id = c.id)",
    ),
    probe(
        Kind::ChainBroken,
        "verifactu_chain.hash",
        "SELECT c.id FROM verifactu_chain c JOIN verifactu_record r ON r.chain_id = c.id AND r.seq = c.records \
         WHERE c.hash IS NULL OR c.hash <> r.hash",
    ),
    probe(
        Kind::NumberGap,
        "certificate_year",
        "SELECT CAST(y.year AS text) FROM certificate_year y WHERE y.last <> \
         (SELECT COUNT(*) FROM certificate c WHERE c.number LIKE 'CE-' || CAST(y.year AS text) || '-%')",
    ),
    probe(
        Kind::NumberGap,
        "incidence_counter",
        "SELECT c.id FROM incidence_counter c WHERE c.last < (SELECT COALESCE(MAX(i.number), 0) FROM incidence i)",
    ),
    probe(Kind::SumWrong, "invoice.total", "SELECT id FROM invoice WHERE base + vat <> total"),
    probe(
        Kind::SumWrong,
        "remittance.total",
        "SELECT r.id FROM remittance r WHERE r.debits <> \
         (SELECT COUNT(*) FROM debit_attempt a WHERE a.remittance_id = r.id) OR r.total <> \
         (SELECT COALESCE(SUM(a.amount), 0) FROM debit_attempt a WHERE a.remittance_id = r.id)",
    ),
    probe(
        Kind::ChainBroken,
        "evidence_seal",
        "SELECT s.id FROM evidence_seal s WHERE NOT EXISTS (SELECT 1 FROM evidence_event e \
         WHERE e.conference_id = s.conference_id AND e.seq = s.seq AND e.hash = s.head)",
    ),
    probe(Kind::StateWrong, "conference closed without a time", "SELECT id FROM conference WHERE closed AND closed_at IS NULL"),
    // A file and its event are written in one transaction.
    probe(
        Kind::StateWrong,
        "files and their events",
        "SELECT c.id FROM conference c WHERE c.erased_at IS NULL AND \
         (SELECT COUNT(*) FROM evidence_event e WHERE e.conference_id = c.id \
          AND e.event_type IN ('MEDIA_CAPTURED', 'FILE_UPLOADED')) <> \
         (SELECT COUNT(*) FROM media_item m WHERE m.conference_id = c.id)",
    ),
    probe(
        Kind::StateWrong,
        "stay in a closed conference",
        "SELECT p.id FROM participation p JOIN conference c ON c.id = p.conference_id \
         WHERE p.left_at IS NULL AND c.closed AND c.closed_at < $1",
    ),
    probe(
        Kind::StateWrong,
        "recording of a closed conference",
        "SELECT r.id FROM recording r JOIN conference c ON c.id = r.conference_id \
         WHERE r.stopped_at IS NULL AND c.closed AND c.closed_at < $1",
    ),
    probe(
        Kind::StateWrong,
        "erased conference with its key or values",
        "SELECT c.id FROM conference c WHERE c.erased_at IS NOT NULL AND (c.data_key IS NOT NULL OR EXISTS \
         (SELECT 1 FROM evidence_value v WHERE v.conference_id = c.id))",
    ),
    probe(
        Kind::StateWrong,
        "erasure and its proof",
        "SELECT c.id FROM conference c WHERE (c.erased_at IS NOT NULL) <> \
         EXISTS (SELECT 1 FROM erasure e WHERE e.conference_id = c.id)",
    ),
    probe(
        Kind::StateWrong,
        "accepted upload without its file",
        "SELECT id FROM file_upload WHERE state = 'accepted' AND media_id IS NULL",
    ),
    probe(
        Kind::StateWrong,
        "upload beyond its size",
        "SELECT id FROM file_upload WHERE offset_bytes > size_bytes OR offset_bytes < 0",
    ),
    probe(
        Kind::StateWrong,
        "signed mandate without evidence",
        "SELECT id FROM mandate WHERE signed_at IS NOT NULL AND signature IS NULL",
    ),
    // The answer of a run that nobody goes on with.
    probe(
        Kind::Stuck,
        "invoice_run without a job",
        "SELECT r.id FROM invoice_run r WHERE r.running IS NOT NULL AND r.started_at < $1 AND NOT EXISTS \
         (SELECT 1 FROM job j WHERE j.kind = 'invoice-run' AND j.state IN ('queued', 'running'))",
    ),
    probe(Kind::Stuck, "job without a lease", "SELECT id FROM job WHERE state = 'running' AND locked_until IS NULL"),
    probe(
        Kind::Stuck,
        "job of an unknown state",
        "SELECT id FROM job WHERE state NOT IN ('queued', 'running', 'done', 'failed')",
    ),
    probe(
        Kind::Stuck,
        "outbox without a next attempt",
        "SELECT id FROM outbox WHERE state = 'queued' AND next_attempt_at IS NULL",
    ),
    probe(
        Kind::Stuck,
        "outbox of an unknown state",
        "SELECT id FROM outbox WHERE state NOT IN ('queued', 'captured', 'sent', 'delivered', 'failed')",
    ),
];
