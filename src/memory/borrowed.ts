/**
 * Numbers in memory that the owner moves or overwrites at its next call. They can be read, and copied with `slice`; the type has no
 * other methods, so that a view is not retained by mistake.
 */
export interface Borrowed<A extends Uint8Array | Int8Array | Uint32Array | Int32Array | Float32Array> {
  readonly length: number
  readonly [index: number]: number
  slice(start?: number, end?: number): A
}
