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
const MAX_PAGES = 65_536
const SMALL_BYTES = 1024 * 1024

/**
 * Memory that grows where it lies: nothing is copied, so nobody waits for it, however large it is. It is for the few arrays
 * that grow by hundreds of megabytes: the engine reserves address space for eight such memories, and copies further ones.
 */
export class GrowingMemory {
  #buffer = new ArrayBuffer(4096)
  #memory: WebAssembly.Memory | undefined

  /** So many bytes and a little more, with what was there. What was handed out before is void. */
  reserve(bytes: number): ArrayBuffer {
    if (bytes <= this.#buffer.byteLength) return this.#buffer
    this.#buffer = bytes <= SMALL_BYTES ? this.#buffer.transfer(roomFor(bytes)) : this.#grow(bytes)
    return this.#buffer
  }

  #grow(bytes: number): ArrayBuffer {
    this.#memory ??= this.#open()
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES
    const missing = Math.ceil(bytes / PAGE_BYTES) - pages
    // Beyond the most that there is it throws, rather than lose what is written.
    if (missing > 0) this.#memory.grow(Math.max(missing, Math.min(pages >> 3, MAX_PAGES - pages)))
    return this.#memory.buffer
  }

  /** To open one takes a millisecond, which most catalogs of a test are not worth. */
  #open(): WebAssembly.Memory {
    const memory = new WebAssembly.Memory({ initial: SMALL_BYTES / PAGE_BYTES, maximum: MAX_PAGES })
    new Uint8Array(memory.buffer).set(new Uint8Array(this.#buffer))
    return memory
  }
}

/** The next power of two. */
const roomFor = (bytes: number): number => 2 ** Math.ceil(Math.log2(bytes))
