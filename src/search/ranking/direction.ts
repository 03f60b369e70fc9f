// Which way a conversion goes. An entry has the same words whether it turns text into speech or speech into text, so those that
// tell of the opposite of what is asked for, and of nothing else, are found by how they tell it.
import type { Encoded } from '../../domain/encoded.ts'
import type { Service } from '../../domain/service.ts'
import type { SearchIndex } from '../search-index.ts'
import { foldWidth } from '../text/analyzer.ts'
import type { Conversion } from '../text/languages/language.ts'

/** What a service is told to convert is in its name and near the beginning of its description. */
const MAX_TEXT = 600
/** Both ends must be alike by so much, and more alike the wrong way round than the right one by so much. */
const MIN_LIKENESS = 0.4
const MIN_LEAD = 0.2

/** Without the words of both ends: of a PDF file and a Word file the file tells nothing. */
function withoutShared({ from, to }: Conversion): Conversion {
  return { from: from.filter(word => !to.includes(word)), to: to.filter(word => !from.includes(word)) }
}

/** A test for slots whose entries convert the other way; undefined where the sentence asks for no conversion. */
export function toReversed(
  { index, service }: { readonly index: SearchIndex; service(slot: number): Encoded<Service> },
  subject: string,
): ((slot: number) => boolean) | undefined {
  const read = (text: string): Conversion[] =>
    index.languages.all
      .flatMap(({ sentence: { toConversions, namedConversions = [] } }) => [
        ...(toConversions?.(foldWidth(text)) ?? []).map(withoutShared),
        ...namedConversions.filter(({ told }) => told.test(text)),
      ])
      .filter(({ from, to }) => from.length > 0 && to.length > 0)
  const asked = read(subject)
  if (asked.length === 0) return undefined

  function similarityOf(some: readonly string[], others: readonly string[]): number {
    let highest = 0
    for (const a of some) for (const b of others) highest = Math.max(highest, index.wordSimilarity(a, b))
    return highest
  }
  const agreement = (from: number, to: number): number =>
    Math.min(from, to) < MIN_LIKENESS ? 0 : (from + to) / 2

  return slot => {
    const { name, description } = service(slot).decode()
    let forward = 0
    let backward = 0
    for (const told of read(`${name}. ${description}`.slice(0, MAX_TEXT))) {
      for (const { from, to } of asked) {
        forward = Math.max(forward, agreement(similarityOf(from, told.from), similarityOf(to, told.to)))
        backward = Math.max(backward, agreement(similarityOf(from, told.to), similarityOf(to, told.from)))
      }
    }
    return backward > forward + MIN_LEAD
  }
}
