// The schema, as forward-only migration steps. A released step is never edited; a change is a new step at the end.
import { Database } from 'bun:sqlite'
import { memoize } from '../../memory/memoize.ts'
import { EVENTS, JUDGEMENTS, KEYS, PAYMENTS, PROBES, SERVICES } from './first-tables.ts'
import {
  CENSUS,
  CLAIMS,
  CONSENT,
  DELIVERIES,
  DUE_TIMES,
  EMBEDDINGS,
  HIDING,
  HOMES,
  HOST_TURNS,
  LATENCIES,
  LEASES,
  MESSAGES,
  METHODS,
  MOVES,
  OUTLETS,
  PROOFS,
  PURCHASES,
  RAISED_PRICES,
  REPORTED_OUTCOMES,
  REPORTS,
  SAMPLE_STANDINGS,
  SEEN,
  SETTLEMENTS,
  SOURCES,
  TERMS,
  TIMELINES,
  WALLETS,
  WEBHOOKS,
  WORDINGS,
} from './later-steps.ts'
import { addPurchasePlaces } from './purchase-places-step.ts'

/** Marks a file as ours in its header ("SHRB"), so that a start never writes into a foreign database. */
export const APPLICATION_ID = 0x53_48_52_42

/** SQL statements, or a function. */
type Step = string | ((db: Database) => void)

const STEPS: readonly Step[] = [
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
  REPORTED_OUTCOMES,
  DUE_TIMES,
  addPurchasePlaces,
  CENSUS,
  WORDINGS,
  SAMPLE_STANDINGS,
  RAISED_PRICES,
]

export const SCHEMA_VERSION = STEPS.length

/** Runs the pending steps, each in its own transaction; safe to call from several processes at once. */
export function migrate(db: Database, { to = SCHEMA_VERSION } = {}): void {
  while (schemaVersion(db) < to) {
    const takeNextStep = db.transaction(() => {
      // Read again under the write lock: another process may have been faster.
      const version = schemaVersion(db)
      if (version >= to) return
      const step = STEPS[version]!
      if (typeof step === 'string') db.run(step)
      else step(db)
      db.run(`PRAGMA user_version = ${version + 1}`)
    })
    takeNextStep.immediate()
  }
}

/** Whether every table and index of its version exists. */
export function isComplete(db: Database): boolean {
  const present = new Set(schemaNames(db))
  return namesOf(String(schemaVersion(db))).every(name => present.has(name))
}

const namesOf = memoize(STEPS.length, version => {
  using model = new Database(':memory:')
  migrate(model, { to: Number(version) })
  return schemaNames(model)
})

function schemaNames(db: Database): string[] {
  using statement = db.prepare('SELECT name FROM sqlite_schema')
  return statement.values().map(([name]) => name as string)
}

export function schemaVersion(db: Database): number {
  return readNumber(db, 'PRAGMA user_version')
}

/** Runs a statement that returns one number. */
export function readNumber(db: Database, sql: string): number {
  using statement = db.prepare(sql)
  return statement.values()[0]?.[0] as number
}
