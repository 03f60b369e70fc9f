// What operators collect under a name; part of the Store interface.
import { type Collected, HIDDEN } from '../domain/operating.ts'
import { collectionsOf, type Policy, withCollections } from '../domain/policy.ts'
import { Columns, insertRows, places, type Query, type Session } from './session.ts'

export interface CollectionTable {
  /** With their sizes, by name. */
  names(): Promise<{ readonly name: string; readonly items: number }[]>
  list(name: string): Promise<Collected[]>
  /** The policy with what its collections name now. */
  readInto(policy: Policy): Promise<Policy>
  /** Replaces those of the same kind and value. */
  put(name: string, items: readonly Collected[]): Promise<void>
  remove(name: string, items: readonly Pick<Collected, 'kind' | 'value'>[]): Promise<void>
  /** Replaces all of them; writes nothing if they are the same. */
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
    collectionsOf(policy).map(async name => {
      const rows = await query<[string]>(
        'SELECT value FROM collections WHERE name = $1 ORDER BY kind, value',
        [name],
      )
      return [name, rows.map(([value]) => value)] as const
    }),
  )
  return lists.length === 0 ? policy : withCollections(policy, new Map(lists))
}

/** There are few. */
export const listHidden = (query: Query): Promise<Collected[]> => listCollected(query, HIDDEN)

export function createCollectionTable(session: Session): CollectionTable {
  const list = (name: string) => session.read(query => listCollected(query, name))
  return {
    names: () =>
      session.read(async query =>
        (
          await query<[string, number]>('SELECT name, count(*) FROM collections GROUP BY name ORDER BY name')
        ).map(([name, items]) => ({ name, items })),
      ),
    list,
    readInto: policy => session.read(query => readCollections(query, policy)),
    put: (name, items) =>
      session.write([], async ({ query }) => {
        for (const item of items) await query(PUT, [name, ...ITEM.values(item)])
      }),
    remove: (name, items) =>
      session.write([], async ({ query }) => {
        const sql = 'DELETE FROM collections WHERE name = $1 AND kind = $2 AND value = $3'
        for (const { kind, value } of items) await query(sql, [name, kind, value])
      }),
    async replace(name, items) {
      const [known, wanted] = [await list(name), items].map(
        all => new Map(all.map(item => [`${item.kind} ${item.value}`, item])),
      ) as [Map<string, Collected>, Map<string, Collected>]
      if (known.size === wanted.size && [...wanted].every(([key, { why }]) => known.get(key)?.why === why))
        return
      await session.write([], async ({ query }) => {
        await query('DELETE FROM collections WHERE name = $1', [name])
        const rows = [...wanted.values()].map(item => [name, ...ITEM.values(item)])
        await insertRows(query, `INSERT INTO collections (name, ${ITEM.names})`, rows)
      })
    },
  }
}
