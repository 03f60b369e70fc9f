// A surface of few colours, on which outlines are filled with smooth edges.
import type { Point } from './glyphs.ts'

/** Steps between two colours at an edge; as many as the eye tells apart at this size. */
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

/** Where an outline goes: its grid is scaled, and y turns round, since pixels count downwards. */
export type TextPosition = { readonly x: number; readonly y: number; readonly scale: number }

/** Fills what the contours enclose. An ink is a ramp of `LEVELS` colours that begins with the ground. */
export function fillOutline(
  canvas: Canvas,
  contours: readonly (readonly Point[])[],
  place: TextPosition,
  ink: number,
): void {
  const lines = contours.flatMap(contour => flatten(contour, place))
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

/** A curve between two points that it passes, with the one beside it that it does not, becomes a few lines. */
const STEPS = 6

function flatten(contour: readonly Point[], { x, y, scale }: TextPosition): Line[] {
  const points = contour.map(point => ({ ...point, x: x + point.x * scale, y: y - point.y * scale }))
  // Between two points beside the curve lies one that it passes.
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
 * Adds the signed area between a line and the right edge, as differences from pixel to pixel: summed along a row they are the part
 * of each pixel that is covered.
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
    // Of each pixel that the line crosses, what lies to its right within the row.
    let covered = 0
    for (let column = Math.floor(near); column < width; column++) {
      const part = coverage(near, far, column)
      areas[row * stride + column]! += tall * (part - covered)
      covered = part
      if (part >= 1) break
    }
  }
}

/** Which part of the pixel lies right of a line that crosses the row from `near` to `far`. */
function coverage(near: number, far: number, column: number): number {
  if (far - near < 1e-6) return Math.min(1, Math.max(0, column + 1 - near))
  const until = (x: number) => {
    const u = Math.min(1, Math.max(0, (x - near) / (far - near)))
    // The mean, over the height of the row, of how far x lies right of the line.
    return x <= near ? 0 : x >= far ? x - (near + far) / 2 : ((far - near) * u * u) / 2
  }
  return until(column + 1) - until(column)
}
