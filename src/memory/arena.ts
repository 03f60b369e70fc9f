// Encoded records in large shared buffers: garbage collection of a million small objects would take a second.
import { grown } from './growing.ts'

/** UTF-8 needs at most three bytes for a UTF-16 unit. */
export const MAX_BYTES_PER_UNIT = 3

/** Before every record: its slot and the lengths of its two parts. A chunk can be read by itself, and readers have the lengths nearby. */
const HEADER_WORDS = 3
const WORD_BYTES = 4
const HEADER_BYTES = HEADER_WORDS * WORD_BYTES
/** A place is the index of a word in a chunk, with the index of the chunk in the upper bits: four bytes per slot for 16 GB of records. */
const PLACE_BITS = 20
const PLACE_MASK = (1 << PLACE_BITS) - 1
const CHUNK_BYTES = WORD_BYTES << PLACE_BITS
const MAX_CHUNKS = 2 ** (32 - PLACE_BITS)
/** No record starts there, because its header needs room before it. */
const NOWHERE = 0

type Chunk = { readonly bytes: Buffer; readonly words: Uint32Array }

const toChunk = (bytes: Uint8Array): Chunk => ({
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
  words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD_BYTES),
})

/** Rounds up to where the next record may start. */
const aligned = (bytes: number): number => Math.ceil(bytes / WORD_BYTES) * WORD_BYTES

/**
 * Stores one record per slot: a text followed by a tail. Written bytes never change, so a view remains valid after its record is
 * replaced: space is reclaimed by copying live records into another chunk and dropping the old one.
 */
export class Arena {
  #chunks: (Chunk | undefined)[] = []
  #dead: number[] = []
  /** Bytes written to each chunk; for the head chunk #used has the number. */
  #filled: number[] = []
  #head = -1
  #used = CHUNK_BYTES
  #places = new Uint32Array(0)

  /** Allocated bytes, dead ones included. */
  get bytes(): number {
    const chunks = this.#chunks.reduce((sum, chunk) => sum + (chunk?.bytes.length ?? 0), 0)
    return chunks + this.#places.byteLength
  }

  /** @param tail in ASCII */
  write(slot: number, text: string, tail = ''): void {
    this.#places = grown(this.#places, slot + 1)
    this.release(slot)
    const { bytes } = this.#chunkFor(text.length * MAX_BYTES_PER_UNIT + tail.length)
    const start = this.#used + HEADER_BYTES
    const textBytes = bytes.write(text, start, 'utf8')
    if (tail !== '') bytes.write(tail, start + textBytes, 'latin1')
    this.#place(slot, textBytes, tail.length)
  }

