// Encoded records in large shared buffers: a million small objects would cost a second of garbage collection.
import type { Image } from '../domain/image.ts'
import { MAX_BYTES_PER_UNIT } from '../domain/utf8.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** How many slots arrays begin with before they double: other numbers, so that no entry comes for which all of them do at once. */
export const FIRST_SLOTS = {
  columns: 1024,
  records: 1152,
  log: 1280,
  prices: 1408,
  ids: 1536,
  offers: 1664,
  payees: 1792,
} as const
/** slot and length, four bytes each, in front of every record: a chunk can be walked by itself. */
const HEADER_BYTES = 8

/**
 * Keeps one record per slot. Bytes once written never change: a view handed out stays right after the record is
 * replaced, because space is won back by copying what lives into another chunk and letting the old one go.
 */
export class Arena {
  #chunks: (Buffer | undefined)[] = []
  #dead: number[] = []
  /** Bytes written to each chunk; the head's are counted in #used. */
  #filled: number[] = []
  #head = -1
  #used = CHUNK_BYTES
  #chunkOf = new Uint32Array(FIRST_SLOTS.records)
  #offsetOf = new Uint32Array(FIRST_SLOTS.records)
  #lengthOf = new Uint32Array(FIRST_SLOTS.records)

  /** Bytes held, dead ones included. */
  get bytes(): number {
    const chunks = this.#chunks.reduce((sum, chunk) => sum + (chunk?.byteLength ?? 0), 0)
    return chunks + this.#chunkOf.byteLength * 3
  }

