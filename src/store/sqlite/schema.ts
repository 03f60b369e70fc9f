// The tables, as forward-only steps: a step that was released is never edited, a change is a new step at the end.
import { Database } from 'bun:sqlite'

/** Marks a file as ours in its header ("SHRB"), so that a start never writes into somebody else's database. */
export const APPLICATION_ID = 0x53_48_52_42

// seq is the row's own key: the feed is then a scan of the table itself, also after a million updates.
const SERVICES = `
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

const EVENTS = `
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

const PROBES = `
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

const KEYS = `
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

// A day outlives its probes: it is written with each of them, so that forgetting the probes loses no sum.
const JUDGEMENTS = `
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

const PAYMENTS = `
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

const WALLETS = `
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

const WEBHOOKS = `
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

const SOURCES = `
  ALTER TABLE services ADD COLUMN origin_key TEXT;
  ALTER TABLE services ADD COLUMN origin_seq INTEGER;
  CREATE INDEX services_by_source ON services (source_url, id) WHERE origin_key IS NOT NULL;

  CREATE TABLE sync_sources (
    url          TEXT NOT NULL PRIMARY KEY,
    state        TEXT NOT NULL,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;`

// Removed rows are blank, so what was removed is known by a hash of where it was sold.
const OUTLETS = `
  ALTER TABLE services ADD COLUMN origin_held TEXT;
  CREATE INDEX services_by_payee ON services (lower(payment_address)) WHERE removed = 0;

  CREATE TABLE removed_outlets (
    outlet TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;`

const LEASES = `
  ALTER TABLE probe_schedule ADD COLUMN lease TEXT;
  CREATE INDEX probe_schedule_by_lease ON probe_schedule (lease) WHERE lease IS NOT NULL;

  CREATE TABLE leases (
    name    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL,
    note    TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;`

const EMBEDDINGS = `
  CREATE TABLE gists (
    service_id TEXT NOT NULL PRIMARY KEY,
    gist       BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;`

const HOMES = 'ALTER TABLE services ADD COLUMN origin_home INTEGER;'

const HOST_TURNS = `
  CREATE TABLE host_turns (
    host    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX host_turns_by_end ON host_turns (ends_at);`

// What was probed before a move stays in the history and counts no more.
const MOVES = `
  ALTER TABLE services ADD COLUMN moved_at TEXT;
  ALTER TABLE probes ADD COLUMN former INTEGER NOT NULL DEFAULT 0;`

const CLAIMS = `
  ALTER TABLE services ADD COLUMN origin_home_url TEXT;
  ALTER TABLE services ADD COLUMN origin_home_key TEXT;
  ALTER TABLE services ADD COLUMN contested_by TEXT;
  ALTER TABLE services ADD COLUMN removed_by TEXT;`

// A receiver that was never asked whether it agrees is asked first; what happens meanwhile waits behind its cursor.
const CONSENT = `
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

// A restore leaves a gap before the next number: it is kept beside the last one, which thereby stays that of a row.
const TIMELINES = `
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

const SEEN = `
  CREATE TABLE sync_seen (
    url TEXT NOT NULL,
    id  TEXT NOT NULL,
    PRIMARY KEY (url, id)
  ) STRICT, WITHOUT ROWID;`

// Reasons are messages, as JSON; a JSON string is a sentence from before there were codes.
const MESSAGES = 'UPDATE events SET reason = json_quote(reason) WHERE reason IS NOT NULL;'

const HIDING = 'ALTER TABLE services ADD COLUMN hidden TEXT;'

const PROOFS = 'ALTER TABLE services ADD COLUMN proof TEXT;'

// One of a reporter about a service waits at a time.
const REPORTS = `
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

// Only x402 settlements count, and what was kept says of no payment how it was settled: all of it is read anew, from as far back as
// before. A process of an older version cannot keep a payment any more, as it would leave out the method.
const SETTLEMENTS = `
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

const TERMS = `
  ALTER TABLE services ADD COLUMN seen TEXT;
  CREATE TABLE terms (
    service_id TEXT NOT NULL PRIMARY KEY,
    seen_at    TEXT NOT NULL,
    terms      TEXT NOT NULL
  ) STRICT;`

// An older version ignores a payment that does not fit, and would move the cursor past it: this makes it fail instead.
const METHODS = `
  CREATE TRIGGER payments_need_method BEFORE INSERT ON payments WHEN NEW.method IS NULL
  BEGIN SELECT RAISE(ABORT, 'a payment needs the method of its settlement'); END;`

// One payment for each purpose, except where nothing was paid.
const PURCHASES = `
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

const LATENCIES = `
  ALTER TABLE services ADD COLUMN latency_ms INTEGER;`
const DELIVERIES = 'ALTER TABLE services ADD COLUMN delivery TEXT;'

const STEPS: readonly string[] = [
  SERVICES + EVENTS + PROBES + KEYS,
  JUDGEMENTS,
  PAYMENTS,
  WALLETS,
  WEBHOOKS,
  SOURCES,
  OUTLETS,
  LEASES,
  EMBEDDINGS,
  HOMES,
  HOST_TURNS,
  MOVES,
  CLAIMS,
  CONSENT,
  TIMELINES,
  SEEN,
  MESSAGES,
  HIDING,
  PROOFS,
  REPORTS,
  SETTLEMENTS,
  TERMS,
  METHODS,
  PURCHASES,
  LATENCIES,
  DELIVERIES,
]

export const SCHEMA_VERSION = STEPS.length

/** Takes the steps that are still to come, each in a transaction of its own; several processes may try at once. */
export function migrate(db: Database, { to = SCHEMA_VERSION } = {}): void {
  while (schemaVersion(db) < to) {
    const takeNextStep = db.transaction(() => {
      // Asked again under the write lock: another process may have been faster.
      const version = schemaVersion(db)
      if (version >= to) return
      db.run(STEPS[version]!)
      db.run(`PRAGMA user_version = ${version + 1}`)
    })
    takeNextStep.immediate()
  }
}

/** Asks whether every table and index of its version is there. */
export function isComplete(db: Database): boolean {
  using model = new Database(':memory:')
  migrate(model, { to: schemaVersion(db) })
  const present = new Set(schemaNames(db))
  return schemaNames(model).every(name => present.has(name))
}

function schemaNames(db: Database): string[] {
  using statement = db.prepare('SELECT name FROM sqlite_schema')
  return statement.values().map(([name]) => name as string)
}

export function schemaVersion(db: Database): number {
  return readNumber(db, 'PRAGMA user_version')
}

/** The one number that a statement answers. */
export function readNumber(db: Database, sql: string): number {
  using statement = db.prepare(sql)
  return statement.values()[0]?.[0] as number
}
