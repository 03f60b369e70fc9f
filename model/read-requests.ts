// Kinds of services as a provider describes them, and requests for them (requests.ndjson), in both languages.
import { join } from 'node:path'
import { type PairSources, readLines } from './pair.ts'

type Kind = { en: string; ja: string; askEn: string[]; askJa: string[] }

/** One source for each request and language of the description: within a batch, each kind then stands once. */
export function addRequestPairs(sources: PairSources): void {
  for (const line of readLines(join(import.meta.dir, 'requests.ndjson'))) {
    const { en, ja, askEn, askJa } = JSON.parse(line) as Kind
    const pairs = [...askEn, ...askJa].flatMap(a => [en, ja].map(b => ({ a, b })))
    for (const [i, pair] of pairs.entries()) {
      const name = `requests_${i}`
      sources.set(name, [...(sources.get(name) ?? []), pair])
    }
  }
}
