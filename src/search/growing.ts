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

const PAGE_BYTES = 65_536
const MOST_PAGES = 65_536

/**
 * Memory that grows where it lies: nothing is copied, so nobody waits for it, however large it is. It is for the few arrays
 * that grow by hundreds of megabytes: the engine reserves address space for eight such memories, and copies further ones.
 */
export class GrowingMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES })

  /** So many bytes and a little more. What was handed out before is void. */
  reserve(bytes: number): ArrayBuffer {
    const { byteLength } = this.#memory.buffer
    const missing = Math.ceil((bytes - byteLength) / PAGE_BYTES)
    const pages = byteLength / PAGE_BYTES
    if (missing > 0) this.#memory.grow(Math.min(Math.max(missing, pages >> 3), MOST_PAGES - pages))
    return this.#memory.buffer
  }
}
