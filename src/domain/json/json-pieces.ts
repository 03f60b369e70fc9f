// JSON joined from texts and from encoded records.

export type JsonPiece = string | Uint8Array

/** Returns newly allocated memory that is not written to afterwards. */
export const joinJson = (pieces: readonly JsonPiece[]): Uint8Array =>
  Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
