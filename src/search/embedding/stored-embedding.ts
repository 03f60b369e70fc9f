// What a text means, as bytes that can be kept: the direction of its vector, the cluster it belongs to, and the words it
// is compared by. They say of which text and which model they are, so that whoever reads them again can trust them.

export type Gist = {
  readonly cluster: number
  /** Rows of the embedding. */
  readonly rows: Uint32Array
  readonly levels: Int8Array
}

/** To be raised with every change in how a gist is made; a new model changes the stamp by itself. */
const FORMAT = 1

const STAMP_AT = 1
const TEXT_AT = STAMP_AT + 4
const TEXT_BYTES = 12
const CLUSTER_AT = TEXT_AT + TEXT_BYTES
const COUNT_AT = CLUSTER_AT + 2
const ROWS_AT = COUNT_AT + 1
const ROW_BYTES = 3

const digest = new Uint8Array(32)
const digestOf = (text: string): Uint8Array => Bun.SHA256.hash(text, digest) as Uint8Array

/** @param stamp tells models apart */
export function writeGist(stamp: number, text: string, { cluster, rows, levels }: Gist): Uint8Array {
  const levelsAt = ROWS_AT + rows.length * ROW_BYTES
  const bytes = new Uint8Array(levelsAt + levels.length)
  const view = new DataView(bytes.buffer)
  bytes[0] = FORMAT
  view.setUint32(STAMP_AT, stamp, true)
  bytes.set(digestOf(text).subarray(0, TEXT_BYTES), TEXT_AT)
  view.setUint16(CLUSTER_AT, cluster, true)
  bytes[COUNT_AT] = rows.length
  for (const [i, row] of rows.entries()) {
    const at = ROWS_AT + i * ROW_BYTES
    bytes[at] = row
    bytes[at + 1] = row >> 8
    bytes[at + 2] = row >> 16
  }
  bytes.set(levels, levelsAt)
  return bytes
}

/** undefined where it is the gist of another text, of another model, or none at all. @param dimensions of the levels */
export function readGist(
  bytes: Uint8Array,
  stamp: number,
  text: string,
  dimensions: number,
): Gist | undefined {
  const count = bytes[COUNT_AT] ?? 0
  const levelsAt = ROWS_AT + count * ROW_BYTES
  if (bytes[0] !== FORMAT || bytes.length !== levelsAt + dimensions) return undefined
  if (readStamp(bytes) !== stamp || !isOf(bytes, text)) return undefined
  const rows = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const at = ROWS_AT + i * ROW_BYTES
    rows[i] = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
  }
  return {
    cluster: bytes[CLUSTER_AT]! | (bytes[CLUSTER_AT + 1]! << 8),
    rows,
    levels: new Int8Array(bytes.buffer, bytes.byteOffset + levelsAt, dimensions),
  }
}

const readStamp = (bytes: Uint8Array): number =>
  (bytes[STAMP_AT]! |
    (bytes[STAMP_AT + 1]! << 8) |
    (bytes[STAMP_AT + 2]! << 16) |
    (bytes[STAMP_AT + 3]! << 24)) >>>
  0

/** Cryptographic, so that nobody can give one text the meaning of another. */
function isOf(bytes: Uint8Array, text: string): boolean {
  const hash = digestOf(text)
  for (let i = 0; i < TEXT_BYTES; i++) if (bytes[TEXT_AT + i] !== hash[i]) return false
  return true
}
