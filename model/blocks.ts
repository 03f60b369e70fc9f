// Documents as plain paragraphs, and which paragraphs of a document and of its translation say the same.

/** `kind` separates what is never a translation of the other: a heading of each level, and text. */
export type Block = { readonly kind: string; readonly text: string }

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const WIDE = '[\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}、。（）「」ー・]'
/** Japanese wraps anywhere: its lines are joined without a space. */
const WRAPPED = new RegExp(`(?<=${WIDE}) (?=${WIDE})`, 'gu')
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

export const isJapaneseText = (text: string): boolean => JAPANESE.test(text)

export const toPlainText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&([\w.-]+);/g, (_, name: string) => ENTITIES[name] ?? (name.includes('.') ? ' ' : name))
    .replace(/\s+/g, ' ')
    .replace(WRAPPED, '')
    .trim()

/** The last argument that is text: `{{domxref("Window/fetch", "fetch()")}}` reads fetch(). */
const readMacro = (inside: string): string => {
  const words = [...inside.matchAll(/["']([^"']*)["']/g)].map(match => match[1]!)
  return /^[<%]?\s*(glossary|api-reference|\w*xref)/i.test(inside) ? (words.at(-1) ?? '') : ''
}

const toInline = (markdown: string): string =>
  toPlainText(
    markdown
      .replace(/\{\{[<%]?([\s\S]*?)[>%]?\}\}/g, (_, inside: string) => readMacro(inside.trim()))
      .replace(/\{%[^%]*%\}|\[!INCLUDE[^\]]*\]\([^)]*\)/g, ' ')
      .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
      .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
      .replace(/\{#[^}]*\}/g, ' ')
      .replace(/[`*]+|\[![A-Z]+\]/g, ''),
  )

/** Headings, paragraphs and list items; no code, tables or comments. The title of the front matter comes first. */
export function readMarkdown(markdown: string): Block[] {
  const front = markdown.match(/^---\n([\s\S]*?)\n---\n/)
  const title = front?.[1]?.match(/^title:\s*["']?(.*?)["']?\s*$/m)?.[1]
  const body = markdown
    .slice(front?.[0].length ?? 0)
    .replace(/^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1[ \t]*$/gm, '\n\n')
    .replace(/<!--[\s\S]*?-->|<pre[\s\S]*?<\/pre>|<script[\s\S]*?<\/script>/g, '\n\n')
    .replace(/^\s*(\||import |export |:::).*$/gm, '\n')
  const blocks: Block[] = title === undefined ? [] : [{ kind: 'h1', text: toInline(title) }]
  for (const part of body.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s|#|>)/)) {
    const heading = part.trim().match(/^(#{1,6})\s+(.*)$/)
    const source = heading === null ? part.replace(/^\s*>?\s*((?:[-*+]|\d+\.)\s+)?(:\s+)?/, '') : heading[2]!
    const text = toInline(source)
    if (text !== '') blocks.push({ kind: heading === null ? 'p' : `h${heading[1]!.length}`, text })
  }
  return blocks
}

const DOCBOOK_BLOCKS =
  /<\/?(?:para|simpara|listitem|title|term|entry|member|refpurpose|refname|note|warning|caution|tip|section|chapter|row|variablelist|itemizedlist|refsect1|varlistentry)\b[^>]*>/g

/** The texts of DocBook's elements that hold text, in their order; no code and no synopses. */
export function readDocbook(xml: string): Block[] {
  const body = xml.replace(
    /<!--[\s\S]*?-->|<(programlisting|screen|methodsynopsis|classsynopsis|synopsis|indexterm|fieldsynopsis|constructorsynopsis)\b[\s\S]*?<\/\1>/g,
    ' ',
  )
  const blocks: Block[] = []
  let kind = 'p'
  let from = 0
  const add = (to: number) => {
    const text = toPlainText(
      body.slice(from, to).replace(/<!\[CDATA\[|\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[\s\S]*?>/g, ' '),
    )
    if (text !== '') blocks.push({ kind, text })
  }
  for (const tag of body.matchAll(DOCBOOK_BLOCKS)) {
    add(tag.index)
    kind = /^<(title|refname|term)/.test(tag[0]) ? 'h' : 'p'
    from = tag.index + tag[0].length
  }
  add(body.length)
  return blocks
}

const LENGTH_RATIO = 2.1
const SKIP = -0.2
const ENOUGH = 0.3
const LONGEST = 700

const toLatinWords = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9_]{2,}/g))

/** The best order-keeping alignment, by length and by the Latin words that a translation keeps. */
export function align(japanese: readonly Block[], english: readonly Block[]): [Block, Block][] {
  if (japanese.length > LONGEST || english.length > LONGEST) return []
  const kept = japanese.map(({ text }) => [...toLatinWords(text)])
  const words = english.map(({ text }) => toLatinWords(text))
  const likeness = (i: number, j: number) => {
    if (japanese[i]!.kind !== english[j]!.kind) return -9
    const length = 1 - Math.abs(Math.log(english[j]!.text.length / (LENGTH_RATIO * japanese[i]!.text.length)))
    const all = kept[i]!.length
    const shared = all === 0 ? 0 : kept[i]!.filter(word => words[j]!.has(word)).length / all
    return length + (all === 0 ? 0 : 1.5 * shared - 0.7)
  }
  const width = english.length + 1
  const best = new Float32Array((japanese.length + 1) * width)
  const step = new Uint8Array(best.length)
  const scores = new Float32Array(best.length)
  for (let i = 0; i <= japanese.length; i++) {
    for (let j = 0; j <= english.length; j++) {
      if (i === 0 && j === 0) continue
      const at = i * width + j
      best[at] = -Infinity
      if (i > 0) [best[at], step[at]] = [best[at - width]! + SKIP, 1]
      if (j > 0 && best[at - 1]! + SKIP > best[at]!) [best[at], step[at]] = [best[at - 1]! + SKIP, 2]
      if (i === 0 || j === 0) continue
      scores[at] = likeness(i - 1, j - 1)
      const both = best[at - width - 1]! + scores[at]!
      if (both > best[at]!) [best[at], step[at]] = [both, 3]
    }
  }
  const pairs: [Block, Block][] = []
  let i = japanese.length
  let j = english.length
  while (i > 0 && j > 0) {
    const at = i * width + j
    if (step[at] === 3) {
      if (scores[at]! > ENOUGH) pairs.push([japanese[i - 1]!, english[j - 1]!])
      i--
      j--
    } else if (step[at] === 1) i--
    else j--
  }
  return pairs.reverse()
}
