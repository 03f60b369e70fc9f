// The inverted lists of the IVF index: the vectors of each centroid, in blocks of 64. Each vector is stored as int8 codes
// and as signs, one bit per dimension. The sign bytes of a block are interleaved, so that a kernel reads 64 vectors at a
// time.
import { grown } from '../../memory/growing.ts'
import type { Int8Vector } from './int8.ts'
import type { VectorMemory } from './vector-memory.ts'

export const BLOCK_SHIFT = 6
export const BLOCK = 1 << BLOCK_SHIFT
/** Blocks are allocated in chunks, so that the signs of different blocks are adjacent. */
const CHUNK_SHIFT = 5 + BLOCK_SHIFT
const CHUNK = 1 << CHUNK_SHIFT

export class IvfLists {
  readonly #memory: VectorMemory
  readonly #signBytes: number
  #lists: { blocks: number[]; count: number }[]
  /** The address of each chunk: the norms of all its vectors, then their codes, then their signs. */
  #chunks: number[] = []
  #freeBlocks: number[] = []
  /** By slot: the position of its vector plus one, or 0; and its list. */
  #positions = new Uint32Array(0)
  #listOf = new Uint16Array(0)
  /** By position. */
  #slots = new Uint32Array(0)
  size = 0
  /** Incremented by every write. */
  version = 0

  constructor(memory: VectorMemory, lists: number) {
    this.#memory = memory
    this.#signBytes = memory.dimensions / 8
    this.#lists = Array.from({ length: lists }, () => ({ blocks: [], count: 0 }))
  }

  get bytes(): number {
    return this.#positions.byteLength + this.#listOf.byteLength + this.#slots.byteLength
  }

  blocksOf(list: number): readonly number[] {
    return this.#lists[list]!.blocks
  }

  countOf(list: number): number {
    return this.#lists[list]!.count
  }

  /** Returns the slot of the vector at a position: 64 times its block, plus its index there. */
  slotAt(position: number): number {
    return this.#slots[position]!
  }

  /** Returns the position of a slot's vector, or -1. */
  positionOf(slot: number): number {
    return (this.#positions[slot] ?? 0) - 1
  }

  normAt(position: number): number {
    return this.#chunks[position >> CHUNK_SHIFT]! + (position % CHUNK) * 4
  }

  codesAt(position: number): number {
    return this.#chunks[position >> CHUNK_SHIFT]! + CHUNK * 4 + (position % CHUNK) * this.#memory.dimensions
  }

  signsAt(block: number): number {
    const position = block * BLOCK
    const before = CHUNK * (4 + this.#memory.dimensions) + (position % CHUNK) * this.#signBytes
    return this.#chunks[position >> CHUNK_SHIFT]! + before
  }

  insert(slot: number, list: number, { codes, inverseNorm }: Int8Vector): void {
    this.version++
    this.#positions = grown(this.#positions, slot + 1)
    this.#listOf = grown(this.#listOf, slot + 1)
    const into = this.#lists[list]!
    if (into.count % BLOCK === 0) into.blocks.push(this.#freeBlocks.pop() ?? this.#allocate())
    const position = positionIn(into.blocks, into.count++)
    this.#write(position, codes, inverseNorm)
    this.#place(slot, position)
    this.#listOf[slot] = list
    this.size++
  }

  /** Fills the gap with the last vector of the list, so that all blocks but the last stay full. */
  remove(slot: number): void {
    const position = this.positionOf(slot)
    if (position < 0) return
    this.version++
    const list = this.#lists[this.#listOf[slot]!]!
    const last = positionIn(list.blocks, --list.count)
    if (last !== position) this.#move(last, position)
    this.#positions[slot] = 0
    if (list.count % BLOCK === 0) this.#freeBlocks.push(list.blocks.pop()!)
    this.size--
  }

  #move(from: number, to: number): void {
    const { bytes, floats, dimensions } = this.#memory
    const start = this.codesAt(from)
    this.#write(to, bytes.subarray(start, start + dimensions), floats[this.normAt(from) >> 2]!)
    this.#place(this.#slots[from]!, to)
  }

  #place(slot: number, position: number): void {
    this.#slots[position] = slot
    this.#positions[slot] = position + 1
  }

  #write(position: number, codes: Int8Array, inverseNorm: number): void {
    const { bytes, floats } = this.#memory
    floats[this.normAt(position) >> 2] = inverseNorm
    bytes.set(codes, this.codesAt(position))
    const from = this.signsAt(position >> BLOCK_SHIFT) + (position % BLOCK)
    for (let byte = 0; byte < this.#signBytes; byte++) {
      let signs = 0
      for (let bit = 0; bit < 8; bit++) if (codes[8 * byte + bit]! > 0) signs |= 1 << bit
      bytes[from + byte * BLOCK] = signs
    }
  }

  #allocate(): number {
    this.#chunks.push(this.#memory.allocate(CHUNK * (4 + this.#memory.dimensions + this.#signBytes)))
    const end = this.#chunks.length * CHUNK
    this.#slots = grown(this.#slots, end)
    const first = (end - CHUNK) >> BLOCK_SHIFT
    for (let block = (end >> BLOCK_SHIFT) - 1; block > first; block--) this.#freeBlocks.push(block)
    return first
  }
}

const positionIn = (blocks: readonly number[], index: number): number =>
  blocks[index >> BLOCK_SHIFT]! * BLOCK + (index % BLOCK)
