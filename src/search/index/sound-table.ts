// Finds terms by how they sound: each is filed under the hash of its sound.
import { grown } from '../../memory/growing.ts'
import { HashLists } from '../../memory/hash-table.ts'
import type { Snapshot } from '../../memory/snapshot.ts'

/** FNV-1a. */
function hashOf(sound: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < sound.length; i++) hash = Math.imul(hash ^ sound.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

export class SoundTable {
  #hashes = new Uint32Array(1024)
  #numbers = new Int32Array(1024)
  #size = 0
  readonly #files = new HashLists(file => this.#hashes[file]!)

  get bytes(): number {
    return this.#hashes.byteLength + this.#numbers.byteLength + this.#files.bytes
  }

  add(sound: string, number: number): void {
    this.#hashes = grown(this.#hashes, this.#size + 1)
    this.#numbers = grown(this.#numbers, this.#size + 1)
    this.#hashes[this.#size] = hashOf(sound)
    this.#numbers[this.#size] = number
    this.#files.add(this.#size++)
  }

  /** Returns the numbers of terms that may sound so; the caller compares. */
  find(sound: string): number[] {
    const found: number[] = []
    const hash = hashOf(sound)
    for (let file = this.#files.first(hash); file >= 0; file = this.#files.next(file))
      if (this.#hashes[file] === hash) found.push(this.#numbers[file]!)
    return found
  }

  carry(snapshot: Snapshot): void {
    this.#hashes = snapshot.array(this.#hashes, this.#size)
    this.#numbers = snapshot.array(this.#numbers, this.#size)
    this.#size = snapshot.number(this.#size)
    this.#files.carry(snapshot)
  }
}
