// Encodes a canvas as a PNG with a palette, which keeps pictures of few colours small.
import { crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const BITS = 8
const PALETTE = 3
/** Large areas have one colour, so a higher level gains little. */
const LEVEL = 4

export type Colour = readonly [red: number, green: number, blue: number]

export function toPng({ width, height, pixels }: Canvas, colours: readonly Colour[]): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([BITS, PALETTE], 8)
  // Each row starts with its filter type: 0, none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    toChunk('IHDR', head),
    toChunk('PLTE', Buffer.from(colours.flat())),
    toChunk('IDAT', deflateSync(rows, { level: LEVEL })),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function toChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(named, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}
