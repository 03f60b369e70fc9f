// The Unicode locale data: keywords of emoji and symbols, and the names of countries, languages and currencies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pair, PairSources } from './pair.ts'

type Annotation = { default?: string[]; tts?: string[] }
type Annotations = Record<string, Annotation>
type Names = Record<string, string>
type Currencies = Record<string, { displayName?: string }>

/** The same picture five times over, with the same keywords. */
const SKIN_TONE = /[\u{1F3FB}-\u{1F3FF}]/u

const read = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))

function addKeywords(folder: string, pairs: Pair[]): void {
  for (const [name, root, key] of [
    ['cldr-annotations-full', 'annotations', 'annotations'],
    ['cldr-annotations-derived-full', 'annotationsDerived', 'annotationsDerived'],
  ] as const) {
    const load = (language: string): Annotations =>
      read(folder, name, root, language, 'annotations.json')[key].annotations
    const english = load('en')
    for (const [symbol, japanese] of Object.entries(load('ja'))) {
      const other = english[symbol]
      if (other === undefined || SKIN_TONE.test(symbol)) continue
      const words = (annotation: Annotation) =>
        [...new Set([...(annotation.tts ?? []), ...(annotation.default ?? [])])].join(' . ')
      pairs.push({ a: words(japanese), b: words(other) })
    }
  }
}

function addNames(folder: string, pairs: Pair[]): void {
  for (const kind of ['territories', 'languages', 'scripts']) {
    const load = (language: string): Names =>
      read(folder, 'cldr-localenames-full/main', language, `${kind}.json`).main[language].localeDisplayNames[
        kind
      ]
    const english = load('en')
    for (const [code, name] of Object.entries(load('ja'))) {
      if (english[code] !== undefined) pairs.push({ a: name, b: english[code] })
    }
  }
  const currencies = (language: string): Currencies =>
    read(folder, 'cldr-numbers-full/main', language, 'currencies.json').main[language].numbers.currencies
  const english = currencies('en')
  for (const [code, { displayName }] of Object.entries(currencies('ja'))) {
    const other = english[code]?.displayName
    if (displayName !== undefined && other !== undefined)
      pairs.push({ a: displayName, b: `${code} . ${other}` })
  }
}

export function addLocalePairs(folder: string, sources: PairSources): void {
  const keywords: Pair[] = []
  const names: Pair[] = []
  addKeywords(folder, keywords)
  addNames(folder, names)
  sources.set('cldr_keywords', keywords)
  sources.set('cldr_names', names)
}
