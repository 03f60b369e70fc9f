// What processes on a store share for a time: leases on roles, and rate budgets.
import type { Query, Session } from './session.ts'

export type Lease = {
  /** Unique to a process, or to a part of one. */
  readonly holder: string
  readonly endsAt: Date
  /** State that other processes read and the next holder continues from. */
  readonly note: string
}

export type LeaseTerms = {
  readonly holder: string
  readonly now: Date
  readonly leaseMs: number
  readonly note: string
}

export interface LeaseTable {
  /** The stored lease, ended or not; undefined if it was never taken. */
  find(name: string): Promise<Lease | undefined>
  /**
   * Takes or renews the lease. One that has ended is free, and so is one that ends later than it can: the clock was ahead and has been
   * set back. Resolves to false if another holder has it. A lease of 0 ms releases it.
   */
  take(name: string, terms: LeaseTerms): Promise<boolean>
}

const TAKE = `
  INSERT INTO leases (name, holder, ends_at, note) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at, note = excluded.note
    WHERE leases.holder = excluded.holder OR leases.ends_at <= $5 OR leases.ends_at > $6`

export const createLeaseTable = (session: Session): LeaseTable => ({
  find: name =>
    session.read(async query => {
      const sql = 'SELECT holder, ends_at, note FROM leases WHERE name = $1'
      const [row] = await query<[string, number, string]>(sql, [name])
      return row && { holder: row[0], endsAt: new Date(row[1]), note: row[2] }
    }),
  take: (name, terms) => session.run(query => takeLease(query, name, terms)),
})

/** `LeaseTable.take` inside the caller's transaction. */
export async function takeLease(
  query: Query,
  name: string,
  { holder, now, leaseMs, note }: LeaseTerms,
): Promise<boolean> {
  const nowMs = now.getTime()
  const latestMs = leaseMs > 0 ? nowMs + 2 * leaseMs : Number.MAX_SAFE_INTEGER
  return (await query(TAKE, [name, holder, nowMs + leaseMs, note, nowMs, latestMs])).count > 0
}

// Rate budgets for what callers cause: outgoing requests, and what they store.

export type Budget = {
  /** What is limited, such as an address. */
  readonly name: string
  /** Requests per window. */
  readonly most: number
  /** How much is taken; 0 only looks. Default: 1. */
  readonly amount?: number
}

export interface BudgetTable {
  /**
   * Takes from each of the budgets, or from none if any is spent; resolves to the first spent one, with the end of its window.
   * A window begins with its first take. Also deletes some ended windows.
   */
  take(budgets: readonly Budget[], now: Date, windowMs: number): Promise<SpentBudget | undefined>
}

export type SpentBudget = { readonly name: string; readonly until: Date }

/** Ended rows deleted per call. */
const PRUNE = `
  DELETE FROM budgets WHERE name IN (SELECT name FROM budgets WHERE ends_at <= $1 ORDER BY ends_at LIMIT 200)`

const FIND_BUDGET = 'SELECT ends_at, spent FROM budgets WHERE name = $1 AND ends_at > $2'
const PUT_BUDGET = `
  INSERT INTO budgets (name, ends_at, spent) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at, spent = excluded.spent`

export const createBudgetTable = (session: Session): BudgetTable => ({
  // Under the write lock: two concurrent calls must not both take the last one.
  take: (budgets, now, windowMs) =>
    session.write(
      budgets.map(({ name }) => `budget ${name}`),
      async ({ query }) => {
        const nowMs = now.getTime()
        const windows = await Promise.all(
          budgets.map(async budget => {
            const [row] = await query<[number, number]>(FIND_BUDGET, [budget.name, nowMs])
            return { ...budget, endsAtMs: row?.[0] ?? nowMs + windowMs, spent: row?.[1] ?? 0 }
          }),
        )
        const full = windows.find(({ spent, most }) => spent >= most)
        if (full) return { name: full.name, until: new Date(full.endsAtMs) }
        await Promise.all(
          windows.map(async ({ name, endsAtMs, spent, amount = 1 }) => {
            if (amount > 0) await query(PUT_BUDGET, [name, endsAtMs, spent + amount])
          }),
        )
        await query(PRUNE, [nowMs])
        return undefined
      },
    ),
})
