// What an engine that speaks the language of PostgreSQL may lack. It is found out once, at the start; all goes on without it.
import { isKind } from './errors.ts'
import type { PostgresLink } from './link.ts'

export const CHANNEL = 'shirube_seq'

export type Capabilities = {
  /** Tells other processes of a commit at once; without it they ask every second. */
  readonly canNotify: boolean
  /** Knows which history it writes; without it a standby that lacks the last commits is not noticed after its promotion. */
  readonly knowsTimeline: boolean
}

/** The history that the server is writing: PostgreSQL counts one up at every promotion and every restore to a moment. */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** Not supported, no such statement, no such function, and none that this user may call. */
const LACKING = ['0A000', '42601', '42883', '42501', '42704']

export const isLacking = (error: unknown): boolean => LACKING.some(state => isKind(error, state))

export async function findCapabilities(link: PostgresLink): Promise<Capabilities> {
  const has = async (...statements: readonly string[]): Promise<boolean> => {
    try {
      for (const statement of statements) await link.query(statement)
      return true
    } catch (error) {
      // A standby that waits for its promotion refuses for the moment alone: it will have what PostgreSQL has.
      if (isLacking(error)) return false
      if (isKind(error, '25006') || isKind(error, '55000')) return true
      throw error
    }
  }
  return {
    canNotify: await has(`LISTEN ${CHANNEL}`, `SELECT pg_notify('${CHANNEL}', '0')`, `UNLISTEN ${CHANNEL}`),
    knowsTimeline: await has(`SELECT ${TIMELINE}`),
  }
}

export function toLackingSentences({ canNotify, knowsTimeline }: Capabilities): string[] {
  return [
    ...(canNotify
      ? []
      : ['It has no notifications: what other processes write is found by asking every second.']),
    ...(knowsTimeline
      ? []
      : ['It does not tell its timeline: after a failover, commits that were lost may still be shown.']),
  ]
}
