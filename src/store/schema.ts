// The tables, once for both engines, as SQLite writes them: PostgreSQL gets them with its own names of types.
// From the first release on a step is never edited; a change is a new step at the end of `STEPS`.
import { DirectoryError } from '../domain/errors.ts'
import { TRUST_FORMULA } from '../domain/standing/trust.ts'
import { verbatim } from '../messages/message.ts'

// The entry is one JSON text: a start may read a million of them, and one value per row is the fastest to read. JSON is text in every
// table, because text stores all that a provider can send, as the types for JSON of PostgreSQL do not (U+0000). What statements filter
// by has a column of its own.
const SERVICES = `
  CREATE TABLE services (
    seq        INTEGER PRIMARY KEY,
    object_seq INTEGER NOT NULL,
    id         TEXT    NOT NULL UNIQUE,
    entry      TEXT,   -- null: removed
    followed   TEXT,   -- address of the source that it follows
    payee      TEXT,   -- address that it is paid at, in lower case
    owner      TEXT,
    endpoint   TEXT,   -- of a removed entry, if a client is to be warned of it
    removed_by TEXT    -- the source that removed it; null: it was removed here
  ) STRICT;
  CREATE INDEX services_by_source ON services (followed, id) WHERE followed IS NOT NULL;
  CREATE INDEX services_by_payee ON services (payee) WHERE payee IS NOT NULL;

  CREATE TABLE embeddings (
    service_id TEXT NOT NULL PRIMARY KEY,
    embedding  BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Tombstones are blank, so removed sellers are recognised by a hash.
  CREATE TABLE removed_sellers (
    hash TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

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

// One row. A restore leaves a gap before the next number. It is stored apart from the last number, which stays that of a row.
const HISTORY = `
  CREATE TABLE counter (
    seq      INTEGER NOT NULL,
    event    INTEGER NOT NULL,
    gap      INTEGER NOT NULL,
    timeline TEXT    NOT NULL -- that of the server, or '' before the first write
  ) STRICT;
  INSERT INTO counter VALUES (0, 0, 0, '');

  CREATE TABLE timelines (
    number      INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    fork_seq    INTEGER NOT NULL,
    start_seq   INTEGER NOT NULL,
    fork_event  INTEGER NOT NULL,
    start_event INTEGER NOT NULL
  ) STRICT;

  -- Where a promoted standby lacked the last commits.
  CREATE TABLE forks (
    base_seq INTEGER PRIMARY KEY,
    next_seq INTEGER NOT NULL
  ) STRICT;`

// A day outlives its probes: it is updated with each of them, so that pruning probes loses no sum. Former probes, from before a move,
// stay in the history and no longer count.
const PROBES = `
  CREATE TABLE probes (
    service_id  TEXT    NOT NULL,
    at          TEXT    NOT NULL,
    outcome     TEXT    NOT NULL,
    http_status INTEGER,
    latency_ms  REAL,
    price_seen  TEXT,
    as_listed   INTEGER NOT NULL,
    reasons     TEXT    NOT NULL,
    former      INTEGER NOT NULL,
    PRIMARY KEY (service_id, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX probes_by_age ON probes (at);

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
  ) STRICT;

  CREATE TABLE terms (
    service_id TEXT NOT NULL PRIMARY KEY,
    seen_at    TEXT NOT NULL,
    terms      TEXT NOT NULL
  ) STRICT;

  CREATE TABLE probe_schedule (
    service_id   TEXT    NOT NULL PRIMARY KEY,
    due_at       INTEGER NOT NULL,
    drawn_at     INTEGER, -- if it is not due_at
    requested_at INTEGER,
    used_until   INTEGER, -- by requested probes
    lease        TEXT,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX probe_schedule_by_due ON probe_schedule (due_at, service_id);
  CREATE INDEX probe_schedule_by_lease ON probe_schedule (lease) WHERE lease IS NOT NULL;`

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
    method     TEXT    NOT NULL,
    service_id TEXT,
    PRIMARY KEY (chain, tx_hash, log_index)
  ) STRICT;
  CREATE INDEX payments_by_payee ON payments (chain, payee, block, log_index, tx_hash);
  CREATE INDEX payments_by_payer ON payments (chain, payer, payee);
  CREATE INDEX payments_by_service ON payments (service_id, at) WHERE service_id IS NOT NULL;

  CREATE TABLE payment_totals (
    service_id      TEXT    NOT NULL PRIMARY KEY,
    tx_count        INTEGER NOT NULL,
    total_revenue   TEXT    NOT NULL,
    payers          INTEGER NOT NULL,
    last_payment_at TEXT
  ) STRICT, WITHOUT ROWID;

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

  CREATE TABLE chain_cursors (
    chain TEXT    NOT NULL PRIMARY KEY,
    block INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE chain_payees (
    chain     TEXT    NOT NULL,
    address   TEXT    NOT NULL,
    side      TEXT    NOT NULL,
    read_from INTEGER NOT NULL,
    goal      INTEGER NOT NULL,
    plan      TEXT    NOT NULL,
    PRIMARY KEY (chain, address, side)
  ) STRICT, WITHOUT ROWID;`

// One purchase per purpose, except released ones, for which nothing was paid; one report per payment.
const PURCHASES = `
  CREATE TABLE purchases (
    id           TEXT    NOT NULL PRIMARY KEY,
    source       TEXT    NOT NULL,
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
    detail       TEXT    NOT NULL,
    payee        TEXT    NOT NULL,
    place        TEXT    NOT NULL,
    listed_place TEXT    NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX purchases_by_purpose ON purchases (purpose) WHERE state <> 'released';
  CREATE INDEX purchases_by_age ON purchases (at) WHERE source = 'operator';
  CREATE INDEX purchases_by_service ON purchases (service_id, source, id) WHERE service_id IS NOT NULL;
  CREATE INDEX purchases_by_payee ON purchases (payee, id) WHERE source = 'operator';
  CREATE INDEX purchases_open ON purchases (id) WHERE state IN ('reserved', 'signed');`

const CALLERS = `
  CREATE TABLE api_keys (
    id           TEXT NOT NULL PRIMARY KEY,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    scopes       TEXT NOT NULL,
    wallet       TEXT,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX api_keys_by_wallet ON api_keys (wallet) WHERE wallet IS NOT NULL;

  CREATE TABLE challenges (
    nonce      TEXT NOT NULL PRIMARY KEY,
    message    TEXT NOT NULL,
    address    TEXT NOT NULL,
    wallet     TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX challenges_by_age ON challenges (expires_at);

  CREATE TABLE sessions (
    hash       TEXT NOT NULL PRIMARY KEY,
    sealed     TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_age ON sessions (expires_at);

  CREATE TABLE idempotency_keys (
    caller      TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    entries     TEXT    NOT NULL,
    PRIMARY KEY (caller, key)
  ) STRICT;
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);

  -- One open report per reporter and service.
  CREATE TABLE reports (
    id          TEXT NOT NULL PRIMARY KEY,
    service_id  TEXT NOT NULL,
    kind        TEXT NOT NULL,
    text        TEXT NOT NULL,
    reporter    TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    resolved_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX reports_open ON reports (service_id, reporter) WHERE resolved_at IS NULL;

  CREATE TABLE webhooks (
    id           TEXT    NOT NULL PRIMARY KEY,
    owner        TEXT    NOT NULL,
    secret       TEXT    NOT NULL,
    draft        TEXT    NOT NULL,
    created_at   TEXT    NOT NULL,
    cursor       INTEGER NOT NULL,
    due_at       INTEGER,
    confirmed_at TEXT,
    failures     INTEGER NOT NULL,
    progress     TEXT    NOT NULL,
    lease        TEXT,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_by_owner ON webhooks (owner);
  CREATE INDEX webhooks_by_due ON webhooks (due_at, id);`

const PROCESSES = `
  CREATE TABLE sources (
    url          TEXT NOT NULL PRIMARY KEY,
    state        TEXT NOT NULL,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE source_entries (
    url TEXT NOT NULL,
    id  TEXT NOT NULL,
    PRIMARY KEY (url, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE leases (
    name    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL,
    note    TEXT    NOT NULL
  ) STRICT;

  CREATE TABLE budgets (
    name    TEXT    NOT NULL PRIMARY KEY,
    ends_at INTEGER NOT NULL,
    spent   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX budgets_by_end ON budgets (ends_at);`

// What operators do: what they hide, and a log of every act.
const OPERATING = `
  ALTER TABLE sources ADD COLUMN paused_at TEXT;

  CREATE TABLE hidden (
    kind  TEXT NOT NULL, -- service, wallet or host
    value TEXT NOT NULL,
    why   TEXT NOT NULL,
    who   TEXT NOT NULL,
    at    TEXT NOT NULL,
    PRIMARY KEY (kind, value)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE acts (
    id    TEXT NOT NULL PRIMARY KEY,
    at    TEXT NOT NULL,
    who   TEXT NOT NULL,
    act   TEXT NOT NULL,
    about TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;`

/** What the holder of a key may use, as JSON; null: everything. */
const POLICIES = 'ALTER TABLE api_keys ADD COLUMN policy TEXT;'

/** The formula of all trust scores. Those of an earlier program are recomputed when the store is opened; a new store has none. */
const FORMULA = `
  ALTER TABLE counter ADD COLUMN formula INTEGER NOT NULL DEFAULT 0;
  UPDATE counter SET formula = ${TRUST_FORMULA} WHERE seq = 0;`

// One row for each payment that an agent reserved.
const SPENDING = `
  CREATE TABLE spending (
    agent      TEXT    NOT NULL, -- the id of its key
    id         TEXT    NOT NULL,
    day        TEXT    NOT NULL,
    at         TEXT    NOT NULL,
    expires_at TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    reserved   INTEGER NOT NULL,
    micro_usd  INTEGER NOT NULL,
    seller     TEXT    NOT NULL,
    service_id TEXT,
    url        TEXT    NOT NULL,
    chain      TEXT    NOT NULL,
    asset      TEXT    NOT NULL,
    pay_to     TEXT    NOT NULL,
    scheme     TEXT    NOT NULL,
    amount     TEXT    NOT NULL,
    tx_hash    TEXT,
    log_index  INTEGER,          -- of the settlement on chain; null: it is only reported
    PRIMARY KEY (agent, id)
  ) STRICT;
  CREATE INDEX spending_by_day ON spending (day, agent);
  CREATE INDEX spending_by_transaction ON spending (chain, tx_hash) WHERE tx_hash IS NOT NULL;`

// Services, wallets and hosts under a name. What is hidden is one of these.
const COLLECTIONS = `
  CREATE TABLE collections (
    name  TEXT NOT NULL, -- or the URL of the source that is followed
    kind  TEXT NOT NULL, -- service, wallet or host
    value TEXT NOT NULL,
    why   TEXT NOT NULL,
    who   TEXT NOT NULL,
    at    TEXT NOT NULL,
    PRIMARY KEY (name, kind, value)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO collections SELECT 'hidden', kind, value, why, who, at FROM hidden;
  DROP TABLE hidden;`

/** For what verdicts were worth: changes of the status over all services. */
const VERDICTS = "CREATE INDEX events_by_status ON events (at) WHERE type = 'status';"

/** The statements that lead to each version from the one before it. */
const STEPS: readonly string[] = [
  SERVICES + HISTORY + PROBES + PAYMENTS + PURCHASES + CALLERS + PROCESSES,
  OPERATING,
  POLICIES,
  FORMULA,
  SPENDING,
  COLLECTIONS,
  VERDICTS,
  'DROP TABLE source_entries;',
  // Purchases are found by the endpoint that is listed.
  'ALTER TABLE purchases DROP COLUMN place; ALTER TABLE purchases RENAME COLUMN listed_place TO place;',
  // Events of these types have no name any more by which they could be sent.
  "DELETE FROM events WHERE type IN ('scheme', 'schema');",
  // What a promoted standby lacks is told by the timelines alone.
  'DROP TABLE forks;',
  // What the next probe requests first; null was the endpoint itself, which it tries without being told.
  `UPDATE judgements SET finding = replace(replace(finding, '"resource":null,', ''), '"resource":', '"firstRequest":');`,
]

/** Versions up to this one were of builds that were never released, and had other tables. */
const UNRELEASED = 100

export const SCHEMA_VERSION = UNRELEASED + STEPS.length

/** All tables, with the columns by which a copy reads them: those of the primary key. */
export const TABLES: readonly { readonly name: string; readonly key: readonly string[] }[] = [
  ...STEPS.join('').matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\) STRICT/g),
]
  .filter(([, name]) => !STEPS.some(step => step.includes(`DROP TABLE ${name};`)))
  .map(([, name, columns]) => ({
    name: name!,
    key: /PRIMARY KEY \((.*)\)/.exec(columns!)?.[1]?.split(', ') ??
      /(\w+)[^,]* PRIMARY KEY/.exec(columns!)?.slice(1) ?? ['seq'],
  }))

/** Whether there is something to bring to this version. */
export const isEarlier = (version: number): boolean => version > 0 && version < SCHEMA_VERSION

/** The steps from a version on, each with the version that it leads to. @param version 0: a new database */
export function stepsFrom(version: number): { readonly to: number; readonly sql: string }[] {
  return STEPS.map((sql, index) => ({ to: UNRELEASED + 1 + index, sql })).filter(({ to }) => to > version)
}

/** @throws DirectoryError `store_unavailable` if this program cannot read the version */
export function checkVersion(version: number, database: string): void {
  const refuse = (why: string) => new DirectoryError('store_unavailable', verbatim(`${database} ${why}.`))
  if (version > SCHEMA_VERSION)
    throw refuse('was written by a newer version of this program; start that version or a later one')
  if (version > 0 && version <= UNRELEASED)
    throw refuse(
      'was written by an earlier build that was never released; export its services with that build, and import them into a new database',
    )
}

/** Called once the tables of an earlier version were brought to this one, with the copy of what was before. */
export type OnUpgraded = (versions: { from: number; to: number; copy?: string }) => void
