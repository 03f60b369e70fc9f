// What tables need of an engine: statements, and transactions under the write lock. Tables are written once, in SQL that both engines
// understand.
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
  /** Takes consecutive seqs; returns the last one. */
  takeSeqs(count: number): number
  /** Takes consecutive event numbers; returns the last one. */
  takeEventNumbers(count: number): number
  /** The last seq taken by any process. */
  readonly lastSeq: number
}

export interface Session extends AsyncDisposable {
  readonly clock: Clock
  /** Runs statements outside any transaction. Each sees what is committed, nothing else. */
  read<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Runs writes that take no seq and need no lock: each statement is atomic on its own. */
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
export const placeholders = (count: number, after = 0): string =>
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
    const values = some.map((row, index) => `(${placeholders(row.length, index * row.length)})`)
    statements.push(query(`${into} VALUES ${values.join(', ')}`, some.flat()))
    at += some.length
  }
  await Promise.all(statements)
}

export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

export const fromJson = <T>(text: unknown): T | null =>
  text === null || text === undefined ? null : (JSON.parse(text as string) as T)

// How records are stored in columns: each field in the column of its name, as it is, unless it says otherwise.

type Field<V> = {
  /** Default: the name of the field with underscores. */
  readonly column?: string
  readonly write?: (value: V) => Value
  readonly read?: (stored: never) => V
}

/** A field that is stored as JSON; null, or what JSON cannot hold, is null. */
export const json = <V>(read: (parsed: never) => V = parsed => parsed as V): Field<V> => ({
  write: value => (value === null || value === undefined ? null : JSON.stringify(value)),
  read: stored => (stored === null ? (null as V) : read(JSON.parse(stored) as never)),
})

export const inColumn = <V>(column: string): Field<V> => ({ column })

const AS_IT_IS = {}

export class Columns<T extends object> {
  /** For a statement: `id, created_at, …`. */
  readonly names: string
  /** `$1, $2, …` for all of them. */
  readonly placeholders: string
  readonly #fields: readonly (readonly [keyof T & string, Field<never>])[]

  /** @param fields in the order of the columns; `true`: as it is */
  constructor(fields: { readonly [K in keyof T]-?: Field<T[K]> | true }) {
    this.#fields = Object.entries(fields as Record<string, Field<never> | true>).map(
      ([name, field]) => [name as keyof T & string, field === true ? AS_IT_IS : field] as const,
    )
    this.names = this.#fields.map(([name, { column }]) => column ?? toColumn(name)).join(', ')
    this.placeholders = placeholders(this.#fields.length)
  }

  values(record: T): Value[] {
    return this.#fields.map(([name, { write }]) => {
      const value = record[name]
      return write ? write(value as never) : (value as Value)
    })
  }

  /** @param row in the order of the columns, from `at` on */
  read(row: Row, at = 0): T {
    const record: Partial<Record<keyof T, unknown>> = {}
    for (const [index, [name, { read }]] of this.#fields.entries()) {
      const stored = row[at + index]
      record[name] = read ? read(stored as never) : stored
    }
    return record as T
  }
}

/** A table with a row for each record. */
export class Table<T extends object> extends Columns<T> {
  readonly #select: string
  readonly #insert: string
  readonly #derive: readonly ((record: T) => Value)[]

  /** @param derived columns for statements alone, which follow from a record */
  constructor(
    name: string,
    fields: ConstructorParameters<typeof Columns<T>>[0],
    derived: Readonly<Record<string, (record: T) => Value>> = {},
  ) {
    super(fields)
    this.#derive = Object.values(derived)
    const all = [this.names, ...Object.keys(derived)].join(', ')
    this.#select = `SELECT ${this.names} FROM ${name}`
    this.#insert = `INSERT INTO ${name} (${all}) VALUES (${placeholders(all.split(', ').length)})`
  }

  /** @param rest `WHERE …` with its values */
  async select(query: Query, rest: string, ...values: Value[]): Promise<T[]> {
    return (await query(`${this.#select} ${rest}`, values)).map(row => this.read(row))
  }

  async first(query: Query, rest: string, ...values: Value[]): Promise<T | undefined> {
    return (await this.select(query, rest, ...values))[0]
  }

  /** Resolves to whether it was inserted. @param rest `ON CONFLICT …` */
  async insert(query: Query, record: T, rest = ''): Promise<boolean> {
    const values = [...this.values(record), ...this.#derive.map(derive => derive(record))]
    return (await query(`${this.#insert} ${rest}`, values)).count > 0
  }
}

/** Runs one statement; resolves to whether it wrote a row. */
export const didWrite = (session: Session, sql: string, ...values: Value[]): Promise<boolean> =>
  session.run(async query => (await query(sql, values)).count > 0)

export const toColumn = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
