// Glyphs for link previews: Latin, Cyrillic, kana and common kanji. scripts/write-glyphs.ts writes the file.
import { readFileSync } from 'node:fs'
import { lazily } from '../../memory/lazily.ts'
import { packageFile } from '../../package/files.ts'

/** Units per em. The baseline is at y = 0 and y grows upwards. */
export const GRID = 256

/** `isOn` is false for the control point of a quadratic curve. */
export type Point = { readonly x: number; readonly y: number; readonly isOn: boolean }
export type Glyph = { readonly advance: number; readonly contours: readonly (readonly Point[])[] }

/** The file is read when the first picture is drawn. */
const readAll = lazily(() => readGlyphs(Bun.zstdDecompressSync(readFileSync(packageFile('data/glyphs.bin')))))

export const findGlyph = (code: number): Glyph | undefined => readAll().get(code)

/** Contours are decoded on first use: a directory draws a few hundred of several thousand glyphs. */
function toGlyph(advance: number, read: () => Glyph['contours']): Glyph {
  const contours = lazily(read)
  return {
    advance,
    get contours() {
      return contours()
    },
  }
}

function readGlyphs(bytes: Uint8Array): Map<number, Glyph> {
  const found = new Map<number, Glyph>()
  const reader = createReader(bytes, 0)
  const count = reader.number()
  let code = 0
  for (let i = 0; i < count; i++) {
    code += reader.number()
    const advance = reader.number()
    const from = reader.place()
    found.set(
      code,
      toGlyph(advance, () => readContours(createReader(bytes, from))),
    )
    for (let contours = reader.number(); contours > 0; contours--)
      for (let numbers = 2 * reader.number(); numbers > 0; numbers--) reader.number()
  }
  return found
}

type Reader = ReturnType<typeof createReader>

function createReader(bytes: Uint8Array, from: number) {
  let at = from
  return {
    place: () => at,
    /** A LEB128 number. */
    number(): number {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!
        value |= (byte & 0x7f) << shift
        if (byte < 0x80) return value
      }
    },
  }
}

const readContours = (reader: Reader): Point[][] =>
  Array.from({ length: reader.number() }, () => readContour(reader))

/** Points are stored as differences: all of x, whose lowest bit is `isOn`, then all of y. */
function readContour(reader: Reader): Point[] {
  const length = reader.number()
  let x = 0
  const across = Array.from({ length }, () => {
    const given = reader.number()
    x += fromZigzag(given >> 1)
    return { x, isOn: (given & 1) === 1 }
  })
  let y = 0
  return across.map(point => {
    y += fromZigzag(reader.number())
    return { ...point, y }
  })
}

const fromZigzag = (given: number): number => (given & 1 ? -((given + 1) >> 1) : given >> 1)
