import type { CensusDay } from '../../domain/census.ts'
import { type CensusTable, toUnmet } from '../census.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createCensusTable(session: SqliteSession): CensusTable {
  const put = session.prepare('INSERT OR REPLACE INTO census_days (day, census) VALUES (?, ?)')
  const before = session.prepare('SELECT census FROM census_days WHERE day < ? ORDER BY day DESC LIMIT ?')
  const putUnmet = session.prepare(
    `INSERT INTO unmet_searches (day, words, callers) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET callers = max(callers, excluded.callers)`,
  )
  const unmet = session.prepare(
    `SELECT words, count(*), max(callers) FROM unmet_searches WHERE day >= ? AND day < ?
     GROUP BY words ORDER BY max(callers) DESC, count(*) DESC, words LIMIT ?`,
  )
  const prune = session.prepare('DELETE FROM unmet_searches WHERE day < ?')
  return {
    async put(census) {
      await session.write(() => put.run(census.day, JSON.stringify(census)))
    },
    before: (day, limit) =>
      session.read(() =>
        rowsOf(before, day, limit).map(([census]) => JSON.parse(census as string) as CensusDay),
      ),
    async putUnmet(day, searches) {
      await session.write(() => {
        for (const { words, callers } of searches) putUnmet.run(day, words, callers)
      })
    },
    unmet: (from, to, limit) => session.read(() => rowsOf(unmet, from, to, limit).map(toUnmet)),
    async pruneUnmet(day) {
      await session.write(() => prune.run(day))
    },
  }
}
