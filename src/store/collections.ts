// What operators collect under a name; part of the Store interface.
import { type Collected, HIDDEN } from '../domain/operating.ts'
import { collectionsOf, type Policy, withCollections } from '../domain/policy.ts'
import { insertRows, type Query, type Session, Table } from './session.ts'

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

const ITEMS = new Table<Collected>('collections', { kind: true, value: true, why: true, who: true, at: true })

const byName = <N extends Pick<Collected, 'kind' | 'value'>>(items: readonly N[]) =>
  new Map(items.map(item => [`${item.kind} ${item.value}`, item]))

/** Inside the caller's transaction. */
const listCollected = (query: Query, name: string): Promise<Collected[]> =>
  ITEMS.select(query, 'WHERE name = $1 ORDER BY kind, value', name)

/** The policy with what its collections name now, inside the caller's transaction. */
export async function readCollections(query: Query, policy: Policy): Promise<Policy> {
  const lists = await Promise.all(
    collectionsOf(policy).map(async name => {
      const sql = 'SELECT value FROM collections WHERE name = $1 ORDER BY kind, value'
      return [name, (await query<[string]>(sql, [name])).map(([value]) => value)] as const
    }),
  )
  return lists.length === 0 ? policy : withCollections(policy, new Map(lists))
}

/** There are few. */
export const listHidden = (query: Query): Promise<Collected[]> => listCollected(query, HIDDEN)

export function createCollectionTable(session: Session): CollectionTable {
  const list = (name: string) => session.read(query => listCollected(query, name))
  const add = (query: Query, name: string, items: ReadonlyMap<string, Collected>) =>
    insertRows(
      query,
      `INSERT INTO collections (name, ${ITEMS.names})`,
      [...items.values()].map(item => [name, ...ITEMS.values(item)]),
    )
  const drop = async (query: Query, name: string, items: readonly Pick<Collected, 'kind' | 'value'>[]) => {
    const sql = 'DELETE FROM collections WHERE name = $1 AND kind = $2 AND value = $3'
    for (const { kind, value } of items) await query(sql, [name, kind, value])
  }
  return {
    names: () =>
      session.read(async query => {
        const sql = 'SELECT name, count(*) FROM collections GROUP BY name ORDER BY name'
        return (await query<[string, number]>(sql)).map(([name, items]) => ({ name, items }))
      }),
    list,
    readInto: policy => session.read(query => readCollections(query, policy)),
    put: (name, items) =>
      session.write([], async ({ query }) => {
        await drop(query, name, items)
        await add(query, name, byName(items))
      }),
    remove: (name, items) => session.write([], ({ query }) => drop(query, name, items)),
    async replace(name, items) {
      const [known, wanted] = [byName(await list(name)), byName(items)]
      const isSame = [...wanted].every(([key, { why }]) => known.get(key)?.why === why)
      if (isSame && known.size === wanted.size) return
      await session.write([], async ({ query }) => {
        await query('DELETE FROM collections WHERE name = $1', [name])
        await add(query, name, wanted)
      })
    },
  }
}
