// A snapshot of state that lives in flat memory. Who holds such state has one function `serialize` that lists it: the same lines
// save and restore it, as in Boost.Serialization, so the two cannot get out of step.

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
   * While writing it answers the array that it was given, while reading one of the same kind and length with what was
   * written. Where `used` is told, only so many numbers are kept, and zeros stand behind them. `place` is where to read an
   * array of a length to, unless it may be anywhere.
   */
  array<A extends Flat>(array: A, used?: number, place?: (length: number) => A): A
  number(value: number): number
  numbers(list: readonly number[]): number[]
  texts(list: readonly string[]): string[]
}
