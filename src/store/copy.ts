// Moves every row of a store into an empty one, on either engine. The tables have the same columns in the same order on both.
import { DirectoryError } from '../domain/errors.ts'
import { say } from '../messages/message.ts'
import { TABLES } from './schema.ts'
import { insertRows, placeholders, type Query, type Row, type Value } from './session.ts'

/** A copy skips this many numbers, so that a number that the original issues from now on never means another write of the copy. */
export const SEQ_JUMP = 1_000_000

export const SKIP_NUMBERS = `UPDATE counter SET gap = gap + ${SEQ_JUMP}, timeline = ''`

const PAGE = 1_000

/** What a store has as soon as a process has opened it. */
const OF_PROCESSES: readonly string[] = [
  'counter',
  'timelines',
  'leases',
  'budgets',
  'challenges',
  'sessions',
]

/** Some rows of a table, in the order of its columns. */
export type TableRows = { readonly table: string; readonly rows: readonly Row[] }

/** @param onCount is told the number of rows of all tables, before the first */
export async function* dumpTables(query: Query, onCount?: (rows: number) => void): AsyncGenerator<TableRows> {
  const counts = TABLES.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')
  onCount?.((await query<[number]>(`SELECT ${counts}`))[0]![0])
  for (const { name, key } of TABLES) {
    const columns = key.join(', ')
    const rest = `ORDER BY ${columns} LIMIT ${PAGE}`
    const select = `SELECT ${columns}, ${name}.* FROM ${name}`
    let page = await query(`${select} ${rest}`)
    while (page.length > 0) {
      yield { table: name, rows: page.map(row => row.slice(key.length)) }
      const last = page.at(-1)!.slice(0, key.length) as Value[]
      page = await query(`${select} WHERE (${columns}) > (${placeholders(key.length)}) ${rest}`, last)
    }
  }
}

/** Inside a transaction. @throws DirectoryError `invalid_request` if the store is not empty */
export async function loadTables(query: Query, tables: AsyncIterable<TableRows>): Promise<void> {
  for (const { name } of TABLES) {
    const [row] = OF_PROCESSES.includes(name) ? [] : await query(`SELECT 1 FROM ${name} LIMIT 1`)
    if (row) throw new DirectoryError('invalid_request', say('store_not_empty'))
  }
  for (const name of OF_PROCESSES) await query(`DELETE FROM ${name}`)
  for await (const { table, rows } of tables) {
    await insertRows(query, `INSERT INTO ${table}`, rows as readonly Value[][])
  }
  await query(SKIP_NUMBERS)
}
