// What a listing of a checked URL would say, in the endpoint's own words, so that a provider need give nothing but the URL.
import { chainKey } from './chains.ts'
import type { CheckReport } from './check.ts'
import { endpointHost } from './endpoint.ts'
import { compareDecimals, DECIMAL } from './money.ts'
import type { ServiceDraft } from './service.ts'
import type { Way } from './terms.ts'
import { cutShort } from './text.ts'

/** What the endpoint does not tell is left out, for the provider to say. */
export type ProposedDraft = Pick<ServiceDraft, 'name' | 'endpoint' | 'category'> & {
  readonly description?: string
  readonly pricing?: { readonly currency: string; readonly pricePerRequest: string }
  readonly x402Config?: ServiceDraft['x402Config']
}

const MAX_DESCRIPTION = 2_000

export function draftFromCheck({
  endpoint,
  resources,
}: Pick<CheckReport, 'endpoint' | 'resources'>): ProposedDraft {
  const resource = resources.find(({ accepts }) => accepts.length > 0)
  const way = resource && (resource.accepts.find(isPriced) ?? resource.accepts[0])
  const description = resource?.description?.trim()
  return {
    name: endpointHost(endpoint).replace(/^www\./, ''),
    endpoint,
    category: 'other',
    ...(description && { description: cutShort(description, MAX_DESCRIPTION) }),
    ...(way && { x402Config: { paymentAddress: way.payTo, network: way.network } }),
    ...(way &&
      isPriced(way) && {
        pricing: { currency: way.assetName!, pricePerRequest: highest(resource!.accepts, way) },
      }),
  }
}

/** A listing is verified where no way on its network asks more than is listed. */
const highest = (ways: readonly Way[], { chain, currency }: Way): string =>
  ways
    .filter(way => isPriced(way) && way.chain === chainKey(chain) && way.currency === currency)
    .map(way => way.price!)
    .reduce((most, price) => (compareDecimals(price, most) > 0 ? price : most))

const isPriced = ({ price, assetName }: Way): boolean =>
  price !== undefined && DECIMAL.test(price) && assetName !== undefined
