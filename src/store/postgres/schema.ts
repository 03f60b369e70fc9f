// The tables, as forward-only steps: a step that was released is never edited, a change is a new step at the end.

import { DirectoryError } from '../../domain/errors.ts'
import { verbatim } from '../../messages/message.ts'
import { isLacking } from './abilities.ts'
import { isKind } from './errors.ts'
import type { PostgresLink } from './link.ts'

// An entry lies as JSON in one column: a million of them are read at every boot, and one value a row is the fastest to
// read. The type json keeps every character that a provider can send; text cannot hold U+0000, and jsonb refuses it too.
// Words are compared by their bytes, whatever the language of the database, as ids and times need it.
const SERVICES = `
  CREATE TABLE services (
    id         text COLLATE "C" PRIMARY KEY,
    seq        bigint NOT NULL UNIQUE,
    object_seq bigint NOT NULL,
    entry      json
  );
  COMMENT ON COLUMN services.entry IS 'null: removed';

  CREATE TABLE counter (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    seq      bigint NOT NULL,
    event    bigint NOT NULL,
    timeline text NOT NULL -- '': not written to yet
  ) WITH (fillfactor = 10);
  INSERT INTO counter (seq, event, timeline) VALUES (0, 0, '');

  CREATE TABLE forks (
    base_seq bigint PRIMARY KEY,
    next_seq bigint NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
  );`

const EVENTS = `
  CREATE TABLE events (
    number     bigint PRIMARY KEY,
    seq        bigint NOT NULL,
    service_id text COLLATE "C" NOT NULL,
    at         text COLLATE "C" NOT NULL,
    event      json NOT NULL
  );
  CREATE INDEX events_by_service ON events (service_id, number);`

const PROBES = `
  CREATE TABLE probes (
    service_id text COLLATE "C" NOT NULL,
    at         text COLLATE "C" NOT NULL,
    counts     boolean NOT NULL,
    probe      json NOT NULL,
    PRIMARY KEY (service_id, at)
  );
  CREATE INDEX probes_by_age ON probes (at);

  CREATE TABLE probe_days (
    service_id       text COLLATE "C" NOT NULL,
    day              text COLLATE "C" NOT NULL,
    up               bigint NOT NULL,
    failed           bigint NOT NULL,
    refused          bigint NOT NULL,
    payable          bigint NOT NULL,
    mismatched       bigint NOT NULL,
    as_listed        bigint NOT NULL,
    fast             bigint NOT NULL,
    fair             bigint NOT NULL,
    latency_total_ms bigint NOT NULL,
    PRIMARY KEY (service_id, day)
  );
  CREATE INDEX probe_days_by_age ON probe_days (day);

  CREATE TABLE judgements (
    service_id text COLLATE "C" PRIMARY KEY,
    facts      json NOT NULL,
    finding    json NOT NULL
  );

  CREATE TABLE probe_schedule (
    service_id   text COLLATE "C" PRIMARY KEY,
    due_at       bigint NOT NULL,
    leased_until bigint
  );
  CREATE INDEX probe_schedule_by_due ON probe_schedule (due_at, service_id);`

const KEYS = `
  CREATE TABLE api_keys (
    id           text COLLATE "C" PRIMARY KEY,
    name         text NOT NULL,
    hash         text COLLATE "C" NOT NULL UNIQUE,
    scopes       json NOT NULL,
    created_at   text COLLATE "C" NOT NULL,
    expires_at   text COLLATE "C",
    revoked_at   text COLLATE "C",
    last_used_at text COLLATE "C"
  );

  CREATE TABLE request_keys (
    caller      text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    at          bigint NOT NULL,
    seq         bigint NOT NULL,
    entries     json NOT NULL,
    PRIMARY KEY (caller, key)
  );
  CREATE INDEX request_keys_by_age ON request_keys (at);`

