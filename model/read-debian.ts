// Debian's package descriptions in English and, where volunteers translated them, Japanese (apt's Translation files).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pair, PairSources } from './pair.ts'

type Description = { name: string; summary: string; paragraphs: string[] }

/** By the digest of the English description, which ties a translation to the text it translates. */
function readDescriptions(folder: string, language: string): Map<string, Description> {
  const found = new Map<string, Description>()
  for (const stanza of readFileSync(join(folder, `Translation-${language}`), 'utf8').split('\n\n')) {
    const name = stanza.match(/^Package: (.+)$/m)?.[1]
    const digest = stanza.match(/^Description-md5: (.+)$/m)?.[1]
    const text = stanza.split(`\nDescription-${language}: `)[1]
    if (name === undefined || digest === undefined || text === undefined) continue
    const [summary = '', ...lines] = text.split('\n')
    // Japanese wraps anywhere: its lines are joined without a space.
    const joined = lines.map(line => line.trim()).join(language === 'ja' ? '' : ' ')
    const paragraphs = joined.split(/ \. |(?<=。)\.|(?<=[。)])\s*\.\s*/).filter(part => part.length > 1)
    found.set(digest, { name, summary, paragraphs })
  }
  return found
}

export function addDebianPairs(folder: string, sources: PairSources): void {
  const english = readDescriptions(folder, 'en')
  const japanese = readDescriptions(folder, 'ja')
  const summaries: Pair[] = []
  const names: Pair[] = []
  const translated: Pair[] = []
  const withinJapanese: Pair[] = []
  const seen = new Set<string>()
  for (const { name, summary, paragraphs } of english.values()) {
    // Families of packages (plugins, localisations) share a summary; one of them is enough.
    if (seen.has(summary)) continue
    seen.add(summary)
    if (paragraphs[0] !== undefined)
      summaries.push({ a: summary, b: paragraphs.slice(0, 2).join(' ').slice(0, 500) })
    names.push({ a: name, b: summary })
  }
  for (const [digest, { summary, paragraphs }] of japanese) {
    const source = english.get(digest)
    if (paragraphs[0] !== undefined) withinJapanese.push({ a: summary, b: paragraphs[0].slice(0, 250) })
    if (source === undefined) continue
    translated.push({ a: summary, b: source.summary })
    if (paragraphs.length !== source.paragraphs.length) continue
    paragraphs.forEach((paragraph, i) => {
      translated.push({ a: paragraph.slice(0, 250), b: source.paragraphs[i]!.slice(0, 500) })
    })
  }
  sources.set('debian_summary', summaries)
  sources.set('debian_name', names)
  sources.set('debian_ja', translated)
  sources.set('debian_ja_mono', withinJapanese)
}
