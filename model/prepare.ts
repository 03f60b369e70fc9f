// Turns the sources into what train.py reads: a vocabulary, token rows of every pair, start vectors, a dictionary of
// token pairs, and sets to watch while training.
//   bun model/prepare.ts <sources> <out> [--pairs <folder of .jsonl>] [--judged <folder of judged sets>] [--words data/embedding.txt]
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'bun'
import { createEmbeddingVocabulary, HASHED_ROWS, toEmbeddingRows } from '../src/search/embedding/tokens.ts'
import { encodePairs, encodeTranslations } from './encode-pairs.ts'
import { type PairSources, readLines } from './pair.ts'
import { addLocalePairs } from './read-cldr.ts'
import { addDebianPairs } from './read-debian.ts'
import { addDictionaryPairs, readDictionary } from './read-edict.ts'
import { addLexiconPairs } from './read-lexicon.ts'
import { addLibreOfficePairs } from './read-libreoffice.ts'
import { addRepositoryPairs } from './read-repositories.ts'
import { addRequestPairs } from './read-requests.ts'
import { addWordNetPairs } from './read-wordnet.ts'
import { REQUEST_PHRASES } from './request-phrases.ts'
import { readGlove, toStartVectors } from './start-vectors.ts'
import { readWatchedSets, takeHeldOut, withoutJudged } from './watched.ts'
import { countWords, readWordList, toWordList } from './word-list.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string' }, judged: { type: 'string' }, words: { type: 'string' } },
})
const [from, out] = positionals
if (from === undefined || out === undefined) {
  throw new Error('Give the folder of sources and the folder to write to.')
}

function addPairFiles(folder: string, sources: PairSources): void {
  for (const file of readdirSync(folder).sort()) {
    const name = file.match(/^(\w+)\.jsonl$/)?.[1]
    if (name === undefined) continue
    const lines = readLines(join(folder, file))
    sources.set(
      name,
      lines.map(line => JSON.parse(line)),
    )
  }
}

const save = (name: string, { buffer, byteOffset, byteLength }: ArrayBufferView) =>
  writeFileSync(
    join(out, `${name}.gz`),
    gzipSync(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)),
  )

mkdirSync(out, { recursive: true })
const sources: PairSources = new Map()
const dictionary = readDictionary(from)
addDictionaryPairs(dictionary, sources)
addWordNetPairs(from, sources)
addLocalePairs(from, sources)
addDebianPairs(from, sources)
addLibreOfficePairs(from, sources)
if (existsSync(join(from, 'repositories'))) addRepositoryPairs(from, sources)
addRequestPairs(sources)
addLexiconPairs(sources)
if (values.pairs !== undefined) addPairFiles(values.pairs, sources)
if (values.judged !== undefined) withoutJudged(sources, values.judged)

const glove = readGlove(from)
const { words, english } =
  values.words === undefined ? toWordList(countWords(sources), glove, dictionary) : readWordList(values.words)
const list = `${words.join('\n')}\n`
const vocabulary = createEmbeddingVocabulary(list)
writeFileSync(join(out, 'vocabulary.txt'), list)

const watched = {
  ...takeHeldOut(sources, vocabulary),
  ...(values.judged === undefined ? {} : readWatchedSets(values.judged, vocabulary)),
}
writeFileSync(join(out, 'watched.json'), JSON.stringify(watched))

const counts = new Float32Array(HASHED_ROWS + words.length)
for (const [name, pairs] of sources) {
  save(`pairs-${name}`, encodePairs(pairs, vocabulary, counts))
  console.log(name.padEnd(24), String(pairs.length).padStart(7))
}
save('counts', counts)
save('start', toStartVectors(glove, vocabulary, english))
save('translations', encodeTranslations(dictionary, vocabulary, english, counts))
const toPhrases = (phrases: readonly string[]) => phrases.map(phrase => toEmbeddingRows(phrase, vocabulary))
const meta = {
  rows: counts.length,
  hashed: HASHED_ROWS,
  english,
  sources: [...sources.keys()],
  phrases: { en: toPhrases(REQUEST_PHRASES.en), ja: toPhrases(REQUEST_PHRASES.ja) },
}
writeFileSync(join(out, 'meta.json'), JSON.stringify(meta))
console.log(`${words.length} words, ${english} of them English`)
