// Later migration steps. A released step is never edited. Some names are older than the words of the code: docs/decisions.md lists them
// under "Database files".

export const WALLETS = `
  ALTER TABLE api_keys ADD COLUMN wallet TEXT;
  CREATE INDEX api_keys_by_wallet ON api_keys (wallet) WHERE wallet IS NOT NULL;

  CREATE TABLE challenges (
    nonce      TEXT NOT NULL PRIMARY KEY,
    message    TEXT NOT NULL,
    address    TEXT NOT NULL,
    wallet     TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX challenges_by_age ON challenges (expires_at);`

export const WEBHOOKS = `
  CREATE TABLE webhooks (
    id           TEXT    NOT NULL PRIMARY KEY,
    owner        TEXT    NOT NULL,
    secret       TEXT    NOT NULL,
    draft        TEXT    NOT NULL,
    created_at   TEXT    NOT NULL,
    cursor       INTEGER NOT NULL,
    due_at       INTEGER,
    progress     TEXT    NOT NULL,
    lease        TEXT,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_by_owner ON webhooks (owner);
  CREATE INDEX webhooks_by_due ON webhooks (due_at);`

export const SOURCES = `
  ALTER TABLE services ADD COLUMN origin_key TEXT;
  ALTER TABLE services ADD COLUMN origin_seq INTEGER;
  CREATE INDEX services_by_source ON services (source_url, id) WHERE origin_key IS NOT NULL;

  CREATE TABLE sync_sources (
    url          TEXT NOT NULL PRIMARY KEY,
    state        TEXT NOT NULL,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;`

// Tombstones are blank, so removed sellers are recognised by a hash.
export const OUTLETS = `
  ALTER TABLE services ADD COLUMN origin_held TEXT;
  CREATE INDEX services_by_payee ON services (lower(payment_address)) WHERE removed = 0;

  CREATE TABLE removed_outlets (
    outlet TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;`

export const LEASES = `
  ALTER TABLE probe_schedule ADD COLUMN lease TEXT;
  CREATE INDEX probe_schedule_by_lease ON probe_schedule (lease) WHERE lease IS NOT NULL;

  CREATE TABLE leases (
    name    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL,
    note    TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;`

export const EMBEDDINGS = `
  CREATE TABLE gists (
    service_id TEXT NOT NULL PRIMARY KEY,
    gist       BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;`

export const HOMES = 'ALTER TABLE services ADD COLUMN origin_home INTEGER;'

export const HOST_TURNS = `
  CREATE TABLE host_turns (
    host    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX host_turns_by_end ON host_turns (ends_at);`

// Probes from before a move stay in the history and no longer count.
export const MOVES = `
  ALTER TABLE services ADD COLUMN moved_at TEXT;
  ALTER TABLE probes ADD COLUMN former INTEGER NOT NULL DEFAULT 0;`

export const CLAIMS = `
  ALTER TABLE services ADD COLUMN origin_home_url TEXT;
  ALTER TABLE services ADD COLUMN origin_home_key TEXT;
  ALTER TABLE services ADD COLUMN contested_by TEXT;
  ALTER TABLE services ADD COLUMN removed_by TEXT;`

// A receiver without a challenge so far is challenged first; its cursor stays, so that no event is lost meanwhile.
export const CONSENT = `
  ALTER TABLE webhooks ADD COLUMN confirmed_at TEXT;
  ALTER TABLE webhooks ADD COLUMN slow INTEGER NOT NULL DEFAULT 0;
  UPDATE webhooks SET progress = json_set(progress, '$.networks', json('[]'));
  UPDATE webhooks SET progress = json_set(progress, '$.failures', 0, '$.failingSince', NULL, '$.reason', NULL)
    WHERE due_at IS NOT NULL;

  CREATE TABLE budgets (
    name    TEXT    NOT NULL PRIMARY KEY,
    ends_at INTEGER NOT NULL,
    spent   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX budgets_by_end ON budgets (ends_at);`

