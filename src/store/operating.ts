// What operators hide, and the log of their acts; part of the Store interface.
import type { Act, HiddenKind, HidingRule } from '../domain/operating.ts'
import type { Query, Row, Session } from './session.ts'

export interface HiddenTable {
  list(): Promise<HidingRule[]>
  /** Replaces those of the same kind and value. */
  put(rules: readonly HidingRule[]): Promise<void>
  remove(rules: readonly Pick<HidingRule, 'kind' | 'value'>[]): Promise<void>
}

const PUT = `
  INSERT INTO hidden (kind, value, why, who, at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (kind, value) DO UPDATE SET why = excluded.why, who = excluded.who, at = excluded.at`

/** Inside the caller's transaction. There are few. */
export const listHidden = async (query: Query): Promise<HidingRule[]> =>
  (await query('SELECT kind, value, why, who, at FROM hidden ORDER BY kind, value')).map(row => {
    const [kind, value, why, who, at] = row as [HiddenKind, string, string, string, string]
    return { kind, value, why, who, at }
  })

export const createHiddenTable = (session: Session): HiddenTable => ({
  list: () => session.read(listHidden),
  put: rules =>
    session.write([], async ({ query }) => {
      for (const { kind, value, why, who, at } of rules) await query(PUT, [kind, value, why, who, at])
    }),
  remove: rules =>
    session.write([], async ({ query }) => {
      const sql = 'DELETE FROM hidden WHERE kind = $1 AND value = $2'
      for (const { kind, value } of rules) await query(sql, [kind, value])
    }),
})

export interface ActTable {
  /** Also forgets those beyond the newest `MAX_ACTS`. */
  add(act: Act): Promise<void>
  /** Newest first; those of one kind, if it is given. */
  list(limit: number, kind?: Act['act']): Promise<Act[]>
}

const MAX_ACTS = 10_000
const PRUNE = `
  DELETE FROM acts WHERE id <= (SELECT id FROM acts ORDER BY id DESC LIMIT 1 OFFSET ${MAX_ACTS})`

const toAct = (row: Row): Act => {
  const [id, at, who, act, about] = row as [string, string, string, Act['act'], string]
  return { id, at, who, act, about }
}

export const createActTable = (session: Session): ActTable => ({
  add: ({ id, at, who, act, about }) =>
    session.run(async query => {
      await query('INSERT INTO acts (id, at, who, act, about) VALUES ($1, $2, $3, $4, $5)', [
        ...[id, at, who, act, about],
      ])
      await query(PRUNE)
    }),
  list: (limit, kind) =>
    session.read(async query => {
      const where = kind === undefined ? '' : 'WHERE act = $2'
      const sql = `SELECT id, at, who, act, about FROM acts ${where} ORDER BY id DESC LIMIT $1`
      return (await query(sql, kind === undefined ? [limit] : [limit, kind])).map(toAct)
    }),
})
