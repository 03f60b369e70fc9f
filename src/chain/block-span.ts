/** Adapts the number of blocks per request: nodes refuse ranges above undocumented limits. */

const INITIAL_BLOCKS = 500
const MAX_BLOCKS = 10_000
/** A limit may depend on the number of logs and pass with a busy hour: a refused size is retried after this many successes. */
const SUCCESSES_UNTIL_RETRY = 64

export class BlockSpan {
  #size = INITIAL_BLOCKS
  #refused = Number.POSITIVE_INFINITY
  #successes = 0

  get size(): number {
    return this.#size
  }

  /** @param blocks covered by the request: a short one says nothing about longer ones */
  onSuccess(blocks: number): void {
    if (blocks < this.#size) return
    if (++this.#successes >= SUCCESSES_UNTIL_RETRY) {
      this.#successes = 0
      this.#refused = Number.POSITIVE_INFINITY
    }
    const next = Math.min(this.#size * 2, MAX_BLOCKS)
    if (next < this.#refused) this.#size = next
  }

  /** @returns whether a smaller request is possible */
  onRefusal(blocks: number): boolean {
    this.#successes = 0
    this.#refused = Math.min(this.#refused, blocks)
    this.#size = Math.max(1, Math.floor(Math.min(blocks, this.#size) / 2))
    return blocks > 1
  }
}
