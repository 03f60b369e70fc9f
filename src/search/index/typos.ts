// Finds terms one typo apart in constant time (symmetric deletion, as SymSpell does it): two words that differ in one letter are
// equal once a letter is left out of one or both, so each term is filed under the hash of itself and of every such remainder. A
// number or a word in Chinese characters with one character changed is another one, so those are not filed.
import { grown } from '../../memory/growing.ts'
import { HashLists } from '../../memory/hash-table.ts'
import type { Snapshot } from '../../memory/snapshot.ts'

const MIN_LENGTH = 4
const MAX_LENGTH = 24

const isFiled = (word: string): boolean =>
  word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !/[\d\p{Script=Han}]/u.test(word)

function hashWithout(word: string, left: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++)
    if (i !== left) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Returns the hashes of a word and of what remains when one letter is left out. */
function toHashes(word: string): number[] {
  const hashes = [hashWithout(word, -1)]
  for (let left = 0; left < word.length; left++)
    if (word[left] !== word[left + 1]) hashes.push(hashWithout(word, left))
  return hashes
}

export class TypoTable {
  #hashes = new Uint32Array(1024)
  #numbers = new Int32Array(1024)
  #size = 0
  readonly #files = new HashLists(file => this.#hashes[file]!)

  get bytes(): number {
    return this.#hashes.byteLength + this.#numbers.byteLength + this.#files.bytes
  }

  add(term: string, number: number): void {
    if (!isFiled(term)) return
    for (const hash of toHashes(term)) {
      this.#hashes = grown(this.#hashes, this.#size + 1)
      this.#numbers = grown(this.#numbers, this.#size + 1)
      this.#hashes[this.#size] = hash
      this.#numbers[this.#size] = number
      this.#files.add(this.#size++)
    }
  }

  /** Returns the numbers of terms that may be one typo from `word`; the caller compares. */
  find(word: string): number[] {
    const found = new Set<number>()
    if (!isFiled(word)) return []
    for (const hash of toHashes(word))
      for (let file = this.#files.first(hash); file >= 0; file = this.#files.next(file))
        if (this.#hashes[file] === hash) found.add(this.#numbers[file]!)
    return [...found]
  }

  carry(snapshot: Snapshot): void {
    this.#hashes = snapshot.array(this.#hashes, this.#size)
    this.#numbers = snapshot.array(this.#numbers, this.#size)
    this.#size = snapshot.number(this.#size)
    this.#files.carry(snapshot)
  }
}
