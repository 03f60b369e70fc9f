// Turns texts into rows of the embedding, as toEmbeddingRows does, and caches the rows of every run of letters, since a
// catalog repeats the same words.
import { MAX_TOKENS, toRunRows, toRuns } from './tokens.ts'
import type { EmbeddingVocabulary } from './vocabulary.ts'

const MAX_REMEMBERED = 65_536

export class TokenReader {
  readonly #vocabulary: EmbeddingVocabulary
  readonly #rowsOf = new Map<string, readonly number[]>()

  constructor(vocabulary: EmbeddingVocabulary) {
    this.#vocabulary = vocabulary
  }

  get bytes(): number {
    return this.#rowsOf.size * 128
  }

  /** Returns the distinct rows of a text in order of first appearance, at most MAX_TOKENS. */
  read(text: string): number[] {
    const rows = new Set<number>()
    for (const run of toRuns(text)) {
      for (const row of this.#read(run)) rows.add(row)
      if (rows.size >= MAX_TOKENS) break
    }
    const all = [...rows]
    return all.length > MAX_TOKENS ? all.slice(0, MAX_TOKENS) : all
  }

  #read(run: string): readonly number[] {
    let rows = this.#rowsOf.get(run)
    if (rows === undefined) {
      rows = toRunRows(run, this.#vocabulary)
      if (this.#rowsOf.size >= MAX_REMEMBERED) this.#rowsOf.clear()
      this.#rowsOf.set(run, rows)
    }
    return rows
  }
}
