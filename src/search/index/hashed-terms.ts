// Finds terms by the hashes of lookup keys. Several terms may share a hash, and a term may have several.
import { grown } from '../../memory/growing.ts'
import { ChainedHash } from '../../memory/hash-table.ts'

export class HashedTerms {
  #hashes = new Uint32Array(1024)
  #termIds = new Int32Array(1024)
  #size = 0
  readonly #lists = new ChainedHash(at => this.#hashes[at]!)

  get bytes(): number {
    return this.#hashes.byteLength + this.#termIds.byteLength + this.#lists.bytes
  }

  add(hash: number, termId: number): void {
    this.#hashes = grown(this.#hashes, this.#size + 1)
    this.#termIds = grown(this.#termIds, this.#size + 1)
    this.#hashes[this.#size] = hash
    this.#termIds[this.#size] = termId
    this.#lists.add(this.#size++)
  }

  /** Returns the ids of the terms with one of these hashes that pass a test, which compares the keys, in no order. */
  find(hashes: readonly number[], passes: (termId: number) => boolean): number[] {
    const found = new Set<number>()
    for (const hash of hashes)
      for (let at = this.#lists.first(hash); at >= 0; at = this.#lists.next(at)) {
        if (this.#hashes[at] !== hash) continue
        const termId = this.#termIds[at]!
        if (!found.has(termId) && passes(termId)) found.add(termId)
      }
    return [...found]
  }
}
