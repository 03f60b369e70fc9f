// What the directory says about services is kept and served in English. A page in another language finds a sentence in its table by the
// English one, values and all, as translators' catalogs do; what no table knows stays English, and the page marks it so.
import { PHRASES } from './phrases-ja.ts'
import { PROBE_SENTENCES } from './sentences-probe-ja.ts'
import { STANDING_SENTENCES } from './sentences-standing-ja.ts'

type Kind = 'number' | 'word' | 'quoted' | 'place' | 'days' | 'text' | 'phrase' | 'list' | 'sentences'
type Part = { readonly name: string; readonly kind: Kind }
type Pattern = { readonly expression: RegExp; readonly parts: readonly Part[]; readonly japanese: string }

const SHAPES: Readonly<Record<Kind, string>> = {
  number: '-?[\\d.,]+',
  word: '\\S+?',
  quoted: '".*"',
  place: 'accepts\\[\\d+\\][.\\w]*',
  days: 'days?',
  text: '.+?',
  phrase: '.+?',
  list: '.+?',
  sentences: '.+',
}

function toPattern(english: string, japanese: string): Pattern {
  const parts: Part[] = []
  const source = english.split(/(\{[^}]+\})/).map(piece => {
    const [, name, kind = 'text'] = /^\{(\w+)(?:\|(\w+))?\}$/.exec(piece) ?? []
    if (name === undefined) return RegExp.escape(piece)
    parts.push({ name, kind: kind as Kind })
    return `(${SHAPES[kind as Kind]})`
  })
  return { expression: new RegExp(`^${source.join('')}$`, 's'), parts, japanese }
}

/** The more of it stands fast, the sooner it is tried: what is mostly values would fit nearly everything. */
const toPatterns = (table: Readonly<Record<string, string>>): Pattern[] =>
  Object.entries(table)
    .toSorted(([a], [b]) => fixedLength(b) - fixedLength(a))
    .map(([english, japanese]) => toPattern(english, japanese))

const fixedLength = (english: string): number => english.replace(/\{[^}]+\}/g, '').length

let tables: { readonly sentences: Pattern[]; readonly phrases: Pattern[] } | undefined

/** Made when the first Japanese page needs them. */
const loadTables = () => {
  tables ??= {
    sentences: toPatterns({ ...STANDING_SENTENCES, ...PROBE_SENTENCES }),
    phrases: toPatterns(PHRASES),
  }
  return tables
}

/** Beyond this a text was written by somebody else. */
const MAX_LENGTH = 1_000
const MAX_REMEMBERED = 2_000
const remembered = new Map<string, string | undefined>()

/** One or more sentences in Japanese; undefined where one of them is not known. */
export function sentencesToJapanese(text: string): string | undefined {
  if (remembered.has(text)) return remembered.get(text)
  const japanese = text.length > MAX_LENGTH ? undefined : translate(text)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, japanese)
  return japanese
}

/** A part of a sentence, such as what is wrong with a field; undefined where it is not known. */
export function phraseToJapanese(text: string): string | undefined {
  const { phrases, sentences } = loadTables()
  // A field may also be refused with a whole sentence.
  return fill(text, phrases) ?? fill(text, sentences)
}

/** Where one sentence ends is known only when it fits: a value may hold a full stop. */
function translate(text: string): string | undefined {
  const { sentences } = loadTables()
  for (const end of endsOf(text)) {
    const first = fill(text.slice(0, end), sentences)
    if (first === undefined) continue
    if (end === text.length) return first
    const rest = translate(text.slice(end + 1))
    if (rest !== undefined) return first + rest
  }
  return undefined
}

function* endsOf(text: string): Generator<number> {
  for (let at = text.indexOf('. '); at >= 0; at = text.indexOf('. ', at + 1)) yield at + 1
  yield text.length
}

function fill(text: string, patterns: readonly Pattern[]): string | undefined {
  for (const { expression, parts, japanese } of patterns) {
    const found = expression.exec(text)
    if (!found) continue
    const told = parts.map(({ kind }, i) => toValue(found[i + 1]!, kind))
    if (told.includes(undefined)) continue
    return japanese.replace(/\{(\w+)\}/g, (_, name: string) => told[parts.findIndex(p => p.name === name)]!)
  }
  return undefined
}

/** undefined where the value does not fit its place. */
function toValue(value: string, kind: Kind): string | undefined {
  if (kind === 'phrase') return phraseToJapanese(value)
  // An owner's own words stay as they are.
  if (kind === 'sentences') return translate(value) ?? value
  if (kind === 'list') return toList(value)
  return value
}

function toList(value: string): string {
  const [, named = value, more] = /^(.*) and (\d+) more$/s.exec(value) ?? []
  const names = named.split(/ and |, /).map(name => phraseToJapanese(name) ?? name)
  return names.join('、') + (more === undefined ? '' : `、ほか${more}件`)
}
