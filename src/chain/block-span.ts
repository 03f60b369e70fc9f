/** Blocks asked for at once: nodes refuse ranges above limits of their own, which they do not tell. */

const FIRST = 500
const MOST = 10_000
/** A limit can lie in the number of logs and pass with a busy hour: what was refused is tried again after so many answers. */
const ANSWERS_UNTIL_RETRIED = 64

export class BlockSpan {
  #size = FIRST
  #refused = Number.POSITIVE_INFINITY
  #answers = 0

  get size(): number {
    return this.#size
  }

  /** @param asked how many blocks the answered request covered: a short one says nothing about longer ones */
  answered(asked: number): void {
    if (asked < this.#size) return
    if (++this.#answers >= ANSWERS_UNTIL_RETRIED) {
      this.#answers = 0
      this.#refused = Number.POSITIVE_INFINITY
    }
    const next = Math.min(this.#size * 2, MOST)
    if (next < this.#refused) this.#size = next
  }

  /** Whether a smaller request is left to try. */
  refused(asked: number): boolean {
    this.#answers = 0
    this.#refused = Math.min(this.#refused, asked)
    this.#size = Math.max(1, Math.floor(Math.min(asked, this.#size) / 2))
    return asked > 1
  }
}
