// Writes data/glyphs.bin, the letters that pictures are drawn with: bun scripts/write-glyphs.ts <woff files of one font>
// Outlines on a grid of 256 to the em: finer than a pixel in every size that is drawn.
import { inflateSync } from 'node:zlib'

const GRID = 256
/** The two levels of JIS X 0208 are rows 16 to 83 of its table; all other letters are taken as they come. */
const KANJI_ROWS = { from: 16, to: 47 }

const paths = process.argv.slice(2)
if (paths.length === 0) {
  console.error('bun scripts/write-glyphs.ts <woff files of one font>')
  process.exit(2)
}

type Point = { readonly x: number; readonly y: number; readonly isOn: boolean }
type Glyph = { readonly advance: number; readonly contours: readonly (readonly Point[])[] }

function readTables(file: Buffer): Map<string, Buffer> {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  return new Map(
    Array.from({ length: file.readUInt16BE(12) }, (_, i) => {
      const at = 44 + 20 * i
      const [offset, packed, length] = [4, 8, 12].map(field => file.readUInt32BE(at + field)) as [
        number,
        number,
        number,
      ]
      const bytes = file.subarray(offset, offset + packed)
      return [file.toString('latin1', at, at + 4), packed < length ? inflateSync(bytes) : bytes]
    }),
  )
}

/** Format 4 is enough: it has every character of the basic plane. */
function readCharacters(cmap: Buffer): Map<number, number> {
  const found = new Map<number, number>()
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const at = cmap.readUInt32BE(8 + 8 * i)
    if (cmap.readUInt16BE(at) !== 4) continue
    const twice = cmap.readUInt16BE(at + 6)
    for (let segment = 0; segment < twice; segment += 2) {
      const end = cmap.readUInt16BE(at + 14 + segment)
      const start = cmap.readUInt16BE(at + 16 + twice + segment)
      const delta = cmap.readUInt16BE(at + 16 + 2 * twice + segment)
      const place = at + 16 + 3 * twice + segment
      const range = cmap.readUInt16BE(place)
      for (let code = start; code <= end && code < 0xffff; code++) {
        const raw = range === 0 ? code : cmap.readUInt16BE(place + range + 2 * (code - start))
        if (range === 0 || raw !== 0) found.set(code, (raw + delta) & 0xffff)
      }
    }
    return found
  }
  throw new Error('no table of characters in format 4')
}

function openFont(file: Buffer) {
  const tables = readTables(file)
  const table = (name: string): Buffer => {
    const found = tables.get(name)
    if (!found) throw new Error(`no table ${name}`)
    return found
  }
  const [head, loca, glyf, hmtx] = ['head', 'loca', 'glyf', 'hmtx'].map(table) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const scale = GRID / head.readUInt16BE(18)
  const isLong = head.readInt16BE(50) === 1
  const wide = table('hhea').readUInt16BE(34)
  const placeOf = (id: number) => (isLong ? loca.readUInt32BE(4 * id) : 2 * loca.readUInt16BE(2 * id))

  function readContours(id: number): Point[][] {
    if (placeOf(id) === placeOf(id + 1)) return []
    const at = placeOf(id)
    const count = glyf.readInt16BE(at)
    return count < 0 ? readParts(at + 10) : readOutline(at + 10, count)
  }

  function readParts(from: number): Point[][] {
    const contours: Point[][] = []
    for (let at = from, more = true; more; ) {
      const flags = glyf.readUInt16BE(at)
      const id = glyf.readUInt16BE(at + 2)
      const isWords = (flags & 1) !== 0
      // Scaled parts are not in the fonts that are used.
      if ((flags & 0xc8) !== 0) throw new Error(`a part of glyph ${id} is scaled`)
      const dx = isWords ? glyf.readInt16BE(at + 4) : glyf.readInt8(at + 4)
      const dy = isWords ? glyf.readInt16BE(at + 6) : glyf.readInt8(at + 5)
      for (const contour of readContours(id))
        contours.push(contour.map(({ x, y, isOn }) => ({ x: x + dx * scale, y: y + dy * scale, isOn })))
      at += isWords ? 8 : 6
      more = (flags & 0x20) !== 0
    }
    return contours
  }

  function readOutline(from: number, count: number): Point[][] {
    const ends = Array.from({ length: count }, (_, i) => glyf.readUInt16BE(from + 2 * i))
    const length = ends.at(-1)! + 1
    let at = from + 2 * count + 2 + glyf.readUInt16BE(from + 2 * count)
    const flags: number[] = []
    while (flags.length < length) {
      const flag = glyf[at++]!
      flags.push(flag)
      if (flag & 8) for (let times = glyf[at++]!; times > 0; times--) flags.push(flag)
    }
    const readAll = (short: number, same: number) => {
      let value = 0
      return flags.map(flag => {
        if (flag & short) value += flag & same ? glyf[at++]! : -glyf[at++]!
        else if (!(flag & same)) {
          value += glyf.readInt16BE(at)
          at += 2
        }
        return value * scale
      })
    }
    const [xs, ys] = [readAll(2, 16), readAll(4, 32)]
    const points = flags.map((flag, i): Point => ({ x: xs[i]!, y: ys[i]!, isOn: (flag & 1) !== 0 }))
    return ends.map((end, i) => points.slice(i === 0 ? 0 : ends[i - 1]! + 1, end + 1))
  }

  const read = (id: number): Glyph => ({
    advance: hmtx.readUInt16BE(4 * Math.min(id, wide - 1)) * scale,
    contours: readContours(id),
  })
  return { characters: readCharacters(table('cmap')), read }
}

