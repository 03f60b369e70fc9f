// What operators collect under a name, and the log of their acts; part of the Store interface.
import { type Act, type Collected, HIDDEN } from '../domain/operating.ts'
import { collectionsOf, type Policy, withCollections } from '../domain/policy.ts'
import { Columns } from './records.ts'
import { places, type Query, type Session } from './session.ts'

export interface CollectionTable {
  /** With their sizes, by name. */
  names(): Promise<{ readonly name: string; readonly items: number }[]>
  list(name: string): Promise<Collected[]>
  /** The policy with what its collections name now. */
  readInto(policy: Policy): Promise<Policy>
  /** Replaces those of the same kind and value. */
  put(name: string, items: readonly Collected[]): Promise<void>
  remove(name: string, items: readonly Pick<Collected, 'kind' | 'value'>[]): Promise<void>
  /** Replaces all of them. */
  replace(name: string, items: readonly Collected[]): Promise<void>
}

const ITEM = new Columns<Collected>({ kind: true, value: true, why: true, who: true, at: true })

const PUT = `
  INSERT INTO collections (name, ${ITEM.names}) VALUES (${places(6)})
  ON CONFLICT (name, kind, value) DO UPDATE SET why = excluded.why, who = excluded.who, at = excluded.at`

/** Inside the caller's transaction. */
export const listCollected = async (query: Query, name: string): Promise<Collected[]> => {
  const sql = `SELECT ${ITEM.names} FROM collections WHERE name = $1 ORDER BY kind, value`
  return (await query(sql, [name])).map(row => ITEM.read(row))
}

/** The policy with what its collections name now, inside the caller's transaction. */
export async function readCollections(query: Query, policy: Policy): Promise<Policy> {
  const lists = await Promise.all(
    collectionsOf(policy).map(async name => [name, await listCollected(query, name)] as const),
  )
  return lists.length === 0 ? policy : withCollections(policy, new Map(lists))
}

/** There are few. */
export const listHidden = (query: Query): Promise<Collected[]> => listCollected(query, HIDDEN)

export function createCollectionTable(session: Session): CollectionTable {
  const putAll = async (query: Query, name: string, items: readonly Collected[]) => {
    for (const item of items) await query(PUT, [name, ...ITEM.values(item)])
  }
  return {
    names: () =>
      session.read(async query =>
        (
          await query<[string, number]>('SELECT name, count(*) FROM collections GROUP BY name ORDER BY name')
        ).map(([name, items]) => ({ name, items })),
      ),
    list: name => session.read(query => listCollected(query, name)),
    readInto: policy => session.read(query => readCollections(query, policy)),
    put: (name, items) => session.write([], ({ query }) => putAll(query, name, items)),
    remove: (name, items) =>
      session.write([], async ({ query }) => {
        const sql = 'DELETE FROM collections WHERE name = $1 AND kind = $2 AND value = $3'
        for (const { kind, value } of items) await query(sql, [name, kind, value])
      }),
    replace: (name, items) =>
      session.write([], async ({ query }) => {
        await query('DELETE FROM collections WHERE name = $1', [name])
        await putAll(query, name, items)
      }),
  }
}

export interface ActTable {
  /** Also forgets those beyond the newest `MAX_ACTS`. */
  add(act: Act): Promise<void>
  /** Newest first. @param of those of one kind, or before the act with this id */
  list(
    limit: number,
    of?: { readonly act?: Act['act']; readonly before?: string | undefined },
  ): Promise<Act[]>
}

const MAX_ACTS = 10_000
const PRUNE = `
  DELETE FROM acts WHERE id <= (SELECT id FROM acts ORDER BY id DESC LIMIT 1 OFFSET ${MAX_ACTS})`

const ACT = new Columns<Act>({ id: true, at: true, who: true, act: true, about: true })

export const createActTable = (session: Session): ActTable => ({
  add: act =>
    session.run(async query => {
      await query(`INSERT INTO acts (${ACT.names}) VALUES (${ACT.places})`, ACT.values(act))
      await query(PRUNE)
    }),
  list: (limit, { act, before } = {}) =>
    session.read(async query => {
      const of = act === undefined ? '' : 'AND act = $3'
      const sql = `SELECT ${ACT.names} FROM acts WHERE id < $2 ${of} ORDER BY id DESC LIMIT $1`
      // An id begins with its time, so that this is above all of them.
      const place = [limit, before ?? 'act_z']
      return (await query(sql, act === undefined ? place : [...place, act])).map(row => ACT.read(row))
    }),
})
