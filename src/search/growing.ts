// Typed arrays that grow by doubling: flat memory without an object per element.

type Flat =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>

/** The same array, or a copy at least twice as large that reaches `length`; the new part holds zeros. */
export function grown<T extends Flat>(array: T, length: number): T {
  if (array.length >= length) return array
  let size = Math.max(array.length, 16)
  while (size < length) size *= 2
  const larger = new (array.constructor as new (size: number) => T)(size)
  larger.set(array)
  return larger
}