const PAYMENTS = `
  CREATE TABLE payments (
    chain      text COLLATE "C" NOT NULL,
    tx_hash    text COLLATE "C" NOT NULL,
    log_index  bigint NOT NULL,
    block      bigint NOT NULL,
    at         text COLLATE "C" NOT NULL,
    asset      text COLLATE "C" NOT NULL,
    payer      text COLLATE "C" NOT NULL,
    payee      text COLLATE "C" NOT NULL,
    amount     text COLLATE "C" NOT NULL,
    service_id text COLLATE "C",
    PRIMARY KEY (chain, tx_hash, log_index)
  );
  CREATE INDEX payments_by_block ON payments (chain, block);
  CREATE INDEX payments_by_payee ON payments (chain, payee, block);
  CREATE INDEX payments_by_payer ON payments (service_id, payer) WHERE service_id IS NOT NULL;

  CREATE TABLE payment_totals (
    service_id      text COLLATE "C" PRIMARY KEY,
    tx_count        bigint NOT NULL,
    total_revenue   text COLLATE "C" NOT NULL,
    payers          bigint NOT NULL,
    last_payment_at text COLLATE "C"
  );

  CREATE TABLE chain_cursors (
    chain   text COLLATE "C" PRIMARY KEY,
    block   bigint NOT NULL,
    hash    text COLLATE "C" NOT NULL,
    earlier json NOT NULL
  );

  CREATE TABLE chain_payees (
    chain     text COLLATE "C" NOT NULL,
    address   text COLLATE "C" NOT NULL,
    read_from bigint NOT NULL,
    goal      bigint NOT NULL,
    PRIMARY KEY (chain, address)
  );`

const WALLETS = `
  ALTER TABLE api_keys ADD COLUMN wallet text COLLATE "C";
  CREATE INDEX api_keys_by_wallet ON api_keys (wallet) WHERE wallet IS NOT NULL;

  CREATE TABLE challenges (
    nonce      text COLLATE "C" PRIMARY KEY,
    message    text NOT NULL,
    address    text COLLATE "C" NOT NULL,
    wallet     text COLLATE "C" NOT NULL,
    expires_at text COLLATE "C" NOT NULL
  );
  CREATE INDEX challenges_by_age ON challenges (expires_at);`

const WEBHOOKS = `
  CREATE TABLE webhooks (
    id           text COLLATE "C" PRIMARY KEY,
    owner        text COLLATE "C" NOT NULL,
    secret       text NOT NULL,
    draft        json NOT NULL,
    created_at   text COLLATE "C" NOT NULL,
    cursor       bigint NOT NULL,
    due_at       bigint,
    progress     json NOT NULL,
    lease        text,
    leased_until bigint
  );
  CREATE INDEX webhooks_by_owner ON webhooks (owner);
  CREATE INDEX webhooks_by_due ON webhooks (due_at, id);`

const SOURCES = `
  ALTER TABLE services ADD COLUMN followed text COLLATE "C";
  COMMENT ON COLUMN services.followed IS 'address of the source that it follows';
  CREATE INDEX services_by_source ON services (followed, id) WHERE followed IS NOT NULL;

  CREATE TABLE sync_sources (
    url          text COLLATE "C" PRIMARY KEY,
    state        json NOT NULL,
    leased_until bigint
  );`

// Removed rows are blank, so what was removed is known by a hash of where it was sold. No expression reads the entries: the engine
// cannot look into one that holds U+0000 anywhere.
const OUTLETS = `
  ALTER TABLE services ADD COLUMN payee text COLLATE "C";
  COMMENT ON COLUMN services.payee IS 'address that it is paid at, in small letters';
  UPDATE services SET payee = lower(substring(entry::text from '"paymentAddress":"([^"]*)"'));
  CREATE INDEX services_by_payee ON services (payee) WHERE payee IS NOT NULL;

  CREATE TABLE removed_outlets (
    outlet text COLLATE "C" PRIMARY KEY
  );`

