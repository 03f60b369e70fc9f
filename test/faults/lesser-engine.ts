// Makes of PostgreSQL an engine that can do less, on the way to it.
import type { Alter } from './tcp-proxy.ts'

/** What other engines lack, under names of the same length that PostgreSQL lacks as well: it refuses them in its own words. */
const UNKNOWN = {
  'LISTEN shirube_seq': 'LISTEM shirube_seq',
  'pg_notify(': 'pg_nolify(',
  'pg_walfile_name(': 'pg_walfile_mane(',
  'pg_advisory_xact_lock(': 'pg_advisory_xact_rock(',
}
export const forget = (): Alter => chunk => {
  const text = chunk.toString('latin1')
  const altered = Object.entries(UNKNOWN).reduce(
    (all, [known, unknown]) => all.replaceAll(known, unknown),
    text,
  )
  return Buffer.from(altered, 'latin1')
}
