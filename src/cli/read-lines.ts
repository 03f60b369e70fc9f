// Splits a stream of bytes into lines, with at most one in memory.

/** Far above the limit of a registration body. */
const MAX_LINE_BYTES = 1024 * 1024
const NEWLINE = 0x0a

export type NumberedLine = { readonly number: number } & (
  | { readonly text: string }
  | { readonly problem: string }
)

/** Blank lines are counted and skipped. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  const pieces: Uint8Array[] = []
  let length = 0
  let number = 0
  const append = (piece: Uint8Array) => {
    length += piece.length
    // Bytes above the limit are counted and dropped.
    if (length <= MAX_LINE_BYTES) pieces.push(piece)
  }
  const take = (): NumberedLine | undefined => {
    number++
    const line = length > MAX_LINE_BYTES ? TOO_LONG : decode(pieces)
    pieces.length = 0
    length = 0
    return 'text' in line && line.text.trim() === '' ? undefined : { number, ...line }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      append(chunk.subarray(from, end))
      from = end + 1
      const line = take()
      if (line) yield line
    }
    // The stream may reuse the chunk, so the rest is copied.
    if (from < chunk.length) append(chunk.slice(from))
  }
  const last = take()
  if (last) yield last
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

const TOO_LONG = { problem: `is longer than ${MAX_LINE_BYTES} bytes` }

function decode(pieces: readonly Uint8Array[]): { text: string } | { problem: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(joinChunks(pieces)) }
  } catch {
    return { problem: 'is not valid UTF-8' }
  }
}
