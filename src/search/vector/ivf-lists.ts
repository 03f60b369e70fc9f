// The inverted lists of the IVF index: the vectors of each centroid, in blocks of 64. Each vector is stored as int8 codes
// and as signs, one bit per dimension. The sign bytes of a block are interleaved, so that a kernel reads 64 vectors at a
// time.
import { grown } from '../../memory/growing.ts'
import type { Snapshot } from '../../memory/snapshot.ts'
import type { Int8Vector } from './int8.ts'
import type { VectorMemory } from './vector-memory.ts'

const BLOCK_SHIFT = 6
export const BLOCK = 1 << BLOCK_SHIFT
/** Blocks are allocated in chunks, so that the signs of different blocks are adjacent. */
const CHUNK_SHIFT = 5
const CHUNK = 1 << CHUNK_SHIFT

export class IvfLists {
  readonly #memory: VectorMemory
  readonly #signBytes: number
  #lists: { blocks: number[]; count: number }[]
  /** The address of each chunk: the norms of all its blocks, then their codes, then their signs. */
  #chunks: number[] = []
  #freeBlocks: number[] = []
  /** By slot: the position of its vector among all blocks plus one, or 0; and its list. */
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

  slotAt(block: number, place: number): number {
    return this.#slots[block * BLOCK + place]!
  }

  /** Returns the position of a slot's vector, 64 times its block plus its index there, or -1. */
  positionOf(slot: number): number {
    return (this.#positions[slot] ?? 0) - 1
  }

  normsAt(block: number): number {
    return this.#chunks[block >> CHUNK_SHIFT]! + (block % CHUNK) * BLOCK * 4
  }

  codesAt(block: number): number {
    const { dimensions } = this.#memory
    return this.#chunks[block >> CHUNK_SHIFT]! + BLOCK * (CHUNK * 4 + (block % CHUNK) * dimensions)
  }

  signsAt(block: number): number {
    const before = CHUNK * (4 + this.#memory.dimensions) + (block % CHUNK) * this.#signBytes
    return this.#chunks[block >> CHUNK_SHIFT]! + BLOCK * before
  }

  insert(slot: number, list: number, { codes, inverseNorm }: Int8Vector): void {
    this.version++
    this.#positions = grown(this.#positions, slot + 1)
    this.#listOf = grown(this.#listOf, slot + 1)
    const into = this.#lists[list]!
    if (into.count % BLOCK === 0) into.blocks.push(this.#freeBlocks.pop() ?? this.#allocate())
    const position = positionIn(into.blocks, into.count++)
    const block = position >> BLOCK_SHIFT
    const place = position % BLOCK
    const { bytes, floats, dimensions } = this.#memory
    floats[(this.normsAt(block) >> 2) + place] = inverseNorm
    bytes.set(codes, this.codesAt(block) + place * dimensions)
    this.#writeSigns(block, place, codes)
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

  serialize(snapshot: Snapshot): void {
    this.version++
    this.size = snapshot.number(this.size)
    this.#positions = snapshot.array(this.#positions)
    this.#listOf = snapshot.array(this.#listOf)
    this.#slots = snapshot.array(this.#slots)
    this.#chunks = snapshot.numbers(this.#chunks)
    this.#freeBlocks = snapshot.numbers(this.#freeBlocks)
    const counts = snapshot.numbers(this.#lists.map(({ count }) => count))
    const blocks = snapshot.numbers(this.#lists.flatMap(list => list.blocks))
    let end = 0
    this.#lists = counts.map(count => {
      const from = end
      end += Math.ceil(count / BLOCK)
      return { count, blocks: blocks.slice(from, end) }
    })
  }

  #move(from: number, to: number): void {
    const { bytes, floats, dimensions } = this.#memory
    const [fromBlock, toBlock] = [from >> BLOCK_SHIFT, to >> BLOCK_SHIFT]
    const start = this.codesAt(fromBlock) + (from % BLOCK) * dimensions
    const codes = bytes.subarray(start, start + dimensions)
    floats[(this.normsAt(toBlock) >> 2) + (to % BLOCK)] =
      floats[(this.normsAt(fromBlock) >> 2) + (from % BLOCK)]!
    bytes.set(codes, this.codesAt(toBlock) + (to % BLOCK) * dimensions)
    this.#writeSigns(toBlock, to % BLOCK, codes)
    this.#place(this.#slots[from]!, to)
  }

  #place(slot: number, position: number): void {
    this.#slots[position] = slot
    this.#positions[slot] = position + 1
  }

  #writeSigns(block: number, place: number, codes: Int8Array): void {
    const { bytes } = this.#memory
    const from = this.signsAt(block) + place
    for (let byte = 0; byte < this.#signBytes; byte++) {
      let signs = 0
      for (let bit = 0; bit < 8; bit++) if (codes[8 * byte + bit]! > 0) signs |= 1 << bit
      bytes[from + byte * BLOCK] = signs
    }
  }

  #allocate(): number {
    const first = this.#chunks.length * CHUNK
    this.#chunks.push(this.#memory.allocate(CHUNK * BLOCK * (4 + this.#memory.dimensions + this.#signBytes)))
    this.#slots = grown(this.#slots, (first + CHUNK) * BLOCK)
    for (let block = first + CHUNK - 1; block > first; block--) this.#freeBlocks.push(block)
    return first
  }
}

const positionIn = (blocks: readonly number[], index: number): number =>
  blocks[index >> BLOCK_SHIFT]! * BLOCK + (index % BLOCK)
