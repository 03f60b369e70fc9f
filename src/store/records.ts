// How records are stored in columns: each field in the column of its name, as it is, unless it says otherwise.
import { places, type Row, type Value } from './session.ts'

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
  readonly places: string
  readonly #fields: readonly (readonly [keyof T & string, Field<never>])[]

  /** @param fields in the order of the columns; `true`: as it is */
  constructor(fields: { readonly [K in keyof T]-?: Field<T[K]> | true }) {
    this.#fields = Object.entries(fields as Record<string, Field<never> | true>).map(
      ([name, field]) => [name as keyof T & string, field === true ? AS_IT_IS : field] as const,
    )
    this.names = this.#fields.map(([name, { column }]) => column ?? toColumn(name)).join(', ')
    this.places = places(this.#fields.length)
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

const toColumn = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
