// Draws the picture of a link preview: the mark, a title and up to two notes.
import { type Canvas, createCanvas, fillOutline, fillRectangle, LEVELS } from './canvas.ts'
import { findGlyph, GRID, type Point } from './glyphs.ts'
import { toDrawable, toLines, widthOf } from './lines.ts'
import { PICTURE } from './paths.ts'
import { type Colour, toPng } from './png.ts'

const MARGIN = 84
const BAND = 20
const BRAND = { size: 44, baseline: 116 }
const TITLE = { maxLines: 3, sizes: [76, 62, 52], leading: 1.25, middle: 306 }
const NOTE = { size: 34, baselines: [522, 572] }

const PAPER: Colour = [0xfb, 0xfa, 0xf6]
const INKS = { dark: [0x1d, 0x22, 0x26], quiet: [0x5b, 0x61, 0x67], accent: [0x0e, 0x66, 0x50] } as const
type Ink = keyof typeof INKS
const INK_NAMES = Object.keys(INKS) as Ink[]

/** The palette: `LEVELS` shades of each ink, starting at the paper. */
const COLOURS: readonly Colour[] = INK_NAMES.flatMap(name =>
  Array.from({ length: LEVELS }, (_, level) => {
    const mix = (i: 0 | 1 | 2) => Math.round(PAPER[i] + ((INKS[name][i] - PAPER[i]) * level) / (LEVELS - 1))
    return [mix(0), mix(1), mix(2)] as const
  }),
)

/** The post and the two boards of the mark, in a box of 32 × 32 with y downwards. */
const SIGNPOST: readonly (readonly (readonly [number, number])[])[] = [
  [
    [14.5, 3.5],
    [17.5, 3.5],
    [17.5, 28.5],
    [14.5, 28.5],
  ],
  [
    [5, 6.5],
    [22.2, 6.5],
    [27, 11],
    [22.2, 15.5],
    [5, 15.5],
  ],
  [
    [10, 18],
    [24, 18],
    [24, 24],
    [10, 24],
    [6.8, 21],
  ],
]

export type PictureText = {
  readonly brand: string
  readonly title: string
  /** Lines below the title; the first two are drawn. */
  readonly notes: readonly string[]
}

export function drawPicture({ brand, title, notes }: PictureText): Uint8Array {
  const canvas = createCanvas(PICTURE.width, PICTURE.height)
  fillRectangle(canvas, [0, 0, BAND, PICTURE.height], INK_NAMES.indexOf('accent'))
  drawMark(canvas)
  drawText(
    canvas,
    toDrawable(brand),
    { x: MARGIN + 76, baseline: BRAND.baseline, size: BRAND.size },
    'accent',
  )
  drawTitle(canvas, toDrawable(title))
  const width = PICTURE.width - 2 * MARGIN
  notes.slice(0, NOTE.baselines.length).forEach((note, i) => {
    const [line = ''] = toLines(toDrawable(note), { size: NOTE.size, width, maxLines: 1 })
    drawText(canvas, line, { x: MARGIN, baseline: NOTE.baselines[i]!, size: NOTE.size }, 'quiet')
  })
  return toPng(canvas, COLOURS)
}

function drawMark(canvas: Canvas): void {
  const contours = SIGNPOST.map(shape => shape.map(([x, y]): Point => ({ x, y: -y, isOn: true })))
  for (const contour of contours)
    fillOutline(canvas, [contour], { x: MARGIN - 4, y: 68, scale: 2 }, INK_NAMES.indexOf('accent'))
}

/** Uses the largest size at which the whole title fits; a longer one is cut. */
function drawTitle(canvas: Canvas, title: string): void {
  const { maxLines, sizes, leading, middle } = TITLE
  const width = PICTURE.width - 2 * MARGIN
  const fits = sizes.map(size => ({ size, lines: toLines(title, { size, width, maxLines: maxLines + 1 }) }))
  const { size } = fits.find(({ lines }) => lines.length <= maxLines) ?? fits.at(-1)!
  const lines = toLines(title, { size, width, maxLines })
  // Centres the block of lines on `middle`; 0.36 em is half the height of a capital.
  const first = middle - ((lines.length - 1) * leading * size) / 2 + 0.36 * size
  lines.forEach((line, i) => {
    drawText(canvas, line, { x: MARGIN, baseline: first + i * leading * size, size }, 'dark')
  })
}

function drawText(
  canvas: Canvas,
  text: string,
  { x, baseline, size }: { readonly x: number; readonly baseline: number; readonly size: number },
  ink: Ink,
): void {
  const scale = size / GRID
  let at = x
  for (const letter of text) {
    const { contours } = findGlyph(letter.codePointAt(0)!)!
    fillOutline(canvas, contours, { x: at, y: baseline, scale }, INK_NAMES.indexOf(ink))
    at += widthOf(letter, size)
  }
}
