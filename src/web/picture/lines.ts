// Breaks text into lines of a given width: between words, and between phrases in a language without spaces.
import { phrasesOf } from '../phrases.ts'
import { findGlyph, GRID } from './glyphs.ts'

const ELLIPSIS = '…'
/** Far more than fits; bounds the cost of a long name. */
const MAX_CHARACTERS = 200

/** Removes characters without a glyph and collapses white space. */
export const toDrawable = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .slice(0, 4 * MAX_CHARACTERS)
      .toWellFormed(),
  ]
    .slice(0, MAX_CHARACTERS)
    .map(letter => (/\s/.test(letter) ? ' ' : isDrawable(letter) ? letter : ''))
    .join('')
    .replace(/ +/g, ' ')
    .trim()

/** Fonts also have glyphs for control characters, which are empty or change the direction of text. */
const isDrawable = (letter: string): boolean =>
  !/\p{C}/u.test(letter) && findGlyph(letter.codePointAt(0)!) !== undefined

/** @param size pixels per em */
export const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + (findGlyph(letter.codePointAt(0)!)?.advance ?? 0), 0) *
  (size / GRID)

export function toLines(
  text: string,
  { size, width, maxLines }: { readonly size: number; readonly width: number; readonly maxLines: number },
): string[] {
  const pieces = text
    .split(/(?<= )/)
    .flatMap(phrasesOf)
    .flatMap(piece => (widthOf(piece.trimEnd(), size) <= width ? [piece] : [...piece]))
  const lines: string[] = []
  let line = ''
  for (const piece of pieces) {
    if (line !== '' && widthOf((line + piece).trimEnd(), size) > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  if (line !== '') lines.push(line.trimEnd())
  if (lines.length <= maxLines) return lines
  let last = lines[maxLines - 1]!
  while (last !== '' && widthOf(last + ELLIPSIS, size) > width) last = [...last].slice(0, -1).join('')
  return [...lines.slice(0, maxLines - 1), last.trimEnd() + ELLIPSIS]
}
