// A canvas with a palette. Outlines are filled with anti-aliased edges.
import type { Point } from './glyphs.ts'

/** Shades between the background and an ink, for anti-aliasing. */
export const LEVELS = 16

export type Canvas = { readonly width: number; readonly height: number; readonly pixels: Uint8Array }

export const createCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  pixels: new Uint8Array(width * height),
})

export function fillRectangle(
  { width, pixels }: Canvas,
  [left, top, right, bottom]: readonly [number, number, number, number],
  ink: number,
): void {
  for (let y = top; y < bottom; y++)
    pixels.fill(ink * LEVELS + LEVELS - 1, y * width + left, y * width + right)
}

/** The origin of an outline on the canvas. Its y axis is inverted, because pixel rows count downwards. */
export type TextPosition = { readonly x: number; readonly y: number; readonly scale: number }

/** Fills the area inside the contours. An ink is a ramp of `LEVELS` palette colours, starting at the background. */
export function fillOutline(
  canvas: Canvas,
  contours: readonly (readonly Point[])[],
  position: TextPosition,
  ink: number,
): void {
  const lines = contours.flatMap(contour => flatten(contour, position))
  if (lines.length === 0) return
  const xs = lines.flatMap(([x, , z]) => [x, z])
  const ys = lines.flatMap(([, y, , z]) => [y, z])
  const left = Math.max(0, Math.floor(Math.min(...xs)))
  const top = Math.max(0, Math.floor(Math.min(...ys)))
  const right = Math.min(canvas.width, Math.ceil(Math.max(...xs)) + 1)
  const bottom = Math.min(canvas.height, Math.ceil(Math.max(...ys)) + 1)
  if (left >= right || top >= bottom) return
  const box = { width: right - left, height: bottom - top }
  const areas = new Float32Array((box.width + 1) * box.height)
  for (const [x0, y0, x1, y1] of lines) addLine(areas, box, [x0 - left, y0 - top, x1 - left, y1 - top])
  for (let y = 0; y < box.height; y++) {
    let sum = 0
    for (let x = 0; x < box.width; x++) {
      sum += areas[y * (box.width + 1) + x]!
      const level = Math.round(Math.min(1, Math.abs(sum)) * (LEVELS - 1))
      if (level > 0) canvas.pixels[(top + y) * canvas.width + left + x] = ink * LEVELS + level
    }
  }
}

type Line = readonly [x0: number, y0: number, x1: number, y1: number]

/** Line segments per quadratic curve. */
const STEPS = 6

function flatten(contour: readonly Point[], { x, y, scale }: TextPosition): Line[] {
  const points = contour.map(point => ({ ...point, x: x + point.x * scale, y: y - point.y * scale }))
  // TrueType leaves out the point on the curve midway between two control points.
  const whole = points.flatMap((point, i) => {
    const next = points[(i + 1) % points.length]!
    return point.isOn || next.isOn
      ? [point]
      : [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, isOn: true }]
  })
  const first = whole.findIndex(({ isOn }) => isOn)
  if (first < 0) return []
  const turned = [...whole.slice(first), ...whole.slice(0, first + 1)]
  const lines: Line[] = []
  let from = turned[0]!
  for (let i = 1; i < turned.length; i++) {
    const beside = turned[i]!
    if (beside.isOn) {
      lines.push([from.x, from.y, beside.x, beside.y])
      from = beside
      continue
    }
    const to = turned[++i]!
    let before: readonly [number, number] = [from.x, from.y]
    for (let step = 1; step <= STEPS; step++) {
      const t = step / STEPS
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
      const next = [a * from.x + b * beside.x + c * to.x, a * from.y + b * beside.y + c * to.y] as const
      lines.push([...before, ...next])
      before = next
    }
    from = to
  }
  return lines
}

/**
 * Adds the signed area to the right of a line, as differences between neighbouring pixels. Their running sum along a row is the
 * coverage of each pixel.
 */
function addLine(
  areas: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  [x0, y0, x1, y1]: Line,
): void {
  if (y0 === y1) return
  const direction = y0 < y1 ? 1 : -1
  const [topX, topY, lowX, lowY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
  const slope = (lowX - topX) / (lowY - topY)
  const stride = width + 1
  for (let row = Math.max(0, Math.floor(topY)); row < Math.min(height, Math.ceil(lowY)); row++) {
    const from = Math.max(topY, row)
    const to = Math.min(lowY, row + 1)
    if (to <= from) continue
    const tall = (to - from) * direction
    const [a, b] = [topX + (from - topY) * slope, topX + (to - topY) * slope]
    const [near, far] = [Math.min(a, b), Math.max(a, b)].map(x => Math.min(Math.max(x, 0), width)) as [
      number,
      number,
    ]
    // For each pixel that the line crosses: the part of it to the right of the line.
    let covered = 0
    for (let column = Math.floor(near); column < width; column++) {
      const part = coverage(near, far, column)
      areas[row * stride + column]! += tall * (part - covered)
      covered = part
      if (part >= 1) break
    }
  }
}

/** The part of a pixel to the right of a line that crosses its row from x = `near` to x = `far`. */
function coverage(near: number, far: number, column: number): number {
  if (far - near < 1e-6) return Math.min(1, Math.max(0, column + 1 - near))
  const until = (x: number) => {
    const u = Math.min(1, Math.max(0, (x - near) / (far - near)))
    // The mean distance from the line to x, over the height of the row.
    return x <= near ? 0 : x >= far ? x - (near + far) / 2 : ((far - near) * u * u) / 2
  }
  return until(column + 1) - until(column)
}