const LEASES = `
  ALTER TABLE probe_schedule ADD COLUMN lease text COLLATE "C";
  CREATE INDEX probe_schedule_by_lease ON probe_schedule (lease) WHERE lease IS NOT NULL;

  CREATE TABLE leases (
    name    text COLLATE "C" PRIMARY KEY,
    holder  text COLLATE "C" NOT NULL,
    ends_at bigint NOT NULL,
    note    text NOT NULL
  );`

/** Embeddings, not packed: one is as good as random, and is read at every start. */
const EMBEDDINGS = `
  CREATE TABLE gists (
    service_id text COLLATE "C" PRIMARY KEY,
    gist       bytea NOT NULL
  );
  ALTER TABLE gists ALTER COLUMN gist SET STORAGE EXTERNAL;`

const HOST_TURNS = `
  CREATE TABLE host_turns (
    host    text COLLATE "C" PRIMARY KEY,
    holder  text COLLATE "C" NOT NULL,
    ends_at bigint NOT NULL
  );
  CREATE INDEX host_turns_by_end ON host_turns (ends_at);`

/** Only ever a shortcut: not logged, not replicated, and not packed, as the parts come packed already. */
const CATALOG_IMAGES = `
  CREATE UNLOGGED TABLE catalog_images (
    id      text COLLATE "C" PRIMARY KEY,
    code    text COLLATE "C" NOT NULL,
    label   json,
    seq     bigint,
    bytes   bigint,
    parts   bigint,
    made_at timestamptz
  );
  COMMENT ON COLUMN catalog_images.parts IS 'null: not whole yet';

  CREATE UNLOGGED TABLE catalog_image_parts (
    image text COLLATE "C" NOT NULL REFERENCES catalog_images ON DELETE CASCADE,
    part  bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (image, part)
  );
  ALTER TABLE catalog_image_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;`

/** What was probed before a move stays in the history and counts no more. */
const MOVES = 'ALTER TABLE probes ADD COLUMN former boolean NOT NULL DEFAULT false;'

const CLAIMS = `
  ALTER TABLE services ADD COLUMN removed_by json;
  COMMENT ON COLUMN services.removed_by IS 'the source that removed it; null: it was removed here';`

// A receiver that was never asked whether it agrees is asked first; what happens meanwhile waits behind its cursor.
const CONSENT = `
  ALTER TABLE webhooks ADD COLUMN confirmed_at text COLLATE "C";
  ALTER TABLE webhooks ADD COLUMN slow boolean NOT NULL DEFAULT false;
  UPDATE webhooks SET progress = (progress::jsonb || '{"networks": []}'::jsonb)::json;
  UPDATE webhooks SET progress = (progress::jsonb || '{"failures": 0, "failingSince": null, "reason": null}'::jsonb)::json
    WHERE due_at IS NOT NULL;

  CREATE TABLE budgets (
    name    text COLLATE "C" PRIMARY KEY,
    ends_at bigint NOT NULL,
    spent   bigint NOT NULL
  );
  CREATE INDEX budgets_by_end ON budgets (ends_at);`

// A restore leaves a gap before the next number: it is kept beside the last one, which thereby stays that of a row.
const TIMELINES = `
  CREATE TABLE timelines (
    number      bigint PRIMARY KEY,
    id          text COLLATE "C" NOT NULL UNIQUE,
    fork_seq    bigint NOT NULL,
    start_seq   bigint NOT NULL,
    fork_event  bigint NOT NULL,
    start_event bigint NOT NULL
  );
  INSERT INTO timelines VALUES
    (1, left(md5(random()::text || random()::text || clock_timestamp()::text), 16), 0, 0, 0, 0);

  ALTER TABLE counter ADD COLUMN gap bigint NOT NULL DEFAULT 0;
  UPDATE counter SET gap = seq - (SELECT coalesce(max(seq), 0) FROM services),
    seq = (SELECT coalesce(max(seq), 0) FROM services);`

