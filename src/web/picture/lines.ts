// Text in lines of a width: broken between words, and between the phrases of a language without spaces.
import { phrasesOf } from '../phrases.ts'
import { findGlyph, GRID } from './glyphs.ts'

const ELLIPSIS = '…'
/** Far more than fits: a name of a stranger costs no more than this. */
const MAX_CHARACTERS = 200

/** What can be drawn of it: letters that are not there are left out, and what cannot be seen is a space. */
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

/** Fonts have glyphs for controls too, which turn the direction round or are empty. */
const isDrawable = (letter: string): boolean =>
  !/\p{C}/u.test(letter) && findGlyph(letter.codePointAt(0)!) !== undefined

/** In pixels, at so many pixels to the em. */
export const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + (findGlyph(letter.codePointAt(0)!)?.advance ?? 0), 0) *
  (size / GRID)

export function toLines(
  text: string,
  { size, width, most }: { readonly size: number; readonly width: number; readonly most: number },
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
  if (lines.length <= most) return lines
  let last = lines[most - 1]!
  while (last !== '' && widthOf(last + ELLIPSIS, size) > width) last = [...last].slice(0, -1).join('')
  return [...lines.slice(0, most - 1), last.trimEnd() + ELLIPSIS]
}
