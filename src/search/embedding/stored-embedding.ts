// The stored form of a document's embedding: the int8 codes of its vector, and the rows of its words. It
// includes a digest of the text and the stamp of the model, so that a reader can verify that it is still valid.

export type DocumentEmbedding = {
  /** Rows of the embedding. */
  readonly rows: Uint32Array
  readonly codes: Int8Array
}

/** Increment this with every change in how an embedding is computed. A new model changes the stamp by itself. */
const FORMAT = 2

const STAMP_AT = 1
const TEXT_AT = STAMP_AT + 4
const TEXT_BYTES = 12
const COUNT_AT = TEXT_AT + TEXT_BYTES
const ROWS_AT = COUNT_AT + 1
const ROW_BYTES = 3

/** A cryptographic hash, so that an embedding cannot be forged for another text. */
const digestOf = (text: string): Buffer =>
  Buffer.from(Bun.SHA256.hash(text) as Uint8Array).subarray(0, TEXT_BYTES)

/** @param stamp identifies the model */
export function writeEmbedding(stamp: number, text: string, { rows, codes }: DocumentEmbedding): Uint8Array {
  const codesAt = ROWS_AT + rows.length * ROW_BYTES
  const bytes = Buffer.alloc(codesAt + codes.length)
  bytes[0] = FORMAT
  bytes.writeUInt32LE(stamp, STAMP_AT)
  bytes.set(digestOf(text), TEXT_AT)
  bytes[COUNT_AT] = rows.length
  for (const [i, row] of rows.entries()) bytes.writeUIntLE(row, ROWS_AT + i * ROW_BYTES, ROW_BYTES)
  bytes.set(codes, codesAt)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Returns undefined for the embedding of another text or model, and for anything else.
 * @param dimensions of the codes
 */
export function readEmbedding(
  stored: Uint8Array,
  stamp: number,
  text: string,
  dimensions: number,
): DocumentEmbedding | undefined {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const count = bytes[COUNT_AT] ?? 0
  const codesAt = ROWS_AT + count * ROW_BYTES
  if (bytes[0] !== FORMAT || bytes.length !== codesAt + dimensions) return undefined
  if (bytes.readUInt32LE(STAMP_AT) !== stamp) return undefined
  if (!bytes.subarray(TEXT_AT, COUNT_AT).equals(digestOf(text))) return undefined
  const rows = new Uint32Array(count)
  for (let i = 0; i < count; i++) rows[i] = bytes.readUIntLE(ROWS_AT + i * ROW_BYTES, ROW_BYTES)
  return { rows, codes: new Int8Array(stored.buffer, stored.byteOffset + codesAt, dimensions) }
}
