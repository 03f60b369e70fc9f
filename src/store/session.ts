// What tables need of an engine: statements, and transactions under the write lock. Tables are written once, in SQL that both engines
// understand; `Dialect` has the few words that differ.
import type { Clock } from '../runtime/clock.ts'

export type Value = string | number | null | Uint8Array
export type Row = readonly unknown[]
/** Rows as arrays; `count` is the number of rows that the statement returned or affected. */
export type Rows<R extends Row = Row> = readonly R[] & { readonly count: number }
/** Parameters are $1, $2, …. */
export type Query = <R extends Row = Row>(sql: string, values?: readonly Value[]) => Promise<Rows<R>>

/** A transaction under the write lock. It must await nothing but its own statements. */
export type Transaction = {
  readonly query: Query
  /** Draws consecutive seqs; returns the last one. */
  draw(count: number): number
  /** Draws consecutive event numbers; returns the last one. */
  drawEvents(count: number): number
  /** The last seq drawn by any process. */
  readonly lastSeq: number
}

export type Dialect = {
  /** The rows of a parameter that holds a JSON array of texts. */
  list(parameter: string): string
  /** The statements that create tables; the schema is written as SQLite has it. */
  create(schema: string): string
}

export interface Session extends AsyncDisposable {
  readonly clock: Clock
  readonly dialect: Dialect
  /** Runs statements outside any transaction. Each sees what is committed, nothing else. */
  read<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Runs writes that draw no seq and need no lock: each statement is atomic on its own. */
  run<T>(work: (query: Query) => Promise<T>): Promise<T>
  /**
   * Runs reads and writes in one transaction; resolves when it is committed. `work` may run again if its transaction is lost.
   * @param touches names of what its decision reads, such as ids; undefined: anything
   */
  write<T>(touches: readonly string[] | undefined, work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Reads everything as of one moment, without blocking other calls. */
  snapshot<T>(work: (query: Query) => AsyncIterable<T>): AsyncIterable<T>
  /** Writes much in one transaction, in which other calls have no part. */
  fill(work: (query: Query) => Promise<void>): Promise<void>
}

/** Runs a statement for each key and joins the rows. The engine pipelines them where it is remote. */
export async function findEach<R extends Row>(
  query: Query,
  sql: string,
  keys: readonly Value[],
): Promise<R[]> {
  const found = await Promise.all(keys.map(key => query<R>(sql, [key])))
  return found.flat()
}

/** $1, $2, … for so many values. */
export const places = (count: number, after = 0): string =>
  Array.from({ length: count }, (_, index) => `$${after + index + 1}`).join(', ')

/** Rows per statement. A statement for each row costs a remote engine three times as much. */
const ROWS_AT_ONCE = 50

/** @param into an INSERT without its values */
export async function insertRows(
  query: Query,
  into: string,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const statements: Promise<unknown>[] = []
  for (let at = 0; at < rows.length; ) {
    // Of two lengths only, so that a few prepared statements suffice.
    const some = rows.slice(at, at + (rows.length - at < ROWS_AT_ONCE ? 1 : ROWS_AT_ONCE))
    const values = some.map((row, index) => `(${places(row.length, index * row.length)})`)
    statements.push(query(`${into} VALUES ${values.join(', ')}`, some.flat()))
    at += some.length
  }
  await Promise.all(statements)
}

export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

export const fromJson = <T>(text: unknown): T | null =>
  text === null || text === undefined ? null : (JSON.parse(text as string) as T)
