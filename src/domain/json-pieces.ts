// JSON put together from texts and from records that are encoded already.

export type JsonPiece = string | Uint8Array

/** Returns memory of its own, which nothing is written to later on. */
export const joinJson = (pieces: readonly JsonPiece[]): Uint8Array =>
  Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