// A restore leaves a gap before the next number. The gap is stored apart from the last number, which stays that of a row.
export const TIMELINES = `
  CREATE TABLE timelines (
    number      INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    fork_seq    INTEGER NOT NULL,
    start_seq   INTEGER NOT NULL,
    fork_event  INTEGER NOT NULL,
    start_event INTEGER NOT NULL
  ) STRICT;
  INSERT INTO timelines VALUES (1, lower(hex(randomblob(8))), 0, 0, 0, 0);

  INSERT INTO counter VALUES ('event', 0), ('gap', 0);
  UPDATE counter SET value = (SELECT value FROM counter WHERE name = 'seq') - (SELECT coalesce(max(seq), 0) FROM services)
    WHERE name = 'gap';
  UPDATE counter SET value = (SELECT coalesce(max(seq), 0) FROM services) WHERE name = 'seq';`

export const SEEN = `
  CREATE TABLE sync_seen (
    url TEXT NOT NULL,
    id  TEXT NOT NULL,
    PRIMARY KEY (url, id)
  ) STRICT, WITHOUT ROWID;`

// Reasons are messages as JSON; a JSON string is a sentence of an older version.
export const MESSAGES = 'UPDATE events SET reason = json_quote(reason) WHERE reason IS NOT NULL;'

export const HIDING = 'ALTER TABLE services ADD COLUMN hidden TEXT;'

export const PROOFS = 'ALTER TABLE services ADD COLUMN proof TEXT;'

// One open report per reporter and service.
export const REPORTS = `
  CREATE TABLE reports (
    id          TEXT NOT NULL PRIMARY KEY,
    service_id  TEXT NOT NULL,
    report_kind TEXT NOT NULL,
    text        TEXT NOT NULL,
    reporter    TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    resolved_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX reports_open ON reports (service_id, reporter) WHERE resolved_at IS NULL;`

// Only x402 settlements count, and the stored payments do not state how they were settled, so all are read again, from the same
// block on. A process of an older version can no longer store a payment, as it would omit the method.
export const SETTLEMENTS = `
  UPDATE services SET tx_count = 0, total_revenue = '0'
    WHERE sample = 0 AND id IN (SELECT service_id FROM payment_totals);
  DELETE FROM payment_totals;

  DROP TABLE payments;
  CREATE TABLE payments (
    chain      TEXT    NOT NULL,
    tx_hash    TEXT    NOT NULL,
    log_index  INTEGER NOT NULL,
    block      INTEGER NOT NULL,
    at         TEXT    NOT NULL,
    asset      TEXT    NOT NULL,
    payer      TEXT    NOT NULL,
    payee      TEXT    NOT NULL,
    amount     TEXT    NOT NULL,
    method     TEXT    NOT NULL,
    service_id TEXT,
    UNIQUE (chain, tx_hash, log_index)
  ) STRICT;
  CREATE INDEX payments_by_block ON payments (chain, block);
  CREATE INDEX payments_by_payee ON payments (chain, payee, block, log_index, tx_hash);
  CREATE INDEX payments_by_payer ON payments (chain, payer, payee);
  CREATE INDEX payments_by_service ON payments (service_id, at) WHERE service_id IS NOT NULL;

  CREATE TABLE payment_payers (
    service_id TEXT    NOT NULL,
    payer      TEXT    NOT NULL,
    tx_count   INTEGER NOT NULL,
    amount     TEXT    NOT NULL,
    PRIMARY KEY (service_id, payer)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE payee_transfers (
    chain    TEXT    NOT NULL,
    payee    TEXT    NOT NULL,
    receiver TEXT    NOT NULL,
    block    INTEGER NOT NULL,
    PRIMARY KEY (chain, payee, receiver)
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE chain_payees RENAME TO former_payees;
  CREATE TABLE chain_payees (
    chain     TEXT    NOT NULL,
    address   TEXT    NOT NULL,
    side      TEXT    NOT NULL,
    read_from INTEGER NOT NULL,
    goal      INTEGER NOT NULL,
    plan      TEXT    NOT NULL,
    PRIMARY KEY (chain, address, side)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO chain_payees
    SELECT chain, address, 'received', block + 1, goal, '' FROM former_payees JOIN chain_cursors USING (chain);
  DROP TABLE former_payees;`