function listKanji(): Set<number> {
  const decoder = new TextDecoder('euc-jp')
  const codes = new Set<number>()
  for (let row = KANJI_ROWS.from; row <= KANJI_ROWS.to; row++)
    for (let cell = 1; cell <= 94; cell++)
      codes.add(decoder.decode(new Uint8Array([0xa0 + row, 0xa0 + cell])).codePointAt(0)!)
  return codes
}

const isKanji = (code: number) => code >= 0x3400 && code <= 0xfaff && !(code >= 0xe000 && code <= 0xf8ff)

/**
 * Numbers of variable length, seven bits to a byte. Each glyph: code after the one before, advance, contours; each contour: its
 * points, then of each the way from the one before along x with whether the curve passes it, then of each along y.
 */
function encode(glyphs: ReadonlyMap<number, Glyph>): Uint8Array {
  const bytes: number[] = []
  const number = (value: number) => {
    let rest = value
    for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80)
    bytes.push(rest)
  }
  /** Of either sign. */
  const toWay = (way: number) => (way < 0 ? -2 * way - 1 : 2 * way)
  const ways = (places: readonly number[]) =>
    places.map((place, i) => toWay(Math.round(place) - Math.round(places[i - 1] ?? 0)))
  number(glyphs.size)
  let before = 0
  for (const [code, { advance, contours }] of [...glyphs].sort(([a], [b]) => a - b)) {
    number(code - before)
    before = code
    number(Math.round(advance))
    number(contours.length)
    for (const contour of contours) {
      number(contour.length)
      ways(contour.map(({ x }) => x)).forEach((way, i) => {
        number(2 * way + (contour[i]!.isOn ? 1 : 0))
      })
      for (const way of ways(contour.map(({ y }) => y))) number(way)
    }
  }
  return new Uint8Array(bytes)
}

const kanji = listKanji()
const glyphs = new Map<number, Glyph>()
for (const path of paths) {
  const { characters, read } = openFont(Buffer.from(await Bun.file(path).arrayBuffer()))
  for (const [code, id] of characters)
    if (!glyphs.has(code) && (!isKanji(code) || kanji.has(code))) glyphs.set(code, read(id))
}
const packed = Bun.zstdCompressSync(encode(glyphs), { level: 19 })
await Bun.write(new URL('../data/glyphs.bin', import.meta.url), packed)
console.log(`${glyphs.size} glyphs, ${packed.length} bytes`)