const SEEN = `
  CREATE TABLE sync_seen (
    url text COLLATE "C" NOT NULL,
    id  text COLLATE "C" NOT NULL,
    PRIMARY KEY (url, id)
  );`

const MESSAGES = `
  COMMENT ON COLUMN events.event IS 'its reason is a message; a string is a sentence from before there were codes';`

// One of a reporter about a service waits at a time. A text cannot hold U+0000, and none is let in.
const REPORTS = `
  CREATE TABLE reports (
    id          text COLLATE "C" PRIMARY KEY,
    service_id  text COLLATE "C" NOT NULL,
    report_kind text COLLATE "C" NOT NULL,
    text        text NOT NULL,
    reporter    text COLLATE "C" NOT NULL,
    created_at  text COLLATE "C" NOT NULL,
    resolved_at text COLLATE "C"
  );
  CREATE UNIQUE INDEX reports_open ON reports (service_id, reporter) WHERE resolved_at IS NULL;`

/**
 * SQL that sets the sums of services to nothing. They are found by their text, as the engine cannot look into every entry; inside a
 * string of JSON their quotes would be escaped.
 */
export const toSumsReset = (ids: string): string => `UPDATE services SET entry =
      regexp_replace(entry::text, '"txCount":[0-9]+,"totalRevenue":"[0-9.]*"', '"txCount":0,"totalRevenue":"0"')::json
    WHERE entry IS NOT NULL AND id IN (${ids})`

// Only x402 settlements count, and what was kept says of no payment how it was settled: all of it is read anew, from as far back as
// before. A process of an older version cannot keep a payment any more, as it would leave out the method.
const SETTLEMENTS = `
  ${toSumsReset('SELECT service_id FROM payment_totals')};
  DELETE FROM payment_totals;

  DELETE FROM payments;
  ALTER TABLE payments ADD COLUMN method text COLLATE "C" NOT NULL;
  DROP INDEX payments_by_payee;
  DROP INDEX payments_by_payer;
  CREATE INDEX payments_by_payee ON payments (chain, payee, block, log_index, tx_hash);
  CREATE INDEX payments_by_payer ON payments (chain, payer, payee);
  CREATE INDEX payments_by_service ON payments (service_id, at) WHERE service_id IS NOT NULL;

  CREATE TABLE payment_payers (
    service_id text COLLATE "C" NOT NULL,
    payer      text COLLATE "C" NOT NULL,
    tx_count   bigint NOT NULL,
    amount     text COLLATE "C" NOT NULL,
    PRIMARY KEY (service_id, payer)
  );

  CREATE TABLE payee_transfers (
    chain    text COLLATE "C" NOT NULL,
    payee    text COLLATE "C" NOT NULL,
    receiver text COLLATE "C" NOT NULL,
    block    bigint NOT NULL,
    PRIMARY KEY (chain, payee, receiver)
  );

  ALTER TABLE chain_payees ADD COLUMN side text COLLATE "C" NOT NULL DEFAULT 'received';
  ALTER TABLE chain_payees ADD COLUMN plan text COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE chain_payees DROP CONSTRAINT chain_payees_pkey;
  ALTER TABLE chain_payees ADD PRIMARY KEY (chain, address, side);
  UPDATE chain_payees SET read_from = block + 1 FROM chain_cursors WHERE chain_cursors.chain = chain_payees.chain;`

const TERMS = `
  CREATE TABLE terms (
    service_id text COLLATE "C" PRIMARY KEY,
    seen_at    text COLLATE "C" NOT NULL,
    terms      json NOT NULL
  );`

