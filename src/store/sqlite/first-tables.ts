// The tables of the first versions: entries, events, probes, keys and payments.

// seq is the rowid, so the feed scans the table itself, even after a million updates.
export const SERVICES = `
  CREATE TABLE services (
    seq               INTEGER PRIMARY KEY,
    object_seq        INTEGER NOT NULL,
    id                TEXT    NOT NULL UNIQUE,
    removed           INTEGER NOT NULL,
    name              TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    endpoint          TEXT    NOT NULL,
    category          TEXT    NOT NULL,
    currency          TEXT    NOT NULL,
    price_per_request TEXT    NOT NULL,
    free_quota        INTEGER NOT NULL,
    payment_address   TEXT    NOT NULL,
    network           TEXT    NOT NULL,
    supported_chains  TEXT    NOT NULL,
    status            TEXT    NOT NULL,
    trust_score       INTEGER NOT NULL,
    uptime_score      REAL    NOT NULL,
    last_checked      TEXT    NOT NULL,
    tx_count          INTEGER NOT NULL,
    total_revenue     TEXT    NOT NULL,
    created_at        TEXT    NOT NULL,
    updated_at        TEXT    NOT NULL,
    owner             TEXT,
    source            TEXT    NOT NULL,
    source_url        TEXT,
    first_seen        TEXT    NOT NULL,
    sample            INTEGER NOT NULL,
    retired           TEXT
  ) STRICT;

  CREATE TABLE counter (
    name  TEXT    NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO counter VALUES ('seq', 0);`

export const EVENTS = `
  CREATE TABLE events (
    number     INTEGER PRIMARY KEY,
    seq        INTEGER NOT NULL,
    service_id TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    at         TEXT    NOT NULL,
    reason     TEXT,
    before     TEXT,
    after      TEXT
  ) STRICT;
  CREATE INDEX events_by_service ON events (service_id, number);`

export const PROBES = `
  CREATE TABLE probes (
    service_id  TEXT NOT NULL,
    at          TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    http_status INTEGER,
    latency_ms  REAL,
    price_seen  TEXT,
    reasons     TEXT NOT NULL,
    PRIMARY KEY (service_id, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX probes_by_age ON probes (at);

  CREATE TABLE probe_schedule (
    service_id   TEXT    NOT NULL PRIMARY KEY,
    due_at       INTEGER NOT NULL,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX probe_schedule_by_due ON probe_schedule (due_at);`

export const KEYS = `
  CREATE TABLE api_keys (
    id           TEXT NOT NULL PRIMARY KEY,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    scopes       TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE request_keys (
    caller      TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    entries     TEXT    NOT NULL,
    UNIQUE (caller, key)
  ) STRICT;
  CREATE INDEX request_keys_by_age ON request_keys (at);`

// A day outlives its probes: it is updated with each of them, so that pruning probes loses no sum.
export const JUDGEMENTS = `
  ALTER TABLE probes ADD COLUMN as_listed INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE probe_days (
    service_id       TEXT    NOT NULL,
    day              TEXT    NOT NULL,
    up               INTEGER NOT NULL,
    failed           INTEGER NOT NULL,
    refused          INTEGER NOT NULL,
    payable          INTEGER NOT NULL,
    mismatched       INTEGER NOT NULL,
    as_listed        INTEGER NOT NULL,
    fast             INTEGER NOT NULL,
    fair             INTEGER NOT NULL,
    latency_total_ms INTEGER NOT NULL,
    PRIMARY KEY (service_id, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX probe_days_by_age ON probe_days (day);

  CREATE TABLE judgements (
    service_id TEXT NOT NULL PRIMARY KEY,
    facts      TEXT NOT NULL,
    finding    TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;`

export const PAYMENTS = `
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
    service_id TEXT,
    UNIQUE (chain, tx_hash, log_index)
  ) STRICT;
  CREATE INDEX payments_by_block ON payments (chain, block);
  CREATE INDEX payments_by_payee ON payments (chain, payee, block);
  CREATE INDEX payments_by_payer ON payments (service_id, payer, at) WHERE service_id IS NOT NULL;

  CREATE TABLE payment_totals (
    service_id      TEXT    NOT NULL PRIMARY KEY,
    tx_count        INTEGER NOT NULL,
    total_revenue   TEXT    NOT NULL,
    payers          INTEGER NOT NULL,
    last_payment_at TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE chain_cursors (
    chain   TEXT    NOT NULL PRIMARY KEY,
    block   INTEGER NOT NULL,
    hash    TEXT    NOT NULL,
    earlier TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE chain_payees (
    chain     TEXT    NOT NULL,
    address   TEXT    NOT NULL,
    read_from INTEGER NOT NULL,
    goal      INTEGER NOT NULL,
    PRIMARY KEY (chain, address)
  ) STRICT, WITHOUT ROWID;`
