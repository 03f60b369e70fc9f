// EDICT and its computing companion, as EDRDG distributes them: `headword;variant [reading] /(tags) gloss/gloss/(P)/`.
import { join } from 'node:path'
import { type Pair, type PairSources, readLines } from './pair.ts'

export type DictionaryEntry = {
  readonly headwords: readonly string[]
  readonly readings: readonly string[]
  readonly glosses: readonly string[]
  /** Marked by the dictionary as one of the words that people use. */
  readonly isCommon: boolean
}

const withoutMarks = (text: string) => text.replace(/\([^)]*\)/g, '').trim()

function toEntry(line: string): DictionaryEntry | undefined {
  const match = line.match(/^(\S+)(?: \[([^\]]+)\])? \/(.+)\/$/)
  if (match === null || line.startsWith('　')) return undefined
  const parts = match[3]!.split('/')
  const glosses = parts
    .filter(part => !part.startsWith('EntL'))
    .map(part =>
      part
        .replace(/\([^)]*\)|\{[^}]*\}/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
  if (glosses.length === 0) return undefined
  return {
    headwords: match[1]!.split(';').map(withoutMarks),
    readings: (match[2] ?? '').split(';').map(withoutMarks).filter(Boolean),
    glosses,
    isCommon: parts.includes('(P)'),
  }
}

export function readDictionary(folder: string): DictionaryEntry[] {
  return ['edict.txt', 'compdic.txt'].flatMap(file =>
    readLines(join(folder, file)).flatMap(line => toEntry(line) ?? []),
  )
}

export function addDictionaryPairs(entries: readonly DictionaryEntry[], sources: PairSources): void {
  const common: Pair[] = []
  const rest: Pair[] = []
  for (const { headwords, readings, glosses, isCommon } of entries) {
    const b = glosses.slice(0, 6).join(' . ')
    const list = isCommon ? common : rest
    for (const a of headwords.slice(0, 2)) list.push({ a, b })
    // Descriptions write many words in kana, but the reading of a rare word is mostly another word's too.
    if (isCommon && readings[0] !== undefined) list.push({ a: readings[0], b })
  }
  sources.set('edict_common', common)
  sources.set('edict_rest', rest)
}
