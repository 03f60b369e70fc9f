import type { CensusDay } from '../../domain/census.ts'
import { type CensusTable, toUnmet } from '../census.ts'
import type { PostgresSession } from './session.ts'

// Takes the searches as one JSON array, so that any number of them is one statement.
const PUT_UNMET = `
  INSERT INTO unmet_searches (day, words, callers)
    SELECT $1, search->>'words', (search->>'callers')::bigint FROM json_array_elements($2::text::json) AS search
  ON CONFLICT (day, words) DO UPDATE SET callers = greatest(unmet_searches.callers, excluded.callers)`

const UNMET = `
  SELECT words, count(*), max(callers) FROM unmet_searches WHERE day >= $1 AND day < $2
  GROUP BY words ORDER BY max(callers) DESC, count(*) DESC, words LIMIT $3`

export const createCensusTable = (session: PostgresSession): CensusTable => ({
  put: census =>
    session.run(async query => {
      await query(
        `INSERT INTO census_days (day, census) VALUES ($1, $2::text::json)
         ON CONFLICT (day) DO UPDATE SET census = excluded.census`,
        [census.day, JSON.stringify(census)],
      )
    }),
  before: (day, limit) =>
    session.run(async query => {
      const text = 'SELECT census FROM census_days WHERE day < $1 ORDER BY day DESC LIMIT $2'
      return (await query(text, [day, limit])).map(([census]) => census as CensusDay)
    }),
  putUnmet: (day, searches) =>
    session.run(async query => {
      await query(PUT_UNMET, [day, JSON.stringify(searches)])
    }),
  unmet: (from, to, limit) =>
    session.run(async query => (await query(UNMET, [from, to, limit])).map(toUnmet)),
  pruneUnmet: day =>
    session.run(async query => {
      await query('DELETE FROM unmet_searches WHERE day < $1', [day])
    }),
})