  /** Answers how many bytes the text took. @param ascii goes right behind it */
  write(slot: number, text: string, ascii = ''): number {
    this.#growTo(slot + 1)
    this.release(slot)
    const room = HEADER_BYTES + text.length * MAX_BYTES_PER_UNIT + ascii.length
    if (this.#used + room > CHUNK_BYTES) this.#openChunk(room)
    const chunk = this.#chunks[this.#head]!
    const start = this.#used + HEADER_BYTES
    const length = chunk.write(text, start, 'utf8')
    if (ascii !== '') chunk.write(ascii, start + length, 'latin1')
    this.#place(slot, chunk, length + ascii.length)
    return length
  }

  /** The record, or a part of it. */
  view(slot: number, from = 0, to = this.#lengthOf[slot]!): Uint8Array {
    const offset = this.#offsetOf[slot]!
    return this.#chunks[this.#chunkOf[slot]!]!.subarray(offset + from, offset + to)
  }

  /** The records of these slots as they are now, whatever is written afterwards; costs 12 bytes a record. */
  snapshot(slots: Uint32Array): (index: number) => Uint8Array {
    const chunks = [...this.#chunks]
    const chunkOf = slots.map(slot => this.#chunkOf[slot]!)
    const offsetOf = slots.map(slot => this.#offsetOf[slot]!)
    const lengthOf = slots.map(slot => this.#lengthOf[slot]!)
    return index => chunks[chunkOf[index]!]!.subarray(offsetOf[index]!, offsetOf[index]! + lengthOf[index]!)
  }

  /** Copies part of a record to `target` and returns the number of bytes. */
  copy(slot: number, target: Buffer, at: number, from: number, to: number): number {
    const offset = this.#offsetOf[slot]!
    return this.#chunks[this.#chunkOf[slot]!]!.copy(target, at, offset + from, offset + to)
  }

  /** Four bytes of a record as one number that orders as they do; zeros stand for those behind its end. */
  word(slot: number, at: number): number {
    const chunk = this.#chunks[this.#chunkOf[slot]!]!
    const start = this.#offsetOf[slot]!
    const end = start + this.#lengthOf[slot]!
    let word = 0
    for (let i = start + at; i < start + at + 4; i++) word = (word << 8) | (i < end ? chunk[i]! : 0)
    return word >>> 0
  }

  /** Orders two records by their bytes, which for UTF-8 is the order of their code points. */
  compare(a: number, b: number): number {
    const left = this.#chunks[this.#chunkOf[a]!]!
    const right = this.#chunks[this.#chunkOf[b]!]!
    const i = this.#offsetOf[a]!
    const j = this.#offsetOf[b]!
    const shared = Math.min(this.#lengthOf[a]!, this.#lengthOf[b]!)
    for (let k = 0; k < shared; k++) {
      const difference = left[i + k]! - right[j + k]!
      if (difference !== 0) return difference
    }
    return this.#lengthOf[a]! - this.#lengthOf[b]!
  }

  release(slot: number): void {
    const length = this.#lengthOf[slot]!
    if (length === 0) return
    const index = this.#chunkOf[slot]!
    this.#lengthOf[slot] = 0
    this.#dead[index] = this.#dead[index]! + HEADER_BYTES + length
    if (index !== this.#head && this.#dead[index] > CHUNK_BYTES / 2) this.#evacuate(index)
  }

  /** In steps of one chunk. */
  *carry(image: Image): Generator<void> {
    this.#chunkOf = image.array(this.#chunkOf)
    this.#offsetOf = image.array(this.#offsetOf)
    this.#lengthOf = image.array(this.#lengthOf)
    this.#dead = image.numbers(this.#dead)
    this.#head = image.number(this.#head)
    this.#used = image.number(this.#used)
    this.#filled = image.numbers(Array.from(this.#chunks, (_, index) => this.#end(index)))
    const rooms = image.numbers(Array.from(this.#chunks, chunk => chunk?.length ?? 0))
    for (const [index, room] of rooms.entries()) {
      const bytes = image.array<Uint8Array>(this.#chunks[index] ?? new Uint8Array(room), this.#filled[index])
      this.#chunks[index] = room === 0 ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, room)
      yield
    }
  }

  /** How far a chunk is written. */
  #end(index: number): number {
    if (!this.#chunks[index]) return 0
    return index === this.#head ? this.#used : this.#filled[index]!
  }

  #growTo(slots: number): void {
    if (slots <= this.#chunkOf.length) return
    const capacity = Math.max(slots, this.#chunkOf.length * 2)
    this.#chunkOf = grown(this.#chunkOf, capacity)
    this.#offsetOf = grown(this.#offsetOf, capacity)
    this.#lengthOf = grown(this.#lengthOf, capacity)
  }

  #openChunk(room: number): void {
    if (this.#head >= 0) this.#filled[this.#head] = this.#used
    const free = this.#chunks.indexOf(undefined)
    this.#head = free < 0 ? this.#chunks.length : free
    // Not from the shared pool of small buffers: the memory must go back when the chunk does.
    this.#chunks[this.#head] = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, room))
    this.#dead[this.#head] = 0
    this.#used = 0
  }

  #place(slot: number, chunk: Buffer, length: number): void {
    chunk.writeUInt32LE(slot, this.#used)
    chunk.writeUInt32LE(length, this.#used + 4)
    this.#chunkOf[slot] = this.#head
    this.#offsetOf[slot] = this.#used + HEADER_BYTES
    this.#lengthOf[slot] = length
    this.#used += HEADER_BYTES + length
  }

  /** Moves what still lives in a chunk to the head; a chunk is small enough to do it between two requests. */
  #evacuate(index: number): void {
    const chunk = this.#chunks[index]!
    const end = this.#filled[index]!
    for (let at = 0; at < end; ) {
      const slot = chunk.readUInt32LE(at)
      const length = chunk.readUInt32LE(at + 4)
      const start = at + HEADER_BYTES
      const lives =
        this.#chunkOf[slot] === index && this.#offsetOf[slot] === start && this.#lengthOf[slot] === length
      if (lives) {
        if (this.#used + HEADER_BYTES + length > this.#chunks[this.#head]!.length)
          this.#openChunk(HEADER_BYTES + length)
        const head = this.#chunks[this.#head]!
        chunk.copy(head, this.#used + HEADER_BYTES, start, start + length)
        this.#place(slot, head, length)
      }
      at = start + length
    }
    this.#chunks[index] = undefined
  }
}

export function grown<A extends Uint8Array | Uint32Array | Int32Array | Float64Array>(
  array: A,
  capacity: number,
): A {
  const larger = new (array.constructor as new (length: number) => A)(capacity)
  larger.set(array)
  return larger
}
