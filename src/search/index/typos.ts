// Finds words one typo apart in constant time: two words that differ in one letter are equal once a letter is left out
// of one or both, so each term is filed under the hash of itself and of every such remainder. A number or a word in
// Chinese characters with one character changed is another one, so those are not filed.

import { grown } from '../../memory/growing.ts'
import { HashLists } from '../../memory/hash-table.ts'
import type { Image } from '../../memory/snapshot.ts'

const LEAST_LENGTH = 4
const MOST_LENGTH = 24

export interface TypoTable {
  readonly bytes: number
  add(term: string, number: number): void
  /** Numbers of terms that may be one typo from `word`; the caller compares. */
  find(word: string): number[]
  carry(image: Image): void
}

const isFiled = (word: string): boolean =>
  word.length >= LEAST_LENGTH && word.length <= MOST_LENGTH && !/[\d\p{Script=Han}]/u.test(word)

function hashWithout(word: string, left: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++)
    if (i !== left) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

const hashesFound = new Uint32Array(MOST_LENGTH + 1)

/** Leaves in `hashesFound` the hashes of a word and of what remains when one letter is left out; answers how many. */
function findHashes(word: string): number {
  hashesFound[0] = hashWithout(word, -1)
  let count = 1
  for (let left = 0; left < word.length; left++) {
    if (word[left] !== word[left + 1]) hashesFound[count++] = hashWithout(word, left)
  }
  return count
}

export function createTypoTable(): TypoTable {
  let hashes = new Uint32Array(1024)
  let numbers = new Int32Array(1024)
  let size = 0
  const files = new HashLists(file => hashes[file]!)

  return {
    get bytes() {
      return hashes.byteLength + numbers.byteLength + files.bytes
    },
    add(term, number) {
      if (!isFiled(term)) return
      const count = findHashes(term)
      for (let i = 0; i < count; i++) {
        hashes = grown(hashes, size + 1)
        numbers = grown(numbers, size + 1)
        hashes[size] = hashesFound[i]!
        numbers[size] = number
        files.add(size++)
      }
    },
    find(word) {
      const found = new Set<number>()
      if (!isFiled(word)) return []
      const count = findHashes(word)
      for (let i = 0; i < count; i++) {
        const hash = hashesFound[i]!
        for (let file = files.first(hash); file >= 0; file = files.next(file)) {
          if (hashes[file] === hash) found.add(numbers[file]!)
        }
      }
      return [...found]
    },
    carry(image) {
      hashes = image.array(hashes, size)
      numbers = image.array(numbers, size)
      size = image.number(size)
      files.carry(image)
    },
  }
}
