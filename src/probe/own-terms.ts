// The terms of the resource that was asked, as they are shown afterwards: by its own answer, and by documents where that does not say what it takes.
import type { ResourceTerms, SignedOffer } from '../domain/terms.ts'
import type { Asked } from './asked.ts'
import { toResourceTerms } from './describe-resource.ts'
import type { Documented } from './documented.ts'
import { toResources, withUnread } from './documented-terms.ts'

/** @returns undefined where nothing can be read of it */
export function toOwnTerms(
  { ask, reading, declared }: Asked,
  signedOffers: readonly SignedOffer[] = [],
): ResourceTerms | undefined {
  if (!reading?.readable) return undefined
  const { url, method, tool, place } = ask
  return {
    ...declared,
    ...toResourceTerms(reading, { url, ...place, method, ...(tool !== undefined && { tool }) }),
    ...(signedOffers.length > 0 && { signedOffers: [...signedOffers] }),
  }
}

/** @param kept what earlier probes read, of documents too: it is what the text says that calls the service */
export function toShownTerms(
  asked: Asked,
  documented: readonly Documented[],
  kept: readonly ResourceTerms[] = [],
): ResourceTerms | undefined {
  const [first] = withUnread(toResources(toOwnTerms(asked), documented, asked.ask), kept)
  return first?.source === '402' ? first : undefined
}
