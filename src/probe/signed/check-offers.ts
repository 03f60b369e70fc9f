// The signed offers of an answer, with the keys that its own origin publishes: each look is one of the requests of the probe.
import type { SignedOffer } from '../../domain/terms.ts'
import { type Asked, hasTerms } from '../asked.ts'
import type { Asking } from '../asking.ts'
import type { ReadTxt } from '../txt-records.ts'
import { judgeOffers } from './judge-offers.ts'

export async function checkOffers(
  asking: Asking,
  asked: Asked,
  { readTxt, now }: { readonly readTxt: ReadTxt | undefined; readonly now: Date | undefined },
): Promise<readonly SignedOffer[]> {
  const { reading, ask } = asked
  if (!hasTerms(asked) || !reading?.readable || !reading.described.offers) return []
  return judgeOffers(
    reading.described.offers,
    { url: ask.place?.url ?? ask.url, tool: ask.tool, ways: reading.payments, now },
    {
      document: async url => (asking.left > 0 ? (await asking.readDocument(url)).document : undefined),
      txt: async name => readTxt?.(name) ?? [],
    },
  )
}
