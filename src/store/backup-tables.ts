// The backup tables with the same columns in every engine, and how their rows are read and written.
import type { BackupRecord } from './backup.ts'

type ColumnType = 'text' | 'number' | 'json'

export type BackupTable = {
  readonly kind: string
  readonly table: string
  /** In the order of the columns. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The first `keys` columns are the primary key. */
  readonly keys: number
}

const TIMELINES = 'timelines'

const DAY_SUMS = ['up', 'failed', 'refused', 'payable', 'mismatched', 'as_listed', 'fast', 'fair'] as const

/** Entries, events and probes are not among them: their columns differ by engine. */
export const BACKUP_TABLES: readonly BackupTable[] = [
  {
    kind: 'probeDay',
    table: 'probe_days',
    columns: {
      service_id: 'text',
      day: 'text',
      ...(Object.fromEntries(DAY_SUMS.map(name => [name, 'number'])) as Record<string, 'number'>),
      latency_total_ms: 'number',
    },
    keys: 2,
  },
  {
    kind: 'judgement',
    table: 'judgements',
    columns: { service_id: 'text', facts: 'json', finding: 'json' },
    keys: 1,
  },
  {
    kind: 'terms',
    table: 'terms',
    columns: { service_id: 'text', seen_at: 'text', terms: 'json' },
    keys: 1,
  },
  { kind: 'due', table: 'probe_schedule', columns: { service_id: 'text', due_at: 'number' }, keys: 1 },
  {
    kind: 'settlement',
    table: 'payments',
    columns: {
      chain: 'text',
      tx_hash: 'text',
      log_index: 'number',
      block: 'number',
      at: 'text',
      asset: 'text',
      payer: 'text',
      payee: 'text',
      amount: 'text',
      method: 'text',
      service_id: 'text',
    },
    keys: 3,
  },
  {
    kind: 'settlementPayer',
    table: 'payment_payers',
    columns: { service_id: 'text', payer: 'text', tx_count: 'number', amount: 'text' },
    keys: 2,
  },
  {
    kind: 'settlementTotal',
    table: 'payment_totals',
    columns: {
      service_id: 'text',
      tx_count: 'number',
      total_revenue: 'text',
      payers: 'number',
      last_payment_at: 'text',
    },
    keys: 1,
  },
  {
    kind: 'chain',
    table: 'chain_cursors',
    columns: { chain: 'text', block: 'number', hash: 'text', earlier: 'json' },
    keys: 1,
  },
  {
    kind: 'wallet',
    table: 'chain_payees',
    columns: {
      chain: 'text',
      address: 'text',
      side: 'text',
      read_from: 'number',
      goal: 'number',
      plan: 'text',
    },
    keys: 3,
  },
  {
    kind: 'sent',
    table: 'payee_transfers',
    columns: { chain: 'text', payee: 'text', receiver: 'text', block: 'number' },
    keys: 3,
  },
  { kind: 'removedOutlet', table: 'removed_outlets', columns: { outlet: 'text' }, keys: 1 },
  { kind: 'source', table: 'sync_sources', columns: { url: 'text', state: 'json' }, keys: 1 },
  { kind: 'seen', table: 'sync_seen', columns: { url: 'text', id: 'text' }, keys: 2 },
  {
    kind: 'key',
    table: 'api_keys',
    columns: {
      id: 'text',
      name: 'text',
      hash: 'text',
      scopes: 'json',
      wallet: 'text',
      created_at: 'text',
      expires_at: 'text',
      revoked_at: 'text',
      last_used_at: 'text',
    },
    keys: 1,
  },
  {
    kind: 'report',
    table: 'reports',
    columns: {
      id: 'text',
      service_id: 'text',
      report_kind: 'text',
      text: 'text',
      reporter: 'text',
      created_at: 'text',
      resolved_at: 'text',
    },
    keys: 1,
  },
  {
    kind: 'purchase',
    table: 'purchases',
    columns: {
      id: 'text',
      purpose: 'text',
      service_id: 'text',
      host: 'text',
      at: 'text',
      state: 'text',
      micro_usd: 'number',
      chain: 'text',
      asset: 'text',
      pay_to: 'text',
      payer: 'text',
      amount: 'text',
      nonce: 'text',
      valid_before: 'number',
      charged: 'text',
      tx_hash: 'text',
      outcome: 'text',
      detail: 'json',
      payee: 'text',
      place: 'text',
      listed_place: 'text',
    },
    keys: 1,
  },
  {
    kind: 'outcome',
    table: 'outcomes',
    columns: {
      id: 'text',
      service_id: 'text',
      at: 'text',
      outcome: 'text',
      proof: 'text',
      payment: 'text',
      payer: 'text',
      chain: 'text',
      tx_hash: 'text',
      detail: 'json',
    },
    keys: 1,
  },
  {
    kind: 'answer',
    table: 'request_keys',
    columns: {
      caller: 'text',
      key: 'text',
      fingerprint: 'text',
      at: 'number',
      seq: 'number',
      entries: 'json',
    },
    keys: 2,
  },
  {
    kind: 'timeline',
    table: TIMELINES,
    columns: {
      number: 'number',
      id: 'text',
      fork_seq: 'number',
      start_seq: 'number',
      fork_event: 'number',
      start_event: 'number',
    },
    keys: 1,
  },
]

/** A store is empty if all of these tables are. Timelines are left out: a new store already has one. */
export const CONTENT_TABLES: readonly string[] = [
  'services',
  'events',
  'probes',
  ...BACKUP_TABLES.map(({ table }) => table).filter(table => table !== TIMELINES),
]

/** Counts the rows of a backup, without the counter. */
export const COUNT_ROWS = `SELECT ${[
  'services',
  'events',
  'probes',
  ...BACKUP_TABLES.map(({ table }) => table),
]
  .map(table => `(SELECT count(*) FROM ${table})`)
  .join(' + ')}`

/** `service_id` is `serviceId` in the file. */
export const toField = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function toRecord(
  { kind, columns }: BackupTable,
  row: readonly unknown[],
  readJson: (value: unknown) => unknown,
): BackupRecord {
  const fields = Object.entries(columns).map(([column, type], index) => [
    toField(column),
    type === 'json' ? readJson(row[index]) : (row[index] ?? null),
  ])
  return { kind, ...Object.fromEntries(fields) }
}

/** The values of a record in the order of the columns; JSON as text. */
export const toValues = ({ columns }: BackupTable, record: BackupRecord): (string | number | null)[] =>
  Object.entries(columns).map(([column, type]) => {
    const value = record[toField(column)] ?? null
    return type === 'json' ? JSON.stringify(value) : (value as string | number | null)
  })

/** SQL for keyset pagination by the key. @param place writes the nth parameter */
export function toPageQuery({ table, columns, keys }: BackupTable, place: (n: number) => string) {
  const names = Object.keys(columns)
  const key = names.slice(0, keys).join(', ')
  const places = names.slice(0, keys).map((_, index) => place(index + 1))
  const select = (where: string, limit: string) =>
    `SELECT ${names.join(', ')} FROM ${table}${where} ORDER BY ${key} LIMIT ${limit}`
  return {
    first: select('', place(1)),
    next: select(` WHERE (${key}) > (${places.join(', ')})`, place(keys + 1)),
  }
}
