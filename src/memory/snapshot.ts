// A snapshot of state in flat memory. A class with such state has one function `serialize` that lists it: the same lines save and
// restore it, as in Boost.Serialization, so that the two always agree.

export type Flat =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array

export interface Snapshot {
  readonly isReading: boolean
  /**
   * When writing, returns the given array; when reading, one of the same type and length with the stored content. With `used`, only that
   * many numbers are stored, followed by zeros when read. `place` allocates the array to read into.
   */
  array<A extends Flat>(array: A, used?: number, place?: (length: number) => A): A
  number(value: number): number
  numbers(list: readonly number[]): number[]
  texts(list: readonly string[]): string[]
}
