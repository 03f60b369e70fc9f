// The direction of a conversion. An entry has the same words whether it converts text to speech or speech to text, so
// entries that describe only the opposite of the query are found by their phrasing.
import type { Encoded } from '../../domain/json/encoded.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { SearchIndex } from '../search-index.ts'
import { foldWidth } from '../text/analyzer.ts'
import type { Conversion } from '../text/languages/language.ts'

/** A service describes its conversions in the name and at the beginning of the description. */
const MAX_TEXT = 600
/** Both ends must have at least this similarity, and be more similar in the opposite direction by this margin. */
const MIN_LIKENESS = 0.4
const MIN_LEAD = 0.2

/** Without the words that both ends share: in "a PDF file to a Word file", "file" carries no information. */
function withoutShared({ from, to }: Conversion): Conversion {
  return { from: from.filter(word => !to.includes(word)), to: to.filter(word => !from.includes(word)) }
}

/** Returns a test for slots whose entries convert in the opposite direction; undefined for a sentence without a conversion. */
export function toReversed(
  { index, service }: { readonly index: SearchIndex; service(slot: number): Encoded<Service> },
  subject: string,
): ((slot: number) => boolean) | undefined {
  const read = (text: string): Conversion[] =>
    index.languages.all
      .flatMap(({ sentence: { toConversions, namedConversions = [] } }) => [
        ...(toConversions?.(foldWidth(text)) ?? []).map(withoutShared),
        ...namedConversions.filter(({ pattern }) => pattern.test(text)),
      ])
      .filter(({ from, to }) => from.length > 0 && to.length > 0)
  const wanted = read(subject)
  if (wanted.length === 0) return undefined

  /** By both words: the entries that one query finds have many in common, and to reduce a word to its stem takes long. */
  const known = new Map<string, Map<string, number>>()
  function similarityOf(some: readonly string[], others: readonly string[]): number {
    let highest = 0
    for (const a of some) {
      const ofA = known.get(a) ?? new Map<string, number>()
      known.set(a, ofA)
      for (const b of others) {
        const similarity = ofA.get(b) ?? index.wordSimilarity(a, b)
        ofA.set(b, similarity)
        highest = Math.max(highest, similarity)
      }
    }
    return highest
  }
  const agreement = (from: number, to: number): number =>
    Math.min(from, to) < MIN_LIKENESS ? 0 : (from + to) / 2

  return slot => {
    const { name, description } = service(slot).decode()
    let forward = 0
    let backward = 0
    for (const offered of read(`${name}. ${description}`.slice(0, MAX_TEXT))) {
      for (const { from, to } of wanted) {
        forward = Math.max(forward, agreement(similarityOf(from, offered.from), similarityOf(to, offered.to)))
        backward = Math.max(
          backward,
          agreement(similarityOf(from, offered.to), similarityOf(to, offered.from)),
        )
      }
    }
    return backward > forward + MIN_LEAD
  }
}
