import { type BudgetTable, findSpent, latestEnd, PRUNED_AT_ONCE } from '../budgets.ts'
import type { PostgresSession } from './session.ts'

const FIND = `
  SELECT name, ends_at, spent FROM budgets
  WHERE name IN (SELECT json_array_elements_text($1::text::json)) AND ends_at > $2 AND ends_at <= $3`

const PUT = `
  INSERT INTO budgets (name, ends_at, spent) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at, spent = excluded.spent`

const PRUNE = `
  DELETE FROM budgets WHERE name IN
    (SELECT name FROM budgets WHERE ends_at <= $1 ORDER BY ends_at LIMIT ${PRUNED_AT_ONCE})`

export const createBudgetTable = (session: PostgresSession): BudgetTable => ({
  // Under the write lock: two concurrent calls must not both take the last one.
  take: (budgets, now, windowMs) =>
    session.write(
      budgets.map(({ name }) => `budget ${name}`),
      async ({ query }) => {
        const nowMs = now.getTime()
        const names = JSON.stringify(budgets.map(({ name }) => name))
        const windows = await query(FIND, [names, nowMs, latestEnd(nowMs, windowMs)])
        const rows = new Map(
          windows.map(row => {
            const [name, endsAtMs, spent] = row as unknown as [string, number, number]
            return [name, { endsAtMs, spent }] as const
          }),
        )
        const spent = findSpent(budgets, rows)
        if (spent) return spent
        for (const { name } of budgets) {
          const row = rows.get(name)
          await query(PUT, [name, row?.endsAtMs ?? nowMs + windowMs, (row?.spent ?? 0) + 1])
        }
        await query(PRUNE, [nowMs])
        return undefined
      },
    ),
})