export const TERMS = `
  ALTER TABLE services ADD COLUMN seen TEXT;
  CREATE TABLE terms (
    service_id TEXT NOT NULL PRIMARY KEY,
    seen_at    TEXT NOT NULL,
    terms      TEXT NOT NULL
  ) STRICT;`

// An older version ignores a payment that does not fit and would move the cursor past it; the trigger makes it fail instead.
export const METHODS = `
  CREATE TRIGGER payments_need_method BEFORE INSERT ON payments WHEN NEW.method IS NULL
  BEGIN SELECT RAISE(ABORT, 'a payment needs the method of its settlement'); END;`

// One purchase per purpose, except released ones, for which nothing was paid.
export const PURCHASES = `
  CREATE TABLE purchases (
    id           TEXT    NOT NULL PRIMARY KEY,
    purpose      TEXT    NOT NULL,
    service_id   TEXT,
    host         TEXT    NOT NULL,
    at           TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    micro_usd    INTEGER NOT NULL,
    chain        TEXT    NOT NULL,
    asset        TEXT    NOT NULL,
    pay_to       TEXT    NOT NULL,
    payer        TEXT    NOT NULL,
    amount       TEXT    NOT NULL,
    nonce        TEXT,
    valid_before INTEGER,
    charged      TEXT,
    tx_hash      TEXT,
    outcome      TEXT,
    detail       TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX purchases_by_purpose ON purchases (purpose) WHERE state <> 'released';
  CREATE INDEX purchases_by_age ON purchases (at);
  CREATE INDEX purchases_by_service ON purchases (service_id, id) WHERE service_id IS NOT NULL;
  CREATE INDEX purchases_open ON purchases (id) WHERE state IN ('reserved', 'signed');`

// One report per payment.
export const REPORTED_OUTCOMES = `
  CREATE TABLE outcomes (
    id         TEXT NOT NULL PRIMARY KEY,
    service_id TEXT NOT NULL,
    at         TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    proof      TEXT NOT NULL,
    payment    TEXT NOT NULL,
    payer      TEXT NOT NULL,
    chain      TEXT NOT NULL,
    tx_hash    TEXT,
    detail     TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX outcomes_by_payment ON outcomes (payment);
  CREATE INDEX outcomes_by_service ON outcomes (service_id, proof, id);`

export const LATENCIES = `
  ALTER TABLE services ADD COLUMN latency_ms INTEGER;`
export const DELIVERIES = 'ALTER TABLE services ADD COLUMN delivery TEXT;'

// Neither table contains personal data: searches are words that many callers used.
export const CENSUS = `
  CREATE TABLE census_days (
    day    TEXT NOT NULL PRIMARY KEY,
    census TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE unmet_searches (
    day     TEXT    NOT NULL,
    words   TEXT    NOT NULL,
    callers INTEGER NOT NULL,
    PRIMARY KEY (day, words)
  ) STRICT, WITHOUT ROWID;`

export const DUE_TIMES = `
  ALTER TABLE probe_schedule ADD COLUMN drawn_at INTEGER;
  ALTER TABLE probe_schedule ADD COLUMN wished_at INTEGER;
  ALTER TABLE probe_schedule ADD COLUMN wishes_until INTEGER;`

// Since when an entry has its current texts; earlier edits count as made at registration.
export const WORDINGS = 'ALTER TABLE services ADD COLUMN worded TEXT;'

// Earlier versions gave the samples an invented standing. Catalog snapshots of another version are not read, so no change is logged.
export const SAMPLE_STANDINGS = `
  UPDATE services SET status = 'unverified', trust_score = 0, uptime_score = 0, last_checked = created_at, tx_count = 0,
    total_revenue = '0', supported_chains = json_array(network) WHERE sample = 1;`

// Lower prices that an entry was listed at before; those of earlier edits are unknown.
export const RAISED_PRICES = 'ALTER TABLE services ADD COLUMN raised TEXT;'
