// Optional features that a PostgreSQL-compatible engine may lack. They are detected once at the start; the store works without them.
import { isKind } from './errors.ts'
import type { PostgresLink } from './link.ts'

export const CHANNEL = 'shirube_seq'

export type Capabilities = {
  /** Notifies other processes of a commit at once; without it they poll every second. */
  readonly canNotify: boolean
  /** Reports its timeline; without it, the promotion of a standby that lacks the last commits is not detected. */
  readonly knowsTimeline: boolean
}

/** The server's timeline id: PostgreSQL increments it at every promotion and every point-in-time recovery. */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** SQLSTATEs: feature not supported, syntax error, undefined function, insufficient privilege, undefined object. */
const LACKING = ['0A000', '42601', '42883', '42501', '42704']

export const isLacking = (error: unknown): boolean => LACKING.some(state => isKind(error, state))

export async function findCapabilities(link: PostgresLink): Promise<Capabilities> {
  const has = async (...statements: readonly string[]): Promise<boolean> => {
    try {
      for (const statement of statements) await link.query(statement)
      return true
    } catch (error) {
      // A standby before its promotion refuses these only temporarily; as PostgreSQL it has both.
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
      : ['It has no notifications: writes of other processes are found by polling every second.']),
    ...(knowsTimeline
      ? []
      : ['It does not report its timeline: after a failover, lost commits may still be shown.']),
  ]
}
