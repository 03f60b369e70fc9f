// Later migration steps. A released step is never edited. Some names are older than the words of the code: docs/decisions.md lists them
// under "Database files".

export const WALLETS = `
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

export const WEBHOOKS = `
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

export const SOURCES = `
  ALTER TABLE services ADD COLUMN followed text COLLATE "C";
  COMMENT ON COLUMN services.followed IS 'address of the source that it follows';
  CREATE INDEX services_by_source ON services (followed, id) WHERE followed IS NOT NULL;

  CREATE TABLE sync_sources (
    url          text COLLATE "C" PRIMARY KEY,
    state        json NOT NULL,
    leased_until bigint
  );`

// Tombstones are blank, so removed sellers are recognised by a hash. No index expression reads `entry`: the engine fails on JSON that
// contains U+0000.
export const OUTLETS = `
  ALTER TABLE services ADD COLUMN payee text COLLATE "C";
  COMMENT ON COLUMN services.payee IS 'address that it is paid at, in small letters';
  UPDATE services SET payee = lower(substring(entry::text from '"paymentAddress":"([^"]*)"'));
  CREATE INDEX services_by_payee ON services (payee) WHERE payee IS NOT NULL;

  CREATE TABLE removed_outlets (
    outlet text COLLATE "C" PRIMARY KEY
  );`

export const LEASES = `
  ALTER TABLE probe_schedule ADD COLUMN lease text COLLATE "C";
  CREATE INDEX probe_schedule_by_lease ON probe_schedule (lease) WHERE lease IS NOT NULL;

  CREATE TABLE leases (
    name    text COLLATE "C" PRIMARY KEY,
    holder  text COLLATE "C" NOT NULL,
    ends_at bigint NOT NULL,
    note    text NOT NULL
  );`

/** Embeddings, not compressed: they are practically random, and are read at every start. */
export const EMBEDDINGS = `
  CREATE TABLE gists (
    service_id text COLLATE "C" PRIMARY KEY,
    gist       bytea NOT NULL
  );
  ALTER TABLE gists ALTER COLUMN gist SET STORAGE EXTERNAL;`

export const HOST_TURNS = `
  CREATE TABLE host_turns (
    host    text COLLATE "C" PRIMARY KEY,
    holder  text COLLATE "C" NOT NULL,
    ends_at bigint NOT NULL
  );
  CREATE INDEX host_turns_by_end ON host_turns (ends_at);`

/** Snapshots only speed up a start: not logged, not replicated, and not compressed, as the parts are compressed already. */
export const CATALOG_IMAGES = `
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

/** Probes from before a move stay in the history and no longer count. */
export const MOVES = 'ALTER TABLE probes ADD COLUMN former boolean NOT NULL DEFAULT false;'

export const CLAIMS = `
  ALTER TABLE services ADD COLUMN removed_by json;
  COMMENT ON COLUMN services.removed_by IS 'the source that removed it; null: it was removed here';`

// A receiver without a challenge so far is challenged first; its cursor stays, so that no event is lost meanwhile.
export const CONSENT = `
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

// A restore leaves a gap before the next number. The gap is stored apart from the last number, which stays that of a row.
export const TIMELINES = `
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

export const SEEN = `
  CREATE TABLE sync_seen (
    url text COLLATE "C" NOT NULL,
    id  text COLLATE "C" NOT NULL,
    PRIMARY KEY (url, id)
  );`

export const MESSAGES = `
  COMMENT ON COLUMN events.event IS 'its reason is a message; a string is a sentence from before there were codes';`

// One open report per reporter and service. The column type text cannot hold U+0000, which validation rejects.
export const REPORTS = `
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
 * SQL that resets the sums of services. It matches them as text, as the engine cannot parse every entry; inside a JSON string their
 * quotes would be escaped.
 */
export const toSumsReset = (ids: string): string => `UPDATE services SET entry =
      regexp_replace(entry::text, '"txCount":[0-9]+,"totalRevenue":"[0-9.]*"', '"txCount":0,"totalRevenue":"0"')::json
    WHERE entry IS NOT NULL AND id IN (${ids})`

// Only x402 settlements count, and the stored payments do not state how they were settled, so all are read again, from the same
// block on. A process of an older version can no longer store a payment, as it would omit the method.
export const SETTLEMENTS = `
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

export const TERMS = `
  CREATE TABLE terms (
    service_id text COLLATE "C" PRIMARY KEY,
    seen_at    text COLLATE "C" NOT NULL,
    terms      json NOT NULL
  );`

// One purchase per purpose, except released ones, for which nothing was paid.
export const PURCHASES = `
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

// One report per payment.
export const REPORTED_OUTCOMES = `
  CREATE TABLE outcomes (
    id         text COLLATE "C" PRIMARY KEY,
    service_id text COLLATE "C" NOT NULL,
    at         text COLLATE "C" NOT NULL,
    outcome    text COLLATE "C" NOT NULL,
    proof      text COLLATE "C" NOT NULL,
    payment    text COLLATE "C" NOT NULL,
    payer      text COLLATE "C" NOT NULL,
    chain      text COLLATE "C" NOT NULL,
    tx_hash    text COLLATE "C",
    detail     json NOT NULL
  );
  CREATE UNIQUE INDEX outcomes_by_payment ON outcomes (payment);
  CREATE INDEX outcomes_by_service ON outcomes (service_id, proof, id);`

export const DUE_TIMES = `
  ALTER TABLE probe_schedule ADD COLUMN drawn_at bigint;
  ALTER TABLE probe_schedule ADD COLUMN wished_at bigint;
  ALTER TABLE probe_schedule ADD COLUMN wishes_until bigint;`

// Neither table contains personal data: searches are words that many callers used.
export const CENSUS = `
  CREATE TABLE census_days (
    day    text COLLATE "C" PRIMARY KEY,
    census json NOT NULL
  );
  CREATE TABLE unmet_searches (
    day     text COLLATE "C" NOT NULL,
    words   text COLLATE "C" NOT NULL,
    callers bigint NOT NULL,
    PRIMARY KEY (day, words)
  );`

// Earlier versions gave the samples an invented standing. Catalog snapshots of another version are not read, so no change is logged.
export const SAMPLE_STANDINGS = `
  UPDATE services SET entry = (entry::jsonb || jsonb_build_object(
      'supportedChains', jsonb_build_array(entry->'x402Config'->>'network'),
      'standing', jsonb_build_object('status', 'unverified', 'trustScore', 0, 'uptimeScore', 0,
        'lastChecked', entry->>'createdAt', 'txCount', 0, 'totalRevenue', '0')))::json
    WHERE entry->>'sample' = 'true';`
