// Chooses a content coding the client accepts (RFC 9110, 12.5.3) and compresses. Measured on a page of 10 KB.

import { Duplex } from 'node:stream'
import { brotliCompressSync, constants, createBrotliCompress } from 'node:zlib'
import { type Coding, PACKED_CODINGS, type PackedCoding } from '../../domain/entity-tag.ts'
import { readQualities } from '../../domain/quality-list.ts'
import { memoize } from '../../memory/memoize.ts'

/** Below this length the header and the time cost more than is saved. */
const MIN_PACKED_LENGTH = 1024
/** 65 µs to 4.8 KB; level 6 takes 161 µs to 3.9 KB. */
const GZIP_LEVEL = 1
/** 60 µs to 4.0 KB; level 6 takes 185 µs to 3.9 KB. */
const ZSTD_LEVEL = 3
/** 81 µs to 4.3 KB with this window; quality 4 takes 354 µs to 3.9 KB, and the usual window 152 µs to the same length. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 }
/** All clients of one kind send the same header. */
const MAX_REMEMBERED = 256
const MAX_REMEMBERED_LENGTH = 128

/** The coding of a complete body. */
export function chooseBodyCoding(accepted: string | null, { length }: Uint8Array): Coding {
  return length < MIN_PACKED_LENGTH ? 'identity' : chooseCoding(accepted)
}

/** The client's highest rated coding, the cheapest among equals. */
export function chooseCoding(accepted: string | null): Coding {
  if (accepted === null) return 'identity'
  return accepted.length > MAX_REMEMBERED_LENGTH ? readAccepted(accepted) : recall(accepted)
}

const recall = memoize(MAX_REMEMBERED, readAccepted)

function readAccepted(accepted: string): Coding {
  const qualities = new Map<string, number>()
  for (const { name, quality } of readQualities(accepted))
    qualities.set(name === 'x-gzip' ? 'gzip' : name, quality)
  const any = qualities.get('*') ?? 0
  let chosen: Coding = 'identity'
  let best = 0
  for (const coding of PACKED_CODINGS) {
    const quality = qualities.get(coding) ?? any
    if (quality > best) [chosen, best] = [coding, quality]
  }
  return best >= (qualities.get('identity') ?? 0) ? chosen : 'identity'
}

const PACK: Readonly<Record<PackedCoding, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>>> = {
  zstd: bytes => Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL }) as Uint8Array<ArrayBuffer>,
  br: bytes => brotliCompressSync(bytes, { params: BROTLI }) as Uint8Array<ArrayBuffer>,
  gzip: bytes => Bun.gzipSync(bytes, { level: GZIP_LEVEL }),
}

export const pack = (bytes: Uint8Array<ArrayBuffer>, coding: PackedCoding): Uint8Array<ArrayBuffer> =>
  PACK[coding](bytes)

type Packer = TransformStream<Uint8Array, Uint8Array>

/** For a streamed body. The runtime's own Brotli stream uses the highest quality, which takes seven times as long as gzip. */
export function packStream(plain: ReadableStream<Uint8Array>, coding: PackedCoding) {
  const packer =
    coding === 'br'
      ? Duplex.toWeb(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }))
      : new CompressionStream(coding as 'gzip')
  return plain.pipeThrough(packer as unknown as Packer)
}
