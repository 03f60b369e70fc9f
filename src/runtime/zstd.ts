// Streams through zstd, with the implementation of the runtime.

type Through = TransformStream<Uint8Array, Uint8Array>

const toStream = (pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  // Missing in the type declarations of the runtime.
  (ReadableStream as unknown as { from(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> }).from(
    pieces,
  )

export const packZstd = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  toStream(pieces).pipeThrough(new CompressionStream('zstd' as 'gzip') as unknown as Through)

/** Throws if the stream is truncated or damaged. */
export const unpackZstd = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  toStream(pieces).pipeThrough(new DecompressionStream('zstd' as 'gzip') as unknown as Through)

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd]

export const isZstd = (head: Uint8Array): boolean => MAGIC.every((byte, at) => head[at] === byte)
