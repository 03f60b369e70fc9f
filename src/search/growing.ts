// Typed arrays that grow: flat memory without an object per element.

type Flat =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>

/** Small arrays double, large ones grow by a quarter: what lies idle is counted as memory too. */
const DOUBLING = 1 << 16

/** The same array, or a larger copy that reaches `length`; the new part holds zeros. */
export function grown<T extends Flat>(array: T, length: number): T {
  if (array.length >= length) return array
  let size = Math.max(array.length, 16)
  while (size < length) size = size < DOUBLING ? size * 2 : size + (size >> 2)
  const larger = new (array.constructor as new (size: number) => T)(size)
  larger.set(array)
  return larger
}
