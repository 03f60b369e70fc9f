// The tables of the first versions: entries, events, probes, keys and payments.

// An entry is JSON in one column: a start may read a million of them, and one value per row is the fastest to read. The type json
// preserves every character that a provider can send; text and jsonb cannot hold U+0000.
// Text is compared by bytes (COLLATE "C"), whatever the locale of the database, because ids and times require it.
export const SERVICES = `
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

export const EVENTS = `
  CREATE TABLE events (
    number     bigint PRIMARY KEY,
    seq        bigint NOT NULL,
    service_id text COLLATE "C" NOT NULL,
    at         text COLLATE "C" NOT NULL,
    event      json NOT NULL
  );
  CREATE INDEX events_by_service ON events (service_id, number);`

export const PROBES = `
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

export const KEYS = `
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

export const PAYMENTS = `
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
