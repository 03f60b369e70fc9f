// Memory for answers, used for one after the other: a buffer for each would be the greater part of what the collector
// has to clear away, some hundred megabytes a second under load.

const ROOM_BYTES = 256 * 1024

export class AnswerRoom {
  readonly #room = Buffer.allocUnsafeSlow(ROOM_BYTES)

  /** Lets `write` fill at most `most` bytes; it answers how many it has filled. They are good until the next call. */
  fill(most: number, write: (room: Buffer) => number): Uint8Array {
    const room = most > ROOM_BYTES ? Buffer.allocUnsafeSlow(most) : this.#room
    return room.subarray(0, write(room))
  }
}
