// Memory for answers, cut from larger pieces: a buffer of its own for every page keeps the collector busy.

const PIECE_BYTES = 256 * 1024

/** What was cut is never cut again, so an answer stays right however long somebody holds it. */
export class AnswerRoom {
  #piece = Buffer.alloc(0)
  #used = 0

  /** Lets `write` fill at most `most` bytes; it answers how many it has filled. */
  fill(most: number, write: (piece: Buffer, at: number) => number): Uint8Array {
    if (this.#used + most > this.#piece.length) {
      this.#piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, most))
      this.#used = 0
    }
    const start = this.#used
    this.#used += write(this.#piece, start)
    return this.#piece.subarray(start, this.#used)
  }
}