// One payment for each purpose, except where nothing was paid.
const PURCHASES = `
  CREATE TABLE purchases (
    id           text COLLATE "C" PRIMARY KEY,
    purpose      text COLLATE "C" NOT NULL,
    service_id   text COLLATE "C",
    host         text COLLATE "C" NOT NULL,
    at           text COLLATE "C" NOT NULL,
    state        text COLLATE "C" NOT NULL,
    micro_usd    bigint NOT NULL,
    chain        text COLLATE "C" NOT NULL,
    asset        text COLLATE "C" NOT NULL,
    pay_to       text COLLATE "C" NOT NULL,
    payer        text COLLATE "C" NOT NULL,
    amount       text COLLATE "C" NOT NULL,
    nonce        text COLLATE "C",
    valid_before bigint,
    charged      text COLLATE "C",
    tx_hash      text COLLATE "C",
    outcome      text COLLATE "C",
    detail       json NOT NULL
  );
  CREATE UNIQUE INDEX purchases_by_purpose ON purchases (purpose) WHERE state <> 'released';
  CREATE INDEX purchases_by_age ON purchases (at);
  CREATE INDEX purchases_by_service ON purchases (service_id, id) WHERE service_id IS NOT NULL;
  CREATE INDEX purchases_open ON purchases (id) WHERE state IN ('reserved', 'signed');`

const STEPS: readonly string[] = [
  SERVICES + EVENTS + PROBES + KEYS + PAYMENTS,
  WALLETS,
  WEBHOOKS,
  SOURCES,
  OUTLETS,
  LEASES,
  EMBEDDINGS,
  HOST_TURNS,
  CATALOG_IMAGES,
  MOVES,
  CLAIMS,
  CONSENT,
  TIMELINES,
  SEEN,
  MESSAGES,
  REPORTS,
  SETTLEMENTS,
  TERMS,
  PURCHASES,
]

export const SCHEMA_VERSION = STEPS.length

/** Any number that no other program takes for a lock in the same database. */
const MIGRATION_LOCK = 0x53_48_52_42
const TABLE_EXISTS = '42P07'

/** Brings the tables up to date; several processes may try at once. @throws DirectoryError `store_unavailable` */
export async function migrate(link: PostgresLink, { to = SCHEMA_VERSION } = {}): Promise<void> {
  if ((await readVersion(link)) >= to) return
  await link.query('BEGIN')
  try {
    // The wait for another process that migrates is not cut short by the limits for ordinary work.
    await link.script('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
    await takeLock(link)
    // Asked again under the lock: another process may have been faster.
    const version = await readVersion(link)
    for (const step of STEPS.slice(version, to)) await link.script(step)
    if (version === 0) await link.script('CREATE TABLE shirube_schema (version integer NOT NULL)')
    await link.script(
      `DELETE FROM shirube_schema; INSERT INTO shirube_schema VALUES (${Math.max(version, to)})`,
    )
    await link.query('COMMIT')
  } catch (error) {
    await link.query('ROLLBACK').catch(() => link.destroy())
    if (!link.dead && (await readVersion(link)) >= to) return
    if (isKind(error, TABLE_EXISTS)) {
      throw new DirectoryError(
        'store_unavailable',
        verbatim('The database was not made by this program; name an empty one.'),
      )
    }
    throw error
  }
}

/** On an engine that has no such lock the tables themselves part the processes: all but one fail, and find the work done. */
async function takeLock(link: PostgresLink): Promise<void> {
  await link.query('SAVEPOINT before_lock')
  try {
    await link.script(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  } catch (error) {
    if (!isLacking(error)) throw error
    await link.query('ROLLBACK TO before_lock')
  }
}

async function readVersion(link: PostgresLink): Promise<number> {
  // By a look into the catalog: to_regclass may answer from before the lock was taken.
  const [found] = await link.query(
    "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'shirube_schema' AND pg_table_is_visible(oid))",
  )
  if (found?.[0] !== true) return 0
  const [row] = await link.query('SELECT version FROM shirube_schema')
  const version = row?.[0] as number
  if (version > SCHEMA_VERSION) {
    throw new DirectoryError(
      'store_unavailable',
      verbatim(
        'The database was written by a newer version of this program; start that version or a later one.',
      ),
    )
  }
  return version
}