  /** Whether the slot has a record. */
  holds(slot: number): boolean {
    return (this.#places[slot] ?? NOWHERE) !== NOWHERE
  }

  text(slot: number): Uint8Array {
    const place = this.#places[slot]!
    const { bytes, words } = this.#chunks[place >>> PLACE_BITS]!
    const at = place & PLACE_MASK
    const start = at * WORD_BYTES
    return bytes.subarray(start, start + words[at - 2]!)
  }

  tail(slot: number): Uint8Array {
    const place = this.#places[slot]!
    const { bytes, words } = this.#chunks[place >>> PLACE_BITS]!
    const at = place & PLACE_MASK
    const start = at * WORD_BYTES + words[at - 2]!
    return bytes.subarray(start, start + words[at - 1]!)
  }

  textLength(slot: number): number {
    const place = this.#places[slot]!
    return this.#chunks[place >>> PLACE_BITS]!.words[(place & PLACE_MASK) - 2]!
  }

  /** Returns the number of bytes copied. */
  copyText(slot: number, target: Uint8Array, targetStart: number): number {
    const place = this.#places[slot]!
    const { bytes, words } = this.#chunks[place >>> PLACE_BITS]!
    const at = place & PLACE_MASK
    const start = at * WORD_BYTES
    return bytes.copy(target, targetStart, start, start + words[at - 2]!)
  }

  /** The present texts of these slots, unaffected by later writes; costs 4 bytes per slot. */
  freeze(slots: Uint32Array): (index: number) => Uint8Array {
    const chunks = [...this.#chunks]
    const places = slots.map(slot => this.#places[slot]!)
    return index => {
      const place = places[index]!
      const { bytes, words } = chunks[place >>> PLACE_BITS]!
      const at = place & PLACE_MASK
      return bytes.subarray(at * WORD_BYTES, at * WORD_BYTES + words[at - 2]!)
    }
  }

  /** Four bytes of a text as a number that sorts like them; zeros after its end. */
  word(slot: number, from: number): number {
    const place = this.#places[slot]!
    const { bytes, words } = this.#chunks[place >>> PLACE_BITS]!
    const at = place & PLACE_MASK
    const start = at * WORD_BYTES
    const end = start + words[at - 2]!
    let word = 0
    for (let i = start + from; i < start + from + 4; i++) word = (word << 8) | (i < end ? bytes[i]! : 0)
    return word >>> 0
  }

  /** Compares two texts by their bytes, which for UTF-8 is the order of their code points. */
  compare(a: number, b: number): number {
    const [placeA, placeB] = [this.#places[a]!, this.#places[b]!]
    const [left, right] = [this.#chunks[placeA >>> PLACE_BITS]!, this.#chunks[placeB >>> PLACE_BITS]!]
    const [atA, atB] = [placeA & PLACE_MASK, placeB & PLACE_MASK]
    const [lengthA, lengthB] = [left.words[atA - 2]!, right.words[atB - 2]!]
    const shared = Math.min(lengthA, lengthB)
    for (let i = 0; i < shared; i++) {
      const difference = left.bytes[atA * WORD_BYTES + i]! - right.bytes[atB * WORD_BYTES + i]!
      if (difference !== 0) return difference
    }
    return lengthA - lengthB
  }

  release(slot: number): void {
    const place = this.#places[slot]!
    if (place === NOWHERE) return
    this.#places[slot] = NOWHERE
    const index = place >>> PLACE_BITS
    const { words } = this.#chunks[index]!
    const at = place & PLACE_MASK
    const dead = this.#dead[index]! + aligned(HEADER_BYTES + words[at - 2]! + words[at - 1]!)
    this.#dead[index] = dead
    if (index !== this.#head && dead > CHUNK_BYTES / 2) this.#evacuate(index)
  }

  /** The head chunk, with room for a record of this size. */
  #chunkFor(recordBytes: number): Chunk {
    const size = aligned(HEADER_BYTES + recordBytes)
    if (this.#used + size > CHUNK_BYTES) this.#openChunk(size)
    return this.#chunks[this.#head]!
  }

  #openChunk(size: number): void {
    if (this.#head >= 0) this.#filled[this.#head] = this.#used
    const free = this.#chunks.indexOf(undefined)
    const index = free < 0 ? this.#chunks.length : free
    // A place could not address it, and would point to another record.
    if (index === MAX_CHUNKS) throw new Error('The records of the catalog have reached their maximum size.')
    this.#head = index
    // Not from the shared pool of small buffers: the memory must be freed with the chunk.
    this.#chunks[this.#head] = toChunk(Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, size)))
    this.#dead[this.#head] = 0
    this.#used = 0
  }

  /** Makes the bytes after the space for a header the record of the slot. */
  #place(slot: number, textBytes: number, tailBytes: number): void {
    const { words } = this.#chunks[this.#head]!
    const at = this.#used / WORD_BYTES + HEADER_WORDS
    words[at - 3] = slot
    words[at - 2] = textBytes
    words[at - 1] = tailBytes
    this.#places[slot] = ((this.#head << PLACE_BITS) | at) >>> 0
    this.#used += aligned(HEADER_BYTES + textBytes + tailBytes)
  }

  /** Moves the live records of a chunk to the head; a chunk is small enough to do this between two requests. */
  #evacuate(index: number): void {
    const { bytes, words } = this.#chunks[index]!
    const end = this.#filled[index]!
    for (let from = 0; from < end; ) {
      const at = from / WORD_BYTES + HEADER_WORDS
      const [slot, textBytes, tailBytes] = [words[at - 3]!, words[at - 2]!, words[at - 1]!]
      const length = textBytes + tailBytes
      if (this.#places[slot] === ((index << PLACE_BITS) | at) >>> 0) {
        const head = this.#chunkFor(length)
        bytes.copy(head.bytes, this.#used + HEADER_BYTES, from + HEADER_BYTES, from + HEADER_BYTES + length)
        this.#place(slot, textBytes, tailBytes)
      }
      from += aligned(HEADER_BYTES + length)
    }
    this.#chunks[index] = undefined
  }
}
