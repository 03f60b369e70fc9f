import { type BudgetTable, findSpent, latestEnd, PRUNED_AT_ONCE } from '../budgets.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createBudgetTable(session: SqliteSession): BudgetTable {
  const find = session.prepare(
    'SELECT ends_at, spent FROM budgets WHERE name = ?1 AND ends_at > ?2 AND ends_at <= ?3',
  )
  const put = session.prepare(
    `INSERT INTO budgets (name, ends_at, spent) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET ends_at = excluded.ends_at, spent = excluded.spent`,
  )
  const prune = session.prepare(
    `DELETE FROM budgets WHERE name IN
       (SELECT name FROM budgets WHERE ends_at <= ? ORDER BY ends_at LIMIT ${PRUNED_AT_ONCE})`,
  )

  return {
    take: (budgets, now, windowMs) =>
      session.write(() => {
        const nowMs = now.getTime()
        const rows = new Map(
          budgets.flatMap(({ name }) =>
            rowsOf(find, name, nowMs, latestEnd(nowMs, windowMs)).map(row => {
              const [endsAtMs, spent] = row as [number, number]
              return [name, { endsAtMs, spent }] as const
            }),
          ),
        )
        const spent = findSpent(budgets, rows)
        if (spent) return spent
        for (const { name } of budgets) {
          const row = rows.get(name)
          put.run(name, row?.endsAtMs ?? nowMs + windowMs, (row?.spent ?? 0) + 1)
        }
        prune.run(nowMs)
        return undefined
      }),
  }
}
