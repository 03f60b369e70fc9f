// Verifies the signed offers of a response with keys published by its origin, within the request budget of the probe.
import type { SignedOffer } from '../../domain/terms/terms.ts'
import type { ReadTxt } from '../documents/txt-records.ts'
import { hasTerms, type ProbeResponse } from '../probe-response.ts'
import type { ProbeSession } from '../probe-session.ts'
import { judgeOffers } from './judge-offers.ts'

export async function checkOffers(
  session: ProbeSession,
  response: ProbeResponse,
  { readTxt, now }: { readonly readTxt: ReadTxt | undefined; readonly now: Date | undefined },
): Promise<readonly SignedOffer[]> {
  const { reading, request } = response
  if (!hasTerms(response) || !reading?.readable || !reading.described.offers) return []
  return judgeOffers(
    reading.described.offers,
    { url: request.place?.url ?? request.url, tool: request.tool, accepts: reading.payments, now },
    {
      document: async url =>
        session.requestsLeft > 0 ? (await session.readDocument(url)).document : undefined,
      txt: async name => readTxt?.(name) ?? [],
    },
  )
}
